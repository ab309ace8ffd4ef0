"""Deciding right and wrong: one record, one question, one named rule."""

from collections.abc import Iterable
from dataclasses import dataclass

from mnemoscope.core.choices import RULE_NAMES
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import GoldKind, Question, Record, RecordStatus, Value
from mnemoscope.core.scoring.open_rules import OPEN_RULES, rule_open
from mnemoscope.core.scoring.parsing import RULES, read_by

__all__ = ["Judgement", "is_judged", "judge", "rule_named"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule says of a record."""

    status: RecordStatus
    """The record's status under this rule: another rule may read an option where one did not."""
    parsed: str
    """The option that the rule read from the answer; empty when it read none."""
    value: Value
    stored_right_on_failure: bool = False
    """The run file calls a failed record right. It does not count; it is reported."""
    parse: str = ""
    """How a parsing rule came to the option: one of ``PARSES``; empty under other rules."""
    reason: str = ""
    """Why, in words, where the rule can say."""

    @property
    def right(self) -> bool:
        """Whether the record counts as correct."""
        return self.value is Value.RIGHT

    @property
    def judged(self) -> bool:
        """Whether it counts in accuracy at all."""
        return self.value in (Value.RIGHT, Value.WRONG)


_FAILED = frozenset(RecordStatus) - {RecordStatus.OK, RecordStatus.UNPARSED}


def rule_named(name: str) -> str:
    """Check the name of a rule.

    Raises:
        UsageError: There is no such rule.
    """
    if name not in RULE_NAMES:
        raise UsageError(f"no rule named {name!r}; there are: {', '.join(RULE_NAMES)}")
    return name


def is_judged(records: Iterable[Record]) -> bool:
    """Whether a run's own files say of any answer whether it is right."""
    return any(
        verdict.judge == "stored" and verdict.value is not Value.NOT_JUDGED
        for record in records
        for verdict in record.verdicts
    )


def judge(
    record: Record, question: Question, rule: str, *, run_is_judged: bool = True
) -> Judgement:
    """Judge one record.

    Args:
        record: The record.
        question: The question that it answers.
        rule: What decides.
        run_is_judged: Whether the run's own files judge any answer; where they judge none, a
            failure is not judged either.

    A record that failed (error, timeout, budget, refused, not run), or whose answer cannot be
    read, is wrong whatever the run file says of it, where the rule could have called it right; it
    is never left out silently.
    """
    if rule == "stored":
        return _stored(record, run_is_judged)
    if rule in OPEN_RULES or rule not in RULES:
        return _by_text(record, question, rule)
    return _by_option(record, question, rule)


def _stored(record: Record, run_is_judged: bool) -> Judgement:
    value = next((v.value for v in record.verdicts if v.judge == "stored"), Value.NOT_JUDGED)
    right = value is Value.RIGHT
    if not run_is_judged:
        return Judgement(record.status, record.parsed, Value.NOT_JUDGED)
    if record.status in _FAILED or (record.status is RecordStatus.UNPARSED and right):
        return Judgement(record.status, record.parsed, Value.WRONG, right)
    return Judgement(record.status, record.parsed, value)


def _by_option(record: Record, question: Question, rule: str) -> Judgement:
    gold = question.gold
    if record.status in _FAILED:
        value = Value.WRONG if gold.kind is GoldKind.OPTION else Value.NO_GOLD
        return Judgement(record.status, "", value, _stored_right(record))
    read, how = read_by(rule, record.answer)
    has_gold = gold.kind is GoldKind.OPTION
    # A damaged question may lack its gold option: an answer that equals it was read all the same.
    hit = has_gold and read == gold.option
    known = hit or any(option.label == read for option in question.options)
    status = RecordStatus.OK if known else RecordStatus.UNPARSED
    value = Value.RIGHT if hit else Value.WRONG if has_gold else Value.NO_GOLD
    return Judgement(status, read if known else "", value, parse=how)


def _by_text(record: Record, question: Question, rule: str) -> Judgement:
    ruling = rule_open("" if record.status in _FAILED else record.answer, question, rule)
    if record.status in _FAILED:
        value = Value.NO_GOLD if ruling.value is Value.NO_GOLD else Value.WRONG
        return Judgement(record.status, record.parsed, value, _stored_right(record))
    # No option need be read from an open answer.
    return Judgement(RecordStatus.OK, record.parsed, ruling.value, reason=ruling.reason)


def _stored_right(record: Record) -> bool:
    return any(v.judge == "stored" and v.value is Value.RIGHT for v in record.verdicts)
