"""An input of one line that escape leaves, without leaving the screen."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

__all__ = ["LineInput"]


class LineInput(Input):
    """A line to type in; it tells its screen when the user leaves it unchanged."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave", show=False)]

    class Left(Message):
        """The user has left the line without submitting it."""

    def __init__(self, placeholder: str, *, id: str) -> None:
        super().__init__(placeholder=placeholder, id=id, classes="line")

    def action_leave(self) -> None:
        """Say that the line is left."""
        self.post_message(self.Left())
