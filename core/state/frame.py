"""The difference that a transition makes, and the frame condition that it has to meet."""

from collections.abc import Iterable

from mnemoscope.core.defects import Described
from mnemoscope.core.state.component import Component, Part, changed, order
from mnemoscope.core.state.computation import reached
from mnemoscope.core.state.condition import Condition, TransitionError
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.transition import Assignment, Cause, Change, Sheet

__all__ = ["differences", "reassigned", "require_frame"]


def differences(before: State, after: State, scope: frozenset[Component]) -> tuple[Change, ...]:
    """Every component of G and W that differs, on each sheet direct changes first.

    Args:
        before: The parent state.
        after: The resulting state.
        scope: The components that the transition modifies directly.
    """
    sheets = (
        (Sheet.ACCEPTED, before.accepted, after.accepted),
        (Sheet.VISUAL, before.visual, after.visual),
    )
    return tuple(
        Change(sheet, where, was, now, Cause.DIRECT if where in scope else Cause.DEPENDENT)
        for sheet, old, new in sheets
        for where, (was, now) in sorted(
            changed(old, new).items(), key=lambda item: item[0] not in scope
        )
    )


def reassigned(before: State, after: State) -> tuple[Assignment, ...]:
    """Every component whose authority differs."""
    old, new = before.authority, after.authority
    if old is new:
        return ()
    owners = (*new, *(one for one in old if one not in new))
    return tuple(
        Assignment(where, old.get(where), new.get(where))
        for where in owners
        if old.get(where) != new.get(where)
    )


def require_frame(
    schema: Schema,
    after: State,
    scope: frozenset[Component],
    changes: Iterable[Change],
    assignments: Iterable[Assignment] = (),
) -> None:
    """Check that nothing outside ``scope`` and its dependents has changed.

    Args:
        schema: Declares the dependents.
        after: The resulting state.
        scope: The components that the transition modifies directly.
        changes: The whole difference of G and W.
        assignments: The whole difference of A.

    Raises:
        TransitionError: Something has.
    """
    layers = {Sheet.ACCEPTED: after.accepted, Sheet.VISUAL: after.visual}
    allowed = {sheet: reached(schema, layer, scope) for sheet, layer in layers.items()}
    counted = any(one.part is Part.MEMBER for one in scope)
    for one in changes:
        where = one.component
        follows = where.part is Part.DEPENDENT and where.field in allowed[one.sheet]
        if not (where in scope or follows or (counted and where == order())):
            raise _outside(f"{one.sheet} {where}")
    for assignment in assignments:
        if assignment.component not in scope:
            raise _outside(f"authority of {assignment.component}")


def _outside(where: str) -> TransitionError:
    found = Described("a change")
    return TransitionError(Condition.FRAME, where, found, "none outside the scope")
