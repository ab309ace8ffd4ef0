"""Scenes: one block of a scenario with the state in which it is said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.scenario import Block, Picture, Scenario
from mnemoscope.core.harness.wording import name_of
from mnemoscope.core.state.component import Layer, members
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.state import State
from mnemoscope.core.state.trajectory import carried_out
from mnemoscope.core.state.transition import Step, Transition

__all__ = ["Scene", "scenes_of"]


@dataclass(frozen=True)
class Scene:
    """One block, and what it brings."""

    scenario: Scenario
    block: Block
    number: int
    """Position in the conversation, from 0."""
    state: State
    """Before it."""
    step: Step | None = None
    """What its transition does; None for the first turn and for normal ones."""

    @property
    def pack(self) -> Pack:
        """The scenario's pack."""
        return self.scenario.pack

    @property
    def schema(self) -> Schema:
        """What its states consist of."""
        return self.scenario.truth.trajectory.schema

    @property
    def transition(self) -> Transition | None:
        """What it brings."""
        return self.step.transition if self.step else None

    @property
    def picture(self) -> Picture | None:
        """The image that comes with it."""
        return self.scenario.pictures[self.block.picture] if self.block.picture else None

    @cached_property
    def updates(self) -> tuple[Step, ...]:
        """The atomic updates that it makes; a withdrawal or reinstatement makes none."""
        if self.step is None or self.step.transition.event is not Event.APPLY:
            return ()
        return self.step.parts or (self.step,)

    @property
    def texts(self) -> tuple[Step, ...]:
        """Those that its text has to state."""
        return self._of(Origin.TEXT)

    @property
    def visuals(self) -> tuple[Step, ...]:
        """Those that only its picture shows."""
        return self._of(Origin.VISUAL)

    @property
    def declared(self) -> tuple[Step, ...]:
        """Those that its picture shows and its text authorises."""
        return self._of(Origin.DECLARED)

    def _of(self, origin: Origin) -> tuple[Step, ...]:
        return tuple(
            one for one in self.updates if OPERATORS[one.transition.atomic].origin is origin
        )

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What each entity is called here: as the user had it accepted before this turn.

        In a composite a rename by text counts from there on, one by picture does not: its new name
        is only to be seen.
        """
        return names_in(self.schema, self.state.accepted)

    @cached_property
    def shown_names(self) -> Mapping[str, str]:
        """What pictures have called each entity up to now."""
        return names_in(self.schema, self.state.visual)


def names_in(schema: Schema, layer: Layer) -> dict[str, str]:
    """The displayed names of a layer, by entity."""
    return {one: name_of(schema, layer, one) for one in members(layer)}


def scenes_of(scenario: Scenario) -> tuple[Scene, ...]:
    """Every block with its state.

    Raises:
        TransitionError: The trajectory cannot be carried out.
    """
    trajectory = scenario.truth.trajectory
    wanted = [one.transition for one in trajectory.records]
    steps = {
        one.transition.id: one for one in carried_out(trajectory.schema, trajectory.initial, wanted)
    }
    state = trajectory.initial
    found = []
    for number, block in enumerate(scenario.blocks):
        step = steps[block.transition] if block.transition else None
        found.append(Scene(scenario, block, number, state, step))
        state = step.after if step else state
    return tuple(found)


def is_rename(step: Step) -> bool:
    """Whether an atomic update renames entities by text."""
    return step.transition.atomic is Operator.TEXT_ENTITY_RENAME
