"""From an answer to the record that a run keeps of it."""

from dataclasses import dataclass
from typing import Any

from mnemoscope.core.backbones.backbone import Answered, Counted
from mnemoscope.core.evaluate.budget import ATTEMPTS, COMPLETION, PROMPT
from mnemoscope.core.evaluate.recalling import Job
from mnemoscope.core.model import Question, Record, RecordStatus
from mnemoscope.core.runs.native.reading import key_ref
from mnemoscope.core.scoring.parsing import RULES

__all__ = ["Made", "made", "spoken"]


@dataclass(frozen=True)
class Made:
    """A record with what is kept beside it."""

    record: Record
    extra: dict[str, Any]
    context: str | None


def spoken(text: str) -> Answered:
    """The answer of a system that answers by itself."""
    if text.strip():
        return Answered(RecordStatus.OK, text)
    return Answered(RecordStatus.ERROR, "the answer is blank", "blank answer")


def made(job: Job, answered: Answered, rule: str, seconds: float, calls: int) -> Made:
    """The record of an answer.

    Args:
        job: What was asked.
        answered: What came of it.
        rule: How an option is read from the answer.
        seconds: How long it took.
        calls: How many requests it took; 0 where no endpoint was asked.
    """
    status, parsed = _read(job.question, answered, rule)
    usage: dict[str, float] = {"answer_seconds": round(seconds, 6)}
    tokens = answered.tokens
    if tokens.prompt is not None:
        usage[PROMPT] = tokens.prompt
    if tokens.completion is not None:
        usage[COMPLETION] = tokens.completion
    if calls:
        usage[ATTEMPTS] = calls
    record = Record(
        key_ref(job.question.key),
        status,
        answered.text,
        file="",
        place="",
        repeat=job.repeat,
        detail=answered.detail,
        parsed=parsed,
        reasoning=answered.reasoning,
        retrieval=job.retrieval,
        usage=usage,
    )
    extra = {name: one for name, one in answered.as_json().items() if name != "attempts"}
    if tokens.source is not Counted.NONE:
        extra["tokens_counted_by"] = tokens.source.value
    return Made(record, extra, job.context)


def _read(question: Question, answered: Answered, rule: str) -> tuple[RecordStatus, str]:
    """The status of an answer, and the option that a rule reads from it."""
    if answered.status is not RecordStatus.OK or rule not in RULES or not question.options:
        return answered.status, ""
    read = RULES[rule](answered.text)
    if any(option.label == read for option in question.options):
        return RecordStatus.OK, read
    return RecordStatus.UNPARSED, ""
