"""The ledger: the state of a scenario at each round, and who says so."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.events import Resize
from textual.widget import Widget

from mnemoscope.core.model import Attachment
from mnemoscope.core.raw import RawPart, raw_part
from mnemoscope.core.state.component import Component
from mnemoscope.core.text import one_line
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.ledger_help import LEDGER_HELP
from mnemoscope.tui.screens.ledger_panes import LedgerPanes
from mnemoscope.tui.screens.ledger_tables import NoRows
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.cell_list import CellList
from mnemoscope.viewers.cell_view import cell_line
from mnemoscope.viewers.ledger_grid import Sheet
from mnemoscope.viewers.ledger_rows import LedgerRows
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.timeline_strip import TimelineStrip
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["LedgerScreen"]

_LOWER = ("totals", "cell", "round", "systems")
"""Panes of which a narrow terminal shows one beneath the table."""


class LedgerScreen(LedgerPanes):
    """What is accepted, visual and shown at a round, what the round changed, and who said so."""

    SCOPE: ClassVar[str] = "ledger"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = LEDGER_HELP
    TWIN: ClassVar[str] = "mnemoscope ledger RELEASE HISTORY [RUN …]"
    PANES: ClassVar[Mapping[str, str]] = {
        "table": "ledger",
        "then": "kept round",
        "totals": "totals",
        "cell": "cell",
        "round": "round",
        "systems": "systems",
    }
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {
        "totals": ("triple", "double"),
        "cell": ("triple", "double"),
        "right": ("double",),
        "systems": ("triple", "double"),
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("ledger")
    CSS = """
    LedgerScreen #main { layout: horizontal; height: 1fr; }
    LedgerScreen #left { width: 1fr; min-width: 14; }
    LedgerScreen #right { width: 38; min-width: 14; }
    LedgerScreen #tables { height: 1fr; min-height: 3; }
    LedgerScreen #table { width: 1fr; min-width: 14; }
    LedgerScreen #then { width: 50%; min-width: 14; }
    LedgerScreen #then, LedgerScreen #after-then { display: none; }
    LedgerScreen.-pair #then, LedgerScreen.-pair #after-then { display: block; }
    LedgerScreen #totals { height: 20%; min-height: 3; }
    LedgerScreen #cell { height: 24%; min-height: 3; }
    LedgerScreen #round { height: 1fr; min-height: 3; }
    LedgerScreen #systems { height: 40%; min-height: 3; }
    LedgerScreen #systems, LedgerScreen #before-systems { display: none; }
    LedgerScreen.-systems #systems, LedgerScreen.-systems #before-systems { display: block; }
    LedgerScreen #detail { height: auto; max-height: 2; background: $surface; }
    LedgerScreen.-double #main { layout: vertical; }
    LedgerScreen.-double #left { height: 1fr; }
    LedgerScreen.-double #right { width: 1fr; height: 40%; }
    LedgerScreen.-double #cell, LedgerScreen.-double #totals { height: 40%; }
    LedgerScreen.-double #round, LedgerScreen.-double #systems { height: 1fr; }
    LedgerScreen.-double #totals, LedgerScreen.-double #before-totals,
    LedgerScreen.-double #cell, LedgerScreen.-double #before-cell,
    LedgerScreen.-double #right, LedgerScreen.-double #before-right,
    LedgerScreen.-double #round, LedgerScreen.-double #systems,
    LedgerScreen.-double #before-systems { display: none; }
    LedgerScreen.-double.-low-totals #totals, LedgerScreen.-double.-low-totals #before-totals,
    LedgerScreen.-double.-low-cell #cell, LedgerScreen.-double.-low-cell #before-cell,
    LedgerScreen.-double.-low-round #right, LedgerScreen.-double.-low-round #before-right,
    LedgerScreen.-double.-low-systems #right, LedgerScreen.-double.-low-systems #before-right,
    LedgerScreen.-double.-low-round #round,
    LedgerScreen.-double.-low-systems #systems { display: block; }
    LedgerScreen.-single Splitter { display: none; }
    LedgerScreen.-single #left, LedgerScreen.-single #right { width: 1fr; }
    LedgerScreen.-single #tables, LedgerScreen.-single #totals, LedgerScreen.-single #cell,
    LedgerScreen.-single #round, LedgerScreen.-single #systems { display: none; height: 1fr; }
    LedgerScreen.-single #then, LedgerScreen.-single #table { display: none; width: 1fr; }
    LedgerScreen.-single #right { display: none; }
    LedgerScreen.-single.-at-round #left, LedgerScreen.-single.-at-systems #left { display: none; }
    LedgerScreen.-single.-at-round #right, LedgerScreen.-single.-at-systems #right,
    LedgerScreen.-single.-at-table #tables, LedgerScreen.-single.-at-then #tables,
    LedgerScreen.-single.-at-table #table, LedgerScreen.-single.-at-then #then,
    LedgerScreen.-single.-at-totals #totals, LedgerScreen.-single.-at-cell #cell,
    LedgerScreen.-single.-at-round #round,
    LedgerScreen.-single.-at-systems #systems { display: block; }
    """

    def body(self) -> Iterator[Widget]:
        load = self.desk_app.draw
        yield TimelineStrip(id="timeline")
        with Container(id="main"):
            with Vertical(id="left"):
                with Horizontal(id="tables"):
                    yield CellList(NoRows(), id="then")
                    yield Splitter("then", "table", id="after-then")
                    yield CellList(NoRows(), id="table")
                yield Splitter("totals", "tables", id="before-totals")
                yield VirtualList(NoRows(), empty_text="There are none.", id="totals")
                yield Splitter("cell", "tables", id="before-cell")
                yield Page(id="cell")
            yield Splitter("right", "left", id="before-right")
            with Vertical(id="right"):
                yield Page(loader=load, id="round")
                yield Splitter("systems", "round", id="before-systems")
                yield Page(id="systems")
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self._show_low("cell")
        self.go_to_pane("table")

    # What is shown

    def draw(self) -> None:
        self.show_index(self.index)
        self.look_for_firsts()

    def show_index(self, index: int) -> None:
        if self.shown.rounds:
            self.desk.round_id = self.shown.rounds[index].id
        if self.sheet not in self.sheets:
            self.sheet = self.sheets[0]
        self.read_round()
        self.draw_strip()
        self.set_class(bool(self.systems), "-systems")
        if self.grid is None:
            self.table("table").empty_text = self.why_empty()
        self.draw_tables()
        self.draw_round()
        self.draw_cell()
        self.draw_header()
        self.show_panes()

    def on_timeline_strip_chosen(self, message: TimelineStrip.Chosen) -> None:
        self.show_index(message.index)

    def draw_values(self) -> None:
        self.draw_tables()
        self.draw_header()
        self.show_panes()

    # Panes

    def pane_is_there(self, pane: str) -> bool:
        return {"then": self.then is not None, "systems": bool(self.systems)}.get(pane, True)

    def pane_title(self, pane: str) -> str:
        grid = self.grid
        if grid is None:
            return super().pane_title(pane)
        if pane == "table":
            # Of another context there is only what its artifact shows.
            sheet = Sheet.SHOWN if grid.is_elsewhere else self.sheet
            source = self.table("table").source
            if isinstance(source, LedgerRows) and len(source.shown) < len(grid.columns):
                first, last = source.shown.start + 1, source.shown.stop
                which = f"{first}–{last}" if last > first else f"{first}"
                return f"{sheet} {which} of {len(grid.columns)}"
            return sheet
        if pane == "then" and self.then is not None:
            return f"beside {one_line(self.then.ledger.round)}"
        return one_line(grid.ledger.round) if pane == "round" else super().pane_title(pane)

    def _show_low(self, pane: str) -> None:
        for other in _LOWER:
            self.set_class(other == pane, f"-low-{other}")

    def _show_pane(self, pane: str) -> None:
        if pane in _LOWER:
            self._show_low(pane)
        super()._show_pane(pane)
        if self.is_mounted:
            self.at_pane(pane)

    def _size_panes(self) -> None:
        super()._size_panes()
        self.call_after_refresh(self._redraw_tables)

    def _redraw_tables(self) -> None:
        if self.is_mounted and self.grid is not None:
            self.draw_tables()
            self.show_panes()

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._redraw_all)

    def _redraw_all(self) -> None:
        self._redraw_tables()
        self.draw_round()

    # What the cursor stands on

    def on_page_opened(self, message: Page.Opened) -> None:
        match message.target:
            case ("round", str(round_id)):
                self.desk_app.show_round(self.shown.id, round_id)
            case ("cell", Component() as where):
                self.select(where)
            case ("context", str(name)):
                self.show_context(name)
            case ("parted", str(round_id), Component() as where):
                self.show_index(self.shown.round_by_id[round_id].index)
                self.select(where)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.go_to_pane("cell")

    def attachments(self) -> Sequence[tuple[str, Attachment]]:
        found, grid = self.artifact(), self.grid
        shown = [] if found is None else [("last upload", found)]
        one = self.shown.round_by_id.get(grid.ledger.round) if grid is not None else None
        own = one.attachments if one is not None else ()
        # Such as an artifact of another context, or an unrelated picture.
        return [*(("this round", each) for each in own if each is not found), *shown]

    def copies(self) -> Sequence[tuple[str, str]]:
        grid, where = self.grid, self.where
        if grid is None:
            return ()
        options = [f"--at={grid.ledger.round}"]
        if grid.is_elsewhere:
            options.append(f"--context={grid.ledger.context}")
        words = [self.shown.id, *options]
        request = self.desk_app.request
        found = [("command", twin_command("ledger", request, words))]
        if where is not None:
            name = ".".join(filter(None, (where.entity, where.field)))
            cell = twin_command("ledger", request, [*words, f"--cell={name}"])
            line = cell_line(grid, where, self.palette).plain
            found += [("command, this cell", cell), ("cell", line)]
        if self.then is not None:
            pair = twin_command("ledger", request, [*words, f"--beside={self.beside}"])
            found.append(("command, both rounds", pair))
        return [*found, ("round id", grid.ledger.round)]

    def raw(self) -> RawPart | None:
        book, grid = self.book, self.grid
        if book is None or grid is None:
            return None
        place = "$.initial"
        if grid.ledger.records:
            place = f"$.transitions[{grid.ledger.count - len(grid.ledger.records)}]"
        return raw_part(self.desk.workspace.release.root, book.truth.file, place)
