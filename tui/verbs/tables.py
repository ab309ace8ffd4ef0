"""Plain output: tables aligned by cells, blocks of text, numbers that carry their n.

Everything goes through here as text from data: cells are cleaned before they are measured. On a
terminal text columns give way until a table fits; numbers are never cut.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.text import clean, one_line
from mnemoscope.tui import console
from mnemoscope.viewers.cells import ELLIPSIS, cell_width, pad, wrap

__all__ = ["Json", "block", "counted", "line", "number", "p_value", "percent", "table"]

# Any: a JSON object.
Json = dict[str, Any]

_GAP = "  "
_LEAST = 8
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
    cells = [[one_line("" if cell is None else str(cell)) for cell in row] for row in rows]
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
    cut = False
    if limit is not None:
        cut = _fit(widths, flexible, [cell_width(head) for head in heads], limit - indent)
    for row in [heads, *cells]:
        pieces = [
            pad(text, size, "left" if is_text else "right")
            for text, size, is_text in zip(row, widths, flexible, strict=False)
        ]
        if cut:
            pieces.append(ELLIPSIS)
        yield (" " * indent + _GAP.join(pieces)).rstrip()


def _fit(widths: list[int], flexible: Sequence[bool], heads: Sequence[int], limit: int) -> bool:
    """Narrow columns of text, the widest first, then drop columns from the right.

    Returns:
        Whether columns were dropped.
    """

    def excess() -> int:
        return sum(widths) + len(_GAP) * (len(widths) - 1) - limit

    while excess() > 0:
        places = [
            at
            for at, is_text in enumerate(flexible[: len(widths)])
            if is_text and widths[at] > max(_LEAST, heads[at])
        ]
        if not places:
            break
        widths[max(places, key=lambda at: widths[at])] -= 1
    cut = False
    while excess() > 0 and len(widths) > 1:
        if not cut:
            limit -= len(_GAP) + 1
        cut = True
        widths.pop()
    return cut


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


def p_value(value: float | None) -> str:
    """A p-value to four digits."""
    if value is None:
        return "–"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name that are not zero, such as ``ok 5, unparsed 1``."""
    return ", ".join(f"{name} {n}" for name, n in counts.items() if n) or "none"
