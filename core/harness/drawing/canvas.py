"""A canvas: shapes and texts in units of a sheet 1024 wide, and the PNG that they make.

The one module that draws with Pillow, which is imported when the first text is measured.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from mnemoscope.core.model.values import value

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

__all__ = ["Anchor", "Canvas", "Drawing", "Label", "Point"]

SCALE = 1.5
"""Pixels for each unit: a viewer that fits a sheet to 1024 pixels still gets whole strokes."""
SMOOTH = 2
"""Shapes are drawn this many times larger and averaged, which smooths slanted lines."""
BOLD = 0.032
"""The stroke that makes a text bold, as a share of its size; the typeface has one weight."""
SLANT = 0.2
"""How far an italic text leans, as a share of its height."""

Point = tuple[float, float]
Anchor = Literal["left", "middle", "right"]


@value
class Label:
    """A text on a drawing, with its box in units of the sheet."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn artifact."""

    png: bytes
    width: int
    """Of the picture in pixels."""
    height: int
    labels: tuple[Label, ...]
    """Every text on it, in the order in which they are drawn."""
    sheet: Point
    """The width and height of the sheet in its own units."""


@value
class _Text:
    at: Point
    text: str
    size: float
    bold: bool
    italic: bool
    colour: str


@value
class _Shape:
    points: tuple[Point, ...]
    fill: str | None
    line: str | None
    width: float
    kind: Literal["box", "line", "polygon", "disc"]


@lru_cache(maxsize=64)
def _font(pixels: float) -> "FreeTypeFont | ImageFont":
    from PIL import ImageFont

    return ImageFont.load_default(size=pixels)


class Canvas:
    """Collects what is drawn; the height is known last, and texts lie above shapes."""

    def __init__(self, width: float = 1024) -> None:
        self.width = width
        self._shapes: list[_Shape] = []
        self._texts: list[_Text] = []
        self.labels: list[Label] = []

    def measure(self, text: str, size: float, *, bold: bool = False) -> float:
        """The width of a text in units."""
        extra = BOLD * size * (len(text) + 1) if bold else 0
        return _font(size * SCALE).getlength(text) / SCALE + extra

    def wrapped(self, text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """A text in lines that are no wider than some room, unless a word is."""
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            # Room is often the sum of widths that were measured: a rounding must not break a line.
            if lines and self.measure(longer, size, bold=bold) <= room + 0.01:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def fitting(self, text: str, size: float, room: float, *, bold: bool = False) -> float:
        """The size of letters, down to half, at which a text is no wider than some room."""
        width = self.measure(text, size, bold=bold) + SLANT * size
        return max(size * min(room / width, 1), size / 2)

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        *,
        anchor: Anchor = "left",
        bold: bool = False,
        italic: bool = False,
        colour: str = "#1b1f24",
    ) -> float:
        """Letter a text in one line.

        Args:
            at: The left end, middle or right end of the line's upper edge.
            text: Of characters that the typeface has.
            size: Of the letters.
            anchor: Which of them.
            bold: Whether it is bold.
            italic: Whether it is italic.
            colour: As `#rrggbb`.

        Returns:
            Its width.
        """
        if not text:
            return 0
        width = self.measure(text, size, bold=bold)
        shift = {"left": 0.0, "middle": width / 2, "right": width}[anchor]
        left, top = at[0] - shift, at[1]
        lean = SLANT * size if italic else 0
        self._texts.append(_Text((left, top), text, size, bold, italic, colour))
        self.labels.append(Label(text, left, top, left + width + lean, top + size * 1.2, size))
        return width

    def box(
        self,
        corner: Point,
        other: Point,
        *,
        fill: str | None = None,
        line: str | None = None,
        width: float = 1,
    ) -> None:
        """Draw a rectangle; its edges fall on whole pixels."""
        (left, top), (right, bottom) = _snapped(corner), _snapped(other)
        points = ((left, top), (right, top), (right, bottom), (left, bottom))
        self._shapes.append(_Shape(points, fill, line, width, "box"))

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        """Draw a line; one along an axis falls on whole pixels."""
        ends = list(points)
        if len(ends) == 2 and (ends[0][0] == ends[1][0] or ends[0][1] == ends[1][1]):
            ends = [_snapped(one) for one in ends]
        self._shapes.append(_Shape(tuple(ends), None, colour, width, "line"))

    def dashes(self, start: Point, end: Point, colour: str, dash: float = 5) -> None:
        """Draw a dashed line along an axis."""
        (x, y), (to_x, to_y) = start, end
        length = max(abs(to_x - x), abs(to_y - y))
        at = 0.0
        while at < length:
            shares = at / length, min(at + dash, length) / length
            ends = [(x + (to_x - x) * one, y + (to_y - y) * one) for one in shares]
            self.line(ends, colour)
            at += 2 * dash

    def polygon(
        self, points: Sequence[Point], *, fill: str | None, line: str | None = None
    ) -> None:
        """Draw a closed shape."""
        self._shapes.append(_Shape(tuple(points), fill, line, 1, "polygon"))

    def disc(self, centre: Point, radius: float, *, fill: str, line: str | None = None) -> None:
        """Draw a circle."""
        (x, y), r = centre, radius
        corners = ((x - r, y - r), (x + r, y + r))
        self._shapes.append(_Shape(corners, fill, line, 1, "disc"))

    def drawing(self, height: float) -> Drawing:
        """The picture of all that was drawn, cut at a height."""
        from PIL import Image, ImageDraw

        size = round(self.width * SCALE), round(height * SCALE)
        large = Image.new("RGB", (size[0] * SMOOTH, size[1] * SMOOTH), "#ffffff")
        pen = ImageDraw.Draw(large)
        for shape in self._shapes:
            _draw(pen, shape)
        picture = large.reduce(SMOOTH)
        for text in self._texts:
            _letter(picture, text)
        data = io.BytesIO()
        picture.save(data, "PNG", compress_level=6)
        sheet = self.width, height
        return Drawing(data.getvalue(), *size, tuple(self.labels), sheet)


def _snapped(point: Point) -> Point:
    return round(point[0] * SCALE) / SCALE, round(point[1] * SCALE) / SCALE


def _draw(pen: "ImageDraw", shape: _Shape) -> None:
    factor = SCALE * SMOOTH
    points = [(x * factor, y * factor) for x, y in shape.points]
    width = max(round(shape.width * factor), 1)
    match shape.kind:
        case "disc":
            pen.ellipse([*points[0], *points[1]], shape.fill, shape.line, width)
        case "line":
            pen.line(points, shape.line, width, joint="curve")
        case "polygon" if shape.fill:
            pen.polygon(points, shape.fill)
        case "box" if shape.fill:
            # Pillow counts the last pixel in; the edge of a box is where the next one begins.
            (left, top), _, (right, bottom), _ = points
            pen.rectangle([left, top, max(right - 1, left), max(bottom - 1, top)], shape.fill)
    if shape.line and shape.kind in ("box", "polygon"):
        pen.line([*points, points[0], points[1]], shape.line, width, joint="curve")


def _letter(picture: "Image", text: _Text) -> None:
    from PIL import Image, ImageDraw

    x, y = text.at[0] * SCALE, text.at[1] * SCALE
    if not text.italic:
        _write(ImageDraw.Draw(picture), (x, y), text, text.colour)
        return
    left, top = int(x), int(y)
    tall = round(text.size * SCALE * 1.3)
    wide = round(_font(text.size * SCALE).getlength(text.text) * 1.1 + tall)
    mask = Image.new("L", (wide, tall), 0)
    _write(ImageDraw.Draw(mask), (x - left, y - top), text, 255)
    lean = mask.transform(
        mask.size,
        Image.Transform.AFFINE,
        (1, SLANT, -SLANT * tall, 0, 1, 0),
        Image.Resampling.BICUBIC,
    )
    picture.paste(text.colour, (left, top), lean)


def _write(pen: "ImageDraw", at: Point, text: _Text, ink: str | int) -> None:
    """Write a line; bold letters stand as much further apart as their strokes are wider."""
    font = _font(text.size * SCALE)
    if not text.bold:
        pen.text(at, text.text, ink, font)
        return
    stroke = text.size * SCALE * BOLD
    for nth, letter in enumerate(text.text):
        x = at[0] + font.getlength(text.text[:nth]) + stroke * (nth + 1)
        pen.text((x, at[1]), letter, ink, font, stroke_width=stroke, stroke_fill=ink)
