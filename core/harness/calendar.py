"""The days on which a conversation takes place."""

from datetime import date, timedelta

from mnemoscope.core.harness.chance import Chance

__all__ = ["days"]

_FIRST = date(2026, 2, 2)
_LEAST, _MOST = 8, 14
"""How many turns of the user a day has."""
_SATURDAY = 5


def days(chance: Chance, count: int) -> list[str]:
    """The day of each turn of the user: working days, later ones later.

    Args:
        chance: Where they come from.
        count: How many turns.

    Returns:
        Dates such as 2026-04-12, as many as turns.
    """
    day = _FIRST + timedelta(weeks=chance.whole(0, 8), days=chance.whole(0, 4))
    found: list[str] = []
    while len(found) < count:
        found += [day.isoformat()] * min(chance.whole(_LEAST, _MOST), count - len(found))
        day += timedelta(days=chance.whole(1, 3))
        while day.weekday() >= _SATURDAY:
            day += timedelta(days=1)
    return found
