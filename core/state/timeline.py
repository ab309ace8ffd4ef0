"""A timeline: the state at any point of a trajectory, at once.

Snapshots are kept at regular steps; a point between two is reached from the one before by the
recorded changes alone. No operator is carried out again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from mnemoscope.core.state.authority import Assignments, Authority
from mnemoscope.core.state.component import Absent, Component, Content, Layer, Part
from mnemoscope.core.state.computation import dependents
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State, UpdateStatus, Upload
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Record, Sheet

__all__ = ["Moment", "Timeline", "is_upload_here"]

V = TypeVar("V")

_EVERY = 64
"""Steps between snapshots: a snapshot takes some hundred kilobytes, a step some microseconds."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state as it is replayed."""

    accepted: Layer
    visual: Layer
    shown: Layer
    authority: Assignments
    upload: Upload
    scopes: Mapping[str, Layer]
    statuses: Mapping[str, UpdateStatus]
    """Of recorded updates, by the transition that applied them."""

    @property
    def is_withdrawn(self) -> bool:
        """Whether the last upload came with an update that is withdrawn."""
        return self.statuses.get(self.upload.transition) is UpdateStatus.WITHDRAWN


class Timeline:
    """The states of a trajectory by number of transitions."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self._snapshots = [_moment_of(trajectory.initial)]

    def __len__(self) -> int:
        return len(self.trajectory.records)

    def at(self, count: int) -> Moment:
        """The state after the first ``count`` transitions.

        Raises:
            IndexError: There are not so many.
        """
        records = self.trajectory.records
        if not 0 <= count <= len(records):
            raise IndexError(f"{count} of {len(records)} transitions")
        schema, snapshots = self.trajectory.schema, self._snapshots
        while len(snapshots) <= count // _EVERY:
            start = (len(snapshots) - 1) * _EVERY
            snapshots.append(_replayed(schema, snapshots[-1], records[start : start + _EVERY]))
        nearest = count // _EVERY
        return _replayed(schema, snapshots[nearest], records[nearest * _EVERY : count])


def is_upload_here(record: Record) -> bool:
    """Whether a transition brings an artifact of the scenario's own context."""
    elsewhere = (Operator.WRONG_CONTEXT_ARTIFACT, Operator.UNRELATED_VISUAL)
    return record.transition.is_upload and record.transition.operator not in elsewhere


def _moment_of(state: State) -> Moment:
    return Moment(
        state.accepted,
        state.visual,
        state.shown,
        state.authority,
        state.upload,
        state.scopes,
        {key: one.status for key, one in state.updates.items()},
    )


def _replayed(schema: Schema, moment: Moment, records: Iterable[Record]) -> Moment:
    layers = {
        Sheet.ACCEPTED: dict(moment.accepted),
        Sheet.VISUAL: dict(moment.visual),
        Sheet.SHOWN: dict(moment.shown),
    }
    authority = dict(moment.authority)
    upload, scopes, statuses = moment.upload, dict(moment.scopes), dict(moment.statuses)
    for record in records:
        for change in record.changes:
            if change.sheet is Sheet.AUTHORITY:
                _put(authority, change.component, cast(Authority | Absent, change.after))
            else:
                after = cast(Content | Absent, change.after)
                _put(layers[change.sheet], change.component, after)
        one = record.transition
        if is_upload_here(record):
            upload = Upload(one.round, one.artifact, one.id)
        if one.mutation.content is not None:
            primary = {
                where: content
                for where, content in one.mutation.content.items()
                if where.part is not Part.DEPENDENT
            }
            scopes[one.mutation.context] = {**primary, **dependents(schema, primary)}
        match one.event:
            case Event.APPLY if one.wraps is not None:
                statuses[one.id] = UpdateStatus.IN_FORCE
            case Event.DISREGARD:
                statuses[one.of] = UpdateStatus.WITHDRAWN
            case Event.REINSTATE:
                statuses[one.of] = UpdateStatus.REINSTATED
    accepted, visual, shown = layers.values()
    return Moment(accepted, visual, shown, authority, upload, scopes, statuses)


def _put(contents: dict[Component, V], key: Component, content: V | Absent) -> None:
    if isinstance(content, Absent):
        contents.pop(key, None)
    else:
        contents[key] = content
