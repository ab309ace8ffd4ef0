"""Transitions ``(operator, scope, mutation)`` and the steps that they make."""

from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.authority import Authority
from mnemoscope.core.state.component import Component, Maybe
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.state import State

__all__ = ["Assignment", "Cause", "Change", "Record", "Sheet", "Step", "Transition"]


class Sheet(StrEnum):
    """Where a change takes place."""

    ACCEPTED = "accepted"
    VISUAL = "visual"


class Cause(StrEnum):
    """Why a component changes."""

    DIRECT = "direct"
    """The transition's scope names it."""
    DEPENDENT = "dependent"
    """It is recomputed from what changed."""


@value
class Change:
    """One component of G or W before and after a transition."""

    sheet: Sheet
    component: Component
    before: Maybe
    after: Maybe
    cause: Cause


@value
class Assignment:
    """The authority of one component before and after a transition: a change of A."""

    component: Component
    before: Authority | None
    after: Authority | None


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

    @property
    def is_upload_here(self) -> bool:
        """Whether it comes with an artifact of the scenario's own context."""
        elsewhere = (Operator.WRONG_CONTEXT_ARTIFACT, Operator.UNRELATED_VISUAL)
        return self.is_upload and self.operator not in elsewhere


@value
class Record:
    """What a truth file keeps of a step."""

    transition: Transition
    scope: tuple[Component, ...]
    """What the transition modifies directly."""
    changes: tuple[Change, ...]
    """The whole difference of G and W."""
    assignments: tuple[Assignment, ...] = ()
    """The whole difference of A."""


@dataclass(frozen=True, slots=True)
class Step:
    """A transition carried out."""

    transition: Transition
    before: State
    after: State
    scope: frozenset[Component]
    """What the transition modifies directly."""
    changes: tuple[Change, ...]
    """The whole difference of G and W."""
    assignments: tuple[Assignment, ...]
    """The whole difference of A."""
    parts: tuple["Step", ...] = ()
    """Of a composite: its atomic updates, one after the other."""

    @property
    def record(self) -> Record:
        """What is kept of it; the states follow from the changes."""
        scope = tuple(sorted(self.scope))
        return Record(self.transition, scope, self.changes, self.assignments)
