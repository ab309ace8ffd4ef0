"""What can be chosen on the ledger: values, context, a second round, a cell, a history."""

from collections.abc import Mapping, Sequence

from mnemoscope.core.text import counted, one_line
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.ledger_tables import LedgerTables
from mnemoscope.viewers.cell_view import SystemFacts
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.ledger_grid import Sheet

__all__ = ["LedgerChoices"]

_SHEET_TITLES = {
    "accepted": "accepted values",
    "visual": "visual values",
    "shown": "shown values",
    "authority": "authority",
}


class LedgerChoices(LedgerTables):
    """A ledger of which one can choose what is shown."""

    @property
    def facts(self) -> Sequence[SystemFacts]:
        """What there is to say of systems at this round and cell."""
        return self.system_facts(self.index, self.where) if self.grid is not None else ()

    # Values

    @property
    def sheets(self) -> Sequence[str]:
        """What the table can show: the truth's values, and what systems hold."""
        return [*(one.value for one in Sheet), *(run.letter for run, _ in self.systems)]

    @property
    def sheet_label(self) -> str:
        """What the table shows, in words."""
        if self.sheet in _SHEET_TITLES:
            return _SHEET_TITLES[self.sheet]
        labels = {run.letter: run.label for run, _ in self.systems}
        return f"as {one_line(labels.get(self.sheet, self.sheet))} holds it"

    def action_sheet(self) -> None:
        if self.refuse("sheet"):
            return
        at = self.sheets.index(self.sheet) if self.sheet in self.sheets else -1
        self.sheet = self.sheets[(at + 1) % len(self.sheets)]
        self.draw_values()

    def draw_values(self) -> None:
        """Show other values in the tables."""
        raise AssertionError("a screen that shows a ledger can show other values")

    # Contexts

    @property
    def contexts(self) -> Sequence[str]:
        """The scenario's own context, and others seen up to this round."""
        if self.book is None or self.grid is None:
            return ()
        return [self.book.context, *self.grid.ledger.contexts]

    def show_context(self, name: str) -> None:
        """Show the artifact of a context."""
        self.context = "" if self.book is not None and name == self.book.context else name
        self.draw()

    def action_context(self) -> None:
        if self.refuse("context") or self.grid is None:
            return
        at = self.contexts.index(self.grid.ledger.context)
        self.show_context(self.contexts[(at + 1) % len(self.contexts)])

    # A second round

    def action_side_by_side(self) -> None:
        if self.refuse("side_by_side") or self.grid is None:
            return
        self.beside = "" if self.beside else self.grid.ledger.round
        self.draw()
        # The table is narrower, or wider, once it is laid out again.
        self.call_after_refresh(self.draw)

    def give_up(self) -> bool:
        if not self.beside and not self.context:
            return False
        if self.beside:
            self.beside = ""
            if self.focused is self.table("then"):
                self.go_to_pane("table")
        else:
            self.context = ""
        self.draw()
        self.call_after_refresh(self.draw)
        return True

    # A cell

    def action_find(self) -> None:
        grid = self.grid
        if self.refuse("find") or grid is None:
            return
        places = [
            grid.where(row, column)
            for row in range(len(grid.entities))
            for column in range(-1, len(grid.columns))
        ]
        places += [one.component for one in grid.totals]
        rows = [
            (grid.label(where), grid.text(where, grid.cells[where].accepted))
            for where in places
            if where in grid.cells
        ]
        places = [where for where in places if where in grid.cells]
        columns = (Column("cell", 20, flex=2), Column("accepted", 12, flex=1, dim=True))
        where = self.where
        current = places.index(where) if where in places and where is not None else 0

        def chosen(index: int | None) -> None:
            if index is not None:
                self.select(places[index])

        self.app.push_screen(Chooser("Choose a cell", columns, rows, current=current), chosen)

    # Where systems part from the truth

    def action_divergence(self) -> None:
        if self.refuse("divergence"):
            return
        found = [self.firsts_of(run) for run, _ in self.systems]
        if None in found:
            self.notify("The first divergence is still looked for.")
            return
        every = [first for firsts in found for first in firsts or ()]
        places = [(round_id, one.component) for one, round_id, _ in every]
        if not places:
            self.notify("No system that is open ever parts from the truth.")
            return
        here = (self.desk.round_id, self.where)
        at = places.index(here) + 1 if here in places else 0
        round_id, where = places[at % len(places)]
        self.context = ""
        self.show_index(self.shown.round_by_id[round_id].index)
        self.select(where)

    # A history

    def action_choose(self) -> None:
        release = self.desk.workspace.release
        histories = list(release.histories.values())
        truths = release.evaluator.truths
        rows = [
            (
                one.id,
                "" if one.name == one.id else one.name,
                counted(len(one.rounds), "round"),
                _said_of(truths[one.id].trajectory.records) if one.id in truths else "no truth",
            )
            for one in histories
        ]
        columns = (
            Column("history", 10, flex=1),
            Column("about", 16, flex=2),
            Column("", 12, dim=True),
            Column("", 16, dim=True),
        )
        current = [one.id for one in histories].index(self.shown.id)

        def chosen(index: int | None) -> None:
            if index is not None:
                with self.desk_app.trail.move():
                    self.desk.history_id = histories[index].id
                    self.desk.round_id = ""
                    self.beside = self.context = ""
                    self.draw()

        self.app.push_screen(Chooser("Choose a history", columns, rows, current=current), chosen)

    # What makes sense, and coming back

    def why_not(self, action: str) -> str:
        if action in ("choose_a", "choose_b"):
            return self.needs_runs(2)
        if action == "choose":
            return ""
        if self.grid is None and action not in ("next_pane", "previous_pane"):
            return "The state of this history is not known."
        if action == "context" and len(self.contexts) < 2:
            return "There has been no artifact of another context up to this round."
        if action == "sheet" and self.grid is not None and self.grid.is_elsewhere:
            return "In another context nothing is accepted: only what is shown is known."
        if action == "divergence" and not self.systems:
            return "No run that is open keeps cells: only those can be set beside the truth."
        return ""

    def state(self) -> Mapping[str, str]:
        found = {
            "sheet": "" if self.sheet == Sheet.ACCEPTED else self.sheet,
            "context": self.context,
            "beside": self.beside,
            "entity": self._entity,
            "column": str(self._column),
        }
        return {name: value for name, value in found.items() if value}

    def set_state(self, state: Mapping[str, str]) -> None:
        self.sheet = state.get("sheet", Sheet.ACCEPTED.value)
        self.context, self.beside = state.get("context", ""), state.get("beside", "")
        self._entity = state.get("entity", "")
        self._column = int(state.get("column", "0"))


def _said_of(records: Sequence[object]) -> str:
    return counted(len(records), "transition")
