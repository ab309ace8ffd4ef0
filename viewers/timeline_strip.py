"""A timeline in one line: where something happens, and where one is."""

from collections.abc import Mapping, Sequence

from rich.text import Text
from textual.app import RenderResult
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from mnemoscope.viewers.styles import MARKS, Palette, style

__all__ = ["TimelineStrip", "index_of", "place_of", "placed", "strip"]

_EDGE = 2
_RANK = ("withdrawn", "reinstated", "by_both", "by_text", "by_image", "no_change")
"""Of several signs in one cell the first of these is drawn."""


def placed(marks: Mapping[int, str], count: int, cells: int) -> list[str]:
    """The name of the sign in each of so many cells; empty where nothing happens.

    Args:
        marks: Names of signs by position.
        count: How many positions there are.
        cells: The cells of the line.
    """
    found = [""] * cells
    for index, name in marks.items():
        place = place_of(index, count, cells)
        if not found[place] or _RANK.index(name) < _RANK.index(found[place]):
            found[place] = name
    return found


def strip(signs: Sequence[str], here: int, there: int, palette: Palette) -> Text:
    """The line.

    Args:
        signs: The name of the sign in each cell.
        here: The cell where one is.
        there: Another one to be marked; -1 for none.
        palette: The colours.
    """
    line = Text(no_wrap=True, end="")
    for place, name in enumerate(signs):
        glyph = MARKS[name].glyph if name else "─"
        look = style(name, palette) if name else style("dim", palette)
        if place == here:
            look = style("chosen", palette)
            glyph = glyph if name else "│"
        elif place == there:
            look = style("unequal", palette)
            glyph = MARKS["unequal"].glyph
        line.append(glyph, look)
    return line


def place_of(index: int, count: int, cells: int) -> int:
    """The cell of a position: the first one is the first, the last one the last."""
    return 0 if count < 2 else round(min(index, count - 1) * (cells - 1) / (count - 1))


def index_of(place: int, count: int, cells: int) -> int:
    """The position that a cell stands for."""
    return 0 if cells < 2 else round(min(place, cells - 1) * (count - 1) / (cells - 1))


class TimelineStrip(Widget):
    """A line over a history; a click on it goes to a round."""

    DEFAULT_CSS = "TimelineStrip { height: 1; background: $background; color: $dim; }"
    ALLOW_SELECT = False

    class Chosen(Message):
        """A position was clicked."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._marks: Mapping[int, str] = {}
        self._count = 0
        self._at = 0
        self._beside: int | None = None
        self._near: Sequence[int] = ()
        self._signs: Sequence[str] = ()

    def show(
        self, marks: Mapping[int, str], count: int, at: int, beside: int | None = None
    ) -> None:
        """Show other signs, and where one is."""
        if marks is not self._marks or count != self._count:
            self._near, self._signs = sorted(marks), ()
        self._marks, self._count, self._at, self._beside = marks, count, at, beside
        self.refresh()

    @property
    def _cells(self) -> int:
        return max(0, self.size.width - 2 * _EDGE)

    def render(self) -> RenderResult:
        if not self._count or self._cells < 1:
            return Text("")
        cells, count, beside = self._cells, self._count, self._beside
        if len(self._signs) != cells:
            self._signs = placed(self._marks, count, cells)
        there = place_of(beside, count, cells) if beside is not None else -1
        palette = Palette.from_variables(self.app.theme_variables)
        line = strip(self._signs, place_of(self._at, count, cells), there, palette)
        return Text(" " * _EDGE, no_wrap=True, end="").append_text(line)

    def on_click(self, event: Click) -> None:
        """Go to the round that was clicked; of one that changes something, to that."""
        place = event.x - _EDGE
        if not self._count or not 0 <= place < self._cells:
            return
        cells, count = self._cells, self._count
        same = [one for one in self._near if place_of(one, count, cells) == place]
        self.post_message(self.Chosen(same[0] if same else index_of(place, count, cells)))
