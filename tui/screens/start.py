"""The start screen: what was opened lately, the demo, and a path to type."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.recent import RecentOpening
from mnemoscope.tui.screens.base import WorkScreen, screen_bindings
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["StartScreen"]


class _RecentRows:
    """Recent openings as rows."""

    columns: ClassVar[Sequence[Column]] = (
        Column("release", 18, flex=2, middle=True, help="its path"),
        Column(
            "runs", 10, flex=2, middle=True, priority=2, help="the run folders opened beside it"
        ),
        Column("holds", 20, flex=3, dim=True, priority=1, help="what it is and how much of it"),
    )

    def __init__(self, openings: Sequence[RecentOpening]) -> None:
        self.openings = openings

    @property
    def row_count(self) -> int:
        return len(self.openings)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.openings[row]
        runs = ", ".join(Path(run).name for run in one.runs)
        return one.release, runs or "–", one.summary


class StartScreen(WorkScreen):
    """Where the app begins."""

    SCOPE: ClassVar[str] = "start"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "about": PaneHelp("What the app is, and the first keys."),
        "recent": PaneHelp(
            "Releases opened lately with the runs beside them, the latest first. Opening one leads "
            "back to where you were in it; {start.forget} takes it off the list, and no file with "
            "it.",
            cannot="Whether the files are still there shows when one is opened.",
        ),
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("start")
    CSS = """
    StartScreen > #about { height: 10; }
    StartScreen > #path { margin: 0 2 1 2; display: none; }
    StartScreen.-asking > #path { display: block; }
    """

    def body(self) -> Iterator[Widget]:
        yield Page(id="about")
        yield LineInput("release [run …]", id="path")
        yield VirtualList(_RecentRows(()), empty_text=self.sentence(_NOTHING_YET), id="recent")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()
        self.draw()

    def on_screen_resume(self) -> None:
        self.draw()

    def draw(self) -> None:
        palette = self.palette
        self.header(styled("mnemoscope", style("heading", palette)), "long-term memory of agents")
        lines = (
            "",
            "Browse a user's sessions, diff two systems on a question, tag failures.",
            "",
            self.sentence("{start.open_path}  open a release, with runs beside it"),
            self.sentence("{start.demo}  the bundled demo: two users, two runs"),
            self.sentence("{start.scenario}  a bundled scenario, with its state at every round"),
            self.sentence("{app.help}  all keys"),
            "",
            "Opened lately",
        )
        looks = ("text", "text", "text", "dim", "dim", "dim", "dim", "text", "heading")
        blocks = [
            Paragraph(styled(line, style(look, palette)))
            for line, look in zip(lines, looks, strict=True)
        ]
        self.query_one(Page).set_blocks(blocks)
        self.query_one(VirtualList).set_source(_RecentRows(self.desk_app.recent.load()))

    def action_open_path(self) -> None:
        self.add_class("-asking")
        self.query_one(Input).focus()

    def action_demo(self) -> None:
        self._open_sample("cue")

    def action_scenario(self) -> None:
        self._open_sample("dsv")

    def _open_sample(self, name: str) -> None:
        from mnemoscope.tui.sample import sample_request

        self.desk_app.open(sample_request(name))

    def action_forget(self) -> None:
        openings = self._openings()
        cursor = self.query_one(VirtualList).cursor
        if 0 <= cursor < len(openings):
            self.desk_app.recent.remove(openings[cursor])
            self.draw()
        else:
            self.refuse("forget")

    def why_not(self, action: str) -> str:
        if action == "forget" and self.is_mounted and not self._openings():
            return "There is nothing on the list to forget."
        return ""

    def _openings(self) -> Sequence[RecentOpening]:
        source = self.query_one(VirtualList).source
        return source.openings if isinstance(source, _RecentRows) else ()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            words = shlex.split(event.value)
        except ValueError as error:
            self.notify(f"{error}", severity="error")
            return
        if not words:
            return
        release, *runs = (Path(word).expanduser() for word in words)
        self._close_input()
        self.desk_app.open(OpenRequest(release, tuple(runs)))

    def on_line_input_left(self) -> None:
        self._close_input()

    def _close_input(self) -> None:
        self.remove_class("-asking")
        self.query_one(VirtualList).focus()

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        one = self._openings()[message.row]
        self.desk_app.open(one.request())


_NOTHING_YET = (
    "Nothing was opened yet. {start.demo} opens the bundled demo, and {start.open_path} "
    "asks for the path of a release (a CUE-Mem tree, locomo10.json, or a native release folder)."
)
