"""Desks: what whoever writes the questions of a scenario has at hand."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.dialogue.speech import amount_in_words, joined
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.forms import forms
from mnemoscope.core.harness.questions.moments import Moment, moments_of
from mnemoscope.core.harness.questions.names import Names
from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.harness.questions.reader import Reader
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.source import items_of
from mnemoscope.core.harness.questions.view import Truths, TruthView
from mnemoscope.core.harness.questions.words import column
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import TypedGold
from mnemoscope.core.state.component import Component, Maybe, Part, cell, member, members
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.values import is_number

__all__ = ["Desk", "Draft"]


T = TypeVar("T")


@value
class Draft:
    """A question before it is checked."""

    category: Category
    family: str
    """What kind of question it is, finer than its category."""
    text: str
    plan: Plan
    premise: str = ""
    """What is false about it, and what is the case."""


class Desk:
    """One scenario, its truth, its visible sources, and a stream of choices."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.chance = Chance(scenario.pack.name, scenario.seed, "questions")
        self.pack = scenario.pack
        self.schema = scenario.truth.trajectory.schema
        self.reader = Reader(self.schema, items_of(scenario))
        self.truths = Truths(scenario)
        self.names = Names(self.truths)
        self.last = len(scenario.blocks) - 1
        self.moments = tuple(moments_of(scenario, self.names))
        self._found: dict[str, Any] = {}  # Any: what each search finds

    # What there is to ask about.

    @cached_property
    def entities(self) -> tuple[str, ...]:
        """Every entity that was ever accepted, and has a name of its own."""
        return tuple(one for one in self.names.label if self.names.is_clear(one))

    @cached_property
    def every(self) -> tuple[str, ...]:
        """Every entity that there ever was, accepted or only on an image."""
        return self.names.entities

    @cached_property
    def present(self) -> tuple[str, ...]:
        """Those that are accepted now."""
        now = members(self.truths.moments[self.last].accepted)
        return tuple(one for one in self.entities if one in now)

    def fields(self, *kinds: FieldKind, role: FieldRole | None = None) -> list[Field]:
        """The fields of some kinds."""
        return [
            one
            for one in self.schema.fields
            if one.kind in kinds and (role is None or one.role is role)
        ]

    @cached_property
    def numeric(self) -> list[Field]:
        """The fields of numbers."""
        return self.fields(FieldKind.NUMBER)

    @cached_property
    def heat(self) -> dict[Component, int]:
        """How much there is to know of each cell: what changed, was contested, or taken back."""
        now = self.truths.moments[self.last]
        found = {}
        taken = {
            one.component
            for record in self.scenario.truth.trajectory.records
            if record.transition.event is not Event.APPLY
            for one in record.changes
        }
        for entity in self.present:
            for field in self.schema.fields:
                where = cell(entity, field.key)
                if now.accepted.get(where) is None:
                    continue
                found[where] = (
                    1
                    + 4 * min(len(self.truths.changes.get(where, ())), 4)
                    + 6 * (now.shown.get(where) != now.accepted.get(where))
                    + 6 * (where in taken)
                )
        return found

    def some_cells(
        self, count: int, fields: Sequence[Field], *, once: bool = False
    ) -> list[Component]:
        """Some cells of entities that are accepted now, the more there is to know the likelier.

        Args:
            count: How many.
            fields: Of which fields.
            once: Whether no entity comes twice.
        """
        keys = {one.key for one in fields}
        free = {one: heat for one, heat in self.heat.items() if one.field in keys}
        found: list[Component] = []
        while free and len(found) < count:
            one = self.chance.weighted(list(free), list(free.values()))
            found.append(one)
            free = {
                other: heat
                for other, heat in free.items()
                if other != one and not (once and other.entity == one.entity)
            }
        return found

    def changed_cells(self, least: int, fields: Sequence[Field] | None = None) -> list[Component]:
        """The cells whose accepted value changed at least so often while they were there."""
        keys = {one.key for one in fields or self.schema.fields}
        return [
            where
            for where in self.heat
            if where.field in keys and len(self.truths.changes.get(where, ())) >= least
        ]

    def since(self, entity: str) -> int:
        """From which place on an entity is accepted without a break until it is not any more."""
        place = 0
        for at, content in self.truths.changes.get(member(entity), ()):
            place = at if content is True else place
        return place

    def moment(self, entities: Iterable[str] = (), *, before: int | None = None) -> Moment | None:
        """A moment at which some entities were accepted; None where there is none."""
        limit = self.last if before is None else before
        fitting = [
            one
            for one in self.moments
            if one.place < limit and all(self.is_there(each, one.place) for each in entities)
        ]
        return self.chance.pick(fitting) if fitting else None

    def two_moments(self, entities: Sequence[str]) -> tuple[Moment, Moment] | None:
        """Two moments, the earlier one first."""
        one, other = self.moment(entities), self.moment(entities)
        if one is None or other is None or one.place == other.place:
            return None
        return (one, other) if one.place < other.place else (other, one)

    def is_there(self, entity: str, place: int) -> bool:
        """Whether an entity is accepted after a place."""
        return self.truths.moments[place].accepted.get(member(entity)) is True

    def accepted(self, where: Component, place: int) -> Maybe:
        """What is accepted of a component after a place."""
        return self.truths.moments[place].accepted.get(where)

    def is_numeric(self, where: Component, place: int) -> bool:
        """Whether a number is accepted in a cell after a place."""
        return is_number(self.accepted(where, place))

    def answer(self, plan: Plan) -> TypedGold | None:
        """The answer of a plan from the truth; None where there is no single one."""
        try:
            return plan.answer(TruthView(self.truths))
        except UnreadError:
            return None

    def once(self, name: str, find: Callable[[], T]) -> T:
        """What a search finds, which is the same whenever it is made."""
        if name not in self._found:
            self._found[name] = find()
        found: T = self._found[name]
        return found

    # How it is said.

    def say(self, kind: str, /, **slots: str) -> str:
        """One of the forms of a question, filled in, its start capitalised."""
        entity = self.pack.entity.replace("_", " ")
        form = self.chance.pick(forms()[kind])
        text = form.format(entity=entity, plural=self.pack.plural, **slots)
        return text[:1].upper() + text[1:]

    def label(self, entity: str) -> str:
        """What an entity is called."""
        return self.names.label[entity]

    def labels(self, entities: Iterable[str], last: str = "and") -> str:
        """What several are called."""
        return joined((self.label(one) for one in entities), last)

    def column(self, key: str) -> str:
        """A field or dependency in a sentence: ``latency figure``, ``family entry``."""
        return column(self.schema, key)

    def thing(self, where: Component) -> str:
        """A cell in a sentence: ``the latency figure of Relay``."""
        return f"the {self.column(where.field)} of {self.label(where.entity)}"

    def amount(self, where: Component, content: Maybe) -> str:
        """A content of a cell in a sentence."""
        return amount_in_words(self.schema, where.field, content)

    def revision(self, image: str) -> str:
        """An image in a sentence."""
        return self.names.revision(image)

    def is_cell(self, where: Component) -> bool:
        """Whether a component is a cell of an entity that can be named."""
        return where.part is Part.CELL and where.entity in self.names.label
