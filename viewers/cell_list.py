"""A list in whose rows the cursor stands on one cell."""

from textual import events
from textual.message import Message

from mnemoscope.viewers.virtual_list import NO_ROW, VirtualList

__all__ = ["CellList"]


class CellList(VirtualList):
    """A list that says which cell was clicked; its source draws the cell that is chosen."""

    class CellClicked(Message):
        """A cell was clicked; the cursor has come to its row, or is about to."""

        def __init__(self, cell_list: "CellList", column: int) -> None:
            super().__init__()
            self.cell_list = cell_list
            self.column = column

        @property
        def control(self) -> "CellList":
            return self.cell_list

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._clicked_column: int | None = None

    def on_click(self, event: events.Click) -> None:
        """Choose a cell; the list itself then moves the cursor or opens the row."""
        offset = event.get_content_offset(self)
        column = None if offset is None or offset.y < 1 else self.column_at(offset.x)
        if column is None:
            return
        if column != self._clicked_column:
            # A second click opens only on the same cell.
            self._clicked = NO_ROW
        self._clicked_column = column
        self.post_message(self.CellClicked(self, column))

    def _measure(self) -> None:
        # Choosing a cell draws the rows anew; the next click on it still is the second one.
        clicked = self._clicked
        super()._measure()
        self._clicked = clicked
