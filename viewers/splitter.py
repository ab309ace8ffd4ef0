"""The line between two panes, which moves."""

from rich.segment import Segment
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

__all__ = ["Splitter"]

_LEAST_COLUMNS, _LEAST_ROWS = 14, 3
_LEAST_SHARE = 0.15
"""Of what two panes have together; so a pane stays to be seen when the terminal becomes smaller."""


class Splitter(Widget):
    """A line between two neighbours. One has the size that the line gives it, the other the rest.

    It stands between the two, or lies where their container is laid out vertically.
    """

    DEFAULT_CSS = """
    Splitter { width: 1; height: 1fr; background: $background; color: $panel; }
    Splitter.-lying { width: 1fr; height: 1; }
    Splitter:hover, Splitter.-held { color: $focus; }
    """

    class Moved(Message):
        """The line has been moved: the sized pane takes another share of the container."""

        def __init__(self, splitter: "Splitter", share: float, *, done: bool) -> None:
            super().__init__()
            self.splitter = splitter
            self.share = share
            self.done = done
            """Whether the line has been let go."""

    class Reset(Message):
        """The line is to go back to where it was at first."""

        def __init__(self, splitter: "Splitter") -> None:
            super().__init__()
            self.splitter = splitter

    def __init__(self, sized: str, rest: str, *, id: str) -> None:
        """Make the line between two panes.

        Args:
            sized: The id of the neighbour that has a size of its own.
            rest: The id of the one that takes what is left.
            id: The line's own id.
        """
        super().__init__(id=id)
        self.sized = sized
        self.rest = rest
        self._held = False
        self._line: Strip | None = None

    @property
    def is_there(self) -> bool:
        """Whether both panes can be seen."""
        ids = (self.sized, self.rest)
        seen = [self, *(self._pane(one) for one in ids)]
        return all(node.display for widget in seen for node in widget.ancestors_with_self)

    @property
    def lies(self) -> bool:
        """Whether the panes stand one above the other."""
        return self.has_class("-lying")

    def touches(self, widget: Widget) -> int:
        """1 if a widget is the sized pane or in it, -1 if it is in the other one, else 0."""
        around = [node.id for node in widget.ancestors_with_self]
        return 1 if self.sized in around else -1 if self.rest in around else 0

    def grow(self, cells: int) -> None:
        """Give the sized pane so many cells more, as far as that leaves both their least."""
        self._give(self._extent(self._pane(self.sized)) + cells, done=True)

    def _pane(self, id: str) -> Widget:
        return self.screen.query_one(f"#{id}")

    def _extent(self, widget: Widget) -> int:
        return widget.outer_size.height if self.lies else widget.outer_size.width

    def _give(self, cells: int, *, done: bool) -> None:
        sized, rest = self._pane(self.sized), self._pane(self.rest)
        both = self._extent(sized) + self._extent(rest)
        least = max(_LEAST_ROWS if self.lies else _LEAST_COLUMNS, int(_LEAST_SHARE * both))
        cells = min(max(cells, least), both - least)
        assert isinstance(self.parent, Widget)
        whole = self.parent.size.height if self.lies else self.parent.size.width
        if both > 2 * least:
            # A layout rounds down: a little more makes sure that it is these cells.
            self.post_message(self.Moved(self, (cells + 0.01) / whole, done=done))

    def _drag(self, place: Offset, *, done: bool) -> None:
        region = self._pane(self.sized).region
        at, first, after = (
            (place.y, region.y, region.bottom) if self.lies else (place.x, region.x, region.right)
        )
        is_first = first <= (self.region.y if self.lies else self.region.x)
        self._give(at - first if is_first else after - 1 - at, done=done)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            event.stop()
            self._hold(True)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._held:
            event.stop()
            self._drag(event.screen_offset, done=False)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._held:
            event.stop()
            self._hold(False)
            self._drag(event.screen_offset, done=True)

    def on_click(self, event: events.Click) -> None:
        if event.chain == 2:
            self.post_message(self.Reset(self))

    def _hold(self, held: bool) -> None:
        self._held = held
        self.set_class(held, "-held")
        self.capture_mouse(held)

    def render_line(self, y: int) -> Strip:
        if self._line is None or self._line.cell_length != self.size.width:
            text = "─" * self.size.width if self.lies else "│"
            self._line = Strip([Segment(text, self.rich_style)], self.size.width)
        return self._line

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._line = None
