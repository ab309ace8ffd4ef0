"""Effects: what an atomic update does to W, G and A before dependents are recomputed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mnemoscope.core.state.authority import (
    Authority,
    AuthorityKind,
    followed,
    is_governed,
    merged_order,
)
from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Layer,
    Maybe,
    Part,
    member,
)
from mnemoscope.core.state.condition import Condition, require
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Operator, Origin
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.targets import Targets, targets_of
from mnemoscope.core.state.values import same_scalar

__all__ = ["Effect", "effect_of"]

Orders = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Effect:
    """Direct changes of the three sheets, and the scope that they stay within."""

    scope: frozenset[Component] = frozenset()
    visual: Mapping[Component, Maybe] = field(default_factory=dict)
    accepted: Mapping[Component, Maybe] = field(default_factory=dict)
    authority: Mapping[Component, Authority | None] = field(default_factory=dict)
    orders: Orders = ((), ())
    """Where members that come back stood, in W and in G."""
    scopes: Mapping[str, Layer] = field(default_factory=dict)
    """Artifacts of other contexts."""


def effect_of(
    schema: Schema, state: State, operator: Operator, mutation: Mutation, given: tuple[str, str]
) -> Effect:
    """The effect of an atomic operator on a state.

    Args:
        schema: What the state consists of.
        state: The state that it starts from.
        operator: No composite and no lifecycle.
        mutation: What it changes.
        given: The round and the transition that bring it, for its authority.

    Raises:
        TransitionError: A precondition fails.
    """
    origin = OPERATORS[operator].origin
    if origin is Origin.TEXT:
        targets = targets_of(schema, state.accepted, operator, mutation)
        return _by_text(targets, mutation, Authority(AuthorityKind.TEXT_BACKED, *given))
    targets = targets_of(schema, state.visual, operator, mutation)
    if origin is Origin.DECLARED:
        return _by_declaration(state, targets, Authority(AuthorityKind.VISUAL_DECLARED, *given))
    return _by_artifact(state, targets, Authority(AuthorityKind.VISUAL, *given))


def _by_text(targets: Targets, mutation: Mutation, given: Authority) -> Effect:
    """G takes the targets under text-backed authority; W stays."""
    blank = [
        Component(Part.CELL, one.key, where.field)
        for one in mutation.added
        for where in targets
        if where.part is Part.CELL and where.entity == one.key and where.field not in one.values
    ]
    # What a text leaves open about a new entity is not its say: an artifact may fill it in.
    authority = _given(targets, given) | dict.fromkeys(blank)
    return Effect(frozenset(targets), accepted=targets, authority=authority)


def _by_artifact(state: State, targets: Targets, given: Authority) -> Effect:
    """W takes the targets; G follows where no text-backed assignment governs."""
    accepted = followed(state.accepted, state.authority, targets.items())
    for where, new in targets.items():
        if where.part is Part.ORDER and not is_governed(state.authority, where):
            assert isinstance(new, tuple)
            shown = tuple(str(one) for one in new)
            accepted[where] = merged_order(state.accepted, where.field, shown)
    scope = frozenset([*targets, *accepted])
    return Effect(scope, targets, accepted, _given(accepted, given))


def _by_declaration(state: State, targets: Targets, given: Authority) -> Effect:
    """W and G take the targets, whatever governed them."""
    for where, new in targets.items():
        there = member(where.entity) in state.accepted
        require(there, Condition.TARGET_EXISTS, where, where.entity, "an accepted entity")
        for name, layer in (("visual", state.visual), ("accepted", state.accepted)):
            changes = not same_scalar(layer.get(where), new)
            expected = f"another value than the {name} one"
            require(changes, Condition.VALUE_CHANGES, where, new, expected)
    return Effect(frozenset(targets), targets, targets, _given(targets, given))


def _given(
    changes: Mapping[Component, Maybe], given: Authority
) -> dict[Component, Authority | None]:
    """The authority of changed components; that of a cell goes with its entity."""
    return {
        where: None if where.part is Part.CELL and new is ABSENT else given
        for where, new in changes.items()
        if where.part is not Part.CUE
    }
