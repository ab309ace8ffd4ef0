"""People: faces for portraits and small figures for scenes."""

from __future__ import annotations

from dataclasses import dataclass

from mnemoscope.sample_data._maker.canvas import Pen, blend


@dataclass(frozen=True)
class Looks:
    """What a portrait shows of a person."""

    skin: str
    hair: str
    style: str
    """`short`, `neat`, `long`, `bob`, `plait`, `ponytail` or `bun`."""
    coat: str
    collar: str = "#ffffff"
    glasses: str = ""
    beard: bool = False
    scar: str = ""
    """`brow` (over the person's left eye) or `cheek`."""
    freckles: bool = False
    cap: str = ""
    vest: str = ""
    earrings: bool = False
    smile: float = 1.0


def portrait(pen: Pen, looks: Looks) -> None:
    """A head and shoulders, the centre of the face on the origin."""
    dark = blend(looks.skin, "#5a2a1a", 0.22)
    if looks.style in ("long", "bob", "ponytail"):
        low = {"long": 112, "bob": 62, "ponytail": 20}[looks.style]
        pen.box(-80, -76, 80, low, looks.hair, 40)
    if looks.style == "ponytail":
        pen.curve(looks.hair, 30, (60, -50), (128, -10), (96, 92))
    pen.poly(looks.coat, (-46, 86), (46, 86), (150, 124), (178, 260), (-178, 260), (-150, 124))
    pen.box(-26, 50, 26, 104, dark, 10)
    pen.poly(looks.collar, (-34, 90), (0, 134), (34, 90), (46, 100), (0, 160), (-46, 100))
    if looks.vest:
        for side in (-1, 1):
            pen.poly(
                looks.vest,
                (side * 42, 88),
                (side * 120, 110),
                (side * 132, 260),
                (side * 8, 260),
                (side * 8, 170),
            )
            pen.poly(
                "#f4efe2", (side * 34, 196), (side * 128, 196), (side * 129, 212), (side * 26, 212)
            )
    for side in (-1, 1):
        pen.oval(side * 66, 6, 11, 17, dark)
    pen.oval(0, 0, 66, 80, looks.skin)
    _hair(pen, looks)
    _features(pen, looks, dark)


def _hair(pen: Pen, looks: Looks) -> None:
    hair = looks.hair
    if looks.style == "short":
        pen.dome(0, -26, 68, 66, hair)
        for i in range(8):
            x = -58 + 16 * i
            pen.poly(hair, (x - 9, -28), (x + 9, -28), (x + 1, -14))
    elif looks.style == "neat":
        pen.dome(0, -26, 68, 64, hair)
        pen.poly(hair, (-66, -30), (-30, -30), (-62, 2))
        pen.curve(blend(hair, "#ffffff", 0.2), 3, (-36, -76), (-20, -56), (30, -46))
    elif looks.style == "bob":
        pen.dome(0, -24, 74, 70, hair)
        pen.box(-78, -30, -54, 62, hair, 12)
        pen.box(54, -30, 78, 62, hair, 12)
        pen.box(-60, -42, 60, -22, hair, 8)
    else:
        pen.dome(0, -24, 71, 68, hair)
        pen.poly(hair, (-70, -26), (4, -34), (-56, 10))
        pen.poly(hair, (70, -26), (-4, -34), (60, 10))
    if looks.style == "plait":
        dark = blend(hair, "#000000", 0.2)
        for i in range(8):
            x, y = 62 + 3 * i, 34 + 24 * i
            pen.oval(x - 5, y, 15, 16, hair)
            pen.oval(x + 6, y + 7, 13, 14, dark)
    if looks.style == "bun":
        pen.oval(0, -98, 30, 24, hair)
    if looks.cap:
        pen.dome(0, -34, 72, 62, looks.cap)
        pen.box(-84, -44, 56, -32, blend(looks.cap, "#000000", 0.15), 6)


def _features(pen: Pen, looks: Looks, dark: str) -> None:
    brow = blend(looks.hair, "#000000", 0.25)
    for side in (-1, 1):
        pen.oval(side * 27, -4, 11, 8, "#ffffff")
        pen.oval(side * 27, -4, 5.6, 6.6, "#2a211c")
        pen.curve(brow, 5, (side * 42, -20), (side * 28, -28), (side * 13, -21))
        pen.oval(side * 42, 28, 12, 8, blend(looks.skin, "#e0685a", 0.28))
    pen.curve(dark, 4, (2, -2), (13, 22), (-4, 24))
    lift = 14 * looks.smile
    pen.curve("#a8453f", 5, (-22, 46), (0, 46 + lift), (22, 46))
    if looks.beard:
        for i in range(11):
            x = -50 + 10 * i
            pen.line(looks.hair, 9, (x * 0.9, 60 - abs(x) * 0.35), (x * 0.8, 84 - abs(x) * 0.5))
        pen.line(looks.hair, 7, (-20, 38), (20, 38))
    if looks.earrings:
        for side in (-1, 1):
            pen.oval(side * 52, 42, 6, 6, "#fdf8ee")
    if looks.scar == "brow":
        pen.line("#f6d9c8", 5, (37, -38), (24, -12))
    if looks.scar == "cheek":
        pen.line("#b4604f", 5, (-50, 14), (-30, 42))
    if looks.freckles:
        for i in range(14):
            side = -1 if i % 2 else 1
            pen.oval(side * (18 + (i * 7) % 34), 14 + (i * 5) % 17, 2.1, 2.1, "#b8703f")
    if looks.glasses:
        for side in (-1, 1):
            pen.ring(side * 28, -3, 22, 19, looks.glasses, 4)
        pen.line(looks.glasses, 4, (-7, -5), (7, -5))


def figure(pen: Pen, coat: str, hair: str = "#2d2522", skin: str = "#d9a27e") -> None:
    """A small standing person with the feet on the origin."""
    for x in (-9, 3):
        pen.box(x, -34, x + 7, 0, "#33363d")
    pen.box(-17, -82, 17, -28, coat, 7)
    pen.line(coat, 8, (-15, -74), (-23, -42))
    pen.line(coat, 8, (15, -74), (23, -42))
    pen.oval(0, -95, 12, 14, skin)
    pen.dome(0, -97, 13, 14, hair)


def singer(pen: Pen, hair: str, skin: str) -> None:
    """A choir member from the waist up, the waist on the origin."""
    pen.box(-18, -58, 18, 0, "#2c2a35", 9)
    pen.poly("#f4efe4", (-7, -56), (7, -56), (0, -40))
    pen.box(-14, -34, 14, -18, "#f2e7cd", 2)
    pen.oval(0, -72, 13, 15, skin)
    pen.dome(0, -75, 14, 14, hair)
    pen.oval(0, -65, 3.6, 4.4, "#7d2f2c")


def bow_tie(pen: Pen, paint: str = "#b5303c") -> None:
    """A bow tie around the origin."""
    pen.poly(paint, (-10, -6), (0, 0), (-10, 6))
    pen.poly(paint, (10, -6), (0, 0), (10, 6))


def swimmer(pen: Pen, cap: str) -> None:
    """A swimmer's head, arm and wake in the water around the origin."""
    pen.curve("#e9b48d", 9, (6, -2), (30, -34), (52, -4))
    pen.oval(0, -6, 15, 14, "#e9b48d")
    pen.dome(0, -8, 16, 15, cap)
    pen.line("#f4fbfb", 4, (-54, 6), (-16, 4))
    pen.line("#f4fbfb", 4, (-70, 14), (-30, 13))
