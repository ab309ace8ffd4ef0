"""A dialog that says how far answering has come, and at its end how it went."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widgets import Static

from mnemoscope.analyses.answer_summary import AnswerSummary
from mnemoscope.core.answers.submission import Written
from mnemoscope.core.model import Release
from mnemoscope.core.text import one_line
from mnemoscope.viewers.answer_view import summary_blocks
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import style, styled

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp

__all__ = ["AnswerSummaryScreen"]


class AnswerSummaryScreen(ModalScreen[None]):
    """Coverage, time per question, accuracy once all is finished, and what was handed in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "close", "close", show=False, priority=True),
    ]

    def __init__(
        self, summary: AnswerSummary, release: Release, written: Sequence[Written] = ()
    ) -> None:
        """Make the dialog.

        Args:
            summary: How it went.
            release: The release.
            written: The submissions.
        """
        super().__init__()
        self._summary = summary
        self._release = release
        self._written = written

    def compose(self) -> ComposeResult:
        title = "Results" if self._summary.finished else "Progress"
        with Vertical(classes="dialog"):
            yield Static(f"{title} · esc leaves", markup=False)
            yield Page(mark_lines=False)

    def on_mount(self) -> None:
        page = self.query_one(Page)
        page.styles.height = min(24, self.app.size.height - 6)
        page.focus()
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        palette = cast("MnemoscopeApp", self.app).palette
        page = self.query_one(Page)
        blocks: list[Block] = [
            *summary_blocks(self._summary, self._release, palette, width=page.size.width - 4)
        ]
        if self._written:
            blocks.append(Paragraph(Text("")))
            head = styled("Handed in", style("heading", palette))
            form = self._written[0].form
            blocks.append(Paragraph(head.append(f"  {form}", style("dim", palette))))
            for one in self._written:
                line = styled(one_line(str(one.path)), style("text", palette))
                blocks.append(Paragraph(line, indent=1))
        page.set_blocks(blocks)
        page.styles.height = min(page.virtual_size.height, self.app.size.height - 6)

    def action_close(self) -> None:
        """Leave."""
        self.dismiss(None)

    def on_click(self, event: Click) -> None:
        """Leave by a click beside the dialog."""
        if event.widget is self:
            self.dismiss(None)
