"""Plain output: tables aligned by cells, blocks of text, numbers that carry their n.

Everything goes through here as text from data: cells are cleaned before they are measured. On a
terminal text columns give way until a table fits; numbers are never cut.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.text import clean, one_line
from mnemoscope.tui import console
from mnemoscope.viewers.cells import ELLIPSIS, cell_width, pad, wrap

__all__ = [
    "Json",
    "block",
    "counted",
    "line",
    "number",
    "p_value",
    "percent",
    "signed_number",
    "table",
]

# Any: a JSON object.
Json = dict[str, Any]

_GAP = "  "
_MARK = len(_GAP) + 1
"""The cells that the sign for dropped columns takes."""
_LEAST = 8
_LONGEST = 10_000
_HANG = 2
_TEXT = "<"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, indent: int = 0
) -> Iterator[str]:
    """Lines of a table.

    Args:
        columns: Headings. One that starts with ``<`` heads a column of text, set left and cut on
            a narrow terminal; any other heads a column of numbers, set right and never cut.
        rows: The cells; None is an empty one. A column of text with nothing in it is left out.
        indent: How far in the table stands.
    """
    cells = [[_cell(cell) for cell in row] for row in rows]
    kept = [
        at
        for at, column in enumerate(columns)
        if not column.startswith(_TEXT) or any(row[at] for row in cells)
    ]
    heads = [columns[at].removeprefix(_TEXT) for at in kept]
    flexible = [columns[at].startswith(_TEXT) for at in kept]
    cells = [[row[at] for at in kept] for row in cells]
    widths = [max(map(cell_width, column)) for column in zip(heads, *cells, strict=True)]
    limit = console.width()
    places = list(range(len(heads)))
    if limit is not None:
        least = [max(_LEAST, cell_width(head)) for head in heads]
        floors = [
            min(size, floor) if is_text else size
            for size, floor, is_text in zip(widths, least, flexible, strict=True)
        ]
        places = _fitting(floors, flexible, limit - indent)
        cut = len(places) < len(heads)
        widths = _narrowed(widths, floors, places, limit - indent - (_MARK if cut else 0))
    for row in [heads, *cells]:
        pieces = [pad(row[at], widths[at], "left" if flexible[at] else "right") for at in places]
        if len(places) < len(heads):
            pieces.append(ELLIPSIS)
        yield (" " * indent + _GAP.join(pieces)).rstrip()


def _cell(value: object) -> str:
    text = "" if value is None else one_line(str(value))
    # Every row is as wide as the widest: one name of megabytes would make them all so.
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}{ELLIPSIS}"


def _fitting(floors: Sequence[int], flexible: Sequence[bool], limit: int) -> list[int]:
    """The places of the columns that a line can hold when each is as narrow as it may be.

    Columns are dropped from the right: those of text before any number, and the first two, which
    say what a row is about, last.
    """
    places = list(range(len(floors)))
    droppable = sorted(places[1:], key=lambda at: (at > 1, flexible[at], at))
    room = limit
    while droppable and _total(floors, places) > room:
        places.remove(droppable.pop())
        room = limit - _MARK
    return places


def _narrowed(
    widths: Sequence[int], floors: Sequence[int], places: Sequence[int], limit: int
) -> list[int]:
    """The widths, the widest columns made narrower until those that are shown fit."""
    narrowed = list(widths)
    while _total(narrowed, places) > limit:
        wide = [at for at in places if narrowed[at] > floors[at]]
        if not wide:
            break
        narrowed[max(wide, key=narrowed.__getitem__)] -= 1
    return narrowed


def _total(widths: Sequence[int], places: Sequence[int]) -> int:
    return sum(widths[at] for at in places) + len(_GAP) * (len(places) - 1)


def line(text: str, *, indent: int = 0) -> Iterator[str]:
    """Text from data on one line; on a terminal wrapped, so that no number in it is cut."""
    limit = console.width()
    text = clean(text, keep_newlines=False)
    pieces = [text] if limit is None else wrap(text, max(_LEAST, limit - indent - _HANG))
    for number, piece in enumerate(pieces):
        yield " " * (indent + _HANG if number else indent) + piece


def block(text: str, *, indent: int = 2) -> Iterator[str]:
    """The lines of a text from data, set in so that none of them can pass for ours."""
    limit = console.width()
    lines = clean(text).split("\n") if text else []
    for one in lines:
        for piece in wrap(one, max(_LEAST, limit - indent)) if limit is not None else [one]:
            yield " " * indent + piece


def percent(value: float | None, absent: str = "–") -> str:
    """A fraction in per cent to one digit."""
    return absent if value is None else f"{100 * value:.1f} %"


def number(value: float | None, digits: int = 4, absent: str = "–") -> str:
    """A number to some digits."""
    return absent if value is None else f"{value:.{digits}f}"


def signed_number(value: float | None, digits: int = 4, absent: str = "–") -> str:
    """A difference with its sign, a true minus for a negative one."""
    return absent if value is None else f"{value:+.{digits}f}".replace("-", "−")


def p_value(value: float | None) -> str:
    """A p-value to four digits."""
    if value is None:
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name that are not zero, such as ``ok 5, unparsed 1``."""
    return ", ".join(f"{name} {n}" for name, n in counts.items() if n) or "none"
