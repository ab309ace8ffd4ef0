"""Markers of points: shapes that tell lines apart without colour."""

import math

from mnemoscope.core.harness.drawing.canvas import Canvas, Point
from mnemoscope.core.harness.drawing.palette import LINES, PAPER

__all__ = ["draw_key", "draw_marker", "style_of"]

_SHAPES = ("disc", "box", "triangle", "diamond", "drop")
_CORNERS = {"box": (4, 45.0), "triangle": (3, -90.0), "diamond": (4, 0.0), "drop": (3, 90.0)}
"""How many corners a shape has, and the angle of the first."""


def style_of(number: int) -> tuple[str, str]:
    """The colour and the shape of the line of a number, from 0."""
    return LINES[number % len(LINES)], _SHAPES[number % len(_SHAPES)]


def draw_marker(canvas: Canvas, at: Point, colour: str, shape: str, size: float = 4.2) -> None:
    """Draw a marker with its centre at a point."""
    if shape == "disc":
        canvas.disc(at, size, fill=colour, line=PAPER)
        return
    corners, first = _CORNERS[shape]
    angles = (math.radians(first + 360 / corners * one) for one in range(corners))
    reach = size * 1.3
    points = [(at[0] + reach * math.cos(one), at[1] + reach * math.sin(one)) for one in angles]
    canvas.polygon(points, fill=colour, line=PAPER)


def draw_key(canvas: Canvas, at: Point, number: int) -> None:
    """Draw the sample of a line, 26 wide, around its middle height."""
    colour, shape = style_of(number)
    canvas.line([at, (at[0] + 26, at[1])], colour, 2)
    draw_marker(canvas, (at[0] + 13, at[1]), colour, shape)
