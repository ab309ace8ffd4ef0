"""Carrying out transitions: preconditions, effect, dependents, frame condition."""

from dataclasses import replace

from mnemoscope.core.defects import Described
from mnemoscope.core.state.component import Component, Part, changed
from mnemoscope.core.state.computation import dependents
from mnemoscope.core.state.condition import Condition, TransitionError, require
from mnemoscope.core.state.content import content_problems
from mnemoscope.core.state.effect import Effect, effect_of
from mnemoscope.core.state.frame import differences, reassigned, require_frame
from mnemoscope.core.state.lifecycle import later_effect, recorded, require_wrapped
from mnemoscope.core.state.mutation import Composed, Mutation
from mnemoscope.core.state.operators import COMPOSED, Event, Operator, Origin
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.settling import settled
from mnemoscope.core.state.state import State, Upload
from mnemoscope.core.state.transition import Step, Transition

__all__ = ["execute"]


def execute(schema: Schema, state: State, transition: Transition) -> Step:
    """Carry out a transition: the partial map ``T`` of the paper.

    Args:
        schema: What the state consists of.
        state: The parent state; it stays as it is.
        transition: The transition.

    Returns:
        The step, with the resulting state and the whole difference.

    Raises:
        TransitionError: The transition is not defined on the state; the error names the condition.
    """
    parent = transition.parent
    require(parent == state.last, Condition.PARENT, "parent", parent, f"{state.last!r}")
    require_wrapped(transition)
    _require_upload(transition)
    parts: tuple[Step, ...] = ()
    if transition.operator is Operator.COMPOSITE:
        parts = _parts(schema, state, transition)
        scope = frozenset().union(*(one.scope for one in parts))
        after = parts[-1].after
    elif transition.event is Event.APPLY:
        effect, after = _applied(schema, state, transition)
        scope = effect.scope
        if transition.wraps is not None:
            after = recorded(transition, state, after, scope)
    else:
        filled = ", ".join(transition.mutation.filled())
        require(not filled, Condition.SHAPE, transition.event, filled, "no mutation of its own")
        effect, update = later_effect(state, transition)
        scope = effect.scope
        after = settled(schema, state, effect)
        after = replace(after, updates={**after.updates, transition.of: update})
    after = replace(_shown(state, after, transition), last=transition.id)
    return _step(schema, transition, state, after, scope, parts)


def _step(
    schema: Schema,
    transition: Transition,
    before: State,
    after: State,
    scope: frozenset[Component],
    parts: tuple[Step, ...] = (),
) -> Step:
    """The step between two states, its frame checked."""
    changes = differences(before, after, scope)
    assignments = reassigned(before, after)
    require_frame(schema, after, scope, changes, assignments)
    return Step(transition, before, after, scope, changes, assignments, parts)


def _applied(schema: Schema, state: State, transition: Transition) -> tuple[Effect, State]:
    operator, mutation = transition.atomic, transition.mutation
    if operator is Operator.WRONG_CONTEXT_ARTIFACT:
        effect = _foreign(schema, state, mutation)
    else:
        given = transition.round, transition.id
        effect = effect_of(schema, state, operator, mutation, given)
    if operator is Operator.VISUAL_NOOP_REVISION:
        different = next(iter(changed(state.shown, state.visual)), None)
        found = Described(f"{different} shown otherwise")
        expected = "an artifact before that shows the visual state"
        require(different is None, Condition.ARTIFACT, "artifact", found, expected)
    return effect, settled(schema, state, effect)


def _foreign(schema: Schema, state: State, mutation: Mutation) -> Effect:
    """An artifact of another context goes into that scope and nowhere else."""
    content, context = mutation.content, mutation.context
    if content is None or set(mutation.filled()) != {"content"}:
        found = Described(", ".join(mutation.filled()) or "nothing")
        raise TransitionError(Condition.SHAPE, "mutation", found, "content")
    other = bool(context) and context != state.context
    expected = f"another context than {state.context!r}"
    require(other, Condition.CONTEXT, "context", context, expected)
    for problem in content_problems(schema, content):
        raise TransitionError(Condition.VALUE_FITS, *problem)
    primary = {one: new for one, new in content.items() if one.part is not Part.DEPENDENT}
    return Effect(scopes={context: {**primary, **dependents(schema, primary)}})


def _require_upload(transition: Transition) -> None:
    if transition.is_upload:
        comes = bool(transition.artifact)
        require(
            comes,
            Condition.UPLOAD,
            "artifact",
            Described("none"),
            "the artifact that comes with it",
        )
    else:
        none = not transition.artifact
        require(none, Condition.UPLOAD, "artifact", transition.artifact, "no artifact")


def _shown(before: State, after: State, transition: Transition) -> State:
    """What the last upload of the context displays; other uploads change nothing of it."""
    if not transition.is_upload_here:
        return replace(after, shown=before.shown, upload=before.upload)
    upload = Upload(transition.round, transition.artifact, transition.id)
    return replace(after, shown=after.visual, upload=upload)


def _parts(schema: Schema, state: State, transition: Transition) -> tuple[Step, ...]:
    """The atomic updates of a composite, each validated on the running state."""
    filled = Described(", ".join(transition.mutation.filled()) or "nothing")
    require(filled == "parts", Condition.SHAPE, transition.operator, filled, "parts")
    composed = transition.mutation.parts
    _require_composition(composed)
    steps: list[Step] = []
    protected: set[Component] = set()
    for number, one in enumerate(composed, 1):
        part = Transition(transition.id, one.operator, transition.round, one.mutation)
        effect, after = _applied(schema, state, part)
        for where in sorted(effect.scope):
            free = where not in protected
            place = f"part {number}: {where}"
            require(
                free, Condition.PROTECTED, place, Described("a second change"), "one in a composite"
            )
        protected |= effect.scope
        steps.append(_step(schema, part, state, after, effect.scope))
        state = after
    return tuple(steps)


def _require_composition(parts: tuple[Composed, ...]) -> None:
    known = {one for operators, _, _ in COMPOSED.values() for one in operators}
    for number, one in enumerate(parts, 1):
        allowed = one.operator in known
        expected = "an operator that a composite may hold"
        require(allowed, Condition.COMPOSITION, f"part {number}", one.operator, expected)
    for origin, (operators, least, most) in COMPOSED.items():
        count = sum(one.operator in operators for one in parts)
        name = "text" if origin is Origin.TEXT else "visual"
        expected = f"{least} to {most}"
        require(least <= count <= most, Condition.COMPOSITION, f"{name} parts", count, expected)
