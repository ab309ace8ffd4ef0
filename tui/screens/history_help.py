"""What the panes of the history screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import OUTCOMES, PaneHelp

__all__ = ["HISTORY_HELP"]

HISTORY_HELP: Mapping[str, PaneHelp] = {
    "sessions": PaneHelp(
        "The sessions of the history in order. Moving here moves the dialogue to a session's first "
        "round; opening one goes over to the dialogue.",
        marks=("image", "audio", "clue"),
        cannot="A sign says that there is at least one: which rounds, the dialogue shows.",
    ),
    "dialogue": PaneHelp(
        "One session round by round: who said what, with pictures and sounds in place, and the "
        "captions of one variant as a system reads them. {history.variant} turns to another.",
        marks=("clue", "image", "audio", "missing", "evaluator"),
        figures={
            "clue of n questions": "how many questions of the release have this round as gold "
            "evidence",
        },
        cannot="What systems were really given: a run may have used other captions, which its "
        "configuration says.",
    ),
    "inspector": PaneHelp(
        "All that is known about the round under the cursor: the questions that rest on it and how "
        "A and B did, what was retrieved, what the memories of A and B held after it, attachments "
        "with every caption, and, once asked for with {history.evaluator}, what only the evaluator "
        "may see. {page.open} on a memory's line lists all that it held.",
        marks=(*OUTCOMES, "missing", "evaluator"),
        figures={
            "n× best #r": "for how many questions of any kind the run retrieved the round, and "
            "its best rank; n is of questions, not of times",
            "n items +a ~c −r": "what the memory held after the round, and how many items the "
            "round added, changed and removed",
        },
        cannot="Runs that store no ids of what they retrieved say “not stored”. Only rounds are "
        "counted: a run that retrieves whole sessions never names a round. What a memory held "
        "is known of native runs that keep it.",
    ),
}
