"""Plans that pick entities out: which, or how many, fulfil something."""

from collections.abc import Iterator
from typing import ClassVar

from mnemoscope.core.harness.questions.plan import Plan, named
from mnemoscope.core.harness.questions.quantity import (
    clauses_of,
    fulfils,
)
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import CountGold, ListGold, TypedGold
from mnemoscope.core.state.component import ABSENT, cell, cue
from mnemoscope.core.state.rule import Clause
from mnemoscope.core.state.values import (
    same_scalar,
)

__all__ = ["Chosen", "Disputed", "Members", "Restyled", "Turned"]


_MOST = 6
"""How many names an answer may list."""


@value
class Members:
    """Which entities a plan is about."""

    entities: tuple[str, ...]
    """All that might be among them."""
    place: int
    named: bool = False
    """Whether the question names them; else they are those that are accepted."""
    clauses: tuple[Clause, ...] = ()
    """What they fulfil."""
    rule: str = ""
    """The predicate that they fulfil, as accepted then."""

    def among(self, view: View) -> Iterator[str]:
        """Those that are accepted and fulfil what they have to.

        Raises:
            UnreadError: The sources do not tell, or a cell that decides is blank.
        """
        wanted = self.clauses
        if self.rule:
            wanted = (*wanted, *clauses_of(view, self.rule, self.place))
        for one in self.entities:
            if view.is_member(one, self.place):
                if fulfils(view, one, wanted, self.place):
                    yield one
            else:
                view.settle(not self.named, one)

    @property
    def mentioned(self) -> tuple[str, ...]:
        """Those that the question names."""
        return self.entities if self.named else ()


@value
class Chosen(Plan):
    """Which fulfil something, or how many."""

    slug: ClassVar[str] = "chosen"
    members: Members
    counted: bool = False

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.members.mentioned

    def answer(self, view: View) -> TypedGold:
        """Their names now, or their number."""
        found = list(self.members.among(view))
        if self.counted:
            return CountGold(count=len(found))
        view.settle(0 < len(found) <= _MOST, "none, or too many to list")
        return ListGold(ordered=False, items=named(view, found))


@value
class Turned(Plan):
    """Which entities fulfilled a rule at one place and not at a later one, or the reverse."""

    slug: ClassVar[str] = "turned"
    candidates: tuple[str, ...]
    rule: str
    then: int
    later: int
    lost: bool
    """Whether they fulfilled it before; else they did not and do later."""

    def entities(self) -> tuple[str, ...]:
        """None: the question asks for them."""
        return ()

    def answer(self, view: View) -> TypedGold:
        """Their names now; entities that are not accepted at both places are left out."""
        rules = [clauses_of(view, self.rule, place) for place in (self.then, self.later)]
        found = []
        for one in self.candidates:
            if view.is_member(one, self.then) and view.is_member(one, self.later):
                then = fulfils(view, one, rules[0], self.then)
                later = fulfils(view, one, rules[1], self.later)
                if then is self.lost and later is not self.lost:
                    found.append(one)
        view.settle(0 < len(found) <= _MOST, "none, or too many to list")
        return ListGold(ordered=False, items=named(view, found))


@value
class Disputed(Plan):
    """Which entities the last image shows with another value than the accepted one."""

    slug: ClassVar[str] = "disputed"
    candidates: tuple[str, ...]
    key: str
    place: int

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.candidates

    def answer(self, view: View) -> TypedGold:
        """Their names now."""
        found = []
        for one in self.candidates:
            where = cell(one, self.key)
            accepted, shown = view.accepted(where, self.place), view.shown(where, self.place)
            view.settle(accepted is not ABSENT, one)
            if not same_scalar(accepted, shown):
                found.append(one)
        view.settle(bool(found), "none")
        return ListGold(ordered=False, items=named(view, found))


@value
class Restyled(Plan):
    """Which entities have a field in bold or italics on one image and not on another."""

    slug: ClassVar[str] = "restyled"
    candidates: tuple[str, ...]
    key: str
    styled: int
    """Up to this place the last image that shows the cell has it styled."""
    plain: int

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.candidates

    def answer(self, view: View) -> TypedGold:
        """Their names now."""
        found = [
            one
            for one in self.candidates
            if view.shown(cue(one, self.key), self.styled) is not ABSENT
            and view.shown(cue(one, self.key), self.plain) is ABSENT
        ]
        view.settle(0 < len(found) < len(self.candidates), "none, or all")
        return ListGold(ordered=False, items=named(view, found))
