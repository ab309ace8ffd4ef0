"""Photographs from Nora Veitch's year. The cue object of a scene stands cut off at an edge."""

from __future__ import annotations

from mnemoscope.sample_data._maker.animals import greyhound_lying, greyhound_sitting
from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank
from mnemoscope.sample_data._maker.food import cake, jar, orange, plate, toast
from mnemoscope.sample_data._maker.hearth import (
    axe,
    kettle,
    log_basket,
    log_stack,
    mint_glass,
    music_sheet,
    open_ledger,
    piano_action,
    ribbon_tin,
    stove,
    typewriter,
    upright,
)
from mnemoscope.sample_data._maker.outdoors import hills, huts, rain, sky
from mnemoscope.sample_data._maker.people import bow_tie, singer, swimmer
from mnemoscope.sample_data._maker.rooms import (
    bars,
    chair_back,
    lamp,
    room,
    sofa,
    tabletop,
    window,
)
from mnemoscope.sample_data._maker.things import balloon, envelope, ink_bottle, writing_pen


def _arched(page: Pen, x: float, glass: str) -> None:
    pen = page.at(x, 0)
    pen.dome(0, 66, 46, 56, "#b7a78c")
    pen.box(-46, 64, 46, 196, "#b7a78c")
    pen.dome(0, 68, 38, 48, glass)
    pen.box(-38, 66, 38, 190, glass)
    pen.box(-3, 20, 3, 190, "#b7a78c")
    for y in (66, 108, 150):
        pen.box(-38, y, 38, y + 5, "#b7a78c")


def chapel_upright() -> Pen:
    """The chapel piano with its front off, and what was inside it."""
    page = room("#e8e2d2", "#7a5a42", 286)
    _arched(page, 396, "#bcd6e0")
    page.poly("#f5efdc", (360, 286), (440, 286), (400, 346), (300, 346))
    upright(page.at(196, 320, 1.22))
    for i, paint in enumerate(("#7b2d33", "#2f4f6b", "#7b2d33", "#3d5a40")):
        page.box(366, 318 - 11 * i, 426, 328 - 11 * i, paint, 2)
    page.poly("#b9683f", (440, 300), (472, 300), (466, 334), (446, 334))
    for x, y in ((446, 268), (456, 258), (468, 270)):
        page.line("#8a7350", 3, (456, 300), (x, y))
        page.oval(x, y, 6, 4, "#9b8258")
    page.line("#4b5a66", 7, (330, 338), (352, 292))
    page.line("#24282c", 5, (344, 288), (362, 296))
    return page


def marmalade_kitchen() -> Pen:
    """Jars in the light; the kettle and the mint are cut off on the left."""
    page = tabletop("#dfe3d2", "#c79a66", 214)

    def garden(pen: Pen) -> None:
        pen.fade(0, 0, 330, 150, "#d9ecf4", "#f7f3da")
        hills(pen.at(-60, 0), 140, 40, "#a9c08a", 0.4)

    window(page.at(116, 16), 320, 138, garden)
    bars(page.at(116, 16), 320, 138)
    for i in range(6):
        jar(page.at(176 + 54 * i, 246 - 3 * (i % 2), 1.08))
    page.poly("#b07a45", (176, 336), (204, 274), (444, 274), (462, 336))
    page.poly("#d4a068", (176, 330), (204, 270), (444, 270), (462, 330))
    for x, y, cut in ((248, 318, True), (312, 306, True), (372, 320, False), (420, 306, True)):
        orange(page.at(x, y, 1.1), cut)
    page.line("#c9ced3", 7, (262, 326), (344, 329))
    kettle(page.at(10, 292, 1.42))
    mint_glass(page.at(120, 302, 1.15))
    return page


def ledger_desk() -> Pen:
    """The red ledger; a third of the typewriter shows on the right."""
    page = tabletop("#8d9a8a", "#9c6b3f", 176)
    lamp(page.at(70, 192, 1.2), "#a5482f")
    open_ledger(page.at(190, 326, 1.08))
    writing_pen(page.at(30, 290, 1.0), "#e0b23c", "#3a2e22")
    writing_pen(page.at(24, 318, 1.0), "#22304f", "#d8a83e")
    typewriter(page.at(474, 292, 1.42))
    ribbon_tin(page.at(394, 348, 1.1))
    return page


def lido_dawn() -> Pen:
    """The pool before seven."""
    page = sky("#f2a98f", "#fbe3c4", 150)
    hills(page, 150, 50, "#8d8f9c", 2.2)
    huts(page.at(-10, 176, 1.12), 10)
    page.box(0, 174, WIDTH, 204, "#e9e1d2")
    page.fade(0, 204, WIDTH, HEIGHT, "#6fd0cf", "#2aa3ae")
    for x in (96, 240, 384):
        page.line("#fbf6ea", 3, (240 + (x - 240) * 0.8, 206), (240 + (x - 240) * 1.5, 360))
    for x, y in ((60, 226), (180, 216), (320, 232), (430, 218)):
        page.mist(x, y)
    swimmer(page.at(176, 276, 1.1), "#e0483c")
    swimmer(page.at(330, 318, 1.35), "#f3c23c")
    duck = page.at(66, 200)
    duck.oval(0, -10, 20, 11, "#8a7a66")
    duck.oval(19, -24, 10, 9, "#2f7a55")
    duck.poly("#e9b83a", (27, -25), (40, -22), (27, -20))
    return page


def sofa_cast() -> Pen:
    """Cass and Percy on the sofa; the stove and the log basket are cut off on the left."""
    page = room("#b9a98c", "#80583c", 286)
    page.box(206, 34, 296, 104, "#6f4a33")
    page.box(213, 41, 289, 97, "#cfe0d8")
    page.poly("#7fa37a", (213, 97), (240, 66), (262, 84), (276, 72), (289, 97))
    page.glow(10, 210, 210, "#ffb060", 0.35)
    sofa(page.at(338, 318, 1.36), 226, "#d6a43a")
    woman(page.at(290, 286, 1.28))
    greyhound_sitting(page.at(404, 312, 0.98).mirrored())
    stove(page.at(8, 318, 1.3))
    log_basket(page.at(122, 342, 0.92))
    return page


def woman(pen: Pen) -> None:
    """Cass sitting, with her cast; the seat is on the origin."""
    pen.box(-30, -20, 46, 8, "#3f5570", 10)
    for x in (-24, 20):
        pen.box(x, -6, x + 20, 40, "#3f5570", 6)
    pen.box(-32, -88, 34, -10, "#4d7a56", 14)
    pen.oval(0, -114, 25, 29, "#f0c4a0")
    pen.dome(0, -120, 27, 26, "#b9572b")
    pen.poly("#b9572b", (-27, -120), (4, -126), (-20, -104))
    for i in range(6):
        pen.oval(-24 - i, -98 + 11 * i, 8, 8, "#b9572b" if i % 2 else "#9c4522")
    for x in (-9, 9):
        pen.oval(x, -114, 3, 3.4, "#2c211b")
    for i in range(8):
        pen.oval(-14 + 4 * i, -105 + (i % 2) * 3, 1.4, 1.4, "#c47d4c")
    pen.curve("#a8453f", 3, (-9, -100), (0, -92), (10, -100))
    pen.line("#4d7a56", 18, (28, -74), (44, -44))
    pen.line("#8a52b0", 19, (44, -44), (16, -26))
    pen.oval(6, -23, 8, 7, "#f0c4a0")
    pen.line("#4d7a56", 17, (-26, -74), (-34, -40))


def dog_under_table() -> Pen:
    """Percy under the table with a glove, balloons above."""
    page = room("#e6d3b4", "#a9835c", 262)
    chair_back(page.at(404, 300, 1.2))
    balloon(page.at(372, 136, 1.0), "#d8433c")
    balloon(page.at(410, 126, 1.15), "#f0c23c")
    balloon(page.at(446, 140, 1.0), "#3f78b8")
    page.oval(206, 152, 160, 26, "#8a5a38")
    page.oval(206, 146, 160, 25, "#b8804f")
    for x in (78, 326):
        page.line("#8a5a38", 11, (x + (206 - x) * 0.12, 160), (x, 336))
    cake(page.at(206, 150, 1.15))
    page.oval(206, 332, 190, 20, "#8c6a48")
    greyhound_lying(page.at(196, 328, 1.12))
    glove = page.at(66, 338)
    glove.box(-22, -24, 14, 0, "#5f9a4a", 8)
    for i in range(4):
        glove.box(-44, -24 + 7 * i, -16, -19 + 7 * i, "#5f9a4a", 3)
    glove.box(10, -26, 24, 2, "#e5ddc6", 3)
    return page


def rain_window() -> Pen:
    """The window seat in the rain; the kettle and the mint tea are cut off on the right."""
    page = blank("#cfc4ac")

    def wet(pen: Pen) -> None:
        pen.fade(0, 0, 420, 190, "#a9b6bd", "#c3ccce")
        hills(pen.at(-30, 0), 168, 74, "#93a2a6", 0.9)
        hills(pen.at(-10, 24), 168, 50, "#7d8f92", 2.4)
        rain(pen, 420, 190, "#eef3f5", 70)

    window(page.at(28, 22), 424, 186, wet)
    for x in (166, 308):
        page.box(x, 22, x + 8, 208, "#f3ead9")
    page.box(0, 232, WIDTH, 250, "#e8dcc4")
    page.box(0, 250, WIDTH, HEIGHT, "#3f6d97")
    page.box(0, 250, WIDTH, 258, "#5b89b3")
    for x in (120, 300):
        page.oval(x, 306, 5, 4, "#2d5379")
    page.poly("#f6efdf", (106, 300), (170, 288), (236, 296), (246, 338), (176, 334), (112, 346))
    page.poly("#a94b4f", (104, 294), (168, 276), (176, 326), (110, 340))
    page.poly("#8c3b3f", (168, 276), (238, 288), (248, 332), (176, 326))
    page.box(372, 236, 500, 246, "#b0563a", 2)
    kettle(page.at(462, 240, 1.25).mirrored())
    mint_glass(page.at(350, 246, 1.3), tea=True)
    return page


def action_bench() -> Pen:
    """The piano action on the bench; the stove and the logs are cut off on the right."""
    page = tabletop("#a58f72", "#8d6440", 214)
    for i in range(5):
        x = 36 + 58 * i
        page.box(x, 46, x + 8, 92, "#8d959c", 2)
        page.box(x - 5, 92, x + 13, 132, ("#c23b33", "#2f62a8", "#d9a23a")[i % 3], 5)
    page.box(14, 36, 300, 44, "#5b4330")
    page.line("#3a3128", 3, (170, 0), (170, 30))
    page.glow(170, 56, 170, "#ffe6ae", 0.5)
    page.poly("#34404a", (132, 60), (150, 28), (190, 28), (208, 60))
    page.at(456, 0).glow(0, 200, 170, "#ff9a4a", 0.3)
    stove(page.at(462, 300, 1.25), door_open=True)
    piano_action(page.at(184, 290, 1.18), 296)
    for dx in (0, 16):
        page.line("#c23b33", 8, (70 + dx, 342), (120, 322 + dx))
    page.line("#9aa1a8", 7, (120, 328), (150, 322))
    page.box(214, 326, 256, 338, "#d9a23a", 5)
    page.box(256, 330, 316, 334, "#aeb5bb")
    log_stack(page.at(420, 356, 1.0), 3, 3)
    axe(page.at(384, 352, 1.0))
    return page


def rye_breakfast() -> Pen:
    """Rye toast and marmalade, a swimming cap drying on the chair."""
    page = tabletop("#d8dccb", "#c99d6c", 190)
    chair_back(page.at(392, 236, 1.2))
    page.box(352, 84, 416, 170, "#5fa8b8", 4)
    page.box(352, 140, 416, 150, "#f2efe4")
    page.dome(432, 100, 27, 26, "#e0483c")
    page.box(405, 98, 459, 105, "#b9362d", 3)

    def frost(pen: Pen) -> None:
        pen.fade(0, 0, 190, 130, "#c7dbe6", "#f3efe2")
        hills(pen.at(-120, -20), 160, 40, "#9fb39a", 1.2)

    window(page.at(66, 18), 190, 130, frost)
    bars(page.at(66, 18), 190, 130)
    plate(page.at(188, 290, 1.0), 152)
    toast(page.at(134, 282, 1.25))
    toast(page.at(240, 292, 1.25))
    jar(page.at(388, 312, 1.4))
    page.line("#c9ced3", 8, (330, 336), (440, 330))
    page.box(436, 324, 490, 337, "#6a4630", 5)
    return page


def music_desk() -> Pen:
    """Large parts under the lamp; half of the typewriter shows on the left."""
    page = tabletop("#4d5650", "#5d3f2b", 186)
    lamp(page.at(330, 200, 1.2), "#a5482f")
    for x, y in ((224, 306), (322, 330), (424, 304)):
        music_sheet(page.at(x, y, 0.98))
    ink_bottle(page.at(448, 218, 0.95))
    writing_pen(page.at(388, 336), "#22304f", "#d8a83e")
    typewriter(page.at(16, 286, 1.36))
    envelope(page.at(96, 336, 1.05))
    envelope(page.at(132, 352, 1.05))
    return page


def chapel_concert() -> Pen:
    """The concert by candlelight."""
    page = room("#5d4a44", "#4a3328", 286)
    _arched(page, 300, "#27364f")
    for i in range(22):
        page.oval(266 + 68 * (i * 0.7549 % 1), 40 + 144 * (i * 0.5698 % 1), 2, 2, "#eef3f8")
    for i in range(3):
        page.box(214 - 4 * i, 226 + 30 * i, 474, 258 + 30 * i, ("#d9b98a", "#c9a776", "#b89463")[i])
    people = (("#2b211c", "#8a5a3c"), ("#b9a28a", "#e9c3a2"), ("#6b3f22", "#d8a47c"))
    for row in range(3):
        for i in range(6):
            hair, skin = people[(i + 2 * row) % 3]
            singer(page.at(240 + 40 * i - 8 * (row % 2), 226 + 30 * row, 1.0), hair, skin)
    page.glow(96, 150, 150, "#ffca70", 0.4)
    upright(page.at(96, 312, 0.94), opened=False)
    page.poly("#4a2d1c", (-22, 118), (212, 118), (200, 92), (-12, 92))
    for x, coat, hair, skin in (
        (78, "#23222b", "#d8d4cc", "#6b4630"),
        (132, "#7a2f45", "#a9592e", "#efc19c"),
    ):
        tall = 1.0 if x < 100 else 0.78
        pen = page.at(x, 330, tall)
        pen.box(-26, -92, 26, 0, coat, 12)
        pen.oval(0, -112, 20, 23, skin)
        pen.dome(0, -118, 21, 20, hair)
        for side in (-7, 7):
            pen.oval(side, -111, 2, 2.4, "#231a16")
        pen.curve("#7d2f2c", 2.4, (-7, -101), (0, -96), (7, -101))
        bow_tie(pen.at(0, -86, 1.3))
    page.box(40, 324, 170, 336, "#3a241a", 3)
    for x in (24, 180, 244, 356, 456):
        page.glow(x, 22 if x > 200 else 76, 46, "#ffd98a", 0.6)
        page.box(x - 3, 30 if x > 200 else 80, x + 3, 52 if x > 200 else 94, "#f7efdc")
        page.oval(x, 24 if x > 200 else 74, 3.4, 7, "#ffb838")
    dog = page.at(330, 344, 0.72)
    greyhound_lying(dog)
    dog.poly("#b5303c", (-42, -62), (-12, -78), (0, -34), (-34, -28))
    dog.line("#2d5a3c", 4, (-34, -58), (-6, -44))
    return page
