"""Declining by itself: how often a run declines where it should, and where it should not.

It is scored apart from accuracy, by the words of the answer or the option chosen, so that neither
declining everything nor never declining looks good. A failed record has declined nothing.
"""

from collections.abc import Collection
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure
from mnemoscope.analyses.judges import chosen_entries
from mnemoscope.core.model import Release
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["RefusalScore", "declined", "refusal"]


@dataclass(frozen=True, slots=True)
class RefusalScore:
    """How a run declines."""

    recall: Figure
    """Declined / records of questions that cannot be answered."""
    false_refusals: Figure
    """Declined / records of questions that can be answered."""
    precision: Figure
    """Records of questions that cannot be answered / records that decline."""
    balanced: Figure
    """The mean of ``recall`` and 1 - ``false_refusals``; either baseline has a half."""
    always: Figure
    """What somebody who always declines gets of all records right."""
    never: Figure
    """What somebody who never declines gets at best."""
    failed: int
    """Failed records; they are in every n and have declined nothing."""


def refusal(
    run: JoinedRun, release: Release, *, keys: Collection[str] | None = None
) -> RefusalScore | None:
    """Score how a run declines; None where the release has no question that calls for it.

    Args:
        run: The run.
        release: The release that it joins to.
        keys: Only these questions.
    """
    if all(question.answerable for question in release.questions.values()):
        return None
    entries = chosen_entries(run, keys)
    right = wrong = unanswerable = failed = 0
    for entry in entries:
        said = declined(entry, release.textualisation.image)
        unanswerable += not entry.question.answerable
        right += said and not entry.question.answerable
        wrong += said and entry.question.answerable
        failed += entry.judgement.status in FAILED
    n = len(entries)
    answerable = n - unanswerable
    recall = Figure.share(right, unanswerable, "declined / records of unanswerable questions")
    false = Figure.share(wrong, answerable, "declined / records of answerable questions")
    return RefusalScore(
        recall,
        false,
        Figure.share(right, right + wrong, "records of unanswerable questions / records declined"),
        _balanced(recall, false),
        Figure.share(unanswerable, n, "accuracy of always declining"),
        Figure.share(answerable, n, "accuracy of never declining, at most"),
        failed,
    )


def _balanced(recall: Figure, false: Figure) -> Figure:
    estimand = "mean of refusal recall and 1 - false refusals"
    if recall.value is None or false.value is None:
        return Figure.share(0, 0, estimand)
    return Figure((recall.value + 1 - false.value) / 2, recall.n + false.n, estimand)


def declined(entry: Entry, variant: str = "") -> bool:
    """Whether an answer declines: the option chosen, else the answer's own words.

    Args:
        entry: The record.
        variant: The captions that stand for pictures among the options.
    """
    if entry.judgement.status in FAILED:
        return False
    option = entry.question.option(entry.judgement.parsed or entry.record.parsed)
    return declines(option.describe(variant) if option is not None else entry.record.answer)
