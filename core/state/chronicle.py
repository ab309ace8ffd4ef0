"""The chronicle: which transitions touched a component or an entity, and what each left behind."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property

from mnemoscope.core.model.values import value
from mnemoscope.core.state.authority import AuthorityKind
from mnemoscope.core.state.component import ABSENT, Component, Maybe
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.state import State, UpdateStatus
from mnemoscope.core.state.timeline import Timeline
from mnemoscope.core.state.transition import Cause, Record, Sheet, Transition
from mnemoscope.core.state.values import same_scalar

__all__ = ["CellEvent", "Chronicle", "Said", "said_by"]


class Said(StrEnum):
    """What says a transition: whose word it rests on."""

    TEXT = "text"
    VISUAL = "visual"
    BOTH = "both"
    """A text and an artifact of the same turn."""
    NOTHING = "nothing"
    """It leaves the scenario as it is: a no-op revision, another context, an unrelated image."""


_QUIET = (
    Operator.VISUAL_NOOP_REVISION,
    Operator.WRONG_CONTEXT_ARTIFACT,
    Operator.UNRELATED_VISUAL,
)
_SAID = {Origin.TEXT: Said.TEXT, Origin.VISUAL: Said.VISUAL, Origin.DECLARED: Said.BOTH}


def said_by(transition: Transition) -> Said:
    """What says a transition; a withdrawal and what reinstates are always said by a text."""
    if transition.event is not Event.APPLY:
        return Said.TEXT
    if transition.operator in _QUIET:
        return Said.NOTHING
    return _SAID.get(OPERATORS[transition.atomic].origin, Said.BOTH)


@value
class CellEvent:
    """One thing that happened to a component, and what it held after it."""

    round: str
    transition: str
    """Empty for the initial artifact."""
    operator: Operator | None
    """None for the initial artifact."""
    said: Said
    event: Event
    wraps: Operator | None
    of_round: str
    """Of a withdrawal and of what reinstates: the round of the update; else empty."""
    artifact: str
    """The id of the image that came with it."""
    accepted: Maybe
    visual: Maybe
    shown: Maybe
    authority: AuthorityKind | None
    changed: tuple[str, ...]
    """Which of ``accepted``, ``visual``, ``shown`` and ``authority`` it changed."""
    cause: Cause | None
    """Why accepted or visual changed; None where neither did."""
    status: UpdateStatus | None
    """What has become of the update at the round that is looked at; None where none is recorded."""


class _Walk:
    """What a component holds, moved along by the transitions that touch it."""

    def __init__(self, component: Component, initial: State) -> None:
        self._component = component
        self._upload = initial.upload
        self._accepted: Maybe = initial.accepted.get(component, ABSENT)
        self._visual: Maybe = initial.visual.get(component, ABSENT)
        self._shown: Maybe = initial.shown.get(component, ABSENT)
        given = initial.authority.get(component)
        self._kind = given.kind if given else None

    @property
    def values(self) -> tuple[Maybe, Maybe, Maybe, AuthorityKind | None]:
        """The accepted, visual and shown value, and the authority."""
        return self._accepted, self._visual, self._shown, self._kind

    def start(self) -> Iterator[CellEvent]:
        """What the initial artifact said of it, if anything."""
        if not (self._accepted is self._visual is self._shown is ABSENT):
            upload = self._upload
            origin = (upload.round, "", None, Said.VISUAL, Event.APPLY, None, "", upload.artifact)
            changed = ("accepted", "visual", "shown", "authority")
            yield CellEvent(*origin, *self.values, changed, Cause.DIRECT, None)

    def take(self, record: Record) -> tuple[tuple[str, ...], Cause | None]:
        """What a transition changes of it, and why."""
        changed: list[str] = []
        cause = None
        for one in record.changes:
            if one.component != self._component:
                continue
            if one.sheet is Sheet.ACCEPTED:
                self._accepted = one.after
            else:
                self._visual = one.after
            changed.append(one.sheet.value)
            cause = one.cause
        if record.transition.is_upload_here and not same_scalar(self._shown, self._visual):
            self._shown = self._visual
            changed.append("shown")
        for assignment in record.assignments:
            if assignment.component == self._component:
                self._kind = assignment.after.kind if assignment.after else None
                changed.append("authority")
        return tuple(changed), cause


class Chronicle:
    """What touched what in a trajectory; it is worked out when it is first asked for."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._records = timeline.trajectory.records

    @cached_property
    def _touched(self) -> dict[Component, list[int]]:
        """The numbers of the transitions that changed each component or its authority."""
        found: dict[Component, list[int]] = {}
        for number, record in enumerate(self._records):
            changed = (one.component for one in record.changes)
            given = (one.component for one in record.assignments)
            for where in (*changed, *given):
                numbers = found.setdefault(where, [])
                if not numbers or numbers[-1] != number:
                    numbers.append(number)
        return found

    @cached_property
    def _entities(self) -> dict[str, list[int]]:
        """The numbers of the transitions that said something of each entity itself."""
        found: dict[str, list[int]] = {}
        for number, record in enumerate(self._records):
            direct = (one.component for one in record.changes if one.cause is Cause.DIRECT)
            given = (one.component for one in record.assignments)
            for entity in {where.entity for where in (*direct, *given) if where.entity}:
                found.setdefault(entity, []).append(number)
        return found

    @cached_property
    def _uploads(self) -> list[int]:
        return [
            number
            for number, record in enumerate(self._records)
            if record.transition.is_upload_here
        ]

    def of(self, component: Component) -> Sequence[int]:
        """The numbers of the transitions that changed a component, counted from 0."""
        return self._touched.get(component, ())

    def of_entity(self, entity: str) -> Sequence[int]:
        """The numbers of the transitions that said something of an entity, counted from 0.

        What merely follows, such as a rank that changes with another entity's value, is left out.
        """
        return self._entities.get(entity, ())

    def events(self, component: Component, count: int) -> tuple[CellEvent, ...]:
        """What happened to a component of the scenario's own context, in order.

        Args:
            component: The component.
            count: How many transitions are looked at.
        """
        statuses = self._timeline.at(count).statuses
        walk = _Walk(component, self._timeline.trajectory.initial)
        found = list(walk.start())
        for number in self._numbers(component, count):
            record = self._records[number]
            changed, cause = walk.take(record)
            if changed:
                status = statuses.get(record.transition.of or record.transition.id)
                now = walk.values
                found.append(CellEvent(*self._origin(record), *now, changed, cause, status))
        return tuple(found)

    def _numbers(self, component: Component, count: int) -> list[int]:
        """Transitions that may change what a component holds or what is shown of it."""
        touched, uploads = self.of(component), self._uploads
        numbers = set(touched)
        for number in touched:
            # What changed otherwise is on the next artifact first.
            place = bisect_left(uploads, number)
            numbers.update(uploads[place : place + 1])
        return sorted(one for one in numbers if one < count)

    def _origin(
        self, record: Record
    ) -> tuple[str, str, Operator, Said, Event, Operator | None, str, str]:
        one = record.transition
        about = self._timeline.trajectory.record_by_id.get(one.of)
        return (
            one.round,
            one.id,
            one.operator,
            said_by(one),
            one.event,
            one.wraps,
            about.transition.round if about else "",
            one.artifact,
        )

    def events_elsewhere(
        self, component: Component, context: str, count: int
    ) -> tuple[CellEvent, ...]:
        """What the artifacts of another context showed of a component, in order."""
        found = []
        last: Maybe = ABSENT
        for record in self._records[:count]:
            mutation = record.transition.mutation
            if mutation.content is None or mutation.context != context:
                continue
            content = mutation.content.get(component, ABSENT)
            if not same_scalar(content, last):
                last = content
                seen = (ABSENT, content, content, None, ("visual", "shown"), None, None)
                found.append(CellEvent(*self._origin(record), *seen))
        return tuple(found)
