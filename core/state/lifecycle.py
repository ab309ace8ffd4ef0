"""Lifecycles: a recorded update withdrawn, and reinstated, by its before- and after-image."""

from collections.abc import Mapping
from dataclasses import replace

from mnemoscope.core.defects import Described
from mnemoscope.core.state.component import ABSENT, Component, Layer, Maybe, members
from mnemoscope.core.state.condition import Condition, TransitionError, require
from mnemoscope.core.state.effect import Effect
from mnemoscope.core.state.operators import OPERATORS, Event
from mnemoscope.core.state.state import Image, State, Update, UpdateStatus
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import same_scalar

__all__ = ["image_of", "later_effect", "recorded", "require_wrapped"]

_FROM: Mapping[Event, UpdateStatus] = {
    Event.DISREGARD: UpdateStatus.IN_FORCE,
    Event.REINSTATE: UpdateStatus.WITHDRAWN,
}


def require_wrapped(transition: Transition) -> None:
    """Check that a transition wraps what its operator may wrap, in an event that it has.

    Raises:
        TransitionError: It does not.
    """
    spec = OPERATORS[transition.operator]
    event = transition.event
    wanted = " or ".join(spec.wraps) or "nothing"
    fits = transition.wraps in spec.wraps if spec.wraps else transition.wraps is None
    found = transition.wraps or "nothing"
    require(fits, Condition.LIFECYCLE, "wraps", found, wanted)
    events = " or ".join(spec.events)
    require(event in spec.events, Condition.LIFECYCLE, "event", event, events)
    later = event is not Event.APPLY
    expected = "the update that it is about" if later else "no other update"
    require(bool(transition.of) is later, Condition.LIFECYCLE, "of", transition.of, expected)


def image_of(state: State, scope: frozenset[Component]) -> Image:
    """What the components of a scope hold in a state."""
    ordered = sorted(scope)  # the order of a set differs from one process to the next
    return Image(
        {one: state.visual.get(one, ABSENT) for one in ordered},
        {one: state.accepted.get(one, ABSENT) for one in ordered},
        {one: state.authority.get(one) for one in ordered},
        (members(state.visual), members(state.accepted)),
    )


def recorded(
    transition: Transition, before: State, after: State, scope: frozenset[Component]
) -> State:
    """The state with an update recorded that a later text may withdraw."""
    assert transition.wraps is not None
    images = image_of(before, scope), image_of(after, scope)
    update = Update(transition.operator, transition.wraps, *images)
    return replace(after, updates={**after.updates, transition.id: update})


def later_effect(state: State, transition: Transition) -> tuple[Effect, Update]:
    """What withdrawing or reinstating a recorded update does, and the update's new status.

    The recorded contents are put back; nothing is computed from an inverse or applied again.

    Raises:
        TransitionError: The update is not in the status for it, or something else has changed what
            it touched since.
    """
    update = state.updates.get(transition.of)
    if update is None:
        raise TransitionError(Condition.LIFECYCLE, "of", transition.of, "a recorded update")
    same = update.operator is transition.operator and update.wraps is transition.wraps
    expected = f"{update.operator} of {update.wraps}"
    found = f"{transition.operator} of {transition.wraps}"
    require(same, Condition.LIFECYCLE, transition.of, found, expected)
    wanted = _FROM[transition.event]
    fits = update.status is wanted
    require(fits, Condition.LIFECYCLE, transition.of, update.status, f"an update {wanted}")
    withdraw = transition.event is Event.DISREGARD
    now, then = (update.after, update.before) if withdraw else (update.before, update.after)
    _require_untouched(state, now)
    effect = Effect(
        frozenset(then.accepted),
        _different(state.visual, then.visual),
        _different(state.accepted, then.accepted),
        then.authority,
        then.orders,
    )
    status = UpdateStatus.WITHDRAWN if withdraw else UpdateStatus.REINSTATED
    return effect, replace(update, status=status)


def _different(layer: Layer, image: Mapping[Component, Maybe]) -> dict[Component, Maybe]:
    return {one: new for one, new in image.items() if not same_scalar(layer.get(one, ABSENT), new)}


def _require_untouched(state: State, image: Image) -> None:
    for name, layer, wanted in (
        ("accepted", state.accepted, image.accepted),
        ("visual", state.visual, image.visual),
    ):
        for where, content in wanted.items():
            found = layer.get(where, ABSENT)
            met = same_scalar(found, content)
            expected = f"{content!r}, as the update left it"
            require(met, Condition.OVERLAP, f"{name} {where}", found, expected)
    for where, given in image.authority.items():
        same = state.authority.get(where) == given
        place = f"authority of {where}"
        require(
            same, Condition.OVERLAP, place, Described("another"), "the one that the update left"
        )
