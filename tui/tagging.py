"""One annotator at work: which record, which taxonomy, what has been said, and how fast it goes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import is_

from mnemoscope.core.model import Question, Value
from mnemoscope.core.suggestions.rules import Suggestion, suggest
from mnemoscope.core.tags.book import Marks
from mnemoscope.core.tags.events import Action, TagEvent, Target
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.tags.journal import Journal
from mnemoscope.core.tags.progress import Progress
from mnemoscope.core.tags.taxonomy import Labels, Tag, TargetKind, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["Item", "SessionItem", "TagState", "Tagging", "Thing"]

_LEAST_SECONDS = 20.0
"""How long somebody must have been at it before a pace means anything."""


@dataclass(frozen=True, slots=True)
class Item:
    """What is being tagged: a question with the answer of a run, where there is one."""

    question: Question
    run: JoinedRun | None = None
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class SessionItem:
    """What is being tagged: a session."""

    history: str
    session: str


Thing = Item | SessionItem


@dataclass(frozen=True, slots=True)
class TagState:
    """A tag as it stands on an item."""

    tag: Tag
    key: str
    """The key that sets it; empty when there is none left."""
    is_set: bool
    suggestions: Sequence[Suggestion] = ()
    others: Sequence[str] = ()
    """Other annotators who have set it."""


@dataclass
class Tagging:
    """The state of the tag screen, without a screen."""

    workspace: Workspace
    tags: WorkspaceTags
    annotator: str
    taxonomy: Taxonomy
    reserved: str = ""
    """Keys that mean something else on the screen."""
    scope: str = ""
    """The screen that it is seen on."""
    sessions: Sequence[tuple[str, str]] = ()
    """Sessions to go through, each by history and id; all of the release when empty."""
    sessions_title: str = ""
    """What they are."""
    blind: bool = False
    """Whether gold, system, verdicts and others' tags are hidden."""
    revealed: bool = False
    """Whether the gold of this item has been asked for."""
    auto_advance: bool = False
    show_others: bool = False
    clock: Callable[[], float] = time.monotonic
    _reviewed_here: set[Target] = field(default_factory=set)
    _started: float | None = None
    _progress: Progress | None = None
    # What that is of: annotator's book, taxonomy, run and list.
    _progress_of: tuple[object, ...] = ()

    @property
    def journal(self) -> Journal:
        """The annotator's pen."""
        return self.tags.journal(self.annotator)

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """Slug by key."""
        return self.taxonomy.keys(self.reserved)

    def choose(self, taxonomy: Taxonomy) -> None:
        """Tag with another taxonomy."""
        self.taxonomy = taxonomy
        self.__dict__.pop("keys", None)

    def take_to(self, scope: str, reserved: str) -> None:
        """Be seen on another screen, where other keys mean something else."""
        self.scope, self.reserved = scope, reserved
        self.__dict__.pop("keys", None)

    @property
    def hides(self) -> bool:
        """Whether gold, system and others' tags of this item are hidden now."""
        return self.blind and not self.revealed

    # Items

    def item(self, key: str) -> Item:
        """The item for a question: with the answer of run A, if it has one."""
        question = self.workspace.release.questions[key]
        run = next(iter(self.workspace.runs), None)
        entry = run.entry(key) if run is not None else None
        return Item(question, run, entry)

    def target(self, item: Thing, tag: Tag | None = None) -> Target | None:
        """What a tag, or anything else that is said, would be about; None where there is nothing.

        Args:
            item: The item.
            tag: The tag; what the taxonomy is usually about when None.
        """
        kind = self.taxonomy.target_of(tag) if tag else self.taxonomy.target
        if isinstance(item, SessionItem):
            is_of = kind is TargetKind.SESSION
            return Target.of_session(item.history, item.session) if is_of else None
        if kind is TargetKind.RECORD:
            if item.run is None or item.entry is None:
                return None
            return self.tags.record(item.run, item.question.key, item.entry.record.repeat)
        if kind is TargetKind.QUESTION:
            return Target.of_question(item.question.key)
        session = next(iter(item.question.evidence_sessions), "")
        return Target.of_session(item.question.history_id, session) if session else None

    def marks(self, item: Thing) -> Marks:
        """What the annotator says about the item itself."""
        target = self.target(item)
        return self.journal.marks(target) if target else Marks()

    def states(self, item: Thing, suggestions: Sequence[Suggestion] = ()) -> list[TagState]:
        """Every tag offered as it stands on an item, and former ones that are set."""
        by_slug = {slug: key for key, slug in self.keys.items()}
        found = []
        for tag in self._shown(item):
            target = self.target(item, tag)
            is_set = target is not None and self._has(self.annotator, target, tag.slug)
            others = [] if self.hides or target is None else self._others(target, tag.slug)
            said = [one for one in suggestions if one.tag == tag.slug]
            found.append(TagState(tag, by_slug.get(tag.slug, ""), is_set, said, others))
        return found

    def _shown(self, item: Thing) -> Iterator[Tag]:
        yield from self.taxonomy.offered
        offered = {tag.slug for tag in self.taxonomy.offered}
        for slug in self.marks(item).slugs(self.taxonomy.name):
            if slug not in offered:
                title = self.tags.catalogue.title(self.taxonomy.name, slug)
                yield self.taxonomy.by_slug.get(slug) or Tag(slug=slug, title=title)

    def _has(self, annotator: str, target: Target, slug: str) -> bool:
        return slug in self.tags.tags.book(annotator).marks(target).slugs(self.taxonomy.name)

    def _others(self, target: Target, slug: str) -> list[str]:
        names = (name for name, _ in self.tags.tags.on(target) if name != self.annotator)
        return [name for name in names if self._has(name, target, slug)]

    def suggestions(self, item: Thing) -> Sequence[Suggestion]:
        """What the rules say about an item; nothing in blind mode, for they look at the gold."""
        if self.hides or isinstance(item, SessionItem) or item.run is None or item.entry is None:
            return ()
        return suggest(self.workspace, item.run, item.entry)

    # Saying something

    def toggle(
        self, item: Thing, slug: str, suggestions: Sequence[Suggestion] = ()
    ) -> TagEvent | None:
        """Set a tag, or take it away when it is set.

        Raises:
            LookupError: The run has no record that could carry it.
            NotWrittenError: It counts, and could not be written.
        """
        tag = self.taxonomy.by_slug.get(slug) or Tag(slug=slug, title=slug)
        target = self._known(self.target(item, tag))
        if self._has(self.annotator, target, slug):
            return self._said(self.journal.remove, target, self.taxonomy, slug)
        rule = next((one.rule for one in suggestions if one.tag == slug), "")
        seen = self._seen(item)
        return self._said(self.journal.add, target, self.taxonomy, slug, suggested=rule, **seen)

    def none_fits(self, item: Thing) -> TagEvent | None:
        """Say that no tag of the taxonomy fits."""
        target = self._known(self.target(item))
        return self._said(self.journal.none_fits, target, self.taxonomy, **self._seen(item))

    def note(self, item: Thing, text: str) -> TagEvent | None:
        """Write a note in place of the one before."""
        return self._said(self.journal.note, self._known(self.target(item)), text)

    def flag(self, item: Thing) -> TagEvent | None:
        """Mark the item to come back to, or take the mark away."""
        target = self._known(self.target(item))
        return self._said(self.journal.flag, target, not self.journal.marks(target).flagged)

    def skip(self, item: Thing) -> TagEvent | None:
        """Go on without saying anything."""
        return self._said(self.journal.skip, self._known(self.target(item)))

    def verdict(self, item: Thing, value: Value | None, reason: str = "") -> TagEvent | None:
        """Call the answer right or wrong over rule and judge; None takes that back."""
        if isinstance(item, SessionItem) or item.run is None or item.entry is None:
            raise LookupError("There is no answer to call right or wrong.")
        repeat = item.entry.record.repeat
        target = self.tags.record(item.run, item.question.key, repeat)
        return self._said(self.journal.verdict, target, value, reason=reason, **self._seen(item))

    def undo(self) -> TagEvent | None:
        """Take back the last thing done."""
        return self._said(self.journal.undo)

    def redo(self) -> TagEvent | None:
        """Do again what was taken back last."""
        return self._said(self.journal.redo)

    def _known(self, target: Target | None) -> Target:
        if target is None:
            what = (
                "a session among its clues"
                if self.taxonomy.target is TargetKind.SESSION
                else ("a record of run A")
            )
            raise LookupError(
                f"This question has not {what}, which {self.taxonomy.title} is about."
            )
        return target

    def _seen(self, item: Thing) -> Mapping[str, object]:
        if isinstance(item, SessionItem):
            return {}
        answer = answer_hash(item.entry.record) if item.entry is not None else ""
        return {"blind": self.hides, "answer": answer}

    def _said(
        self, say: Callable[..., TagEvent | None], *args: object, **rest: object
    ) -> TagEvent | None:
        try:
            event = say(*args, **rest)
        finally:
            self.tags.changed()
        if event is not None:
            self._count(event)
        return event

    # How it goes

    def _count(self, event: TagEvent) -> None:
        if self._started is None:
            self._started = self.clock()
        if event.action in (Action.ADD, Action.NONE, Action.SKIP):
            self._reviewed_here.add(event.target)

    @property
    def pace(self) -> float | None:
        """Items an hour since the first one was tagged here; None while that means nothing."""
        if self._started is None or len(self._reviewed_here) < 2:
            return None
        seconds = self.clock() - self._started
        return len(self._reviewed_here) * 3600 / seconds if seconds >= _LEAST_SECONDS else None

    def progress(self, keys: Sequence[str]) -> Progress:
        """How far the annotator has come in a list of questions, up to date.

        Args:
            keys: The list; it is told from another by identity.
        """
        book, run = self.journal.book, next(iter(self.workspace.runs), None)
        of = (book, self.taxonomy, None if run is None else run.run, keys)
        known = len(of) == len(self._progress_of) and all(map(is_, of, self._progress_of))
        if self._progress is None or not known:
            name = self.taxonomy.name
            self._progress, self._progress_of = Progress(book, name, keys, self.concerns(run)), of
        return self._progress

    def concerns(self, run: JoinedRun | None) -> Callable[[Target], bool]:
        """Whether a target is a question, or the answer of a run that is shown with it."""

        def concerns(target: Target) -> bool:
            if target.kind is not TargetKind.RECORD:
                return target.kind is TargetKind.QUESTION
            if run is None or target.run != self.tags.run_hashes[run.name]:
                return False
            entry = run.entry(target.question)
            return entry is not None and entry.record.repeat == target.repeat

        return concerns

    def is_done(self, item: Thing) -> bool:
        """Whether an item carries a tag of the taxonomy, or was said to fit none."""
        targets = {self.target(item)}
        if isinstance(item, Item):
            targets.add(Target.of_question(item.question.key))
        return any(
            self.journal.marks(target).reviewed(self.taxonomy.name) for target in targets if target
        )

    def is_judged(self, item: Item) -> bool:
        """Whether the annotator has called the item's answer right or wrong."""
        if item.run is None or item.entry is None:
            return False
        repeat = item.entry.record.repeat
        target = self.tags.record(item.run, item.question.key, repeat)
        return self.journal.marks(target).verdict is not None

    def is_complete(self, item: Thing) -> bool:
        """Whether there is nothing left to choose: one label, or one at every stage."""
        slugs = self.marks(item).slugs(self.taxonomy.name)
        if self.taxonomy.labels is Labels.ONE_PER_STAGE:
            stages = {tag.stage for tag in self.taxonomy.tags if tag.slug in slugs}
            return len(stages) == len(self.taxonomy.stages)
        return self.taxonomy.labels is Labels.ONE and bool(slugs)
