"""Settling an effect: direct changes made, orderings kept complete, dependents recomputed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from mnemoscope.core.state.authority import Assignments, Authority, settled_order
from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Layer,
    Maybe,
    Part,
    cell,
    member,
    members,
    order,
    with_contents,
)
from mnemoscope.core.state.computation import recomputed
from mnemoscope.core.state.condition import Condition, TransitionError
from mnemoscope.core.state.effect import Effect
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State

__all__ = ["settled"]


def settled(schema: Schema, state: State, effect: Effect) -> State:
    """The state after an effect: W's dependents recomputed from W, G's from G.

    Raises:
        TransitionError: Two entities of a layer would have the same name.
    """
    visual_order, accepted_order = effect.orders
    return replace(
        state,
        visual=_layer(schema, state.visual, effect.visual, visual_order),
        accepted=_layer(schema, state.accepted, effect.accepted, accepted_order),
        authority=_assigned(state.authority, effect.authority),
        scopes={**state.scopes, **effect.scopes} if effect.scopes else state.scopes,
    )


def _layer(
    schema: Schema, before: Layer, changes: Mapping[Component, Maybe], hint: tuple[str, ...]
) -> Layer:
    if not changes:
        return before
    after = with_contents(before, changes.items())
    memberships = {
        one.entity: new is not ABSENT for one, new in changes.items() if one.part is Part.MEMBER
    }
    if memberships:
        old = members(before)
        stay = [one for one in old if memberships.get(one, True)]
        come = [one for one, comes in memberships.items() if comes and one not in old]
        ordered = settled_order(old, [*stay, *come], hint)
        after = with_contents(after, [(order(), ordered)])
    _require_unique_names(schema, after, changes)
    return with_contents(after, recomputed(schema, after, changes).items())


def _require_unique_names(schema: Schema, layer: Layer, changes: Mapping[Component, Maybe]) -> None:
    names = schema.name_field
    if names is None:
        return
    renamed = [
        one
        for one, new in changes.items()
        if one.part is Part.CELL and one.field == names.key and new is not ABSENT
    ]
    if not renamed:
        return
    counts = Counter(layer.get(cell(entity, names.key)) for entity in members(layer))
    for one in renamed:
        if counts[layer.get(one)] > 1 and member(one.entity) in layer:
            name = layer.get(one)
            raise TransitionError(Condition.NAME_UNIQUE, one, name, "a name of no other entity")


def _assigned(authority: Assignments, changes: Mapping[Component, Authority | None]) -> Assignments:
    if not changes:
        return authority
    result = dict(authority)
    for where, given in changes.items():
        if given is None:
            result.pop(where, None)
        else:
            result[where] = given
    return result
