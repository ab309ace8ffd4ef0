"""Photographs from Xu Ting's year. The cue object of a scene stands cut off at an edge."""

from __future__ import annotations

from mnemoscope.sample_data._maker.animals import cat_from_behind, cat_in_box
from mnemoscope.sample_data._maker.canvas import HEIGHT, WIDTH, Pen, blank
from mnemoscope.sample_data._maker.food import (
    bottle,
    chopsticks,
    frying_pan,
    rice_sheets,
    soup_bowl,
    taro_cakes,
)
from mnemoscope.sample_data._maker.outdoors import (
    beacon,
    bench,
    buoy,
    hills,
    rails,
    rain,
    roofs,
    sign,
    sky,
    water,
    work_boat,
)
from mnemoscope.sample_data._maker.people import figure
from mnemoscope.sample_data._maker.rooms import (
    bars,
    floor_lamp,
    lamp,
    night_desk,
    room,
    sofa,
    tabletop,
    window,
)
from mnemoscope.sample_data._maker.things import (
    certificate,
    enamel_mug,
    feeder,
    flower_pot,
    gear_dish,
    mantel_clock,
    medicine_box,
    pet_bowl,
    roster,
    screwdriver,
    ticket_album,
    towel,
    tub,
    writing_pen,
)


def breakfast_stall() -> Pen:
    """A bowl of rice sheets and taro cakes on a red table."""
    page = tabletop("#5f6f6a", "#b8402f", 160)
    for i in range(4):
        page.oval(40 + 130 * i, 46 + 10 * (i % 2), 26, 26, "#ffe3a3")
        page.glow(40 + 130 * i, 46 + 10 * (i % 2), 56, "#ffe3a3", 0.4)
    page.box(0, 92, WIDTH, 104, "#3f4a47")
    dish = page.at(190, 318, 1.45)
    soup_bowl(dish, "#f3ead3")
    rice_sheets(dish)
    dish.steam(0, -150, -92, "#e6e4dc")
    chopsticks(page.at(188, 206))
    taro_cakes(page.at(392, 312, 1.05))
    bottle(page.at(440, 224, 1.0))
    return page


def buoy_pier() -> Pen:
    """The buoy tender at the pier under a grey sky."""
    page = sky("#9fb0b8", "#d7dcd8", 210)
    hills(page, 205, 46, "#7f9488", 0.6)
    water(page, 205, "#52788a", "#a9c4cb")
    work_boat(page.at(232, 286, 1.22))
    buoy(page.at(262, 236, 1.28))
    page.box(0, 296, WIDTH, HEIGHT, "#9b958b")
    page.box(0, 296, WIDTH, 304, "#b9b3a8")
    for x in (60, 420):
        page.box(x, 276, x + 22, 306, "#4b4a48", 5)
    figure(page.at(366, 332, 1.15), "#ef7a2a", skin="#8f5a3c")
    return page


def roster_desk() -> Pen:
    """A roster under the lamp; the clock and its gears are cut off on the right."""
    page = night_desk()
    lamp(page.at(92, 218, 1.25))
    roster(page.at(224, 326, 1.12))
    writing_pen(page.at(96, 300), "#cf3b34")
    writing_pen(page.at(86, 322), "#2f69b8")
    mantel_clock(page.at(456, 268, 1.15))
    gear_dish(page.at(404, 318, 1.12))
    return page


def slow_train() -> Pen:
    """A window seat in the green train."""
    page = blank("#3c6b54")
    page.fade(0, 0, WIDTH, HEIGHT, "#4b7d63", "#34604b")

    def view(pen: Pen) -> None:
        pen.fade(0, 0, 380, 200, "#bfe0ee", "#eef4e2")
        hills(pen.at(-20, 0, 0.9), 150, 76, "#86ae88", 0.2)
        hills(pen.at(-40, 30, 0.9), 140, 56, "#5d9163", 1.6)
        pen.fade(0, 168, 380, 230, "#a9d3d8", "#7db4bf")

    window(page.at(62, 34), 356, 196, view, "#d9d5c4")
    page.box(62, 112, 418, 120, "#d9d5c4")
    for x in (150, 330):
        page.box(x, 116, x + 26, 128, "#9c9785", 4)
    page.box(-10, 222, 34, HEIGHT, "#27406b", 14)
    page.box(446, 222, 500, HEIGHT, "#27406b", 14)
    page.poly("#e8dcc0", (96, 262), (384, 262), (420, 342), (60, 342))
    page.poly("#c2b28d", (60, 342), (420, 342), (420, 354), (60, 354))
    ticket_album(page.at(214, 322, 1.15))
    enamel_mug(page.at(340, 306, 0.95))
    page.bowl(118, 296, 26, 22, "#e7eef2")
    page.oval(118, 294, 20, 15, "#8a5a36")
    return page


def _morning(pen: Pen) -> None:
    pen.fade(0, 0, WIDTH, 260, "#cfe3ee", "#fbf0da")
    roofs(pen.at(-20, 0), 200, "#6d7580")


def cat_window() -> Pen:
    """The cat on the sill; the pomelo feeder hangs in the upper right corner."""
    page = blank("#d9b98c")
    page.fade(0, 0, WIDTH, HEIGHT, "#e4c79c", "#cda874")
    window(page.at(70, -20), 340, 272, _morning, "#8a5e3c")
    page.box(236, -20, 244, 252, "#8a5e3c")
    feeder(page.at(384, -4, 1.3), 1)
    page.box(30, 258, 450, 280, "#a3724a")
    page.box(30, 258, 450, 263, "#c08f62")
    cat_from_behind(page.at(176, 262, 1.12))
    return page


def typhoon_sofa() -> Pen:
    """A sofa in the rain; the foot-bath steams in the lower left corner."""
    page = room("#c8b79d", "#8b6446", 276)

    def storm(pen: Pen) -> None:
        pen.fade(0, 0, 190, 150, "#55646f", "#7c8a91")
        rain(pen, 190, 150)

    window(page.at(60, 34), 170, 128, storm)
    bars(page.at(60, 34), 170, 128)
    sofa(page.at(296, 300, 1.3), 224, "#7f93a8")
    page.poly("#e7b93f", (226, 176), (292, 170), (300, 256), (222, 262))
    page.poly("#cf9f2b", (222, 250), (300, 244), (300, 256), (222, 262))
    floor_lamp(page.at(440, 302, 1.2))
    tub(page.at(46, 352, 1.3))
    towel(page.at(104, 246, 1.05))
    return page


def cat_box() -> Pen:
    """The cat in a carton with blue print on a tiled floor."""
    page = blank("#eae3d2")
    page.fade(0, 0, WIDTH, 170, "#f2ead9", "#e2d6bf")
    for i in range(6):
        for j in range(9):
            paint = "#b9d3bd" if (i + j) % 2 else "#f4f3ea"
            y0, y1 = 170 + 34 * i, 204 + 34 * i
            page.poly(
                paint,
                *[
                    (240 + (60 * (j + a) - 270) * (1 + 0.2 * (i + b)), y)
                    for a, b, y in ((0, 0, y0), (1, 0, y0), (1, 1, y1), (0, 1, y1))
                ],
            )
    page.box(0, 160, WIDTH, 172, "#a98d6d")
    page.poly("#a87a48", (84, 176), (116, 138), (346, 138), (378, 176))
    cat_in_box(page.at(228, 160, 1.2))
    medicine_box(page.at(230, 326, 1.2))
    pet_bowl(page.at(440, 330, 1.0))
    return page


def river_station() -> Pen:
    """A platform by the river at dusk, the light in the middle already on."""
    page = sky("#6f7fb0", "#f6c59a", 170)
    hills(page, 172, 44, "#5b6789", 1.1)
    water(page, 170, "#6c86a8", "#f3cfa9")
    beacon(page.at(286, 206, 1.25))
    rails(page, 252)
    page.box(0, 284, WIDTH, HEIGHT, "#b4aa9c")
    page.box(0, 284, WIDTH, 291, "#e6d7a0")
    sign(page.at(88, 318, 1.35), "#a8cbe0", "#f4f8fa")
    bench(page.at(360, 344, 1.3))
    for x in (318, 350):
        page.box(x - 13, 294, x + 13, 308, "#c9ced2", 3)
        page.box(x - 13, 291, x + 13, 296, "#e4e8ea", 2)
    ticket_album(page.at(404, 310, 0.42))
    return page


def certificate_desk() -> Pen:
    """The certificate under the lamp; the opened clock is cut off on the left."""
    page = night_desk()
    lamp(page.at(388, 220, 1.25))
    certificate(page.at(256, 288, 1.3))
    flower_pot(page.at(354, 318, 1.15))
    mantel_clock(page.at(26, 296, 1.3), door_open=True)
    screwdriver(page.at(66, 330, 1.2))
    return page


def winter_kitchen() -> Pen:
    """Taro cakes in the pan; the pomelo feeder hangs outside in the upper left corner."""
    page = blank("#e9d9b6")
    for i in range(6):
        for j in range(9):
            page.box(58 * j - 20, 36 * i, 58 * j + 35, 36 * i + 33, "#f1e5c8")

    def winter(pen: Pen) -> None:
        pen.fade(0, 0, 330, 180, "#c9d3d9", "#eef0ee")
        roofs(pen.at(-30, 0, 0.8), 190, "#8d949b")
        feeder(pen.at(42, -14, 1.15), 2)

    window(page.at(34, -16), 310, 172, winter)
    page.box(190, -16, 198, 156, "#f3ead9")
    page.box(206, -16, 212, 156, "#cfc5b2")
    page.box(0, 226, WIDTH, HEIGHT, "#5c656b")
    page.box(0, 226, WIDTH, 238, "#8a949a")
    page.oval(200, 316, 92, 22, "#33383c")
    frying_pan(page.at(200, 312, 1.25))
    page.at(196, 0).steam(0, 190, 262, "#f6f3ea")
    for x in (396, 440):
        page.oval(x, 342, 13, 9, "#2b2f33")
    return page
