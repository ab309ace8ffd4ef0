"""Dates of LongMemEval and MemLens: ``2023/05/30 (Tue) 23:40``."""

import re
from datetime import datetime

from mnemoscope.core.defects import DefectLog

__all__ = ["read_date"]

# strptime would read weekday names in the language of whoever runs this.
_DATE = re.compile(
    r"([0-9]{4})[/-]([0-9]{1,2})[/-]([0-9]{1,2})(?:\s*\([^()]{1,12}\))?"
    r"(?:[T\s]\s*([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?)?"
)


def read_date(text: str, place: str, log: DefectLog) -> datetime | None:
    """The time that a text names; None, with a warning where there is a text, when it names none.

    The weekday is not compared, and a time that is absent is midnight.
    """
    match = _DATE.fullmatch(text) if len(text) < 100 else None
    if match is not None:
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        try:
            return datetime(year, month, day, hour, minute, second)
        except ValueError:
            pass
    if text:
        expected = "a date such as '2023/05/30 (Tue) 23:40'"
        log.warning("date_unreadable", place, text, expected)
    return None
