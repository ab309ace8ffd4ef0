"""Where a system's cells part from the truth: at which round, in which cell, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from mnemoscope.core.memory.cells import SHEETS, CellStep, HeldCell, HeldValue
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import ABSENT, Component, Layer, Maybe, Part
from mnemoscope.core.state.ledger import Scrubber
from mnemoscope.core.state.rule import Priority
from mnemoscope.core.state.timeline import Moment
from mnemoscope.core.truth.agreement import says_same
from mnemoscope.core.truth.naming import EntityNames, FieldNames, names_elsewhere, same_name

__all__ = [
    *("Beside", "Divergence", "Kind", "Placer", "beside", "in_order", "is_wordy", "kept_fields"),
    *("missing", "partings"),
]


class Kind(StrEnum):
    """How a system's cell parts from the truth."""

    DIFFERS = "differs"
    """It holds another value."""
    EXTRA = "extra"
    """It holds a cell of what is not accepted: removed, never accepted, or of another context."""
    MISSING = "missing"
    """It holds nothing where the truth has a value, in a field that it holds of others."""


@value
class Divergence:
    """A cell in which a system parts from the truth at a round."""

    index: int
    """The position of the round in the history."""
    kind: Kind
    sheet: str
    """Which value: ``accepted``, ``visual`` or ``shown``."""
    component: Component
    said: HeldValue
    """None of a missing one."""
    truth: Maybe
    item: str = ""
    """The memory's item; empty of a missing one."""
    called: str = ""
    """What the system calls the entity."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A system's cells beside the truth at one round."""

    index: int
    agreeing: tuple[tuple[Component, HeldCell], ...]
    """Cells that say what the truth says."""
    divergences: tuple[Divergence, ...]
    unplaced: tuple[HeldCell, ...]
    """Cells of which the truth knows no entity or field: they cannot be compared."""
    elsewhere: tuple[HeldCell, ...]
    """Cells that the system itself keeps for another context: none of them is taken to be true."""


class Placer:
    """Finds which component a system's cell is about."""

    def __init__(self, scrubber: Scrubber) -> None:
        self.schema = scrubber.timeline.trajectory.schema
        self.context = scrubber.timeline.trajectory.initial.context
        self._fields = FieldNames(self.schema)

    def is_elsewhere(self, cell: HeldCell) -> bool:
        """Whether the system keeps a cell for another context than the scenario's."""
        return bool(cell.context) and same_name(cell.context) != same_name(self.context)

    def place(self, cell: HeldCell, names: EntityNames) -> Component | None:
        """The component; None when there is no such entity or field."""
        if not cell.entity:
            return self._fields.component("", cell.field)
        key = names.key(cell.entity)
        found = self._fields.component(key, cell.field) if key is not None else None
        if found is not None and self.schema.is_of_entities(found.field):
            return found
        return self._group(cell)

    def _group(self, cell: HeldCell) -> Component | None:
        """A quantity of a group."""
        found = self._fields.component(cell.entity, cell.field)
        if found is None or found.part is not Part.DEPENDENT:
            return None
        by = self.schema.field_by_key.get(self.schema.dependency_by_key[found.field].by)
        groups = {same_name(one): one for one in by.choices} if by is not None else {}
        group = groups.get(same_name(cell.entity))
        return None if group is None else Component(Part.DEPENDENT, group, found.field)

    def stranger(self, cell: HeldCell, moment: Moment) -> Component | None:
        """The component of an entity that only an artifact of another context has."""
        key = names_elsewhere(moment.scopes, self.schema).get(same_name(cell.entity))
        found = self._fields.component(key, cell.field) if key is not None else None
        of_entity = found is not None and self.schema.is_of_entities(found.field)
        return found if of_entity else None


def beside(
    scrubber: Scrubber,
    held: Mapping[str, HeldCell],
    index: int,
    names: EntityNames,
    fields: frozenset[str] | None = None,
) -> Beside:
    """A system's cells beside the truth at the end of a round.

    Args:
        scrubber: The truth.
        held: What the system holds then, by item.
        index: The round's position in the history.
        names: The names of entities at the end of that round.
        fields: Keys of the fields that the system keeps; None for those of ``held``.
    """
    count = scrubber.count_at(index)
    moment = scrubber.timeline.at(count)
    placer = Placer(scrubber)
    found: list[Divergence] = []
    agreeing, unplaced, elsewhere = [], [], []
    placed: dict[Component, None] = {}
    for one in held.values():
        if placer.is_elsewhere(one):
            elsewhere.append(one)
            continue
        where = placer.place(one, names) or placer.stranger(one, moment)
        if where is None or is_wordy(moment, where):
            unplaced.append(one)
            continue
        placed[where] = None
        parted = list(partings(placer, one, where, moment, names, index))
        found += parted
        if not parted:
            agreeing.append((where, one))
    kept = frozenset(one.field for one in placed) if fields is None else fields
    found += missing(moment.accepted, placed, kept, index)
    ordered = in_order(moment, found)
    return Beside(index, tuple(agreeing), ordered, tuple(unplaced), tuple(elsewhere))


def in_order(moment: Moment, found: Iterable[Divergence]) -> tuple[Divergence, ...]:
    """Divergences in the order of the accepted components, then of those that are shown."""
    rank: dict[Component, int] = {}
    for where in chain(moment.accepted, moment.visual, moment.shown):
        rank.setdefault(where, len(rank))

    def place(one: Divergence) -> tuple[int, Component, str]:
        return rank.get(one.component, len(rank)), one.component, one.item

    return tuple(sorted(found, key=place))


def is_wordy(moment: Moment, where: Component) -> bool:
    """Whether a component is a rule in words, which no value can be compared with."""
    return where.part is Part.RULE and isinstance(moment.accepted.get(where), Priority | tuple)


def partings(
    placer: Placer,
    held: HeldCell,
    where: Component,
    moment: Moment,
    names: EntityNames,
    index: int,
) -> Iterator[Divergence]:
    """In which of its values a system's cell parts from the truth."""
    layers = {"accepted": moment.accepted, "visual": moment.visual, "shown": moment.shown}
    for sheet in SHEETS:
        if sheet not in held.values:
            continue
        said, truth = held.values[sheet], layers[sheet].get(where, ABSENT)
        if truth is ABSENT and (said is None or sheet != "accepted"):
            continue
        if truth is ABSENT or not says_same(placer.schema, where, truth, said, names):
            kind = Kind.EXTRA if truth is ABSENT else Kind.DIFFERS
            yield Divergence(index, kind, sheet, where, said, truth, held.item, held.entity)


def missing(
    accepted: Layer, placed: Mapping[Component, object], fields: frozenset[str], index: int
) -> Iterator[Divergence]:
    """Accepted values of some fields that a system holds nothing for."""
    for where, truth in accepted.items():
        due = where.part is Part.CELL and where.field in fields and truth is not None
        if due and where not in placed:
            yield Divergence(index, Kind.MISSING, "accepted", where, None, truth)


def kept_fields(scrubber: Scrubber, steps: Sequence[CellStep]) -> frozenset[str]:
    """Keys of the fields that a system keeps at any time: only there can a cell be missing."""
    trajectory = scrubber.timeline.trajectory
    fields = FieldNames(trajectory.schema)
    said = {cell.field for step in steps for cell in step.put}
    found = (fields.component("x", one) for one in said)
    return frozenset(one.field for one in found if one is not None and one.part is Part.CELL)
