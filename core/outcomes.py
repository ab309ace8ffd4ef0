"""What became of a question in a run, in a word, and how often over many questions."""

from collections import Counter
from collections.abc import Iterable, Mapping

from mnemoscope.core.model import Record, RecordStatus, Value
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["FAILED", "OUTCOMES", "count_outcomes", "outcome", "reached_note"]

OUTCOMES = ("right", "wrong", "unparsed", "failed", "not_judged", "no_record")
"""Every outcome, in the order in which they are counted out."""
FAILED = frozenset(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}
"""Statuses of records without an answer to judge."""


def outcome(entry: Entry | None) -> str:
    """What became of a question, one of ``OUTCOMES``; a failed record is never just wrong."""
    if entry is None:
        return "no_record"
    judgement = entry.judgement
    if judgement.status in FAILED:
        return "failed"
    if judgement.status is RecordStatus.UNPARSED:
        return "unparsed"
    if not judgement.judged:
        return "not_judged"
    return "right" if judgement.value is Value.RIGHT else "wrong"


def reached_note(record: Record) -> str:
    """What reached the model for an answer, such as ``text, 2 images``.

    Empty where the run does not say, and for failed records: nobody knows how far those got.
    """
    failed = record.status in FAILED
    return "" if record.reached is None or failed else str(record.reached)


def count_outcomes(run: JoinedRun, keys: Iterable[str]) -> Mapping[str, int]:
    """How many of some questions have each outcome in a run; a run with repeats by its first.

    Args:
        run: The run.
        keys: The questions' keys.

    Returns:
        A count for every one of ``OUTCOMES``, also those that are zero.
    """
    by_question = run.by_question
    found = Counter(outcome(of[0] if (of := by_question.get(key)) else None) for key in keys)
    return {name: found[name] for name in OUTCOMES}
