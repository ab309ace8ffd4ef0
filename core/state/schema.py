"""The schema of a scenario: fields, orderings, rules and dependencies, and what is wrong in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import ENTITIES
from mnemoscope.core.state.dependency import (
    AGGREGATES,
    SOURCES,
    Dependency,
    DependencyKind,
)
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.rule import Clause, Priority, Rule, RuleKind
from mnemoscope.core.state.values import is_number

__all__ = ["Axis", "Ordering", "Schema"]

_MOST_DECIMALS = 20


class Axis(StrEnum):
    """What an ordering orders."""

    ENTITIES = "entities"
    FIELDS = "fields"
    GROUPS = "groups"


@value
class Ordering:
    """An ordering that is stored, not computed."""

    key: str
    axis: Axis
    field: str = ""
    """Of groups: the field whose choices they are."""


@dataclass(frozen=True)
class Schema:
    """What a scenario's state consists of."""

    fields: tuple[Field, ...]
    rules: tuple[Rule, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    orderings: tuple[Ordering, ...] = ()
    """Besides that of the entities, which every scenario has."""

    @cached_property
    def field_by_key(self) -> Mapping[str, Field]:
        """Fields by key."""
        return {one.key: one for one in self.fields}

    @cached_property
    def rule_by_key(self) -> Mapping[str, Rule]:
        """Rules by key."""
        return {one.key: one for one in self.rules}

    @cached_property
    def dependency_by_key(self) -> Mapping[str, Dependency]:
        """Dependencies by key."""
        return {one.key: one for one in self.dependencies}

    @cached_property
    def ordering_by_key(self) -> Mapping[str, Ordering]:
        """Orderings by key, that of the entities included."""
        return {one.key: one for one in (Ordering(ENTITIES, Axis.ENTITIES), *self.orderings)}

    @cached_property
    def name_field(self) -> Field | None:
        """The field that holds displayed names."""
        return next((one for one in self.fields if one.role is FieldRole.NAME), None)

    def of_role(self, *roles: FieldRole) -> tuple[str, ...]:
        """The keys of the fields with one of these roles."""
        return tuple(one.key for one in self.fields if one.role in roles)

    @cached_property
    def headings(self) -> Mapping[str, str]:
        """The headings of fields and dependencies by key; rules and orders speak of them."""
        keys = (*(one.key for one in self.fields), *(one.key for one in self.dependencies))
        return {key: self.heading(key) for key in keys}

    def heading(self, key: str) -> str:
        """The name for people of a field, dependency or rule."""
        found = (
            self.field_by_key.get(key)
            or self.dependency_by_key.get(key)
            or self.rule_by_key.get(key)
        )
        return (found.name if found else "") or key

    def unit(self, key: str) -> str:
        """The unit of a field, dependency or rule."""
        found = (
            self.field_by_key.get(key)
            or self.dependency_by_key.get(key)
            or self.rule_by_key.get(key)
        )
        return found.unit if found else ""

    def is_of_entities(self, key: str) -> bool:
        """Whether a field or dependency has a value for each entity."""
        return self._of_entities.get(key, False)

    @cached_property
    def _of_entities(self) -> Mapping[str, bool]:
        found = dict.fromkeys(self.field_by_key, True)
        for one in self.dependencies:
            match one.kind:
                case DependencyKind.RANK | DependencyKind.STATUS:
                    found[one.key] = True
                case DependencyKind.DIFFERENCE | DependencyKind.RATIO | DependencyKind.THRESHOLD:
                    found[one.key] = any(found.get(source, False) for source in one.of)
                case _:
                    found[one.key] = False
        return found

    def rule_problem(self, key: str, content: object) -> str:
        """What a rule should hold instead of a content; empty when it fits."""
        match self.rule_by_key[key].kind:
            case RuleKind.THRESHOLD:
                unit = self.rule_by_key[key].unit
                return "" if is_number(content) else f"a number{unit and f' in {unit}'}"
            case RuleKind.PRIORITY:
                fits = isinstance(content, Priority) and self._readable(content.field, key)
                return "" if fits else "a priority by a field"
            case RuleKind.PREDICATE:
                fits = (
                    isinstance(content, tuple)
                    and bool(content)
                    and all(
                        isinstance(one, Clause) and self._readable(one.field, key)
                        for one in content
                    )
                )
                return "" if fits else "clauses on fields of entities"

    def _readable(self, source: str, rule: str) -> bool:
        """Whether a rule may read a source: all that depends on the rule comes later."""
        if source in self.field_by_key:
            return True
        keys = list(self.dependency_by_key)
        users = [at for at, one in enumerate(self.dependencies) if one.rule == rule]
        return (
            source in self.dependency_by_key
            and self.is_of_entities(source)
            and all(keys.index(source) < at for at in users)
        )

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """What is wrong in the schema: JSON path below it, what is found, what is expected."""
        yield from self._key_problems()
        yield from self._field_problems()
        for at, ordering in enumerate(self.orderings):
            of = self.field_by_key.get(ordering.field)
            if ordering.axis is Axis.GROUPS and (of is None or not of.choices):
                yield f".orderings[{at}].field", ordering.field, "a field of choices"
        for at, dependency in enumerate(self.dependencies):
            for place, found, expected in self._dependency_problems(at, dependency):
                yield f".dependencies[{at}].{place}", found, expected

    def _key_problems(self) -> Iterator[tuple[str, str, str]]:
        parts: Sequence[tuple[str, Sequence[Field | Rule | Dependency | Ordering]]] = (
            ("fields", self.fields),
            ("rules", self.rules),
            ("dependencies", self.dependencies),
            ("orderings", self.orderings),
        )
        counts = Counter(one.key for _, declared in parts for one in declared)
        counts[ENTITIES] += 1
        for name, declared in parts:
            for at, one in enumerate(declared):
                if counts[one.key] > 1 or not one.key:
                    yield f".{name}[{at}].key", one.key, "a key that nothing else has"

    def _field_problems(self) -> Iterator[tuple[str, str, str]]:
        names = [at for at, one in enumerate(self.fields) if one.role is FieldRole.NAME]
        for at in names[1:]:
            yield f".fields[{at}].role", FieldRole.NAME, "one field of names"
        for at, field in enumerate(self.fields):
            if field.kind is FieldKind.CHOICE and not field.choices:
                yield f".fields[{at}].choices", "none", "the values to choose from"
        rounded: Sequence[tuple[str, Sequence[Field | Dependency]]] = (
            ("fields", self.fields),
            ("dependencies", self.dependencies),
        )
        for name, declared in rounded:
            for at, one in enumerate(declared):
                if one.decimals is not None and not 0 <= one.decimals <= _MOST_DECIMALS:
                    expected = f"0 to {_MOST_DECIMALS}"
                    yield f".{name}[{at}].decimals", str(one.decimals)[:_MOST_DECIMALS], expected

    def _dependency_problems(self, at: int, one: Dependency) -> Iterator[tuple[str, str, str]]:
        earlier = {before.key for before in self.dependencies[:at]}
        least, most = SOURCES.get(one.kind, (1, 1))
        if not least <= len(one.of) <= most:
            yield "of", str(len(one.of)), f"{least} sources" if least == most else "0 or 1 sources"
            return
        for nth, source in enumerate(one.of):
            if source not in self.field_by_key and source not in earlier:
                yield f"of[{nth}]", source, "a field, or a dependency declared before"
                return
        for nth, clause in enumerate(one.where):
            if clause.field not in self.field_by_key and clause.field not in earlier:
                yield f"where[{nth}].field", clause.field, "a field, or a dependency before"
        if one.by and one.by not in self.field_by_key:
            yield "by", one.by, "a field"
        yield from self._kind_problems(one)

    def _kind_problems(self, one: Dependency) -> Iterator[tuple[str, str, str]]:
        kinds = {
            DependencyKind.THRESHOLD: RuleKind.THRESHOLD,
            DependencyKind.STATUS: RuleKind.PREDICATE,
            DependencyKind.ORDERING: RuleKind.PRIORITY,
        }
        wanted = kinds.get(one.kind)
        declared = self.rule_by_key.get(one.rule)
        if wanted is not None and (declared is None or declared.kind is not wanted):
            yield "rule", one.rule, f"a rule that is a {wanted}"
        for nth, source in enumerate(one.of):
            if one.kind in AGGREGATES | {DependencyKind.RANK} and not self.is_of_entities(source):
                yield f"of[{nth}]", source, "a source with a value for each entity"
            of = self.dependency_by_key.get(source)
            if of is not None and (of.by or of.kind is DependencyKind.ORDERING):
                yield f"of[{nth}]", source, "a source with one value, not one per group"
        yield from self._unit_problems(one)

    def _unit_problems(self, one: Dependency) -> Iterator[tuple[str, str, str]]:
        units = [self.unit(source) for source in one.of]
        if one.kind is DependencyKind.DIFFERENCE and units[0] != units[1]:
            yield "of[1]", f"a source in {units[1] or 'no unit'}", f"one in {units[0] or 'none'}"
        same = AGGREGATES - {DependencyKind.COUNT} | {DependencyKind.DIFFERENCE}
        if one.kind in same and one.unit != units[0]:
            yield "unit", one.unit, f"{units[0]!r}, the unit of its source"
        known = one.rule in self.rule_by_key
        if one.kind is DependencyKind.THRESHOLD and known and self.unit(one.rule) != units[0]:
            yield "rule", f"a threshold in {self.unit(one.rule)!r}", f"one in {units[0]!r}"
