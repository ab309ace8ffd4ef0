"""Outdoors: skies, hills, water, trains, boats and what else is under the sky."""

from __future__ import annotations

import math

from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank, blend


def sky(top: str, bottom: str, horizon: float = HEIGHT) -> Pen:
    """A page with a sky down to the horizon."""
    page = blank(bottom)
    page.fade(0, 0, WIDTH, horizon, top, bottom)
    return page


def hills(pen: Pen, base: float, height: float, fill: str, phase: float = 0.0) -> None:
    """A line of hills across the page, filled down to its lower edge."""
    ridge = [
        (
            x,
            base
            - height * (0.55 + 0.45 * math.sin(x / 70 + phase))
            - height * 0.22 * math.sin(x / 27 + phase * 2.3),
        )
        for x in range(-10, WIDTH + 20, 10)
    ]
    pen.poly(fill, (-10, HEIGHT + 200), *ridge, (WIDTH + 10, HEIGHT + 200))


def cloud(pen: Pen, fill: str = "#ffffff") -> None:
    """A cloud around the origin."""
    for cx, cy, r in ((-26, 4, 16), (-6, -6, 22), (18, -1, 18), (34, 6, 11)):
        pen.oval(cx, cy, r, r * 0.78, fill)
    pen.box(-40, 4, 44, 15, fill, 6)


def water(pen: Pen, top: float, fill: str, light: str) -> None:
    """Water from `top` to the lower edge, with glints."""
    pen.fade(0, top, WIDTH, HEIGHT, blend(fill, light, 0.35), fill)
    for i in range(16):
        y = top + 10 + (i * 37) % max(20, int(HEIGHT - top - 14))
        x = (i * 131) % WIDTH
        pen.line(light, 2, (x, y), (x + 26 + 9 * (i % 3), y))


def rain(pen: Pen, w: float, h: float, fill: str = "#dfe8ee", count: int = 46) -> None:
    """Slanting rain over an area from the origin."""
    for i in range(count):
        x, y = w * (i * 0.7549 % 1), h * (i * 0.5698 % 1)
        pen.line(fill, 1.5, (x, y), (x - 4, y + 13))


def roofs(pen: Pen, base: float, fill: str) -> None:
    """A row of old tiled roofs, `base` being their eaves."""
    for i in range(5):
        x = -20 + 112 * i
        drop = 10 * (i % 2)
        shade = blend(fill, "#000000", 0.12 * (i % 3))
        pen.poly(
            shade,
            (x, base + drop),
            (x + 24, base - 34 + drop),
            (x + 96, base - 34 + drop),
            (x + 122, base + drop),
        )
        pen.box(x + 8, base + drop, x + 114, base + 120, blend(fill, "#e8dcc8", 0.65))
        for j in range(3):
            y = base - 26 + 9 * j + drop
            pen.line(blend(shade, "#ffffff", 0.16), 1.4, (x + 18 - 6 * j, y), (x + 102 + 6 * j, y))


def tree(pen: Pen, leaf: str = "#4d7f4a", size: float = 1.0) -> None:
    """A round tree standing on the origin."""
    at = pen.at(0, 0, size)
    at.poly("#6b4a33", (-8, 0), (-4, -60), (4, -60), (8, 0))
    for cx, cy, r in ((-24, -72, 26), (22, -76, 28), (0, -98, 32), (0, -66, 26)):
        at.oval(cx, cy, r, r * 0.85, leaf)
    at.oval(-8, -104, 16, 12, blend(leaf, "#ffffff", 0.18))


def coach(pen: Pen, w: float, body: str, stripe: str) -> None:
    """A railway coach of width `w`, its wheels on the origin's level."""
    pen.box(0, -92, w, -14, body, 8)
    pen.box(0, -96, w, -84, blend(body, "#000000", 0.35), 6)
    pen.box(0, -38, w, -30, stripe)
    for x in range(16, int(w) - 26, 38):
        pen.box(x, -76, x + 26, -50, "#f7e9b8", 3)
    for start in (26.0, w - 40):
        for dx in (0, 20):
            pen.oval(start + dx, -8, 9, 9, "#2b2b2e")
            pen.oval(start + dx, -8, 4, 4, "#75757b")
    pen.box(4, -18, w - 4, -12, "#3a3a3d")


def bullet(pen: Pen) -> None:
    """The nose of a fast train coming from the left, on the origin's level."""
    pen.poly("#f5f7fa", (-260, -96), (40, -96), (120, -62), (168, -22), (160, -8), (-260, -8))
    pen.poly("#2c4a6b", (58, -88), (92, -72), (112, -58), (70, -58))
    pen.poly("#2a6fc4", (-260, -44), (130, -44), (158, -26), (-260, -26))
    for x in range(-240, 30, 36):
        pen.box(x, -84, x + 22, -60, "#33506f", 4)
    pen.oval(146, -24, 5, 4, "#ffe9a8")
    pen.box(-260, -9, 160, -2, "#5c6a78")


def rails(pen: Pen, y: float) -> None:
    """A track across the page."""
    pen.box(-10, y, WIDTH + 10, y + 26, "#8d8378")
    for x in range(-10, WIDTH + 20, 24):
        pen.box(x, y + 4, x + 13, y + 20, "#5d4a3a")
    for dy in (6, 16):
        pen.box(-10, y + dy, WIDTH + 10, y + dy + 2.6, "#c9c6c2")


def bench(pen: Pen, wood: str = "#9a6b45") -> None:
    """A platform bench standing on the origin."""
    for y in (-58, -46):
        pen.box(-62, y, 62, y + 8, wood, 2)
    pen.box(-66, -30, 66, -21, blend(wood, "#ffffff", 0.15), 2)
    for x in (-54, 46):
        pen.box(x, -58, x + 7, 0, "#4c4c4f")


def sign(pen: Pen, board: str, ink: str = "#ffffff") -> None:
    """A station sign on two posts, its name only strokes."""
    for x in (-46, 40):
        pen.box(x, -80, x + 6, 0, "#77777c")
    pen.box(-60, -104, 60, -62, board, 4)
    for x in (-34, 0, 34):
        pen.line(ink, 3.2, (x - 9, -92), (x + 9, -92))
        pen.line(ink, 3.2, (x, -97), (x - 2, -70))
        pen.line(ink, 3.2, (x - 8, -80), (x + 9, -76))


def work_boat(pen: Pen) -> None:
    """A white buoy tender, its waterline on the origin."""
    pen.poly("#eef1f2", (-170, -44), (150, -44), (120, 6), (-150, 6))
    pen.poly("#b4473a", (-158, -8), (132, -8), (120, 6), (-150, 6))
    pen.box(-150, -108, -64, -44, "#f7f8f8", 4)
    pen.box(-140, -98, -74, -74, "#4a6a80", 3)
    pen.box(-126, -134, -92, -108, "#e3e6e8", 3)
    pen.line("#d4822c", 5, (-40, -44), (-10, -150), (40, -120))
    pen.line("#555b60", 1.6, (40, -120), (40, -90))


def buoy(pen: Pen, paint: str = "#d33f35") -> None:
    """A large channel buoy standing on the origin."""
    pen.oval(0, -10, 44, 14, blend(paint, "#000000", 0.3))
    pen.box(-44, -34, 44, -10, paint)
    pen.oval(0, -34, 44, 14, blend(paint, "#ffffff", 0.15))
    pen.poly(paint, (-24, -34), (24, -34), (11, -108), (-11, -108))
    pen.poly("#f3efe8", (-20, -52), (20, -52), (17, -70), (-17, -70))
    pen.box(-14, -118, 14, -106, "#45484c", 2)
    pen.oval(0, -126, 8, 10, "#ffe38a")


def beacon(pen: Pen) -> None:
    """A small river light on a rock, lit, standing on the origin."""
    pen.glow(0, -70, 60, "#fff0a8", 0.75)
    pen.oval(0, 0, 28, 8, "#5a5d60")
    for i, paint in enumerate(("#c9423a", "#f4efe6", "#c9423a")):
        pen.box(-9 + i, -22 - 18 * i, 9 - i, -2 - 18 * i, paint)
    pen.box(-11, -64, 11, -58, "#3d4144")
    pen.oval(0, -70, 7, 8, "#fff6c2")


def huts(pen: Pen, count: int, paint: str = "#f6f3ec", door: str = "#3f7fb0") -> None:
    """A row of changing huts standing on the origin."""
    for i in range(count):
        at = pen.at(46 * i, 0)
        at.box(0, -50, 42, 0, paint)
        at.poly(blend(door, "#ffffff", 0.2), (-3, -50), (21, -70), (45, -50))
        at.box(12, -36, 30, 0, door, 2)


def tent(pen: Pen) -> None:
    """An orange tent standing on the origin."""
    pen.poly("#e8843a", (-70, 0), (0, -80), (70, 0))
    pen.poly("#b9622a", (-16, 0), (0, -56), (18, 0))
    pen.line("#fff1d8", 2, (0, -80), (-74, 2))


def car(pen: Pen, paint: str = "#c43d36") -> None:
    """A small car seen from the side, on the origin."""
    pen.poly(paint, (-50, -48), (-30, -78), (30, -78), (54, -48))
    pen.box(-82, -50, 82, -14, paint, 12)
    pen.poly("#cfe4ec", (-38, -50), (-24, -72), (-3, -72), (-3, -50))
    pen.poly("#cfe4ec", (4, -50), (4, -72), (25, -72), (42, -50))
    for x in (-48, 48):
        pen.oval(x, -13, 16, 16, "#26262a")
        pen.oval(x, -13, 7, 7, "#b8b8bd")


def aeroplane(pen: Pen) -> None:
    """An aeroplane on the ground, facing right."""
    pen.poly("#3a78b8", (-124, -52), (-104, -98), (-82, -98), (-76, -52))
    pen.box(-130, -56, 110, -18, "#f5f7fa", 18)
    pen.dome(92, -22, 38, 30, "#f5f7fa")
    pen.poly("#ccd5dd", (-30, -30), (26, -30), (-34, 12), (-60, 12))
    for x in range(-90, 90, 20):
        pen.oval(x, -42, 4, 5, "#486a8a")
    pen.box(-2, -18, 6, -2, "#58616a")
    pen.oval(2, 0, 7, 7, "#2c3035")
