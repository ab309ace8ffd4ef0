"""What the overview means."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import PaneHelp

__all__ = ["OVERVIEW_HELP"]

OVERVIEW_HELP: Mapping[str, PaneHelp] = {
    "overview": PaneHelp(
        "What is open, in figures: the release, the runs with their accuracy, how runs join, what "
        "looks wrong, defects, questions by task, histories. Every line with a cursor can be "
        "opened.",
        marks=("right", "wrong"),
        figures={
            "accuracy": "right / n, in percent, micro over questions: a failed record is not right",
            "n": "records that join to a question and have a verdict",
            "answered": "right / records with a usable answer, in percent",
            "avg exp, avg imp": "mean of the accuracies of the tasks that the benchmark averages, "
            "for explicit and implicit evidence: macro over tasks",
            "gap": "avg exp − avg imp, in percentage points",
            "failed": "records with an error, a timeout, a refusal or no readable answer",
            "not judged": "records that join but have no verdict; they are not in n",
            "no record": "questions of the release that no row of the run answers",
        },
        cannot="Whether a difference between two runs is more than chance: {app.compare} tests it. "
        "Runs with different captions, k or backbones are side by side all the same; "
        "{overview.configuration} says how they differ.",
    ),
}
