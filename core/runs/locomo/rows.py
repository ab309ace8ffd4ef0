"""What the forms of LoCoMo run output share: conversations of rows, categories, ids.

Nobody's files name the questions alike, but all keep the release's order: a row is known by its
conversation and its place there, and its text checks that.
"""

import math
import re
from itertools import islice
from typing import Any

from mnemoscope.core.model import SourceRef
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.rows import Rows

__all__ = [
    "ADVERSARIAL",
    "conversation_of",
    "first_groups",
    "grouped_rows",
    "match_id",
    "read_category",
    "source_of_id",
]

ADVERSARIAL = "5"
"""The category whose "gold" in run files is the adversarial answer: a lure, not the gold."""

_LOOKED_AT = 10
_TURN = re.compile(r"D[0-9]+:[0-9]+")
_LONGEST_TURN = 20
_CONVERSATION = re.compile(r"(?:[a-z_]*_user_)?([0-9]{1,6})", re.IGNORECASE)


def first_groups(data: Any) -> list[Any]:
    """The first values of an object, where rows are to be looked for."""
    return list(islice(data.values(), _LOOKED_AT)) if type(data) is dict else []


def conversation_of(key: str) -> str:
    """The conversation as joining knows it: ``#0`` for a key that ends in its number, else the key.

    Such keys are ``0`` and ``locomo_user_0``.
    """
    match = _CONVERSATION.fullmatch(key)
    return f"#{int(match[1])}" if match else key


def source_of_id(written: str) -> SourceRef:
    """Where a retrieved id points: a turn when it looks like ``D1:2``, otherwise a session."""
    # Very long texts are not matched: an id of megabytes is no turn.
    is_turn = len(written) < _LONGEST_TURN and _TURN.fullmatch(written)
    return SourceRef(round_id=written) if is_turn else SourceRef(session_id=written)


def grouped_rows(groups: Node) -> list[Rows]:
    """The conversations of an object that maps each to its rows, by number."""
    found = []
    for key in groups.data:
        match = _CONVERSATION.fullmatch(key)
        # Keys come in any order ("1", "5", "6", …); a row's place counts in the release's.
        order = int(match[1]) if match else math.inf
        found.append((order, Rows(conversation_of(key), groups.at(key), groups.items(key))))
    return [rows for _, rows in sorted(found, key=lambda pair: pair[0])]


def match_id(
    row: Node, pattern: re.Pattern[str], example: str, key: str = "question_id"
) -> re.Match[str] | None:
    """Match the row's id of its question; one of another form is recorded as odd."""
    value = row.found(key)
    match = pattern.fullmatch(value) if type(value) is str else None
    if match is None:
        row.log.warning("question_id_odd", row.at(key), value, f"an id like {example}")
    return match


def read_category(row: Node, key: str = "category") -> str:
    """LoCoMo's integer as text, written as a number or as text; names are not trusted."""
    value = row.data.get(key)
    if type(value) is int:
        return str(value)
    if type(value) is str and value.isascii() and value.isdecimal():
        return value
    if value is not None:
        row.wrong(key, "LoCoMo's number of the category")
    return ""
