"""Tasks: what a proposer is asked for, and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.state.component import Component, Layer, Maybe
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Operator, Origin
from mnemoscope.core.state.state import State

__all__ = ["Proposer", "Task", "UnproposedError", "UnusableError"]


class UnproposedError(MnemoscopeError):
    """A proposer finds nothing for an operator in a state."""


class UnusableError(MnemoscopeError):
    """What a proposer came up with is no mutation; it is asked again."""


@dataclass(frozen=True, slots=True)
class Task:
    """One atomic update to propose."""

    pack: Pack
    operator: Operator
    """No composite and no lifecycle: their parts are proposed one by one."""
    state: State
    taboo: frozenset[Component] = frozenset()
    """What must stay as it is: the scope of updates that are withdrawn or reinstated later, and
    inside a composite what its other parts have changed."""
    names: frozenset[str] = frozenset()
    """Every name that an entity has had."""
    next_key: int = 1
    """The number of the next entity's key."""
    past: Mapping[Component, Sequence[Maybe]] = field(default_factory=dict)
    """What the cells that were changed before have held, on either sheet."""
    feedback: tuple[str, ...] = ()
    """Why earlier proposals for this task were not valid."""

    @property
    def base(self) -> Layer:
        """What the operator starts from: texts from the accepted state, artifacts from W."""
        if OPERATORS[self.operator].origin is Origin.TEXT:
            return self.state.accepted
        return self.state.visual


class Proposer(Protocol):
    """Proposes the target scope and the mutation of updates."""

    def propose(self, task: Task) -> Mutation:
        """A mutation for a task; it is validated by whoever asks.

        Raises:
            UnproposedError: There is none.
            UnusableError: What it came up with is none; another try may go better.
        """
        ...
