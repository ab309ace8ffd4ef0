"""A page of blocks, laid out in lines and drawn, with its pictures as they become ready."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import work
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mnemoscope.viewers.page_blocks import (
    Beside,
    Block,
    Line,
    Paragraph,
    Picture,
    PictureLoader,
    Stop,
    Wrapped,
    lay_out,
    wrapped,
)
from mnemoscope.viewers.page_matches import PageMatches, with_current
from mnemoscope.viewers.styles import Palette

__all__ = ["GUTTER", "DrawnPage"]

GUTTER = 2
"""Cells left of every line, for the pointer."""
_POINTER = "▌"
_MATCH_POINTER = "▶"


class DrawnPage(ScrollView):
    """Blocks one below the other, and the stop that a cursor is on."""

    class _PictureReady(Message):
        def __init__(self, block: Picture, drawn: Sequence[Strip] | str) -> None:
            super().__init__()
            self.block = block
            self.drawn = drawn

    def __init__(
        self,
        blocks: Sequence[Block] = (),
        *,
        loader: PictureLoader | None = None,
        mark_lines: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._found = PageMatches(tuple(blocks))
        self._match: int | None = None
        self._match_lines: list[int] = []
        self._loader = loader
        self._mark_lines = mark_lines
        self._lines: list[Line] = []
        self._stops: list[Stop] = []
        self._cursor = 0
        self._laid_out_for = -1
        self._drawn: LRUCache[Picture, Sequence[Strip] | str] = LRUCache(64)
        self._pictures: list[Picture] = []
        self._ground: Style | None = None
        self._wrapped: Wrapped = {}
        self._wrapped_of = self._found

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._ground = None
        self.refresh()

    @property
    def ground(self) -> Style:
        """The style that lines are drawn in; working it out anew for every line takes long."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    # Layout

    @property
    def _inner_width(self) -> int:
        """The cells beside the scrollbar."""
        return self.scrollable_size.width if self.size.width else 0

    def _ensure_layout(self) -> None:
        if self._inner_width and self._inner_width != self._laid_out_for:
            self._lay_out()
            # A scrollbar that comes or goes makes pictures of another width, and is no resize.
            self.call_later(self._load_pictures)

    def _lay_out(self) -> None:
        width = max(4, self._inner_width - GUTTER)
        self._pictures.clear()
        if self._inner_width != self._laid_out_for or self._wrapped_of is not self._found:
            self._wrapped, self._wrapped_of = {}, self._found
        self._lines, self._stops = lay_out(self._found.blocks, width, self._picture, self._wrapped)
        over = len(self._lines) - self.size.height
        if self.show_vertical_scrollbar and 0 < over <= self.size.height:
            # The scrollbar may be all that makes the page too long for going without one. That
            # shows once the pictures have been drawn in either width.
            narrow = tuple(self._pictures)
            self._pictures.clear()
            wider = lay_out(self._found.blocks, width + self.scrollbar_size_vertical, self._picture)
            drawn = all(self._drawn.get(block) is not None for block in self._pictures)
            if drawn and len(wider[0]) <= self.size.height:
                self._lines, self._stops = wider
            else:
                self._pictures += narrow
        self._laid_out_for = self._inner_width
        self._cursor = min(self._cursor, max(0, len(self._stops) - 1))
        self._find_match()
        self.virtual_size = Size(1, len(self._lines))
        self.refresh()

    def _find_match(self) -> None:
        self._match_lines = []
        if self._match is not None and self._laid_out_for >= 0:
            self._match_lines = self._found.lines_of(self._match, self._lines)

    # Pictures

    def _picture(self, block: Picture, width: int) -> Sequence[Text] | Sequence[Strip]:
        self._pictures.append(block)
        drawn = self._drawn.get(block)
        if drawn is not None and not isinstance(drawn, str):
            return drawn
        style = self.get_component_rich_style("page--note", partial=True)
        return wrapped(Paragraph(Text(drawn or "… loading picture", style)), width)

    def _load_pictures(self) -> None:
        waiting = [block for block in self._pictures if self._drawn.get(block) is None]
        if waiting and self._loader is not None:
            self._draw_pictures(tuple(waiting), self._loader)

    @work(thread=True, exclusive=True, group="pictures", description="draw pictures")
    def _draw_pictures(self, blocks: Sequence[Picture], loader: PictureLoader) -> None:
        for block in blocks:
            self.post_message(
                self._PictureReady(block, loader(block.file, block.columns, block.rows))
            )

    def on_drawn_page__picture_ready(self, message: _PictureReady) -> None:
        message.stop()
        self._drawn[message.block] = message.drawn
        if message.block not in self._pictures or not self._inner_width:
            return
        # What the reader looks at must not move because a picture above it became larger. At the
        # top of the page that is the top.
        at_top = self.scroll_offset.y == 0
        anchor = self._stops[self._cursor] if self._stops and not at_top else None
        offset = anchor.first - self.scroll_offset.y if anchor else 0
        self._lay_out()
        if anchor and 0 <= offset < self.size.height:
            first = self._stops[self._cursor].first
            self.scroll_to(y=first - offset, animate=False, force=True)

    # Drawing

    def render_line(self, y: int) -> Strip:
        self._ensure_layout()
        width, style = self._inner_width, self.ground
        index = y + self.scroll_offset.y
        if index >= len(self._lines):
            return Strip.blank(width, style)
        line = self._lines[index]
        stop = self._stops[self._cursor] if self._stops else None
        current = stop is not None and stop.first <= index <= stop.last
        pointer = self.get_component_rich_style("page--pointer", partial=True)
        gutter = Segment(_POINTER, pointer) if current else Segment(" ")
        content = line.content
        if index in self._match_lines and self._match is not None:
            gutter = Segment(_MATCH_POINTER, pointer)
            palette = Palette.from_variables(self.app.theme_variables)
            content = with_current(content, self._match, palette)
        strip = self._strip(content)
        if current and self._mark_lines and isinstance(line.content, Text):
            style += self.get_component_rich_style("page--cursor", partial=True)
        space = Strip([gutter, Segment(" " * (GUTTER - 1 + line.indent))], GUTTER + line.indent)
        return Strip.join([space, strip]).crop_extend(0, width, None).apply_style(style)

    def _strip(self, content: Text | Strip | Beside) -> Strip:
        if isinstance(content, Strip):
            return content
        if isinstance(content, Text):
            return Strip(content.render(self.app.console))
        strip = Strip([])
        for start, part in content:
            strip = Strip.join([strip.adjust_cell_length(start), self._strip(part)])
        return strip
