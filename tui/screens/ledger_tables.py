"""The tables of the ledger: one round, another beside it, and what belongs to no entity."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from mnemoscope.core.state.component import Component
from mnemoscope.core.state.ledger import Effect, Ledger, LedgerCell, differing
from mnemoscope.tui.screens.ledger_systems import LedgerSystems
from mnemoscope.viewers.cell_list import CellList
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.ledger_grid import Grid, Sheet
from mnemoscope.viewers.ledger_rows import LedgerRows
from mnemoscope.viewers.ledger_totals import TotalRows
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["LedgerTables", "NoRows"]

Pairs = Mapping[Component, tuple[LedgerCell | None, LedgerCell | None]]


class NoRows:
    """A list before there is anything to show."""

    columns: Sequence[Column] = (Column("", flex=1, help="there is nothing to show"),)
    row_count = 0

    def cells(self, row: int) -> Sequence[Text | str]:
        return [""]


class LedgerTables(LedgerSystems):
    """A screen with the tables of a ledger, in which the cursor stands on one component."""

    def __init__(self) -> None:
        super().__init__()
        self.grid: Grid | None = None
        """The round that is shown; None when there is no truth of it."""
        self.then: Grid | None = None
        """The round that was kept in view."""
        self.pairs: Pairs = {}
        """What differs between the two."""
        self.sheet = Sheet.ACCEPTED.value
        """Which value the tables show: one of ``Sheet``, or a run's letter."""
        self.context = ""
        """The context whose artifact is shown; empty for the scenario's own."""
        self.beside = ""
        """The id of the round that is kept in view; empty for none."""
        self._entity = ""
        self._column = 0
        self._total = 0
        self._at_totals = False

    # Reading

    def read_round(self) -> None:
        """Take the ledger of the round in focus, and of the one that is kept in view."""
        book = self.book
        self.grid = self.then = None
        self.pairs = {}
        if book is None:
            return
        ledger = self._ledger(self.shown.rounds[self.index].id)
        self.grid = Grid(ledger, book)
        if self.beside in self.shown.round_by_id:
            then = self._ledger(self.beside)
            if then.context == ledger.context:
                self.then = Grid(then, book)
                self.pairs = differing(then, ledger)
                self.then.line_up(self.grid)

    def _ledger(self, round_id: str) -> Ledger:
        """The ledger in the chosen context, or in the scenario's own before that came up."""
        book = self.book
        assert book is not None
        try:
            return book.scrubber.at(round_id, self.context)
        except KeyError:
            return book.scrubber.at(round_id)

    # The cursor

    @property
    def row(self) -> int:
        """The row of the entity under the cursor; the first one where it is not there."""
        grid = self.grid
        known = grid is not None and self._entity in grid.entities
        return grid.entities.index(self._entity) if known and grid is not None else 0

    @property
    def where(self) -> Component | None:
        grid = self.grid
        if grid is None:
            return None
        if self._at_totals:
            totals = grid.totals
            return totals[min(self._total, len(totals) - 1)].component if totals else None
        return grid.where(self.row, self._column) if grid.entities else None

    @property
    def owner(self) -> str:
        where, grid = self.where, self.grid
        if where is None or grid is None:
            return ""
        return grid.label(where) if self._at_totals else grid.names.get(where.entity, where.entity)

    def select(self, where: Component) -> None:
        """Put the cursor on a component, if the round has it."""
        grid = self.grid
        place = grid.place(where) if grid is not None else None
        if grid is not None and place is not None:
            self._entity, self._column, self._at_totals = grid.entities[place[0]], place[1], False
            self.go_to_pane("table")
        elif grid is not None:
            found = [at for at, one in enumerate(grid.totals) if one.component == where]
            if not found:
                self.notify("There is no such cell at this round.")
                return
            self._total, self._at_totals = found[0], True
            self.go_to_pane("totals")
        self.draw_tables()
        self.draw_cell()

    def draw_cell(self) -> None:
        """Show what is known of the component under the cursor."""
        raise AssertionError("a screen that shows a ledger says more about a cell")

    # Drawing

    def table(self, name: str) -> CellList:
        """One of the two tables."""
        return self.query_one(f"#{name}", CellList)

    def draw_tables(self) -> None:
        """Show the tables with the cursor where it is."""
        grid, then = self.grid, self.then
        self.set_class(then is not None, "-pair")
        if grid is None:
            self.table("table").set_source(NoRows())
            self.query_one("#totals", VirtualList).set_source(NoRows())
            return
        if self._entity not in grid.entities:
            self._entity = grid.entities[0] if grid.entities else ""
        self._column = min(self._column, len(grid.columns) - 1)
        self._draw_table("table", grid, then)
        if then is not None:
            self._draw_table("then", then, grid)
        totals = self.query_one("#totals", VirtualList)
        self._total = min(self._total, max(0, len(grid.totals) - 1))
        totals.set_source(TotalRows(grid, self.palette), keep=self._total)

    def _draw_table(self, name: str, grid: Grid, beside: Grid | None) -> None:
        table = self.table(name)
        entities = grid.entities
        row = entities.index(self._entity) if self._entity in entities else table.cursor
        # Before it is laid out a table has no width of its own.
        width = table.size.width or self.size.width
        index = self.shown.round_by_id[grid.ledger.round].index
        is_sheet = self.sheet in set(Sheet)
        source = LedgerRows(
            grid,
            self.palette,
            sheet=Sheet(self.sheet) if is_sheet else Sheet.ACCEPTED,
            width=width,
            chosen=self._column,
            at_row=row,
            beside=beside,
            differs=self.pairs,
            system=None if is_sheet else self.system_cells(self.sheet, index),
        )
        table.set_source(source, keep=max(0, row))

    def reveal_changed(self) -> None:
        """Scroll no further than needed to a changed row, directly changed ones first."""
        grid = self.grid
        if grid is None:
            return
        for effect in Effect:
            rows = [at for at, one in enumerate(grid.entities) if grid.effects.get(one) is effect]
            if rows:
                break
        else:
            return
        for table in self.query(CellList):
            top = table.scroll_offset.y
            if not any(top <= row < top + table.page for row in rows):
                table.scroll_to_row(min(rows, key=lambda row: abs(row - table.cursor)))

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        shown, source = message.virtual_list, message.virtual_list.source
        if isinstance(source, TotalRows):
            if shown is self.focused and self._total != message.row:
                self._total = message.row
                self.draw_cell()
        elif isinstance(source, LedgerRows) and source.at_row != message.row:
            source.at_row = message.row
            shown.reload()
            if shown is self.focused:
                self._entity = source.grid.entities[message.row]
                self._follow(shown)
                self.draw_cell()

    def _follow(self, moved: VirtualList) -> None:
        """Let the other table stand on the same entity."""
        for table in self.query(CellList):
            source = table.source
            if table is not moved and isinstance(source, LedgerRows):
                entities = source.grid.entities
                if self._entity in entities:
                    table.cursor = entities.index(self._entity)

    def at_pane(self, pane: str) -> None:
        """Take up which list the cursor is in."""
        if pane in ("table", "then", "totals"):
            at_totals = pane == "totals"
            if at_totals != self._at_totals:
                self._at_totals = at_totals
                self.draw_cell()

    def choose_column(self, column: int) -> None:
        """Put the cursor on a column; -1 is that of names."""
        if self.grid is None:
            return
        self._column = min(max(-1, column), len(self.grid.columns) - 1)
        self._at_totals = False
        self.draw_tables()
        self.draw_cell()

    def action_column_before(self) -> None:
        self.choose_column(self._column - 1)

    def action_column_after(self) -> None:
        self.choose_column(self._column + 1)

    def on_cell_list_cell_clicked(self, message: CellList.CellClicked) -> None:
        source = message.cell_list.source
        if isinstance(source, LedgerRows):
            column = source.column_of(message.column)
            if column != self._column:
                self.choose_column(column)

    def on_virtual_list_header_clicked(self, message: VirtualList.HeaderClicked) -> None:
        source = message.virtual_list.source
        if isinstance(source, LedgerRows):
            self.choose_column(source.column_of(message.column))
