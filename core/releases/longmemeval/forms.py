"""Where instances stand in a file, and whose they are.

An instance is one question with its own history. MemLens took the form over from LongMemEval and
added pictures; the names of its question types tell the two apart.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.model import TaskLabel
from mnemoscope.core.reading import Node
from mnemoscope.core.sources import SourceFile

__all__ = ["Dialect", "dialect_of", "find_instances", "may_hold_instances"]

_LOOKED_AT = 10
_SNIFFED = 512
# The first key of a file says cheaply, without parsing it, that it holds no instances.
_FIRST_KEY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"'
    rb"(?:data|question|question_(?:id|(?:sub)?type|date)|(?:old_)?answer"
    rb'|answer_session_ids|haystack_[a-z_]+)"'
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the benchmarks that share the form."""

    name: str
    """The format's name."""
    title: str
    """The benchmark's name for people."""
    licence: str
    types: Mapping[str, TaskLabel]
    """Tasks by question type as written."""
    refusal: str
    """The type whose questions are all to be declined, where there is one."""
    names_sessions: bool
    """Whether sessions have ids, and answers name those that they rest on."""

    @property
    def tasks(self) -> tuple[TaskLabel, ...]:
        """The label table."""
        return tuple(self.types.values())


def may_hold_instances(file: SourceFile) -> bool:
    """Whether the beginning of a file looks like instances; reads no more than that."""
    if file.is_lines:
        return False
    try:
        with open_file(file.path) as stream:
            return _FIRST_KEY.match(stream.read(_SNIFFED)) is not None
    except InputError:
        return False


def dialect_of(data: Any, dialects: Sequence[Dialect]) -> Dialect | None:
    """Whose instances a file's value holds; the first dialect where nothing tells.

    None when it holds no instances.
    """
    found = [item for _, item in islice(_items(data), _LOOKED_AT) if _is_instance(item)]
    if not found:
        return None
    types = [item.get("question_type") for item in found]
    for dialect in dialects:
        if any(type(one) is str and one in dialect.types for one in types):
            return dialect
    subtypes = any("question_subtype" in item for item in found)
    return dialects[-1 if subtypes else 0]


def find_instances(data: Any, log: DefectLog) -> Iterator[Node | None]:
    """The instances of a file in order; None, with an error recorded, for what is none."""
    for place, item in _items(data):
        if type(item) is dict:
            yield Node(item, place, log)
        else:
            log.error("wrong_type", place, item, "an object")
            yield None


def _items(data: Any) -> Iterator[tuple[str, Any]]:
    if _is_instance(data):
        yield "$", data
        return
    base = "$"
    if type(data) is dict:
        base, data = "$.data", data.get("data")
    for index, item in enumerate(data if type(data) is list else ()):
        yield f"{base}[{index}]", item


def _is_instance(item: Any) -> bool:
    # Logs of retrieval hold all the rest of an instance, but not its sessions.
    return type(item) is dict and "haystack_sessions" in item and "question" in item
