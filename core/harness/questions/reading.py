"""Reading one component from some sources, one after the other, by the authority rule."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.harness.questions.source import Item, Source, block_touches, owner, touches
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import ABSENT, Component, Content, Maybe, Part
from mnemoscope.core.state.mutation import Block, Mutation, Transform
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import add, exact, is_number, multiply, rounded, same_scalar

__all__ = ["HONEST", "UNREAD", "Faults", "Read", "Reading", "UnreadError"]


class UnreadError(MnemoscopeError):
    """The sources do not tell what is asked for."""


class _Unread(Enum):
    UNREAD = "unread"


UNREAD = _Unread.UNREAD
Read = Maybe | _Unread


@value
class Faults:
    """What a reader gets wrong; an honest one nothing."""

    newest_image: bool = False
    """What an image shows is accepted, whatever governs it."""
    no_withdrawals: bool = False
    """Withdrawals and reinstatements are passed over."""
    no_texts: bool = False
    """Texts are passed over altogether."""
    trusting: bool = False
    """Images that it has not seen are taken to change nothing."""


HONEST = Faults()


@dataclass(slots=True)
class _Standing:
    """One component while sources are read."""

    accepted: Read = UNREAD
    visual: Read = UNREAD
    governed: bool = False

    def copy(self) -> "_Standing":
        return _Standing(self.accepted, self.visual, self.governed)


class Reading:
    """One component read from some sources."""

    def __init__(
        self, schema: Schema, where: Component, sources: frozenset[Source], faults: Faults
    ) -> None:
        self.schema, self.where, self.sources, self.faults = schema, where, sources, faults
        self.own = _Standing()
        membership = owner(where)
        self.member = self.own if membership is None else _Standing()
        self.membership = membership or where
        self.saved: dict[str, tuple[_Standing, ...]] = {}
        self.mutations: dict[str, Mutation] = {}

    def run(self, items: Iterable[Item]) -> tuple[tuple[int, Read], ...]:
        """What is accepted, from which place on."""
        found: list[tuple[int, Read]] = [(-1, UNREAD)]
        for one in items:
            update = one.transition
            if update is None or update.wraps is None or update.event is not Event.APPLY:
                self._take(one)
            else:
                before = self._both()
                self._take(one)
                self._keep(one, update, before)
            now = self.own.accepted
            if found[-1][1] is not now and not same_scalar(found[-1][1], now):
                found.append((one.place, now))
        return tuple(found)

    def _both(self) -> tuple[_Standing, _Standing]:
        return self.member.copy(), self.own.copy()

    def _keep(self, item: Item, update: Transition, before: tuple[_Standing, _Standing]) -> None:
        """Remember an update that can be withdrawn, unless nothing is known of it."""
        source = item.text if item.image is None else item.image
        missed = item.image is not None and not self.faults.trusting
        if missed or source in self.sources:
            self.saved[update.id] = (*before, *self._both())
            self.mutations[update.id] = update.mutation

    def _take(self, item: Item) -> None:
        heard = item.text in self.sources and not self.faults.no_texts
        if heard and item.transition is not None and item.transition.event is not Event.APPLY:
            if not self.faults.no_withdrawals:
                self._put_back(item.transition.of, item.transition.event)
            return
        for mutation in item.says if heard else ():
            self._hear(mutation)
        if item.shows is None:
            return
        declared = heard and any(touches(self.schema, one, self.where) for one in item.declares)
        if item.image in self.sources:
            self._see(item.shows, item.entities, declared=declared)
        elif not self.faults.trusting:
            self._miss(item.shows, declared=declared)

    def _miss(self, shows: Mapping[Component, Content], *, declared: bool) -> None:
        """Leave open what an image displays that is not seen."""
        if self.where in shows or self.where.part is Part.MEMBER:
            self.own.visual = UNREAD
            if declared or not self.own.governed:
                self.own.accepted, self.own.governed = UNREAD, False

    def _put_back(self, of: str, event: Event) -> None:
        if of not in self.saved:
            return
        first = 0 if event is Event.DISREGARD else 2
        member, own = self.saved[of][first : first + 2]
        mutation = self.mutations[of]
        if touches(self.schema, mutation, self.membership) and self.member is not self.own:
            self.member = member.copy()
        if touches(self.schema, mutation, self.where):
            self.own = own.copy()
            if self.where == self.membership:
                self.member = self.own

    def _hear(self, mutation: Mutation) -> None:
        """Take over what a text states."""
        where = self.where
        for new in mutation.added:
            if new.key == where.entity:
                self._set(self.member, True)
                if where.part is Part.CELL:
                    self.own.accepted = new.values.get(where.field)
                    self.own.governed = where.field in new.values
        if where.entity and where.entity in mutation.removed:
            self._set(self.member, ABSENT)
            if where.part is Part.CELL:
                self.own.accepted, self.own.governed = ABSENT, False
        for one in mutation.cells:
            if where == (Part.CELL, one.entity, one.field):
                if one.delta is None:
                    self._set(self.own, one.value)
                else:
                    self._set(self.own, self._shifted(one.delta, Transform.SHIFT))
        for block in mutation.blocks:
            there = bool(block.entities) or self.member.accepted is True
            if there and block_touches(self.schema, block, where):
                self._set(self.own, self._transformed(block))
        for rule in mutation.rules:
            if where == (Part.RULE, "", rule.key):
                self._set(self.own, rule.content)
        if mutation.order and where == (Part.ORDER, "", mutation.order):
            self._set(self.own, mutation.sequence)

    @staticmethod
    def _set(standing: _Standing, content: Read) -> None:
        standing.accepted, standing.governed = content, True

    def _transformed(self, block: Block) -> Read:
        if block.transform is Transform.SET:
            return block.amount
        assert isinstance(block.amount, int | float)
        return self._shifted(block.amount, block.transform)

    def _shifted(self, amount: int | float, transform: Transform) -> Read:
        old = self.own.accepted
        if not is_number(old):
            return old
        assert isinstance(old, int | float)
        combine = add if transform is Transform.SHIFT else multiply
        decimals = self.schema.field_by_key[self.where.field].decimals
        return rounded(combine(exact(old), exact(amount)), decimals)

    def _see(
        self, shows: Mapping[Component, Content], entities: Collection[str], *, declared: bool
    ) -> None:
        """Take over what an image shows, where no text governs it."""
        if self.where.part in (Part.CELL, Part.MEMBER):
            there = self.where.entity in entities
            self._follow(self.member, True if there else ABSENT, declared=False)
            if self.where.part is Part.MEMBER:
                return
            if not there:
                self.own.visual = ABSENT
                if self.member.accepted is ABSENT:
                    self.own.accepted, self.own.governed = ABSENT, False
                return
            if self.member.accepted is not True:
                self.own.visual = shows.get(self.where, self.own.visual)
                return
        if self.where in shows:
            self._follow(self.own, shows[self.where], declared=declared)

    def _follow(self, standing: _Standing, content: Maybe, *, declared: bool) -> None:
        new = not same_scalar(standing.visual, content) or standing.accepted is UNREAD
        standing.visual = content
        if declared:
            standing.accepted, standing.governed = content, False
        elif self.faults.newest_image or (new and not standing.governed):
            standing.accepted = content
