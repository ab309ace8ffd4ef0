"""Rooms: walls, tables, windows and the larger furniture that scenes stand in."""

from __future__ import annotations

from collections.abc import Callable

from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank, blend

WOOD, DARK_WOOD = "#a9744a", "#6b4630"


def room(wall: str, floor: str, floor_at: float = 270) -> Pen:
    """A wall that is lighter above and a floor with a skirting board."""
    page = blank(wall)
    page.fade(0, 0, WIDTH, floor_at, blend(wall, "#ffffff", 0.18), wall)
    page.box(0, floor_at, WIDTH, HEIGHT, floor)
    page.box(0, floor_at - 7, WIDTH, floor_at, blend(wall, "#ffffff", 0.45))
    return page


def tabletop(wall: str, wood: str, edge: float = 205) -> Pen:
    """A wall behind a table that fills the lower part of the page."""
    page = blank(wall)
    page.fade(0, 0, WIDTH, edge, blend(wall, "#ffffff", 0.15), wall)
    page.box(0, edge, WIDTH, HEIGHT, wood)
    page.box(0, edge, WIDTH, edge + 5, blend(wood, "#ffffff", 0.25))
    for i, y in enumerate((252, 300, 345)):
        shade = blend(wood, "#000000", 0.10)
        page.line(shade, 1.6, (-5 + 30 * i, y), (200 + 70 * i, y + 3), (500, y))
    return page


def night_desk() -> Pen:
    """A dark desk against a dim wall, waiting for a lamp."""
    return tabletop("#3f4a57", "#7a4f33", 200)


def window(
    pen: Pen, w: float, h: float, outside: Callable[[Pen], None], frame: str = "#f3ead9"
) -> None:
    """A window from the pen's origin: `outside` paints a view that the frame then covers."""
    pen.box(-9, -9, w + 9, h + 9, frame)
    view = Pen(pen.image.copy(), pen.x, pen.y, pen.k)
    outside(view)
    (a, b), (c, d) = pen.corners(0, 0, w, h)
    place = (round(a), round(b), round(c), round(d))
    pen.image.paste(view.image.crop(place), place[:2])
    pen.box(-14, h + 7, w + 14, h + 16, blend(frame, "#8a6a4a", 0.25))


def bars(pen: Pen, w: float, h: float, frame: str = "#f3ead9") -> None:
    """The cross of a window frame."""
    pen.box(w / 2 - 3, 0, w / 2 + 3, h, frame)
    pen.box(0, h * 0.42 - 3, w, h * 0.42 + 3, frame)


def curtain(pen: Pen, w: float, h: float, cloth: str) -> None:
    """A hanging curtain."""
    pen.box(0, 0, w, h, cloth)
    for i in range(1, 4):
        x = w * i / 4
        pen.line(blend(cloth, "#000000", 0.14), 2, (x, 4), (x + 3, h - 4))


def sofa(pen: Pen, w: float, cloth: str) -> None:
    """A sofa standing on the pen's origin, `w` wide."""
    shade = blend(cloth, "#000000", 0.18)
    pen.box(-w / 2, -104, w / 2, -20, shade, 16)
    pen.box(-w / 2 + 14, -96, -2, -40, cloth, 10)
    pen.box(2, -96, w / 2 - 14, -40, cloth, 10)
    pen.box(-w / 2 + 6, -52, w / 2 - 6, -14, blend(cloth, "#ffffff", 0.1), 8)
    for x in (-w / 2 - 8, w / 2 - 22):
        pen.box(x, -76, x + 30, -8, blend(cloth, "#000000", 0.08), 12)
    for x in (-w / 2 + 16, w / 2 - 22):
        pen.box(x, -10, x + 8, 2, DARK_WOOD)


def floor_lamp(pen: Pen, height: float = 190) -> None:
    """A standing lamp with a cloth shade and its light."""
    pen.glow(0, -height + 20, 110, "#ffe2a0", 0.55)
    pen.line("#4a3a2e", 4, (0, 0), (0, -height + 30))
    pen.box(-22, -4, 22, 2, "#4a3a2e", 3)
    pen.poly("#f6d27a", (-20, -height), (20, -height), (34, -height + 40), (-34, -height + 40))


def chair_back(pen: Pen, wood: str = WOOD) -> None:
    """The back of a wooden chair seen from the front, standing on the origin."""
    for x in (-38, 30):
        pen.box(x, -150, x + 8, 0, wood, 3)
    for y in (-146, -118, -90):
        pen.box(-34, y, 34, y + 10, blend(wood, "#ffffff", 0.12), 3)


def shelf(pen: Pen, w: float, colours: tuple[str, ...]) -> None:
    """A shelf of books, its board on the origin."""
    x = -w / 2 + 4
    i = 0
    while x < w / 2 - 12:
        wide = 9 + 4 * (i % 3)
        tall = 34 + 7 * ((i * 5) % 4)
        pen.box(x, -tall, x + wide, 0, colours[i % len(colours)])
        x += wide + 1.5
        i += 1
    pen.box(-w / 2, 0, w / 2, 7, WOOD)


def lamp(pen: Pen, shade: str = "#2f7d5b") -> None:
    """A banker's lamp standing on the origin, lit."""
    pen.glow(0, -78, 150, "#ffdf9a", 0.6)
    pen.oval(0, -2, 30, 7, "#b98a3c")
    pen.box(-4, -92, 4, -4, "#c99b4a")
    pen.dome(0, -88, 52, 40, shade)
    pen.box(-52, -90, 52, -84, blend(shade, "#ffffff", 0.25), 2)
    pen.box(-30, -84, 30, -78, "#fff3c4", 2)
