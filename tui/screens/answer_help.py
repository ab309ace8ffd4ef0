"""What the panes of the answer screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import PaneHelp

__all__ = ["ANSWER_HELP"]

ANSWER_HELP: Mapping[str, PaneHelp] = {
    "dialogue": PaneHelp(
        "What may be used for the answer: in a full view the whole dialogue, session by session; "
        "in an oracle view only what the clues name, each folded until it is opened "
        "({answer.unfold} opens all). A multimodal view shows pictures and plays sounds "
        "({answer.play}); in a text view captions stand for them. Sessions, rounds, pictures and "
        "sounds are numbered anew.",
        marks=("image", "audio", "missing"),
        cannot="Nobody who answers sees gold, tasks, labels, ids, scene text or the names of "
        "background sounds; captions stand only in a text view. A picture or sound whose file is "
        "missing has nothing in its place.",
    ),
    "question": PaneHelp(
        "The question. A letter or a click chooses an option, another one in its place; the answer "
        "to a question without options is typed ({answer.type}). Every answer is on the disk at "
        "once. {answer.next_open} goes to the next question without one, {answer.finish} ends it: "
        "then answers stay as they are, accuracy is shown, and a submission is written that opens "
        "as a run.",
        marks=("set",),
        figures={"answered": "questions with an answer, of all there are here"},
        cannot="Whether an answer is right, before all is finished.",
    ),
}
