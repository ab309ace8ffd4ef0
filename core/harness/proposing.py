"""Proposals, revised until they are valid: the inner loop of Algorithm 1."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.inventory import Inventory, visual_parts
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.past import Past
from mnemoscope.core.harness.task import Proposer, Task, UnproposedError, UnusableError
from mnemoscope.core.state.component import Component, cell
from mnemoscope.core.state.condition import Condition, TransitionError, require
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.mutation import Composed, Mutation
from mnemoscope.core.state.operators import COMPOSED, Operator, Origin
from mnemoscope.core.state.state import State
from mnemoscope.core.state.transition import Step, Transition

__all__ = ["Proposing", "Refusal", "Where"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A proposal that was not valid, or an operator for which there was none."""

    operator: Operator
    reason: str
    final: bool
    """Whether the operator was given up for this turn, and another one sampled."""


@dataclass(frozen=True, slots=True)
class Where:
    """The point of a trajectory at which something is proposed."""

    state: State
    past: Past
    taboo: frozenset[Component]
    """What waits to be withdrawn or reinstated."""

    def after(self, step: Step) -> "Where":
        """The point inside a composite after a part: what that has touched is protected."""
        past = self.past.after([step.record])
        return Where(step.after, past, self.taboo | step.scope)


class Proposing:
    """Asks the proposer, validates, and asks again with what was wrong."""

    def __init__(
        self,
        pack: Pack,
        proposer: Proposer,
        chance: Chance,
        tries: int,
        refused: Callable[[Refusal], None],
    ) -> None:
        self.pack, self.proposer, self.chance = pack, proposer, chance
        self.tries, self.refused = tries, refused

    def update(
        self, operator: Operator, where: Where, carry_out: Callable[[Mutation], Step]
    ) -> Step:
        """A valid step of an operator that is no composite.

        Args:
            operator: The operator of the update itself.
            where: The point of the trajectory.
            carry_out: Validates a mutation by carrying it out.

        Raises:
            UnproposedError: There is none, or none of the tries is valid.
        """
        feedback: list[str] = []
        for _ in range(self.tries):
            task = Task(
                self.pack,
                operator,
                where.state,
                where.taboo,
                where.past.names,
                where.past.next_key,
                where.past.contents,
                tuple(feedback),
            )
            try:
                mutation = self.proposer.propose(task)
                _require_new_names(task, mutation)
                return carry_out(mutation)
            except (TransitionError, UnusableError) as error:
                feedback.append(str(error))
                self.refused(Refusal(operator, str(error), final=False))
        raise self._given_up(feedback)

    def composite(
        self, where: Where, inventory: Inventory, carry_out: Callable[[Mutation], Step]
    ) -> Step:
        """A valid composite: parts from what the inventory has to spare.

        Raises:
            UnproposedError: None of the tries is valid; each has parts of its own.
        """
        feedback: list[str] = []
        for _ in range(self.tries):
            try:
                return carry_out(self._composed(self._parts(inventory), where))
            except (TransitionError, UnproposedError) as error:
                feedback.append(str(error))
                self.refused(Refusal(Operator.COMPOSITE, str(error), final=False))
        raise self._given_up(feedback)

    def _given_up(self, feedback: Sequence[str]) -> UnproposedError:
        return UnproposedError(f"none of {self.tries} proposals is valid; the last: {feedback[-1]}")

    def _parts(self, inventory: Inventory) -> tuple[Operator, ...]:
        """The operators of the next composite, each once, in an order."""
        wanted = {
            Origin.VISUAL: visual_parts(inventory.used[Operator.COMPOSITE]),
            Origin.TEXT: self.chance.whole(2, 3),
        }
        chosen: list[Operator] = []
        rest = inventory.left[Operator.COMPOSITE] - 1
        for origin, (operators, _, _) in COMPOSED.items():
            for _ in range(wanted[origin]):
                free = [one for one in operators if one not in chosen]
                spare = [inventory.spare(one) for one in free]
                weights = [
                    count if inventory.leaves_enough([*chosen, one], rest) else 0
                    for one, count in zip(free, spare, strict=True)
                ]
                if not any(weights):  # better one that has come already than the last of another
                    weights = [1 if inventory.used[one] else 0 for one in free]
                chosen.append(self.chance.weighted(free, weights))
        return tuple(self.chance.sample(chosen, len(chosen)))

    def _composed(self, operators: Sequence[Operator], where: Where) -> Mutation:
        """The parts of a composite, each validated on the state that those before lead to."""
        waiting = where.taboo
        parts: list[Composed] = []
        for operator in operators:
            protected = where.taboo - waiting
            step = self.update(operator, where, partial(self._part, operator, where, protected))
            parts.append(Composed(operator, step.transition.mutation))
            where = where.after(step)
        return Mutation(parts=tuple(parts))

    def _part(
        self,
        operator: Operator,
        where: Where,
        protected: frozenset[Component],
        mutation: Mutation,
    ) -> Step:
        plain = Transition("part", operator, "part", mutation, "", where.state.last)
        one = replace(plain, artifact="part") if plain.is_upload else plain
        step = execute(self.pack.state_schema, where.state, one)
        doubled = next(iter(sorted(step.scope & protected)), None)
        expected = "what no other part of the composite touches"
        require(doubled is None, Condition.PROTECTED, doubled, str(doubled), expected)
        return step


def _require_new_names(task: Task, mutation: Mutation) -> None:
    """Check that nothing gets a name that something has had: a question names one thing.

    Raises:
        TransitionError: Something does.
    """
    (name,) = task.pack.state_schema.of_role(FieldRole.NAME)
    given = [(cell(one.entity, one.field), one.value) for one in mutation.cells]
    given += [(cell(one.key, name), one.values.get(name)) for one in mutation.added]
    for where, content in given:
        fresh = where.field != name or content not in task.names
        require(fresh, Condition.NAME_UNIQUE, where, content, "a name that nothing has had")
