"""Why a system may hold what it holds: where else in the truth the same value stands."""

from collections.abc import Iterator
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.chronicle import CellEvent
from mnemoscope.core.state.component import ABSENT, Component, Maybe, Part
from mnemoscope.core.state.operators import Event
from mnemoscope.core.state.state import UpdateStatus
from mnemoscope.core.truth.agreement import says_same
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.divergence import Divergence, Kind

__all__ = ["Cause", "Origin", "origins"]


class Cause(StrEnum):
    """What a wrong value is in the truth."""

    WITHDRAWN = "withdrawn"
    """The value of an update that has been withdrawn."""
    OVERRULED = "overruled"
    """What an artifact shows or showed, which a text governs."""
    SUPERSEDED = "superseded"
    """What was accepted before."""
    OTHER_CONTEXT = "other_context"
    """What an artifact of another context shows."""
    OTHER_ENTITY = "other_entity"
    """What is accepted of other entities in the same field."""
    NEVER = "never"
    """Nothing in the truth up to then holds it."""


@value
class Origin:
    """One place where the truth has the value that a system holds."""

    cause: Cause
    round: str = ""
    """The round that said it last; empty where there is none."""
    of: str = ""
    """The other context, or the keys of the other entities."""


_OTHERS = 3
"""How many other entities are named."""


def origins(book: Book, one: Divergence) -> tuple[Origin, ...]:
    """Every cause that fits a divergence, the most telling first; none of what is missing."""
    if one.kind is Kind.MISSING:
        return ()
    found = tuple(_Search(book, one).all())
    return found or (Origin(Cause.NEVER),)


class _Search:
    """Looks for a value in the truth up to a round."""

    def __init__(self, book: Book, one: Divergence) -> None:
        count = book.scrubber.count_at(one.index)
        self._one = one
        self._schema = book.schema
        self._moment = book.scrubber.timeline.at(count)
        self._names = book.naming.at(count)
        self._events = book.chronicle.events(one.component, count)

    def all(self) -> Iterator[Origin]:
        """Every place, by cause."""
        withdrawn = [one for one in self._events if _is_withdrawn(one)]
        rest = [one for one in self._events if one not in withdrawn]
        yield from _last(
            Cause.WITHDRAWN,
            (one for one in withdrawn if self._is(one.visual) or self._is(one.accepted)),
        )
        drawn = (one for one in rest if "visual" in one.changed and self._is(one.visual))
        yield from _last(Cause.OVERRULED, (one for one in drawn if not self._is(one.accepted)))
        accepted = (one for one in rest if "accepted" in one.changed and self._is(one.accepted))
        yield from _last(Cause.SUPERSEDED, accepted)
        for context, layer in self._moment.scopes.items():
            if self._is(layer.get(self._one.component, ABSENT)):
                yield Origin(Cause.OTHER_CONTEXT, of=context)
        others = self._others()
        if others:
            yield Origin(Cause.OTHER_ENTITY, of=", ".join(others))

    def _others(self) -> list[str]:
        where = self._one.component
        if where.part is not Part.CELL:
            return []
        found = [
            one.entity
            for one, content in self._moment.accepted.items()
            if one.part is Part.CELL
            and one.field == where.field
            and one.entity != where.entity
            and self._is(content, one)
        ]
        return [*found[:_OTHERS], *(["…"] if len(found) > _OTHERS else [])]

    def _is(self, content: Maybe, where: Component | None = None) -> bool:
        if content is ABSENT or content is None:
            return False
        return says_same(
            self._schema, where or self._one.component, content, self._one.said, self._names
        )


def _is_withdrawn(one: CellEvent) -> bool:
    return one.event is Event.APPLY and one.status is UpdateStatus.WITHDRAWN


def _last(cause: Cause, events: Iterator[CellEvent]) -> Iterator[Origin]:
    found = list(events)
    if found:
        yield Origin(cause, found[-1].round)
