"""The truth graph of one history."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Layer
from mnemoscope.core.state.operators import Event, Operator
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.trajectory import Trajectory, carried_out
from mnemoscope.core.state.transition import Record, Transition

__all__ = ["Artifact", "Truth", "artifact_of", "counted_operators"]


@value
class Artifact:
    """What an uploaded image shows, as its renderer was given it."""

    id: str
    """The id of the attachment."""
    round: str
    transition: str
    """The transition that it came with; empty for the initial artifact."""
    context: str
    shows: Layer


@dataclass(frozen=True)
class Truth:
    """A history's state trajectory. Evaluator-only."""

    history_id: str
    trajectory: Trajectory
    artifacts: tuple[Artifact, ...] = ()
    """Every artifact of this and of other contexts, in order of upload."""
    inventory: Mapping[Operator, int] = field(default_factory=dict)
    """How many transitions of each operator there are; a lifecycle counts once."""
    file: str = ""
    """The file that it was read from, relative to the release."""

    @classmethod
    def of(
        cls, history_id: str, schema: Schema, initial: State, transitions: Iterable[Transition]
    ) -> "Truth":
        """The truth of some transitions, with the artifacts that they bring.

        Raises:
            TransitionError: One of them is not defined on the state that it meets.
        """
        records: list[Record] = []
        found = [artifact_of(initial, None)]
        for step in carried_out(schema, initial, transitions):
            records.append(step.record)
            found.append(artifact_of(step.after, step.transition))
        inventory = counted_operators(one.transition for one in records)
        artifacts = tuple(one for one in found if one is not None)
        return cls(history_id, Trajectory(schema, initial, tuple(records)), artifacts, inventory)


def artifact_of(state: State, transition: Transition | None) -> Artifact | None:
    """The artifact that a transition brings.

    Args:
        state: The state after it.
        transition: The transition; None for the initial artifact.

    Returns:
        None when it brings none, or an image that has nothing to do with the task.
    """
    if transition is None:
        upload = state.upload
        return Artifact(upload.artifact, upload.round, "", state.context, state.shown)
    one = transition
    if one.is_upload_here:
        return Artifact(one.artifact, one.round, one.id, state.context, state.shown)
    if one.operator is Operator.WRONG_CONTEXT_ARTIFACT:
        context = one.mutation.context
        return Artifact(one.artifact, one.round, one.id, context, state.scopes[context])
    return None


def counted_operators(transitions: Iterable[Transition]) -> dict[Operator, int]:
    """How many transitions of each operator there are; a lifecycle counts once."""
    counts = Counter(one.operator for one in transitions if one.event is Event.APPLY)
    return {operator: counts[operator] for operator in Operator if counts[operator]}
