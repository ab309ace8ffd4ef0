"""A page on which a cursor goes from stop to stop, by key and by mouse."""

from collections.abc import Sequence

from textual import events

from mnemoscope.viewers.page_blocks import (
    Block,
    PictureLoader,
    PictureRow,
    Stop,
    Target,
    cell_at,
)
from mnemoscope.viewers.page_drawing import GUTTER, DrawnPage

__all__ = ["WalkedPage"]


class WalkedPage(DrawnPage):
    """Blocks with a cursor; a stop that is higher than the page is read before it is left."""

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
        super().__init__(blocks, loader=loader, mark_lines=mark_lines, id=id, classes=classes)
        self._choice = choice
        self._clicked: Target | None = None
        self._fresh = True
        """Whether nobody has moved in it."""

    @property
    def target(self) -> Target | None:
        """What the cursor stands on."""
        return self._stops[self._cursor].target if self._stops else None

    def tell_highlighted(self) -> None:
        """Say what the cursor came to stand on; the page does it."""
        raise AssertionError("a page says what its cursor stands on")

    def tell_opened(self, target: Target) -> None:
        """Say what was chosen; the page does it."""
        raise AssertionError("a page says what was opened")

    def tell_left(self, step: int) -> None:
        """Say that the cursor was to move beyond an end; the page does it."""
        raise AssertionError("a page says that it was to be left")

    # Standing

    def _index_of(self, target: Target) -> int | None:
        return next((i for i, stop in enumerate(self._stops) if stop.target == target), None)

    def _stand_on(self, index: int, *, top: bool = False) -> None:
        self._fresh = False
        self._cursor = min(max(index, 0), len(self._stops) - 1)
        stop = self._stops[self._cursor]
        self._bring_into_view(stop, top=top)
        self.refresh()
        self.tell_highlighted()

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

    def _bring_line_into_view(self, line: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not top <= line < top + height:
            self.scroll_to(y=line - height // 2, animate=False, force=True)

    def _is_read(self, stop: Stop) -> bool:
        """Whether a stop higher than the page is in view, so that its top need not be."""
        top, height = self.scroll_target_y, self.size.height
        higher = stop.last - stop.first + 1 > height
        return higher and stop.first < top + height and stop.last >= top

    # Moving

    def _scroll_by(self, lines: int) -> None:
        self._fresh = False
        at = self.scroll_target_y
        if at >= self.max_scroll_y if lines > 0 else at <= 0:
            self.tell_left(1 if lines > 0 else -1)
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
            self.tell_highlighted()

    def action_cursor_page_up(self) -> None:
        self._page(-max(1, self.size.height - 1))

    def action_cursor_page_down(self) -> None:
        self._page(max(1, self.size.height - 1))

    def action_cursor_half_up(self) -> None:
        self._page(-max(1, self.size.height // 2))

    def action_cursor_half_down(self) -> None:
        self._page(max(1, self.size.height // 2))

    # Choosing

    def action_open(self) -> None:
        target = self.target
        if target is not None:
            self.tell_opened(target)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.button != 1 or offset is None:
            return
        line = offset.y + self.scroll_offset.y
        picked = self._picked(line, offset.x)
        index = next((i for i, s in enumerate(self._stops) if s.first <= line <= s.last), None)
        if picked is not None:
            self.tell_opened(picked)
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
        width = max(2, max(4, self._inner_width - GUTTER) - block.indent)
        cell = cell_at(block, lines, line - first, x - GUTTER - block.indent, width)
        return cell.target if cell is not None else None
