"""What a system means by the names it gives to entities and fields of a scenario."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from mnemoscope.core.state.component import (
    Component,
    Layer,
    Part,
    cell,
    order,
)
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.transition import Record

__all__ = ["EntityNames", "FieldNames", "Naming", "names_elsewhere", "same_name"]


def same_name(text: str) -> str:
    """A name as it is compared: case and runs of spaces do not count."""
    return " ".join(text.casefold().split())


class FieldNames:
    """Fields, dependencies, rules and orderings by key or heading."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        declared = (schema.fields, schema.dependencies, schema.rules)
        keys = [one.key for group in declared for one in group]
        keys += list(schema.ordering_by_key)
        self._keys = {same_name(schema.heading(key)): key for key in reversed(keys)}
        self._keys |= {same_name(key): key for key in reversed(keys)}

    def component(self, entity: str, field: str) -> Component | None:
        """The component of a field; ``entity`` is a key, a group, or empty for the whole."""
        key = self._keys.get(same_name(field))
        schema = self._schema
        if key is None:
            return None
        if key in schema.field_by_key:
            return cell(entity, key) if entity else None
        if key in schema.dependency_by_key:
            return Component(Part.DEPENDENT, entity, key)
        part = Part.RULE if key in schema.rule_by_key else order().part
        return None if entity else Component(part, "", key)


class EntityNames:
    """Entities by key and by every name that they have had so far, the present ones first."""

    def __init__(self, schema: Schema) -> None:
        self._field = schema.name_field.key if schema.name_field else ""
        self._keys: dict[str, None] = {}
        self._former: dict[str, str] = {}
        self._present: dict[str, str] = {}

    def learn(self, record: Record) -> bool:
        """Take up the names that a transition gives; whether it touches any name or membership."""
        touched = False
        for change in record.changes:
            where = change.component
            if where.part is Part.MEMBER:
                self._keys[where.entity] = None
                touched = True
            elif where.part is Part.CELL and where.field == self._field:
                for name in (change.before, change.after):
                    if isinstance(name, str):
                        self._former[same_name(name)] = where.entity
                touched = True
        return touched

    def take(self, *layers: Layer) -> None:
        """Take the names in some layers for the present ones; of two the first layer's counts."""
        self._present = {}
        for where, content in _names(reversed(layers), self._field):
            self._keys[where] = None
            self._present[same_name(content)] = where
        self._former |= self._present

    def key(self, name: str) -> str | None:
        """The key of the entity that a name or key means; None when there has been none."""
        said = same_name(name)
        found = self._present.get(said) or self._former.get(said)
        return name if found is None and name in self._keys else found


class Naming:
    """The names of a trajectory's entities at any point of it."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline

    @cached_property
    def _records(self) -> Sequence[tuple[int, Record]]:
        """The transitions that give names or memberships, with their numbers."""
        trajectory = self._timeline.trajectory
        names = EntityNames(trajectory.schema)
        return [pair for pair in enumerate(trajectory.records) if names.learn(pair[1])]

    def at(self, count: int) -> EntityNames:
        """The names after so many transitions."""
        trajectory, moment = self._timeline.trajectory, self._timeline.at(count)
        names = EntityNames(trajectory.schema)
        names.take(trajectory.initial.accepted, trajectory.initial.visual)
        for number, record in self._records:
            if number < count:
                names.learn(record)
        names.take(moment.accepted, moment.visual, moment.shown)
        return names


def _names(layers: Iterable[Layer], field: str) -> Iterator[tuple[str, str]]:
    for layer in layers:
        for where, content in layer.items():
            if where.part is Part.MEMBER and not field:
                yield where.entity, where.entity
            elif where.part is Part.CELL and where.field == field and isinstance(content, str):
                yield where.entity, content


def names_elsewhere(scopes: Mapping[str, Layer], schema: Schema) -> dict[str, str]:
    """Keys of the entities in artifacts of other contexts, by name as it is compared."""
    field = schema.name_field.key if schema.name_field else ""
    return {same_name(name): key for key, name in _names(scopes.values(), field)}
