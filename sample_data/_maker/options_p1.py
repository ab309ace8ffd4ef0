"""Option images of Nora Veitch's questions."""

from __future__ import annotations

from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank
from mnemoscope.sample_data._maker.hearth import mint_pot, typewriter
from mnemoscope.sample_data._maker.outdoors import hills, huts, sky
from mnemoscope.sample_data._maker.people import swimmer
from mnemoscope.sample_data._maker.rooms import bars, lamp, room, tabletop, window
from mnemoscope.sample_data._maker.things import envelope, ink_bottle, writing_pen


def typewriter_letter() -> Pen:
    """A black portable typewriter with a letter, under a lamp."""
    page = tabletop("#6a6f66", "#7f5637", 190)
    lamp(page.at(400, 206, 1.25), "#a5482f")
    typewriter(page.at(196, 300, 1.5), "#34353a")
    envelope(page.at(384, 318, 1.2))
    envelope(page.at(420, 348, 1.2))
    return page


def knitting() -> Pen:
    """A striped scarf on needles in an armchair."""
    page = room("#c7cdbb", "#8d6a4b", 288)
    page.box(96, 60, 384, 300, "#7a5f74", 40)
    page.box(66, 170, 136, 318, "#8d7088", 24)
    page.box(344, 170, 414, 318, "#8d7088", 24)
    page.box(120, 220, 360, 300, "#9a7d95", 14)
    for i in range(8):
        paint = "#c7433a" if i % 2 else "#f1e3c8"
        page.box(176, 138 + 18 * i, 298, 157 + 18 * i, paint)
    page.line("#d9b36a", 6, (140, 148), (322, 128))
    page.line("#d9b36a", 6, (150, 118), (338, 140))
    page.curve("#c7433a", 3, (298, 250), (380, 300), (404, 326))
    page.oval(424, 326, 30, 27, "#c7433a")
    for dy in (-10, 0, 10):
        page.curve("#e0766c", 3, (400, 326 + dy), (424, 310 + dy), (448, 328 + dy))
    return page


def jigsaw() -> Pen:
    """A half-finished jigsaw of a lighthouse."""
    page = tabletop("#d9cdb9", "#a67a50", 60)
    page.box(60, 84, 330, 330, "#8ec3dd")
    page.box(60, 250, 330, 330, "#3f86a3")
    page.poly("#5d6a4d", (60, 270), (140, 230), (220, 270), (220, 330), (60, 330))
    page.poly("#f6f2e8", (128, 240), (140, 120), (168, 120), (180, 240))
    for y in (150, 196):
        page.poly("#c7433a", (133, y + 22), (137, y), (171, y), (175, y + 22))
    page.box(136, 96, 172, 122, "#f2c84b")
    page.dome(154, 98, 24, 18, "#c7433a")
    for i in range(1, 6):
        page.line("#6b8a96", 1.6, (60 + 45 * i, 84), (60 + 45 * i, 330))
        page.line("#6b8a96", 1.6, (60, 84 + 41 * i), (330, 84 + 41 * i))
    for x, y in ((285, 84), (240, 84), (285, 125), (285, 289), (240, 166)):
        page.box(x + 1, y + 1, x + 45, y + 41, "#a67a50")
    page.box(356, 190, 470, 336, "#2f5a78", 4)
    page.box(366, 200, 460, 326, "#e9e0cc")
    for i in range(12):
        paint = ("#8ec3dd", "#3f86a3", "#f6f2e8", "#c7433a")[i % 4]
        page.box(
            374 + 28 * (i % 3),
            210 + 28 * (i // 3),
            394 + 28 * (i % 3),
            228 + 28 * (i // 3),
            paint,
            5,
        )
    return page


def treadmill() -> Pen:
    """A treadmill in a gym."""
    page = room("#d5dde2", "#6d747b", 276)

    def town(pen: Pen) -> None:
        pen.fade(0, 0, 420, 130, "#a9d0ea", "#eef5f8")
        for i in range(9):
            pen.box(10 + 48 * i, 60 + (i * 29) % 44, 48 + 48 * i, 140, "#9aa8b3")

    window(page.at(30, 24), 420, 126, town, "#f4f6f7")
    page.box(30, 226, 160, 234, "#3b4047", 3)
    for x in (40, 84, 128):
        page.oval(x, 218, 12, 12, "#26292e")
        page.oval(x + 24, 218, 12, 12, "#26292e")
        page.box(x, 214, x + 24, 222, "#9aa1a8")
    page.poly("#2a2d32", (176, 320), (216, 290), (450, 290), (464, 320))
    page.box(170, 316, 470, 332, "#44494f", 6)
    page.line("#44494f", 12, (420, 300), (392, 150))
    page.box(340, 118, 424, 166, "#2a2d32", 8)
    page.box(350, 126, 414, 152, "#4fd0a8", 3)
    page.line("#6a7077", 9, (396, 180), (316, 196))
    return page


def road_bike() -> Pen:
    """A road bike leaning on a gate."""
    page = sky("#f6c98f", "#fdf1d4", 190)
    hills(page, 180, 54, "#9fb47d", 0.8)
    page.box(0, 186, WIDTH, HEIGHT, "#8fb562")
    page.poly("#cdbf9f", (0, 300), (480, 280), (480, HEIGHT), (0, HEIGHT))
    for y in (150, 186, 222, 258):
        page.box(40, y, 440, y + 11, "#a57a4e")
    for x in (44, 236, 428):
        page.box(x, 130, x + 12, 300, "#8a6340")
    for x in (146, 330):
        page.ring(x, 262, 62, 62, "#26282c", 7)
        page.ring(x, 262, 54, 54, "#b9bec3", 2)
        page.oval(x, 262, 6, 6, "#26282c")
    blue = "#3f93c9"
    page.line(blue, 8, (146, 262), (206, 262), (188, 178), (146, 262))
    page.line(blue, 8, (188, 182), (300, 176), (206, 262))
    page.line(blue, 8, (330, 262), (296, 160))
    page.line("#26282c", 7, (294, 160), (322, 154), (330, 176))
    page.box(166, 160, 214, 170, "#26282c", 5)
    return page


def lido_swimmer() -> Pen:
    """One swimmer in an outdoor pool at first light."""
    page = sky("#7d86b5", "#f6c6a8", 150)
    hills(page, 156, 46, "#6b7294", 0.3)
    huts(page.at(-10, 182, 1.12), 10, "#d9d6dc", "#3f6f9a")
    page.box(0, 180, WIDTH, 206, "#c9c0bd")
    page.fade(0, 206, WIDTH, HEIGHT, "#76c3cb", "#2688a0")
    for x in (40, 150, 270, 390):
        page.mist(x + 20, 236)
    swimmer(page.at(250, 296, 1.7), "#d8433c")
    return page


def yoga_mat() -> Pen:
    """A yoga mat, a block and a candle."""
    page = room("#e9e0d0", "#c9a06c", 220)
    page.poly("#8a6bb5", (70, 340), (150, 244), (330, 244), (410, 340))
    page.poly("#9d80c4", (86, 334), (156, 250), (324, 250), (394, 334))
    page.box(392, 250, 452, 288, "#8f5f38", 4)
    page.box(94, 206, 122, 252, "#f7f1e2", 4)
    page.line("#3a2c24", 2, (108, 206), (108, 198))
    page.glow(108, 190, 60, "#ffd98a", 0.5)
    page.oval(108, 190, 5, 10, "#ffb838")
    page.poly("#d6d0c4", (400, 222), (450, 222), (440, 170), (410, 170))
    for x, y in ((386, 90), (420, 66), (456, 96), (440, 126), (402, 130)):
        page.curve("#4d8a4a", 9, (425, 172), (424, 130), (x, y))
    return page


def espresso_machine() -> Pen:
    """A chrome espresso machine."""
    page = tabletop("#b7bfae", "#7d5a3f", 262)
    page.box(110, 70, 370, 300, "#c9d0d4", 14)
    page.box(110, 70, 370, 116, "#e7ecee", 12)
    page.box(136, 150, 344, 262, "#5b6469", 6)
    page.oval(240, 94, 21, 21, "#2b3034")
    page.oval(240, 94, 17, 17, "#fbfaf5")
    page.line("#c7433a", 3, (240, 94), (250, 83))
    page.box(206, 142, 274, 166, "#e7ecee", 4)
    page.line("#2b2624", 13, (240, 166), (330, 176))
    page.line("#5a3722", 4, (240, 170), (240, 214))
    page.box(216, 214, 264, 252, "#fbfaf5", 6)
    page.box(96, 292, 384, 310, "#9aa3a8", 5)
    for x in (150, 206):
        page.box(x, 38, x + 40, 70, "#fbfaf5", 6)
        page.ring(x + 42, 54, 9, 9, "#fbfaf5", 4)
    return page


def soda_siphon() -> Pen:
    """A soda siphon and two tumblers."""
    page = tabletop("#e7d7d2", "#8a6a55", 250)
    page.box(104, 120, 196, 318, "#3f86c9", 26)
    page.box(116, 140, 128, 300, "#8fc3ee", 6)
    page.poly("#3f86c9", (120, 130), (180, 130), (164, 80), (136, 80))
    page.box(126, 52, 174, 88, "#c3cacf", 5)
    page.line("#c3cacf", 12, (170, 62), (214, 74), (216, 96))
    page.line("#9aa3a8", 9, (130, 54), (98, 84))
    for x in (268, 372):
        page.poly("#e2eff3", (x, 190), (x + 78, 190), (x + 68, 318), (x + 10, 318))
        page.poly("#bfe0ea", (x + 4, 224), (x + 74, 224), (x + 67, 314), (x + 11, 314))
        for dx, y in ((16, 228), (38, 216), (28, 252)):
            page.box(x + dx, y, x + dx + 24, y + 23, "#f8fcfd", 4)
    return page


def decanter() -> Pen:
    """A decanter of red wine and two glasses."""
    page = tabletop("#5b5260", "#6b4630", 250)
    page.glow(240, 120, 200, "#ffd9a0", 0.3)
    page.oval(240, 322, 210, 24, "#b9a06a")
    page.oval(240, 318, 196, 20, "#d9c48c")
    page.poly("#e3e9ee", (138, 120), (174, 120), (170, 210), (142, 210))
    page.bowl(156, 206, 78, 110, "#d9e1e8")
    page.oval(156, 208, 78, 16, "#d9e1e8")
    page.bowl(156, 238, 70, 74, "#8a1f33")
    page.oval(156, 238, 70, 14, "#a93048")
    page.oval(156, 104, 22, 22, "#eef3f6")
    for x in (290, 390):
        page.bowl(x, 160, 40, 76, "#e3e9ee")
        page.bowl(x, 186, 35, 48, "#8a1f33")
        page.oval(x, 186, 35, 8, "#a93048")
        page.line("#e3e9ee", 5, (x, 234), (x, 312))
        page.oval(x, 314, 30, 7, "#e3e9ee")
    return page


def mint_sill() -> Pen:
    """A pot of growing mint with scissors on a sill."""
    page = blank("#e3d8c3")

    def garden(pen: Pen) -> None:
        pen.fade(0, 0, 400, 230, "#c3e0ee", "#f7f3dc")
        hills(pen.at(-30, 0), 220, 60, "#a9c68a", 0.6)

    window(page.at(40, -20), 400, 250, garden)
    bars(page.at(40, -20), 400, 250)
    page.box(0, 268, WIDTH, HEIGHT, "#f1e8d6")
    page.box(0, 268, WIDTH, 276, "#d3c5a9")
    mint_pot(page.at(214, 318, 1.75))
    for x in (366, 396):
        page.ring(x, 326, 13, 10, "#c7433a", 5)
    page.line("#aeb5bb", 5, (372, 318), (430, 288))
    page.line("#aeb5bb", 5, (394, 316), (398, 282))
    return page


def notebook_ink() -> Pen:
    """A blank ledger bound in blue cloth, ink and a pen."""
    page = tabletop("#cfc7b4", "#94653f", 150)
    page.poly("#1e3552", (60, 336), (104, 214), (316, 214), (340, 336))
    page.poly("#f4eedd", (64, 326), (106, 206), (314, 206), (336, 326))
    page.poly("#2f5480", (60, 318), (104, 200), (316, 200), (340, 318))
    page.poly("#c9a24a", (88, 244), (96, 222), (310, 222), (313, 244))
    page.poly("#2f5480", (92, 240), (98, 226), (306, 226), (309, 240))
    ink_bottle(page.at(406, 262, 1.7))
    writing_pen(page.at(352, 306, 1.5), "#22304f", "#d8a83e")
    return page


def tablet() -> Pen:
    """A tablet with a calendar app."""
    page = tabletop("#cdd6dc", "#d9d3c8", 230)
    page.poly("#8d959c", (200, 318), (280, 318), (260, 240), (220, 240))
    page.box(84, 50, 396, 274, "#22252a", 16)
    page.box(98, 64, 382, 260, "#fbfcfd", 4)
    page.box(98, 64, 382, 92, "#3f74c9")
    for i in range(5):
        for j in range(7):
            paint = ("#e9eef2", "#f2b45a", "#e9eef2", "#7fc79a", "#e9eef2", "#e58a8a")[
                (i * 5 + j * 2) % 6
            ]
            page.box(106 + 39 * j, 102 + 31 * i, 140 + 39 * j, 128 + 31 * i, paint, 3)
    page.line("#f4f4f2", 8, (150, 340), (330, 330))
    return page


def label_printer() -> Pen:
    """A label printer with a strip of barcodes."""
    page = tabletop("#d3dbd2", "#b9b2a6", 236)
    page.box(70, 130, 300, 312, "#f4f5f4", 18)
    page.box(70, 130, 300, 178, "#dfe3e4", 16)
    page.box(94, 196, 276, 212, "#3a3f45", 4)
    page.oval(262, 154, 9, 9, "#4fc07a")
    page.poly("#fdfdfb", (110, 206), (260, 206), (268, 346), (102, 346))
    for row in (228, 290):
        for i in range(16):
            x = 122 + 8 * i
            page.box(x, row, x + 2 + (i * 3) % 5, row + 40, "#1e2124")
    page.curve("#3a3f45", 5, (300, 280), (350, 340), (384, 300))
    page.box(372, 176, 446, 312, "#22252a", 10)
    page.box(379, 186, 439, 300, "#8fb9e0", 3)
    return page


def microphone() -> Pen:
    """A studio microphone with a round screen, and headphones."""
    page = tabletop("#b9b3c6", "#6f5a4b", 250)
    page.box(110, 316, 230, 332, "#26282c", 7)
    page.line("#26282c", 9, (170, 320), (170, 250))
    page.box(130, 80, 210, 252, "#33363c", 36)
    page.box(136, 86, 204, 160, "#7d848c", 30)
    for y in (104, 120, 136):
        page.line("#565c63", 3, (142, y), (198, y))
    page.ring(252, 130, 56, 62, "#1d1f22", 8)
    page.oval(252, 130, 49, 55, "#4a4d55")
    page.curve("#26282c", 15, (330, 290), (382, 110), (434, 290))
    for x in (330, 434):
        page.box(x - 22, 244, x + 22, 322, "#8a3b45", 18)
    return page


def record_player() -> Pen:
    """A portable record player in a green case."""
    page = tabletop("#e3d6c3", "#9c6b3f", 230)
    page.poly("#7d9c82", (76, 190), (96, 60), (384, 60), (404, 190))
    page.poly("#a8c2aa", (94, 182), (110, 74), (370, 74), (386, 182))
    page.box(66, 186, 414, 316, "#8fae92", 12)
    page.box(66, 290, 414, 316, "#6f8d73", 8)
    page.oval(204, 238, 116, 44, "#1d1c1f")
    page.oval(204, 238, 84, 31, "#2d2c30")
    page.oval(204, 238, 34, 13, "#c7433a")
    page.oval(204, 238, 4, 2, "#f4efe2")
    page.line("#d5dadd", 7, (366, 212), (352, 256), (282, 250))
    page.oval(368, 210, 15, 8, "#9aa3a8")
    return page


def adding_machine() -> Pen:
    """A beige adding machine with a crank and a paper roll."""
    page = tabletop("#c3cbd1", "#7d5a3f", 230)
    page.box(150, 40, 300, 130, "#fbf9f1")
    for i in range(4):
        page.line("#8d8577", 3, (176, 56 + 17 * i), (262, 56 + 17 * i))
    page.oval(225, 126, 92, 24, "#e9e4d6")
    page.poly("#d9c9a4", (110, 130), (340, 130), (384, 318), (66, 318))
    page.poly("#b9a67c", (66, 318), (384, 318), (390, 336), (60, 336))
    for i in range(4):
        for j in range(5):
            paint = "#c7433a" if j == 4 else "#f7f2e2"
            page.oval(140 + 44 * j + (j - 2) * 4 * i, 172 + 37 * i, 15, 12, paint)
    page.line("#5b6469", 10, (366, 230), (426, 210), (432, 150))
    page.oval(432, 144, 13, 17, "#2b2624")
    return page


def typewriter_green() -> Pen:
    """The sage-green portable typewriter."""
    page = tabletop("#d9cfbf", "#9c6b3f", 210)
    typewriter(page.at(240, 318, 1.62))
    return page


def typewriter_black() -> Pen:
    """A tall black office typewriter."""
    page = tabletop("#cfd3cb", "#a67a50", 230)
    page.box(118, 62, 362, 232, "#26262a", 16)
    page.box(134, 120, 346, 140, "#d8a83e", 3)
    page.box(176, 160, 304, 214, "#3b3c41", 20)
    typewriter(page.at(240, 322, 1.5), "#2b2c30", "#f1efe8")
    return page
