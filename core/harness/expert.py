"""The expert proposer: seeded proposals from what a pack declares."""

from collections.abc import Callable, Mapping, Sequence

from mnemoscope.core.harness.beginning import drawn_row, foreign_layer, spare_names
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.expert_blocks import proposed_blocks
from mnemoscope.core.harness.expert_order import proposed_order
from mnemoscope.core.harness.expert_values import revised_value, row_of, seen_together
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.task import Task, UnproposedError
from mnemoscope.core.state.authority import is_governed
from mnemoscope.core.state.component import Component, cell, cue, member, members, rule
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.mutation import (
    CellValue,
    CueValue,
    Mutation,
    NewEntity,
    RuleContent,
)
from mnemoscope.core.state.operators import OPERATORS, Operator, Origin
from mnemoscope.core.state.targets import CUES
from mnemoscope.core.state.values import Scalar, exact, rounded, subtract

__all__ = ["Expert"]

_LEAST_LEFT, _USUALLY_LEFT = 6, 11
"""How many entities a removal leaves in place, so that artifacts stay dense."""
_CELL_WEIGHTS = (3, 4, 5, 4, 3, 2, 1, 1)
_FEW_WEIGHTS = (6, 4, 2, 1, 1)
_HOT = 4
"""How much likelier a cell is for each time it was changed before: histories need several."""
_TRIES = 8
"""How often other cells are chosen when none of them has another value to take."""
_DELTA_SHARE = 0.35
"""How often a text gives a number as a difference to the one before."""
REASONS = (
    "after the second check",
    "following the internal audit",
    "after comparing with the source records",
    "as agreed in the weekly call",
    "after the reviewer's comment",
    "since the paperwork came in",
    "after the site visit",
    "as the quality check found",
    "following the sign-off",
    "since the original entry was provisional",
    "after the duplicate check",
    "as the responsible team asked",
)
"""What updates have in common; about nothing that a pack would have to declare."""


class Expert:
    """Proposes what an expert of the trade might; the same for the same seed."""

    def __init__(self, pack: Pack, seed: int) -> None:
        self.chance = Chance(pack.name, "expert", seed)
        self._ways: Mapping[str, Callable[[Task], Mutation]] = {
            "": lambda task: Mutation(),
            "cells": self._cells,
            "blocks": lambda task: proposed_blocks(task, self.chance),
            "added": self._added,
            "removed": self._removed,
            "order": lambda task: proposed_order(task, self.chance),
            "cues": self._cues,
            "rules": self._rules,
            "content": self._content,
        }

    def propose(self, task: Task) -> Mutation:
        """A mutation for a task.

        Raises:
            UnproposedError: Nothing in the state can be changed by its operator.
        """
        return self._ways[OPERATORS[task.operator].holds](task)

    def _cells(self, task: Task) -> Mutation:
        match task.operator:
            case Operator.VISUAL_ENTITY_RENAME | Operator.TEXT_ENTITY_RENAME:
                return self._renames(task)
            case Operator.VISUAL_STATUS_EDIT:
                return self._markers(task)
            case Operator.TEXT_STATUS_CHANGE if self.chance.share() < 0.6:
                return self._markers(task)
        spec = OPERATORS[task.operator]
        fields = seen_together(task, self.chance, spec.roles)
        where = [cell(entity, one.key) for entity in members(task.base) for one in fields]
        weights = _CELL_WEIGHTS if spec.most == len(_CELL_WEIGHTS) else _FEW_WEIGHTS
        for _ in range(_TRIES):
            cells = self._values(task, self._chosen(task, where, weights[: spec.most]))
            if cells:
                return Mutation(cells)
        raise UnproposedError("no cell has another value to take")

    def _chosen(
        self, task: Task, where: Sequence[Component], weights: Sequence[int]
    ) -> list[Component]:
        """Some components, mostly such as were changed before."""
        free = [one for one in where if one not in task.taboo]
        declared = OPERATORS[task.operator].origin is Origin.DECLARED
        if declared:
            free = [one for one in free if member(one.entity) in task.state.accepted]
        heat = [1 + _HOT * min(len(task.past.get(one, ())), 4) for one in free]
        if declared:
            governed = (is_governed(task.state.authority, one) for one in free)
            heat = [
                one * (6 if by_text else 1) for one, by_text in zip(heat, governed, strict=True)
            ]
        count = self.chance.weighted(range(1, len(weights) + 1), weights)
        found: list[Component] = []
        while free and len(found) < count:
            one = self.chance.weighted(range(len(free)), heat)
            found.append(free.pop(one))
            heat.pop(one)
        return found

    def _values(self, task: Task, where: Sequence[Component]) -> tuple[CellValue, ...]:
        found = []
        for one in where:
            field = task.pack.state_schema.field_by_key[one.field]
            row = row_of(task.pack, task.base, one.entity)
            now = [layer.get(one) for layer in (task.state.visual, task.state.accepted)]
            unlike = [*now, *(() if field.choices else task.past.get(one, ()))]
            new = revised_value(task.pack, self.chance, field, row, unlike)
            if new is not None:
                found.append(self._said(task, field, one, new))
        return tuple(found)

    def _said(self, task: Task, field: Field, where: Component, new: Scalar) -> CellValue:
        """A new value, or for some numbers in texts the difference."""
        old = task.base.get(where)
        numbers = field.kind is FieldKind.NUMBER and isinstance(old, int | float)
        by_text = task.operator is Operator.TEXT_CELL_EDIT
        if not (numbers and by_text and self.chance.share() < _DELTA_SHARE):
            return CellValue(where.entity, where.field, new)
        assert isinstance(old, int | float)
        assert isinstance(new, int | float)
        delta = rounded(subtract(exact(new), exact(old)), field.decimals)
        return CellValue(where.entity, where.field, delta=delta)

    def _markers(self, task: Task) -> Mutation:
        """One new marker for one to five entities, for one reason."""
        roles = OPERATORS[task.operator].roles
        field = self.chance.pick(seen_together(task, self.chance, roles))
        options: Sequence[Scalar] = field.choices or (True, False)
        new = self.chance.pick(options)
        where = [cell(entity, field.key) for entity in members(task.base)]
        changing = [one for one in where if task.base.get(one) not in (new, None)]
        chosen = self._chosen(task, changing, _FEW_WEIGHTS)
        if not chosen:
            raise UnproposedError(f"every {field.key} is {new} already, or must stay")
        cells = tuple(CellValue(one.entity, one.field, new) for one in chosen)
        return Mutation(cells, reason=self.chance.pick(REASONS))

    def _renames(self, task: Task) -> Mutation:
        (key,) = task.pack.state_schema.of_role(FieldRole.NAME)
        where = [cell(entity, key) for entity in members(task.base)]
        found, taken = [], set(task.names)
        for one in self._chosen(task, where, _FEW_WEIGHTS[:3]):
            old = str(task.base[one])
            # From the first name, lest a second rename makes “New Tarn Filters Group One” of it.
            known = [name for name in task.pack.names if name in old]
            first = max(known, key=len, default=old)
            forms = [form.format(name=first) for form in task.pack.renames]
            new = [form for form in forms if form not in taken]
            if new:
                found.append(CellValue(one.entity, key, self.chance.pick(new)))
                taken.add(str(found[-1].value))
        if not found:
            raise UnproposedError("no name has a form left that nothing has had")
        return Mutation(tuple(found))

    def _added(self, task: Task) -> Mutation:
        spare = spare_names(task.pack, task.names)
        count = self.chance.weighted(range(1, 6), _FEW_WEIGHTS)
        names = self.chance.sample(spare, count)
        if not names:
            raise UnproposedError("no name of the vocabulary is left")
        added = []
        for at, name in enumerate(names, task.next_key):
            row = drawn_row(task.pack, self.chance, name)
            if task.operator is Operator.TEXT_ENTITY_ADD:
                row = self._told(task, row)
            added.append(NewEntity(f"{task.pack.entity}_{at:02}", row))
        return Mutation(added=tuple(added))

    def _told(self, task: Task, row: dict[str, Scalar]) -> dict[str, Scalar]:
        """What a text says of a new entity: what is required, and some of the rest."""
        fields = task.pack.state_schema.fields
        more = [one.key for one in fields if not one.required]
        chosen = set(self.chance.sample(more, self.chance.whole(3, 5)))
        return {
            one.key: row[one.key]
            for one in fields
            if one.required or (one.key in chosen and row[one.key] is not None)
        }

    def _removed(self, task: Task) -> Mutation:
        kept = {one.entity for one in task.taboo}
        other = task.state.visual if task.base is task.state.accepted else task.state.accepted
        free = [one for one in members(task.base) if one not in kept]
        both = [one for one in free if member(one) in other]
        least = min(len(members(task.base)), len(members(other)))
        if not both or least <= _LEAST_LEFT:
            raise UnproposedError("too few entities are left to remove one")
        room = min(max(least - _USUALLY_LEFT, 1), 5)
        count = min(self.chance.weighted(range(1, 4), _FEW_WEIGHTS[:3]), room)
        if room >= 2 and self.chance.share() < 0.25:
            return self._removed_block(task, both, room)
        chosen = tuple(self.chance.sample(both, count))
        return Mutation(removed=chosen, reason=self.chance.pick(REASONS))

    def _removed_block(self, task: Task, free: Sequence[str], room: int) -> Mutation:
        """Entities of one group."""
        key = self.chance.pick(task.pack.state_schema.of_role(FieldRole.GROUP))
        group = str(task.base.get(cell(self.chance.pick(free), key)))
        inside = [one for one in free if task.base.get(cell(one, key)) == group]
        chosen = tuple(self.chance.sample(inside, min(self.chance.whole(2, 4), room)))
        return Mutation(removed=chosen, block=group, reason=self.chance.pick(REASONS))

    def _cues(self, task: Task) -> Mutation:
        fields = seen_together(task, self.chance, (FieldRole.VALUE,))
        where = [cue(entity, one.key) for entity in members(task.base) for one in fields]
        found = []
        for one in self._chosen(task, where, _FEW_WEIGHTS):
            now = task.base.get(one)
            new = self.chance.pick([each for each in CUES if each != now])
            found.append(CueValue(one.entity, one.field, "" if now else new))
        return Mutation(cues=tuple(found))

    def _rules(self, task: Task) -> Mutation:
        free = [one for one in task.pack.rules if rule(one.key) not in task.taboo]
        count = min(self.chance.weighted((1, 2), (4, 1)), len(free))
        found = []
        for one in self.chance.sample(free, count):
            now = task.base.get(rule(one.key))
            found.append(
                RuleContent(one.key, self.chance.pick([new for new in one.contents if new != now]))
            )
        if not found:
            raise UnproposedError("every rule must stay as it is")
        return Mutation(rules=tuple(found))

    def _content(self, task: Task) -> Mutation:
        others = task.pack.contexts[1:]
        new = [one for one in others if one not in task.state.scopes]
        context = self.chance.pick(new or others)
        return Mutation(
            context=context, content=foreign_layer(task.pack, self.chance, task.state.visual)
        )
