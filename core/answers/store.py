"""Where answers are kept, who has given any, and writing more."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mnemoscope.core.answers.book import AnswerBook
from mnemoscope.core.answers.events import AnswerAction, AnswerEvent, read_answers
from mnemoscope.core.answers.views import View
from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.model import Question, Release, Textualisation
from mnemoscope.core.person_files import PersonFiles
from mnemoscope.core.schemas import TextualisationForm
from mnemoscope.core.tags.events import new_id, time_after
from mnemoscope.core.tags.fingerprint import release_hash
from mnemoscope.core.tags.journal import NotWrittenError
from mnemoscope.core.tags.store import data_folder

__all__ = ["ANSWERS", "AnswerJournal", "Answers", "answers_folder", "load_answers"]

ANSWERS = "answers"
"""The folder of answers in the folder for what users make."""


def answers_folder(release: str, chosen: Path | None = None) -> Path:
    """The folder that answers about a release are kept in.

    Args:
        release: The release's hash.
        chosen: The folder that the user named (``--answers``).
    """
    return chosen if chosen is not None else data_folder() / ANSWERS / release[:16]


@dataclass
class Answers:
    """What everybody has answered about a release."""

    release: str
    """The release's hash."""
    folder: Path
    books: dict[str, AnswerBook] = field(default_factory=dict)
    """By participant, in the order of their names."""
    defects: tuple[Defect, ...] = ()
    """Lines and files that could not be read; nothing of them is lost."""
    elsewhere: int = 0
    """Events about another version of the release, which are kept and not shown."""

    def journal(self, participant: str) -> "AnswerJournal":
        """The pen of a participant, old or new."""
        book = self.books.setdefault(participant, AnswerBook(participant))
        return AnswerJournal(book, self.folder, self.release)


def load_answers(release: Release, chosen: Path | None = None) -> Answers:
    """Read everybody's answers about a release.

    Args:
        release: The release.
        chosen: The folder that the user named; the usual one when None.
    """
    found = Answers(release_hash(release), Path())
    found.folder = answers_folder(found.release, chosen)
    defects: list[Defect] = []
    events: dict[str, list[AnswerEvent]] = {}
    for event in _events(found.folder, defects):
        if event.release == found.release:
            events.setdefault(event.participant, []).append(event)
        else:
            found.elsewhere += 1
    found.defects = tuple(defects)
    found.books = {
        name: AnswerBook(name, sorted(events[name], key=lambda event: event.time))
        for name in sorted(events)
    }
    return found


def _events(folder: Path, defects: list[Defect]) -> Iterator[AnswerEvent]:
    paths = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    for path in paths:
        try:
            events, odd = read_answers(path)
        except InputError as error:
            log = DefectLog(file=str(path))
            log.unreadable(error, path)
            events, odd = [], log.items
        defects += odd
        yield from events


class AnswerJournal:
    """The pen of one participant: every method writes one event and takes it into the book.

    Each event is on the disk when its method returns. A second journal of the same participant in
    the same folder is refused; others write beside this one.
    """

    def __init__(self, book: AnswerBook, folder: Path, release: str) -> None:
        """Start writing on.

        Args:
            book: What the participant has said so far.
            folder: The folder to write into; it is made when first needed.
            release: The release's hash.
        """
        self.book = book
        self.pending: list[AnswerEvent] = []
        """Events that could not be written yet."""
        self.folder = folder
        self._release = release
        self._files = PersonFiles(book.participant, "participant")

    def answer(
        self,
        view: View,
        question: Question,
        answer: str,
        seconds: float,
        textualisation: Textualisation,
    ) -> None:
        """Answer a question, or take its answer back with an empty one.

        Args:
            view: What was shown.
            question: The question.
            answer: The label of an option, or any text where the question has no options.
            seconds: How long the question was shown since the last event about it.
            textualisation: The captions shown in a text view.

        Raises:
            UsageError: The history is finished in this view, or the question has no such option.
            NotWrittenError: The answer counts, and could not be written.
        """
        if self.book.finished(view, question.history_id) is not None:
            raise UsageError(f"{view.label} is finished here: answers stay as they are")
        if answer and question.options and question.option(answer) is None:
            raise UsageError(f"the question has no option {answer!r}")
        shown = None
        if view.is_text:
            shown = TextualisationForm(image=textualisation.image, audio=textualisation.audio)
        self._write(
            AnswerAction.ANSWER,
            view,
            question.history_id,
            question=question.key,
            answer=answer,
            seconds=round(seconds, 2),
            textualisation=shown,
        )

    def leave(self, view: View, question: Question, seconds: float) -> None:
        """Note how long a question was shown.

        Raises:
            NotWrittenError: It counts, and could not be written.
        """
        if self.book.finished(view, question.history_id) is None:
            self._write(
                AnswerAction.LEAVE,
                view,
                question.history_id,
                question=question.key,
                seconds=round(seconds, 2),
            )

    def finish(self, view: View, histories: Iterable[str]) -> None:
        """End histories in a view; answers to their questions stay as they are from now on.

        Raises:
            NotWrittenError: It counts, and could not be written.
        """
        for history in histories:
            if self.book.finished(view, history) is None:
                self._write(AnswerAction.FINISH, view, history)

    def write_to(self, folder: Path) -> None:
        """Write everything from now on, and what is pending, into another folder.

        Raises:
            NotWrittenError: That folder cannot be written either; the pending events stay.
            UsageError: The participant already writes there.
        """
        self.folder = folder
        self.flush()

    def flush(self) -> None:
        """Write what is pending.

        Raises:
            NotWrittenError: It still cannot be written.
            UsageError: Another process writes as the same participant.
        """
        while self.pending:
            try:
                self._files.append(self.folder, self.pending[0].as_json())
            except InputError as error:
                raise NotWrittenError(
                    f"{error}; the last {len(self.pending)} things done are kept in memory",
                    hint="choose another folder for answers",
                ) from error
            self.pending.pop(0)

    def close(self) -> None:
        """Close the file and let the participant write elsewhere."""
        self._files.close()

    # Any: the rest are fields of the event, which checks them.
    def _write(self, action: AnswerAction, view: View, history: str, **rest: Any) -> None:
        last = self.book.last
        event = AnswerEvent(
            id=new_id(),
            time=time_after(last.time if last else None),
            participant=self.book.participant,
            release=self._release,
            action=action,
            view=view,
            history=history,
            **rest,
        )
        self.book.take(event)
        self.pending.append(event)
        self.flush()
