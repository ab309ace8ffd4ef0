"""Views: where the plan of a question reads from, and what it has read."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

from mnemoscope.core.harness.questions.reader import Reader, displaying
from mnemoscope.core.harness.questions.reading import (
    HONEST,
    UNREAD,
    Faults,
    Read,
    UnreadError,
)
from mnemoscope.core.harness.questions.source import Source
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import ABSENT, Component, Maybe, Part, cell, member
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.timeline import Moment, Timeline
from mnemoscope.core.state.transition import Sheet

__all__ = ["Look", "Looking", "ReadView", "TruthView", "View"]


class Looking(StrEnum):
    """How a plan looks at a component."""

    ACCEPTED = "accepted"
    """What is accepted after a place."""
    SHOWN = "shown"
    """What the last image up to a place displays."""
    CHANGES = "changes"
    """What was accepted in turn, up to a place."""
    NAME = "name"
    """What an entity is called."""
    EVERYWHERE = "everywhere"
    """Every image that displays it, to be sure that none says something."""


@value
class Look:
    """One thing that a plan has read."""

    how: Looking
    where: Component
    place: int
    """Up to which block, by number from 0."""
    context: str = ""
    """Of what is shown: another context than the scenario's own."""
    first: int = 0
    """Of changes: from which block on."""


class View(ABC):
    """Something to read from; every look is remembered."""

    strict: ClassVar[bool] = True
    """Whether answers have to be fit to be gold."""

    def __init__(self, schema: Schema, last: int) -> None:
        self.schema = schema
        self.last = last
        """The number of the last block."""
        self.looks: dict[Look, None] = {}

    def settle(self, met: bool, problem: str) -> None:
        """See to it that an answer is fit to be gold; a view that only answers lets it pass.

        Raises:
            UnreadError: It is not: there is a tie, nothing, or too much to list.
        """
        if self.strict and not met:
            raise UnreadError(problem)

    def accepted(self, where: Component, place: int) -> Maybe:
        """What is accepted of a component after a place.

        Raises:
            UnreadError: The sources do not tell.
        """
        self.looks[Look(Looking.ACCEPTED, where, place)] = None
        return self._accepted(where, place)

    def shown(self, where: Component, place: int, context: str = "") -> Maybe:
        """What the last image of a context up to a place displays of a component.

        Raises:
            UnreadError: The sources do not tell.
        """
        self.looks[Look(Looking.SHOWN, where, place, context)] = None
        return self._shown(where, place, context)

    def changes(self, where: Component, first: int, place: int) -> Sequence[tuple[int, Maybe]]:
        """What is accepted after a place, and what it changes to up to another, with the places.

        Raises:
            UnreadError: The sources do not tell.
        """
        self.looks[Look(Looking.CHANGES, where, place, first=first)] = None
        steps = self._steps(where)
        now: Read = UNREAD
        found: list[tuple[int, Maybe]] = []
        for at, content in steps:
            if at <= first:
                now = content
            elif at <= place:
                found.append((at, _told(content, where)))
        return [(first, _told(now, where)), *found]

    def name(self, entity: str) -> str:
        """What an entity is called now, or was last; empty for what has been no entity yet.

        Raises:
            UnreadError: The sources do not tell.
        """
        key = self.schema.name_field
        assert key is not None
        where = cell(entity, key.key)
        self.looks[Look(Looking.NAME, where, self.last)] = None
        found = ""
        for _, content in self._steps(where):
            found = "" if content is UNREAD else found if content is ABSENT else str(content)
        if not found:
            raise UnreadError(str(where))
        return found

    def everywhere(self, where: Component) -> None:
        """Look at every image that displays a component, in whatever context.

        Raises:
            UnreadError: The sources lack one of them.
        """
        self.looks[Look(Looking.EVERYWHERE, where, self.last)] = None
        self._everywhere(where)

    def is_member(self, entity: str, place: int) -> bool:
        """Whether an entity is accepted after a place."""
        return self.accepted(member(entity), place) is True

    @abstractmethod
    def _accepted(self, where: Component, place: int) -> Maybe: ...

    @abstractmethod
    def _shown(self, where: Component, place: int, context: str) -> Maybe: ...

    @abstractmethod
    def _steps(self, where: Component) -> Iterable[tuple[int, Read]]:
        """What is accepted, from which place on."""

    @abstractmethod
    def _everywhere(self, where: Component) -> None: ...


def _told(content: Read, where: Component) -> Maybe:
    if content is UNREAD:
        raise UnreadError(str(where))
    return content


class Truths:
    """A scenario's truth by place, as recorded."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        trajectory = scenario.truth.trajectory
        self.timeline = Timeline(trajectory)
        at, count = {one.transition.id: n for n, one in enumerate(trajectory.records, 1)}, 0
        self._counts = []
        for block in scenario.blocks:
            count = at.get(block.transition, count)
            self._counts.append(count)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """The state after each block."""
        known = {count: self.timeline.at(count) for count in dict.fromkeys(self._counts)}
        return tuple(known[count] for count in self._counts)

    @cached_property
    def changes(self) -> dict[Component, list[tuple[int, Maybe]]]:
        """The recorded changes of what is accepted, with their places."""
        found: dict[Component, list[tuple[int, Maybe]]] = {}
        records = self.scenario.truth.trajectory.record_by_id
        for place, block in enumerate(self.scenario.blocks):
            if block.transition:
                for one in records[block.transition].changes:
                    if one.sheet is Sheet.ACCEPTED:
                        found.setdefault(one.component, []).append((place, one.after))
        return found


class TruthView(View):
    """Reads the recorded truth."""

    def __init__(self, truths: Truths) -> None:
        super().__init__(truths.scenario.truth.trajectory.schema, len(truths.scenario.blocks) - 1)
        self._truths = truths

    def _accepted(self, where: Component, place: int) -> Maybe:
        return self._truths.moments[place].accepted.get(where, ABSENT)

    def _steps(self, where: Component) -> Iterable[tuple[int, Read]]:
        yield -1, self._truths.scenario.truth.trajectory.initial.accepted.get(where, ABSENT)
        yield from self._truths.changes.get(where, ())

    def _shown(self, where: Component, place: int, context: str) -> Maybe:
        scenario = self._truths.scenario
        wanted = context or scenario.truth.trajectory.initial.context
        for block in reversed(scenario.blocks[: place + 1]):
            found = scenario.artifact_by_id.get(block.picture)
            if (
                found is not None
                and found.context == wanted
                and displaying(where) in found.shows
                and displaying(where) in scenario.exhibit(block.picture).displayed
            ):
                return found.shows.get(where, ABSENT)
        raise UnreadError(str(where))

    def _everywhere(self, where: Component) -> None:
        pass


class ReadView(View):
    """Reads what some sources say."""

    def __init__(
        self, reader: Reader, last: int, sources: frozenset[Source], faults: Faults = HONEST
    ) -> None:
        super().__init__(reader.schema, last)
        self._reader, self._sources, self._faults = reader, sources, faults
        self._naming = replace(faults, trusting=True)

    def _accepted(self, where: Component, place: int) -> Maybe:
        return self._reader.accepted(where, place, self._sources, self._stance(where))

    def _steps(self, where: Component) -> Iterable[tuple[int, Read]]:
        return self._reader.standings(where, self._sources, self._stance(where))

    def _stance(self, where: Component) -> Faults:
        """A name is taken to stay until another is read: it stands on every image."""
        names = self.schema.name_field
        if where.part is Part.CELL and names is not None and where.field == names.key:
            return self._naming
        return self._faults

    def _shown(self, where: Component, place: int, context: str) -> Maybe:
        return self._reader.shown(where, place, context, self._sources)

    def _everywhere(self, where: Component) -> None:
        needed = {one.image for one in self._reader.items if where in (one.shows or ())}
        if not needed <= self._sources:
            raise UnreadError(str(where))


def needs(looks: Iterable[Look]) -> tuple[Component, ...]:
    """The cells that an answer needs: all that was looked at but what entities are called."""
    parts = (Part.CELL, Part.RULE, Part.MEMBER, Part.ORDER, Part.CUE)
    found = (one for one in looks if one.how is not Looking.NAME and one.where.part in parts)
    return tuple(dict.fromkeys(one.where for one in found))
