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
    width: int = 0,
    repeat: int = 1,
    least: int = 0,
) -> Iterator[Paragraph]:
    """Lay a table out.

    Args:
        headers: Column titles; a table whose titles are all empty has no header line.
        rows: The rows.
        palette: The colours.
        align: A letter for each column: l, r or c; left where nothing is said.
        widest: The most cells of each column; unlimited where nothing or 0 is said.
        indent: Cells left of the table.
        width: The cells there are. Columns that do not fit go into a further table below, so that
            no figure is out of reach; 0 never splits.
        repeat: How many leading columns every further table repeats.
        least: To how many cells the first column gives way before others go into a further table;
            0 keeps it.
    """
    cells = [[_text(cell) for cell in row.cells] for row in rows]
    widths = []
    for column, header in enumerate(headers):
        needed = max([cell_width(header), *(line[column].cell_len for line in cells)])
        limit = widest[column] if column < len(widest) else 0
        widths.append(min(needed, limit) if limit else needed)
    if width and least:
        over = sum(widths) + GAP * (len(widths) - 1) - (width - indent)
        widths[0] = max(min(widths[0], least), widths[0] - max(0, over))
    sides = [_SIDES[letter] for letter in align.ljust(len(headers), "l")]
    titles = [styled(header, style("dim", palette)) for header in headers]
    for part, columns in enumerate(_parts(widths, width - indent if width else 0, repeat)):
        if part:
            yield Paragraph(Text(""))
        if any(headers):
            line = _line(titles, widths, sides, columns)
            yield Paragraph(line, indent=indent, wrap=False)
        for row, texts in zip(rows, cells, strict=True):
            # Only the first table has stops: one row is one place to stand on.
            target = None if part else row.target
            line = _line(texts, widths, sides, columns)
            yield Paragraph(line, indent=indent, target=target, wrap=False)


def _parts(widths: Sequence[int], width: int, repeat: int) -> list[list[int]]:
    """The columns of each table, as many to a table as fit."""
    leading = list(range(min(repeat, len(widths))))
    parts = [list(leading)]
    for column in range(len(leading), len(widths)):
        wanted = [*parts[-1], column]
        taken = sum(widths[one] for one in wanted) + GAP * (len(wanted) - 1)
        if width and taken > width and len(parts[-1]) > len(leading):
            parts.append([*leading, column])
        else:
            parts[-1].append(column)
    return parts


def _text(cell: Text | str) -> Text:
    return cell if isinstance(cell, Text) else Text(one_line(cell))


def _line(
    cells: Sequence[Text], widths: Sequence[int], sides: Sequence[Align], columns: Sequence[int]
) -> Text:
    line = Text(no_wrap=True, end="")
    for place, column in enumerate(columns):
        if place:
            line.append(" " * GAP)
        line.append_text(fit(cells[column], widths[column], sides[column], middle=True))
    return line
