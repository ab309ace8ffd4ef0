"""Dates of sessions in releases that write them as ISO 8601 does."""

import re
from datetime import datetime

from mnemoscope.core.reading import Node

__all__ = ["SessionDates", "iso_moment"]

_MOMENT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?)?"
)
_USUAL = len("2024-06-17 09:32:15")


def iso_moment(text: str) -> datetime | None:
    """The time of ``2024-06-17``, ``2024-06-17 09:32`` or ``2024-06-17 09:32:15``.

    None for anything else. ``datetime.fromisoformat`` would also take week dates, and offsets whose
    times do not compare with those of sessions without one.
    """
    if len(text) == _USUAL and text[10] in "T " and text[4] == text[7] == "-" and text[16] == ":":
        # Takes a tenth of the pattern's time, which counts where every message has a time.
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None


class SessionDates:
    """Reads the dates of one history's sessions, and checks that none lies before the last one."""

    __slots__ = ("_latest",)

    def __init__(self) -> None:
        self._latest: datetime | None = None

    def read(self, node: Node, key: str) -> tuple[datetime | None, str]:
        """The date at ``key`` and how it is written; a lack of it is a warning."""
        text = node.text(key)
        return self.check(text, node, key), text

    def check(self, text: str, node: Node, key: str) -> datetime | None:
        """The date that a text at ``key`` stands for, its order checked."""
        date = iso_moment(text)
        if date is None:
            if text:
                expected = "a date such as 2024-06-17"
                node.log.warning("date_unreadable", node.at(key), text, expected)
            elif node.data.get(key) in (None, ""):
                node.log.warning("date_missing", node.at(key), node.found(key), "a date")
            return None
        if self._latest is not None and date < self._latest:
            expected = "a date no earlier than that of the session before"
            node.log.warning("dates_out_of_order", node.at(key), text, expected)
        self._latest = date
        return date
