"""Trajectories: an initial state and the transitions that lead on from it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.operators import OPERATORS, Event
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.transition import Record, Step, Transition

__all__ = ["Trajectory", "carried_out", "unfinished"]


@dataclass(frozen=True)
class Trajectory:
    """What happened to a scenario's state, in full."""

    schema: Schema
    initial: State
    records: tuple[Record, ...] = ()

    @classmethod
    def of(cls, schema: Schema, initial: State, transitions: Iterable[Transition]) -> "Trajectory":
        """The trajectory of some transitions, one after the other.

        Raises:
            TransitionError: One of them is not defined on the state that it meets.
        """
        records = (step.record for step in carried_out(schema, initial, transitions))
        return cls(schema, initial, tuple(records))

    @cached_property
    def record_by_id(self) -> dict[str, Record]:
        """Records by transition; the first one wins where an id is repeated."""
        return {one.transition.id: one for one in reversed(self.records)}


def carried_out(
    schema: Schema, initial: State, transitions: Iterable[Transition]
) -> Iterator[Step]:
    """The steps of some transitions; only the last state is held on to."""
    state = initial
    for transition in transitions:
        step = execute(schema, state, transition)
        yield step
        state = step.after


def unfinished(transitions: Iterable[Transition]) -> Iterator[tuple[Transition, Event]]:
    """Updates whose operator says that they are withdrawn or reinstated, and are not.

    Yields:
        The transition that applied the update, and the first event that is missing.
    """
    applied: dict[str, Transition] = {}
    events: dict[str, list[Event]] = {}
    for one in transitions:
        if one.wraps is not None and one.event is Event.APPLY:
            applied[one.id] = one
        events.setdefault(one.of or one.id, []).append(one.event)
    for key, one in applied.items():
        for event in OPERATORS[one.operator].events:
            if event not in events[key]:
                yield one, event
                break
