"""Bar charts: a horizontal bar and its value for each entity, one panel for each field."""

from mnemoscope.core.harness.drawing.axis import Axis
from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing
from mnemoscope.core.harness.drawing.grids import letter
from mnemoscope.core.harness.drawing.legend import draw_legend
from mnemoscope.core.harness.drawing.look import Look
from mnemoscope.core.harness.drawing.palette import AXIS, FAINT, QUIET, ZEBRA
from mnemoscope.core.harness.drawing.sheet import (
    MARGIN,
    draw_head,
    draw_notes,
    draw_summaries,
)
from mnemoscope.core.harness.exhibit import Exhibit, Grid, Shown

__all__ = ["draw_bars"]

ROW = 27
SIZE = 13


def draw_bars(exhibit: Exhibit, look: Look) -> Drawing:
    """Draw one or two panels that share the names of the entities."""
    canvas = Canvas()
    grid, *summaries = exhibit.grids
    top = draw_head(canvas, exhibit, look.accent)
    if look.groups:
        draw_legend(canvas, look.groups, look.colours, (MARGIN, top - 4), title=grid.headings[1])
        top += 24
    first = 2 if look.groups else 1
    names = max((canvas.measure(row[0].text, SIZE, bold=True) for row in grid.rows), default=0)
    left = MARGIN + names + 14
    bottom = top + 26 + ROW * len(grid.rows)
    for nth, row in enumerate(grid.rows):
        y = top + 26 + ROW * nth
        if nth % 2:
            canvas.box((MARGIN, y), (canvas.width - MARGIN, y + ROW), fill=ZEBRA)
        letter(canvas, row[0], (left - 10, y + 6), SIZE, numeric=True)
    panels = len(grid.headings) - first
    width = (canvas.width - MARGIN - left) / panels
    for nth in range(panels):
        x = left + width * nth
        _panel(canvas, grid, first + nth, look, (x, top, x + width, bottom))
    bottom = draw_summaries(canvas, summaries, bottom + 44, look.accent)
    return canvas.drawing(draw_notes(canvas, exhibit.notes, bottom))


def _panel(
    canvas: Canvas,
    grid: Grid,
    column: int,
    look: Look,
    frame: tuple[float, float, float, float],
) -> None:
    left, top, right, bottom = frame
    values = [row[column] for row in grid.rows]
    digits = max((canvas.measure(one.text, SIZE, bold=True) for one in values), default=0)
    end = right - digits - 22
    axis = Axis.over([float(_number(one)) for one in values], 6, zero=True)
    start = top + 26
    canvas.text((left, top), grid.headings[column], SIZE, bold=True)
    for value, text in axis.ticks:
        x = axis.place(value, left, end)
        canvas.line([(x, start), (x, bottom)], FAINT)
        canvas.line([(x, bottom), (x, bottom + 4)], AXIS)
        canvas.text((x, bottom + 6), text, 11, anchor="middle", colour=QUIET)
    zero = axis.place(0, left, end)
    for nth, one in enumerate(values):
        y = start + ROW * nth
        if one.content is not None:
            x = axis.place(_number(one), left, end)
            colour = look.colours.get(grid.rows[nth][1].text, look.accent)
            canvas.box((min(zero, x), y + 6), (max(zero, x), y + ROW - 6), fill=colour)
        else:
            x = zero
        letter(canvas, one, (max(zero, x) + 6, y + 6), SIZE)
    canvas.line([(zero, start), (zero, bottom)], AXIS, 1.4)


def _number(one: Shown) -> int | float:
    return one.content if isinstance(one.content, int | float) else 0
