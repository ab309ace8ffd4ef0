"""How a person did who answered: coverage, time per question, accuracy by task and setting."""

from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from mnemoscope.analyses.accuracy import RunScore, score
from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.answers.book import AnswerBook
from mnemoscope.core.answers.submission import answer_run
from mnemoscope.core.answers.views import View
from mnemoscope.core.model import Release
from mnemoscope.core.workspace import join_run

__all__ = ["AnswerSummary", "answer_summary"]

_TIME = "seconds per question"


@dataclass(frozen=True, slots=True)
class AnswerSummary:
    """What somebody answered of the questions of some histories in one view."""

    participant: str
    view: View
    histories: tuple[str, ...]
    answered: int
    total: int
    finished: bool
    """Whether all of the histories are finished."""
    seconds: float
    """How long questions were shown altogether."""
    median_seconds: Figure
    """Over answered questions; in seconds."""
    mean_seconds: Figure
    """Over answered questions; in seconds."""
    score: RunScore | None
    """None while results are not to be seen. An unanswered question counts as wrong."""


def answer_summary(
    release: Release,
    book: AnswerBook,
    view: View,
    histories: Collection[str],
    *,
    results: bool | None = None,
) -> AnswerSummary:
    """Sum up what somebody answered.

    Args:
        release: The release.
        book: What the participant answered.
        view: The view.
        histories: The histories whose questions count.
        results: Whether accuracy is worked out; when all is finished if None.
    """
    questions = [one for id in histories for one in release.questions_by_history[id]]
    given = [book.given(view, one.key) for one in questions]
    times = [one.seconds for one in given if one.answer]
    finished = all(book.finished(view, id) is not None for id in histories)
    found = None
    if finished if results is None else results:
        run, _ = answer_run(release, book, view, histories)
        keys = [one.key for one in questions]
        found = score(join_run(release, run), release, keys=keys)
    return AnswerSummary(
        participant=book.participant,
        view=view,
        histories=tuple(histories),
        answered=len(times),
        total=len(questions),
        finished=finished,
        seconds=sum(one.seconds for one in given),
        median_seconds=_time(median(times) if times else None, len(times), f"median {_TIME}"),
        mean_seconds=_time(sum(times) / len(times) if times else None, len(times), f"mean {_TIME}"),
        score=found,
    )


def _time(value: float | None, n: int, estimand: str) -> Figure:
    if value is None:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    return Figure(value, n, estimand)
