"""What a trajectory has had so far: names, keys, and what changed cells have held."""

from collections.abc import Iterable, Mapping, Sequence

from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.state.component import Component, Layer, Maybe, Part, members
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.transition import Cause, Record

__all__ = ["Past"]


class Past:
    """Grows with every transition that is committed."""

    def __init__(self, pack: Pack, layer: Layer) -> None:
        """Begin with the initial layer."""
        self._names = pack.state_schema.of_role(FieldRole.NAME)
        self._contents: dict[Component, tuple[Maybe, ...]] = {}
        self._entities = dict.fromkeys(members(layer))
        self._named = {
            str(content)
            for where, content in layer.items()
            if where.part is Part.CELL and where.field in self._names
        }

    @property
    def contents(self) -> Mapping[Component, Sequence[Maybe]]:
        """What the cells and stylings that were changed have held, in order, on either sheet."""
        return self._contents

    @property
    def names(self) -> frozenset[str]:
        """Every name that an entity has had."""
        return frozenset(self._named)

    @property
    def next_key(self) -> int:
        """The number of the next entity's key: none is used twice."""
        return len(self._entities) + 1

    def add(self, record: Record) -> None:
        """Take in a transition."""
        for change in record.changes:
            where = change.component
            if where.part is Part.MEMBER:
                self._entities.setdefault(where.entity)
            if change.cause is not Cause.DIRECT or where.part not in (Part.CELL, Part.CUE):
                continue
            if where.field in self._names:
                self._named.add(str(change.after))
            known = self._contents.get(where, (change.before,))
            self._contents[where] = (*known, change.after)

    def after(self, records: Iterable[Record]) -> "Past":
        """A copy that has taken in some more transitions."""
        other = object.__new__(Past)
        other._names = self._names
        other._contents = dict(self._contents)
        other._entities = dict(self._entities)
        other._named = set(self._named)
        for record in records:
            other.add(record)
        return other
