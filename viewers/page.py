"""A page of styled paragraphs and pictures, with a cursor over the parts that lead somewhere.

Everything on a page that can be stood on has a target: a plain value that means something to
whoever filled the page, such as a round id. The page reports which target the cursor stands on and
which one was opened.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Hide
from textual.message import Message

from mnemoscope.viewers.page_blocks import Block, PictureLoader, Target
from mnemoscope.viewers.page_matches import PageMatches
from mnemoscope.viewers.page_walking import WalkedPage
from mnemoscope.viewers.styles import Palette

__all__ = ["Page"]


class Page(WalkedPage, can_focus=True, inherit_bindings=False):
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
        super().__init__(
            blocks,
            loader=loader,
            mark_lines=mark_lines,
            choice=choice,
            id=id,
            classes=classes,
        )
        self._plain = tuple(blocks)
        self._pattern: re.Pattern[str] | None = None
        self._is_stale = False
        """Whether what is marked is not what is searched."""
        self._wanted: tuple[Target, bool] | None = None

    def on_hide(self, event: Hide) -> None:
        # Told late, or of a first layout for another width: what is to be shown keeps the focus.
        if self.display:
            event.prevent_default()

    def tell_highlighted(self) -> None:
        self.post_message(self.Highlighted(self, self._stops[self._cursor].target))

    def tell_opened(self, target: Target) -> None:
        self.post_message(self.Opened(self, target))

    def tell_left(self, step: int) -> None:
        self.post_message(self.Left(self, step))

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

    def _bring_match_into_view(self) -> None:
        self._bring_line_into_view(self._match_lines[0])
