"""Questions that are answered right without their history, and so measure no memory."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from mnemoscope.core.model import Question, Release
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["PAPER_ANSWERS", "Leak", "QuestionOnly", "question_only"]

PAPER_ANSWERS = 6
"""CUE-Mem's answers for each question: two backbones, three runs each."""


@dataclass(frozen=True, slots=True)
class Leak:
    """One question and its answers without a history."""

    key: str
    task: str
    setting: str
    answers: int
    right: int
    exempt: bool
    """Whether it is kept whatever was answered: the option that declines gives itself away."""

    def is_dropped(self, least: int) -> bool:
        """Whether the filter takes it out: every answer is right, and there are enough of them."""
        return not self.exempt and self.answers >= least and self.right == self.answers


@dataclass(frozen=True, slots=True)
class QuestionOnly:
    """What the filter makes of a release."""

    leaks: tuple[Leak, ...]
    least: int
    """How many answers a question must have to be taken out."""

    @property
    def dropped(self) -> tuple[Leak, ...]:
        """The questions that are taken out."""
        return tuple(one for one in self.leaks if one.is_dropped(self.least))

    @property
    def too_few(self) -> tuple[Leak, ...]:
        """Questions that are not exempt and have too few answers to be taken out."""
        return tuple(one for one in self.leaks if not one.exempt and one.answers < self.least)

    def cells(self) -> Iterator[tuple[str, str, tuple[Leak, ...]]]:
        """The questions by task and setting, in the order in which they come."""
        groups: dict[tuple[str, str], list[Leak]] = {}
        for one in self.leaks:
            groups.setdefault((one.task, one.setting), []).append(one)
        for (task, setting), group in groups.items():
            yield task, setting, tuple(group)


def question_only(
    release: Release,
    runs: Sequence[JoinedRun],
    *,
    keys: Collection[str] | None = None,
    least: int = PAPER_ANSWERS,
) -> QuestionOnly:
    """Look for questions that are right in every run and repeat without their history.

    CUE-Mem takes a question out only if all of its six answers are right; questions whose right
    answer is to decline are exempt.

    Args:
        release: The release.
        runs: Runs whose backbones saw questions alone. An answer that failed is not right.
        keys: Only these questions.
        least: How many answers a question must have to be taken out.
    """
    leaks = []
    for key, question in release.questions.items():
        if keys is None or key in keys:
            entries = [one for run in runs for one in run.by_question.get(key, ())]
            leaks.append(_leak(question, [one for one in entries if one.judgement.judged]))
    return QuestionOnly(tuple(leaks), least)


def _leak(question: Question, entries: Sequence[Entry]) -> Leak:
    right = sum(one.judgement.right for one in entries)
    exempt = not question.answerable
    return Leak(question.key, question.task, question.setting, len(entries), right, exempt)
