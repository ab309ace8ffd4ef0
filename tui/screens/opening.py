"""The screen while a release is being read, and when it cannot be."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from rich.text import Text
from textual.widget import Widget

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.text import clean
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import WorkScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, style, styled

__all__ = ["OpeningScreen"]


class OpeningScreen(WorkScreen):
    """Says what is being read, step by step; a failure stays on the screen with what to do."""

    SCOPE: ClassVar[str] = "opening"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "steps": PaneHelp(
            "What is being read, step by step. A failure stays here with what can be done.",
            marks=("right", "error"),
            cannot="How long it takes: only how far it has come.",
        ),
    }

    def __init__(self, request: OpenRequest) -> None:
        super().__init__()
        self._request = request
        self._steps: list[str] = []
        self._failure: tuple[str, str] | None = None

    def body(self) -> Iterator[Widget]:
        yield Page(id="steps")

    def on_mount(self) -> None:
        self.draw()

    @property
    def has_failed(self) -> bool:
        """Whether opening has ended with a message."""
        return self._failure is not None

    def step(self, text: str) -> None:
        """A new step has begun, or the last one has come further."""
        if self._steps and self._steps[-1].partition(",")[0] == text.partition(",")[0]:
            self._steps.pop()
        self._steps.append(text)
        self.draw()

    def fail(self, message: str, hint: str) -> None:
        """Opening has failed."""
        self._failure = (message, hint)
        self.draw()

    def draw(self) -> None:
        palette = self.palette
        self.header(styled("opening", style("heading", palette)), str(self._request.release))
        blocks: list[Block] = [Paragraph(Text(""))]
        for index, step in enumerate(self._steps):
            running = index == len(self._steps) - 1 and self._failure is None
            sign = "…" if running else MARKS["right"].glyph
            if index == len(self._steps) - 1 and self._failure is not None:
                sign = MARKS["error"].glyph
            look = "text" if running else "dim"
            blocks.append(Paragraph(styled(f"{sign} {clean(step)}", style(look, palette))))
        if not self._steps:
            blocks.append(Paragraph(styled("… starting", style("text", palette))))
        if self._failure is not None:
            message, hint = self._failure
            blocks += [
                Paragraph(Text("")),
                Paragraph(styled(clean(message), style("error", palette))),
            ]
            if hint:
                blocks.append(Paragraph(styled(clean(hint), style("text", palette))))
            blocks.append(
                Paragraph(styled(self.sentence("\n{app.back} goes back"), style("dim", palette)))
            )
        self.query_one(Page).set_blocks(blocks)
