"""Coherent blocks that the expert proposer changes."""

from collections.abc import Sequence

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.expert_values import another_value, seen_together, shift_of
from mnemoscope.core.harness.task import Task, UnproposedError
from mnemoscope.core.state.component import cell, member, members
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.mutation import Block, Mutation, Transform
from mnemoscope.core.state.operators import OPERATORS, Origin
from mnemoscope.core.state.values import Number, Scalar, is_number

__all__ = ["proposed_blocks"]

_FACTORS: Sequence[Number] = (0.9, 0.95, 1.05, 1.1, 1.2)
_WHOLE, _SET, _SCALE = 0.15, 0.2, 0.35
"""How often a block is the global one, sets one value, and scales rather than shifts."""
_TRIES = 12


def proposed_blocks(task: Task, chance: Chance) -> Mutation:
    """One to three blocks, or a global one.

    Raises:
        UnproposedError: No region is free.
    """
    wanted = chance.weighted((1, 2, 3), (6, 3, 1))
    find = _Blocks(task, chance)
    if chance.share() < _WHOLE:
        block = find.block((), find.entities)
        if block is not None:
            return Mutation(blocks=(block,))
    blocks: list[Block] = []
    for _ in range(_TRIES):
        entities = find.region()
        block = find.block(entities, entities) if len(entities) > 1 else None
        if block is not None:
            blocks.append(block)
            find.used.update(block.fields)
        if len(blocks) == wanted:
            break
    if not blocks:
        raise UnproposedError("no region of the table is free")
    return Mutation(blocks=tuple(blocks))


class _Blocks:
    """Finds blocks for one task."""

    def __init__(self, task: Task, chance: Chance) -> None:
        self.task, self.chance, self.layer = task, chance, task.base
        self.entities = members(task.base)
        self.declared = OPERATORS[task.operator].origin is Origin.DECLARED
        roles = OPERATORS[task.operator].roles
        self.fields = seen_together(task, chance, roles)
        self.used: set[str] = set()
        """The fields of blocks before: two blocks never share a cell."""

    def region(self) -> tuple[str, ...]:
        """Entities that belong together: of one group, or neighbours."""
        known = self.entities
        if self.declared:
            known = tuple(one for one in known if member(one) in self.task.state.accepted)
        if self.chance.share() < 0.6:
            key = self.chance.pick(self.task.pack.state_schema.of_role(FieldRole.GROUP))
            group = self.layer.get(cell(self.chance.pick(known), key))
            return tuple(one for one in known if self.layer.get(cell(one, key)) == group)
        count = min(self.chance.whole(2, 5), len(known))
        first = self.chance.whole(0, len(known) - count)
        return known[first : first + count]

    def block(self, named: tuple[str, ...], entities: Sequence[str]) -> Block | None:
        """One transformation of some entities; None when a cell of it must stay."""
        fields = [one for one in self.fields if one.key not in self.used]
        numbers = [one for one in fields if one.kind is FieldKind.NUMBER]
        others = [one for one in fields if one.kind in (FieldKind.CHOICE, FieldKind.FLAG)]
        if others and self.chance.share() < _SET:
            field = self.chance.pick(others)
            made = self._set(field, named, entities)
            keys = [field.key]
        elif numbers:
            field = self.chance.pick(numbers)
            keys = self._keys(field, numbers)
            made = self._shifted(field, named, keys, entities)
        else:
            return None
        free = (cell(one, key) not in self.task.taboo for one in entities for key in keys)
        return made if all(free) else None

    def _keys(self, field: Field, numbers: Sequence[Field]) -> list[str]:
        """The field, and sometimes another of the same unit."""
        alike = [
            one
            for one in numbers
            if one is not field and (one.unit, one.decimals) == (field.unit, field.decimals)
        ]
        if field.unit and alike and self.chance.share() < 0.4:
            return [field.key, self.chance.pick(alike).key]
        return [field.key]

    def _shifted(
        self, field: Field, named: tuple[str, ...], keys: list[str], entities: Sequence[str]
    ) -> Block | None:
        # Blank cells would stay blank: nobody names them, nor says "all" of what has some.
        full = [e for e in entities if all(is_number(self.layer.get(cell(e, k))) for k in keys)]
        if len(full) < 2 or not (named or len(full) == len(entities)):
            return None
        named = tuple(full) if named else ()
        if not self.declared and self.chance.share() < _SCALE:
            return Block(Transform.SCALE, self.chance.pick(_FACTORS), named, tuple(keys))
        cells = [cell(one, field.key) for one in full]
        amount = shift_of(self.task.pack, self.chance, field, cells, self.layer)
        return None if amount is None else Block(Transform.SHIFT, amount, named, tuple(keys))

    def _set(self, field: Field, named: tuple[str, ...], entities: Sequence[str]) -> Block | None:
        layers = self.task.state.visual, self.task.state.accepted
        unlike = {layer.get(cell(one, field.key)) for one in entities for layer in layers}
        new: Scalar = another_value(self.task.pack, self.chance, field, {}, unlike)
        return None if new is None else Block(Transform.SET, new, named, (field.key,))
