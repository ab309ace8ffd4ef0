"""Things: what lies on desks, hangs at windows and stands by sofas. Each stands on its origin."""

from __future__ import annotations

import math

from mnemoscope.sample_data._maker.canvas import Pen, blend

BRASS, PAPER = "#d8a83e", "#fbf7ec"


def gear(pen: Pen, r: float, metal: str = BRASS) -> None:
    """A gear wheel around the origin."""
    for i in range(10):
        a = math.tau * i / 10
        pen.oval(r * math.cos(a), r * math.sin(a), r * 0.2, r * 0.2, metal)
    pen.oval(0, 0, r * 0.92, r * 0.92, metal)
    pen.oval(0, 0, r * 0.62, r * 0.62, blend(metal, "#5a3c10", 0.35))
    pen.oval(0, 0, r * 0.3, r * 0.3, metal)


def gear_dish(pen: Pen) -> None:
    """A white dish with brass gears."""
    pen.oval(0, -3, 38, 13, "#d9d4ca")
    pen.oval(0, -6, 38, 12, "#fdfcf8")
    pen.oval(0, -6, 29, 8, "#e9e4da")
    for x, y, r in ((-14, -9, 8), (4, -7, 10), (18, -10, 6)):
        gear(pen.at(x, y), r)


def mantel_clock(pen: Pen, door_open: bool = False) -> None:
    """A wooden mantel clock without its glass."""
    wood, dark = "#8a5530", "#5d3720"
    pen.box(-62, -14, 62, 0, dark, 3)
    pen.box(-52, -176, 52, -12, wood, 8)
    pen.poly(dark, (-60, -172), (-40, -198), (40, -198), (60, -172))
    pen.oval(0, -122, 43, 43, dark)
    pen.oval(0, -122, 38, 38, "#f6ecd2")
    for i in range(12):
        a = math.tau * i / 12
        pen.oval(31 * math.sin(a), -122 - 31 * math.cos(a), 2.4, 2.4, dark)
    pen.line("#2d2019", 3.6, (0, -122), (-17, -138))
    pen.line("#2d2019", 2.6, (0, -122), (8, -150))
    pen.oval(0, -122, 4, 4, BRASS)
    pen.box(-36, -70, 36, -22, "#2e1c12", 3)
    if door_open:
        gear(pen.at(-14, -56), 11)
        gear(pen.at(8, -58), 8)
    pen.line(BRASS, 3, (2, -70), (2, -38))
    pen.oval(2, -36, 10, 10, "#efc766")
    if door_open:
        pen.poly("#a56a3f", (36, -72), (58, -64), (58, -14), (36, -20))


def screwdriver(pen: Pen, handle: str = "#c23b33") -> None:
    """A thin screwdriver lying to the right of the origin."""
    pen.box(0, -4, 34, 4, handle, 4)
    pen.box(34, -1.5, 84, 1.5, "#b9bec4")


def roster(pen: Pen) -> None:
    """A month on paper, lying in perspective, with red and blue rings."""
    pen.poly("#d9cfba", (-128, 6), (-96, -92), (104, -92), (136, 6))
    pen.poly(PAPER, (-126, 0), (-94, -94), (102, -94), (134, 0))
    for i in range(6):
        y = -80 + 15 * i
        pen.line("#c9bfa8", 1.4, (-98 - 5 * i, y), (106 + 5 * i, y))
    for j in range(8):
        pen.line("#c9bfa8", 1.4, (-90 + 27 * j, -80), (-118 + 34.6 * j, -5))
    for i, j, paint in ((0, 6, "#d23a32"), (1, 6, "#d23a32"), (2, 6, "#d23a32"), (3, 2, "#2f69b8")):
        pen.ring(-92 + 27 * j - 10 + 2 * i, -72 + 15 * i, 12, 7.5, paint, 3)
    for i, j in ((0, 1), (1, 3), (3, 4), (4, 2)):
        pen.ring(-86 + 29 * j - 10, -72 + 15 * i, 11, 7, "#2f69b8", 3)


def writing_pen(pen: Pen, body: str, tip: str = "#26262a") -> None:
    """A pen or pencil lying from the origin to the right and down."""
    pen.line(body, 6, (0, 0), (62, 16))
    pen.line(tip, 4, (62, 16), (72, 18.6))


def feeder(pen: Pen, sparrow_count: int = 0) -> None:
    """Half a pomelo shell on three strings, hanging from the origin."""
    for x in (-34, 0, 34):
        pen.line("#b08a55", 2.4, (0, 0), (x, 68))
    pen.bowl(0, 66, 42, 42, "#b7c04a")
    pen.bowl(0, 66, 34, 35, "#cdd163")
    pen.oval(0, 66, 42, 10, "#f5eecb")
    pen.oval(0, 66, 34, 7, "#d9a441")
    for i in range(9):
        pen.oval(-26 + 6.5 * i, 65 + (i % 3), 2.2, 1.5, "#f3cf7d")
    if sparrow_count:
        sparrow(pen.at(-22, 62))
    if sparrow_count > 1:
        sparrow(pen.at(24, 62).mirrored())


def sparrow(pen: Pen) -> None:
    """A sparrow facing right."""
    pen.poly("#7a5334", (-14, -12), (-34, -6), (-14, -6))
    pen.oval(0, -12, 16, 12, "#a97b4f")
    pen.oval(3, -8, 11, 8, "#ecdcc2")
    pen.oval(13, -22, 9.5, 9, "#8a5a36")
    pen.oval(15, -19, 5, 4, "#f2e6d0")
    pen.oval(16, -24, 1.8, 1.8, "#1f1712")
    pen.poly("#4a3a2a", (21, -23), (28, -20), (21, -18))
    pen.line("#6b4a30", 3, (-8, -14), (4, -10))


def tub(pen: Pen) -> None:
    """A fir foot-bath with copper hoops, mugwort on hot water, steam above."""
    pen.poly("#c98d52", (-66, -84), (66, -84), (54, 0), (-54, 0))
    for i in range(1, 7):
        x = -66 + 19 * i
        pen.line("#a8703c", 2, (x, -84), (x * 0.82, 0))
    for y, w in ((-66, 64), (-22, 58)):
        pen.box(-w, y, w, y + 9, "#c9713a")
        pen.box(-w, y, w, y + 3, "#e79a5e")
    pen.oval(0, -84, 66, 17, "#dba669")
    pen.oval(0, -83, 57, 13, "#8fb7b2")
    for x, y in ((-20, -84), (0, -87), (16, -82), (28, -86)):
        pen.oval(x, y, 12, 4, "#6f8d4a")
        pen.line("#4f6b34", 2, (x - 12, y + 1), (x + 12, y - 1))
    pen.steam(0, -150, -98, "#eef2f0")


def towel(pen: Pen, cloth: str = "#fbfbf8") -> None:
    """A folded towel hanging over an edge at the origin."""
    pen.box(-15, -6, 15, 44, cloth, 4)
    pen.box(-15, 26, 15, 31, "#7fa7c4")


def medicine_box(pen: Pen) -> None:
    """An open carton with blue print, its front on the origin."""
    pen.poly("#b98b58", (-120, -110), (-92, -142), (92, -142), (120, -110))
    pen.box(-120, -112, 120, 0, "#d3a570")
    pen.poly("#dfb784", (-120, -112), (-158, -84), (-152, -74), (-116, -100))
    pen.poly("#dfb784", (120, -112), (158, -84), (152, -74), (116, -100))
    blue = "#2f62b5"
    pen.box(-94, -52, 94, -46, blue)
    for x in (-76, -38, 0, 38, 76):
        pen.line(blue, 5, (x - 11, -30), (x + 11, -30))
        pen.line(blue, 5, (x, -38), (x, -12))
    pen.box(-10, -94, 10, -62, blue)
    pen.box(-20, -84, 20, -72, blue)


def pet_bowl(pen: Pen) -> None:
    """An empty cat bowl."""
    pen.poly("#d5624a", (-30, -18), (30, -18), (38, 0), (-38, 0))
    pen.oval(0, -18, 30, 8, "#f0e6dc")


def ticket_album(pen: Pen) -> None:
    """A dark green album with worn corners, lying flat."""
    pen.poly("#1d3d31", (-62, 4), (-50, -42), (50, -42), (62, 4))
    pen.poly("#2c5a47", (-62, 0), (-50, -46), (50, -46), (62, 0))
    pen.poly("#f1e6c8", (-20, -20), (-17, -34), (18, -34), (21, -20))
    for x, y in ((-58, -3), (57, -3), (-48, -43), (47, -43)):
        pen.oval(x, y, 4, 3, "#a9b59a")


def enamel_mug(pen: Pen) -> None:
    """A white enamel mug with a blue rim."""
    pen.ring(24, -26, 13, 14, "#f5f4ef", 5)
    pen.box(-22, -50, 22, 0, "#f8f7f2", 4)
    pen.box(-22, -50, 22, -44, "#2d5d9f", 2)


def flower_pot(pen: Pen, petal: str = "#f0c443") -> None:
    """A small pot of flowers."""
    for x, y in ((-14, -48), (0, -56), (14, -50), (-6, -42), (9, -40)):
        pen.line("#5d8a4b", 2.4, (0, -24), (x, y))
        pen.oval(x, y, 8, 7, petal)
        pen.oval(x, y, 3, 3, "#a9642a")
    pen.poly("#c7693f", (-20, -28), (20, -28), (14, 0), (-14, 0))
    pen.box(-22, -32, 22, -25, "#d67c50", 2)


def certificate(pen: Pen) -> None:
    """A framed certificate standing up."""
    pen.box(-82, -118, 82, 0, "#9c2f34", 3)
    pen.box(-72, -108, 72, -10, PAPER)
    pen.box(-46, -96, 46, -88, "#9c2f34", 3)
    for i, w in enumerate((52, 58, 44)):
        pen.line("#9d9586", 3, (-w, -74 + 14 * i), (w, -74 + 14 * i))
    pen.oval(42, -28, 14, 14, "#d24a3c")
    pen.oval(42, -28, 8, 8, "#f0b9a0")


def book(pen: Pen, cover: str, tall: float = 100) -> None:
    """A closed book standing on the origin, its cover to the front."""
    pen.box(-36, -tall, 40, 0, blend(cover, "#000000", 0.25), 3)
    pen.box(-34, -tall + 3, 42, -4, PAPER, 2)
    pen.box(-40, -tall, 34, 0, cover, 3)
    pen.box(-24, -tall + 18, 18, -tall + 34, blend(cover, "#ffffff", 0.7), 2)


def balloon(pen: Pen, paint: str) -> None:
    """A balloon on a string whose end is the origin."""
    pen.curve("#8b8178", 1.6, (0, 0), (8, -30), (0, -58))
    pen.poly(blend(paint, "#000000", 0.2), (-5, -56), (5, -56), (0, -64))
    pen.oval(0, -90, 26, 31, paint)
    pen.oval(-9, -102, 6, 9, blend(paint, "#ffffff", 0.55))


def envelope(pen: Pen) -> None:
    """An airmail envelope lying flat."""
    pen.poly("#fbf8ee", (-48, 0), (-40, -34), (46, -34), (54, 0))
    for i in range(6):
        paint = "#cf4036" if i % 2 else "#2e62ad"
        x = -46 + 16 * i
        pen.poly(paint, (x, -1), (x + 9, -1), (x + 10, -6), (x + 1, -6))
    pen.box(28, -30, 40, -18, "#cf6b5a")


def ink_bottle(pen: Pen) -> None:
    """A bottle of ink with a label."""
    pen.box(-9, -50, 9, -38, "#1d1f27", 3)
    pen.box(-24, -40, 24, 0, "#2a3350", 6)
    pen.box(-18, -28, 18, -8, "#f0ead8", 2)
