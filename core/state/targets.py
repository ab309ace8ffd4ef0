"""From a mutation to its targets: the components that it changes directly, and their new contents.

Each function checks the preconditions on the layer that the operator starts from: the previous
visual state for artifacts, the previous accepted state for texts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mnemoscope.core.defects import Described
from mnemoscope.core.state.component import (
    ABSENT,
    Absent,
    Component,
    Content,
    Layer,
    Maybe,
    Part,
    cell,
    cue,
    member,
    members,
    order,
    rule,
    sequence,
)
from mnemoscope.core.state.condition import Condition, TransitionError, require
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.mutation import Block, Mutation, Transform
from mnemoscope.core.state.operators import OPERATORS, REMOVED_TOGETHER, Operator, Spec
from mnemoscope.core.state.rule import RuleKind
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import Scalar, add, exact, multiply, rounded, same_scalar

__all__ = ["CUES", "Targets", "targets_of"]

Targets = Mapping[Component, Maybe]
CUES = ("bold", "italic", "bold italic")
"""Whole-cell stylings; colour and layout are none."""


def targets_of(schema: Schema, base: Layer, operator: Operator, mutation: Mutation) -> Targets:
    """The targets of an operator that changes one layer.

    Args:
        schema: What the scenario's state consists of.
        base: The layer that the operator starts from.
        operator: No composite, lifecycle or wrong-context artifact.
        mutation: What it changes.

    Raises:
        TransitionError: A precondition fails on the layer.
    """
    spec = OPERATORS[operator]
    _require_shape(operator, spec, mutation)
    find = _Targets(schema, base, spec)
    match spec.holds:
        case "cells":
            found = find.of_cells(mutation)
        case "blocks":
            found = find.of_blocks(mutation.blocks)
        case "added":
            found = find.of_additions(mutation)
        case "removed":
            found = find.of_removals(mutation)
        case "order" if mutation.rules:
            found = find.of_rules(mutation, priorities=True)
        case "order":
            found = find.of_order(mutation)
        case "cues":
            found = find.of_cues(mutation)
        case "rules":
            found = find.of_rules(mutation)
        case _:
            found = {}
    return found


def _require_shape(operator: Operator, spec: Spec, mutation: Mutation) -> None:
    filled = mutation.filled()
    wanted = {spec.holds} if spec.holds else set()
    if operator is Operator.TEXT_REORDER and set(filled) == {"rules"}:
        wanted = {"rules"}
    found = Described(", ".join(filled) or "nothing")
    expected = ", ".join(wanted) or "nothing"
    require(set(filled) == wanted, Condition.SHAPE, operator, found, expected)


@dataclass(frozen=True, slots=True)
class _Targets:
    """Finds targets on one layer for one operator."""

    schema: Schema
    base: Layer
    spec: Spec

    def of_cells(self, mutation: Mutation) -> Targets:
        """New values or exact differences of sparse cells."""
        cells = mutation.cells
        self._require_budget("cells", len(cells))
        self._require_once(cell(one.entity, one.field) for one in cells)
        markers = FieldRole.ANNOTATION in self.spec.roles
        shared = not markers or len(cells) == 1 or bool(mutation.reason)
        require(shared, Condition.SHARED_REASON, "reason", mutation.reason, "a shared reason")
        found: dict[Component, Maybe] = {}
        for one in cells:
            where = cell(one.entity, one.field)
            field = self._field(one.entity, one.field)
            old = self._content(where)
            new = one.value
            if one.delta is not None:
                require(isinstance(new, Absent), Condition.SHAPE, where, new, "a value or a delta")
                require(
                    field.kind is FieldKind.NUMBER and old is not None,
                    *(Condition.VALUE_FITS, where, old, "a number to add the difference to"),
                )
                new = self._shifted(where, old, one.delta, field)
            if isinstance(new, Absent):
                raise TransitionError(
                    Condition.SHAPE, where, Described("neither"), "a value or a delta"
                )
            self._require_fit(where, field, new)
            require(not same_scalar(old, new), Condition.VALUE_CHANGES, where, new, "another value")
            found[where] = new
        return found

    def of_blocks(self, blocks: tuple[Block, ...]) -> Targets:
        """One to three transformed regions, or a global one, cell by cell."""
        self._require_budget("blocks", len(blocks))
        whole = any(one.is_whole for one in blocks)
        alone = not whole or len(blocks) == 1
        require(alone, Condition.BLOCK, "blocks", len(blocks), "a global one alone")
        found: dict[Component, Maybe] = {}
        for number, block in enumerate(blocks, 1):
            cells = self._cells_of(block)
            place = f"block {number}"
            require(len(cells) > 1, Condition.BLOCK, place, len(cells), "two cells or more")
            doubled = next((one for one, _ in cells if one in found), None)
            require(doubled is None, Condition.BLOCK, place, str(doubled), "cells of no other")
            changes = 0
            for where, field in cells:
                old = self._content(where)
                new = self._transformed(where, field, old, block)
                self._require_fit(where, field, new)
                changes += not same_scalar(old, new)
                found[where] = new
            require(
                changes > 0, Condition.VALUE_CHANGES, place, Described("no change"), "another value"
            )
        return found

    def _cells_of(self, block: Block) -> list[tuple[Component, Field]]:
        numeric = block.transform is not Transform.SET
        self._require_once(block.entities)
        self._require_once(block.fields)
        fields = block.fields or tuple(
            one.key
            for one in self.schema.fields
            if one.role in self.spec.roles and (not numeric or one.kind is FieldKind.NUMBER)
        )
        entities = block.entities or members(self.base)
        pairs = [(cell(one, key), self._field(one, key)) for one in entities for key in fields]
        if not numeric:
            return pairs
        for where, field in pairs:
            is_numeric = field.kind is FieldKind.NUMBER
            require(is_numeric, Condition.VALUE_FITS, where, field.kind, "a field of numbers")
        return [(where, field) for where, field in pairs if self._content(where) is not None]

    def _transformed(self, where: Component, field: Field, old: Scalar, block: Block) -> Scalar:
        if block.transform is Transform.SET:
            return block.amount
        amount = block.amount
        if isinstance(amount, str | bool | None):
            raise TransitionError(Condition.VALUE_FITS, "amount", amount, "a number")
        if block.transform is Transform.SHIFT:
            return self._shifted(where, old, amount, field)
        assert isinstance(old, int | float)
        return rounded(multiply(exact(old), exact(amount)), field.decimals)

    def _shifted(
        self, where: Component, old: Content, delta: int | float, field: Field
    ) -> int | float:
        assert isinstance(old, int | float)
        self._require_fit(where, _anywhere(field), delta)
        return rounded(add(exact(old), exact(delta)), field.decimals)

    def of_additions(self, mutation: Mutation) -> Targets:
        """Entities with their attributes; fields that are not given are blank."""
        self._require_budget("added", len(mutation.added))
        self._require_once(one.key for one in mutation.added)
        found: dict[Component, Maybe] = {}
        for one in mutation.added:
            where = member(one.key)
            require(bool(one.key), Condition.VALUE_FITS, where, one.key, "a key")
            require(
                where not in self.base,
                Condition.TARGET_ABSENT,
                where,
                Described("it"),
                "no such entity",
            )
            unknown = next((key for key in one.values if key not in self.schema.field_by_key), "")
            require(not unknown, Condition.TARGET_ROLE, cell(one.key, unknown), unknown, "a field")
            found[where] = True
            for field in self.schema.fields:
                content = one.values.get(field.key)
                self._require_fit(cell(one.key, field.key), field, content)
                found[cell(one.key, field.key)] = content
        return found

    def of_removals(self, mutation: Mutation) -> Targets:
        """Entities with all that they hold."""
        removed = mutation.removed
        shared = bool(mutation.reason or mutation.block)
        most = REMOVED_TOGETHER if shared else self.spec.most
        expected = f"at most {most}"
        if not shared:
            expected += f", or {REMOVED_TOGETHER} with a block or reason in common"
        require(len(removed) <= most, Condition.BUDGET, "removed", len(removed), expected)
        self._require_once(removed)
        groups = self.schema.of_role(FieldRole.GROUP)
        gone = set(removed)
        for one in removed:
            self._require_entity(one)
            if mutation.block:
                inside = any(self.base.get(cell(one, key)) == mutation.block for key in groups)
                require(inside, Condition.SHARED_REASON, one, one, f"one of {mutation.block!r}")
        owned = (Part.MEMBER, Part.CELL, Part.CUE)
        return {one: ABSENT for one in self.base if one.part in owned and one.entity in gone}

    def of_order(self, mutation: Mutation) -> Targets:
        """One ordering, of the same members."""
        where = order(mutation.order)
        known = mutation.order in self.schema.ordering_by_key and where in self.base
        require(known, Condition.TARGET_EXISTS, where, mutation.order, "an ordering")
        old = sequence(self.base, mutation.order)
        same = Counter(old) == Counter(mutation.sequence)
        found = " ".join(mutation.sequence)
        require(same, Condition.PERMUTATION, where, found, f"an order of {' '.join(old)}")
        changes = old != mutation.sequence
        require(
            changes, Condition.VALUE_CHANGES, where, Described("the same order"), "another order"
        )
        return {where: mutation.sequence}

    def of_cues(self, mutation: Mutation) -> Targets:
        """Whole-cell styling, applied or taken away."""
        self._require_budget("cues", len(mutation.cues))
        self._require_once(cue(one.entity, one.field) for one in mutation.cues)
        found: dict[Component, Maybe] = {}
        for one in mutation.cues:
            where = cue(one.entity, one.field)
            self._require_entity(one.entity)
            known = one.field in self.schema.field_by_key
            require(known, Condition.TARGET_EXISTS, where, one.field, "a field")
            fits = not one.cue or one.cue in CUES
            require(fits, Condition.VALUE_FITS, where, one.cue, "bold, italic, both or none")
            new = one.cue or ABSENT
            changes = self.base.get(where, ABSENT) != new
            require(changes, Condition.VALUE_CHANGES, where, one.cue, "another styling")
            found[where] = new
        return found

    def of_rules(self, mutation: Mutation, *, priorities: bool = False) -> Targets:
        """Rules with their new contents."""
        self._require_budget("rules", len(mutation.rules))
        self._require_once(rule(one.key) for one in mutation.rules)
        found: dict[Component, Maybe] = {}
        for one in mutation.rules:
            where = rule(one.key)
            require(where in self.base, Condition.TARGET_EXISTS, where, one.key, "a rule")
            kind = self.schema.rule_by_key[one.key].kind
            fits = not priorities or kind is RuleKind.PRIORITY
            require(fits, Condition.TARGET_ROLE, where, kind, "a priority")
            problem = self.schema.rule_problem(one.key, one.content)
            require(not problem, Condition.VALUE_FITS, where, one.content, problem)
            changes = self.base[where] != one.content
            require(
                changes, Condition.VALUE_CHANGES, where, Described("the same rule"), "another rule"
            )
            found[where] = one.content
        return found

    def _require_budget(self, name: str, count: int) -> None:
        most = self.spec.most
        require(1 <= count <= most, Condition.BUDGET, name, count, f"1 to {most}")

    def _require_once(self, keys: Iterable[object]) -> None:
        doubled = next((one for one, count in Counter(keys).items() if count > 1), None)
        require(doubled is None, Condition.TARGET_ONCE, doubled, Described("it twice"), "once")

    def _require_entity(self, entity: str) -> None:
        known = member(entity) in self.base
        require(known, Condition.TARGET_EXISTS, member(entity), entity, "an entity that is there")

    def _require_fit(self, where: Component, field: Field, content: Scalar) -> None:
        problem = field.problem(content)
        require(not problem, Condition.VALUE_FITS, where, content, problem)

    def _field(self, entity: str, key: str) -> Field:
        self._require_entity(entity)
        field = self.schema.field_by_key.get(key)
        if field is None:
            raise TransitionError(Condition.TARGET_EXISTS, cell(entity, key), key, "a field")
        roles = self.spec.roles
        expected = f"a field of {' or '.join(roles)}"
        require(field.role in roles, Condition.TARGET_ROLE, cell(entity, key), field.role, expected)
        return field

    def _content(self, where: Component) -> Scalar:
        found = self.base.get(where)
        assert found is None or isinstance(found, bool | int | float | str)
        return found


def _anywhere(field: Field) -> Field:
    """The field without its limits: what a difference has to fit."""
    return Field(field.key, field.kind, unit=field.unit, decimals=field.decimals)
