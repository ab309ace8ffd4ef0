"""Line charts: a line for each entity, and under it the table of its points."""

from itertools import pairwise

from mnemoscope.core.harness.drawing.axis import Axis
from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing
from mnemoscope.core.harness.drawing.grids import draw_grid, grid_size
from mnemoscope.core.harness.drawing.look import Look
from mnemoscope.core.harness.drawing.markers import draw_key, draw_marker, style_of
from mnemoscope.core.harness.drawing.palette import AXIS, FAINT, INK, QUIET
from mnemoscope.core.harness.drawing.sheet import (
    MARGIN,
    draw_head,
    draw_notes,
    draw_summaries,
)
from mnemoscope.core.harness.exhibit import Exhibit, Grid

__all__ = ["draw_lines"]

HEIGHT = 430
GUTTER = 40


def draw_lines(exhibit: Exhibit, look: Look) -> Drawing:
    """Draw the lines above, and the table whose rows are their keys below."""
    canvas = Canvas()
    grid, *summaries = exhibit.grids
    top = draw_head(canvas, exhibit, look.accent)
    _plot(canvas, grid, (MARGIN + 52, top + 4, canvas.width - MARGIN - 20, top + HEIGHT))
    top += HEIGHT + 42
    size = 13
    room = canvas.width - 2 * MARGIN
    bottom = draw_grid(
        canvas, grid, (MARGIN, top), look.accent, size=size, width=room, gutter=GUTTER
    )
    high = grid_size(canvas, grid, size, room - GUTTER)[1]
    row = round(size * 1.7)
    first = top + high - row * len(grid.rows)
    for nth in range(len(grid.rows)):
        draw_key(canvas, (MARGIN + 8, first + row * (nth + 0.5)), nth)
    bottom = draw_summaries(canvas, summaries, bottom + 16, look.accent)
    return canvas.drawing(draw_notes(canvas, exhibit.notes, bottom))


def _plot(canvas: Canvas, grid: Grid, frame: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = frame
    numbers = [
        [one.content for one in row[1:] if isinstance(one.content, int | float)]
        for row in grid.rows
    ]
    axis = Axis.over([float(one) for row in numbers for one in row], 8)
    for value, text in axis.ticks:
        y = axis.place(value, bottom, top)
        canvas.line([(left, y), (right, y)], FAINT)
        canvas.text((left - 8, y - 7), text, 12, anchor="right", colour=QUIET)
    canvas.line([(left, top), (left, bottom)], AXIS)
    canvas.line([(left, bottom), (right, bottom)], AXIS)
    count = len(grid.headings) - 1
    places = [left + (right - left) * (nth + 0.5) / count for nth in range(count)]
    for x, heading in zip(places, grid.headings[1:], strict=True):
        canvas.line([(x, bottom), (x, bottom + 5)], AXIS)
        canvas.text((x, bottom + 9), heading, 12, anchor="middle", colour=INK)
    for nth, row in enumerate(grid.rows):
        colour, shape = style_of(nth)
        points = [
            (x, axis.place(one.content, bottom, top))
            if isinstance(one.content, int | float)
            else None
            for x, one in zip(places, row[1:], strict=True)
        ]
        for start, end in pairwise(points):
            if start and end:
                canvas.line([start, end], colour, 2)
        for point in points:
            if point:
                draw_marker(canvas, point, colour, shape)
