"""A system's ledger: what its memory says the cells of a history hold, beside the truth."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from mnemoscope.core.memory.cells import HeldCell, cell_steps, cells_after
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.causes import Origin, origins
from mnemoscope.core.truth.divergence import Beside, Divergence, Kind, beside, kept_fields
from mnemoscope.core.truth.scan import first_divergences

if TYPE_CHECKING:
    from mnemoscope.core.runs.native.states import HeldStates

__all__ = ["SystemLedger"]


class SystemLedger:
    """What a memory's items of kind ``cell`` say, round by round."""

    def __init__(self, book: Book, states: "HeldStates") -> None:
        self._book = book
        self._steps = tuple(cell_steps(states))
        rounds = len(book.history.rounds)
        self.last = min(states.last, rounds - 1)
        """The position of the last round that the memory was handed; -1 when it saw none."""
        self._at: Beside | None = None
        self.unreadable = sum(len(step.unreadable) for step in self._steps)
        """How many items of kind ``cell`` say none."""

    @property
    def has_cells(self) -> bool:
        """Whether it ever holds a cell."""
        return any(step.put for step in self._steps)

    @property
    def last_round(self) -> str:
        """The id of the last round that the memory was handed; empty when it saw none."""
        return self._book.history.rounds[self.last].id if self.last >= 0 else ""

    def held(self, index: int) -> Mapping[str, HeldCell]:
        """The cells that it holds after the round at a position, by item."""
        return cells_after(self._steps, index)

    @cached_property
    def _fields(self) -> frozenset[str]:
        return kept_fields(self._book.scrubber, self._steps)

    def beside(self, index: int) -> Beside:
        """Its cells beside the truth; after the last round it was handed, as they were then."""
        at = min(index, self.last)
        if self._at is not None and self._at.index == at:
            return self._at
        names = self._book.naming.at(self._book.scrubber.count_at(at))
        found = beside(self._book.scrubber, self.held(at), at, names, self._fields)
        self._at = found
        return found

    @cached_property
    def firsts(self) -> Mapping[Kind, Divergence]:
        """Where it parts from the truth first, by kind, the earliest first."""
        return first_divergences(self._book.scrubber, self._steps, self.last)

    def round_of(self, one: Divergence) -> str:
        """The id of the round of a divergence."""
        return self._book.history.rounds[one.index].id

    def why(self, one: Divergence) -> tuple[Origin, ...]:
        """Where else in the truth a wrong value stands, the most telling place first."""
        return origins(self._book, one)
