"""Sheets: the head that names an artifact, and the panels of summaries and notes under it."""

from collections.abc import Sequence

from mnemoscope.core.harness.drawing.canvas import Canvas
from mnemoscope.core.harness.drawing.grids import draw_grid, grid_size
from mnemoscope.core.harness.drawing.palette import FAINT, INK, PAPER, QUIET, ZEBRA, lighter
from mnemoscope.core.harness.exhibit import Exhibit, Grid, Shown

__all__ = ["MARGIN", "draw_head", "draw_notes", "draw_summaries"]

MARGIN = 24
HEAD = 66
TOTALS = "Totals"


def draw_head(canvas: Canvas, exhibit: Exhibit, accent: str) -> float:
    """Draw title, context, revision and date; returns where the rest begins."""
    canvas.box((0, 0), (canvas.width, HEAD), fill=accent)
    right = canvas.width - MARGIN
    canvas.text((MARGIN, 11), exhibit.title, 22, bold=True, colour=PAPER)
    pale = lighter(accent, 0.82)
    canvas.text((MARGIN, 41), exhibit.context, 13, colour=pale)
    canvas.text(
        (right, 13), f"Revision {exhibit.revision:02}", 16, anchor="right", bold=True, colour=PAPER
    )
    canvas.text((right, 41), exhibit.date, 13, anchor="right", colour=pale)
    return HEAD + 18


def draw_summaries(canvas: Canvas, grids: Sequence[Grid], top: float, accent: str) -> float:
    """Draw totals as a strip, and the other summaries side by side; returns where they end."""
    left: float = MARGIN
    bottom = top
    for grid in grids:
        if grid.headings[0] != "No." and len(grid.rows) == 1 and grid.title == TOTALS:
            top = bottom = _strip(canvas, grid, top, accent)
    for grid in grids:
        if grid.title == TOTALS and len(grid.rows) == 1:
            continue
        if grid.headings[0] == "No.":
            low = _queue(canvas, grid, (left, top), accent)
        else:
            low = _small_table(canvas, grid, (left, top), accent)
            left += grid_size(canvas, grid, 12)[0] + MARGIN
        bottom = max(bottom, low + 14)
    return bottom


def _strip(canvas: Canvas, grid: Grid, top: float, accent: str) -> float:
    """Key figures: a small heading above each value."""
    count = len(grid.headings)
    rows = 1 if count <= 6 else 2
    each = -(-count // rows)
    width = (canvas.width - 2 * MARGIN + 6) / each
    for at, (heading, one) in enumerate(zip(grid.headings, grid.rows[0], strict=True)):
        left = MARGIN + width * (at % each)
        y = top + 46 * (at // each)
        canvas.box((left, y), (left + width - 6, y + 40), fill=ZEBRA)
        canvas.box((left, y), (left + 3, y + 40), fill=accent)
        canvas.text((left + 10, y + 4), heading, 11, colour=QUIET)
        canvas.text((left + 10, y + 19), one.text, 15, bold=True, colour=INK)
    return top + 46 * rows + 10


def _small_table(canvas: Canvas, grid: Grid, at: tuple[float, float], accent: str) -> float:
    canvas.text(at, grid.title, 13, bold=True, colour=accent)
    return draw_grid(canvas, grid, (at[0], at[1] + 20), accent, size=12)


def _queue(canvas: Canvas, grid: Grid, at: tuple[float, float], accent: str) -> float:
    """A numbered list in as many columns as there is room for."""
    (left, top), size = at, 12
    canvas.text((left, top), grid.title, 13, bold=True, colour=accent)
    if not grid.rows:
        return top + 20
    widest = max(canvas.measure(row[1].text, size) for row in grid.rows) + 44
    columns = max(int((canvas.width - MARGIN - left) // widest), 1)
    deep = -(-len(grid.rows) // columns)
    y = top + 24
    for nth, (number, name) in enumerate(grid.rows):
        x, line = left + widest * (nth // deep), y + 19 * (nth % deep)
        canvas.text((x + 18, line), number.text, size, anchor="right", colour=QUIET)
        canvas.text((x + 25, line), name.text, size)
    return y + 19 * deep


def draw_notes(canvas: Canvas, notes: Sequence[Shown], top: float) -> float:
    """Draw the lines under everything else; returns the height of the sheet."""
    if not notes:
        return top + 6
    canvas.line([(MARGIN, top), (canvas.width - MARGIN, top)], FAINT)
    y = top + 9
    for note in notes:
        for line in canvas.wrapped(note.text, 12, canvas.width - 2 * MARGIN):
            canvas.text((MARGIN, y), line, 12, colour=QUIET)
            y += 17
    return y + 10
