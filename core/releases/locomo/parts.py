"""Where the parts of a LoCoMo conversation stand, in each of its forms.

The published release (``locomo10.json``) is a list of objects that keep dialogue, observations,
summaries and events in an object each. The older form is one flat object per conversation, in a
file named by number. The parts and their keys are the same.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.reading import Node

__all__ = ["ConversationParts", "Form", "SessionPart", "find_parts", "form_of", "written_ids"]

_SESSION_KEY = re.compile(r"session_[0-9]{1,6}")
_TURN_ID = re.compile(r"D0*([0-9]{1,6}):0*([0-9]{1,6})")
_SEPARATORS = re.compile(r"[;,\s]+")
_LONGEST_POINTER = 1_000
_LOOKED_AT = 10


class Form(StrEnum):
    """How a file holds conversations."""

    LIST = "list"
    """The published release: a list of conversations."""
    SINGLE = "single"
    """One conversation, its parts in objects of their own as in the list."""
    FLAT = "flat"
    """One conversation, all parts side by side."""


def form_of(data: Any) -> Form | None:
    """The form of a file's value; None when it holds no LoCoMo conversation."""
    if type(data) is list:
        first = islice(data, _LOOKED_AT)
        return Form.LIST if any(_is_nested(item) for item in first) else None
    if type(data) is not dict or "qa" not in data:
        return None
    if _is_nested(data):
        return Form.SINGLE
    spoken = "speaker_a" in data or "speaker_b" in data
    return Form.FLAT if spoken and any(map(_SESSION_KEY.fullmatch, data)) else None


def _is_nested(item: Any) -> bool:
    return type(item) is dict and "qa" in item and "conversation" in item


@dataclass(frozen=True, slots=True)
class SessionPart:
    """What a conversation holds about its sessions under one kind of key."""

    node: Node
    """The object with the keys."""
    prefix: str = ""
    suffix: str = ""

    def key(self, session_id: str) -> str:
        """The key of a session's value."""
        return f"{self.prefix}{session_id}{self.suffix}"

    def session_ids(self) -> list[str]:
        """Sessions that have such a key, by number."""
        pattern = re.compile(f"{self.prefix}(session_([0-9]{{1,6}})){self.suffix}")
        matches = filter(None, map(pattern.fullmatch, self.node.data))
        return [match[1] for match in sorted(matches, key=lambda match: int(match[2]))]

    def place(self, session_id: str) -> str:
        """The JSON path of a session's value."""
        return self.node.at(self.key(session_id))


@dataclass(frozen=True, slots=True)
class ConversationParts:
    """The parts of one conversation."""

    root: Node
    """The conversation's own object, which holds ``sample_id`` and ``qa``."""
    turns: SessionPart
    dates: SessionPart
    evaluator: Mapping[str, SessionPart]
    """Evaluator-only parts by name: observations, summaries, events."""


def find_parts(form: Form, data: Any, log: DefectLog) -> Iterator[ConversationParts | None]:
    """The conversations of a file in order; None, with an error recorded, for what is none."""
    if form is not Form.LIST:
        yield _parts(form, Node(data, "$", log))
        return
    for index, item in enumerate(data):
        if type(item) is dict:
            yield _parts(form, Node(item, f"$[{index}]", log))
        else:
            log.error("wrong_type", f"$[{index}]", item, "an object")
            yield None


def _parts(form: Form, root: Node) -> ConversationParts:
    def inner(key: str) -> Node:
        if form is Form.FLAT:
            return root
        return Node(root.mapping(key), root.at(key), root.log)

    talk = root
    if form is not Form.FLAT:
        held = root.data.get("conversation")
        talk = Node(held if type(held) is dict else {}, root.at("conversation"), root.log)
        if not talk.data:
            root.wrong("conversation", "an object with speakers and sessions")
    return ConversationParts(
        root=root,
        turns=SessionPart(talk),
        dates=SessionPart(talk, suffix="_date_time"),
        evaluator={
            "observation": SessionPart(inner("observation"), suffix="_observation"),
            "session_summary": SessionPart(inner("session_summary"), suffix="_summary"),
            "event_summary": SessionPart(inner("event_summary"), prefix="events_"),
        },
    )


def written_ids(written: str) -> list[tuple[str, bool]]:
    """Take a string that is no turn id apart: each piece, and whether it has the form of one.

    Pieces stand between ``;``, ``,`` and blanks; zeros that pad a number are stripped.
    """
    if len(written) > _LONGEST_POINTER:
        return [(written, False)]
    pieces = []
    for piece in filter(None, _SEPARATORS.split(written)):
        match = _TURN_ID.fullmatch(piece)
        pieces.append((f"D{match[1]}:{match[2]}", True) if match else (piece, False))
    return pieces or [(written, False)]
