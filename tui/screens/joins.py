"""The join report: which rows of which run stay without a question, why, and the reverse."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from mnemoscope.core.raw import RawPart, raw_question, raw_record
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.desk import Selection
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import PaneScreen, screen_bindings
from mnemoscope.tui.screens.join_detail import join_blocks
from mnemoscope.tui.screens.join_rows import LONE_ROWS, JoinRuns, Lone, LoneRows, lone_ones
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["JoinsScreen"]


class JoinsScreen(PaneScreen):
    """How runs join to the release."""

    SCOPE: ClassVar[str] = "joins"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "runs": PaneHelp(
            "How the rows of each run join to the questions of the release: by id where rows have "
            "one, else by their order checked by text. Text alone is never enough, for releases "
            "repeat questions.",
            figures={
                "rows": "records that the run's files hold",
                "matched + unmatched + ambiguous": "are all rows; only matched ones count anywhere",
            },
        ),
        "rows": PaneHelp(
            "What stays alone in the run above: rows without a question, then questions without a "
            "row. Opening a row shows its raw JSON, opening a question the question.",
            marks=("error", "none"),
        ),
        "detail": PaneHelp(
            "Why the row stays alone, what it says, and what it was compared with: questions of "
            "its id, of its text, or else of the most similar texts, which can be opened.",
            marks=("error", "none"),
            cannot="Which question a row was really about: similarity is a hint and joins nothing.",
        ),
    }
    TWIN: ClassVar[str] = "mnemoscope validate RELEASE RUN …"
    PANES: ClassVar[Mapping[str, str]] = {"runs": "runs", "rows": "not joined", "detail": "why"}
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {"rows": ("double",)}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("joins")
    CSS = """
    JoinsScreen #runs { height: auto; max-height: 40%; border-bottom: solid $panel; }
    JoinsScreen #below { layout: horizontal; }
    JoinsScreen #rows { width: 50%; }
    JoinsScreen #detail { width: 1fr; }
    JoinsScreen.-double #runs { max-height: 30%; }
    JoinsScreen.-double #below { layout: vertical; }
    JoinsScreen.-double #rows { width: 1fr; height: 50%; }
    JoinsScreen.-double #detail { height: 1fr; }
    JoinsScreen.-single #runs { max-height: 30%; }
    JoinsScreen.-single Splitter { display: none; }
    JoinsScreen.-single #rows { width: 1fr; }
    JoinsScreen.-single #detail { display: none; }
    JoinsScreen.-single.-at-detail #detail { display: block; }
    JoinsScreen.-single.-at-detail #rows { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._set = "all"
        self._run = ""

    def body(self) -> Iterator[Widget]:
        runs = VirtualList(JoinRuns((), self.palette), empty_text=_NO_RUNS, id="runs")
        yield runs
        with Container(id="below"):
            yield VirtualList(LoneRows((), self.palette), id="rows")
            yield Splitter("rows", "detail", id="after-rows")
            yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#runs").focus()

    # What is shown

    def state(self) -> Mapping[str, str]:
        return {"set": self._set, "run": self._run}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._set, self._run = state.get("set", "all"), state.get("run", "")

    @property
    def run(self) -> JoinedRun | None:
        """The run that is looked at."""
        runs = self.desk.workspace.runs
        return next((run for run in runs if run.name == self._run), runs[0] if runs else None)

    @property
    def _rows(self) -> Sequence[Lone]:
        source = self.query_one("#rows", VirtualList).source
        return source.rows if isinstance(source, LoneRows) else ()

    @property
    def lone(self) -> Lone | None:
        """The row or question under the cursor."""
        cursor = self.query_one("#rows", VirtualList).cursor
        return self._rows[cursor] if 0 <= cursor < len(self._rows) else None

    def draw(self) -> None:
        runs, listed = self.desk.workspace.runs, self.query_one("#runs", VirtualList)
        run = self.run
        listed.set_source(JoinRuns(runs, self.palette), keep=runs.index(run) if run else None)
        self._draw_rows(keep=True)
        self.show_panes()

    def _draw_rows(self, *, keep: bool = False) -> None:
        run, rows = self.run, self.query_one("#rows", VirtualList)
        found = lone_ones(run, self._set) if run is not None else ()
        rows.empty_text = self._why_empty(run)
        source = LoneRows(found, self.palette, self.desk.workspace.release, run)
        rows.set_source(source, keep=rows.cursor if keep else None)
        title = styled("Joins  ", style("heading", self.palette))
        if run is not None:
            title.append(run.label, style("focus", self.palette))
        self.header(title, f"{len(found):,} {LONE_ROWS[self._set]}")
        self._draw_detail()

    def _why_empty(self, run: JoinedRun | None) -> str:
        if run is None:
            return _NO_RUNS
        if not (run.join.unjoined or run.join.without_record):
            return f"Every row of {run.label} joins to a question, and every question has a row."
        text = "There is nothing of this kind in {run}: {joins.all} lists all that stays alone."
        return self.sentence(text).replace("{run}", run.label)

    def _draw_detail(self) -> None:
        run, detail = self.run, self.query_one("#detail", Page)
        blocks = join_blocks(self.desk.workspace, run, self.lone, self.palette) if run else ()
        detail.set_blocks([*blocks])

    def copies(self) -> Sequence[tuple[str, str]]:
        keys = "\n".join(one.key for one in self._rows if one.key)
        found = [("question keys of the list", keys)] if keys else []
        return [*found, ("command", twin_command("validate", self.desk_app.request))]

    def raw(self) -> RawPart | None:
        run, lone = self.run, self.lone
        if run is None or lone is None:
            return None
        if lone.unjoined is not None:
            return raw_record(run.run, run.run.records[lone.unjoined.record])
        release = self.desk.workspace.release
        return raw_question(release, release.questions[lone.key])

    # Reacting

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        if message.virtual_list.id == "rows":
            self._draw_detail()
        elif isinstance(message.virtual_list.source, JoinRuns):
            name = message.virtual_list.source.runs[message.row].name
            if name != (self.run.name if self.run else ""):
                self._run = name
                self._draw_rows()

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        if message.virtual_list.id == "runs":
            self.go_to_pane("rows")
        elif self.lone is not None and self.lone.unjoined is not None:
            self.desk_app.action_raw()
        elif self.lone is not None:
            keys = [one.key for one in self._rows if one.unjoined is None]
            walk = Selection(f"no record in {self.run.label if self.run else ''}", keys=keys)
            self.desk_app.show_question(self.lone.key, walk)

    def on_page_opened(self, message: Page.Opened) -> None:
        target = message.target
        if isinstance(target, tuple) and target[0] == "question":
            keys = [str(one[1]) for one in message.page.targets if isinstance(one, tuple)]
            self.desk_app.show_question(str(target[1]), Selection("compared", keys=keys))

    def _choose(self, name: str) -> None:
        self._set = name
        self._draw_rows()

    def action_all(self) -> None:
        self._choose("all")

    def action_unmatched(self) -> None:
        self._choose("unmatched")

    def action_ambiguous(self) -> None:
        self._choose("ambiguous")

    def action_without_record(self) -> None:
        self._choose("without_record")


_NO_RUNS = "No runs are open, so nothing joins. Open the release with runs beside it."
