"""Hangings: option images of things that hang from a beam."""

from __future__ import annotations

from mnemoscope.sample_data._maker.canvas import WIDTH, Pen
from mnemoscope.sample_data._maker.outdoors import roofs, sky
from mnemoscope.sample_data._maker.things import feeder


def _hanging(top: str, bottom: str) -> Pen:
    page = sky(top, bottom)
    page.box(0, 0, WIDTH, 22, "#8a5e3c")
    page.line("#4c4c4f", 5, (240, 20), (240, 44))
    return page


def bamboo_cage() -> Pen:
    """An empty bamboo cage."""
    page = _hanging("#cfe0d2", "#f3efdc")
    pen = page.at(240, 318)
    pen.ring(0, -136, 104, 132, "#b98543", 6)
    pen.box(-108, -134, 108, -20, "#e6ecdc")
    for i in range(11):
        x = -100 + 20 * i
        top = -134 - 126 * (1 - (x / 106) ** 2) ** 0.5
        pen.line("#b98543", 3.4, (x, top), (x, -20))
    for y in (-134, -70):
        pen.box(-108, y, 108, y + 8, "#9a6a30", 3)
    pen.box(-114, -24, 114, 2, "#8a5a28", 5)
    pen.line("#7a5a36", 6, (-60, -84), (60, -84))
    return page


def wind_chime() -> Pen:
    """A wind chime with blue glass and copper tubes."""
    page = _hanging("#f3d9b4", "#fbf1dc")
    pen = page.at(240, 44)
    for x in (-70, 70):
        pen.line("#8a6f55", 2, (0, 0), (x, 46))
    pen.dome(0, 62, 92, 34, "#3f86bd")
    pen.box(-92, 58, 92, 70, "#66a7d6", 4)
    for i, h in enumerate((120, 156, 190, 150, 112)):
        x = -72 + 36 * i
        pen.line("#8a6f55", 2, (x, 70), (x, 96))
        pen.box(x - 8, 92, x + 8, 92 + h, "#c8703f", 5)
        pen.box(x - 5, 98, x - 1, 84 + h, "#e8a57c", 2)
    return page


def pomelo_feeder() -> Pen:
    """Half a pomelo shell on strings, filled with grain."""
    page = _hanging("#bfdcec", "#f6f0de")
    roofs(page, 330, "#7c8590")
    feeder(page.at(240, 40, 2.6))
    return page


def coconut_lamp() -> Pen:
    """A lamp made of half a coconut shell."""
    page = _hanging("#4a4258", "#7a5f5c")
    pen = page.at(240, 44)
    pen.line("#2d2620", 4, (0, 0), (0, 96))
    pen.glow(0, 210, 190, "#ffd27a", 0.6)
    pen.dome(0, 210, 112, 116, "#5a3a24")
    for i in range(12):
        x = -84 + 34 * (i % 6)
        pen.oval(x, 140 + 30 * (i // 6) + 8 * (i % 2), 6, 6, "#ffe09a")
    pen.oval(0, 210, 112, 18, "#3f2818")
    pen.oval(0, 212, 92, 12, "#ffe7b0")
    return page
