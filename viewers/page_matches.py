"""The matches of a search in the blocks of a page: each marked, and found again in its lines.

A match is marked before its paragraph is wrapped, with its number in the style, so that it is
whole where a line breaks in it, and is found wherever wrapping puts it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.style import Style
from rich.text import Span, Text
from textual.strip import Strip

from mnemoscope.viewers.matches import match_spans
from mnemoscope.viewers.page_blocks import (
    Beside,
    Block,
    Line,
    Paragraph,
    Picture,
    PictureCell,
)
from mnemoscope.viewers.styles import Palette, safe, style

__all__ = ["MOST_MATCHES", "PageMatches", "with_current"]

MOST_MATCHES = 1_000
"""So many matches are marked on a page: a letter is in a long context thousands of times."""

_NUMBER = "match"


@dataclass(frozen=True, slots=True)
class PageMatches:
    """Blocks with the matches in them marked."""

    blocks: tuple[Block, ...]
    places: tuple[int, ...] = ()
    """The block of each match."""
    is_cut: bool = False
    """Whether there are more matches than are marked."""

    @classmethod
    def find(
        cls, blocks: Sequence[Block], pattern: re.Pattern[str] | None, palette: Palette
    ) -> "PageMatches":
        """Mark what a pattern finds in the texts of blocks; nothing without a pattern."""
        if pattern is None:
            return cls(tuple(blocks))
        finder = _Finder(pattern, style("match", palette))
        marked = [finder.block(place, block) for place, block in enumerate(blocks)]
        return cls(tuple(marked), tuple(finder.places), finder.is_cut)

    def lines_of(self, match: int, lines: Sequence[Line]) -> list[int]:
        """The lines that a match stands in: the first of its block if it has been cut off."""
        of_block = [index for index, line in enumerate(lines) if line.block == self.places[match]]
        found = [index for index in of_block if any(_numbered(lines[index].content, match))]
        return found or of_block[:1]


def with_current(
    content: Text | Strip | Beside, match: int, palette: Palette
) -> Text | Strip | Beside:
    """A line with one match set apart from the others."""
    if isinstance(content, tuple):
        return tuple((start, _current(part, match, palette)) for start, part in content)
    return _current(content, match, palette)


def _current(part: Text | Strip, match: int, palette: Palette) -> Text | Strip:
    if isinstance(part, Strip):
        return part
    shown, look = part.copy(), style("match_current", palette)
    for span in _numbered(part, match):
        shown.stylize(look, span.start, span.end)
    return shown


class _Finder:
    """Marks matches and numbers them in the order in which blocks come."""

    def __init__(self, pattern: re.Pattern[str], look: Style) -> None:
        self._words = (pattern,)
        self._look = look
        self.places: list[int] = []
        self.is_cut = False

    def block(self, place: int, block: Block) -> Block:
        if isinstance(block, Picture):
            return block
        if isinstance(block, Paragraph):
            text = self._text(place, block.text)
            return block if text is block.text else replace(block, text=text)
        return replace(block, cells=tuple(self._cell(place, one) for one in block.cells))

    def _cell(self, place: int, cell: PictureCell) -> PictureCell:
        label, caption = self._text(place, cell.label), self._text(place, cell.caption)
        return replace(cell, label=label, caption=caption)

    def _text(self, place: int, text: Text) -> Text:
        shown = safe(text)
        room = MOST_MATCHES - len(self.places)
        # One more tells whether there are more.
        spans = match_spans(shown.plain, self._words, most=room + 1)
        self.is_cut = self.is_cut or len(spans) > room
        spans = spans[:room]
        if not spans:
            return text
        shown = shown.copy()
        for start, end in spans:
            numbered = self._look + Style(meta={_NUMBER: len(self.places)})
            shown.stylize(numbered, start, end)
            self.places.append(place)
        return shown


def _numbered(content: Text | Strip | Beside, match: int) -> Iterator[Span]:
    if isinstance(content, Text):
        for span in content.spans:
            if isinstance(span.style, Style) and span.style.meta.get(_NUMBER) == match:
                yield span
    elif not isinstance(content, Strip):
        for _, part in content:
            yield from _numbered(part, match)
