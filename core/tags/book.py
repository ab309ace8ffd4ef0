"""What one annotator says, put together from events in the order in which they happened."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from mnemoscope.core.model import Value
from mnemoscope.core.tags.events import Action, TagEvent, Target

__all__ = ["Book", "Marks", "PlacedTag"]


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag on a target."""

    taxonomy: str
    slug: str
    version: int = 0
    """The version of the taxonomy that the annotator saw."""
    reason: str = ""
    suggested: str = ""
    """The rule that had suggested it; empty when none had."""
    time: datetime | None = None
    blind: bool = False
    """Whether gold, system and others' tags were hidden when it was set."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Everything that one annotator says about one target."""

    tags: tuple[PlacedTag, ...] = ()
    """In the order set."""
    none_of: frozenset[str] = frozenset()
    """Taxonomies none of whose tags fits."""
    note: str = ""
    flagged: bool = False
    skipped: bool = False
    """Passed over; a tag set later takes this away."""
    verdict: Value | None = None
    reason: str = ""
    """Why the verdict."""
    answer: str = ""
    """Hash of the answer as last seen; empty where the target is not a record."""
    time: datetime | None = None
    """When the annotator last said something about it."""

    def slugs(self, taxonomy: str) -> tuple[str, ...]:
        """The tags of one taxonomy, in the order set."""
        return tuple(tag.slug for tag in self.tags if tag.taxonomy == taxonomy)

    def reviewed(self, taxonomy: str) -> bool:
        """Whether it carries a tag of a taxonomy, or was said to fit none."""
        return taxonomy in self.none_of or any(tag.taxonomy == taxonomy for tag in self.tags)

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        said = self.tags or self.none_of or self.note or self.verdict or self.reason
        return not (said or self.flagged or self.skipped)


class Book:
    """One annotator's statements by target, kept up to date event by event."""

    def __init__(self, annotator: str, events: Iterable[TagEvent] = ()) -> None:
        self.annotator = annotator
        self.last: datetime | None = None
        """Time of the latest event."""
        self._events: dict[Target, list[TagEvent]] = {}
        self._of_question: dict[str, list[Target]] = {}
        self._marks: dict[Target, Marks] = {}
        self._by_id: dict[str, TagEvent] = {}
        self._done: dict[str, None] = {}
        """Events that hold, in the order in which undo takes them back from the end."""
        self._undone: list[str] = []
        """Events taken back, in the order in which redo takes them from the end."""
        for event in events:
            self.take(event)
        # Put together where the events are read, so that nothing waits for it later.
        for target in self._events:
            self.marks(target)

    def take(self, event: TagEvent) -> bool:
        """Take in the next event; whether it was new. One that refers to none changes nothing."""
        if event.id in self._by_id:
            return False
        self._by_id[event.id] = event
        self.last = event.time if self.last is None else max(self.last, event.time)
        if event.action is Action.UNDO:
            if event.of in self._done:
                del self._done[event.of]
                self._undone.append(event.of)
        elif event.action is Action.REDO:
            if event.of in self._undone:
                self._undone.remove(event.of)
                self._done[event.of] = None
        else:
            self._undone.clear()
            self._done[event.id] = None
            if event.target not in self._events:
                self._events[event.target] = []
                self._of_question.setdefault(event.target.question, []).append(event.target)
            self._events[event.target].append(event)
        self._marks.pop(event.target, None)
        return True

    def marks(self, target: Target) -> Marks:
        """What is said about a target."""
        found = self._marks.get(target)
        if found is None:
            if target not in self._events:
                return _NOTHING
            events = [one for one in self._events[target] if one.id in self._done]
            found = self._marks[target] = _fold(events)
        return found

    def __iter__(self) -> Iterator[tuple[Target, Marks]]:
        """Targets about which something is said, in the order first touched."""
        # A worker may count while its annotator goes on.
        return self._said(tuple(self._events))

    def about(self, question: str) -> Iterator[tuple[Target, Marks]]:
        """The same of one question and the answers to it, by the question's key."""
        return self._said(self._of_question.get(question, ()))

    def _said(self, targets: Iterable[Target]) -> Iterator[tuple[Target, Marks]]:
        for target in targets:
            marks = self.marks(target)
            if not marks.empty:
                yield target, marks

    @property
    def size(self) -> int:
        """How many events have been taken in."""
        return len(self._by_id)

    def latest(self, count: int) -> list[TagEvent]:
        """The last events taken in, the oldest of them first."""
        return [*islice(reversed(self._by_id.values()), count)][::-1]

    def event(self, id: str) -> TagEvent | None:
        """The event of an id."""
        return self._by_id.get(id)

    def to_undo(self) -> TagEvent | None:
        """The event that undo would take back."""
        return self._by_id[next(reversed(self._done))] if self._done else None

    def to_redo(self) -> TagEvent | None:
        """The event that redo would do again."""
        return self._by_id[self._undone[-1]] if self._undone else None

    def standing(self) -> Mapping[str, TagEvent]:
        """The events that hold, by id, in the order done."""
        return {one: self._by_id[one] for one in self._done}


_NOTHING = Marks()


def _fold(events: Sequence[TagEvent]) -> Marks:
    marks, answer = _NOTHING, ""
    for event in events:
        marks = _after(marks, event)
        answer = event.answer or answer
    return replace(marks, time=events[-1].time, answer=answer) if events else marks


def _after(marks: Marks, event: TagEvent) -> Marks:
    match event.action:
        case Action.ADD:
            tag = PlacedTag(
                event.taxonomy,
                event.tag,
                event.version,
                event.text,
                event.suggested,
                event.time,
                event.blind,
            )
            kept = _without(marks, event.taxonomy, {*event.replaces, event.tag})
            none_of = marks.none_of - {event.taxonomy}
            return replace(marks, tags=(*kept, tag), none_of=none_of, skipped=False)
        case Action.REMOVE:
            return replace(marks, tags=_without(marks, event.taxonomy, {event.tag}))
        case Action.NONE:
            kept = _without(marks, event.taxonomy, set(event.replaces))
            none_of = marks.none_of | {event.taxonomy}
            return replace(marks, tags=kept, none_of=none_of, skipped=False)
        case Action.NOTE:
            return replace(marks, note=event.text)
        case Action.FLAG:
            return replace(marks, flagged=True)
        case Action.UNFLAG:
            return replace(marks, flagged=False)
        case Action.SKIP:
            return replace(marks, skipped=True)
        case Action.VERDICT:
            return replace(marks, verdict=event.value, reason=event.text)
    return marks


def _without(marks: Marks, taxonomy: str, slugs: set[str]) -> tuple[PlacedTag, ...]:
    return tuple(tag for tag in marks.tags if tag.taxonomy != taxonomy or tag.slug not in slugs)
