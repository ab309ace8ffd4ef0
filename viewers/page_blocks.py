"""What a page is made of: styled paragraphs and pictures, laid out in lines and stops."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.strip import Strip

from mnemoscope.viewers.cells import line_spans
from mnemoscope.viewers.styles import safe

__all__ = [
    "Block",
    "Line",
    "Paragraph",
    "Picture",
    "PictureLoader",
    "Stop",
    "Target",
    "lay_out",
    "wrapped",
]

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


Block = Paragraph | Picture


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page."""

    indent: int
    content: Text | Strip


@dataclass(frozen=True, slots=True)
class Stop:
    """The lines that the cursor stands on for a target."""

    target: Target
    first: int
    last: int


def lay_out(
    blocks: Sequence[Block],
    width: int,
    draw: Callable[[Picture, int], Sequence[Text] | Sequence[Strip]],
) -> tuple[list[Line], list[Stop]]:
    """Lay blocks out one below the other.

    Args:
        blocks: What to lay out.
        width: The cells of a line.
        draw: Gives the lines of a picture in so many cells.
    """
    lines: list[Line] = []
    stops: list[Stop] = []
    for block in blocks:
        first = len(lines)
        inner = max(2, width - block.indent)
        content = wrapped(block, inner) if isinstance(block, Paragraph) else draw(block, inner)
        lines.extend(Line(block.indent, one) for one in content)
        if block.target is None or len(lines) == first:
            continue
        if stops and stops[-1].target == block.target and stops[-1].last == first - 1:
            stops[-1] = Stop(block.target, stops[-1].first, len(lines) - 1)
        else:
            stops.append(Stop(block.target, first, len(lines) - 1))
    return lines, stops


def wrapped(block: Paragraph, width: int) -> Sequence[Text]:
    """The lines of a paragraph."""
    return list(_lines(block, width))


def _lines(block: Paragraph, width: int) -> Iterator[Text]:
    text = safe(block.text)
    if not block.wrap:
        for line in text.split("\n", allow_blank=True):
            if line.cell_len > width:
                line.truncate(width, overflow="ellipsis")
            yield line
        return
    spans = line_spans(text.plain, width)
    if len(spans) == 1 and spans[0] == (0, len(text.plain)):
        yield text
        return
    pieces = text.divide([edge for span in spans for edge in span])
    for index in range(len(spans)):
        yield pieces[1 + 2 * index]
