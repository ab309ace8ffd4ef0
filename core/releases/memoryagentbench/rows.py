"""The rows of a file: one text each, as JSON lines, a list, or one object alone."""

import json
import re
from collections.abc import Iterator
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.reading import Node, json_lines
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["candidates", "is_row", "rows_of", "sample"]

_KEYS = ("context", "questions", "answers")
# The first key of a row says cheaply that a file may hold some: a text of megabytes follows.
_FIRST_KEY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:context|questions|answers|metadata|source)"'
)
_SNIFFED = 512
_LOOKED_AT = 5


def candidates(source: Source) -> Iterator[SourceFile]:
    """The files that may hold rows, told without parsing them."""
    for file in source.files:
        if not source.is_folder or _may_hold_rows(file):
            yield file


def _may_hold_rows(file: SourceFile) -> bool:
    try:
        return _FIRST_KEY.match(file.head(_SNIFFED)) is not None
    except InputError:
        return False


def sample(file: SourceFile) -> list[Any]:
    """Some of what a file holds, to tell whether it is rows.

    Raises:
        InputError: The file cannot be read.
    """
    if not file.is_lines:
        return file.data[:_LOOKED_AT] if type(file.data) is list else [file.data]
    with open_file(file.path) as stream:
        line = stream.readline()
    try:
        return [json.loads(line)]
    except (ValueError, RecursionError):
        return []


def is_row(value: Any) -> bool:
    """Whether a value is a text with questions and answers."""
    return (
        type(value) is dict
        and all(key in value for key in _KEYS)
        and type(value["context"]) is str
        and type(value["questions"]) is list
    )


def rows_of(file: SourceFile, log: DefectLog) -> Iterator[tuple[int, Node]]:
    """The rows of a file, each with its number; what is no object is recorded as an error.

    Raises:
        InputError: The file cannot be read.
    """
    if file.is_lines:
        values = json_lines(file.path, log)
    elif type(file.data) is list:
        values = ((f"$[{number}]", value) for number, value in enumerate(file.data))
    else:
        values = iter([("$", file.data)])
    for number, (place, value) in enumerate(values):
        if type(value) is dict:
            yield number, Node(value, place, log)
        else:
            log.error("wrong_type", place, value, "an object with context and questions")
