"""What the panes of the tag screen mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.question_help import QUESTION_HELP

__all__ = ["TAG_HELP"]

TAG_HELP: Mapping[str, PaneHelp] = {
    "question": QUESTION_HELP["question"],
    "run-a": QUESTION_HELP["run-a"],
    "other": PaneHelp(
        "The context as it was sent to the backbone ({tag.context}).",
        cannot="A context is shown only where the run stores it.",
    ),
    "said": PaneHelp(
        "What has been said beside tags: that none fits, a flag, a verdict of your own, a note; "
        "and, once asked for ({tag.others}), what others say.",
        marks=("flag", "right", "wrong"),
    ),
    "tags": PaneHelp(
        "The tags of the taxonomy in the order of its stages. The key before a tag sets it and "
        "takes it away, and so does opening its row. A rule that would set a tag says what it saw; "
        "nothing is set until you do it. Everything is written down at once, and {tag.undo} goes "
        "back as far as you like, also over restarts.",
        marks=("set", "suggested"),
        figures={
            "done": "questions of the queue that you have tagged, or said that none fits (n is the "
            "queue)",
            "/h": "questions an hour since you began here",
            "since a new tag": "targets you have tagged since a tag came up for the first time: "
            "after about twenty, more reading seldom finds another",
        },
        cannot="Rules look at what can be shown: ids of what was sent, words of captions, failed "
        "records, other systems. What each cannot see: mnemoscope tags suggest --rules.",
    ),
}
