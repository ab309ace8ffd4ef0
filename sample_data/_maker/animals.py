"""Animals: cats and dogs in a few poses and coats."""

from __future__ import annotations

from dataclasses import dataclass

from mnemoscope.sample_data._maker.canvas import Pen, blend

CALICO = ("#fbf6ec", "#e2913f", "#35302e")


@dataclass(frozen=True)
class Coat:
    """The colours of a face."""

    base: str
    left: str
    """Patch over the left half of the forehead, as seen."""
    right: str
    muzzle: str
    nicked: bool = False
    """A piece of the ear on the right side of the picture (the cat's left) is missing."""
    collar: str = ""


def cat_face(pen: Pen, coat: Coat) -> None:
    """A cat's head from the front, its centre on the origin."""
    for side, paint in ((-1, coat.left), (1, coat.right)):
        tip = (side * 62, -96)
        if side > 0 and coat.nicked:
            pen.poly(paint, (16, -52), (46, -88), (52, -66), (64, -78), (72, -22))
            pen.poly("#e9a9a0", (30, -52), (44, -72), (50, -56), (58, -62), (62, -34))
        else:
            pen.poly(paint, (side * 16, -52), tip, (side * 72, -22))
            pen.poly("#e9a9a0", (side * 30, -52), (side * 56, -80), (side * 62, -34))
    pen.oval(0, 0, 78, 66, coat.base)
    for side, paint in ((-1, coat.left), (1, coat.right)):
        if paint != coat.base:
            pen.oval(side * 38, -28, 36, 32, paint)
    pen.oval(0, 30, 40, 30, coat.muzzle)
    for side in (-1, 1):
        pen.oval(side * 32, -6, 15, 17, "#c6cf6a")
        pen.oval(side * 32, -5, 6.5, 15, "#1d1b1a")
        pen.oval(side * 32 - 3, -12, 3, 4, "#ffffff")
        for dy in (-4, 4, 12):
            pen.line("#ffffff", 1.6, (side * 30, 26 + dy * 0.4), (side * 92, 18 + dy))
    pen.poly("#d9788a", (-9, 16), (9, 16), (0, 26))
    pen.curve("#6b5048", 2.4, (0, 26), (-10, 40), (-20, 32))
    pen.curve("#6b5048", 2.4, (0, 26), (10, 40), (20, 32))


def cat_bust(pen: Pen, coat: Coat) -> None:
    """A cat from the chest up, its head on the origin."""
    pen.poly(coat.base, (-62, 30), (62, 30), (104, 220), (-104, 220))
    if coat.left != coat.base:
        pen.oval(-66, 150, 42, 64, coat.left)
    if coat.right != coat.base:
        pen.oval(70, 132, 36, 58, coat.right)
    pen.oval(0, 96, 42, 64, coat.muzzle)
    if coat.collar:
        pen.box(-58, 52, 58, 66, coat.collar, 7)
        pen.oval(0, 70, 9, 9, "#f3cc4e")
    cat_face(pen, coat)


def cat_from_behind(pen: Pen) -> None:
    """A calico sitting with her back to us on the origin, the left ear nicked."""
    white, orange, black = CALICO
    pen.curve(white, 20, (38, -14), (104, 8), (62, 62))
    pen.curve(orange, 19, (88, 22), (86, 44), (63, 62))
    pen.oval(0, -54, 66, 58, white)
    pen.oval(0, -96, 46, 60, white)
    pen.oval(34, -62, 32, 44, orange)
    pen.oval(-36, -44, 28, 36, black)
    pen.oval(6, -112, 30, 26, black)
    pen.poly(black, (10, -172), (38, -204), (48, -156))
    pen.poly(orange, (-10, -172), (-28, -190), (-32, -180), (-42, -188), (-48, -156))
    pen.oval(0, -152, 47, 40, white)
    pen.oval(-22, -164, 25, 24, orange)
    pen.oval(23, -164, 24, 24, black)


def cat_in_box(pen: Pen) -> None:
    """Half a calico's face looking over an edge at the origin."""
    coat = Coat(CALICO[0], CALICO[2], CALICO[1], CALICO[0], nicked=True)
    cat_face(pen.at(0, -4, 0.9), coat)


def greyhound_head(pen: Pen, coat: str, stripes: str = "", socks: str = "#fbf7ef") -> None:
    """A greyhound from the chest up, looking to the right; the head is near the origin."""
    neck = ((-56, 210), (-34, 30), (2, 34), (58, 210))
    pen.poly(coat, *neck)
    pen.oval(0, 186, 66, 70, coat)
    if stripes:
        pen.poly(socks, (-16, 90), (20, 90), (44, 220), (-30, 220))
    pen.oval(-10, 0, 46, 42, coat)
    pen.poly(coat, (8, -30), (122, 20), (124, 38), (10, 38))
    pen.oval(116, 29, 13, 11, coat)
    pen.oval(124, 24, 9, 8, "#1d1a19")
    pen.poly(blend(coat, "#000000", 0.25), (-34, -34), (-70, -2), (-54, 34), (-18, -8))
    if stripes:
        for i in range(5):
            y = 46 + 24 * i
            left, right = -32 - 2.9 * i, 8 + 7.4 * i
            pen.curve(stripes, 5, (left, y + 12), (left + 8, y), (left + 18, y + 8))
            if i > 1:
                pen.curve(stripes, 5, (right, y + 16), (right - 8, y), (right - 15, y + 8))
        for x in (-30, -10, 10):
            pen.curve(stripes, 4, (x, -34), (x + 5, -20), (x - 2, -10))
    pen.oval(26, -4, 10, 10, "#3a2418")
    pen.oval(29, -8, 3, 3, "#ffffff")
    pen.curve(blend(coat, "#000000", 0.4), 4, (14, -24), (26, -32), (38, -20))
    pen.line(blend(coat, "#000000", 0.45), 2.4, (64, 34), (112, 37))


def greyhound_lying(pen: Pen) -> None:
    """A brindle greyhound with white socks, folded up, facing left, lying on the origin."""
    coat, stripes, white = "#96704a", "#5b3f28", "#fbf7ef"
    pen.curve(coat, 9, (150, -30), (196, -8), (166, -4))
    pen.oval(44, -44, 116, 42, coat)
    pen.oval(112, -40, 50, 40, coat)
    for i in range(7):
        x = -38 + 27 * i
        pen.curve(stripes, 5, (x, -78 + abs(i - 3) * 3), (x + 10, -52), (x + 2, -28))
    for x, y in ((-70, -8), (-46, -4), (76, -6), (104, -3)):
        pen.line(coat, 14, (x + 50, y - 6), (x - 6, y - 4))
        pen.line(white, 15, (x - 22, y - 3), (x - 46, y - 3))
    pen.poly(coat, (-66, -86), (-28, -74), (-18, -30), (-70, -40))
    pen.oval(-70, -82, 34, 29, coat)
    pen.poly(coat, (-78, -104), (-152, -66), (-154, -52), (-72, -58))
    pen.oval(-152, -60, 9, 8, "#1d1a19")
    pen.poly("#6b4c30", (-50, -102), (-18, -80), (-34, -54), (-58, -78))
    pen.oval(-94, -84, 6.5, 6.5, "#2b1a10")
    pen.curve("#4a3220", 4, (-104, -97), (-94, -104), (-86, -94))


def greyhound_sitting(pen: Pen) -> None:
    """A brindle greyhound sitting and leaning to the right, on the origin."""
    coat, stripes, white = "#96704a", "#5b3f28", "#fbf7ef"
    pen.oval(-22, -40, 44, 42, coat)
    pen.poly(coat, (-46, -60), (18, -148), (44, -132), (34, -4), (-10, -4))
    pen.poly(white, (24, -116), (42, -118), (38, -58), (24, -58))
    for i in range(4):
        pen.curve(stripes, 4.5, (-40 + 9 * i, -50 - 18 * i), (-22 + 9 * i, -46), (-14 + 9 * i, -28))
    for x in (6, 28):
        pen.line(coat, 13, (x, -60), (x + 2, -10))
        pen.line(white, 14, (x + 2, -28), (x + 3, -7))
    pen.line(white, 14, (-40, -6), (-14, -6))
    pen.oval(36, -150, 28, 24, coat)
    pen.poly(coat, (40, -168), (104, -140), (104, -128), (40, -130))
    pen.oval(104, -134, 7, 6.5, "#1d1a19")
    pen.poly("#6b4c30", (20, -170), (-2, -146), (14, -126), (34, -152))
    pen.oval(56, -153, 5, 5, "#2b1a10")


def collie(pen: Pen) -> None:
    """A black and white collie's bust around the origin."""
    pen.poly("#26262a", (-74, 30), (74, 30), (118, 220), (-118, 220))
    pen.poly("#fbf9f4", (-40, 50), (40, 50), (52, 220), (-52, 220))
    pen.poly("#26262a", (-62, -30), (-78, -104), (-20, -60))
    pen.poly("#26262a", (62, -30), (96, -66), (84, -18), (20, -60))
    pen.oval(0, 0, 72, 66, "#26262a")
    pen.poly("#fbf9f4", (-12, -62), (12, -62), (30, 10), (36, 48), (-36, 48), (-30, 10))
    pen.oval(0, 40, 36, 28, "#fbf9f4")
    for side in (-1, 1):
        pen.oval(side * 34, -8, 10, 11, "#a8703a")
        pen.oval(side * 34, -8, 5, 6, "#16130f")
    pen.oval(0, 30, 14, 10, "#16130f")
    pen.poly("#e0808a", (-9, 56), (9, 56), (5, 80), (-5, 80))


def terrier(pen: Pen) -> None:
    """A wiry brown terrier's bust around the origin."""
    brown, light = "#9a6436", "#c08a55"
    pen.poly(brown, (-58, 40), (58, 40), (88, 220), (-88, 220))
    for side in (-1, 1):
        pen.poly("#7a4c28", (side * 20, -50), (side * 76, -62), (side * 64, -8))
    pen.oval(0, 0, 62, 58, brown)
    pen.oval(0, 36, 44, 36, light)
    for i in range(9):
        x = -36 + 9 * i
        pen.line(light, 5, (x, 52), (x * 1.25, 84 - abs(i - 4) * 3))
    for side in (-1, 1):
        pen.oval(side * 26, -8, 9, 10, "#1b130d")
        pen.oval(side * 26 - 3, -12, 3, 3, "#ffffff")
        pen.line(light, 6, (side * 12, -26), (side * 38, -24))
    pen.oval(0, 20, 14, 11, "#1b130d")
