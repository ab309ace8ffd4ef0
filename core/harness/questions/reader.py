"""Reading a conversation: what is accepted as far as some of its sources tell, and no more.

The authority rule is applied to what texts say and images show, source by source, for one component
at a time. With every source it arrives at the accepted state without any of the recorded changes.
With some of them it knows what those tell: an image that is not among them leaves open what it
displays, until a later one is read or a text says it. A text that is not among them was not heard.
"""

from collections.abc import Collection, Iterable

from mnemoscope.core.harness.questions.reading import (
    HONEST,
    UNREAD,
    Faults,
    Read,
    Reading,
    UnreadError,
)
from mnemoscope.core.harness.questions.source import Item, Source, owner, touches
from mnemoscope.core.state.component import ABSENT, Component, Maybe, Part, cell
from mnemoscope.core.state.mutation import Mutation
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.schema import Schema

__all__ = ["Reader", "displaying"]


class Reader:
    """Reads one scenario's conversation."""

    def __init__(self, schema: Schema, items: Iterable[Item]) -> None:
        """Read what blocks bring, in order."""
        self.schema = schema
        self.items = tuple(items)
        self.texts = frozenset(one.text for one in self.items if one.transition is not None)
        self.images = tuple(one.image for one in self.items if one.image is not None)
        self.all = self.texts | frozenset(self.images)
        self._by_transition = {
            one.transition.id: one for one in self.items if one.transition is not None
        }
        self._relevant: dict[Component, tuple[Item, ...]] = {}
        self._sources: dict[Component, frozenset[Source]] = {}
        self._known: dict[
            tuple[Component, frozenset[Source], Faults], tuple[tuple[int, Read], ...]
        ] = {}

    def sources(self, where: Component) -> frozenset[Source]:
        """The sources that say anything of a component."""
        if where not in self._sources:
            found = set[Source]()
            for one in self._items(where):
                if one.image is not None and (
                    not one.shows or where in one.shows or where.entity not in one.entities
                ):
                    found.add(one.image)
                if one.says or one.declares or one.image is None:
                    found.add(one.text)
            self._sources[where] = frozenset(found)
        return self._sources[where]

    def _items(self, where: Component) -> tuple[Item, ...]:
        """The items of the scenario's own context that have to do with a component, in order."""
        if where not in self._relevant:
            self._relevant[where] = tuple(
                one for one in self.items if not one.context and self._concerns(one, where)
            )
        return self._relevant[where]

    def _concerns(self, item: Item, where: Component) -> bool:
        if item.shows is not None:
            if where in item.shows:
                return True
            if where.part in (Part.CELL, Part.MEMBER) and where.entity not in item.entities:
                return True
        if item.transition is None:
            return False
        if item.transition.event is not Event.APPLY:
            of = self._by_transition[item.transition.of].transition
            return of is not None and self._touched(of.mutation, where)
        return any(self._touched(one, where) for one in item.says)

    def _touched(self, mutation: Mutation, where: Component) -> bool:
        membership = owner(where)
        return touches(self.schema, mutation, where) or (
            membership is not None and touches(self.schema, mutation, membership)
        )

    def standings(
        self, where: Component, sources: frozenset[Source], faults: Faults = HONEST
    ) -> tuple[tuple[int, Read], ...]:
        """What is accepted of a component, from which place on, by some sources."""
        key = where, sources & self.sources(where), faults
        if key not in self._known:
            self._known[key] = Reading(self.schema, where, key[1], faults).run(self._items(where))
        return self._known[key]

    def accepted(
        self, where: Component, place: int, sources: frozenset[Source], faults: Faults = HONEST
    ) -> Maybe:
        """What is accepted of a component after a place.

        Raises:
            UnreadError: The sources do not tell.
        """
        found: Read = UNREAD
        for at, content in self.standings(where, sources, faults):
            if at > place:
                break
            found = content
        if found is UNREAD:
            raise UnreadError(str(where))
        return found

    def shown(
        self, where: Component, place: int, context: str, sources: Collection[Source]
    ) -> Maybe:
        """What the last image of a context shows of a component, of those that display it.

        Raises:
            UnreadError: There is none, or it is not among the sources.
        """
        for one in reversed(self.items):
            if one.place > place or one.context != context or one.shows is None:
                continue
            if displaying(where) in one.shows:
                if one.image in sources:
                    return one.shows.get(where, ABSENT)
                break
        raise UnreadError(str(where))

    def displays(self, where: Component, context: str = "") -> tuple[Source, ...]:
        """The images of a context that display a component, in order."""
        return tuple(
            one.image
            for one in self.items
            if one.image is not None
            and one.context == context
            and displaying(where) in (one.shows or {})
        )


def displaying(where: Component) -> Component:
    """What an image has to display to tell of a component: for a styling the cell."""
    return cell(where.entity, where.field) if where.part is Part.CUE else where
