"""The sessions of a history as the rows of a list."""

from collections.abc import Sequence

from rich.text import Text

from mnemoscope.core.model import History, Kind, Session
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.styles import MARKS, Palette, style

__all__ = ["NoSessions", "SessionRows", "session_name", "session_place", "session_title"]

_LEGIBLE = 13
"""Cells that an id cut in its middle needs to be told from others; figures give way to it."""


def session_name(session: Session) -> str:
    """What a session is called: its group, where its id says only day and group."""
    of_day = f"{session.date_text}/{session.group}"
    return session.group if session.group and session.id == of_day else session.id


def session_title(session: Session) -> str:
    """Its name, its group, when it took place and how long it is."""
    count = len(session.rounds)
    parts = [session_name(session), session.group, session.date_text or "no date"]
    parts.append(f"{count:,} {'round' if count == 1 else 'rounds'}")
    return " · ".join(dict.fromkeys(filter(None, parts)))


def session_place(history: History, session: Session) -> str:
    """Which of how many sessions it is: by its id where the ids count them, else by number."""
    place, total = history.sessions.index(session), len(history.sessions)
    stems = {one.id.rstrip("0123456789") for one in history.sessions}
    numbers = [one.id[len(one.id.rstrip("0123456789")) :] for one in history.sessions]
    counted = len(stems) == 1 and any(
        all(number.lstrip("0") == str(at or "") for at, number in enumerate(numbers, start))
        for start in (0, 1)
    )
    return f"{session.id if counted else f'session {place + 1:,}'} of {total:,}"


class SessionRows:
    """The sessions of a history as rows."""

    def __init__(self, history: History, cited: frozenset[str], palette: Palette) -> None:
        self.history = history
        # Where days are the sessions' names, a date would say the same again.
        by_day = all(one.date_text == session_name(one) for one in history.sessions)
        self._dated = not by_day and any(one.date or one.date_text for one in history.sessions)
        date = (Column("date", 8, dim=True, help="when the session was"),) if self._dated else ()
        digits = max([3, *(len(str(len(one.rounds))) for one in history.sessions)])
        stems = {one.id.rstrip("0123456789") for one in history.sessions}
        # Ids such as session_1 differ only at their end, which a narrow column would cut.
        numbered = len(history.sessions) > 1 and all(
            one.id[-1:].isdecimal() for one in history.sessions
        )
        self._prefix = len(stems.pop()) if len(stems) == 1 and numbered and not by_day else 0
        longest = max((cell_width(self._name(one)) for one in history.sessions), default=0)
        self.columns: Sequence[Column] = (
            Column(
                "session",
                max(7, min(longest, _LEGIBLE)),
                flex=1,
                middle=True,
                help="its id, without what all ids have in common",
            ),
            *date,
            Column(
                "rds", digits, align="right", priority=2, dim=True, help="how many rounds it has"
            ),
            Column("", 5, priority=1, help="signs: what is attached, and whether a clue is in it"),
        )
        self._cited = cited
        self._palette = palette

    @property
    def row_count(self) -> int:
        return len(self.history.sessions)

    def cells(self, row: int) -> Sequence[Text | str]:
        session = self.history.sessions[row]
        date = f"{session.date:%y-%m-%d}" if session.date else session.date_text
        media = Text()
        kinds = {item.kind for one in session.rounds for item in one.attachments}
        for kind in Kind:
            sign = MARKS[kind].glyph if kind in kinds else " "
            media.append(f"{sign} ", style("dim", self._palette))
        if session.id in self._cited:
            media.append(MARKS["clue"].glyph, style("clue", self._palette))
        dates = (date,) if self._dated else ()
        return self._name(session), *dates, str(len(session.rounds)), media

    def _name(self, session: Session) -> str:
        return session.id[self._prefix :] if self._prefix > 3 else session_name(session)


class NoSessions:
    """No rows."""

    row_count = 0
    columns: Sequence[Column] = (
        Column("session", 6, help="its id, without what all ids have in common"),
    )

    def cells(self, row: int) -> Sequence[Text | str]:
        return ("",)
