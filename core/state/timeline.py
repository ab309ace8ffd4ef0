"""A timeline: the state at any point of a trajectory, at once.

Snapshots are kept at regular steps; a point between two is reached from the one before by the
recorded changes alone. No operator is carried out again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mnemoscope.core.state.authority import Assignments
from mnemoscope.core.state.component import Absent, Layer
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.state import State, UpdateStatus, Upload
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Record, Sheet

__all__ = ["Moment", "Replay", "Timeline"]

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
        snapshots = self._snapshots
        while len(snapshots) <= count // _EVERY:
            start = (len(snapshots) - 1) * _EVERY
            snapshots.append(_replayed(snapshots[-1], records[start : start + _EVERY]))
        nearest = count // _EVERY
        return _replayed(snapshots[nearest], records[nearest * _EVERY : count])


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


class Replay:
    """A state that recorded changes move along, one transition at a time."""

    def __init__(self, moment: Moment) -> None:
        self.accepted = dict(moment.accepted)
        self.visual = dict(moment.visual)
        self.authority = dict(moment.authority)
        self.shown = moment.shown
        self.upload = moment.upload
        self.scopes = moment.scopes
        self.statuses = dict(moment.statuses)

    def step(self, record: Record) -> None:
        """Take the changes of one transition."""
        one = record.transition
        if self.shown is self.visual and not one.is_upload_here:
            self.shown = dict(self.visual)  # a withdrawal changes W and leaves what was shown
        for change in record.changes:
            sheet = self.accepted if change.sheet is Sheet.ACCEPTED else self.visual
            if isinstance(change.after, Absent):
                sheet.pop(change.component, None)
            else:
                sheet[change.component] = change.after
        for assignment in record.assignments:
            if assignment.after is None:
                self.authority.pop(assignment.component, None)
            else:
                self.authority[assignment.component] = assignment.after
        if one.is_upload_here:
            self.shown = self.visual
            self.upload = Upload(one.round, one.artifact, one.id)
        if one.mutation.content is not None:
            self.scopes = {**self.scopes, one.mutation.context: one.mutation.content}
        status = _STATUSES.get(one.event)
        if one.wraps is not None and status is not None:
            self.statuses[one.of or one.id] = status

    @property
    def moment(self) -> Moment:
        """The state now, which goes on changing with the replay."""
        return Moment(
            self.accepted,
            self.visual,
            self.shown,
            self.authority,
            self.upload,
            self.scopes,
            self.statuses,
        )


def _replayed(moment: Moment, records: Iterable[Record]) -> Moment:
    replay = Replay(moment)
    for record in records:
        replay.step(record)
    return replay.moment


_STATUSES = {
    Event.APPLY: UpdateStatus.IN_FORCE,
    Event.DISREGARD: UpdateStatus.WITHDRAWN,
    Event.REINSTATE: UpdateStatus.REINSTATED,
}
