"""Computing dependents of a layer: all from scratch, or those that a change reaches."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Content,
    Layer,
    Maybe,
    Part,
    members,
    rule,
)
from mnemoscope.core.state.dependency import AGGREGATES, Dependency, DependencyKind
from mnemoscope.core.state.rule import Clause, Priority, holds
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import (
    Scalar,
    add,
    divide,
    exact,
    is_number,
    rounded,
    same_scalar,
    subtract,
)

__all__ = ["dependents", "reached", "recomputed"]


def dependents(schema: Schema, layer: Layer) -> dict[Component, Content]:
    """Every dependent of a layer, computed from its primary components alone."""
    primary = {key: one for key, one in layer.items() if key.part is not Part.DEPENDENT}
    return _computed(schema, primary, [one.key for one in schema.dependencies])


def reached(schema: Schema, layer: Layer, touched: Iterable[Component]) -> set[str]:
    """The dependencies that a change of some components can reach: ``Dep(scope)``.

    Args:
        schema: Declares them.
        layer: The layer after the change; its rules say which fields are read.
        touched: The changed components. Membership reaches every dependency.
    """
    parts = list(touched)
    if any(one.part is Part.MEMBER for one in parts):
        return {one.key for one in schema.dependencies}
    keys = {one.field for one in parts if one.part in (Part.CELL, Part.RULE)}
    order = any(one.part is Part.ORDER for one in parts)
    found: set[str] = set()
    for dependency in schema.dependencies:
        ordered = order and dependency.kind is DependencyKind.ORDERING
        if ordered or any(one in keys or one in found for one in _reads(layer, dependency)):
            found.add(dependency.key)
    return found


def recomputed(
    schema: Schema, layer: Layer, touched: Iterable[Component]
) -> dict[Component, Maybe]:
    """The dependents that differ after a change, with their new contents.

    Args:
        schema: Declares them.
        layer: The layer with the change made and its dependents still old.
        touched: The changed components.
    """
    keys = reached(schema, layer, touched)
    if not keys:
        return {}
    old = {
        key: one for key, one in layer.items() if key.part is Part.DEPENDENT and key.field in keys
    }
    new = _computed(schema, layer, [one.key for one in schema.dependencies if one.key in keys])
    result: dict[Component, Maybe] = {key: ABSENT for key in old if key not in new}
    result |= {
        key: content
        for key, content in new.items()
        if key not in old or not same_scalar(old[key], content)
    }
    return result


def _reads(layer: Layer, one: Dependency) -> Iterator[str]:
    yield from one.of
    yield from (clause.field for clause in one.where)
    if one.by:
        yield one.by
    if not one.rule:
        return
    yield one.rule
    content = layer.get(rule(one.rule))
    if isinstance(content, Priority):
        yield content.field
    elif isinstance(content, tuple):
        yield from (clause.field for clause in content if isinstance(clause, Clause))


def _computed(schema: Schema, layer: Layer, keys: Iterable[str]) -> dict[Component, Content]:
    """Some dependencies in the order of their declaration; earlier ones stand in the layer."""
    table = _Table(schema, layer)
    found: dict[Component, Content] = {}
    for key in keys:
        new = dict(table.values_of(schema.dependency_by_key[key]))
        found.update(new)
        table.forget(key)
        table.computed.update(new)
    return found


class _Table:
    """A layer while dependents are computed on it."""

    def __init__(self, schema: Schema, layer: Layer) -> None:
        self.schema = schema
        self.layer = layer
        self.entities = members(layer)
        self.computed: dict[Component, Content] = {}
        self.renewed: set[str] = set()
        self.columns: dict[str, dict[str, Scalar]] = {}
        """Values by source and entity, read once: most are read by several dependencies."""
        keys = (*schema.field_by_key, *schema.dependency_by_key)
        self.of_entities = {one for one in keys if schema.is_of_entities(one)}

    def forget(self, key: str) -> None:
        """From here on a dependency is read as computed, not as it stood in the layer."""
        self.renewed.add(key)
        self.columns.pop(key, None)

    def values_of(self, one: Dependency) -> Iterator[tuple[Component, Content]]:
        """The components of one dependency with their contents."""
        key = one.key
        inside = list(self.entities)
        if one.where:
            inside = [entity for entity in inside if self._is_inside(one.where, entity)]
        if one.kind in AGGREGATES:
            for group, entities in self._groups(one, inside):
                yield Component(Part.DEPENDENT, group, key), self._aggregate(one, entities)
        elif one.kind is DependencyKind.ORDERING:
            yield Component(Part.DEPENDENT, "", key), self._ordering(one, inside)
        elif not self.schema.is_of_entities(key):
            yield Component(Part.DEPENDENT, "", key), self._quantity(one, "")
        else:
            ranks = self._ranks(one, inside) if one.kind is DependencyKind.RANK else {}
            among = set(inside)
            for entity in self.entities:
                content: Content = None
                if one.kind is DependencyKind.RANK:
                    content = ranks.get(entity)
                elif entity in among:
                    content = self._quantity(one, entity)
                yield Component(Part.DEPENDENT, entity, key), content

    def _read(self, source: str, entity: str) -> Scalar:
        """A field or dependency of an entity, or one of the whole."""
        column = self.columns.get(source)
        if column is None:
            column = self.columns[source] = self._column(source)
        return column.get(entity if source in self.of_entities else "")

    def _column(self, source: str) -> dict[str, Scalar]:
        part = Part.CELL if source in self.schema.field_by_key else Part.DEPENDENT
        origin: Layer = self.computed if source in self.renewed else self.layer
        owners = self.entities if source in self.of_entities else ("",)
        found = ((one, origin.get(Component(part, one, source))) for one in owners)
        return {one: None if isinstance(new, tuple | Priority) else new for one, new in found}

    def _is_inside(self, clauses: Iterable[Clause], entity: str) -> bool:
        return all(
            holds(self._read(one.field, entity), one.comparison, one.value) for one in clauses
        )

    def _numbers(self, source: str, entities: Iterable[str]) -> list[Decimal]:
        values = (self._read(source, entity) for entity in entities)
        return [
            exact(one)
            for one in values
            if isinstance(one, int | float) and not isinstance(one, bool) and is_number(one)
        ]

    def _groups(self, one: Dependency, inside: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        if not one.by:
            yield "", list(inside)
            return
        groups: dict[str, list[str]] = {}
        for entity in inside:
            group = self._read(one.by, entity)
            if group is not None:
                groups.setdefault(str(group), []).append(entity)
        yield from groups.items()

    def _aggregate(self, one: Dependency, entities: list[str]) -> Scalar:
        if one.kind is DependencyKind.COUNT:
            if not one.of:
                return len(entities)
            return sum(self._read(one.of[0], entity) is not None for entity in entities)
        numbers = self._numbers(one.of[0], entities)
        if one.kind is DependencyKind.SUM or one.kind is DependencyKind.MEAN:
            total = Decimal(0)
            for number in numbers:
                total = add(total, number)
            if one.kind is DependencyKind.SUM:
                return rounded(total, one.decimals)
            mean = divide(total, Decimal(len(numbers)))
            return None if mean is None else rounded(mean, one.decimals)
        if not numbers:
            return None
        best = min(numbers) if one.kind is DependencyKind.MINIMUM else max(numbers)
        return rounded(best, one.decimals)

    def _ranks(self, one: Dependency, inside: Iterable[str]) -> Mapping[str, int]:
        found = ((entity, self._numbers(one.of[0], [entity])) for entity in inside)
        known = {entity: numbers[0] for entity, numbers in found if numbers}
        ordered = sorted(known.values(), reverse=one.descending)
        place = {number: at for at, number in reversed(list(enumerate(ordered, 1)))}
        return {entity: place[number] for entity, number in known.items()}

    def _quantity(self, one: Dependency, entity: str) -> Scalar:
        match one.kind:
            case DependencyKind.STATUS:
                clauses = self.layer.get(rule(one.rule))
                assert isinstance(clauses, tuple)
                met = self._is_inside(
                    [clause for clause in clauses if isinstance(clause, Clause)], entity
                )
                return one.outcomes[0 if met else 1]
            case DependencyKind.THRESHOLD:
                found = self._read(one.of[0], entity)
                limit = self.layer.get(rule(one.rule))
                if found is None or isinstance(limit, tuple | Priority):
                    return None
                return one.outcomes[0 if holds(found, one.comparison, limit) else 1]
        numbers = [number for source in one.of for number in self._numbers(source, [entity])]
        if len(numbers) < 2:
            return None
        if one.kind is DependencyKind.DIFFERENCE:
            return rounded(subtract(*numbers), one.decimals)
        ratio = divide(*numbers)
        return None if ratio is None else rounded(ratio, one.decimals)

    def _ordering(self, one: Dependency, inside: list[str]) -> tuple[str, ...]:
        priority = self.layer.get(rule(one.rule))
        assert isinstance(priority, Priority)
        values = {entity: self._read(priority.field, entity) for entity in inside}
        known = [entity for entity in inside if values[entity] is not None]
        known.sort(key=lambda entity: _sort_key(values[entity]), reverse=priority.descending)
        # Sorting in reverse keeps equal ones in their order; blank ones are always last.
        return (*known, *(entity for entity in inside if values[entity] is None))


def _sort_key(content: Scalar) -> tuple[Decimal, str]:
    if isinstance(content, int | float):
        return Decimal(content), ""
    return Decimal(0), str(content)
