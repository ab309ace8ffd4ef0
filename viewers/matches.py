"""What a search or a filter has found, marked in text that is drawn.

Places are found in the text as it is drawn, and widened to whole glyphs: a mark that stands on a
letter, the other half of a flag and the parts of a picture are never drawn apart from each other.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import islice

from rich.text import Text

from mnemoscope.viewers.cells import ELLIPSIS, cell_width, clusters, head_length, shorten
from mnemoscope.viewers.styles import Palette, style

__all__ = ["Words", "excerpt", "marked", "match_spans"]

Words = Sequence[re.Pattern[str]]
"""What is searched for; each counts."""
Span = tuple[int, int]
_MOST_MARKED = 1_000


def match_spans(text: str, words: Words, *, most: int | None = None) -> list[Span]:
    """Where words are in a text: in order, in whole glyphs, none overlapping another.

    An empty match is none.

    Args:
        text: The text.
        words: What is searched.
        most: Of each word no more matches than these are looked for; all when None.
    """
    found = [
        one.span()
        for word in words
        for one in islice((one for one in word.finditer(text) if one[0]), most)
    ]
    spans: list[Span] = []
    for start, end in sorted(_in_glyphs(text, found)):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], end))
        else:
            spans.append((start, end))
    return spans


def marked(text: Text, words: Words, palette: Palette, *, after: int = 0) -> Text:
    """The text with the words in it marked.

    Args:
        text: The text; it stays as it is.
        words: What is marked.
        palette: The colours.
        after: How many characters at its start are a label, in which nothing is searched.

    Returns:
        The text itself where there is nothing to mark. Of a word that is there thousands of times
        the first thousand are marked: each mark costs time, and so many tell no more.
    """
    spans = match_spans(text.plain[after:], words, most=_MOST_MARKED) if words else []
    if not spans:
        return text
    shown, look = text.copy(), style("match", palette)
    for start, end in spans:
        shown.stylize(look, after + start, after + end)
    return shown


def excerpt(text: str, cells: int, words: Words) -> str:
    """As much of a text of one line as fits, around the first word in it if that comes late."""
    spans = match_spans(text, words) if words else []
    fitting = head_length(text, cells) if spans else 0
    if not spans or fitting == len(text) or spans[0][1] < fitting:
        return shorten(text, cells)
    starts = [start for start, _, _ in clusters(text)]
    before = bisect_left(starts, spans[0][0])
    left = before
    while left > 0 and cell_width(text[starts[left - 1] : starts[before]]) <= cells // 4:
        left -= 1
    return shorten(ELLIPSIS + text[starts[left] :].lstrip(), cells)


def _in_glyphs(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans widened to whole glyphs. Only the words of the text that they are in are cut."""
    if not spans or text.isascii():
        return list(spans)
    widened: list[Span] = []
    edges_of: dict[Span, list[int]] = {}
    for start, end in spans:
        # No glyph reaches over a line's end or back over a space.
        first = max(0, text.rfind(" ", 0, start))
        first = max(first, text.rfind("\n", first, start) + 1)
        space = text.find(" ", end)
        last = space if space >= 0 else len(text)
        newline = text.find("\n", end, last)
        last = newline if newline >= 0 else last
        if (first, last) not in edges_of:
            starts = [first + start_in_word for start_in_word, _, _ in clusters(text[first:last])]
            edges_of[first, last] = [*starts, last]
        edges = edges_of[first, last]
        left = edges[bisect_right(edges, start) - 1]
        widened.append((left, edges[bisect_left(edges, end)]))
    return widened
