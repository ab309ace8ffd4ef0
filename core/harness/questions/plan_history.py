"""Plans about changes: which there were, how many, in what order, what came and went."""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from mnemoscope.core.harness.questions.plan import Plan, named
from mnemoscope.core.harness.questions.quantity import number, typed
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    ListGold,
    NameGold,
    SimpleGold,
    TypedGold,
)
from mnemoscope.core.state.component import Component, Maybe
from mnemoscope.core.state.values import exact, subtract

__all__ = [
    *("ChangeCount", "Extreme", "LargestStep", "LastChanged", "MostChanged", "Moved"),
    *("NthStep", "Renamed", "Successive"),
]


_MOST = 6
"""How many names an answer may list."""


def _contents(view: View, where: Component, first: int, last: int) -> list[Maybe]:
    return [content for _, content in view.changes(where, first, last)]


@value
class _OfCell(Plan):
    """What was accepted of one cell from one place to another."""

    where: Component
    first: int
    last: int

    def entities(self) -> tuple[str, ...]:
        """Whose cell it is."""
        return (self.where.entity,) if self.where.entity else ()

    def values(self, view: View) -> tuple[SimpleGold, ...]:
        """The accepted values in order.

        Raises:
            UnreadError: The sources do not tell, or a value was blank or absent for a time.
        """
        found = _contents(view, self.where, self.first, self.last)
        return tuple(typed(view.schema, self.where.field, one) for one in found)


@value
class Successive(_OfCell):
    """Every accepted value in turn, the first included."""

    slug: ClassVar[str] = "successive"

    def answer(self, view: View) -> TypedGold:
        """The values."""
        found = self.values(view)
        view.settle(len(found) > 1, "no change")
        return ListGold(ordered=True, items=found)


@value
class NthStep(_OfCell):
    """From what to what one of the changes led."""

    slug: ClassVar[str] = "nth_step"
    nth: int
    """Which one, from 1; -1 is the last."""

    def answer(self, view: View) -> TypedGold:
        """Before and after."""
        found = self.values(view)
        at = len(found) - 1 if self.nth < 0 else self.nth
        if not 1 <= at < len(found):
            raise UnreadError("no such change")
        return ListGold(ordered=True, items=found[at - 1 : at + 1])


@value
class LargestStep(_OfCell):
    """From what to what the largest of the changes led."""

    slug: ClassVar[str] = "largest_step"

    def answer(self, view: View) -> TypedGold:
        """Before and after."""
        contents = _contents(view, self.where, self.first, self.last)
        numbers = [exact(number(one)) for one in contents]
        steps = [abs(subtract(b, a)) for a, b in pairwise(numbers)]
        if not steps:
            raise UnreadError("no change")
        view.settle(len(steps) > 1 and steps.count(max(steps)) == 1, "no largest change")
        at = steps.index(max(steps))
        pair = tuple(typed(view.schema, self.where.field, one) for one in contents[at : at + 2])
        return ListGold(ordered=True, items=pair)


@value
class Extreme(_OfCell):
    """The largest or the least value that was ever accepted."""

    slug: ClassVar[str] = "extreme"
    largest: bool

    def answer(self, view: View) -> TypedGold:
        """The value."""
        contents = _contents(view, self.where, self.first, self.last)
        view.settle(len(contents) > 2, "too few values")
        numbers = [number(one) for one in contents]
        best = (max if self.largest else min)(numbers)
        return typed(view.schema, self.where.field, best)


@value
class ChangeCount(Plan):
    """How often what is accepted of some cells has changed."""

    slug: ClassVar[str] = "change_count"
    cells: tuple[Component, ...]
    first: int
    last: int

    def entities(self) -> tuple[str, ...]:
        """Whose cells they are."""
        return tuple(dict.fromkeys(one.entity for one in self.cells if one.entity))

    def answer(self, view: View) -> TypedGold:
        """The number of changes, all cells taken together."""
        counts = self.counts(view)
        return CountGold(count=sum(counts))

    def counts(self, view: View) -> list[int]:
        """How often each has changed."""
        return [len(_contents(view, one, self.first, self.last)) - 1 for one in self.cells]


@value
class MostChanged(ChangeCount):
    """Whose cell has changed most often."""

    slug: ClassVar[str] = "most_changed"

    def answer(self, view: View) -> TypedGold:
        """The name now of the one; none where two are equal."""
        counts = self.counts(view)
        view.settle(counts.count(max(counts)) == 1, "a tie")
        return named(view, [self.cells[counts.index(max(counts))].entity])[0]


@value
class LastChanged(ChangeCount):
    """Whose cell has changed last of all."""

    slug: ClassVar[str] = "last_changed"

    def answer(self, view: View) -> TypedGold:
        """The name now of the one; none where two changed in the same round."""
        places: Sequence[int] = [
            view.changes(one, self.first, self.last)[-1][0] for one in self.cells
        ]
        latest = max(places)
        view.settle(places.count(latest) == 1 and latest > self.first, "a tie, or none")
        return named(view, [self.cells[places.index(latest)].entity])[0]


@value
class Moved(Plan):
    """Which entities were accepted at the one place and not at the other."""

    slug: ClassVar[str] = "moved"
    candidates: tuple[str, ...]
    there: int
    """Where they were accepted."""
    missing: int
    """Where they were not."""

    def entities(self) -> tuple[str, ...]:
        """None: the question asks for them."""
        return ()

    def answer(self, view: View) -> TypedGold:
        """Their names now, or what they were called last."""
        found = [
            one
            for one in self.candidates
            if view.is_member(one, self.there) and not view.is_member(one, self.missing)
        ]
        view.settle(0 < len(found) <= _MOST, "none, or too many to list")
        return ListGold(ordered=False, items=named(view, found))


@value
class Renamed(Plan):
    """What an entity that is named by a former name is called now, and one of its values."""

    slug: ClassVar[str] = "renamed"
    name: Component
    """The cell of its name."""
    former: str
    where: Component
    """The cell that is asked for."""
    place: int

    def entities(self) -> tuple[str, ...]:
        """None by the name that it has now."""
        return ()

    def answer(self, view: View) -> TypedGold:
        """The name now, and the value."""
        names = [str(one) for one in _contents(view, self.name, 0, self.place)]
        if self.former not in names[:-1]:
            raise UnreadError(self.former)
        found = typed(view.schema, self.where.field, view.accepted(self.where, self.place))
        return ListGold(ordered=True, items=(NameGold(name=names[-1]), found))
