"""Paths of a map: where the rows of a JSON file are, and where in a row a value is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mnemoscope.core.reading import step

__all__ = ["MISSING", "Row", "parse_rows", "rows_at", "value_at"]

MISSING: Any = object()
"""What stands where a path leads to nothing."""
_STEP = re.compile(r"\.?(?:(\*)|\[(\*|[0-9]{1,9})\]|\[\"([^\"]*)\"\]|([^.\[\]\"]+))")
_ROWS = "a path such as $, $.results[*] or $.*[*]"

Step = str | int | None
"""A key, an index, or None for everything there is."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file."""

    data: dict[str, Any]
    place: str
    """Its JSON path; of a table, as if it were a list of objects."""
    line: int | None = None
    """Its line, where rows are lines."""
    above: tuple[dict[str, Any], ...] = ()
    """The objects around it, the nearest first."""
    is_cells: bool = False
    """Whether it is a line of cells."""
    keys: tuple[str, ...] = ()
    """The keys that ``*`` in the path of the rows stood for, the nearest first."""

    def where(self, path: str) -> str:
        """Where a value stands, for messages."""
        if self.is_cells:
            return f"line {self.line} column {path!r}"
        inner = path if path[:1] in "^*" else f"{self.place}.{path}"
        return f"line {self.line} {inner}" if self.line is not None else inner


@lru_cache(maxsize=256)
def _steps(path: str) -> Sequence[Step]:
    """The steps of a path.

    Raises:
        ValueError: It is none.
    """
    steps: list[Step] = []
    place = 0
    while place < len(path):
        match = _STEP.match(path, place)
        if match is None or match.end() == place:
            raise ValueError(path)
        star, index, quoted, name = match.groups()
        if star or index == "*":
            steps.append(None)
        elif index is not None:
            steps.append(int(index))
        else:
            steps.append(quoted if quoted is not None else name)
        place = match.end()
    return steps


def parse_rows(path: str) -> Sequence[Step]:
    """The steps to the rows.

    Raises:
        ValueError: It is no such path; the text says what one looks like.
    """
    if not path.startswith("$"):
        raise ValueError(_ROWS)
    try:
        return _steps(path[1:])
    except ValueError:
        raise ValueError(_ROWS) from None


def rows_at(data: Any, path: str) -> Iterator[tuple[Any, Row]]:
    """Every value that the path of rows leads to, and a row for it if it is an object.

    A path that ends at a list stands for the list's elements.
    """
    yield from _walk(data, list(parse_rows(path)), "$", (), ())


def _walk(
    value: Any, steps: list[Step], place: str, above: tuple[Any, ...], keys: tuple[str, ...]
) -> Iterator[tuple[Any, Row]]:
    if not steps:
        if type(value) is list:
            for index, item in enumerate(value):
                yield item, _row(item, f"{place}[{index}]", above, keys)
        elif value is not MISSING:
            yield value, _row(value, place, above, keys)
        return
    first, *rest = steps
    around = (value, *above) if type(value) is dict else above
    if type(value) is dict:
        chosen = list(value) if first is None else [str(first)] if first in value else []
        for key in chosen:
            known = (key, *keys) if first is None else keys
            yield from _walk(value[key], rest, step(place, key), around, known)
    elif type(value) is list:
        for index in range(len(value)):
            if first is None or first == index:
                yield from _walk(value[index], rest, f"{place}[{index}]", around, keys)


def _row(value: Any, place: str, above: tuple[Any, ...], keys: tuple[str, ...]) -> Row:
    return Row(value if type(value) is dict else {}, place, None, above, keys=keys)


def value_at(row: Row, path: str) -> Any:
    """The value of a column, or at a path in a row; ``MISSING`` where there is none.

    A name that the row has as it is written comes before a path. With ``[*]`` the value is a list.
    """
    value = row.data.get(path, MISSING)
    if value is not MISSING or row.is_cells:
        return value
    if path.startswith("*"):
        nth = len(path) - len(path.lstrip("*")) - 1
        return row.keys[nth] if nth < len(row.keys) else MISSING
    levels = len(path) - len(path.lstrip("^"))
    value = row.data
    if levels:
        if levels > len(row.above):
            return MISSING
        value = row.above[levels - 1]
    try:
        steps = _steps(path[levels:])
    except ValueError:
        return MISSING
    return _follow(value, steps)


def _follow(value: Any, steps: Sequence[Step]) -> Any:
    for place, one in enumerate(steps):
        if one is None:
            if type(value) is not list:
                return MISSING
            inner = [_follow(item, steps[place + 1 :]) for item in value]
            return [None if item is MISSING else item for item in inner]
        value = _inner(value, one)
        if value is MISSING:
            return MISSING
    return value


def _inner(value: Any, one: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(one, MISSING)
    if isinstance(value, list) and isinstance(one, int) and one < len(value):
        return value[one]
    return MISSING
