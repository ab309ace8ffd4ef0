"""Food: bowls, jars and plates. Each stands on its origin."""

from __future__ import annotations

from mnemoscope.sample_data._maker.canvas import Pen, blend


def soup_bowl(pen: Pen, soup: str, bowl: str = "#f7f5ef", band: str = "#3b6ea8") -> None:
    """A large bowl filled with something."""
    pen.bowl(0, -62, 88, 62, bowl)
    pen.box(-30, -6, 30, 2, blend(bowl, "#000000", 0.12), 3)
    pen.box(-80, -46, 80, -38, band)
    pen.oval(0, -62, 88, 26, blend(bowl, "#000000", 0.08))
    pen.oval(0, -61, 79, 21, soup)


def rice_sheets(pen: Pen) -> None:
    """Pale rice sheets, dried shrimp and wood ear, lying in a soup bowl."""
    for x, y, w in ((-40, -66, 26), (-6, -72, 30), (36, -64, 26), (-18, -54, 28), (22, -52, 24)):
        pen.oval(x, y, w, 7, "#fffdf6")
        pen.curve("#d9cfb8", 1.6, (x - w, y), (x, y + 9), (x + w, y))
    for x, y in ((-52, -56), (-24, -64), (10, -62), (44, -56), (2, -48)):
        pen.curve("#e88b5a", 4, (x - 5, y), (x, y - 6), (x + 5, y))
    for x, y in ((-36, -54), (28, -68), (52, -64)):
        pen.oval(x, y, 7, 4, "#4a362e")


def taro_cakes(pen: Pen, count: int = 2) -> None:
    """Triangular fried taro cakes on a blue-rimmed plate."""
    pen.oval(0, -8, 66, 20, "#c9d6e2")
    pen.oval(0, -11, 66, 19, "#3f74ac")
    pen.oval(0, -12, 59, 16, "#fbfaf5")
    for i in range(count):
        x = -24 + 44 * i
        pen.poly("#8b5a3c", (x - 24, -10), (x + 2, -46), (x + 28, -10))
        pen.poly("#c58d5f", (x - 19, -13), (x + 2, -42), (x + 22, -13))


def chopsticks(pen: Pen) -> None:
    """A pair of chopsticks from the origin to the right."""
    pen.line("#7d4a2d", 5, (0, 0), (150, -26))
    pen.line("#7d4a2d", 5, (0, 9), (152, -14))


def bottle(pen: Pen, glass: str = "#7a4a2a") -> None:
    """A small bottle of fish sauce."""
    pen.box(-7, -78, 7, -52, glass, 3)
    pen.box(-18, -56, 18, 0, glass, 7)
    pen.box(-18, -40, 18, -16, "#f1dcae")
    pen.box(-8, -86, 8, -76, "#c23b33", 2)


def jar(pen: Pen, filled: str = "#ef8a22", label: bool = True) -> None:
    """A jar of marmalade with a cloth cap."""
    pen.box(-25, -70, 25, 0, "#f4dcae", 8)
    pen.box(-22, -66, 22, -3, filled, 7)
    for x, y in ((-10, -50), (6, -28), (12, -54), (-8, -16)):
        pen.curve("#ffc35e", 3.4, (x - 7, y), (x, y - 7), (x + 7, y + 2))
    if label:
        pen.box(-17, -44, 17, -20, "#fbf5e4", 2)
        pen.line("#9a8f7c", 2, (-11, -36), (11, -36))
        pen.line("#9a8f7c", 2, (-11, -29), (6, -29))
    pen.box(-24, -86, 24, -69, "#c8433b", 5)
    pen.box(-24, -74, 24, -69, "#a93630")


def orange(pen: Pen, cut: bool = False) -> None:
    """An orange, whole or halved."""
    pen.oval(0, -22, 25, 22, "#f2902a")
    if cut:
        pen.oval(0, -22, 21, 18, "#ffe0a6")
        pen.oval(0, -22, 18, 15, "#fbb044")
        for x, y in ((-15, -22), (15, -22), (0, -35), (0, -9), (-10, -32), (10, -12)):
            pen.line("#ffe0a6", 2, (0, -22), (x, y))
    else:
        pen.oval(-8, -30, 7, 5, "#f9b667")


def toast(pen: Pen, spread: str | None = "#ee8c24") -> None:
    """A slice of dark bread lying on a plate, with or without a spread."""
    pen.box(-44, -28, 44, 18, "#4e3323", 12)
    pen.box(-38, -24, 38, 13, "#7a5236", 9)
    if spread:
        pen.box(-33, -20, 33, 9, spread, 9)
        for x, y in ((-18, -10), (4, -4), (18, -12), (-4, 2)):
            pen.curve("#ffc763", 3.4, (x - 8, y), (x, y - 7), (x + 8, y + 2))


def plate(pen: Pen, w: float, rim: str = "#3d6f9f") -> None:
    """A plate seen from slightly above, around the origin."""
    pen.oval(0, 4, w, w * 0.42, blend(rim, "#000000", 0.35))
    pen.oval(0, 0, w, w * 0.42, rim)
    pen.oval(0, 0, w * 0.82, w * 0.33, blend(rim, "#ffffff", 0.55))


def frying_pan(pen: Pen) -> None:
    """A black frying pan with three cakes, its handle to the right."""
    pen.line("#2a2a2d", 14, (96, -26), (204, -44))
    pen.oval(0, -14, 112, 36, "#1f1f22")
    pen.oval(0, -20, 112, 34, "#37373b")
    pen.oval(0, -18, 98, 27, "#26262a")
    for x, y in ((-48, -18), (6, -26), (46, -12)):
        pen.poly("#7a4a2c", (x - 28, y + 9), (x, y - 21), (x + 29, y + 9))
        pen.poly("#cf9a68", (x - 21, y + 5), (x, y - 16), (x + 21, y + 5))


def cake(pen: Pen, candles: int = 9) -> None:
    """A half-eaten birthday cake."""
    pen.oval(0, -2, 78, 14, "#f4f1ea")
    pen.box(-58, -46, 30, -4, "#f7d9c4", 4)
    pen.poly("#e9b98c", (30, -46), (44, -40), (44, -4), (30, -4))
    pen.box(-58, -28, 44, -22, "#c95a64")
    pen.box(-58, -52, 32, -42, "#fdf7f0", 4)
    for i in range(candles):
        x = -52 + 9.6 * i
        pen.line("#5b8fc4" if i % 2 else "#e0708a", 3, (x, -52), (x, -72))
        pen.oval(x, -77, 2.6, 4.4, "#ffb52e")


def noodles(pen: Pen) -> None:
    """Dark noodles under a heap of chopped scallions, lying in a soup bowl."""
    for i in range(7):
        y = -74 + 5 * i
        pen.curve("#d29a52", 4.5, (-66 + 4 * i, y), (0, y + 13), (66 - 4 * i, y))
    for i in range(34):
        x = -52 + (i * 37) % 104
        y = -74 + (i * 23) % 26
        pen.oval(x, y, 5, 3.2, "#3fae49" if i % 3 else "#7fd07a")


def croissant(pen: Pen) -> None:
    """A croissant lying on the origin."""
    for x, y, rx, ry in (
        (-62, -18, 24, 14),
        (62, -18, 24, 14),
        (-36, -30, 28, 22),
        (36, -30, 28, 22),
        (0, -36, 32, 27),
    ):
        pen.oval(x, y, rx, ry, "#b9722e")
        pen.oval(x, y - 3, rx * 0.86, ry * 0.8, "#dd9a4a")


def iced_coffee(pen: Pen) -> None:
    """A glass of iced coffee."""
    pen.poly("#e8eef0", (-34, -110), (34, -110), (27, 0), (-27, 0))
    pen.poly("#5a3722", (-31, -84), (31, -84), (25, -4), (-25, -4))
    for x, y in ((-12, -78), (10, -84), (2, -62)):
        pen.box(x - 10, y - 9, x + 10, y + 9, "#cdb49c", 3)
    pen.line("#d24d44", 4, (8, -70), (24, -134))


def burger(pen: Pen) -> None:
    """A double burger."""
    pen.dome(0, -58, 62, 48, "#d99545")
    for x, y in ((-28, -84), (0, -92), (26, -84), (-12, -76), (14, -75)):
        pen.oval(x, y, 3.6, 2.4, "#fbe9c4")
    for y, paint in ((-58, "#6fae47"), (-49, "#6b3f27"), (-38, "#f3c146"), (-31, "#6b3f27")):
        pen.box(-64, y, 64, y + 11, paint, 5)
    pen.box(-60, -20, 60, 0, "#d99545", 9)


def fries(pen: Pen) -> None:
    """A box of chips."""
    for i in range(7):
        pen.box(-30 + 9 * i, -104 + 9 * (i % 3), -24 + 9 * i, -40, "#f2c84b")
    pen.poly("#d33b32", (-38, -62), (38, -62), (28, 0), (-28, 0))
