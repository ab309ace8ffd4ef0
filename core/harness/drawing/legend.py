"""Legends of groups: a swatch and a name for each."""

from collections.abc import Mapping, Sequence

from mnemoscope.core.harness.drawing.canvas import Canvas
from mnemoscope.core.harness.drawing.palette import FAINT, QUIET

__all__ = ["draw_legend"]


def draw_legend(
    canvas: Canvas,
    groups: Sequence[str],
    colours: Mapping[str, str],
    at: tuple[float, float],
    *,
    title: str = "",
) -> float:
    """Draw a legend in one line; returns where it ends on the right."""
    x, y = at
    if title:
        x += canvas.text((x, y), title, 12, colour=QUIET, bold=True) + 12
    for group in groups:
        canvas.box((x, y + 1), (x + 12, y + 13), fill=colours[group], line=FAINT)
        x += 18 + canvas.text((x + 18, y), group, 12) + 18
    return x
