"""A dialog that asks for one line."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from mnemoscope.core.text import one_line

__all__ = ["Prompt"]


class Prompt(ModalScreen[str | None]):
    """Asks for a line; returns it, or None when the user leaves."""

    HELP: ClassVar[str] = "Enter takes what is typed, esc or a click beside the line leaves."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]

    def __init__(self, title: str, placeholder: str, value: str = "") -> None:
        super().__init__()
        self._title = title
        self._placeholder = placeholder
        self._value = value

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(one_line(self._title), markup=False)
            yield Input(self._value, placeholder=self._placeholder)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)

    def on_click(self, event: Click) -> None:
        """Leave by a click beside the dialog."""
        if event.widget is self:
            self.dismiss(None)

    def action_cancel(self) -> None:
        self.dismiss(None)
