"""Plans of questions that take something false for granted."""

from typing import ClassVar

from mnemoscope.core.harness.questions.plan import At, Numbers, Plan, number_in
from mnemoscope.core.harness.questions.plan_history import Successive
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    ListGold,
    NameGold,
    PremiseProblem,
    RefusalGold,
    TypedGold,
)
from mnemoscope.core.state.component import ABSENT, Component, member
from mnemoscope.core.state.values import Number, exact

__all__ = ["Direction", "FalseInput", "Gone", "OneEntity", "Unshown", "WrongCount"]


@value
class FalseInput(Plan):
    """A computation of which the question states one number falsely."""

    slug: ClassVar[str] = "false_input"
    problem: PremiseProblem
    inner: Numbers
    at: int
    """Which of its numbers the question states."""
    claimed: Number
    """As what it states it."""

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.inner.entities()

    def answer(self, view: View) -> TypedGold:
        """What it comes to with the stated number, and what with the accepted one."""
        numbers = self.inner.numbers(view)
        false = list(numbers)
        false[self.at] = exact(self.claimed)
        right, wrong = (self.inner.of(view.schema, one) for one in (numbers, false))
        if right.number == wrong.number:
            raise UnreadError("what is stated makes no difference")
        view.settle(bool(right.number), "no difference")
        return RefusalGold(problem=self.problem, premise="", claimed=wrong, actual=right)


@value
class Gone(Plan):
    """Something is asked of an entity that was removed, beside others that are there."""

    slug: ClassVar[str] = "gone"
    entity: str
    then: int
    """A place where it was there."""
    now: int

    def entities(self) -> tuple[str, ...]:
        """The entity."""
        return (self.entity,)

    def answer(self, view: View) -> TypedGold:
        """That it was removed."""
        was, now = (view.accepted(member(self.entity), one) for one in (self.then, self.now))
        if was is ABSENT or now is not ABSENT:
            raise UnreadError(self.entity)
        return RefusalGold(problem=PremiseProblem.REMOVED, premise="")


@value
class OneEntity(Plan):
    """Two names are taken for two entities."""

    slug: ClassVar[str] = "one_entity"
    where: Component
    """The cell of its name."""
    former: str
    place: int

    def entities(self) -> tuple[str, ...]:
        """The entity."""
        return (self.where.entity,)

    def answer(self, view: View) -> TypedGold:
        """That both are names of one."""
        names = [str(one) for _, one in view.changes(self.where, 0, self.place)]
        if self.former not in names[:-1]:
            raise UnreadError(self.former)
        return RefusalGold(
            problem=PremiseProblem.RENAMED, premise="", actual=NameGold(name=names[-1])
        )


@value
class Direction(Plan):
    """A value is said to have risen, or fallen; it has gone the other way."""

    slug: ClassVar[str] = "direction"
    first: At
    then: At
    rise: bool
    """What is said."""

    def entities(self) -> tuple[str, ...]:
        """Whose value it is."""
        return (self.first.where.entity,)

    def answer(self, view: View) -> TypedGold:
        """The two values."""
        pair = self.first.read(view), self.then.read(view)
        one, other = map(number_in, pair)
        if one == other or (other > one) is self.rise:
            raise UnreadError("it is true")
        actual = ListGold(ordered=True, items=pair)
        return RefusalGold(problem=PremiseProblem.NEVER_HAPPENED, premise="", actual=actual)


@value
class WrongCount(Plan):
    """A value is said to have changed in one step, where there were more."""

    slug: ClassVar[str] = "wrong_count"
    inner: Successive
    claimed: int

    def entities(self) -> tuple[str, ...]:
        """Whose value it is."""
        return self.inner.entities()

    def answer(self, view: View) -> TypedGold:
        """Every value in turn."""
        actual = self.inner.answer(view)
        assert isinstance(actual, ListGold)
        if len(actual.items) - 1 == self.claimed:
            raise UnreadError("it is true")
        return RefusalGold(
            problem=PremiseProblem.NEVER_HAPPENED,
            premise="",
            claimed=CountGold(count=self.claimed),
            actual=actual,
        )


@value
class Unshown(Plan):
    """A value is asked for that nothing in the conversation says."""

    slug: ClassVar[str] = "unshown"
    where: Component
    missing: str
    """The context or the like that it is asked for, and that there has been nothing of."""

    def entities(self) -> tuple[str, ...]:
        """Whose value it is."""
        return (self.where.entity,)

    def answer(self, view: View) -> TypedGold:
        """That nothing says it: every image that could was looked at."""
        view.everywhere(self.where)
        return RefusalGold(problem=PremiseProblem.NEVER_SHOWN, premise="")
