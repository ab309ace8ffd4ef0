"""Transitions ``(operator, scope, mutation)`` and the steps that they make."""

from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.authority import Authority
from mnemoscope.core.state.component import Component, Maybe
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.state import State

__all__ = ["Cause", "Change", "Record", "Sheet", "Step", "Transition"]


class Sheet(StrEnum):
    """Where a change takes place."""

    ACCEPTED = "accepted"
    VISUAL = "visual"
    SHOWN = "shown"
    AUTHORITY = "authority"


class Cause(StrEnum):
    """Why a component changes."""

    DIRECT = "direct"
    """The transition's scope names it."""
    DEPENDENT = "dependent"
    """It is recomputed from what changed."""
    RECORD = "record"
    """It records the change: authority, and what an upload shows."""


@value
class Change:
    """One component of one sheet before and after a transition."""

    sheet: Sheet
    component: Component
    before: Maybe | Authority
    after: Maybe | Authority
    cause: Cause


@value
class Transition:
    """One update of the conversation, or one event of an update's lifecycle."""

    id: str
    operator: Operator
    round: str
    """The id of the user's round that brings it."""
    mutation: Mutation = Mutation()
    artifact: str = ""
    """The id of the image that comes with it."""
    parent: str = ""
    """The transition before; empty for the first."""
    event: Event = Event.APPLY
    of: str = ""
    """Of a later event of a lifecycle: the transition that applied the update."""
    wraps: Operator | None = None
    """Of a lifecycle: the operator of the update itself."""

    @property
    def atomic(self) -> Operator:
        """The operator of the update itself, also inside a lifecycle."""
        return self.wraps or self.operator

    @property
    def is_upload(self) -> bool:
        """Whether it comes with an artifact: a withdrawal speaks of one without showing it."""
        if self.event is not Event.APPLY:
            return False
        return OPERATORS[self.atomic].origin is not Origin.TEXT


@value
class Record:
    """What a truth file keeps of a step."""

    transition: Transition
    scope: tuple[Component, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A transition carried out."""

    transition: Transition
    before: State
    after: State
    scope: frozenset[Component]
    """What the transition modifies directly."""
    changes: tuple[Change, ...]
    """The whole difference between the two states, sheet by sheet."""
    parts: tuple["Step", ...] = ()
    """Of a composite: its atomic updates, one after the other."""

    @property
    def record(self) -> Record:
        """What is kept of it; the states follow from the changes."""
        return Record(self.transition, tuple(sorted(self.scope)), self.changes)
