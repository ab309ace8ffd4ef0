"""Hearth and desk: the stove, the kettle, the typewriter and their neighbours, on their origins."""

from __future__ import annotations

from mnemoscope.sample_data._maker.canvas import Pen, blend
from mnemoscope.sample_data._maker.things import PAPER


def stove(pen: Pen, door_open: bool = False) -> None:
    """A small iron stove with a fire behind its door."""
    iron = "#2c2d31"
    pen.box(-14, -330, 14, -150, "#3a3b40")
    pen.box(-72, -158, 72, -146, "#46474d", 3)
    pen.box(-64, -148, 64, -16, iron, 6)
    for x in (-54, 40):
        pen.box(x, -18, x + 14, 0, iron)
    pen.glow(0, -84, 96, "#ff9a3c", 0.45)
    pen.box(-44, -128, 44, -44, "#7d2a14", 5)
    fire(pen.at(0, -46))
    if door_open:
        pen.poly("#47484e", (46, -132), (78, -120), (78, -30), (46, -40))
    else:
        pen.box(-46, -132, 46, -126, "#55565c")
        pen.box(-3, -130, 3, -44, "#3a3b40")
    pen.box(-40, -36, 40, -28, "#55565c", 2)


def fire(pen: Pen) -> None:
    """Flames standing on the origin."""
    for x, h, paint in (
        (-22, 52, "#e8611f"),
        (18, 58, "#e8611f"),
        (-2, 68, "#f58a25"),
        (-12, 38, "#ffc84a"),
        (10, 42, "#ffc84a"),
        (0, 26, "#fff0a8"),
    ):
        pen.poly(paint, (x - 16, 0), (x - 11, -h * 0.5), (x, -h), (x + 10, -h * 0.45), (x + 16, 0))


def split_log(pen: Pen, r: float = 15) -> None:
    """The end of a log around the origin."""
    pen.oval(0, 0, r, r, "#7a5233")
    pen.oval(0, 0, r * 0.84, r * 0.84, "#e0bb84")
    pen.ring(0, 0, r * 0.52, r * 0.52, "#c0935a", 1.8)
    pen.oval(0, 0, r * 0.14, r * 0.14, "#9a6c3c")


def log_basket(pen: Pen) -> None:
    """A willow basket piled with logs."""
    for x, y in ((-34, -74), (0, -78), (34, -74), (-18, -98), (17, -100), (0, -120)):
        split_log(pen.at(x, y), 18)
    pen.poly("#a87a45", (-62, -66), (62, -66), (50, 0), (-50, 0))
    for i in range(4):
        y = -54 + 15 * i
        for j in range(6):
            x = -50 + 18 * j + 9 * (i % 2)
            pen.oval(x, y, 9, 4.6, "#c69a60")
    pen.box(-65, -72, 65, -62, "#8a5f33", 4)


def log_stack(pen: Pen, columns: int = 3, rows: int = 4) -> None:
    """Logs stacked with their ends to the front."""
    for i in range(rows):
        for j in range(columns):
            split_log(pen.at(-32 * columns / 2 + 16 + 32 * j + 8 * (i % 2), -16 - 29 * i), 16)


def axe(pen: Pen) -> None:
    """An axe leaning to the left, its handle's end on the origin."""
    pen.line("#b98550", 7, (0, 0), (-34, -120))
    pen.poly("#9aa1a8", (-46, -136), (-22, -126), (-18, -104), (-52, -100), (-62, -112))


def kettle(pen: Pen) -> None:
    """A dented copper kettle, its spout to the right."""
    copper, dark = "#c8703f", "#9a4f2a"
    pen.ring(-2, -86, 38, 34, "#4a382c", 7)
    pen.poly(dark, (34, -44), (76, -88), (86, -82), (50, -26))
    pen.oval(0, -44, 58, 46, copper)
    pen.box(-50, -16, 50, 0, dark, 6)
    pen.oval(-20, -58, 18, 14, "#e6a477")
    pen.oval(22, -38, 13, 11, "#a85a30")
    pen.oval(24, -36, 8, 7, "#b9653a")
    pen.oval(0, -86, 26, 8, dark)
    pen.oval(0, -94, 8, 7, "#3a2c24")


def mint_glass(pen: Pen, tea: bool = False) -> None:
    """A tall glass with sprigs of mint, with or without tea."""
    pen.box(-19, -72, 19, 0, "#dcebe6", 5)
    if tea:
        pen.box(-16, -50, 16, -3, "#cfd98a", 4)
    for x, y in ((-10, -78), (4, -96), (14, -80), (-2, -66), (8, -58)):
        pen.line("#4d8a4a", 2.4, (0, -8), (x, y))
        pen.oval(x - 6, y, 9, 6, "#3f9a52")
        pen.oval(x + 6, y - 3, 9, 6, "#57b566")
    pen.line("#ffffff", 2.4, (-13, -62), (-13, -14))


def mint_pot(pen: Pen) -> None:
    """A terracotta pot of bushy mint."""
    for i in range(15):
        x = -52 + 26 * (i % 5)
        y = -74 - 22 * (i // 5) - 7 * (i % 2)
        pen.line("#4d8a4a", 3, (x * 0.35, -58), (x, y))
        pen.oval(x - 9, y, 15, 9, "#3f9a52")
        pen.oval(x + 9, y - 6, 15, 9, "#5fbd6d")
    pen.poly("#c46a42", (-48, -64), (48, -64), (36, 0), (-36, 0))
    pen.box(-53, -72, 53, -58, "#d78056", 3)


def typewriter(pen: Pen, body: str = "#8fae92", keys: str = "#f4ecd8") -> None:
    """A portable typewriter with a sheet of paper in it."""
    dark = blend(body, "#000000", 0.35)
    pen.box(-52, -178, 52, -96, PAPER)
    for i, w in enumerate((38, 40, 26)):
        pen.line("#8d8577", 2.6, (-40, -164 + 14 * i), (-40 + 2 * w, -164 + 14 * i))
    pen.box(-98, -118, 98, -98, "#33343a", 9)
    for x in (-106, 94):
        pen.box(x, -120, x + 12, -96, "#1f2024", 4)
    pen.line("#c9cdd2", 5, (-98, -116), (-122, -138))
    pen.poly(body, (-88, -98), (88, -98), (104, -44), (-104, -44))
    pen.box(-30, -96, 30, -70, dark, 5)
    for x in (-60, 60):
        pen.oval(x, -76, 17, 13, dark)
        pen.oval(x, -77, 7, 5.5, "#b9433a")
    pen.poly(dark, (-104, -46), (104, -46), (114, 0), (-114, 0))
    for i in range(4):
        for j in range(10):
            pen.oval(-84 - 3 * i + (18.6 + 0.7 * i) * j, -39 + 10.4 * i, 6.6, 4.4, keys)


def ribbon_tin(pen: Pen) -> None:
    """A round tin for a typewriter ribbon."""
    pen.oval(0, -6, 26, 10, "#7d2430")
    pen.oval(0, -12, 26, 10, "#b03a48")
    pen.oval(0, -12, 15, 5.5, "#f0d9a6")


def open_ledger(pen: Pen) -> None:
    """An open ledger in red cloth with writing and a coffee ring."""
    pen.poly("#a32d2d", (-162, 6), (-128, -104), (128, -104), (162, 6))
    pen.poly(PAPER, (-150, 0), (-120, -104), (0, -98), (0, 6))
    pen.poly("#f3ecd9", (150, 0), (120, -104), (0, -98), (0, 6))
    for i in range(6):
        y = -86 + 14 * i
        a = 116 + 5.2 * i
        pen.line("#6a7896" if i % 3 else "#8c8c8c", 2.4, (-a + 10, y), (-16, y + 4))
        pen.line("#3c4f86" if i % 2 else "#8c8c8c", 2.4, (16, y + 4), (a - 22 - 9 * (i % 3), y))
    pen.line("#c9bda2", 3, (0, -98), (0, 6))
    pen.ring(62, -44, 24, 13, "#a9713f", 3.4)


def music_sheet(pen: Pen) -> None:
    """A sheet of hand-copied music with very large notes, lying flat."""
    pen.poly("#d8ccb0", (-72, 5), (-54, -120), (58, -120), (78, 5))
    pen.poly(PAPER, (-70, 0), (-52, -122), (56, -122), (76, 0))
    for staff in (-100, -58, -16):
        for i in range(3):
            y = staff + 8 * i - 8
            pen.line("#5c564c", 1.6, (-50 - (y + 122) * 0.14, y), (54 + (y + 122) * 0.15, y))
        for j in range(4):
            x = -34 + 22 * j
            y = staff - 6 + 7 * ((j + staff) % 3)
            pen.oval(x, y, 7.5, 6, "#1f1d1b")
            pen.line("#1f1d1b", 2.4, (x + 6, y), (x + 6, y - 20))


def upright(pen: Pen, opened: bool = True) -> None:
    """An upright piano, with its front panel off or closed."""
    wood, dark = "#6a4028", "#472a1b"
    pen.box(-120, -196, 120, -6, wood, 4)
    pen.box(-128, -206, 128, -192, dark, 3)
    if opened:
        pen.box(-106, -186, 106, -104, "#2c1d14")
        for i in range(26):
            x = -100 + 8 * i
            pen.line("#b3a27c", 1.4, (x, -186), (x, -104))
            pen.box(x - 2.4, -150 + (i % 7 == 3) * 10, x + 2.4, -132, "#efe6d2", 2)
    else:
        pen.box(-104, -184, 104, -108, blend(wood, "#ffffff", 0.08), 3)
    pen.box(-130, -104, 130, -80, dark, 3)
    pen.box(-118, -102, 118, -90, "#fbf8f0")
    for i in range(34):
        if i % 7 not in (2, 6):
            pen.box(-116 + 6.94 * i + 4.4, -102, -116 + 6.94 * i + 8.4, -95, "#191715")
    for x in (-126, 112):
        pen.box(x, -84, x + 14, 0, dark)
    pen.box(-120, -12, 120, -4, dark)


def piano_action(pen: Pen, w: float) -> None:
    """A piano action with new white hammers, lying along the bench."""
    pen.box(-w / 2, -16, w / 2, 0, "#8a5a36", 3)
    pen.box(-w / 2, -30, w / 2, -16, "#b98656")
    n = int(w / 11)
    for i in range(n):
        x = -w / 2 + 8 + 11 * i
        pen.line("#d9b98a", 2.6, (x, -28), (x + 3, -74))
        pen.oval(x + 3, -78, 5.4, 8.6, "#fdfbf4")
        pen.oval(x + 3, -72, 3.4, 4, "#c9524a")
    for x in (-w / 2, 0, w / 2 - 8):
        pen.box(x, -92, x + 8, 0, "#3b3c41", 2)
