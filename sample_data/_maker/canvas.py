"""The canvas: flat shapes at a movable origin, drawn large and scaled down to a small PNG.

All drawings use a page of 480 × 360 units. A `Pen` draws relative to its own origin and scale, so
one thing can stand at any place in any size: `lamp(page.at(120, 240, 1.3))`.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 480, 360
FINE = 3
"""Pixels per unit while drawing; the page is scaled down at the end."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Pen:
    """Draws on a page from an origin and at a scale."""

    image: Image.Image
    x: float = 0.0
    y: float = 0.0
    k: float = 1.0

    def at(self, x: float, y: float, k: float = 1.0) -> Pen:
        """A pen whose origin is at (x, y) of this one and that draws `k` times as large."""
        return Pen(self.image, self.x + x * self.k, self.y + y * self.k, self.k * k)

    def mirrored(self) -> Mirror:
        """A pen that draws left as right."""
        return Mirror(self.image, self.x, self.y, self.k)

    def spot(self, x: float, y: float) -> Point:
        """Where a local point lies on the large page."""
        return ((self.x + x * self.k) * FINE, (self.y + y * self.k) * FINE)

    def corners(self, x0: float, y0: float, x1: float, y1: float) -> list[Point]:
        """The upper left and lower right corner of a local rectangle on the large page."""
        (a, b), (c, d) = self.spot(x0, y0), self.spot(x1, y1)
        return [(min(a, c), min(b, d)), (max(a, c), max(b, d))]

    def wide(self, width: float) -> int:
        """A line width on the large page."""
        return max(1, round(width * self.k * FINE))

    @property
    def ink(self) -> ImageDraw.ImageDraw:
        """Pillow's drawing surface of the page."""
        return ImageDraw.Draw(self.image)

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: str, round_by: float = 0
    ) -> None:
        """A rectangle, with round corners if asked."""
        place = self.corners(x0, y0, x1, y1)
        if round_by:
            self.ink.rounded_rectangle(place, radius=round_by * self.k * FINE, fill=fill)
        else:
            self.ink.rectangle(place, fill=fill)

    def oval(self, cx: float, cy: float, rx: float, ry: float, fill: str) -> None:
        """An ellipse by centre and radii."""
        self.ink.ellipse(self.corners(cx - rx, cy - ry, cx + rx, cy + ry), fill=fill)

    def ring(self, cx: float, cy: float, rx: float, ry: float, fill: str, width: float) -> None:
        """The outline of an ellipse."""
        place = self.corners(cx - rx, cy - ry, cx + rx, cy + ry)
        self.ink.ellipse(place, outline=fill, width=self.wide(width))

    def bowl(self, cx: float, cy: float, rx: float, ry: float, fill: str) -> None:
        """The lower half of an ellipse."""
        self.ink.chord(self.corners(cx - rx, cy - ry, cx + rx, cy + ry), 0, 180, fill=fill)

    def dome(self, cx: float, cy: float, rx: float, ry: float, fill: str) -> None:
        """The upper half of an ellipse."""
        self.ink.chord(self.corners(cx - rx, cy - ry, cx + rx, cy + ry), 180, 360, fill=fill)

    def poly(self, fill: str, *points: Point) -> None:
        """A filled polygon."""
        self.ink.polygon([self.spot(x, y) for x, y in points], fill=fill)

    def line(self, fill: str, width: float, *points: Point) -> None:
        """A line with round ends through the points."""
        spots = [self.spot(x, y) for x, y in points]
        wide = self.wide(width)
        self.ink.line(spots, fill=fill, width=wide, joint="curve")
        for a, b in (spots[0], spots[-1]):
            r = wide / 2
            self.ink.ellipse([(a - r, b - r), (a + r, b + r)], fill=fill)

    def curve(self, fill: str, width: float, start: Point, bend: Point, end: Point) -> None:
        """A line from start to end, drawn towards `bend` on its way."""
        self.line(fill, width, *bezier(start, bend, end))

    def fade(
        self, x0: float, y0: float, x1: float, y1: float, top: str, bottom: str, steps: int = 16
    ) -> None:
        """A rectangle in `steps` bands from one colour to another."""
        for i in range(steps):
            a, b = y0 + (y1 - y0) * i / steps, y0 + (y1 - y0) * (i + 1) / steps
            self.box(x0, a, x1, b, blend(top, bottom, i / max(1, steps - 1)))

    def glow(self, cx: float, cy: float, r: float, colour: str, strength: float = 0.5) -> None:
        """Light that weakens with distance, laid over what is there."""
        mask = Image.new("L", self.image.size, 0)
        light = ImageDraw.Draw(mask)
        steps = 28
        for i in range(steps):
            q = r * (1 - i / steps)
            level = round(255 * strength * ((i + 1) / steps) ** 1.4)
            light.ellipse(self.corners(cx - q, cy - q, cx + q, cy + q), fill=level)
        self.image.paste(Image.new("RGB", self.image.size, colour), (0, 0), mask)

    def steam(self, cx: float, top: float, bottom: float, fill: str = "#ffffff") -> None:
        """Three wavering threads of steam between two heights."""
        for i, dx in enumerate((-14, 0, 14)):
            low = bottom - 4 * (i % 2)
            high = top + 8 * (i % 2)
            span = low - high
            path = [
                (cx + dx + 4 * math.sin(2.2 * math.pi * t / 12), low - span * t / 12)
                for t in range(13)
            ]
            self.line(fill, 2.4, *path)

    def mist(self, cx: float, cy: float, fill: str = "#f4fafa") -> None:
        """A low bank of steam over water."""
        for i in range(4):
            self.line(fill, 3, (cx - 34 + 9 * i, cy - 9 * i), (cx + 22 + 7 * i, cy - 9 * i))


class Mirror(Pen):
    """A pen that draws left as right."""

    def at(self, x: float, y: float, k: float = 1.0) -> Pen:
        """A mirrored pen elsewhere."""
        return Mirror(self.image, self.x - x * self.k, self.y + y * self.k, self.k * k)

    def spot(self, x: float, y: float) -> Point:
        """Where a local point lies on the large page."""
        return super().spot(-x, y)


def bezier(start: Point, bend: Point, end: Point) -> Iterator[Point]:
    """Thirteen points of a quadratic curve."""
    for i in range(13):
        t = i / 12
        yield (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * bend[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * bend[1] + t * t * end[1],
        )


def blend(one: str, other: str, share: float) -> str:
    """A colour between two hex colours."""
    pairs = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def blank(colour: str = "#f4efe6") -> Pen:
    """A pen on an empty page."""
    return Pen(Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), colour))


def as_png(page: Pen, width: int, colours: int = 128) -> bytes:
    """The page scaled to `width` pixels, with few colours, as PNG bytes."""
    size = (width, width * HEIGHT // WIDTH)
    small = page.image.resize(size, Image.Resampling.BOX)
    few = small.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    few.save(buffer, format="PNG", optimize=True, compress_level=9)
    return buffer.getvalue()
