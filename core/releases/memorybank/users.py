"""MemoryBank's users: a history by day, and what is known about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import History, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.dates import SessionDates

__all__ = ["UserNotes", "read_history"]

_BY_DAY = ("summary", "personality")
_SHOWN = frozenset(("history", *_BY_DAY))
_SIDES = (("query", Role.USER), ("response", Role.ASSISTANT))
_ASSISTANT = "assistant"


@dataclass(slots=True)
class UserNotes:
    """Evaluator-only: what is known about users and about their days."""

    histories: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    sessions: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)


def read_history(user: Node, history_id: str, notes: UserNotes) -> History:
    """Read a user's days; summaries and profiles go to the notes."""
    name = user.text("name").strip() or history_id
    days = user.inner("history") or Node({}, user.at("history"), user.log)
    sessions = []
    index = 0
    dates = SessionDates()
    for day in days.data:
        date = dates.check(day, days, day)
        rounds = []
        base = days.at(day)
        for at, pair in enumerate(days.items(day)):
            place = f"{base}[{at}]"
            messages = _read_pair(pair, place, name, days.log)
            if messages:
                rounds.append(Round(f"{day}:{at}", day, index, messages, place))
                index += 1
        sessions.append(Session(day, date, day, tuple(rounds), base))
    history = History(history_id, name, tuple(sessions), user.log.file, user.place)
    _take_notes(user, history, notes)
    return history


def _read_pair(pair: Any, place: str, name: str, log: DefectLog) -> tuple[Message, ...]:
    try:
        query, response = pair["query"], pair["response"]
    except (KeyError, TypeError):
        return _odd_pair(pair, place, name, log)
    if type(query) is not str or type(response) is not str or not query or not response:
        return _odd_pair(pair, place, name, log)
    return Message(name, Role.USER, query), Message(_ASSISTANT, Role.ASSISTANT, response)


def _odd_pair(pair: Any, place: str, name: str, log: DefectLog) -> tuple[Message, ...]:
    """What can be read of a pair that lacks a side, or is none."""
    if type(pair) is not dict:
        log.error("wrong_type", place, pair, "an object")
        return ()
    node = Node(pair, place, log)
    messages = []
    for key, role in _SIDES:
        text = node.required_text(key)
        if text is not None:
            messages.append(Message(name if role is Role.USER else _ASSISTANT, role, text))
    return tuple(messages)


def _take_notes(user: Node, history: History, notes: UserNotes) -> None:
    about: dict[str, Any] = {
        key: value for key, value in user.data.items() if key not in _SHOWN and key != "name"
    }
    for key in _BY_DAY:
        value = user.data.get(key)
        by_day = value if type(value) is dict else {}
        if value and not by_day:
            about[key] = value
        for day, note in by_day.items():
            if day in history.session_by_id:
                notes.sessions.setdefault((history.id, day), {})[key] = note
            else:
                about.setdefault(key, {})[day] = note
    notes.histories[history.id] = about
