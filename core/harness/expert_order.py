"""Reorderings that the expert proposer makes."""

from collections.abc import Sequence

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.task import Task, UnproposedError
from mnemoscope.core.state.component import ENTITIES, order, rule, sequence
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.mutation import Mutation, RuleContent
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.rule import RuleKind
from mnemoscope.core.state.schema import Axis

__all__ = ["proposed_order"]

_PRIORITY = 0.35
"""How often a text replaces a priority rule rather than an ordering."""


def proposed_order(task: Task, chance: Chance) -> Mutation:
    """Another order of entities, groups or columns; or, in a text, another priority.

    Raises:
        UnproposedError: Every ordering must stay.
    """
    schema = task.pack.state_schema
    by_text = task.operator is Operator.TEXT_REORDER
    if by_text and chance.share() < _PRIORITY:
        rules = [
            RuleContent(one.key, new)
            for one in task.pack.rules
            if one.kind is RuleKind.PRIORITY and rule(one.key) not in task.taboo
            for new in one.contents
            if new != task.base.get(rule(one.key))
        ]
        if rules:
            return Mutation(rules=(chance.pick(rules),))
    free = [
        key
        for key, one in schema.ordering_by_key.items()
        if order(key) not in task.taboo
        # Columns are a matter of the artifact: a text has no say in how it is laid out.
        and not (by_text and one.axis is Axis.FIELDS)
        and len(sequence(task.base, key)) > 1
    ]
    if not free:
        raise UnproposedError("every ordering must stay as it is")
    key = chance.weighted(free, [3 if one == ENTITIES else 1 for one in free])
    return Mutation(order=key, sequence=_moved(task, key, chance))


def _moved(task: Task, key: str, chance: Chance) -> tuple[str, ...]:
    """The order with one member, or of entities up to two, at other places."""
    now = list(sequence(task.base, key))
    movable: Sequence[str] = now
    if task.pack.state_schema.ordering_by_key[key].axis is Axis.FIELDS:
        movable = task.pack.state_schema.of_role(FieldRole.VALUE)
    for one in chance.sample(movable, chance.whole(1, 2) if len(now) > 4 else 1):
        at = now.index(one)
        now.pop(at)
        now.insert(chance.pick([place for place in range(len(now) + 1) if place != at]), one)
    return tuple(now)
