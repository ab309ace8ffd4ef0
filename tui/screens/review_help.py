"""What the panes of the review mean."""

from collections.abc import Mapping

from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.history_help import HISTORY_HELP

__all__ = ["REVIEW_HELP"]

REVIEW_HELP: Mapping[str, PaneHelp] = {
    **HISTORY_HELP,
    "said": PaneHelp(
        "What has been said beside tags: that none fits, a flag, a note; and, once asked for "
        "({review.others}), what others say.",
        marks=("flag",),
    ),
    "tags": PaneHelp(
        "The choices of the review in the order of its dimensions; the session in view is what "
        "they are about. The key before a choice makes it, in place of another of its dimension, "
        "and takes it back. {review.undo} goes back as far as you like, also over restarts.",
        marks=("set",),
        figures={
            "done": "sessions of the queue that you have reviewed (n is the queue)",
            "/h": "sessions an hour since you began here",
        },
        cannot="What the review came to: {app.tally} counts it, and lists what is to adjudicate.",
    ),
}
