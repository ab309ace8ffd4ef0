"""The history of an instance: three parallel lists of session ids, dates and sessions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import Attachment, History, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.longmemeval.dates import read_date
from mnemoscope.core.releases.longmemeval.forms import Dialect

__all__ = ["HistoryReading", "ReadAttachments", "read_history"]

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.OTHER}
_NO_TEXTS: Mapping[str, str] = {}
_MARK = "has_answer"
_SESSIONS = "haystack_sessions"
_DATES = "haystack_dates"
_IDS = "haystack_session_ids"


class ReadAttachments(Protocol):
    """Reads what a turn shows."""

    def __call__(self, turn: Node, round_id: str) -> tuple[Attachment, ...]:
        """The attachments of a turn, which becomes the round with the id."""
        ...


@dataclass(slots=True)
class HistoryReading:
    """What reading one history gathers beside it."""

    history_id: str
    dialect: Dialect
    attachments: ReadAttachments | None = None
    marks: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Evaluator-only: ``has_answer`` of the rounds that have it."""
    answers: list[Round] = field(default_factory=list)
    """The rounds whose ``has_answer`` is true."""
    index: int = 0
    """How many rounds there are so far."""


def read_history(
    node: Node, reading: HistoryReading, file: str, asked_at: datetime | None
) -> History:
    """Read an instance's sessions."""
    sessions = tuple(_read_sessions(node, reading))
    _check_times(node, sessions, asked_at)
    return History(
        id=reading.history_id,
        name=reading.history_id,
        sessions=sessions,
        file=file,
        place=node.place,
    )


def _read_sessions(node: Node, reading: HistoryReading) -> Iterator[Session]:
    written = node.items(_SESSIONS)
    if node.data.get(_SESSIONS) is None:
        node.wrong(_SESSIONS, "a list of sessions")
    ids = node.texts(_IDS)
    dates = node.texts(_DATES)
    _check_lengths(node, written, ids, dates, reading.dialect)
    taken: set[str] = set()
    base = node.at(_SESSIONS)
    for at, value in enumerate(written):
        session_id = _session_id(node, ids, at, taken, reading.dialect)
        taken.add(session_id)
        text, where = (dates[at], node.at_item(_DATES, at)) if at < len(dates) else ("", "")
        place = f"{base}[{at}]"
        turns, turns_place = value, place
        if type(value) is dict and "session" in value:
            # MemLens can write a session together with its date.
            turns, turns_place = value["session"], f"{place}.session"
            if not text:
                text, where = Node(value, place, node.log).text("date"), f"{place}.date"
        if type(turns) is not list:
            node.log.error("wrong_type", turns_place, turns, "a list of turns")
            turns = []
        date = read_date(text, where, node.log)
        rounds = tuple(_read_turns(turns, turns_place, session_id, reading, node.log))
        yield Session(session_id, date, text, rounds, place)


def _check_lengths(
    node: Node, sessions: list[Any], ids: list[str], dates: list[str], dialect: Dialect
) -> None:
    lists = {_SESSIONS: sessions, _DATES: dates, _IDS: ids}
    # Where sessions carry their dates, or have no ids by design, there are no such lists.
    lengths = {
        key: len(one)
        for key, one in lists.items()
        if one or key == _SESSIONS or (dialect.names_sessions and key in node.data)
    }
    if len(set(lengths.values())) > 1:
        found = Described(", ".join(f"{length} in {key}" for key, length in lengths.items()))
        node.log.error("parallel_lists", node.place, found, "lists of equal length")


def _session_id(node: Node, ids: list[str], at: int, taken: set[str], dialect: Dialect) -> str:
    """The id as written, or one that is made up and recorded; always unique in the history."""
    written = ids[at] if at < len(ids) else ""
    if written and written not in taken:
        return written
    made = stem = written or f"session_{at + 1}"
    number = 2
    while made in taken:
        made = f"{stem}#{number}"
        number += 1
    if written:
        place = node.at_item(_IDS, at)
        node.log.repaired("duplicate_id", place, written, "an id of its own", made)
    elif dialect.names_sessions or at < len(ids):
        listed = at < len(ids)
        place = node.at_item(_IDS if listed else _SESSIONS, at)
        found = written if listed else Described("a session without id")
        node.log.repaired("missing_id", place, found, "the session's id", made)
    return made


def _read_turns(
    turns: list[Any], base: str, session_id: str, reading: HistoryReading, log: DefectLog
) -> Iterator[Round]:
    """Turns have no id: the session's id and their place in it stand for one."""
    for at, turn in enumerate(turns):
        place = f"{base}[{at}]"
        if type(turn) is not dict:
            log.error("wrong_type", place, turn, "an object")
            continue
        round_id = f"{session_id}:{at}"
        try:
            speaker = turn["role"]
            role = _ROLES[speaker]
            text = turn["content"]
            plain = type(text) is str
        except (KeyError, TypeError):
            plain = False
        if not plain:
            speaker, role, text = _odd_turn(Node(turn, place, log))
        attachments: tuple[Attachment, ...] = ()
        if reading.attachments is not None:
            attachments = reading.attachments(Node(turn, place, log), round_id)
        message = Message(speaker, role, text, attachments, _NO_TEXTS)
        one = Round(round_id, session_id, reading.index, (message,), place)
        reading.index += 1
        if _MARK in turn:
            reading.marks[reading.history_id, round_id] = {_MARK: turn[_MARK]}
            if Node(turn, place, log).boolean(_MARK):
                reading.answers.append(one)
        yield one


def _odd_turn(turn: Node) -> tuple[str, Role, str | None]:
    """What can be read of a turn that lacks something, or whose role is not known."""
    speaker = turn.required_text("role") or ""
    if speaker and speaker not in _ROLES:
        turn.log.warning("unknown_role", turn.at("role"), speaker, "'user' or 'assistant'")
    text = turn.data.get("content")
    if type(text) is not str:
        turn.wrong("content", "text")
        text = None
    return speaker, _ROLES.get(speaker, Role.OTHER), text


def _check_times(node: Node, sessions: tuple[Session, ...], asked_at: datetime | None) -> None:
    """Say once that sessions are not in order of time, and once that some follow the question."""
    latest: datetime | None = None
    early, late = [], []
    for at, session in enumerate(sessions):
        if session.date is None:
            continue
        if latest is not None and session.date < latest:
            early.append(at)
        latest = max(session.date, latest or session.date)
        if asked_at is not None and session.date > asked_at:
            late.append(at)
    expected = "dates no earlier than those before"
    _report_times(node, sessions, early, "dates_out_of_order", expected)
    expected = "dates no later than the question's; these sessions are part of the history"
    _report_times(node, sessions, late, "session_after_question", expected)


def _report_times(
    node: Node, sessions: tuple[Session, ...], places: list[int], code: str, expected: str
) -> None:
    if places:
        first = places[0]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        found = Described(f"{sessions[first].date_text!r:.60}{more}")
        node.log.warning(code, node.at_item(_SESSIONS, first), found, expected)
