"""What a page is made of: styled paragraphs and pictures, laid out in lines and stops."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from rich.text import Text
from textual.strip import Strip

from mnemoscope.viewers.cells import line_spans
from mnemoscope.viewers.columns import cut
from mnemoscope.viewers.styles import safe

__all__ = [
    "Beside",
    "Block",
    "Line",
    "Paragraph",
    "Picture",
    "PictureCell",
    "PictureLoader",
    "PictureRow",
    "Stop",
    "Target",
    "Wrapped",
    "cell_at",
    "lay_out",
    "wrapped",
]

_NARROWEST = 18
"""Cells below which pictures are not put side by side."""
_GAP = 2
_CAPTION_LINES = 3

Target = Hashable
"""What standing on a part of a page means to whoever filled the page."""
PictureLoader = Callable[[str, int, int], Sequence[Strip] | str]
"""Draws a file in at most so many columns and rows, or says in a sentence why it cannot."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text that wraps at the page's width."""

    text: Text
    indent: int = 0
    """Cells left of every line."""
    target: Target | None = None
    """Neighbours with the same target are one stop."""
    wrap: bool = True
    """False cuts at the page's edge instead, as suits tables."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, drawn when it is ready; until then, and if it cannot be drawn, a sentence."""

    file: str
    columns: int
    rows: int
    indent: int = 0
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class PictureCell:
    """One of several pictures side by side."""

    label: Text
    """What stands beneath it."""
    caption: Text
    """What it shows, in a few lines; empty for nothing."""
    file: str = ""
    note: Text = field(default_factory=Text)
    """What stands in the place of a picture without a file."""
    target: Target | None = None
    """What a click on it means, where that differs from one on its neighbours."""


@dataclass(frozen=True, slots=True)
class PictureRow:
    """Pictures side by side: four where the width allows, else two by two, else one by one."""

    cells: tuple[PictureCell, ...]
    rows: int
    """The most lines of each picture; 0 draws none."""
    indent: int = 0
    target: Target | None = None


Block = Paragraph | Picture | PictureRow
Beside = tuple[tuple[int, Text | Strip], ...]
"""What stands in one line, each with the cell that it starts at."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page."""

    indent: int
    content: Text | Strip | Beside
    block: int = 0
    """Which of the page's blocks it is of."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The lines that the cursor stands on for a target."""

    target: Target
    first: int
    last: int


Draw = Callable[[Picture, int], Sequence[Text] | Sequence[Strip]]
Wrapped = dict[tuple[int, int], Sequence[Text]]
"""The lines of what has been wrapped, by its identity and a width."""


def lay_out(
    blocks: Sequence[Block], width: int, draw: Draw, known: Wrapped | None = None
) -> tuple[list[Line], list[Stop]]:
    """Lay blocks out one below the other.

    Args:
        blocks: What to lay out.
        width: The cells of a line.
        draw: Gives the lines of a picture in so many cells.
        known: What has been wrapped before of the very same blocks; what is wrapped now is added.
            A page is laid out again for every picture that becomes ready.
    """
    known = {} if known is None else known
    lines: list[Line] = []
    stops: list[Stop] = []
    for place, block in enumerate(blocks):
        first = len(lines)
        inner = max(2, width - block.indent)
        drawn = _content(block, inner, draw, known)
        lines.extend(Line(block.indent, one, place) for one in drawn)
        if block.target is None or len(lines) == first:
            continue
        if stops and stops[-1].target == block.target and stops[-1].last == first - 1:
            stops[-1] = Stop(block.target, stops[-1].first, len(lines) - 1)
        else:
            stops.append(Stop(block.target, first, len(lines) - 1))
    return lines, stops


def _content(
    block: Block, width: int, draw: Draw, known: Wrapped
) -> Sequence[Text | Strip | Beside]:
    if isinstance(block, Paragraph):
        key = (id(block), width)
        if key not in known:
            known[key] = wrapped(block, width)
        return known[key]
    return draw(block, width) if isinstance(block, Picture) else _beside(block, width, draw, known)


def _across(block: PictureRow, width: int) -> int:
    """How many pictures stand side by side in so many cells."""
    across = max((n for n in (4, 2) if width >= n * (_NARROWEST + _GAP) - _GAP), default=1)
    return max(1, min(across, len(block.cells)))


def cell_at(
    block: PictureRow, lines: Sequence[Line], line: int, x: int, width: int
) -> PictureCell | None:
    """The picture that stands at a place.

    Args:
        block: The pictures.
        lines: The lines that they are laid out in.
        line: The place's line among these.
        x: The place's cell, from where the lines' content begins.
        width: The cells that they are laid out in.
    """
    across = _across(block, width)
    # A line with nothing in it parts the pictures above from those beneath.
    rank = sum(1 for one in lines[:line] if not one.content)
    place = x // ((width + _GAP) // across)
    found = rank * across + min(place, across - 1)
    return block.cells[found] if 0 <= found < len(block.cells) else None


def _beside(block: PictureRow, width: int, draw: Draw, known: Wrapped) -> Sequence[Beside]:
    across = _across(block, width)
    cells = (width + _GAP) // across - _GAP
    lines: list[Beside] = []
    for first in range(0, len(block.cells), across):
        beside = block.cells[first : first + across]
        pictures = [_picture_lines(one, cells, block.rows, draw) for one in beside]
        # Labels stand on one line, however high the pictures are.
        high = max(map(len, pictures))
        stacks = [
            [*picture, *[Text()] * (high - len(picture)), *_beneath(one, cells, known)]
            for one, picture in zip(beside, pictures, strict=True)
        ]
        lines += [()] if lines else []
        for line in range(max(map(len, stacks))):
            starts = enumerate(stack[line] if line < len(stack) else Text() for stack in stacks)
            lines.append(tuple((place * (cells + _GAP), content) for place, content in starts))
    return lines


def _picture_lines(
    one: PictureCell, cells: int, rows: int, draw: Draw
) -> Sequence[Text] | Sequence[Strip]:
    if one.file and rows:
        return draw(Picture(one.file, cells, rows), cells)
    return wrapped(Paragraph(one.note), cells) if one.note else []


def _beneath(one: PictureCell, cells: int, known: Wrapped) -> Sequence[Text]:
    key = (id(one), cells)
    if key not in known:
        known[key] = _label_and_caption(one, cells)
    return known[key]


def _label_and_caption(one: PictureCell, cells: int) -> Sequence[Text]:
    label = wrapped(Paragraph(one.label, wrap=False), cells)
    caption = list(wrapped(Paragraph(one.caption), cells)) if one.caption else []
    if len(caption) > _CAPTION_LINES:
        # The line may be full: then its end makes room for the sign.
        last = caption[_CAPTION_LINES - 1].copy().append("…")
        caption[_CAPTION_LINES - 1 :] = [cut(last, cells)]
    return [*label, *caption]


def wrapped(block: Paragraph, width: int) -> Sequence[Text]:
    """The lines of a paragraph."""
    return list(_lines(block, width))


def _lines(block: Paragraph, width: int) -> Iterator[Text]:
    text = safe(block.text)
    if not block.wrap:
        for line in text.split("\n", allow_blank=True):
            yield cut(line, width)
        return
    spans = line_spans(text.plain, width)
    if len(spans) == 1 and spans[0] == (0, len(text.plain)):
        yield text
        return
    pieces = text.divide([edge for span in spans for edge in span])
    for index in range(len(spans)):
        yield pieces[1 + 2 * index]
