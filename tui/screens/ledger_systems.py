"""Systems beside the truth: what the memories of A and B hold of the cells of a scenario."""

from collections.abc import Sequence

from textual import work
from textual.message import Message

from mnemoscope.core.errors import InputError
from mnemoscope.core.runs.native.states import HeldStates
from mnemoscope.core.state.component import Component
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.causes import Origin
from mnemoscope.core.truth.divergence import Divergence
from mnemoscope.core.truth.system import SystemLedger
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.screens.ledger_moves import LedgerMoves
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.viewers.cell_view import SystemFacts
from mnemoscope.viewers.ledger_rows import SystemCells

__all__ = ["LedgerSystems"]

Key = tuple[str, str]
"""The name of a run, and a history."""
First = tuple[Divergence, str, Sequence[Origin]]
"""A divergence, the id of its round, and what the wrong value is."""


class LedgerSystems(LedgerMoves):
    """A screen that knows what systems hold beside the truth."""

    class Scanned(Message):
        """It is known where a system parts from the truth first."""

        def __init__(self, key: Key, firsts: Sequence[First]) -> None:
            super().__init__()
            self.key = key
            self.firsts = firsts

    def __init__(self) -> None:
        super().__init__()
        self._systems: dict[Key, tuple[HeldStates, SystemLedger]] = {}
        self._firsts: dict[Key, Sequence[First]] = {}
        self._scanning: set[Key] = set()

    def system(self, run: JoinedRun) -> SystemLedger | None:
        """What a run's memory says of the cells; None when it says nothing of any."""
        book, states = self.book, self.desk.held(run, self.desk.history_id)
        if book is None or states is None or isinstance(states, InputError):
            return None
        key = (run.name, self.desk.history_id)
        known = self._systems.get(key)
        if known is None or known[0] is not states:
            known = self._systems[key] = (states, SystemLedger(book, states))
            self._firsts.pop(key, None)
            self._scanning.discard(key)
        return known[1] if known[1].has_cells else None

    @property
    def systems(self) -> Sequence[tuple[JoinedRun, SystemLedger]]:
        """A and B, as far as their memories keep cells."""
        found = ((run, self.system(run)) for run in self.desk.pair)
        return [(run, system) for run, system in found if system is not None]

    def look_for_firsts(self) -> None:
        """Find where A and B part from the truth first, where that is not known."""
        book = self.book
        for run, _ in self.systems if book is not None else ():
            key = (run.name, self.desk.history_id)
            if book is not None and key not in self._firsts and key not in self._scanning:
                self._scanning.add(key)
                self._scan(key, book, self._systems[key][0])

    @work(thread=True, group="ledger", description="first divergence")
    def _scan(self, key: Key, book: Book, states: HeldStates) -> None:

        # A book of its own: one grows snapshots as it is read, and threads would do it twice.
        system = SystemLedger(Book(book.truth, book.history), states)
        firsts = [(one, system.round_of(one), system.why(one)) for one in system.firsts.values()]
        self.post_message(self.Scanned(key, firsts))

    def on_ledger_systems_scanned(self, message: Scanned) -> None:
        self._scanning.discard(message.key)
        self._firsts[message.key] = message.firsts
        self.draw_systems()

    def draw_systems(self) -> None:
        """Show anew what systems hold."""
        raise AssertionError("a screen that shows a ledger shows systems beside it")

    def firsts_of(self, run: JoinedRun) -> Sequence[First] | None:
        """The first divergence of each kind; None while it is looked for."""
        return self._firsts.get((run.name, self.desk.history_id))

    def system_facts(self, index: int, where: Component | None) -> Sequence[SystemFacts]:
        """What there is to say of A and B at a round, and of the cell under the cursor."""
        return [self._facts(run, system, index, where) for run, system in self.systems]

    def _facts(
        self, run: JoinedRun, system: SystemLedger, index: int, where: Component | None
    ) -> SystemFacts:

        at = system.beside(index)
        here = [one for one in at.divergences if one.component == where]
        held = next((cell for component, cell in at.agreeing if component == where), None)
        items = {one.item for one in at.divergences if one.item}
        notes = []
        if index > system.last:
            notes.append(f"handed no round after {system.last_round}")
        if at.unplaced:
            notes.append(f"{len(at.unplaced):,} cells that the truth does not know")
        if at.elsewhere:
            notes.append(f"{len(at.elsewhere):,} cells of other contexts")
        if system.unreadable:
            notes.append(f"{system.unreadable:,} items that say no cell")
        return SystemFacts(
            run.letter,
            run.label,
            " · ".join(notes),
            len(at.agreeing) + len(items),
            len(at.agreeing),
            at.divergences,
            self.firsts_of(run),
            [(one, system.why(one)) for one in here],
            held,
        )

    def system_cells(self, letter: str, index: int) -> SystemCells | None:
        """What the table shows of a system; None when it keeps no cells."""
        for run, system in self.systems:
            if run.letter == letter:
                at = system.beside(index)
                parted = {one.component: one for one in reversed(at.divergences)}
                return SystemCells(letter, dict(at.agreeing), parted)
        return None

    def action_choose_a(self) -> None:
        if not self.refuse("choose_a"):
            self.app.push_screen(*choose_run(self.desk, 0, self.draw))

    def action_choose_b(self) -> None:
        if not self.refuse("choose_b"):
            self.app.push_screen(*choose_run(self.desk, 1, self.draw))
