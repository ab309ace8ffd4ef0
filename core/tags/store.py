"""Where tags are kept, and all that is known of those who tagged."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Run
from mnemoscope.core.person_files import person_of
from mnemoscope.core.tags.book import Book
from mnemoscope.core.tags.events import TagEvent, Target, read_events
from mnemoscope.core.tags.fingerprint import is_native
from mnemoscope.core.tags.taxonomy import TargetKind

__all__ = ["TAGS", "Places", "Tags", "anything_kept", "data_folder", "load_tags"]

TAGS = "tags"
"""The folder of tags beside a native run, and of those that come with a release."""


def data_folder() -> Path:
    """The folder for what users make; ``MNEMOSCOPE_DATA_DIR`` overrides it."""
    override = os.environ.get("MNEMOSCOPE_DATA_DIR")
    if override:
        return Path(override)
    from platformdirs import user_data_path

    return user_data_path("mnemoscope")


@dataclass(frozen=True)
class Places:
    """The folders that hold the tags of a release and of the runs opened beside it."""

    common: Path
    """Tags of questions, of sessions, and of the records of foreign runs."""
    of_runs: Mapping[str, Path] = field(default_factory=dict)
    """By run hash: the folder for the records of a native run, where it has one of its own."""
    delivered: Path | None = None
    """Tags that come with the release: they are read, and nothing is ever written there."""

    @classmethod
    def usual(
        cls,
        release: str,
        runs: Mapping[str, Run],
        chosen: Path | None = None,
        delivered: Path | None = None,
    ) -> "Places":
        """The folders that are used unless somebody says otherwise.

        Args:
            release: The release's hash.
            runs: The runs by hash.
            chosen: The one folder for everything that the user named (``--tags``).
            delivered: The folder for tags that come with the release.
        """
        if chosen is not None:
            return cls(chosen)
        own = {name: run.root / TAGS for name, run in runs.items() if is_native(run)}
        return cls(data_folder() / TAGS / release[:16], own, delivered)

    def folder(self, target: Target) -> Path:
        """The folder that an event about a target belongs in."""
        if target.kind is TargetKind.RECORD:
            return self.of_runs.get(target.run, self.common)
        return self.common

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders, each once."""
        return tuple(dict.fromkeys((self.common, *self.of_runs.values())))


def anything_kept(
    runs: Iterable[Run], chosen: Path | None = None, delivered: Path | None = None
) -> bool:
    """Whether there may be tags to read, told without looking into releases and answers.

    Args:
        runs: The runs that are open.
        chosen: The one folder that the user named.
        delivered: The folder for tags that come with the release.
    """
    usual = [data_folder() / TAGS, *([delivered] if delivered is not None else [])]
    folders = [chosen] if chosen else usual
    if not chosen:
        folders += [run.root / TAGS for run in runs if is_native(run)]
    return any(folder.is_dir() and any(folder.iterdir()) for folder in folders)


@dataclass
class Tags:
    """What everybody says about a release and its runs."""

    books: dict[str, Book] = field(default_factory=dict)
    """By annotator, in the order of their names."""
    defects: tuple[Defect, ...] = ()
    """Lines and files that could not be read; nothing of them is lost."""
    elsewhere: int = 0
    """Events about another version of the release, which are kept and not shown."""

    def book(self, annotator: str) -> Book:
        """An annotator's statements; empty ones for somebody new."""
        return self.books.setdefault(annotator, Book(annotator))

    def on(self, target: Target) -> Iterator[tuple[str, "Book"]]:
        """Annotators who say something about a target, with their books."""
        for name, book in self.books.items():
            if not book.marks(target).empty:
                yield name, book


def load_tags(places: Places, release: str) -> Tags:
    """Read every annotator's events from all folders.

    Args:
        places: The folders; those that are not there are empty.
        release: The hash of the release that is open.
    """
    events: dict[str, list[TagEvent]] = {}
    defects: list[Defect] = []
    elsewhere = 0
    for path in _files(places):
        try:
            found, odd = read_events(path)
        except InputError as error:
            log = DefectLog(file=str(path))
            log.unreadable(error, path)
            found, odd = [], log.items
        defects += odd
        for event in found:
            if event.release == release:
                events.setdefault(event.annotator, []).append(event)
            else:
                elsewhere += 1
    books = {
        # An annotator's events may be in several folders; sorting is stable within each file.
        name: Book(name, sorted(events[name], key=lambda event: event.time))
        for name in sorted(events)
    }
    return Tags(books, tuple(defects), elsewhere)


def _files(places: Places) -> Iterator[Path]:
    delivered = _lines_files(places.delivered) if places.delivered is not None else ()
    # Whatever else lies in a folder of that name is none of ours.
    yield from (path for path in delivered if person_of(path, "annotator") is not None)
    for folder in places.folders:
        yield from _lines_files(folder)


def _lines_files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(path for path in folder.glob("*.jsonl") if path.is_file())
