"""Plans over one field of several entities: the best, the order, the sum, the mean, a share."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import ClassVar

from mnemoscope.core.harness.questions.plan import Plan, decimals_of, named
from mnemoscope.core.harness.questions.plan_sets import Members
from mnemoscope.core.harness.questions.quantity import known, number, quantity, typed
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import ListGold, NumberGold, TypedGold
from mnemoscope.core.state.values import add, divide, exact, multiply, rounded, subtract

__all__ = ["Best", "Combine", "GroupFigure", "Hop", "Ranking", "Risen"]


@value
class _Column(Plan):
    """One field of some entities."""

    members: Members
    key: str
    place: int
    """After which block the field is read; who they are may be settled at another place."""

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.members.mentioned

    def column(self, view: View) -> dict[str, Decimal]:
        """Their numbers.

        Raises:
            UnreadError: One of them has none.
        """
        return {
            one: exact(number(known(quantity(view, one, self.key, self.place))))
            for one in self.members.among(view)
        }


@value
class Best(_Column):
    """The one with the largest or the least value; none where two share it."""

    slug: ClassVar[str] = "best"
    descending: bool = True

    def answer(self, view: View) -> TypedGold:
        """Its name now."""
        return named(view, [self.winner(view)])[0]

    def winner(self, view: View) -> str:
        """Which it is.

        Raises:
            UnreadError: The sources do not tell, or two share the value.
        """
        column = self.column(view)
        if not column:
            raise UnreadError("nothing to compare")
        best = (max if self.descending else min)(column.values())
        found = [one for one, content in column.items() if content == best]
        view.settle(len(found) == 1 and len(column) > 1, "a tie, or nothing to compare")
        return found[0]


@value
class Hop(Plan):
    """Something of whichever entity had the largest or the least value."""

    slug: ClassVar[str] = "hop"
    best: Best
    key: str
    place: int
    """After which block it is read."""

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.best.entities()

    def answer(self, view: View) -> TypedGold:
        """Its value."""
        entity = self.best.winner(view)
        if not view.is_member(entity, self.place):
            raise UnreadError(entity)
        return typed(view.schema, self.key, quantity(view, entity, self.key, self.place))


@value
class Ranking(_Column):
    """All of them, the best first; none where two are equal."""

    slug: ClassVar[str] = "ranking"
    descending: bool = True

    def answer(self, view: View) -> TypedGold:
        """Their names now, in order."""
        column = self.column(view)
        apart = len(set(column.values())) == len(column)
        view.settle(apart and len(column) > 1, "a tie, or nothing to compare")
        ordered = sorted(column, key=lambda one: column[one], reverse=self.descending)
        return ListGold(ordered=True, items=named(view, ordered))


class Combine(StrEnum):
    """What is made of the numbers of a column."""

    SUM = "sum"
    MEAN = "mean"


@value
class GroupFigure(_Column):
    """The sum or mean over some entities, or what share one of them has in the sum."""

    slug: ClassVar[str] = "figure"
    by: Combine = Combine.SUM
    share_of: str = ""
    """The entity whose share in percent is asked for."""

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        own = (self.share_of,) if self.share_of else ()
        return (*own, *(one for one in self.members.mentioned if one not in own))

    def answer(self, view: View) -> TypedGold:
        """The figure."""
        column = self.column(view)
        if not column:
            raise UnreadError("none")
        view.settle(len(column) > 1, "too few")
        total = _total(list(column.values()))
        if self.share_of:
            own = column.get(self.share_of)
            share = None if own is None else divide(multiply(own, Decimal(100)), total)
            if share is None:
                raise UnreadError(self.share_of)
            return NumberGold(number=rounded(share, 1), unit="%", decimals=1, tolerance=0.1)
        decimals, unit = decimals_of(view.schema, self.key), view.schema.unit(self.key)
        if self.by is Combine.SUM:
            return NumberGold(number=rounded(total, decimals), unit=unit, decimals=decimals)
        decimals = (decimals or 0) + 1
        mean = divide(total, Decimal(len(column)))
        assert mean is not None
        return NumberGold(
            number=rounded(mean, decimals),
            unit=unit,
            decimals=decimals,
            tolerance=float(Decimal(1).scaleb(-decimals)),
        )


def _total(numbers: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for one in numbers:
        total = add(total, one)
    return total


@value
class Risen(Plan):
    """Whose value rose most, or fell most, of some entities."""

    slug: ClassVar[str] = "risen"
    candidates: tuple[str, ...]
    key: str
    then: int
    later: int
    rise: bool

    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""
        return self.candidates

    def answer(self, view: View) -> TypedGold:
        """Its name now."""
        steps = {}
        for one in self.candidates:
            pair = (
                exact(number(quantity(view, one, self.key, place)))
                for place in (self.later, self.then)
            )
            steps[one] = subtract(*pair)
        best = (max if self.rise else min)(steps.values())
        found = [one for one, step in steps.items() if step == best]
        moved = best > 0 if self.rise else best < 0
        view.settle(len(found) == 1 and moved, "a tie, or none")
        return named(view, found)[0]
