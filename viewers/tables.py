"""Small tables as blocks of a page: every column as wide as its widest cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.viewers.cells import Align, cell_width
from mnemoscope.viewers.columns import GAP, fit
from mnemoscope.viewers.page_blocks import Paragraph, Target
from mnemoscope.viewers.styles import Palette, style, styled

__all__ = ["Row", "table"]

_SIDES: dict[str, Align] = {"l": "left", "r": "right", "c": "center"}


@dataclass(frozen=True, slots=True)
class Row:
    """One row; its target is what opening it means."""

    cells: Sequence[Text | str]
    target: Target | None = None


def table(
    headers: Sequence[str],
    rows: Sequence[Row],
    palette: Palette,
    *,
    align: str = "",
    widest: Sequence[int] = (),
    indent: int = 0,
) -> Iterator[Paragraph]:
    """Lay a table out.

    Args:
        headers: Column titles; a table whose titles are all empty has no header line.
        rows: The rows.
        palette: The colours.
        align: A letter for each column: l, r or c; left where nothing is said.
        widest: The most cells of each column; unlimited where nothing or 0 is said.
        indent: Cells left of the table.
    """
    cells = [[_text(cell) for cell in row.cells] for row in rows]
    widths = []
    for column, header in enumerate(headers):
        width = max([cell_width(header), *(line[column].cell_len for line in cells)])
        limit = widest[column] if column < len(widest) else 0
        widths.append(min(width, limit) if limit else width)
    sides = [_SIDES[letter] for letter in align.ljust(len(headers), "l")]
    if any(headers):
        titles = [styled(header, style("dim", palette)) for header in headers]
        yield Paragraph(_line(titles, widths, sides), indent=indent, wrap=False)
    for row, line in zip(rows, cells, strict=True):
        yield Paragraph(_line(line, widths, sides), indent=indent, target=row.target, wrap=False)


def _text(cell: Text | str) -> Text:
    return cell if isinstance(cell, Text) else Text(one_line(cell))


def _line(cells: Sequence[Text], widths: Sequence[int], sides: Sequence[Align]) -> Text:
    line = Text(no_wrap=True, end="")
    for column, (cell, width, side) in enumerate(zip(cells, widths, sides, strict=True)):
        if column:
            line.append(" " * GAP)
        line.append_text(fit(cell, width, side))
    return line
