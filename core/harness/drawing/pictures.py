"""Pictures that have nothing to do with the task: small notices."""

from mnemoscope.core.harness.drawing.canvas import Canvas, Drawing
from mnemoscope.core.harness.drawing.grids import draw_grid
from mnemoscope.core.harness.drawing.palette import FAINT, INK, QUIET
from mnemoscope.core.harness.exhibit import Exhibit

__all__ = ["draw_picture"]

ACCENT = "#7a5c2e"


def draw_picture(exhibit: Exhibit) -> Drawing:
    """Draw a notice on a card."""
    canvas = Canvas(720)
    canvas.text((40, 34), exhibit.title, 24, bold=True, colour=INK)
    canvas.text((40, 68), exhibit.date, 13, colour=QUIET)
    bottom = draw_grid(canvas, exhibit.grids[0], (40, 104), ACCENT, size=16, width=640) + 36
    canvas.box((14, 14), (706, bottom - 8), line=FAINT, width=2)
    return canvas.drawing(bottom + 6)
