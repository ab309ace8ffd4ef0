"""A page of styled paragraphs and pictures, with a cursor over the parts that lead somewhere.

Everything on a page that can be stood on has a target: a plain value that means something to
whoever filled the page, such as a round id. The page reports which target the cursor stands on and
which one was opened.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.binding import Binding, BindingType
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
    PictureRow,
    Stop,
    Target,
    Wrapped,
    cell_at,
    lay_out,
    wrapped,
)
from mnemoscope.viewers.page_matches import PageMatches, with_current
from mnemoscope.viewers.styles import Palette

__all__ = ["Page"]

_GUTTER = 2
_POINTER = "▌"
_MATCH_POINTER = "▶"


class Page(ScrollView, can_focus=True, inherit_bindings=False):
    """Blocks one below the other."""

    DEFAULT_CSS = """
    Page {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $foreground;
        & > .page--pointer { color: $dim; }
        & > .page--note { color: $dim; text-style: italic; }
        & > .page--cursor { background: $panel; }
        &:focus > .page--pointer { color: $focus; }
        &:focus > .page--cursor { background: $cursor-row; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "page--pointer",
        "page--note",
        "page--cursor",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, id="page.up"),
        Binding("down,j", "cursor_down", "Down", show=False, id="page.down"),
        Binding("home,g", "cursor_top", "Top", show=False, id="page.top"),
        Binding("end,G", "cursor_bottom", "Bottom", show=False, id="page.bottom"),
        Binding("pageup", "cursor_page_up", "Page up", show=False, id="page.page_up"),
        Binding("pagedown", "cursor_page_down", "Page down", show=False, id="page.page_down"),
        Binding("ctrl+u", "cursor_half_up", "Half page up", show=False, id="page.half_up"),
        Binding("ctrl+d", "cursor_half_down", "Half page down", show=False, id="page.half_down"),
        Binding("enter", "open", "Open", show=False, id="page.open"),
    ]
    ALLOW_SELECT = False

    class Highlighted(Message):
        """The cursor came to stand on a target."""

        def __init__(self, page: "Page", target: Target) -> None:
            super().__init__()
            self.page = page
            self.target = target

        @property
        def control(self) -> "Page":
            return self.page

    class Opened(Highlighted):
        """A target was chosen, by key or by a second click."""

    class Left(Message):
        """The cursor was to move beyond the last or the first line."""

        def __init__(self, page: "Page", step: int) -> None:
            super().__init__()
            self.page = page
            self.step = step
            """1 beyond the end, -1 beyond the beginning."""

        @property
        def control(self) -> "Page":
            return self.page

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
        choice: str = "",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Show blocks.

        Args:
            blocks: What to show.
            loader: Draws pictures; it is called in a thread.
            mark_lines: Whether lines under the cursor get a background, beside the pointer.
            choice: Pairs that begin with this word are targets that one click opens.
            id: The widget's id.
            classes: The widget's classes.
        """
        super().__init__(id=id, classes=classes)
        self._plain = tuple(blocks)
        self._found = PageMatches(self._plain)
        self._pattern: re.Pattern[str] | None = None
        self._is_stale = False
        """Whether what is marked is not what is searched."""
        self._match: int | None = None
        self._match_lines: list[int] = []
        self._loader = loader
        self._mark_lines = mark_lines
        self._choice = choice
        self._lines: list[Line] = []
        self._stops: list[Stop] = []
        self._cursor = 0
        self._laid_out_for = -1
        self._drawn: LRUCache[Picture, Sequence[Strip] | str] = LRUCache(64)
        self._pictures: list[Picture] = []
        self._clicked: Target | None = None
        self._wanted: tuple[Target, bool] | None = None
        self._fresh = True
        self._ground: Style | None = None
        self._wrapped: Wrapped = {}
        self._wrapped_of = self._found

    # What is shown

    @property
    def target(self) -> Target | None:
        """What the cursor stands on, or will when the page is displayed."""
        if self._wanted is not None:
            return self._wanted[0]
        return self._stops[self._cursor].target if self._stops else None

    @property
    def targets(self) -> list[Target]:
        """Everything the cursor can stand on, in order."""
        return [stop.target for stop in self._stops]

    def set_blocks(self, blocks: Sequence[Block], *, keep: bool = False) -> None:
        """Show other blocks, from the top or, with ``keep``, where the page stands now."""
        # A cursor that has not been moved stays on the first stop, whatever comes there.
        target, before = self.target if self._cursor else None, self.scroll_offset.y
        self._plain = tuple(blocks)
        palette = Palette.from_variables(self.app.theme_variables)
        self._found = PageMatches.find(self._plain, self._pattern, palette)
        self._is_stale = False
        self._match = None
        self._clicked = None
        self._cursor = 0
        self._wanted = None
        # A page that nobody has moved in stays at its top.
        self._fresh = not keep or (self._fresh and before == 0)
        if not self._inner_width:
            # A page that is not displayed is laid out when it is.
            self._laid_out_for = -1
            return
        self._lay_out()
        if keep and target is not None:
            self._cursor = self._index_of(target) or 0
        self.scroll_to(y=before if keep else 0, animate=False, force=True)
        self._load_pictures()

    def move_to(self, target: Target, *, top: bool = False) -> bool:
        """Put the cursor on a target, if the page has it, and bring it into view."""
        self._fresh = False
        if not self._inner_width:
            self._wanted = (target, top)
            return any(block.target == target for block in self._found.blocks)
        self._ensure_layout()
        index = self._index_of(target)
        if index is None:
            return False
        self._stand_on(index, top=top)
        return True

    @property
    def standing(self) -> tuple[Target | None, int]:
        """What the cursor stands on, and the line at the top."""
        return self.target, self.scroll_offset.y

    def stand(self, target: Target | None, scroll: int) -> bool:
        """Go back to where the page stood, without reporting it; False when it cannot (yet)."""
        index = None if target is None else self._index_of(target)
        if not self._inner_width or (target is not None and index is None):
            return False
        self._fresh = False
        self._cursor = index or 0
        self.scroll_to(y=scroll, animate=False, force=True)
        self.refresh()
        return True

    # Searching

    @property
    def match_count(self) -> int:
        """How many matches of the search the page has."""
        return len(self._found.places)

    @property
    def has_more_matches(self) -> bool:
        """Whether it has more matches than are marked and counted."""
        return self._found.is_cut

    def search(self, pattern: re.Pattern[str] | None, *, later: bool = False) -> None:
        """Mark what a pattern finds, in these blocks and in those set later; None ends it.

        Args:
            pattern: What is searched.
            later: Whether these blocks are left as they are, for they are about to be replaced, or
                searched by another call.
        """
        self._is_stale = self._is_stale or pattern != self._pattern
        self._pattern = pattern
        if self._is_stale and not later:
            self.set_blocks(self._plain, keep=True)

    def show_match(self, match: int | None) -> None:
        """Set one match apart, counted from 0, with the cursor on what it stands in; or none."""
        self._match = match
        self._find_match()
        self.refresh()
        if match is None or not self._match_lines:
            return
        self._fresh = False
        line = self._match_lines[0]
        stop = next((i for i, s in enumerate(self._stops) if s.first <= line <= s.last), None)
        if stop is not None and stop != self._cursor:
            self._cursor = stop
            self.post_message(self.Highlighted(self, self._stops[stop].target))
        self._bring_match_into_view()

    def reveal(self, pattern: re.Pattern[str]) -> None:
        """Bring the first line with a match in the current stop into view.

        What a line break parts is not found; the stop then stays as it is in view.
        """
        if not self._stops:
            return
        stop = self._stops[self._cursor]
        for index in range(stop.first, stop.last + 1):
            content = self._lines[index].content
            if isinstance(content, Text) and pattern.search(content.plain):
                self._bring_line_into_view(index)
                return

    def _find_match(self) -> None:
        self._match_lines = []
        if self._match is not None and self._laid_out_for >= 0:
            self._match_lines = self._found.lines_of(self._match, self._lines)

    def _bring_match_into_view(self) -> None:
        self._bring_line_into_view(self._match_lines[0])

    def _bring_line_into_view(self, line: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not top <= line < top + height:
            self.scroll_to(y=line - height // 2, animate=False, force=True)

    def _index_of(self, target: Target) -> int | None:
        return next((i for i, stop in enumerate(self._stops) if stop.target == target), None)

    @property
    def _inner_width(self) -> int:
        """The cells beside the scrollbar."""
        return self.scrollable_size.width if self.size.width else 0

    def _ensure_layout(self) -> None:
        if self._inner_width and self._inner_width != self._laid_out_for:
            self._lay_out()
            # A scrollbar that comes or goes makes pictures of another width, and is no resize.
            self.call_later(self._load_pictures)

    def on_resize(self) -> None:
        if not self._inner_width:
            return
        rewrapped = self._inner_width != self._laid_out_for
        if rewrapped:
            target = self.target
            self._lay_out()
            if target is not None and self._stops:
                self._cursor = self._index_of(target) or 0
        if self._wanted is not None:
            target, top = self._wanted
            self._wanted = None
            index = self._index_of(target)
            if index is not None:
                self._stand_on(index, top=top)
        elif self._match_lines:
            self._bring_match_into_view()
        elif self._fresh:
            self.scroll_to(y=0, animate=False, force=True)
        elif self._stops and (rewrapped or not self._is_read(self._stops[self._cursor])):
            self._bring_into_view(self._stops[self._cursor], top=False)
        self._load_pictures()

    def _is_read(self, stop: Stop) -> bool:
        """Whether a stop higher than the page is in view, so that its top need not be."""
        top, height = self.scroll_target_y, self.size.height
        higher = stop.last - stop.first + 1 > height
        return higher and stop.first < top + height and stop.last >= top

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

    def _lay_out(self) -> None:
        width = max(4, self._inner_width - _GUTTER)
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

    def on_page__picture_ready(self, message: _PictureReady) -> None:
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
        space = Strip([gutter, Segment(" " * (_GUTTER - 1 + line.indent))], _GUTTER + line.indent)
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

    # Moving

    def _stand_on(self, index: int, *, top: bool = False) -> None:
        self._fresh = False
        self._cursor = min(max(index, 0), len(self._stops) - 1)
        stop = self._stops[self._cursor]
        self._bring_into_view(stop, top=top)
        self.refresh()
        self.post_message(self.Highlighted(self, stop.target))

    def _bring_into_view(self, stop: Stop, *, top: bool) -> None:
        height = max(1, self.size.height)
        at = self.scroll_offset.y
        if top or stop.last - stop.first + 1 > height:
            at = stop.first
        elif self._cursor == 0 and stop.last < height:
            at = 0
        else:
            at = min(max(at, stop.last - height + 1), stop.first)
        self.scroll_to(y=at, animate=False, force=True)

    def _scroll_by(self, lines: int) -> None:
        self._fresh = False
        at = self.scroll_target_y
        if at >= self.max_scroll_y if lines > 0 else at <= 0:
            self.post_message(self.Left(self, 1 if lines > 0 else -1))
            return
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True)

    def action_cursor_down(self) -> None:
        bottom = self.scroll_offset.y + self.size.height - 1
        if not self._stops:
            self._scroll_by(1)
        elif self._stops[self._cursor].last > bottom:
            # A stop that reaches below the page is read to its end before the next one is taken.
            self._scroll_by(max(1, self.size.height // 2))
        elif self._cursor == len(self._stops) - 1:
            self._scroll_by(1)
        else:
            self._stand_on(self._cursor + 1)

    def action_cursor_up(self) -> None:
        if not self._stops:
            self._scroll_by(-1)
        elif self._stops[self._cursor].first < self.scroll_offset.y:
            self._scroll_by(-max(1, self.size.height // 2))
        elif self._cursor == 0:
            self._scroll_by(-1)
        else:
            self._stand_on(self._cursor - 1)

    def action_cursor_top(self) -> None:
        if self._stops:
            self._stand_on(0)
        self.scroll_to(y=0, animate=False, force=True)

    def action_cursor_bottom(self) -> None:
        if self._stops:
            self._stand_on(len(self._stops) - 1)
        self.scroll_to(y=len(self._lines), animate=False, force=True)

    def _page(self, lines: int) -> None:
        self._scroll_by(lines)
        if not self._stops:
            return
        top = self.scroll_target_y
        bottom = top + self.size.height - 1
        stop = self._stops[self._cursor]
        if stop.last >= top and stop.first <= bottom:
            return
        visible = [i for i, s in enumerate(self._stops) if s.last >= top and s.first <= bottom]
        if visible:
            self._cursor = visible[0] if lines > 0 else visible[-1]
            self.refresh()
            self.post_message(self.Highlighted(self, self._stops[self._cursor].target))

    def action_cursor_page_up(self) -> None:
        self._page(-max(1, self.size.height - 1))

    def action_cursor_page_down(self) -> None:
        self._page(max(1, self.size.height - 1))

    def action_cursor_half_up(self) -> None:
        self._page(-max(1, self.size.height // 2))

    def action_cursor_half_down(self) -> None:
        self._page(max(1, self.size.height // 2))

    def action_open(self) -> None:
        if self.target is not None:
            self.post_message(self.Opened(self, self.target))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.button != 1 or offset is None:
            return
        line = offset.y + self.scroll_offset.y
        picked = self._picked(line, offset.x)
        index = next((i for i, s in enumerate(self._stops) if s.first <= line <= s.last), None)
        if picked is not None:
            self.post_message(self.Opened(self, picked))
        elif index is not None:
            self._click(index)

    def _click(self, index: int) -> None:
        target = self._stops[index].target
        if (target == self._clicked and index == self._cursor) or self._is_choice(target):
            self._clicked = target
            self._stand_on(index)
            self.action_open()
        else:
            self._clicked = target
            self._stand_on(index)

    def _is_choice(self, target: Target) -> bool:
        return bool(self._choice) and isinstance(target, tuple) and target[0] == self._choice

    def _picked(self, line: int, x: int) -> Target | None:
        """The target of the picture at a place, where pictures have targets of their own."""
        if not 0 <= line < len(self._lines):
            return None
        block = self._found.blocks[self._lines[line].block]
        if not isinstance(block, PictureRow):
            return None
        lines = [one for one in self._lines if one.block == self._lines[line].block]
        first = self._lines.index(lines[0])
        width = max(2, max(4, self._inner_width - _GUTTER) - block.indent)
        cell = cell_at(block, lines, line - first, x - _GUTTER - block.indent, width)
        return cell.target if cell is not None else None
