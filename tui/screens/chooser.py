"""A dialog for choosing one of several things."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from mnemoscope.core.text import clean, one_line
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["Choice", "Chooser"]

Choice = Sequence[Text | str]

_LOOKED_AT = 500
"""Rows that are looked at for text that is cut."""


class _Choices:
    """Rows that contain what was typed."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Choice]) -> None:
        self.columns = columns
        self._rows = rows
        self.gone: set[int] = set()
        self.shown = list(range(len(rows)))

    @property
    def row_count(self) -> int:
        return len(self.shown)

    def cells(self, row: int) -> Choice:
        return self._rows[self.shown[row]]

    def narrow(self, typed: str) -> "_Choices":
        """The rows in which every typed word occurs."""
        words = typed.casefold().split()
        found = _Choices(self.columns, self._rows)
        found.shown = [
            index
            for index, row in enumerate(self._rows)
            if index not in self.gone and all(word in _plain(row) for word in words)
        ]
        return found


def _plain(row: Choice) -> str:
    return " ".join(str(cell) for cell in row).casefold()


class Chooser(ModalScreen[int | None]):
    """A list to choose from, narrowed by typing. Returns the index chosen, None for none."""

    HELP: ClassVar[str] = (
        "Words that are typed narrow the list. The arrows and pgup, pgdn move, enter or a click "
        "chooses, esc or a click beside the list leaves."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel", show=False),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "move(10)", show=False, priority=True),
        Binding("pageup", "move(-10)", show=False, priority=True),
        Binding("delete", "forget", show=False, priority=True),
    ]

    def __init__(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Choice],
        *,
        current: int = 0,
        forget: Callable[[int], None] | None = None,
    ) -> None:
        """Make the dialog.

        Args:
            title: What is chosen.
            columns: The columns of the rows.
            rows: What there is to choose from.
            current: The row that the cursor starts on.
            forget: What takes one of them away for good, by index; None where nothing does.
        """
        super().__init__()
        self._forget = forget
        self._title = title
        self._choices = _Choices(columns, rows)
        self._current = current

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            title = one_line(self._title) + (" · del forgets one" if self._forget else "")
            yield Static(title, markup=False)
            yield Input(placeholder="type to narrow; enter chooses, esc leaves")
            yield VirtualList(
                self._choices, start=self._current, empty_text="Nothing matches what is typed."
            )
            yield Static(id="whole", markup=False)

    def on_mount(self) -> None:
        rows = self._choices.row_count
        self.query_one(VirtualList).styles.height = min(rows + 1, 20)
        self.query_one(Input).focus()

    def _list(self) -> tuple[VirtualList, _Choices]:
        shown = self.query_one(VirtualList)
        source = shown.source
        return shown, source if isinstance(source, _Choices) else self._choices

    def on_input_changed(self, event: Input.Changed) -> None:
        self.query_one(VirtualList).set_source(self._choices.narrow(event.value))

    def on_input_submitted(self) -> None:
        self._choose()

    def on_virtual_list_highlighted(self) -> None:
        self.call_after_refresh(self._show_whole)

    def on_resize(self) -> None:
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        """Have lines for what columns cut where they cut anything, so that nothing jumps later."""
        shown, choices = self._list()
        rows = range(min(choices.row_count, _LOOKED_AT))
        self.query_one("#whole").display = any(shown.cut_cells(row) for row in rows)
        self._show_whole()

    def _show_whole(self) -> None:
        """Show what the row under the cursor says, where its columns cut it."""
        shown, _ = self._list()
        whole = clean("  ".join(shown.cut_cells(shown.cursor)), keep_newlines=False)
        self.query_one("#whole", Static).update(whole)

    def on_virtual_list_opened(self) -> None:
        self._choose()

    def _choose(self) -> None:
        shown, choices = self._list()
        if 0 <= shown.cursor < choices.row_count:
            self.dismiss(choices.shown[shown.cursor])

    def action_move(self, step: int) -> None:
        shown, _ = self._list()
        shown.cursor += step

    def action_forget(self) -> None:
        """Take the row under the cursor away, if rows can be taken away here."""
        shown, choices = self._list()
        if self._forget is not None and 0 <= shown.cursor < choices.row_count:
            index = choices.shown[shown.cursor]
            self._forget(index)
            self._choices.gone.add(index)
            typed = self.query_one(Input).value
            shown.set_source(self._choices.narrow(typed), keep=shown.cursor)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "forget" or self._forget is not None

    def on_click(self, event: Click) -> None:
        """Leave by a click beside the dialog."""
        if event.widget is self:
            self.dismiss(None)

    def action_cancel(self) -> None:
        self.dismiss(None)
