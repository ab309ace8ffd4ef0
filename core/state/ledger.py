"""The ledger: every cell of a scenario at a round, and who says so."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.authority import AuthorityKind
from mnemoscope.core.state.component import (
    ABSENT,
    Component,
    Layer,
    Maybe,
    Part,
    cell,
    changed,
    member,
    members,
    order,
    rule,
)
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import UpdateStatus, Upload
from mnemoscope.core.state.timeline import Moment, Timeline
from mnemoscope.core.state.transition import Cause, Change, Record

__all__ = ["Effect", "Ledger", "LedgerCell", "Scrubber", "differing"]


class Effect(StrEnum):
    """How a round changes a component."""

    DIRECT = "direct"
    DEPENDENT = "dependent"
    AUTHORITY = "authority"
    """Its contents stay; what they rest on changes."""
    SHOWN = "shown"
    """Only what the last upload displays changes."""


@value
class LedgerCell:
    """One component with its three values."""

    component: Component
    shown: Maybe
    """On the last upload of the context."""
    visual: Maybe
    """In the visual state, parent of the next visual edit."""
    accepted: Maybe
    authority: AuthorityKind | None
    """On what the accepted value rests; None for a dependent one, which follows."""
    source_round: str
    """The round that gave this authority; empty for a dependent one."""
    effect: Effect | None
    """How the round changed it."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The state of a scenario at one round."""

    context: str
    round: str
    count: int
    """How many transitions there have been."""
    cells: tuple[LedgerCell, ...]
    records: tuple[Record, ...]
    """The transitions that the round brings."""
    upload: Upload
    """The last upload of the context."""
    is_withdrawn: bool
    """Whether that upload is no longer in force."""
    statuses: Mapping[str, UpdateStatus]
    contexts: tuple[str, ...]
    """Other contexts of which there have been artifacts, each in its own scope."""

    @property
    def changes(self) -> Iterator[Change]:
        """What the round changes."""
        for record in self.records:
            yield from record.changes


class Scrubber:
    """A timeline that is moved along by the rounds of its history."""

    def __init__(self, timeline: Timeline, rounds: Sequence[str]) -> None:
        """Place every transition at its round.

        Args:
            timeline: The states.
            rounds: The ids of the history's rounds, in order.
        """
        self.timeline = timeline
        self.rounds = rounds
        self._index = {one: at for at, one in reversed(list(enumerate(rounds)))}
        latest = 0
        self._places: list[int] = []
        for record in timeline.trajectory.records:
            # A round that the history does not have is taken to be where the last one was.
            latest = max(latest, self._index.get(record.transition.round, latest))
            self._places.append(latest)

    def at(self, round_id: str, context: str = "") -> Ledger:
        """The ledger at the end of a round.

        Args:
            round_id: The round.
            context: Another context than the scenario's own, whose artifact has been uploaded.

        Raises:
            KeyError: The history has no such round, or it has not seen this context yet.
        """
        index = self._index[round_id]
        trajectory = self.timeline.trajectory
        count, first = self.count_at(index), self.count_at(index - 1)
        records = trajectory.records[first:count]
        moment = self.timeline.at(count)
        upload, withdrawn = moment.upload, moment.is_withdrawn
        if context in ("", trajectory.initial.context):
            context = trajectory.initial.context
            effects = _effects(self.timeline.at(first), moment, records)
            cells = tuple(_cells(trajectory.schema, moment, effects))
        else:
            upload, withdrawn = self._upload_of(context, count), False
            cells = tuple(_scoped(trajectory.schema, moment.scopes[context]))
        return Ledger(
            context,
            round_id,
            count,
            cells,
            records,
            upload,
            withdrawn,
            moment.statuses,
            tuple(moment.scopes),
        )

    def _upload_of(self, context: str, count: int) -> Upload:
        """The last artifact of another context among the first transitions."""
        for record in reversed(self.timeline.trajectory.records[:count]):
            one = record.transition
            if one.mutation.content is not None and one.mutation.context == context:
                return Upload(one.round, one.artifact, one.id)
        raise KeyError(context)

    def count_at(self, index: int) -> int:
        """How many transitions there have been at the end of the round at a position."""
        return bisect_right(self._places, index)

    def index_of(self, number: int) -> int:
        """The position of the round that brings a transition, by its place among them all."""
        return self._places[number]

    def rounds_of_changes(self) -> list[str]:
        """The rounds that bring a transition, in order, each once."""
        return list(dict.fromkeys(self.rounds[at] for at in self._places))


def differing(
    one: Ledger, other: Ledger
) -> Mapping[Component, tuple[LedgerCell | None, LedgerCell | None]]:
    """The components whose values or authority differ between two rounds, with both cells.

    None stands for a component that is in none of the sheets of that round.
    """
    before = {cell.component: cell for cell in one.cells}
    after = {cell.component: cell for cell in other.cells}
    found = {}
    for where in (*before, *(where for where in after if where not in before)):
        pair = before.get(where), after.get(where)
        if _said(pair[0]) != _said(pair[1]):
            found[where] = pair
    return found


def _said(one: LedgerCell | None) -> tuple[object, ...]:
    if one is None or (one.shown is one.visual is one.accepted is ABSENT):
        return ()
    kinds = (isinstance(each, bool) for each in (one.shown, one.visual, one.accepted))
    return (one.shown, one.visual, one.accepted, one.authority, *kinds)


def _effects(
    before: Moment, after: Moment, records: Sequence[Record]
) -> Mapping[Component, Effect]:
    """How a round changed each component: directly, else dependently, else only on record."""
    found: dict[Component, Effect] = {}
    if not records:
        return found
    found |= dict.fromkeys(changed(before.shown, after.shown), Effect.SHOWN)
    for record in records:
        found |= dict.fromkeys((one.component for one in record.assignments), Effect.AUTHORITY)
    for cause, effect in ((Cause.DEPENDENT, Effect.DEPENDENT), (Cause.DIRECT, Effect.DIRECT)):
        for record in records:
            own = (one.component for one in record.changes if one.cause is cause)
            found |= dict.fromkeys(own, effect)
    return found


def _cells(
    schema: Schema, moment: Moment, effects: Mapping[Component, Effect]
) -> Iterator[LedgerCell]:
    for where in _components(schema, (moment.accepted, moment.visual, moment.shown)):
        given = moment.authority.get(where)
        yield LedgerCell(
            where,
            moment.shown.get(where, ABSENT),
            moment.visual.get(where, ABSENT),
            moment.accepted.get(where, ABSENT),
            given.kind if given else None,
            given.round if given else "",
            effects.get(where),
        )


def _scoped(schema: Schema, layer: Layer) -> Iterator[LedgerCell]:
    """The cells of an artifact of another context: shown there, and accepted nowhere."""
    for where in _components(schema, (layer,)):
        content = layer.get(where, ABSENT)
        yield LedgerCell(where, content, content, ABSENT, None, "", None)


def _components(schema: Schema, layers: Sequence[Layer]) -> Iterator[Component]:
    """Entity by entity, then dependents of groups and of the whole, rules and orderings."""
    of_entities = [one.key for one in schema.dependencies if schema.is_of_entities(one.key)]
    cues: dict[str, list[Component]] = {}
    owners: dict[str, dict[str, None]] = {}
    for layer in layers:
        for one in layer:
            if one.part is Part.CUE:
                styled = cues.setdefault(one.entity, [])
                styled += [one] if one not in styled else []
            elif one.part is Part.DEPENDENT:
                owners.setdefault(one.field, {})[one.entity] = None
    for entity in dict.fromkeys(one for layer in layers for one in members(layer)):
        yield member(entity)
        yield from (cell(entity, field.key) for field in schema.fields)
        yield from cues.get(entity, ())
        yield from (Component(Part.DEPENDENT, entity, key) for key in of_entities)
    for dependency in schema.dependencies:
        if dependency.key not in of_entities:
            for owner in owners.get(dependency.key, ()):
                yield Component(Part.DEPENDENT, owner, dependency.key)
    yield from (rule(one.key) for one in schema.rules)
    yield from (order(key) for key in schema.ordering_by_key)
