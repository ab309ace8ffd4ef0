"""What is done to every line before it reaches the terminal: no colours, faint text, plain signs.

A filter works on what has been drawn, so that no widget needs to know which of them are on. None
changes how many cells a text takes.
"""

from collections.abc import Callable
from functools import lru_cache

from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from mnemoscope.viewers.styles import MARKS

__all__ = ["ASCII_SIGNS", "AsciiSigns", "Colourless", "FaintText"]

_FAINT_NUMBER = 8
"""The terminal colour, bright black, by which a theme of terminal colours marks faint text. Some
colour schemes make it the same as the background, so it is never sent."""
_FAINT = Style(dim=True)
_REVERSED = Style(reverse=True)
_SCHEME_COLOURS = (ColorType.STANDARD, ColorType.EIGHT_BIT)

# Pairs of a sign and what stands for it.
_PAIRS = (
    "…~ ·. –- —- −- ×x ‘' ’' “\" ”\" →> ←< ↑^ ↓v ↵/ ⏎/ ⌫< ■# ▶> ⏸| ▀# ▌| ▎| ▏| "
    "─- ━- ═= │| ┃| ║| ╭+ ╮+ ╰+ ╯+ ┌+ ┐+ └+ ┘+ ├+ ┤+ ┬+ ┴+ ┼+ ▁_ ▂_ ▃- ▄- ▅= ▆= ▇# █#"
)
ASCII_SIGNS = {
    **{mark.glyph: mark.ascii for mark in MARKS.values() if not mark.glyph.isascii()},
    **{pair[0]: pair[1] for pair in _PAIRS.split()},
}
"""The signs and lines of the app, and what stands for them where only ASCII can be drawn."""

_TO_ASCII = str.maketrans(ASCII_SIGNS)


class Colourless(LineFilter):
    """Takes every colour away and leaves bold, faint, italic, underlined, struck and reversed.

    In a theme of terminal colours, what stands on a coloured background is reversed.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return _restyled(segments, _without_colours)


class FaintText(LineFilter):
    """Asks the terminal for faint text where a theme of its colours marks text so."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return _restyled(segments, _with_faint)


class AsciiSigns(LineFilter):
    """Draws the app's signs and lines in ASCII. Letters of any script stay as they are."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            one
            if one.text.isascii()
            else Segment(one.text.translate(_TO_ASCII), one.style, one.control)
            for one in segments
        ]


def _restyled(segments: list[Segment], change: Callable[[Style], Style]) -> list[Segment]:
    return [
        Segment(text, None if style is None else change(style), control)
        for text, style, control in segments
    ]


@lru_cache(maxsize=1024)
def _without_colours(style: Style) -> Style:
    plain = style.without_color
    if _is_faint(style):
        plain += _FAINT
    behind = style.bgcolor
    if behind is not None and behind.type in _SCHEME_COLOURS:
        plain += _REVERSED
    return plain


@lru_cache(maxsize=1024)
def _with_faint(style: Style) -> Style:
    if not _is_faint(style):
        return style
    return style + Style(color="default", dim=True)


def _is_faint(style: Style) -> bool:
    colour = style.color
    return colour is not None and colour.type in _SCHEME_COLOURS and colour.number == _FAINT_NUMBER
