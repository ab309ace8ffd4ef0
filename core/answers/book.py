"""What one person has answered so far, as the events say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from mnemoscope.core.answers.events import AnswerAction, AnswerEvent
from mnemoscope.core.answers.views import View
from mnemoscope.core.model import Question, Textualisation

__all__ = ["AnswerBook", "Given"]


@dataclass(slots=True)
class Given:
    """What a person says to one question in one view."""

    answer: str = ""
    """Empty while it is not answered."""
    seconds: float = 0.0
    """How long the question has been shown altogether."""
    textualisation: Textualisation | None = None
    """The captions shown when it was answered, in a text view."""


class AnswerBook:
    """One person's answers in every view."""

    def __init__(self, participant: str, events: Iterable[AnswerEvent] = ()) -> None:
        """Take what has been written so far, in the order of its times."""
        self.participant = participant
        self.last: AnswerEvent | None = None
        self._given: dict[tuple[View, str], Given] = {}
        self._finished: dict[tuple[View, str], datetime] = {}
        for event in events:
            self.take(event)

    def take(self, event: AnswerEvent) -> None:
        """Take one event. What comes after a history is finished changes nothing."""
        self.last = event
        if (event.view, event.history) in self._finished:
            return
        if event.action is AnswerAction.FINISH:
            self._finished[event.view, event.history] = event.time
            return
        given = self._given.setdefault((event.view, event.question), Given())
        given.seconds += max(0.0, event.seconds)
        if event.action is AnswerAction.ANSWER:
            given.answer = event.answer
            shown = event.textualisation
            given.textualisation = Textualisation(shown.image, shown.audio) if shown else None

    def given(self, view: View, question: str) -> Given:
        """What is said to a question, by its key."""
        return self._given.get((view, question), Given())

    def answered(self, view: View, questions: Iterable[Question]) -> int:
        """How many of some questions are answered."""
        return sum(bool(self.given(view, one.key).answer) for one in questions)

    def finished(self, view: View, history: str) -> datetime | None:
        """When a history was finished in a view; None while it is not."""
        return self._finished.get((view, history))

    @property
    def views(self) -> Sequence[View]:
        """The views that anything was done in."""
        used = {view for view, _ in (*self._given, *self._finished)}
        return [view for view in View if view in used]

    def begun(self, view: View, questions: Iterable[Question]) -> bool:
        """Whether any of some questions was looked at in a view."""
        return any((view, one.key) in self._given for one in questions)
