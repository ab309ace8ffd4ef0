"""The difference that a transition makes, and the frame condition that it has to meet."""

from collections.abc import Iterable, Iterator, Mapping

from mnemoscope.core.defects import Described
from mnemoscope.core.state.authority import Assignments
from mnemoscope.core.state.component import ABSENT, Component, Part, changed, order
from mnemoscope.core.state.computation import reached
from mnemoscope.core.state.condition import Condition, TransitionError
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.transition import Cause, Change, Sheet

__all__ = ["differences", "require_frame"]


def differences(before: State, after: State, scope: frozenset[Component]) -> tuple[Change, ...]:
    """Every component of every sheet that differs, direct and dependent changes apart.

    Args:
        before: The parent state.
        after: The resulting state.
        scope: The components that the transition modifies directly.
    """
    return tuple(_differences(before, after, scope))


def _differences(before: State, after: State, scope: frozenset[Component]) -> Iterator[Change]:
    for sheet, old, new in (
        (Sheet.ACCEPTED, before.accepted, after.accepted),
        (Sheet.VISUAL, before.visual, after.visual),
    ):
        for where, (was, now) in changed(old, new).items():
            cause = Cause.DIRECT if where in scope else Cause.DEPENDENT
            yield Change(sheet, where, was, now, cause)
    for where, (was, now) in changed(before.shown, after.shown).items():
        yield Change(Sheet.SHOWN, where, was, now, Cause.RECORD)
    if before.authority is not after.authority:
        yield from _reassigned(before.authority, after.authority)


def _reassigned(before: Assignments, after: Assignments) -> Iterator[Change]:
    for where in (*after, *(one for one in before if one not in after)):
        was, now = before.get(where, ABSENT), after.get(where, ABSENT)
        if was is not now and was != now:
            yield Change(Sheet.AUTHORITY, where, was, now, Cause.RECORD)


def require_frame(
    schema: Schema, after: State, scope: frozenset[Component], changes: Iterable[Change]
) -> None:
    """Check that nothing outside ``scope`` and its dependents has changed.

    Args:
        schema: Declares the dependents.
        after: The resulting state.
        scope: The components that the transition modifies directly.
        changes: The whole difference. What an upload shows is a record of the conversation, not a
            component of the state.

    Raises:
        TransitionError: Something has.
    """
    layers = {Sheet.ACCEPTED: after.accepted, Sheet.VISUAL: after.visual}
    allowed: Mapping[Sheet, set[str]] = {
        sheet: reached(schema, layer, scope) for sheet, layer in layers.items()
    }
    counted = any(one.part is Part.MEMBER for one in scope)
    for one in changes:
        where = one.component
        if where in scope or one.sheet is Sheet.SHOWN:
            continue
        if (
            one.sheet in allowed
            and where.part is Part.DEPENDENT
            and where.field in allowed[one.sheet]
        ):
            continue
        if counted and one.sheet in allowed and where == order():
            continue
        raise TransitionError(
            Condition.FRAME, f"{one.sheet} {where}", Described("a change"), "none outside the scope"
        )
