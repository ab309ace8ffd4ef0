"""Tables: the grid of the entities over the whole sheet."""

from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing
from mnemoscope.core.harness.drawing.grids import draw_grid, grid_size
from mnemoscope.core.harness.drawing.look import Look
from mnemoscope.core.harness.drawing.sheet import (
    MARGIN,
    draw_head,
    draw_notes,
    draw_summaries,
)
from mnemoscope.core.harness.exhibit import Exhibit

__all__ = ["draw_table"]

SIZES = (13.0, 12.5, 12.0, 11.5, 11.0)
"""Sizes of letters, from the one that looks best to the least that is read with ease."""


def draw_table(exhibit: Exhibit, look: Look) -> Drawing:
    """Draw the entities as a table; the sheet grows where the smallest letters are too wide."""
    accent = look.accent
    grid, *summaries = exhibit.grids
    canvas = Canvas()
    room = canvas.width - 2 * MARGIN
    size = next(
        (one for one in SIZES if grid_size(canvas, grid, one, room)[0] <= room + 0.01), SIZES[-1]
    )
    wide = grid_size(canvas, grid, size, room)[0]
    if wide > room + 0.01:
        canvas = Canvas(wide + 2 * MARGIN)
    top = draw_head(canvas, exhibit, accent)
    room = canvas.width - 2 * MARGIN
    bottom = draw_grid(canvas, grid, (MARGIN, top), accent, size=size, width=room)
    bottom = draw_summaries(canvas, summaries, bottom + 16, accent)
    return canvas.drawing(draw_notes(canvas, exhibit.notes, bottom))
