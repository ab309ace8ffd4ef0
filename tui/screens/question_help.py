"""What the panes of the question screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import OUTCOMES, RETRIEVED, PaneHelp

__all__ = ["QUESTION_HELP"]

_RUN = PaneHelp(
    "One run on this question: its answer, reasoning and verdicts, what it relies on, and what it "
    "retrieved in order of rank. A row that leads to a round can be opened.",
    marks=(*OUTCOMES, *RETRIEVED),
    figures={
        "k": "how many items were really put into the context",
        "tok": "tokens of the context, as the run states them",
        "n of m clue rounds": "gold evidence among the items used, of all the question has: recall "
        "at the depth that the run used, on this question alone (n is 1 question)",
        "0.71": "the score beside an item is the run's own; scores of two runs do not compare",
        "by": "the rule that decides whether the answer is right",
    },
    cannot="Whether the evidence was understood. Items without a source id count as neither hit "
    "nor extra, and a run that stores none is “not measurable”, not 0.",
)

QUESTION_HELP: Mapping[str, PaneHelp] = {
    "question": PaneHelp(
        "The question with its options and the right answer, and below its clues: the gold "
        "evidence, the text that stands for it, and whether A and B retrieved it. A clue opens its "
        "round.",
        marks=("gold", *RETRIEVED, "missing", "evaluator"),
        figures={
            "n gold": "clues that the release names",
            "hit #r": "the rank at which the run has it, among the items that it used",
            "missed, #r not sent": "retrieved at that rank, but beyond what went into the context",
        },
        cannot="Evidence that the release does not name: an answer can rest on other rounds.",
    ),
    "run-a": _RUN,
    "run-b": _RUN,
    "other": PaneHelp(
        "What was asked for beside the question: the answers and reasons of A and B with the words "
        "that only one has marked ({question.diff}), or the context as it was sent to the backbone "
        "({question.context}).",
        marks=OUTCOMES,
        cannot="A context is shown only where the run stores it; long texts are compared at their "
        "start, and the pane says how far.",
    ),
}
