"""Pictures drawn with half blocks: two pixels to a cell, in any terminal with colours.

Image files come from data. They are opened with a short list of decoders (Pillow's EPS decoder, for
one, starts Ghostscript), within limits, and every way in which that can fail is a ``Problem`` to
show in the picture's place. Pillow is imported when the first picture is.
"""

import contextlib
import stat
import struct
import warnings
import zlib
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 50_000_000
MAX_BYTES = 64 * 1024 * 1024
THUMBNAIL_SIDE = 512
"""Pixels of the longer side that are kept: more than any terminal has columns."""

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_SCALABLE = frozenset({"RGB", "RGBA", "L", "CMYK"})
# What decoders raise on data they did not expect.
_DAMAGE: tuple[type[Exception], ...] = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError),
    *(struct.error, zlib.error, Warning),
)
_BLOCK = "▀"


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """An image file that could be read."""

    width: int
    """Pixels, in the orientation in which the image is shown."""
    height: int
    format: str
    """The decoder's name for what the file is, whatever its suffix says."""
    image: "Image"
    """The picture scaled down, as RGBA."""

    @property
    def label(self) -> str:
        """Size and format, such as ``1024×768 PNG``."""
        return f"{self.width}×{self.height} {self.format}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no picture."""

    state: Literal["missing", "unreadable"]
    reason: str
    """One sentence."""


def load(
    path: Path,
    *,
    max_pixels: int = MAX_PIXELS,
    max_bytes: int = MAX_BYTES,
    side: int = THUMBNAIL_SIDE,
) -> Picture | Problem:
    """Read an image file and scale it down to a longest side; slow enough for a worker."""
    try:
        return _refusal(path, max_bytes) or _decode(path, max_pixels, side)
    except PermissionError:
        return Problem("unreadable", "The file may not be read: permission denied.")
    except _DAMAGE:
        return Problem("unreadable", "The image is damaged or cut short.")
    except MemoryError:
        return Problem("unreadable", "The image needs more memory than there is.")


def _refusal(path: Path, max_bytes: int) -> Problem | None:
    """Say why a file is not even opened; opening a named pipe would wait for a writer."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Problem("missing", "The file does not exist.")
    except PermissionError:
        raise
    except (OSError, ValueError):  # too long, a loop of links, a NUL character
        return Problem("missing", "The path cannot be the path of a file.")
    if not stat.S_ISREG(status.st_mode):
        return Problem("unreadable", "The path leads to something that is not a file.")
    if not status.st_size:
        return Problem("unreadable", "The file is empty.")
    if status.st_size > max_bytes:
        size, limit = _megabytes(status.st_size), _megabytes(max_bytes)
        return Problem("unreadable", f"The file has {size}; up to {limit} are read.")
    return None


def _decode(path: Path, max_pixels: int, side: int) -> Picture | Problem:
    from PIL import Image, ImageOps, UnidentifiedImageError

    # Between one and two times its limit Pillow only warns, on the stream that the app draws on.
    warnings.filterwarnings("error", category=Image.DecompressionBombWarning)
    limit = f"up to {max_pixels / 1e6:g} million are read."
    try:
        with Image.open(path, formats=_FORMATS) as opened:
            width, height = opened.size
            if width * height > max_pixels:
                return Problem("unreadable", f"The image has {width}×{height} pixels; {limit}")
            image: Image.Image = opened
            if image.mode.startswith("I"):  # 16-bit grey, which Pillow's own conversion clips
                image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
            elif image.mode not in _SCALABLE or "transparency" in image.info:
                image = image.convert("RGBA")
            image.thumbnail((side, side))
            # A broken orientation tag is no reason to withhold the picture.
            with contextlib.suppress(*_DAMAGE):
                turned = ImageOps.exif_transpose(image)
                if (turned.width > turned.height) != (image.width > image.height):
                    width, height = height, width
                image = turned
            return Picture(width, height, opened.format or "", image.convert("RGBA"))
    except UnidentifiedImageError:
        return Problem(
            "unreadable", f"The file is no image of a known kind ({', '.join(_FORMATS)})."
        )
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return Problem("unreadable", f"The image has too many pixels; {limit}")


def fit_cells(width: int, height: int, columns: int, rows: int) -> tuple[int, int]:
    """Return the columns and rows that a picture of this size is drawn in; none if it cannot be.

    The picture keeps its shape, a cell being half as wide as high, and is never enlarged.
    """
    wide, high = _pixels(width, height, columns, rows)
    return wide, -(-high // 2)


def render(image: "Image", columns: int, rows: int, *, background: str = "#121212") -> list[Strip]:
    """Draw a picture in at most ``columns`` × ``rows`` cells.

    Args:
        image: The picture; see :func:`load`.
        columns: The cells it may take in width.
        rows: The lines it may take.
        background: What shows through it, as ``#rrggbb``; anything else counts as black.

    Returns:
        One strip a line, as wide as :func:`fit_cells` says. Strips do not change and can be kept.
    """
    from PIL import Image as Pillow

    wide, high = _pixels(image.width, image.height, columns, rows)
    if not wide:
        return []
    ground = _rgb(background)
    flat = Pillow.new("RGBA", image.size, (*ground, 255))
    flat.alpha_composite(image.convert("RGBA"))
    scaled = flat.convert("RGB").resize((wide, high), Pillow.Resampling.LANCZOS)
    data = scaled.tobytes() + bytes(ground) * wide * (high % 2)
    line = 3 * wide
    strips = []
    for start in range(0, len(data), 2 * line):
        upper, lower = data[start : start + line], data[start + line : start + 2 * line]
        cells = (upper[i : i + 3] + lower[i : i + 3] for i in range(0, line, 3))
        runs = ((pair, len(list(group))) for pair, group in groupby(cells))
        strips.append(Strip([Segment(_BLOCK * n, _style(pair)) for pair, n in runs], wide))
    return strips


def _pixels(width: int, height: int, columns: int, rows: int) -> tuple[int, int]:
    if min(width, height, columns, rows) < 1:
        return 0, 0
    scale = min(columns / width, 2 * rows / height, 1.0)
    return max(1, round(width * scale)), max(1, round(height * scale))


@lru_cache(maxsize=8192)
def _style(pair: bytes) -> Style:
    upper, lower = Color.from_rgb(*pair[:3]), Color.from_rgb(*pair[3:])
    return Style.from_color(upper, lower)


def _rgb(colour: str) -> tuple[int, int, int]:
    if len(colour) != 7 or not colour.startswith("#"):
        return 0, 0, 0
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _megabytes(count: int) -> str:
    return f"{count / 1024**2:.1f} MB"
