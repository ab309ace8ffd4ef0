"""AMB's documents: each is one session of a user, written as one text."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Message, Role, Round, Session
from mnemoscope.core.reading import Node

__all__ = ["Users", "read_documents", "read_time", "session_name"]

_MARKS = {mark: mark.lower() for mark in ("SYSTEM", "USER", "ASSISTANT")}
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.OTHER}
_WHOLE = "document"
"""Who speaks in a document that no turns can be told in."""
_NO_TEXTS: Mapping[str, str] = {}


@dataclass(slots=True)
class Users:
    """Sessions by user, in the order of the documents."""

    sessions: dict[str, list[Session]] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    """How many rounds each user has so far."""


def session_name(document_id: str, user_id: str) -> str:
    """The session's id in a document's: what follows the user's id."""
    return document_id.removeprefix(f"{user_id}_")


def read_documents(data: Any, log: DefectLog) -> Users:
    """Read every document."""
    users = Users()
    if type(data) is not list:
        log.error("wrong_type", "$", data, "a list of documents")
        return users
    for at, item in enumerate(data):
        if type(item) is dict:
            _read_document(Node(item, f"$[{at}]", log), users)
        else:
            log.error("wrong_type", f"$[{at}]", item, "an object")
    return users


def _read_document(node: Node, users: Users) -> None:
    document_id, user_id = node.required_text("id"), node.required_text("user_id")
    if document_id is None or user_id is None:
        return
    sessions = users.sessions.setdefault(user_id, [])
    session_id = session_name(document_id, user_id)
    if any(one.id == session_id for one in sessions):
        node.log.error("duplicate_id", node.at("id"), document_id, "an id of its own")
        return
    date = read_time(node, "timestamp")
    content = node.data.get("content")
    if type(content) is not str:
        node.wrong("content", "text")
        content = ""
    place = node.at("content")
    rounds = []
    for at, (speaker, text) in enumerate(_turns(content)):
        role = _ROLES.get(speaker, Role.OTHER)
        message = Message(speaker, role, text, (), _NO_TEXTS)
        index = users.rounds.get(user_id, 0)
        rounds.append(Round(f"{session_id}:{at}", session_id, index, (message,), place))
        users.rounds[user_id] = index + 1
    written = node.data.get("timestamp")
    date_text = written if type(written) is str else ""
    sessions.append(Session(session_id, date, date_text, tuple(rounds), node.place))


def _turns(content: str) -> list[tuple[str, str]]:
    """Who says what: marked turns, turns as JSON, or the whole document as one."""
    turns = _marked_turns(content) or _json_turns(content)
    if not turns and content.strip():
        turns.append((_WHOLE, content))
    return turns


def _marked_turns(content: str) -> list[tuple[str, str]]:
    """Turns that begin with a mark at the start of a line; none where something comes before."""
    # Splitting is several times as fast as a pattern that looks at every line.
    before, *pieces = f"\n{content}".split("\n[")
    turns: list[tuple[str, list[str]]] = []
    for piece in pieces:
        mark, bracket, text = piece.partition("]")
        if bracket and mark in _MARKS:
            turns.append((_MARKS[mark], [text.removeprefix(" ")]))
        elif turns:
            turns[-1][1].append(piece)
        else:
            return []
    if before.strip():
        return []
    return [(speaker, "\n[".join(parts).strip("\n")) for speaker, parts in turns]


def _json_turns(content: str) -> list[tuple[str, str]]:
    if content.lstrip()[:1] != "[":
        return []
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return []
    turns = []
    for item in data:
        if type(item) is not dict:
            return []
        speaker, text = item.get("role"), item.get("content")
        if type(speaker) is not str or type(text) is not str:
            return []
        turns.append((speaker, text))
    return turns


def read_time(node: Node, key: str) -> datetime | None:
    """The time at a key, as local to whoever speaks; None for null."""
    text = node.text(key)
    if not text:
        return None
    try:
        # An offset is dropped: dates of one release are compared with each other, and one without
        # an offset compares to none that has one.
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        expected = "an ISO time such as '2023-05-30T00:00:00+00:00'"
        node.log.warning("date_unreadable", node.at(key), text, expected)
        return None
