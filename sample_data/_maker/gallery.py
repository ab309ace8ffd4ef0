"""The gallery: finds a drawing by name and paints it."""

from __future__ import annotations

from mnemoscope.sample_data._maker import (
    hangings,
    options_p0,
    options_p1,
    portraits,
    scenes_p0,
    scenes_p1,
)
from mnemoscope.sample_data._maker.canvas import Pen, as_png

MODULES = (scenes_p0, scenes_p1, options_p0, options_p1, portraits, hangings)
SCENE_WIDTH, OPTION_WIDTH = 480, 384


def paint(name: str) -> bytes:
    """PNG bytes of the drawing called `name`; scenes are larger than options."""
    for module in MODULES:
        draw = vars(module).get(name)
        if draw is not None:
            page = draw()
            if not isinstance(page, Pen):
                raise TypeError(f"{name} is not a drawing")
            wide = SCENE_WIDTH if module in (scenes_p0, scenes_p1) else OPTION_WIDTH
            return as_png(page, wide)
    raise KeyError(name)
