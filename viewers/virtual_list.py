"""A list of any length that asks only for the rows it shows.

Starting, jumping and moving the cursor cost the same for ten rows and for a hundred thousand: there
is no per-row state but a small cache of drawn lines.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mnemoscope.core.text import clean, one_line
from mnemoscope.viewers.cells import cell_width, wrap
from mnemoscope.viewers.columns import GAP, Column, column_widths, fit

NO_ROW = -1
"""Where the cursor is when there are no rows."""

_MARGIN = 2
_HEADER = 1
_POINTER = "▌"
_CACHED_ROWS = 256


class RowSource(Protocol):
    """What a list shows. Rows are asked for one at a time, when they come into view."""

    @property
    def row_count(self) -> int: ...

    @property
    def columns(self) -> Sequence[Column]: ...

    def cells(self, row: int) -> Sequence[Text | str]:
        """Return the row's content, one value for each of ``columns``; strings are plain text."""
        ...


class RowMessage(Message):
    """Something happened to a row of a list."""

    def __init__(self, virtual_list: "VirtualList", row: int) -> None:
        super().__init__()
        self.virtual_list = virtual_list
        self.row = row

    @property
    def control(self) -> "VirtualList":
        return self.virtual_list


class HeaderMessage(Message):
    """The title of a column was clicked."""

    def __init__(self, virtual_list: "VirtualList", column: int) -> None:
        super().__init__()
        self.virtual_list = virtual_list
        self.column = column

    @property
    def control(self) -> "VirtualList":
        return self.virtual_list


class VirtualList(ScrollView, can_focus=True, inherit_bindings=False):
    """A header and rows with a cursor; it reports where the cursor is and which row is opened."""

    DEFAULT_CSS = """
    VirtualList {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $foreground;
        & > .virtual-list--header { color: $dim; text-style: bold; }
        & > .virtual-list--dim { color: $dim; }
        & > .virtual-list--empty { color: $dim; }
        & > .virtual-list--pointer { color: $dim; }
        & > .virtual-list--cursor { background: $panel; }
        &:focus > .virtual-list--header { color: $foreground; text-style: bold; }
        &:focus > .virtual-list--pointer { color: $focus; }
        &:focus > .virtual-list--cursor { background: $cursor-row; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "virtual-list--header",
        "virtual-list--dim",
        "virtual-list--empty",
        "virtual-list--pointer",
        "virtual-list--cursor",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, id="list.up"),
        Binding("down,j", "cursor_down", "Down", show=False, id="list.down"),
        Binding("home,g", "cursor_top", "Top", show=False, id="list.top"),
        Binding("end,G", "cursor_bottom", "Bottom", show=False, id="list.bottom"),
        Binding("pageup", "cursor_page_up", "Page up", show=False, id="list.page_up"),
        Binding("pagedown", "cursor_page_down", "Page down", show=False, id="list.page_down"),
        Binding("ctrl+u", "cursor_half_up", "Half page up", show=False, id="list.half_up"),
        Binding("ctrl+d", "cursor_half_down", "Half page down", show=False, id="list.half_down"),
        Binding("enter", "open", "Open", show=False, id="list.open"),
    ]
    ALLOW_SELECT = False

    cursor: reactive[int] = reactive(NO_ROW, init=False)
    """The row under the cursor; ``NO_ROW`` in an empty list. Out of range is clamped."""
    empty_text: reactive[str] = reactive("")
    """What stands in the place of rows when there are none."""

    class Highlighted(RowMessage):
        """The cursor came to stand on a row."""

    class Opened(RowMessage):
        """A row was chosen, by key or by a second click."""

    class HeaderClicked(HeaderMessage):
        """The title of a column was clicked."""

    def __init__(
        self,
        source: RowSource,
        *,
        start: int = 0,
        empty_text: str = "Nothing here.",
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
        disabled: bool = False,
    ) -> None:
        """Show ``source`` with the cursor on row ``start``."""
        super().__init__(name=name, id=id, classes=classes, disabled=disabled)
        self._source = source
        self._start = start
        self._strips: LRUCache[int, Strip] = LRUCache(_CACHED_ROWS)
        self._widths: list[int] = []
        self._laid_out_for = -1
        self._clicked = NO_ROW
        self._top = 0
        self._ground: Style | None = None
        self.set_reactive(VirtualList.empty_text, empty_text)

    @property
    def source(self) -> RowSource:
        """What the list shows."""
        return self._source

    @property
    def page(self) -> int:
        """How many rows are in view."""
        return max(1, self.size.height - _HEADER)

    @property
    def dropped_columns(self) -> int:
        """How many columns the width has no room for."""
        if not self.size.width:
            return 0
        width = max(0, self.scrollable_size.width - _MARGIN)
        return column_widths(self._source.columns, width).count(0)

    def set_source(self, source: RowSource, *, keep: int | None = None) -> None:
        """Show other rows, and report the row that the cursor then stands on.

        Args:
            source: The new rows.
            keep: The row of ``source`` to put the cursor on, drawn on the same line of the screen
                as the row before; without it the list starts at its top.
        """
        self._source = source
        if not self.is_mounted:
            self._start = keep or 0
            return
        before = self.cursor
        line = 0 if keep is None else before - self.scroll_offset.y
        self._measure()
        self.cursor = keep or 0
        if self.cursor == before:
            self._report()
        self.scroll_to(y=self.cursor - line, animate=False, force=True)
        self.scroll_to_row(self.cursor)

    def reload(self) -> None:
        """Ask the source again for what is in view: its rows, columns or colours have changed."""
        self._measure()
        self.cursor = self.validate_cursor(self.cursor)

    @property
    def standing(self) -> tuple[int, int]:
        """The row of the cursor, and the row at the top."""
        return self.cursor, self.scroll_offset.y

    def stand(self, row: int, scroll: int) -> bool:
        """Go back to where the list stood; False when it does not have the row (yet)."""
        if row >= self._source.row_count:
            return False
        self.cursor = row
        self.scroll_to(y=scroll, animate=False, force=True)
        return True

    def cut_cells(self, row: int) -> list[str]:
        """The whole text of each cell of a row that its column cuts or leaves out."""
        if not 0 <= row < self._source.row_count:
            return []
        widths = column_widths(self._source.columns, max(0, self.scrollable_size.width - _MARGIN))
        texts = [one if isinstance(one, str) else one.plain for one in self._source.cells(row)]
        return [
            one_line(text)
            for text, width in zip(texts, widths, strict=True)
            if cell_width(one_line(text)) > width
        ]

    def scroll_to_row(self, row: int, *, center: bool = False) -> None:
        """Bring a row into view, scrolling no further than needed, or into the middle."""
        if self.size.height <= _HEADER or row < 0:
            return
        top = self.scroll_offset.y
        top = row - self.page // 2 if center else min(max(top, row - self.page + 1), row)
        self._top = top
        self.scroll_to(y=top, animate=False, force=True)

    def validate_cursor(self, row: int) -> int:
        count = self._source.row_count
        return min(max(row, 0), count - 1) if count else NO_ROW

    def watch_cursor(self, before: int, row: int) -> None:
        self.refresh_line(before + _HEADER)
        self.refresh_line(row + _HEADER)
        self.scroll_to_row(row)
        self._report()

    def on_hide(self, event: events.Hide) -> None:
        # Told late, or of a first layout for another width: what is to be shown keeps the focus.
        if self.display:
            event.prevent_default()

    def on_mount(self) -> None:
        self._measure()
        self.cursor = self._start

    def on_resize(self) -> None:
        # From where the list stood before, so that one squeezed and given room again comes back.
        top = max(self._top, self.cursor - self.page + 1)
        self.scroll_to(y=min(top, max(0, self.cursor)), animate=False, force=True)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._ground = None
        self._strips.clear()

    @property
    def ground(self) -> Style:
        """The style that lines are drawn in; working it out anew for every line takes long."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if event.button != 1 or offset is None:
            return
        if offset.y < _HEADER:
            self._click_header(offset.x)
            return
        row = offset.y - _HEADER + self.scroll_offset.y
        if row >= self._source.row_count:
            return
        if row == self._clicked == self.cursor:
            self.action_open()
        else:
            self.cursor = row
            self._clicked = row

    def _click_header(self, x: int) -> None:
        column = self.column_at(x)
        if column is not None:
            self.post_message(self.HeaderClicked(self, column))

    def column_at(self, x: int) -> int | None:
        """The column that is drawn in a cell of a line; None beside all of them."""
        start = _MARGIN
        for column, width in enumerate(self._widths):
            if width and start <= x < start + width + GAP:
                return column
            start += width + GAP if width else 0
        return None

    def action_cursor_up(self) -> None:
        self._move(self.cursor - 1)

    def action_cursor_down(self) -> None:
        self._move(self.cursor + 1)

    def action_cursor_top(self) -> None:
        self._move(0)

    def action_cursor_bottom(self) -> None:
        self._move(self._source.row_count - 1)

    def action_cursor_page_up(self) -> None:
        self._move(self.cursor - self.page)

    def action_cursor_page_down(self) -> None:
        self._move(self.cursor + self.page)

    def action_cursor_half_up(self) -> None:
        self._move(self.cursor - max(1, self.page // 2))

    def action_cursor_half_down(self) -> None:
        self._move(self.cursor + max(1, self.page // 2))

    def action_open(self) -> None:
        self._clicked = NO_ROW
        if self.cursor != NO_ROW:
            self.post_message(self.Opened(self, self.cursor))

    def _measure(self) -> None:
        self._strips.clear()
        self._laid_out_for = -1
        self._clicked = NO_ROW
        self.virtual_size = Size(1, self._source.row_count + _HEADER)
        self.refresh()

    def _move(self, row: int) -> None:
        self._clicked = NO_ROW
        self.cursor = row
        self.scroll_to_row(self.cursor)

    def _report(self) -> None:
        if self.cursor != NO_ROW:
            self.post_message(self.Highlighted(self, self.cursor))

    def render_line(self, y: int) -> Strip:
        width, style = self.scrollable_size.width, self.ground
        if width != self._laid_out_for:
            self._laid_out_for = width
            self._widths = column_widths(self._source.columns, max(0, width - _MARGIN))
            self._strips.clear()
        row = y - _HEADER + self.scroll_offset.y
        if y < _HEADER:
            strip = self._header()
        elif not self._source.row_count:
            strip = self._empty_line(y - _HEADER - 1, width)
        elif row >= self._source.row_count:
            return Strip.blank(width, style)
        else:
            strip = self._row(row)
            if row == self.cursor:
                style += self.get_component_rich_style("virtual-list--cursor", partial=True)
                pointer = self.get_component_rich_style("virtual-list--pointer", partial=True)
                strip = Strip.join([Strip([Segment(_POINTER, pointer)], 1), strip.crop(1)])
        return strip.crop_extend(0, width, None).apply_style(style)

    def _row(self, row: int) -> Strip:
        strip = self._strips.get(row)
        if strip is None:
            dim = self.get_component_rich_style("virtual-list--dim", partial=True)
            strip = self._strips[row] = self._line(self._source.cells(row), dim)
        return strip

    def _header(self) -> Strip:
        style = self.get_component_rich_style("virtual-list--header", partial=True)
        return self._line([Text(column.title, style) for column in self._source.columns], style)

    def _line(self, cells: Sequence[Text | str], dim: Style) -> Strip:
        line = Text(" " * _MARGIN, no_wrap=True, end="")
        for column, width, cell in zip(self._source.columns, self._widths, cells, strict=True):
            if not width:
                continue
            if line.cell_len > _MARGIN:
                line.append(" " * GAP)
            text = fit(cell, width, column.align, middle=column.middle)
            if column.dim and isinstance(cell, str):
                text.stylize(dim)
            line.append_text(text)
        return Strip(line.render(self.app.console))

    def _empty_line(self, index: int, width: int) -> Strip:
        lines = wrap(clean(self.empty_text), max(2, width - 2 * _MARGIN))
        style = self.get_component_rich_style("virtual-list--empty", partial=True)
        text = lines[index] if 0 <= index < len(lines) else ""
        return Strip([Segment(" " * _MARGIN + text, style)])
