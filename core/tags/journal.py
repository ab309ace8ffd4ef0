"""Writing down what one annotator does, so that nothing of it can be lost."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from mnemoscope.core.closing import Closes
from mnemoscope.core.errors import InputError, MnemoscopeError, UsageError
from mnemoscope.core.model import Value
from mnemoscope.core.person_files import PersonFiles
from mnemoscope.core.tags.book import Book, Marks
from mnemoscope.core.tags.events import Action, TagEvent, Target, new_id, time_after
from mnemoscope.core.tags.store import Places
from mnemoscope.core.tags.taxonomy import Taxonomy

__all__ = ["Journal", "NotWrittenError"]


class NotWrittenError(MnemoscopeError):
    """What was done is kept in memory and could not be written; another folder helps."""


class Journal(Closes):
    """The pen of one annotator: every method writes one event and takes it into the book.

    Each event is on the disk when its method returns. A second journal of the same annotator in
    the same folder is refused; other annotators write beside this one.
    """

    def __init__(self, book: Book, places: Places, release: str) -> None:
        """Start writing on.

        Args:
            book: What the annotator has said so far.
            places: The folders to write into; they are made when first needed.
            release: The release's hash.
        """
        self.book = book
        self.pending: list[TagEvent] = []
        """Events that could not be written yet."""
        self._places = places
        self._release = release
        self._files = PersonFiles(book.annotator, "annotator")
        self._elsewhere: Path | None = None

    def add(
        self, target: Target, taxonomy: Taxonomy, tag: str, *, reason: str = "", **seen: Any
    ) -> TagEvent:
        """Set a tag; tags that rule it out go, and undo brings them back.

        Args:
            target: What is tagged.
            taxonomy: The taxonomy the tag is of.
            tag: The tag's slug.
            reason: Why, in the annotator's words.
            **seen: ``suggested``, ``blind`` and ``answer`` of the event.

        Raises:
            UsageError: The taxonomy has no such tag, or it is about another kind of target.
            NotWrittenError: The event counts, and could not be written.
        """
        _check(taxonomy, tag, target)
        placed = self.book.marks(target).slugs(taxonomy.name)
        rivals = taxonomy.rivals(tag)
        return self._write(
            Action.ADD,
            target,
            taxonomy=taxonomy.name,
            version=taxonomy.version,
            tag=tag,
            replaces=tuple(one for one in placed if one in rivals),
            text=reason,
            **seen,
        )

    def settle(
        self,
        target: Target,
        taxonomy: Taxonomy,
        slugs: Sequence[str],
        *,
        reason: str = "",
        **seen: Any,
    ) -> list[TagEvent]:
        """Make some tags all that a target carries of a taxonomy; without any, none fits.

        All of it is written at once: whoever reads finds the whole of it or nothing.

        Args:
            target: What is tagged.
            taxonomy: The taxonomy.
            slugs: Its tags that are to stand.
            reason: Why, in the annotator's words; it stands with every tag.
            **seen: ``answer``, ``prompt`` and more of the events.

        Raises:
            UsageError: The taxonomy has no such tag, or it is about another kind of target.
            NotWrittenError: It counts, and could not be written.
        """
        for tag in slugs:
            _check(taxonomy, tag, target)
        gone = tuple(self.book.marks(target).slugs(taxonomy.name))
        named = {"taxonomy": taxonomy.name, "version": taxonomy.version, "text": reason, **seen}
        if slugs:
            events = [
                self._take(Action.ADD, target, tag=tag, replaces=() if place else gone, **named)
                for place, tag in enumerate(dict.fromkeys(slugs))
            ]
        else:
            events = [self._take(Action.NONE, target, replaces=gone, **named)]
        self.flush()
        return events

    def remove(self, target: Target, taxonomy: Taxonomy, tag: str) -> TagEvent:
        """Take a tag away, also one that the taxonomy does not offer any more."""
        named = {"taxonomy": taxonomy.name, "version": taxonomy.version, "tag": tag}
        return self._write(Action.REMOVE, target, **named)

    def none_fits(self, target: Target, taxonomy: Taxonomy, **seen: Any) -> TagEvent:
        """Say that no tag of a taxonomy fits; those that are set go."""
        return self._write(
            Action.NONE,
            target,
            taxonomy=taxonomy.name,
            version=taxonomy.version,
            replaces=self.book.marks(target).slugs(taxonomy.name),
            **seen,
        )

    def note(self, target: Target, text: str) -> TagEvent:
        """Write a note in place of the one before; an empty one takes it away."""
        return self._write(Action.NOTE, target, text=text)

    def flag(self, target: Target, on: bool = True) -> TagEvent:
        """Mark a target to come back to, or take the mark away."""
        return self._write(Action.FLAG if on else Action.UNFLAG, target)

    def skip(self, target: Target) -> TagEvent:
        """Go on without saying anything."""
        return self._write(Action.SKIP, target)

    def verdict(
        self, target: Target, value: Value | None, *, reason: str = "", **seen: Any
    ) -> TagEvent:
        """Call an answer right or wrong over rule and judge; None takes the verdict back."""
        return self._write(Action.VERDICT, target, value=value, text=reason, **seen)

    def undo(self) -> TagEvent | None:
        """Take back the last thing done that still holds, however long ago; it is returned."""
        return self._again(Action.UNDO, self.book.to_undo())

    def redo(self) -> TagEvent | None:
        """Do again what undo took back last; it is returned."""
        return self._again(Action.REDO, self.book.to_redo())

    def copy(self, events: Iterable[TagEvent]) -> int:
        """Take over events that the annotator wrote elsewhere; how many were not here yet.

        Raises:
            ValueError: An event is somebody else's, or about another release.
            NotWrittenError: They count, and could not be written.
        """
        count = 0
        for event in events:
            if event.annotator != self.book.annotator or event.release != self._release:
                raise ValueError(f"event {event.id} does not belong here")
            if self.book.take(event):
                self.pending.append(event)
                count += 1
        self.flush()
        return count

    def reserve(self, targets: Iterable[Target]) -> None:
        """Open the files for what will be said about some targets, before work is put into it.

        Raises:
            UsageError: Another process writes as the same annotator.
            InputError: A folder cannot be written.
        """
        for folder in dict.fromkeys(self._elsewhere or self._places.folder(one) for one in targets):
            self._files.open(folder)

    def marks(self, target: Target) -> Marks:
        """What the annotator says about a target."""
        return self.book.marks(target)

    def write_to(self, folder: Path) -> None:
        """Write everything from now on, and what is pending, into another folder.

        Raises:
            NotWrittenError: That folder cannot be written either; the pending events stay.
            UsageError: The annotator already writes there.
        """
        self._elsewhere = folder
        self.flush()

    def flush(self) -> None:
        """Write what is pending.

        Raises:
            NotWrittenError: It still cannot be written.
            UsageError: Another process writes as the same annotator.
        """
        while self.pending:
            folder, events = next(groupby(self.pending, self._folder))
            together = list(events)
            try:
                self._files.append(folder, *(one.as_json() for one in together))
            except InputError as error:
                count = len(self.pending)
                kept = "it is" if count == 1 else f"the last {count} things done are"
                raise NotWrittenError(
                    f"{error}; {kept} kept in memory", hint="choose another folder for tags"
                ) from error
            del self.pending[: len(together)]

    def close(self) -> None:
        """Close the files and let the annotator write elsewhere."""
        self._files.close()

    def _again(self, action: Action, event: TagEvent | None) -> TagEvent | None:
        if event is not None:
            self._write(action, event.target, of=event.id)
        return event

    def _folder(self, event: TagEvent) -> Path:
        return self._elsewhere or self._places.folder(event.target)

    def _write(self, action: Action, target: Target, **rest: Any) -> TagEvent:
        event = self._take(action, target, **rest)
        self.flush()
        return event

    def _take(self, action: Action, target: Target, **rest: Any) -> TagEvent:
        event = TagEvent(
            id=new_id(),
            time=time_after(self.book.last),
            annotator=self.book.annotator,
            action=action,
            target=target,
            release=self._release,
            **rest,
        )
        self.book.take(event)
        self.pending.append(event)
        return event


def _check(taxonomy: Taxonomy, slug: str, target: Target) -> None:
    tag = taxonomy.by_slug.get(slug)
    if tag is None:
        raise UsageError(f"{taxonomy.name} has no tag {slug!r}")
    kind = taxonomy.target_of(tag)
    if kind is not target.kind:
        raise UsageError(f"{slug} is a tag of a {kind}, not of a {target.kind}")
