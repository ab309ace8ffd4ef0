"""The first round at which a system's cells part from the truth, by kind.

Only what a round touches is looked at, on either side: 10,000 rounds of 800 cells are millions of
comparisons otherwise.
"""

from collections.abc import Mapping, Sequence

from mnemoscope.core.memory.cells import CellStep, HeldCell
from mnemoscope.core.state.component import Component, Part
from mnemoscope.core.state.ledger import Scrubber
from mnemoscope.core.state.timeline import Replay
from mnemoscope.core.state.transition import Record
from mnemoscope.core.truth.divergence import (
    Divergence,
    Kind,
    Placer,
    in_order,
    is_wordy,
    kept_fields,
    missing,
    partings,
)
from mnemoscope.core.truth.naming import Naming

__all__ = ["first_divergences"]


def first_divergences(
    scrubber: Scrubber, steps: Sequence[CellStep], last: int
) -> Mapping[Kind, Divergence]:
    """The first divergence of each kind, the earliest kind first; kinds that never occur are none.

    Args:
        scrubber: The truth.
        steps: What each round did to the system's cells, in order.
        last: The position of the last round that the system was handed.
    """
    scan = _Scan(scrubber, steps)
    found: dict[Kind, Divergence] = {}
    for index in scan.indices(last):
        for one in scan.at(index):
            found.setdefault(one.kind, one)
        if len(found) == len(Kind):
            break
    return found


class _Scan:
    """Truth and system side by side, moved on round by round."""

    def __init__(self, scrubber: Scrubber, steps: Sequence[CellStep]) -> None:
        self._scrubber = scrubber
        self._records = scrubber.timeline.trajectory.records
        self._replay = Replay(scrubber.timeline.at(0))
        self._names = Naming(scrubber.timeline).at(0)
        self._placer = Placer(scrubber)
        self._fields = kept_fields(scrubber, steps)
        self._steps: dict[int, list[CellStep]] = {}
        for step in steps:
            self._steps.setdefault(step.index, []).append(step)
        self._count = 0
        self._held: dict[str, HeldCell] = {}
        self._places: dict[str, Component] = {}
        self._items: dict[Component, dict[str, None]] = {}
        self._touched: set[Component] = set(self._replay.accepted)

    def indices(self, last: int) -> Sequence[int]:
        """The positions of the rounds at which anything can change, in order."""
        numbers = range(len(self._records))
        said = {self._scrubber.index_of(number) for number in numbers} | {0, *self._steps}
        return sorted(one for one in said if one <= last)

    def at(self, index: int) -> Sequence[Divergence]:
        """Move on to a round; in what it touched, where the system parts from the truth."""
        count = self._scrubber.count_at(index)
        renamed = [self._take(record) for record in self._records[self._count : count]]
        self._count = count
        for step in self._steps.get(index, ()):
            for cell in step.put:
                self._held[cell.item] = cell
                self._place(cell)
            for item in step.gone:
                self._held.pop(item, None)
                self._lift(item)
        if any(renamed):
            replay = self._replay
            self._names.take(replay.accepted, replay.visual, replay.shown)
            for cell in self._held.values():
                self._place(cell)
        found = [one for where in self._touched for one in self._partings(where, index)]
        self._touched = set()
        return in_order(self._replay.moment, found) if found else ()

    def _take(self, record: Record) -> bool:
        """Carry a transition out; whether names mean something else after it."""
        self._replay.step(record)
        self._touched.update(one.component for one in record.changes)
        if record.transition.is_upload_here:
            said = (item for item, cell in self._held.items() if "shown" in cell.values)
            self._touched.update(self._places[item] for item in said if item in self._places)
        return self._names.learn(record) or record.transition.mutation.content is not None

    def _place(self, cell: HeldCell) -> None:
        """Note which component a cell is about now."""
        self._lift(cell.item)
        if self._placer.is_elsewhere(cell):
            return
        moment = self._replay.moment
        where = self._placer.place(cell, self._names) or self._placer.stranger(cell, moment)
        if where is not None and not is_wordy(moment, where):
            self._places[cell.item] = where
            self._items.setdefault(where, {})[cell.item] = None
            self._touched.add(where)

    def _lift(self, item: str) -> None:
        where = self._places.pop(item, None)
        if where is not None:
            self._items[where].pop(item, None)
            self._touched.add(where)

    def _partings(self, where: Component, index: int) -> Sequence[Divergence]:
        moment = self._replay.moment
        items = self._items.get(where)
        if items:
            cells = [self._held[item] for item in items]
            found = (
                partings(self._placer, one, where, moment, self._names, index) for one in cells
            )
            return [one for group in found for one in group]
        if where.part is not Part.CELL or where not in moment.accepted:
            return ()
        alone = {where: moment.accepted[where]}
        return list(missing(alone, {}, self._fields, index))
