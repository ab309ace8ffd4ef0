"""One person who answers: which questions in which view, what is unfolded, how long it takes."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mnemoscope.analyses.answer_summary import AnswerSummary, answer_summary
from mnemoscope.core.answers.sheet import SheetMaker
from mnemoscope.core.answers.store import AnswerJournal
from mnemoscope.core.answers.submission import Written, write_submissions
from mnemoscope.core.answers.views import View
from mnemoscope.core.model import Question, Release, Textualisation

__all__ = ["Answering", "option_keys"]

_NO_TIME = 0.05
"""Seconds that are not worth a line."""


def option_keys(question: Question) -> Mapping[str, str]:
    """Labels of options by the letter that chooses them.

    That is the label itself where every label is a single letter, else ``a`` for the first.
    """
    labels = [option.label for option in question.options]
    if all(len(label) == 1 and label.isascii() and label.isalpha() for label in labels):
        return {label.lower(): label for label in labels}
    return {chr(ord("a") + place): label for place, label in enumerate(labels[:26])}


@dataclass
class Answering:
    """The state of the answer screen, without a screen."""

    release: Release
    journal: AnswerJournal
    view: View
    histories: Sequence[str]
    """Whose questions are answered, in order."""
    textualisation: Textualisation
    clock: Callable[[], float] = time.monotonic
    cursor: int = 0
    unfolded: set[int] = field(default_factory=set)
    """Which clues of the question are open, in an oracle view."""
    _since: float | None = None

    def __post_init__(self) -> None:
        # One goes on where the last event left off, at the first question without an answer.
        last = self.journal.book.last
        keys = [one.key for one in self.questions]
        if last is not None and last.view is self.view and last.question in keys:
            self.cursor = keys.index(last.question)
        if self.answered(self.cursor):
            self.cursor = self.next_open() or 0

    @property
    def participant(self) -> str:
        """Who answers."""
        return self.journal.book.participant

    @cached_property
    def questions(self) -> Sequence[Question]:
        """The questions, in the release's order."""
        return [one for id in self.histories for one in self.release.questions_by_history[id]]

    @property
    def question(self) -> Question:
        """The question that is put."""
        return self.questions[self.cursor]

    @cached_property
    def maker(self) -> SheetMaker:
        """What of the release is shown."""
        return SheetMaker(self.release, self.view, self.textualisation)

    @property
    def answer_here(self) -> str:
        """What has been answered to the question that is put."""
        return self.journal.book.given(self.view, self.question.key).answer

    def answered(self, place: int) -> bool:
        """Whether the question at a place is answered."""
        return bool(self.journal.book.given(self.view, self.questions[place].key).answer)

    @property
    def count(self) -> int:
        """How many questions are answered."""
        return self.journal.book.answered(self.view, self.questions)

    @property
    def finished(self) -> bool:
        """Whether all that is answered here is finished."""
        book = self.journal.book
        return all(book.finished(self.view, id) is not None for id in self.histories)

    @property
    def locked(self) -> bool:
        """Whether the history of the question that is put is finished."""
        return self.journal.book.finished(self.view, self.question.history_id) is not None

    def next_open(self) -> int | None:
        """The place of the next question without an answer, from the first one again at the end."""
        total = len(self.questions)
        order = [(self.cursor + step) % total for step in range(1, total + 1)]
        return next((place for place in order if not self.answered(place)), None)

    def show(self, captions: Textualisation) -> None:
        """Show other captions, in a text view."""
        self.textualisation = captions
        self.__dict__.pop("maker", None)

    # Time

    def begin(self) -> None:
        """The question is seen from now on, if it was not already."""
        if self._since is None:
            self._since = self.clock()

    def spent(self) -> float:
        """How long the question has been seen since this was last asked."""
        since, self._since = self._since, None
        return 0.0 if since is None else self.clock() - since

    def pause(self) -> None:
        """The question is not seen any more.

        Raises:
            NotWrittenError: The time counts, and could not be written.
        """
        seconds = self.spent()
        if seconds >= _NO_TIME:
            self.journal.leave(self.view, self.question, seconds)

    # Answering

    def answer(self, text: str) -> None:
        """Answer the question; an empty text takes the answer back.

        Raises:
            UsageError: It is finished, or another process answers as the same person.
            NotWrittenError: The answer counts, and could not be written.
        """
        seconds = self.spent()
        self.begin()
        self.journal.answer(self.view, self.question, text, seconds, self.textualisation)

    def go_to(self, place: int) -> None:
        """Put another question.

        Raises:
            NotWrittenError: The time spent counts, and could not be written.
        """
        try:
            self.pause()
        finally:
            self.cursor = place
            self.unfolded.clear()

    def finish(self) -> Sequence[Written]:
        """End it all: answers stay as they are, results are shown, submissions are written.

        Raises:
            NotWrittenError: The end counts, and could not be written.
            InputError: The submissions cannot be written.
        """
        self.pause()
        self.journal.finish(self.view, self.histories)
        return write_submissions(
            self.release, self.journal.book, self.view, self.histories, self.submissions
        )

    @property
    def submissions(self) -> Path:
        """The folder that submissions are written below."""
        return self.journal.folder / "submissions"

    @property
    def summary(self) -> AnswerSummary:
        """How it goes; with accuracy once all is finished."""
        return answer_summary(self.release, self.journal.book, self.view, self.histories)
