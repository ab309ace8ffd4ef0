"""How far an annotator has come through a list, and since when no tag has been new."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from mnemoscope.core.tags.book import Book
from mnemoscope.core.tags.events import Action, TagEvent, Target

__all__ = ["Progress"]


class Progress:
    """An annotator's progress with one taxonomy, kept up to date event by event.

    Lists and books may be long: what is asked after each key press is never counted anew.
    """

    def __init__(
        self, book: Book, taxonomy: str, keys: Sequence[str], concerns: Callable[[Target], bool]
    ) -> None:
        """Count once.

        Args:
            book: What the annotator says; it may go on growing.
            taxonomy: The taxonomy's name.
            keys: The questions of the list.
            concerns: Whether a target is what is tagged of its question in this list.
        """
        self._book = book
        self._taxonomy = taxonomy
        self._keys = frozenset(keys)
        self._concerns = concerns
        self._seen = book.size
        self._done = {
            target.question
            for target, marks in book
            if marks.reviewed(taxonomy) and target.question in self._keys and concerns(target)
        }
        self._novelty = _Novelty(self._standing())

    @property
    def done(self) -> int:
        """Questions of the list that carry a tag, or were said to fit none."""
        self._catch_up()
        return len(self._done)

    def __contains__(self, key: str) -> bool:
        """Whether a question of the list is done."""
        self._catch_up()
        return key in self._done

    @property
    def since_new(self) -> int:
        """Targets tagged since a tag came up for the first time, in this list or any other."""
        self._catch_up()
        return self._novelty.targets

    def _catch_up(self) -> None:
        fresh = self._book.latest(self._book.size - self._seen)
        self._seen = self._book.size
        for event in fresh:
            self._review(event.target.question)
        if fresh and not (len(fresh) == 1 and self._follow(fresh[0])):
            self._novelty = _Novelty(self._standing())

    def _review(self, question: str) -> None:
        said = self._book.about(question)
        done = any(one.reviewed(self._taxonomy) for target, one in said if self._concerns(target))
        if done and question in self._keys:
            self._done.add(question)
        else:
            self._done.discard(question)

    def _standing(self) -> Iterable[TagEvent]:
        return filter(self._places_tag, self._book.standing().values())

    def _places_tag(self, event: TagEvent) -> bool:
        return event.action is Action.ADD and event.taxonomy == self._taxonomy

    def _follow(self, event: TagEvent) -> bool:
        """Take the one event that has happened into the count; whether that could be done."""
        undoes, redoes = event.action is Action.UNDO, event.action is Action.REDO
        about = self._book.event(event.of) if undoes or redoes else event
        if about is None or not self._places_tag(about):
            return True
        if undoes:
            return self._novelty.take_back(about)
        if redoes and self._book.to_undo() is not about:
            return False
        self._novelty.take(about)
        return True


class _Novelty:
    """Targets tagged since a tag came up for the first time."""

    def __init__(self, events: Iterable[TagEvent]) -> None:
        self._events: list[TagEvent] = []
        self._tags: list[str] = []
        """In the order in which they came up."""
        self._openers: list[str] = []
        """The event that brought each of them."""
        self._since: list[Counter[Target]] = [Counter()]
        """How often each target was tagged after that, until the next one came up."""
        for event in events:
            self.take(event)

    @property
    def targets(self) -> int:
        return len(self._since[-1])

    def take(self, event: TagEvent) -> None:
        """Take in the next tag."""
        self._events.append(event)
        if event.tag in self._tags:
            self._since[-1][event.target] += 1
        else:
            self._tags.append(event.tag)
            self._openers.append(event.id)
            self._since.append(Counter())

    def take_back(self, event: TagEvent) -> bool:
        """Take the last tag back; False where it was not the last."""
        if not self._events or self._events[-1] is not event:
            return False
        self._events.pop()
        if self._openers[-1] == event.id:
            for stack in (self._openers, self._tags, self._since):
                stack.pop()
            return True
        since = self._since[-1]
        since[event.target] -= 1
        if not since[event.target]:
            del since[event.target]
        return True
