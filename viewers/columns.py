"""Columns that share a width, and cells that fill one exactly."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.text import clean, one_line
from mnemoscope.viewers.cells import ELLIPSIS, Align, cell_width, head_length, pad

GAP = 2
"""Empty cells between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: as wide as it says, or sharing what the others leave."""

    title: str
    """What the header says."""
    width: int = 8
    """Cells; the least it may have if it is flexible."""
    flex: int = 0
    """Its share of the remaining cells; 0 keeps it at ``width``."""
    align: Align = "left"
    """Where text stands that is shorter than the column."""
    priority: int = 0
    """Columns drop out from the highest number when space is short; 0 stays."""
    middle: bool = False
    """Whether plain strings are shortened in the middle, as suits ids."""
    dim: bool = False
    """Whether plain strings are set in the dim style."""
    help: str = ""
    """What it holds, in a few words."""


def column_widths(columns: Sequence[Column], cells: int) -> list[int]:
    """Return a width for each column in ``cells``; 0 means that it drops out."""
    shown = list(range(len(columns)))

    def needed() -> int:
        return sum(columns[i].width for i in shown) + GAP * max(0, len(shown) - 1)

    for index in sorted(shown, key=lambda i: (-columns[i].priority, -i)):
        if needed() <= cells or not columns[index].priority:
            break
        shown.remove(index)
    widths = [columns[i].width if i in shown else 0 for i in range(len(columns))]
    spare, shares = max(0, cells - needed()), sum(columns[i].flex for i in shown)
    for index in shown:
        if columns[index].flex:
            part = spare * columns[index].flex // shares
            widths[index] += part
            spare, shares = spare - part, shares - columns[index].flex
    return widths


def fit(cell: Text | str, cells: int, align: Align = "left", *, middle: bool = False) -> Text:
    """Return one line of exactly ``cells`` cells, free of anything a terminal would obey.

    Styled text is always shortened at its end.
    """
    if isinstance(cell, str):
        return Text(pad(one_line(cell), cells, align, middle=middle), no_wrap=True)
    plain = cell.plain
    if clean(plain, keep_newlines=False) is not plain:
        return fit(Text(one_line(plain), style=cell.style), cells, align)
    if cells < 1:
        return Text(no_wrap=True)
    text = cut(cell, cells)
    spare = max(0, cells - cell_width(text.plain))
    left = {"left": 0, "center": spare // 2, "right": spare}[align]
    text.pad_left(left)
    text.pad_right(spare - left)
    return text


def cut(text: Text, cells: int) -> Text:
    """Return one line of at most ``cells`` cells in whole glyphs, with an ellipsis where it is cut.

    Rich's own ``Text.truncate`` cuts flags and other glyphs of several characters in two.
    """
    plain, shown = text.plain, text.copy()
    if cells < 1:
        shown.right_crop(len(plain))
    elif head_length(plain, cells) < len(plain):
        kept = plain[: head_length(plain, cells - 1)].rstrip()
        shown.right_crop(len(plain) - len(kept))
        shown.append(ELLIPSIS)
    return shown
