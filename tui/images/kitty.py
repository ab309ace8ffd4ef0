"""The kitty graphics protocol with Unicode placeholders.

A picture is transmitted once. Where it is to be seen, ordinary text is written: one character from
a private area for every cell, with combining marks that number its row and column, in a colour that
is the picture's number. The terminal draws the part of the picture that belongs there. So pictures
scroll, are clipped and are covered as text is, and nothing has to be drawn or erased.

Protocol: https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from base64 import standard_b64encode
from collections.abc import Iterable
from functools import cache

from rich.color import Color
from rich.style import Style

__all__ = ["MAX_CELLS", "PLACEHOLDER", "deletion", "diacritics", "id_style", "line", "transmission"]

PLACEHOLDER = "\U0010eeee"
MAX_CELLS = 297
"""Rows or columns that can be numbered."""

_CHUNK = 4096
# Code points of the numbering marks, in the protocol's order (rowcolumn-diacritics.txt).
_MARKS = (
    "305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 "
    "59c-5a1 5a8-5a9 5ab-5ac 5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec "
    "730 732-733 735-736 73a 73d 73f-741 743 745 747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 "
    "829-82d 951 953-954 f82-f83 f86-f87 135d-135f 17dd 193a 1a17 1a75-1a7c 1b6b 1b6d-1b73 "
    "1cd0-1cd2 1cda-1cdb 1ce0 1dc0-1dc1 1dc3-1dc9 1dcb-1dcc 1dd1-1de6 1dfe 20d0-20d1 20d4-20d7 "
    "20db-20dc 20e1 20e7 20e9 20f0 2cef-2cf1 2de0-2dff a66f a67c-a67d a6f0-a6f1 a8e0-a8f1 aab0 "
    "aab2-aab3 aab7-aab8 aabe-aabf aac1 fe20-fe26 10a0f 10a38 1d185-1d189 1d1aa-1d1ad 1d242-1d244"
)


@cache
def diacritics() -> str:
    """The marks that mean 0, 1, 2 and so on."""
    found: list[str] = []
    for part in _MARKS.split():
        first, _, last = part.partition("-")
        found += map(chr, range(int(first, 16), int(last or first, 16) + 1))
    return "".join(found)


def id_style(image_id: int) -> Style:
    """The colour that says which picture a placeholder belongs to: its lower 24 bits."""
    return Style(color=Color.from_rgb(image_id >> 16 & 255, image_id >> 8 & 255, image_id & 255))


def line(image_id: int, row: int, columns: int) -> str:
    """One row of placeholders.

    Every cell carries its row, its column and the upper 8 bits of the picture's number: left out,
    they are taken from the cell to the left, which may be covered by a dialog.
    """
    marks = diacritics()
    head, tail = PLACEHOLDER + marks[row], marks[image_id >> 24 & 255]
    return "".join(head + marks[column] + tail for column in range(columns))


def transmission(image_id: int, png: bytes, columns: int, rows: int, *, tmux: bool = False) -> str:
    """What gives a picture to the terminal, to be drawn in so many cells wherever it is named.

    The terminal fits it into the cells and keeps its shape. It answers nothing (``q=2``): an
    answer would be taken for keys.
    """
    data = standard_b64encode(png).decode()
    chunks = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    head = f"a=T,U=1,i={image_id},f=100,c={columns},r={rows},q=2,"
    last = len(chunks) - 1
    return "".join(
        _command(f"{'' if place else head}m={int(place < last)}", chunk, tmux)
        for place, chunk in enumerate(chunks)
    )


def deletion(image_ids: Iterable[int], *, tmux: bool = False) -> str:
    """What makes the terminal forget pictures and free their memory."""
    return "".join(_command(f"a=d,d=I,i={one},q=2", "", tmux) for one in image_ids)


def _command(control: str, payload: str, tmux: bool) -> str:
    command = f"\x1b_G{control}{';' if payload else ''}{payload}\x1b\\"
    if not tmux:
        return command
    doubled = command.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"
