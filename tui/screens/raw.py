"""The source JSON of what the cursor stands on."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from mnemoscope.core.errors import InputError
from mnemoscope.core.raw import RawPart, pretty
from mnemoscope.core.text import one_line
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import WorkScreen, screen_bindings
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import style, styled

__all__ = ["RawScreen"]

_LONGEST = 200_000


class RawScreen(WorkScreen):
    """One JSON value as its file has it; a record, a round, a question."""

    SCOPE: ClassVar[str] = "raw"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "raw": PaneHelp(
            "The JSON of one thing as its file has it, read anew: also what no screen shows. "
            "{raw.copy} copies all of it.",
            cannot="Keys stand in the file's order and numbers as read, but spacing is ours; very "
            "long values end with how much more there is.",
        ),
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("raw")

    class Read(Message):
        """The value has been read."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, part: RawPart) -> None:
        super().__init__()
        self._part = part
        self._text: str | None = None

    def body(self) -> Iterator[Widget]:
        yield Page(id="raw")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Page).focus()
        self.draw()
        self._read()

    @work(thread=True, exclusive=True, description="read")
    def _read(self) -> None:
        try:
            text = pretty(self._part.value())
        except InputError as error:
            text = str(error)
        self.post_message(self.Read(text))

    def on_raw_screen_read(self, message: Read) -> None:
        self._text = message.text
        self.draw()

    def draw(self) -> None:
        palette = self.palette
        left = styled("Raw  ", style("heading", palette))
        left.append(one_line(self._part.place), style("focus", palette))
        self.header(left, self._part.file)
        text = "… reading the file" if self._text is None else self._text[:_LONGEST]
        blocks = [Paragraph(Text(line)) for line in text.split("\n")]
        if self._text is not None and len(self._text) > _LONGEST:
            rest = f"… {len(self._text) - _LONGEST:,} more characters"
            blocks.append(Paragraph(styled(rest, style("rest", palette))))
        self.query_one(Page).set_blocks(blocks, keep=True)

    def action_copy(self) -> None:
        if self._text is not None:
            self.desk_app.copy(self._text)
