"""Plans: what has to be read for an answer, and what is done with it.

A plan is data: the same one answers from the recorded truth, from what is visible of the
conversation, and from what a faulty memory makes of that.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any, ClassVar

from mnemoscope.core.harness.questions.quantity import POINTS, quantity, typed
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    ListGold,
    NameGold,
    NumberGold,
    SimpleGold,
    TextGold,
    TypedGold,
)
from mnemoscope.core.state.component import Component, Part, order
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import add, divide, exact, multiply, rounded, subtract

__all__ = [
    "At",
    "Change",
    "Gap",
    "Mean",
    "Plan",
    "Swing",
    "Total",
    "Values",
    "decimals_of",
    "plan_json",
]


@value
class At:
    """One value to read."""

    where: Component
    """A cell, a rule, or a dependent of an entity, which is computed anew."""
    place: int
    """After which block, by number from 0."""
    shown: bool = False
    """What the last image displays, instead of what is accepted."""
    context: str = ""
    """Of what is shown: another context."""

    def read(self, view: View) -> SimpleGold:
        """The value, typed.

        Raises:
            UnreadError: The sources do not tell, or there is none.
        """
        where = self.where
        if self.shown:
            return typed(view.schema, where.field, view.shown(where, self.place, self.context))
        if where.part is Part.DEPENDENT:
            content = quantity(view, where.entity, where.field, self.place)
            return typed(view.schema, where.field, content)
        return typed(view.schema, where.field, view.accepted(where, self.place))


class Plan(ABC):
    """What to read and what to do with it."""

    slug: ClassVar[str]
    """The name of the operation."""

    @abstractmethod
    def answer(self, view: View) -> TypedGold:
        """The answer as far as a view tells.

        Raises:
            UnreadError: It does not tell, or there is no single answer.
        """

    @abstractmethod
    def entities(self) -> tuple[str, ...]:
        """The entities that the question names."""


def plan_json(plan: Plan) -> dict[str, Any]:
    """A plan as JSON, for machines: the operation and what it reads."""
    return {"operation": plan.slug, **_fields(plan)}


def _fields(found: Any) -> dict[str, Any]:
    # Any: a dataclass of whatever kind, and JSON.
    return {one.name: plain(getattr(found, one.name)) for one in fields(found)}


def plain(found: object) -> Any:
    """A part of a plan as JSON; hence Any."""
    if isinstance(found, Plan):
        return plan_json(found)
    if isinstance(found, Component):
        return {"part": str(found.part), "entity": found.entity, "field": found.field}
    if isinstance(found, tuple):
        return [plain(one) for one in found]
    if is_dataclass(found):
        return _fields(found)
    return found if found is None or isinstance(found, bool | int | float) else str(found)


def owners(reads: Iterable[At]) -> tuple[str, ...]:
    """The entities of some readings, each once."""
    return tuple(dict.fromkeys(one.where.entity for one in reads if one.where.entity))


_UNKNOWN = TextGold(text="unknown")


@value
class Values(Plan):
    """One value, or several in the order in which they are asked for."""

    slug: ClassVar[str] = "values"
    reads: tuple[At, ...]

    def answer(self, view: View) -> TypedGold:
        """The values."""
        if len(self.reads) == 1:
            return self.reads[0].read(view)
        found = tuple(self._read(view, one) for one in self.reads)
        if _UNKNOWN in found and len(set(map(str, found))) == 1:
            raise UnreadError("none of them")
        return ListGold(ordered=True, items=found)

    @staticmethod
    def _read(view: View, one: At) -> SimpleGold:
        """A value; a view that only answers says of what it does not know that it does not."""
        try:
            return one.read(view)
        except UnreadError:
            if view.strict:
                raise
            return _UNKNOWN

    def entities(self) -> tuple[str, ...]:
        """Whose values they are."""
        return owners(self.reads)


@value
class Orders(Plan):
    """An ordering of groups at two places, one after the other."""

    slug: ClassVar[str] = "orders"
    key: str
    places: tuple[int, int]

    def answer(self, view: View) -> TypedGold:
        """The groups, both times; the orders have to differ."""
        first, then = (view.accepted(order(self.key), one) for one in self.places)
        if not isinstance(first, tuple) or not isinstance(then, tuple) or first == then:
            raise UnreadError(self.key)
        items = tuple(TextGold(text=str(one)) for one in (*first, *then))
        return ListGold(ordered=True, items=items)

    def entities(self) -> tuple[str, ...]:
        """None."""
        return ()


@value
class Numbers(Plan):
    """Some numbers of one field."""

    reads: tuple[At, ...]

    def entities(self) -> tuple[str, ...]:
        """Whose numbers they are."""
        return owners(self.reads)

    def numbers(self, view: View) -> list[Decimal]:
        """The numbers, exact.

        Raises:
            UnreadError: One of them is none.
        """
        return [exact(number_in(one.read(view))) for one in self.reads]

    def answer(self, view: View) -> TypedGold:
        """What is computed from them."""
        found = self.of(view.schema, self.numbers(view))
        view.settle(bool(found.number), "no difference")
        return found

    @abstractmethod
    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """What is computed from some numbers in place of those read."""

    def _result(
        self, schema: Schema, result: Decimal | None, *, more: int = 0, apart: bool = False
    ) -> NumberGold:
        """A result to the digits of the field, or more of them; then the last may be one off."""
        key = self.reads[0].where.field
        decimals = decimals_of(schema, key)
        if result is None:
            raise UnreadError(key)
        if more and decimals is not None:
            decimals += more
        tolerance = 0 if decimals is None or not more else float(Decimal(1).scaleb(-decimals))
        return NumberGold(
            number=rounded(result, decimals),
            unit=POINTS if apart and schema.unit(key) == "%" else schema.unit(key),
            also_units=("%",) if apart and schema.unit(key) == "%" else (),
            decimals=decimals,
            tolerance=tolerance,
        )


@value
class Total(Numbers):
    """The sum."""

    slug: ClassVar[str] = "total"

    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """Their sum."""
        return self._result(schema, _sum(numbers))


@value
class Mean(Numbers):
    """The mean, to one digit more than the field has."""

    slug: ClassVar[str] = "mean"

    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """Their mean."""
        return self._result(schema, divide(_sum(numbers), Decimal(len(numbers))), more=1)


@value
class Gap(Numbers):
    """How far two numbers are apart."""

    slug: ClassVar[str] = "gap"

    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """The larger less the smaller."""
        one, other = numbers
        return self._result(schema, abs(subtract(one, other)), apart=True)


@value
class Swing(Numbers):
    """How far the sums of the first and of the second half of the numbers are apart."""

    slug: ClassVar[str] = "swing"

    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """The larger sum less the smaller."""
        half = len(numbers) // 2
        one, other = _sum(numbers[:half]), _sum(numbers[half:])
        return self._result(schema, abs(subtract(one, other)), apart=True)


@value
class Change(Numbers):
    """By how many percent the second differs from the first, to one digit."""

    slug: ClassVar[str] = "percent_change"

    def of(self, schema: Schema, numbers: Sequence[Decimal]) -> NumberGold:
        """The change; negative for a fall."""
        one, other = numbers
        share = divide(multiply(subtract(other, one), Decimal(100)), one)
        if share is None:
            raise UnreadError("a change from nothing")
        return NumberGold(number=rounded(share, 1), unit="%", decimals=1, tolerance=0.1)


def number_in(gold: SimpleGold) -> int | float:
    """The number of a gold.

    Raises:
        UnreadError: It is none.
    """
    match gold:
        case NumberGold():
            return gold.number
        case CountGold():
            return gold.count
    raise UnreadError(str(gold))


def _sum(numbers: Iterable[Decimal]) -> Decimal:
    total = Decimal(0)
    for one in numbers:
        total = add(total, one)
    return total


def decimals_of(schema: Schema, key: str) -> int | None:
    """The digits after the point that a field or dependency has."""
    field = schema.field_by_key.get(key)
    if field is not None:
        return field.decimals
    found = schema.dependency_by_key[key]
    if found.decimals is None and found.of:
        return decimals_of(schema, found.of[0])
    return found.decimals


def named(view: View, entities: Iterable[str]) -> tuple[NameGold, ...]:
    """What some entities are called now.

    Raises:
        UnreadError: The sources do not tell.
    """
    return tuple(NameGold(name=view.name(one)) for one in entities)
