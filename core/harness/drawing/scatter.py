"""Scatter plots: numbered points, the Pareto front through them, and the table of the numbers."""

import math
from collections.abc import Sequence
from itertools import pairwise

from mnemoscope.core.harness.drawing.axis import Axis
from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing, Point
from mnemoscope.core.harness.drawing.grids import draw_grid, grid_size
from mnemoscope.core.harness.drawing.legend import draw_legend
from mnemoscope.core.harness.drawing.look import Look
from mnemoscope.core.harness.drawing.palette import AXIS, FAINT, INK, PAPER, QUIET
from mnemoscope.core.harness.drawing.sheet import (
    MARGIN,
    draw_head,
    draw_notes,
    draw_summaries,
)
from mnemoscope.core.harness.exhibit import Exhibit, Grid, Shown

__all__ = ["draw_scatter"]

HEIGHT = 520
SIZE = 12
DOT = 5.0


def draw_scatter(exhibit: Exhibit, look: Look) -> Drawing:
    """Draw the points on the left and their table on the right."""
    canvas = Canvas()
    grid, *summaries = exhibit.grids
    top = draw_head(canvas, exhibit, look.accent)
    if look.groups:
        end = draw_legend(
            canvas, look.groups, look.colours, (MARGIN, top - 4), title=grid.headings[2]
        )
        canvas.line([(end + 6, top + 3), (end + 32, top + 3)], INK, 1.6)
        canvas.text((end + 39, top - 4), "Pareto front", SIZE)
        top += 26
    wide = grid_size(canvas, grid, SIZE)[0]
    table = canvas.width - MARGIN - wide
    low = draw_grid(canvas, grid, (table, top), look.accent, size=SIZE)
    bottom = max(top + HEIGHT, low)
    _plot(canvas, grid, look, (MARGIN + 54, top + 24, table - 24, bottom - 46))
    bottom = draw_summaries(canvas, summaries, bottom + 16, look.accent)
    return canvas.drawing(draw_notes(canvas, exhibit.notes, bottom))


def _plot(canvas: Canvas, grid: Grid, look: Look, frame: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = frame
    first = len(grid.headings) - 3
    rows = [row for row in grid.rows if all(_is_number(one) for one in row[first:-1])]
    across = Axis.over([_number(row[first]) for row in rows], 7)
    up = Axis.over([_number(row[first + 1]) for row in rows], 9)
    for value, text in across.ticks:
        x = across.place(value, left, right)
        canvas.line([(x, top), (x, bottom)], FAINT)
        canvas.text((x, bottom + 7), text, SIZE, anchor="middle", colour=QUIET)
    for value, text in up.ticks:
        y = up.place(value, bottom, top)
        canvas.line([(left, y), (right, y)], FAINT)
        canvas.text((left - 8, y - 7), text, SIZE, anchor="right", colour=QUIET)
    canvas.line([(left, top), (left, bottom)], AXIS, 1.4)
    canvas.line([(left, bottom), (right, bottom)], AXIS, 1.4)
    canvas.text(
        ((left + right) / 2, bottom + 26), grid.headings[first], 13, anchor="middle", bold=True
    )
    canvas.text((left - 54, top - 24), grid.headings[first + 1], 13, bold=True)
    points = [
        (
            across.place(_number(row[first]), left, right),
            up.place(_number(row[first + 1]), bottom, top),
        )
        for row in rows
    ]
    front = sorted(point for point, row in zip(points, rows, strict=True) if row[-1].text)
    if len(front) > 1:
        canvas.line(front, INK, 1.6)
    for point, row in zip(points, rows, strict=True):
        colour = look.colours.get(row[2].text, look.accent)
        canvas.disc(point, DOT, fill=colour, line=PAPER)
    texts = [row[0].text for row in rows]
    _number_points(canvas, points, texts, front, (left, top, right, bottom))


def _number_points(
    canvas: Canvas,
    points: Sequence[Point],
    texts: Sequence[str],
    front: Sequence[Point],
    frame: tuple[float, float, float, float],
) -> None:
    """Put each number beside its point where it covers nothing, with a line to it when far."""
    covered = [*points, *(one for ends in pairwise(front) for one in _along(*ends))]
    taken = [(x - DOT - 1, y - DOT - 1, x + DOT + 1, y + DOT + 1) for x, y in covered]
    for point, text in zip(points, texts, strict=True):
        width = canvas.measure(text, 11.5, bold=True)
        box = _free_place(point, (width, 13), taken, frame)
        taken.append(box)
        middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        away = math.dist(middle, point)
        if away > 20:
            share = (away - 9) / away
            end = (middle[0] - point[0]) * share, (middle[1] - point[1]) * share
            canvas.line([point, (point[0] + end[0], point[1] + end[1])], AXIS)
        canvas.text((box[0], box[1]), text, 11.5, bold=True)


def _along(start: Point, end: Point) -> list[Point]:
    """Points on a line, close enough that nothing fits between them."""
    count = int(math.dist(start, end) // DOT) + 1
    steps = (end[0] - start[0]) / count, (end[1] - start[1]) / count
    return [(start[0] + at * steps[0], start[1] + at * steps[1]) for at in range(1, count)]


_ANGLES = (-45, 45, 135, -135, 0, 180, -90, 90, -20, 20, 160, -160, -70, 70)


def _free_place(
    point: Point,
    size: tuple[float, float],
    taken: Sequence[tuple[float, float, float, float]],
    frame: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    (x, y), (width, height) = point, size
    found = None
    for reach in range(13, 120, 5):
        for angle in _ANGLES:
            turn = math.radians(angle)
            left = x + reach * math.cos(turn) - width / 2
            upper = y + reach * math.sin(turn) - height / 2
            box = (left, upper, left + width, upper + height)
            inside = box[0] > frame[0] and box[2] < frame[2] and box[1] > frame[1] - 20
            if inside and box[3] < frame[3] and not any(_overlap(box, one) for one in taken):
                return box
            found = found or box
    assert found is not None
    return found


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_number(one: Shown) -> bool:
    return isinstance(one.content, int | float)


def _number(one: Shown) -> float:
    assert isinstance(one.content, int | float)
    return float(one.content)
