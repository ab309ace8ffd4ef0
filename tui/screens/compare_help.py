"""What the panes of the comparison mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import OUTCOMES, RETRIEVED, PaneHelp

__all__ = ["COMPARE_HELP"]

COMPARE_HELP: Mapping[str, PaneHelp] = {
    "totals": PaneHelp(
        "A and B over the questions on which both are judged, in all and by task. Opening a task "
        "narrows the list to it, and again shows all.",
        marks=("right", "wrong"),
        figures={
            "n": "questions with a judged record in both runs; only these count here",
            "A % B %": "right / n, in percent: accuracy over the paired questions, which need not "
            "be the accuracy of the whole run",
            "B−A": "difference of the two, in percentage points",
            "only A, only B": "questions that one gets right and the other wrong",
            "McNemar exact p": "two-sided exact test that only A and only B are equally likely; it "
            "looks at nothing but these two counts",
            "A higher, B higher": "questions on which one run's stored figure is higher, where "
            "{compare.by} has chosen a figure in place of verdicts",
            "exact sign test p": "two-sided exact test that A higher and B higher are equally "
            "likely; by how much does not count",
            "⚑ overlaid": "the row above as the overlays have it: of all, and of each task whose "
            "figures they change",
            "recall": "share of the gold evidence among the items sent, over questions that both "
            "runs can be measured on, by session as soon as one names sessions only",
        },
        cannot="Why they differ: that the configurations differ is said below the table, and "
        "{compare.configuration} lists how. Questions that only one run has are left out, and "
        "counted.",
    ),
    "differing": PaneHelp(
        "The questions of the chosen kind: all on which A and B differ, or what only one, or "
        "neither, gets right. Opening one shows it in full.",
        marks=OUTCOMES,
        cannot="Questions that are not judged in both runs are in none of these lists.",
    ),
    "detail": PaneHelp(
        "The question under the cursor in both runs: answers and reasons with the words that only "
        "one has marked, and what each retrieved. Or the two configurations "
        "({compare.configuration}).",
        marks=(*OUTCOMES, *RETRIEVED, "clue"),
        figures={
            "both, only A, only B": "rounds or sessions among the retrieved items, by who has them",
            "A#3": "the best rank at which the run has it",
        },
        cannot="Where one run names sessions only, both are held against sessions: which rounds "
        "of them were brought back is not known.",
    ),
}
