"""Trajectories: Algorithm 1 of DSV-Mem, from an initial state to a validated skeleton.

Node types are sampled, operators among those with inventory left, scopes and mutations proposed
and validated until they are valid; then a transition is carried out and committed. Withdrawals and
reinstatements follow some turns later, and nothing between touches what they concern.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.harness.album import Album
from mnemoscope.core.harness.beginning import first_state
from mnemoscope.core.harness.calendar import days
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.expert import Expert
from mnemoscope.core.harness.inventory import (
    Inventory,
    default_inventory,
    needed_turns,
)
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.past import Past
from mnemoscope.core.harness.proposing import Proposing, Refusal, Where
from mnemoscope.core.harness.scenario import Block, Scenario
from mnemoscope.core.harness.task import Proposer, UnproposedError
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.state import State, Upload
from mnemoscope.core.state.trajectory import Trajectory
from mnemoscope.core.state.transition import Record, Step, Transition
from mnemoscope.core.truth.truth import Artifact, Truth, artifact_of, counted_operators

__all__ = ["UngeneratedError", "expert_scenario", "generate_trajectory"]

TURNS, VISUALS = 212, 24
"""What the paper's scenarios have on average."""
TRIES = 12
"""How often a proposal is revised."""

_WAIT = 2, 7
"""How many turns of the user later an update is withdrawn, and then reinstated."""
_UPLOADS = frozenset(
    one
    for one, spec in OPERATORS.items()
    for atomic in (one, *spec.wraps)
    if OPERATORS[atomic].origin in (Origin.VISUAL, Origin.DECLARED, Origin.MIXED)
    and one not in (Operator.WRONG_CONTEXT_ARTIFACT, Operator.UNRELATED_VISUAL)
)
"""Operators that come with an artifact of the scenario's own context."""
_LAST_UPLOADS = 6
"""With so few uploads left a no-op revision comes as soon as it can."""
_SOON = 3
"""How much likelier a lifecycle is taken than another operator: its later events need turns."""
_PENDING = 3
"""How many updates wait for their withdrawal or reinstatement at once."""


class UngeneratedError(MnemoscopeError):
    """No operator that is left can be proposed in the state that was reached."""


@dataclass(slots=True)
class _Pending:
    """An update that is still to be withdrawn or reinstated."""

    transition: Transition
    events: tuple[Event, ...]
    """Those to come."""
    due: int
    """The turn of the user at which the next one comes."""


def generate_trajectory(
    pack: Pack,
    seed: int,
    proposer: Proposer,
    counts: Mapping[Operator, int],
    *,
    turns: int,
    tries: int = TRIES,
    refused: Callable[[Refusal], None] = lambda one: None,
) -> Scenario:
    """Generate a scenario's trajectory, turns and pictures.

    Args:
        pack: The scenario.
        seed: Decides everything that is left to chance, but what a proposer of its own mind does.
        proposer: Proposes scopes and mutations.
        counts: How many transitions of each operator.
        turns: How many messages of user and assistant together.
        tries: How often a proposal is revised before another operator is sampled.
        refused: Is told of every proposal that is not valid.

    Raises:
        UsageError: The inventory needs more turns.
        UngeneratedError: What is left of the inventory cannot be proposed.
    """
    least = needed_turns(counts)
    if turns < least:
        raise UsageError(
            f"{pack.name}: {turns} turns are too few for its inventory, which takes {least}"
        )
    proposing = Proposing(pack, proposer, Chance(pack.name, "composites", seed), tries, refused)
    making = _Making(pack, seed, proposing, Inventory(counts), turns // 2, refused)
    making.run()
    return making.scenario()


class _Making:
    """One trajectory while it is made."""

    def __init__(
        self,
        pack: Pack,
        seed: int,
        proposing: Proposing,
        inventory: Inventory,
        total: int,
        refused: Callable[[Refusal], None],
    ) -> None:
        self.pack, self.seed, self.schema = pack, seed, pack.state_schema
        self.proposing, self.inventory, self.refused = proposing, inventory, refused
        self.chance = Chance(pack.name, "trajectory", seed)
        self.total = total
        """How many turns of the user there are to be."""
        self.days = days(Chance(pack.name, "days", seed), total)
        self.album = Album(pack, seed)
        self.blocks: list[Block] = []
        upload = Upload(self.round, self.album.next_id)
        self.initial = self.state = first_state(pack, seed, upload)
        self.past = Past(pack, self.state.visual)
        self.records: list[Record] = []
        self.artifacts: list[Artifact] = []
        self.pending: list[_Pending] = []
        self.topics: list[str] = []

    @property
    def round(self) -> str:
        """The id of the user's next round."""
        return f"T{2 * len(self.blocks) + 1:03}"

    @property
    def date(self) -> str:
        """The day of the next turn."""
        return self.days[len(self.blocks)]

    def scenario(self) -> Scenario:
        """What was made."""
        counts = counted_operators(one.transition for one in self.records)
        truth = Truth(
            f"{self.pack.name}-{self.seed}",
            Trajectory(self.schema, self.initial, tuple(self.records)),
            tuple(self.artifacts),
            counts,
        )
        blocks = tuple(self.blocks)
        return Scenario(self.pack, self.seed, truth, blocks, self.album.pictures)

    def run(self) -> None:
        """Make it: the initial artifact, then normal turns and transitions as they are sampled."""
        self.album.first(self.state, self.date)
        self._keep(artifact_of(self.initial, None))
        self._block(picture=self.initial.upload.artifact)
        while len(self.blocks) < self.total:
            due = self._due()
            if due is not None:
                self._later(due)
            elif self._is_normal():
                self._block(topic=self._topic())
            else:
                self._transition()

    def _due(self) -> _Pending | None:
        """The lifecycle whose next event comes now."""
        waiting = sorted(self.pending, key=lambda one: one.due)
        left = self.total - len(self.blocks)
        late = not self.inventory.open and left <= sum(len(one.events) for one in waiting)
        ripe = (one for one in waiting if late or one.due <= len(self.blocks))
        return next(ripe, None)

    def _is_normal(self) -> bool:
        """Sample the node type: as likely normal as there is room beside what has to come."""
        left = self.total - len(self.blocks)
        updates = self.inventory.events + sum(len(one.events) for one in self.pending)
        if not self.inventory.open:
            return True
        return self.chance.share() < (left - updates) / left

    def _topic(self) -> str:
        if not self.topics:
            keys = [one.key for one in self.pack.dialogue.topics]
            self.topics = self.chance.sample(keys, len(keys))
        return self.topics.pop()

    def _block(self, *, transition: str = "", topic: str = "", picture: str = "") -> None:
        reply = f"T{2 * len(self.blocks) + 2:03}"
        self.blocks.append(Block(self.round, reply, self.date, transition, topic, picture))

    def _keep(self, artifact: Artifact | None) -> None:
        if artifact is not None:
            self.artifacts.append(artifact)

    def _transition(self) -> None:
        """Sample an eligible operator, propose until valid, carry out, commit, consume."""
        options = dict(self._options())
        last = ""
        while options:
            keys = list(options)
            operator = self.chance.weighted(keys, [options[one] for one in keys])
            del options[operator]
            try:
                step = self._validated(operator)
            except UnproposedError as error:
                last = f"{operator}: {error}"
                self.refused(Refusal(operator, str(error), final=True))
                continue
            self._commit(step)
            parts = [one.transition.operator for one in step.parts]
            self.inventory.consume(operator, parts)
            return
        if not self.pending:
            raise UngeneratedError(
                f"{self.pack.name}, turn {self.round}: nothing can be proposed: {last}"
            )
        self._later(min(self.pending, key=lambda one: one.due))

    def _options(self) -> Iterator[tuple[Operator, int]]:
        if self._is_last_chance():
            yield Operator.VISUAL_NOOP_REVISION, 1
            return
        for one in self.inventory.open:
            lifecycle = len(OPERATORS[one].events) > 1
            if self.inventory.is_kept(one) or (lifecycle and len(self.pending) >= _PENDING):
                continue
            yield one, self.inventory.left[one] * (_SOON if lifecycle else 1)

    def _is_last_chance(self) -> bool:
        """Whether a no-op revision should come now: after a withdrawal it waits for an upload."""
        left = self.inventory.left
        uploads = sum(count for one, count in left.items() if one in _UPLOADS)
        fits = self.state.shown is self.state.visual
        return fits and bool(left[Operator.VISUAL_NOOP_REVISION]) and uploads <= _LAST_UPLOADS

    def _validated(self, operator: Operator) -> Step:
        """A valid step of an operator on the state.

        Raises:
            UnproposedError: No valid proposal has come.
        """
        taboo = (self.state.updates[one.transition.id].before.accepted for one in self.pending)
        where = Where(self.state, self.past, frozenset().union(*taboo))
        if operator is Operator.COMPOSITE:
            carry_out = partial(self._carried_out, operator, None)
            return self.proposing.composite(where, self.inventory, carry_out)
        pool, last = OPERATORS[operator].wraps, ""
        if not pool:
            carry_out = partial(self._carried_out, operator, None)
            return self.proposing.update(operator, where, carry_out)
        for wraps in self.chance.sample(pool, len(pool)):
            carry_out = partial(self._carried_out, operator, wraps)
            try:
                return self.proposing.update(wraps, where, carry_out)
            except UnproposedError as error:
                last = f"{wraps}: {error}"
        raise UnproposedError(last)

    def _carried_out(self, operator: Operator, wraps: Operator | None, mutation: Mutation) -> Step:
        """The step of a proposed mutation.

        Raises:
            TransitionError: It is not valid, or what is withdrawn or reinstated later could not be.
        """
        key = f"U{len(self.records) + 1:03}"
        plain = Transition(key, operator, self.round, mutation, "", self.state.last, wraps=wraps)
        one = replace(plain, artifact=self.album.next_id) if plain.is_upload else plain
        step = execute(self.schema, self.state, one)
        self._require_later(step.after)
        return step

    def _require_later(self, state: State) -> None:
        """Check that the events still to come can follow on a state.

        Raises:
            TransitionError: What one of them concerns has been changed.
        """
        for one in self.pending:
            after = state
            for event in one.events:
                after = execute(self.schema, after, self._event(one.transition, event, after)).after

    def _event(self, of: Transition, event: Event, state: State) -> Transition:
        key = f"U{len(self.records) + 1:03}"
        return Transition(
            key, of.operator, self.round, Mutation(), "", state.last, event, of.id, of.wraps
        )

    def _later(self, pending: _Pending) -> None:
        """Withdraw or reinstate an update."""
        event, *rest = pending.events
        step = execute(self.schema, self.state, self._event(pending.transition, event, self.state))
        self.pending.remove(pending)
        self._commit(step, later=rest, of=pending.transition)

    def _commit(
        self, step: Step, *, later: Sequence[Event] | None = None, of: Transition | None = None
    ) -> None:
        """Take a step into the truth, the album and the conversation."""
        one = step.transition
        before, self.state = self.state, step.after
        self.records.append(step.record)
        self.past.add(step.record)
        self.album.add(step.record, before, step.after, self.date)
        self._keep(artifact_of(step.after, one))
        self._block(transition=one.id, picture=one.artifact)
        events = OPERATORS[one.operator].events[1:] if later is None else later
        if events:
            due = len(self.blocks) + self.chance.whole(*_WAIT)
            self.pending.append(_Pending(of or one, tuple(events), due))


def expert_scenario(
    pack: Pack,
    seed: int,
    *,
    turns: int = TURNS,
    visuals: int = VISUALS,
    counts: Mapping[Operator, int] | None = None,
) -> Scenario:
    """A scenario by the expert proposer; the same for the same arguments."""
    return generate_trajectory(
        pack,
        seed,
        Expert(pack, seed),
        default_inventory(turns, visuals) if counts is None else counts,
        turns=turns,
    )
