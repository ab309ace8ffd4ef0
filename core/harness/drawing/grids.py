"""Grids drawn as tables: measured columns, wrapped headings, zebra rows, aligned numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from mnemoscope.core.harness.drawing.canvas import Canvas
from mnemoscope.core.harness.drawing.palette import CHANGED, FAINT, INK, ZEBRA, lighter
from mnemoscope.core.harness.exhibit import Grid, Shown

__all__ = ["draw_grid", "grid_size", "letter"]

PAD = 6
LEADING = 1.7
"""The height of a row, as a share of the size of its letters."""


@dataclass(frozen=True, slots=True)
class _Layout:
    widths: list[float]
    headings: list[list[str]]
    numeric: list[bool]
    size: float

    @property
    def head(self) -> float:
        """The height of the headings."""
        return max(len(one) for one in self.headings) * self.size * 1.2 + 10

    @property
    def row(self) -> float:
        """The height of a row."""
        return round(self.size * LEADING)


def grid_size(canvas: Canvas, grid: Grid, size: float, width: float = 0) -> tuple[float, float]:
    """How wide and high a grid is drawn at a size of letters, stretched to a width or not."""
    layout = _layout(canvas, grid, size, width)
    return sum(layout.widths), layout.head + layout.row * len(grid.rows)


def draw_grid(
    canvas: Canvas,
    grid: Grid,
    at: tuple[float, float],
    accent: str,
    *,
    size: float,
    width: float = 0,
    gutter: float = 0,
) -> float:
    """Draw a grid.

    Args:
        canvas: What to draw on.
        grid: The grid.
        at: Its upper left corner.
        accent: The colour of the line under its headings.
        size: Of its letters.
        width: What it is stretched to, or pressed into by wrapped headings; 0 for neither.
        gutter: Room on the left of each row, for keys.

    Returns:
        Where it ends.
    """
    left, top = at
    layout = _layout(canvas, grid, size, width and width - gutter)
    right = left + gutter + sum(layout.widths)
    canvas.box((left, top), (right, top + layout.head), fill=lighter(accent, 0.86))
    y = top + layout.head
    canvas.line([(left, y), (right, y)], accent, 1.4)
    _headings(canvas, layout, (left + gutter, y))
    for nth, row in enumerate(grid.rows):
        if nth % 2:
            canvas.box((left, y), (right, y + layout.row), fill=ZEBRA)
        _row(canvas, layout, row, (left + gutter, y))
        y += layout.row
    canvas.line([(left, y), (right, y)], FAINT)
    return y


def _headings(canvas: Canvas, layout: _Layout, at: tuple[float, float]) -> None:
    x, bottom = at
    for lines, width, numeric in zip(layout.headings, layout.widths, layout.numeric, strict=True):
        for nth, line in enumerate(reversed(lines)):
            y = bottom - 5 - (nth + 1) * layout.size * 1.2
            if numeric:
                canvas.text((x + width - PAD, y), line, layout.size, anchor="right", bold=True)
            else:
                canvas.text((x + PAD, y), line, layout.size, bold=True)
        x += width


def _row(canvas: Canvas, layout: _Layout, row: Sequence[Shown], at: tuple[float, float]) -> None:
    x, top = at
    y = top + (layout.row - layout.size * 1.2) / 2
    for one, width, numeric in zip(row, layout.widths, layout.numeric, strict=True):
        letter(
            canvas, one, (x + width - PAD if numeric else x + PAD, y), layout.size, numeric=numeric
        )
        x += width


def letter(
    canvas: Canvas, one: Shown, at: tuple[float, float], size: float, *, numeric: bool = False
) -> float:
    """Letter a cell in its styling, marked when it is changed; returns its width."""
    return canvas.text(
        at,
        one.text,
        size,
        anchor="right" if numeric else "left",
        bold="bold" in one.cue,
        italic="italic" in one.cue,
        colour=CHANGED if one.changed else INK,
    )


def _layout(canvas: Canvas, grid: Grid, size: float, width: float) -> _Layout:
    cells = list(zip(*grid.rows, strict=True)) or [()] * len(grid.headings)
    numeric = [_is_numeric(one) for one in cells]
    least = [
        max((canvas.measure(one.text, size, bold=True) for one in column), default=0)
        for column in cells
    ]
    words = [
        max(canvas.measure(word, size, bold=True) for word in (heading.split() or [""]))
        for heading in grid.headings
    ]
    least = [max(one, word) + 2 * PAD for one, word in zip(least, words, strict=True)]
    spare = width - sum(least) if width else 0
    widths = [one + max(spare, 0) / len(least) for one in least]
    if not width:
        full = [canvas.measure(one, size, bold=True) + 2 * PAD for one in grid.headings]
        widths = [max(one, other) for one, other in zip(widths, full, strict=True)]
    headings = [
        canvas.wrapped(heading, size, room - 2 * PAD, bold=True) or [""]
        for heading, room in zip(grid.headings, widths, strict=True)
    ]
    return _Layout(widths, headings, numeric, size)


def _is_numeric(column: Sequence[Shown]) -> bool:
    held = [one.content for one in column if one.content is not None]
    return bool(held) and all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in held
    )
