"""Text measured, cut, padded and wrapped by terminal cells.

Widths are Rich's, because Rich draws. Its notion of one glyph is widened here by what a reader also
takes for one: a flag is two letters, and the vowel signs of Indic scripts stand on a consonant.
Only ``rich.cells`` is imported, so that the headless commands can use this too. Texts are expected
to be cleaned (``mnemoscope.core.text``).
"""

import unicodedata
from collections.abc import Iterator
from typing import Literal

from rich.cells import cell_len, split_graphemes

Align = Literal["left", "center", "right"]

ELLIPSIS = "…"

# Characters that may not start a line, and that may not end one (kinsoku).
_CLOSING = frozenset(
    "，。、；：！？…—·～％”’」』）》〉】〕］｝｠｣､｡･,.;:!?%)]}>»›"
    "々〻ー゛゜ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ"
)
_OPENING = frozenset("“‘「『（《〈【〔［｛｟｢([{<«‹¥￥$＄£￡")
_UNBREAKABLE_SPACES = frozenset("\u00a0\u2007\u202f")

Cluster = tuple[int, int, int]
"""A glyph of a text: where it starts, where it ends, how many cells it takes."""


def cell_width(text: str) -> int:
    """Return how many terminal cells ``text`` takes on one line."""
    return cell_len(text)


def clusters(text: str) -> list[Cluster]:
    """Cut ``text`` into glyphs that must stay whole."""
    if text.isascii():
        return [(index, index + 1, int(" " <= char < "\x7f")) for index, char in enumerate(text)]
    found: list[Cluster] = []
    in_flag = False
    for start, end, width in split_graphemes(text)[0]:
        is_flag_letter = "\U0001f1e6" <= text[start] <= "\U0001f1ff"
        completes_flag = is_flag_letter and in_flag
        in_flag = is_flag_letter and not in_flag
        if found and (completes_flag or unicodedata.category(text[start]) == "Mc"):
            before, _, before_width = found[-1]
            found[-1] = (before, end, before_width + width)
        else:
            found.append((start, end, width))
    return found


def shorten(text: str, cells: int, *, middle: bool = False) -> str:
    """Cut ``text`` to at most ``cells`` cells, with an ellipsis where something is missing.

    Args:
        text: The text, on one line.
        cells: The cells it may take.
        middle: Keep the start and the end, as suits ids and paths, instead of only the start.
    """
    head = text[: head_length(text, cells)]
    if len(head) == len(text):
        return text
    if cells < 1:
        return ""
    if not middle:
        return head[: head_length(head, cells - 1)].rstrip() + ELLIPSIS
    start = text[: head_length(text, cells // 2)]
    return start + ELLIPSIS + _tail(text[len(start) :], cells - 1 - cell_len(start))


def head_length(text: str, cells: int) -> int:
    """Return how many characters of ``text`` fit into ``cells`` cells in whole glyphs.

    Only as much of a long text is measured as can fit.
    """
    if cells < 1:
        return 0
    if text.isascii() and text[:cells].isprintable():
        return min(len(text), cells)
    window = cells + 16
    while True:
        part = text[:window]
        used = 0
        for start, _, width in clusters(part):
            used += width
            if used > cells:
                return start
        if len(part) == len(text):
            return len(text)
        window *= 4


def _tail(text: str, cells: int) -> str:
    """Return the longest end of ``text`` that fits into ``cells`` cells in whole glyphs."""
    used, kept = 0, len(text)
    for start, _, width in reversed(clusters(text)):
        used += width
        if used > cells:
            break
        kept = start
    return text[kept:]


def pad(text: str, cells: int, align: Align = "left", *, middle: bool = False) -> str:
    """Return ``text`` shortened or filled with spaces to exactly ``cells`` cells."""
    text = shorten(text, cells, middle=middle)
    spare = cells - cell_len(text)
    if spare < 1:
        return text
    left = {"left": 0, "center": spare // 2, "right": spare}[align]
    return " " * left + text + " " * (spare - left)


def wrap(text: str, cells: int) -> list[str]:
    """Break ``text`` into lines of at most ``cells`` cells; see :func:`line_spans`."""
    return [text[start:end] for start, end in line_spans(text, cells)]


def line_spans(text: str, cells: int) -> list[tuple[int, int]]:
    """Return where each line of wrapped ``text`` starts and ends, for styled text to be cut there.

    Lines break at newlines, at spaces, and on both sides of wide characters, but not before closing
    or after opening punctuation where that can be avoided. A word longer than a line is broken. Of
    the text only the spaces and newlines at breaks are left out. A wide glyph in a line one cell
    wide is the only thing that takes more than ``cells``.
    """
    spans: list[tuple[int, int]] = []
    offset = 0
    for paragraph in text.split("\n"):
        if len(paragraph) <= 2 * cells and cell_len(paragraph) <= cells:
            spans.append((offset, offset + len(paragraph)))
        else:
            spans += ((offset + a, offset + b) for a, b in _paragraph_spans(paragraph, cells))
        offset += len(paragraph) + 1
    return spans


def _paragraph_spans(text: str, cells: int) -> Iterator[tuple[int, int]]:
    glyphs = clusters(text)
    first = 0
    while first < len(glyphs):
        stop, overflows = _line_stop(text, glyphs, first, cells)
        start, end = glyphs[first][0], glyphs[stop - 1][1]
        content = text[start:end].rstrip() if overflows else text[start:end]
        if content or not overflows:
            yield start, start + len(content)
        first = stop
        while overflows and first < len(glyphs) and _is_space(text[glyphs[first][0]]):
            first += 1


def _line_stop(text: str, glyphs: list[Cluster], first: int, cells: int) -> tuple[int, bool]:
    """Return the glyph that the line from ``first`` ends before, and whether text overflows it."""
    used = 0
    for index in range(first, len(glyphs)):
        used += glyphs[index][2]
        if used > cells:
            if _is_space(text[glyphs[index][0]]):
                return max(index, first + 1), True
            # Breaks are looked for from the line's end, where most lines have one.
            for place in range(index, first, -1):
                if _may_break(text, glyphs, place):
                    return place, True
            return _forced(text, glyphs, first, index), True
    return len(glyphs), False


def _forced(text: str, glyphs: list[Cluster], first: int, stop: int) -> int:
    """Return where to break what has no place for a break before ``stop``."""
    for index in range(stop, first + 1, -1):
        before, after = text[glyphs[index - 1][0]], text[glyphs[index][0]]
        if after not in _CLOSING and before not in _OPENING:
            return index
    return max(stop, first + 1)


def _may_break(text: str, glyphs: list[Cluster], index: int) -> bool:
    """Whether a line may end between the glyph before ``index`` and the one at it."""
    before, after = text[glyphs[index - 1][0]], text[glyphs[index][0]]
    if _is_space(after) or after in _CLOSING or before in _OPENING:
        return False
    if _is_space(before) or (before in "-/" and after.isalpha()):
        return True
    return any(
        width == 2 or "\uff66" <= char <= "\uff9f"
        for char, width in ((before, glyphs[index - 1][2]), (after, glyphs[index][2]))
    )


def _is_space(char: str) -> bool:
    return char.isspace() and char not in _UNBREAKABLE_SPACES
