"""The tags of an open release: whose they are, where they are, and writing more."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.model import Value
from mnemoscope.core.tags.book import Marks
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.fingerprint import release_hash, run_hash
from mnemoscope.core.tags.journal import Journal
from mnemoscope.core.tags.store import TAGS, Places, Tags, load_tags
from mnemoscope.core.tags.taxonomy import TargetKind, Taxonomy

if TYPE_CHECKING:
    from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["Statement", "WorkspaceTags"]


@dataclass(frozen=True, slots=True)
class Statement:
    """What one annotator says about one target."""

    annotator: str
    target: Target
    marks: Marks


class WorkspaceTags:
    """Everybody's tags on a release and the runs beside it; one annotator may write.

    Loading hashes every answer, so it belongs where nothing waits for it.
    """

    def __init__(
        self, workspace: "Workspace", catalogue: Catalogue, *, folder: Path | None = None
    ) -> None:
        """Read what there is.

        Args:
            workspace: The release and its runs.
            catalogue: The taxonomies.
            folder: The one folder that the user named for tags (``--tags``).

        Raises:
            InputError: The manifest of a native run cannot be read any more.
        """
        self.catalogue = catalogue
        self.release = release_hash(workspace.release)
        self.run_hashes: Mapping[str, str] = {run.name: run_hash(run.run) for run in workspace.runs}
        """Hash of each run by its name, which stays while letters are traded."""
        runs = {self.run_hashes[run.name]: run.run for run in workspace.runs}
        self.places = Places.usual(self.release, runs, folder, workspace.release.root / TAGS)
        self.tags: Tags = load_tags(self.places, self.release)
        self.changes = 0
        """Raised with every event and every reading: what was computed before it is stale."""
        self._names = {hash: name for name, hash in self.run_hashes.items()}
        self._journals: dict[str, Journal] = {}

    def journal(self, annotator: str) -> Journal:
        """The pen of an annotator."""
        if annotator not in self._journals:
            book = self.tags.book(annotator)
            self._journals[annotator] = Journal(book, self.places, self.release)
        return self._journals[annotator]

    def changed(self) -> None:
        """Say that something was tagged, so that figures are computed anew."""
        self.changes += 1

    def reread(self) -> None:
        """Take in what other annotators have written since; one's own books are as they are."""
        fresh = load_tags(self.places, self.release)
        for annotator in self._journals:
            fresh.books[annotator] = self.tags.book(annotator)
        self.tags = fresh
        self.changed()

    def unwritten(self) -> int:
        """How many things done could not be written, also when tried again now."""
        for journal in self._journals.values():
            with suppress(MnemoscopeError):
                journal.flush()
        return sum(len(journal.pending) for journal in self._journals.values())

    def write_to(self, folder: Path) -> None:
        """Write what could not be written, and all from now on, into another folder.

        Raises:
            NotWrittenError: That folder cannot be written either; nothing is lost.
            UsageError: Somebody writes there as the same annotator.
        """
        for journal in self._journals.values():
            if journal.pending:
                journal.write_to(folder)

    def close(self) -> None:
        """Close every file."""
        for journal in self._journals.values():
            journal.close()

    def record(self, run: "JoinedRun", question: str, repeat: int = 0) -> Target:
        """The target for what a run answered to a question."""
        return Target.of_record(question, self.run_hashes[run.name], repeat)

    def run_name(self, target: Target) -> str:
        """The name of the run that a record target is of; empty when that run is not open."""
        return self._names.get(target.run, "")

    def statements(self, annotator: str = "") -> Iterator[Statement]:
        """What is said about questions, sessions and records of the open runs.

        Args:
            annotator: Whose; everybody's when empty.
        """
        for name, book in self.tags.books.items():
            if annotator and name != annotator:
                continue
            for target, marks in book:
                if target.kind is not TargetKind.RECORD or target.run in self._names:
                    yield Statement(name, target, marks)

    def about(self, question: str) -> Iterator[Statement]:
        """What is said about a question and the answers to it, by the question's key."""
        for name, book in self.tags.books.items():
            for target, marks in book.about(question):
                if target.kind is not TargetKind.RECORD or target.run in self._names:
                    yield Statement(name, target, marks)

    def slugs(self, question: str) -> frozenset[str]:
        """The tags on a question and the answers to it, with the tags they are kinds of."""
        return self._slugs(self.about(question))

    @property
    def used_slugs(self) -> frozenset[str]:
        """The tags on anything, with the tags they are kinds of."""
        return self._slugs(self.statements())

    def flagged(self, question: str) -> bool:
        """Whether somebody marked the question, or an answer to it, to come back to."""
        return any(one.marks.flagged for one in self.about(question))

    def counts(self, taxonomy: Taxonomy, annotator: str = "") -> Counter[str]:
        """How many targets carry each tag of a taxonomy; kinds count for their parents too.

        Args:
            taxonomy: The taxonomy.
            annotator: Whose tags; a target that several tagged alike counts once when empty.
        """
        carried: dict[Target, set[str]] = {}
        for one in self.statements(annotator):
            for slug in one.marks.slugs(taxonomy.name):
                carried.setdefault(one.target, set()).update(taxonomy.lineage(slug))
        return Counter(slug for slugs in carried.values() for slug in slugs)

    def verdicts(self, run: "JoinedRun", question: str, repeat: int = 0) -> Mapping[str, Value]:
        """What people say of an answer, by annotator."""
        target = self.record(run, question, repeat)
        return {
            name: verdict
            for name, book in self.tags.on(target)
            if (verdict := book.marks(target).verdict) is not None
        }

    def _slugs(self, statements: Iterable[Statement]) -> frozenset[str]:
        tags = {(tag.taxonomy, tag.slug) for one in statements for tag in one.marks.tags}
        return frozenset(slug for one in tags for slug in self._lineage(*one))

    def _lineage(self, taxonomy: str, slug: str) -> Iterator[str]:
        found = self.catalogue.taxonomies.get(taxonomy)
        return found.lineage(slug) if found else iter((slug,))
