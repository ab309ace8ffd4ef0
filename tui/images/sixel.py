"""Sixel: pictures as columns of six pixels, for terminals in the line of the VT340."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["encode"]

_RUN = re.compile(rb"(.)\1{3,}", re.DOTALL)
_EMPTY = 63
"""``?``: six pixels of which none is set."""
_SAMPLE = 256
_ENOUGH = 64
"""Colours from which on pictures look right without dithering."""


def encode(image: "Image", colours: int = 256) -> str:
    """Encode a picture as a sixel sequence.

    Args:
        image: The picture, of which every pixel is drawn.
        colours: How many colours it may have, 2 to 256.
    """
    import numpy as np

    reduced = _reduced(image.convert("RGB"), colours)
    indexes = np.asarray(reduced)
    height, width = indexes.shape
    palette = np.asarray(reduced.getpalette(), dtype=int).reshape(-1, 3)
    parts = [f'\x1bP0;1;0q"1;1;{width};{height}'.encode()]
    for number in np.unique(indexes):
        red, green, blue = (palette[number] * 100 + 127) // 255
        parts.append(b"#%d;2;%d;%d;%d" % (number, red, green, blue))
    across = np.arange(width)
    for top in range(0, height, 6):
        band = indexes[top : top + 6]
        bits = np.zeros((256, width), dtype=np.uint8)
        for place, row in enumerate(band):
            bits[row, across] |= 1 << place
        for number in np.unique(band):
            columns = bits[number]
            last = int(np.flatnonzero(columns)[-1]) + 1
            data = (columns[:last] + _EMPTY).tobytes()
            parts += (b"#%d" % number, _RUN.sub(_shortened, data), b"$")
        parts[-1] = b"-"
    parts[-1] = b"\x1b\\"
    return b"".join(parts).decode("ascii")


def _reduced(image: "Image", colours: int) -> "Image":
    from PIL.Image import Dither, Resampling

    # Choosing colours takes a second for a screenful of pixels and little for a part of them.
    sample = image.copy()
    sample.thumbnail((_SAMPLE, _SAMPLE), Resampling.NEAREST)
    dither = Dither.NONE if colours >= _ENOUGH else Dither.FLOYDSTEINBERG
    return image.quantize(palette=sample.quantize(colours), dither=dither)


def _shortened(run: "re.Match[bytes]") -> bytes:
    return b"!%d%b" % (len(run[0]), run[1])
