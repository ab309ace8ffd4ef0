"""Option images of Xu Ting's questions."""

from __future__ import annotations

from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank
from mnemoscope.sample_data._maker.food import (
    burger,
    chopsticks,
    croissant,
    fries,
    iced_coffee,
    noodles,
    plate,
    rice_sheets,
    soup_bowl,
    taro_cakes,
)
from mnemoscope.sample_data._maker.outdoors import (
    aeroplane,
    bench,
    bullet,
    car,
    cloud,
    coach,
    hills,
    rails,
    roofs,
    sky,
    tent,
    tree,
    water,
)
from mnemoscope.sample_data._maker.rooms import (
    chair_back,
    curtain,
    lamp,
    night_desk,
    room,
    tabletop,
    window,
)
from mnemoscope.sample_data._maker.things import (
    gear,
    gear_dish,
    mantel_clock,
    screwdriver,
    sparrow,
)


def erhu_evening() -> Pen:
    """An erhu leaning on a chair."""
    page = room("#d9b48a", "#7d5236", 276)
    chair_back(page.at(220, 300, 1.5), "#7a4a2d")
    page.box(140, 216, 300, 234, "#8f5a38", 4)
    page.line("#5a2a18", 9, (262, 42), (226, 262))
    for y in (70, 92):
        page.line("#3a1c10", 8, (236, y), (272, y + 5))
    page.line("#efe3c8", 1.6, (256, 80), (224, 236))
    page.box(196, 232, 252, 284, "#6b2f1a", 6)
    page.oval(224, 258, 20, 20, "#c9b48c")
    page.curve("#b98a55", 5, (300, 120), (344, 190), (300, 262))
    page.line("#f3ead6", 2.4, (300, 122), (300, 262))
    page.line("#43362c", 5, (404, 336), (404, 180))
    page.poly("#43362c", (356, 118), (452, 118), (460, 184), (348, 184))
    page.poly("#fbf7ec", (362, 110), (446, 110), (452, 176), (356, 176))
    for y in (124, 138, 152, 166):
        page.line("#9d9586", 2, (368, y), (440, y))
    return page


def model_ship() -> Pen:
    """A three-masted model ship on a bench."""
    page = tabletop("#bccbd2", "#b07d4f", 262)
    pen = page.at(236, 276)
    pen.poly("#7a4526", (-150, -60), (168, -66), (120, -6), (-112, -6))
    pen.poly("#e0c48e", (-150, -60), (168, -66), (162, -54), (-146, -48))
    for x, h in ((-84, 178), (8, 214), (92, 168)):
        pen.line("#5d3a22", 6, (x, -60), (x, -h - 24))
        for top, low, w in ((-h, -h + 60, 34), (-h + 66, -74, 46)):
            pen.poly("#f3e8cc", (x - w, top), (x + w, top), (x + w + 9, low), (x - w - 4, low))
    pen.poly("#f3e8cc", (120, -150), (196, -76), (124, -76))
    page.box(186, 268, 300, 282, "#5d3a22", 3)
    page.box(388, 290, 416, 340, "#f1efe6", 4)
    page.poly("#d9a23a", (394, 290), (410, 290), (402, 268))
    page.line("#9aa1a8", 5, (66, 330), (142, 318))
    page.line("#9aa1a8", 5, (66, 338), (142, 318))
    return page


def clock_repair() -> Pen:
    """An opened mantel clock under a lamp with tools."""
    page = night_desk()
    lamp(page.at(84, 220, 1.3))
    page.poly("#2f5a48", (120, 346), (160, 236), (470, 236), (478, 346))
    mantel_clock(page.at(256, 306, 1.3), door_open=True)
    for x, y, r in ((352, 262, 17), (388, 272, 12), (366, 292, 9)):
        gear(page.at(x, y), r)
    for i, paint in enumerate(("#c23b33", "#2f69b8", "#d9a23a")):
        screwdriver(page.at(334, 314 + 13 * i, 1.2), paint)
    gear_dish(page.at(438, 276, 0.9))
    return page


def watercolour() -> Pen:
    """An unfinished watercolour of the sea."""
    page = tabletop("#e7dcc8", "#b98b5f", 120)
    page.poly("#8a6a48", (86, 326), (120, 74), (370, 74), (404, 326))
    page.poly("#fcf9f0", (106, 312), (136, 88), (354, 88), (384, 312))
    page.poly("#bfe0ec", (133, 112), (357, 112), (366, 190), (123, 190))
    page.poly("#4f9db5", (123, 190), (366, 190), (373, 252), (115, 252))
    page.poly("#86c0c9", (116, 236), (260, 226), (330, 258), (114, 262))
    page.poly("#e9cf9c", (114, 254), (270, 246), (318, 282), (110, 284))
    page.oval(310, 140, 17, 15, "#f6c65a")
    page.poly("#fcf9f0", (196, 190), (204, 152), (232, 190))
    page.poly("#9c4a3a", (188, 190), (240, 190), (230, 200), (198, 200))
    page.box(14, 262, 92, 342, "#2e2f33", 6)
    for i, paint in enumerate(("#d4443a", "#f0b93c", "#4f9db5", "#5a9a55", "#7a559a", "#c07a4a")):
        page.oval(34 + 38 * (i % 2), 282 + 22 * (i // 2), 14, 8, paint)
    for dx in (0, 22):
        page.line("#c98a4a", 6, (414 + dx, 336), (446 + dx, 210))
        page.line("#3a2c24", 8, (446 + dx, 210), (450 + dx, 192))
    return page


def airport_lounge() -> Pen:
    """An aeroplane outside a departure lounge."""
    page = blank("#d9dee2")

    def apron(pen: Pen) -> None:
        pen.fade(0, 0, 480, 160, "#8fc3ea", "#e2f1f8")
        pen.box(0, 160, 480, 240, "#a9b0b5")
        aeroplane(pen.at(230, 176, 1.4))

    window(page.at(0, 26), 480, 208, apron, "#e9edf0")
    for x in (150, 318):
        page.box(x, 26, x + 7, 234, "#c3cad0")
    page.box(0, 250, WIDTH, HEIGHT, "#bfc6cb")
    for i in range(5):
        x = 26 + 62 * i
        page.box(x, 226, x + 52, 278, "#33577c", 8)
        page.box(x, 270, x + 52, 292, "#41688f", 5)
    page.box(26, 292, 326, 298, "#55606a")
    page.box(380, 236, 448, 334, "#c7433a", 8)
    page.box(398, 206, 430, 240, "#c7433a")
    page.box(405, 213, 423, 240, "#bfc6cb")
    for x in (396, 414, 432):
        page.line("#a2322b", 3, (x, 246), (x, 324))
    return page


def bullet_train() -> Pen:
    """A fast train at a raised platform."""
    page = sky("#7fbdf0", "#e6f3fb", 250)
    cloud(page.at(90, 60))
    cloud(page.at(350, 90, 0.8))
    hills(page, 236, 34, "#9fc29a", 2.0)
    page.box(0, 258, WIDTH, 290, "#8d959b")
    bullet(page.at(250, 268, 1.35))
    page.box(0, 288, WIDTH, HEIGHT, "#cfd3d6")
    page.box(0, 296, WIDTH, 306, "#f2d04a")
    page.box(420, 20, 432, 300, "#a9b2b9")
    page.poly("#c3cad0", (330, 12), (WIDTH, 12), (WIDTH, 34), (350, 34))
    return page


def camping_car() -> Pen:
    """A red car and a tent by a lake."""
    page = sky("#84c2ea", "#dff0f5", 180)
    cloud(page.at(110, 60, 0.9))
    cloud(page.at(330, 46, 0.7))
    hills(page, 170, 60, "#7ea58a", 1.7)
    water(page, 168, "#6fb3cb", "#d6eef4")
    page.box(0, 216, WIDTH, HEIGHT, "#86b45a")
    page.box(0, 216, WIDTH, 224, "#a2ca74")
    tree(page.at(430, 240, 1), "#4d8a4a", 1.3)
    car(page.at(146, 320, 1.4))
    tent(page.at(344, 324, 1.25))
    return page


def green_train_hills() -> Pen:
    """A green slow train coming to a small platform between hills."""
    page = sky("#a9d4ea", "#f2f3dc", 190)
    hills(page, 176, 84, "#8bb48c", 0.4)
    hills(page, 214, 62, "#5f9564", 1.9)
    page.box(0, 216, WIDTH, HEIGHT, "#a4b878")
    rails(page, 250)
    coach(page.at(-40, 262, 1.2), 178, "#2f7a54", "#e7c64a")
    coach(page.at(182, 262, 1.2), 178, "#2f7a54", "#e7c64a")
    page.box(0, 290, WIDTH, HEIGHT, "#c2b8a6")
    page.box(0, 290, WIDTH, 297, "#e3d9c3")
    bench(page.at(378, 344, 1.0))
    tree(page.at(84, 350, 1), "#4f8a50", 0.9)
    return page


def _sill(day: str = "#cfe6f2") -> Pen:
    page = blank("#e3d3ba")

    def view(pen: Pen) -> None:
        pen.fade(0, 0, 360, 240, day, "#fbf3df")
        roofs(pen.at(-40, 0), 210, "#7c8590")

    window(page.at(60, -20), 360, 250, view, "#f3ead9")
    page.box(0, 244, WIDTH, 276, "#b98353")
    page.box(0, 244, WIDTH, 251, "#d29d6c")
    page.box(0, 276, WIDTH, HEIGHT, "#d9c6a8")
    return page


def silk_flowers() -> Pen:
    """A vase of silk flowers on a sill."""
    page = _sill()
    curtain(page.at(0, 0), 92, 250, "#f3e7ea")
    page.poly("#fbfaf6", (208, 250), (216, 160), (264, 160), (272, 250))
    page.oval(240, 160, 26, 7, "#e6e2d8")
    for x, y in ((190, 96), (224, 70), (262, 74), (296, 104), (240, 112), (208, 128), (276, 132)):
        page.line("#5d8a4b", 3, (240, 160), (x, y))
        page.oval(x, y, 21, 19, "#e98aa6")
        page.oval(x, y, 12, 11, "#f7bccb")
        page.oval(x, y, 4, 4, "#f2d36a")
    return page


def seed_tray() -> Pen:
    """A wooden feeder on the outside of the pane with a sparrow."""
    page = _sill()
    page.poly("#9a6238", (152, 104), (240, 56), (328, 104), (318, 112), (240, 70), (162, 112))
    page.box(166, 104, 178, 204, "#b67b48")
    page.box(302, 104, 314, 204, "#b67b48")
    page.box(154, 192, 326, 214, "#a46b3c", 3)
    page.oval(240, 194, 76, 9, "#e0b052")
    for i in range(14):
        page.oval(176 + 9.6 * i, 192 + (i * 3) % 6, 3.4, 2.4, "#f5d588")
    for x in (172, 308):
        page.ring(x, 120, 12, 12, "#dfeef2", 4)
    sparrow(page.at(228, 190, 1.9))
    return page


def fish_tank() -> Pen:
    """A fish tank beside the window."""
    page = _sill("#d9e3ea")
    page.box(96, 84, 384, 250, "#dff1f4", 5)
    page.fade(104, 108, 376, 242, "#8fd0de", "#4fa7bd")
    page.box(104, 226, 376, 242, "#f1ebda")
    for x in (136, 156, 330, 350):
        page.curve("#3f8a4c", 8, (x, 230), (x + 16, 180), (x - 4, 136))
    for x, y, k in ((200, 150, 1.0), (270, 188, 1.2), (246, 126, 0.8)):
        fish = page.at(x, y, k)
        fish.oval(0, 0, 26, 14, "#f2792b")
        fish.poly("#f7a04d", (-22, 0), (-46, -16), (-46, 16))
        fish.oval(13, -3, 3, 3, "#1e1a18")
    return page


def pullup_bar() -> Pen:
    """A bar in a door frame above a mat."""
    page = room("#cfd6d8", "#b98f66", 290)
    page.box(120, 30, 360, 292, "#f7f5ef")
    page.box(146, 56, 334, 290, "#8fa1ab")
    page.box(136, 78, 344, 92, "#22252a", 7)
    for x in (140, 330):
        page.box(x, 66, x + 12, 104, "#3a3f46", 3)
    for x in (196, 258):
        page.box(x, 76, x + 30, 94, "#4a4f57", 5)
    page.poly("#3f74ac", (110, 340), (150, 304), (330, 304), (370, 340))
    return page


def scallion_noodles() -> Pen:
    """Dark noodles with chopped scallions."""
    page = tabletop("#e4d2b6", "#a9784c", 120)
    dish = page.at(226, 322, 1.9)
    soup_bowl(dish, "#8a5326", "#f2efe6", "#b8433a")
    noodles(dish)
    chopsticks(page.at(280, 196, 1.1))
    return page


def rice_soup() -> Pen:
    """Clear hot soup with rice sheets, without scallions."""
    page = tabletop("#d8e0d8", "#b58a5c", 120)
    dish = page.at(186, 326, 1.75)
    soup_bowl(dish, "#f0e7cd", "#f7f5ef", "#5d8fb0")
    rice_sheets(dish)
    dish.steam(0, -146, -92, "#b9c8c4")
    taro_cakes(page.at(402, 322, 1.0))
    return page


def croissant_coffee() -> Pen:
    """A croissant and an iced coffee on marble."""
    page = tabletop("#cfd8dc", "#eceae6", 130)
    for i in range(5):
        page.line("#d3cfca", 3, (30 + 90 * i, 140), (90 + 80 * i, 240), (40 + 100 * i, 356))
    plate(page.at(180, 278), 140, "#7a8f6a")
    croissant(page.at(180, 296, 1.35))
    iced_coffee(page.at(386, 300, 1.45))
    return page


def burger_fries() -> Pen:
    """A burger, chips and a cola on a red tray."""
    page = tabletop("#f0dfb8", "#d8cdbb", 130)
    page.poly("#b8302b", (20, 344), (70, 236), (420, 236), (466, 344))
    burger(page.at(150, 322, 1.5))
    fries(page.at(290, 316, 1.45))
    page.poly("#f4f1ea", (372, 180), (444, 180), (434, 318), (382, 318))
    page.box(366, 172, 450, 186, "#d33b32", 5)
    page.line("#2f69b8", 6, (410, 172), (424, 104))
    page.oval(408, 246, 24, 24, "#d33b32")
    return page
