"""Answers that look wrong: gold throughout, error texts, right with nothing to compare with."""

import re
from collections.abc import Iterator

from mnemoscope.analyses.suspicion import Suspicion, example_of
from mnemoscope.core.model import GoldKind, Question, Record, RecordStatus, Release
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["is_error_text", "suspect_answers"]

_FEWEST = 10
"""With fewer answers, that all are the gold may be true."""
_FEWEST_OPTIONS = 50
"""The same where one of few options is the answer: a good system gets many of those right."""
_LOOKED_AT = 400
_ERROR = re.compile(
    r"""\s*(?:
        \[error\]
      | error\s*:
      | error\s+-\s
      | an?\ (?:\w+\ )?error\ (?:has\ )?occurred
      | error\ (?:code|calling|generating|processing|during|while|in)\b
      | (?:\w+\.)*\w*(?:Error|Exception)\s*[:(]
      | traceback\ \(most\ recent\ call\ last\)
      | (?:http\ (?:error\ )?)?(?:4\d\d|5\d\d)\ (?:client|server)\ error
      | (?:request|connection)\ (?:timed\ out|failed|error|refused|reset|aborted)
      | (?:rate\ limit|quota)\ (?:exceeded|reached)
      | (?:internal\ server\ error|bad\ gateway|service\ unavailable|too\ many\ requests)\b
      | \{\s*["'](?:error|detail)["']\s*:
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def is_error_text(answer: str) -> bool:
    """Whether a text begins as the message of a program that failed does."""
    return _ERROR.match(answer[:_LOOKED_AT]) is not None


def suspect_answers(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    """What looks wrong about the answers of a run."""
    yield from _gold_throughout(run)
    yield from _error_texts(run)
    yield from _without_gold(run, release)


def _gold_throughout(run: JoinedRun) -> Iterator[Suspicion]:
    answered = [
        entry
        for entry in run.entries
        if entry.record.status is RecordStatus.OK
        and entry.record.answer.strip()
        and entry.question.gold.kind is not GoldKind.NONE
    ]
    options = any(entry.question.gold.kind is GoldKind.OPTION for entry in answered)
    if len(answered) < (_FEWEST_OPTIONS if options else _FEWEST):
        return
    if all(_equals_gold(entry.record, entry.question) for entry in answered):
        counts = (len(answered), len(answered), "answers")
        says = "are the gold itself: a file of the gold, or a system that was shown it"
        examples = (example_of(entry, entry.record.answer) for entry in answered)
        yield Suspicion.of_run("answers_equal_gold", run, counts, says, examples)


def _equals_gold(record: Record, question: Question) -> bool:
    gold = question.gold
    answer = _folded(record.answer)
    if gold.kind is GoldKind.OPTION:
        return _folded(gold.option) in (answer.strip("()."), _folded(record.parsed))
    texts = gold.texts if gold.kind is GoldKind.TEXTS else (str(gold.value),)
    return answer in map(_folded, texts)


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def _error_texts(run: JoinedRun) -> Iterator[Suspicion]:
    found = [
        entry
        for entry in run.entries
        if entry.record.status is RecordStatus.OK and is_error_text(entry.record.answer)
    ]
    if found:
        counts = (len(found), len(run.entries), "answers")
        says = "read like the message of a program that failed, and are judged as answers"
        examples = (example_of(entry, entry.record.answer) for entry in found)
        yield Suspicion.of_run("error_text_answers", run, counts, says, examples)


def _without_gold(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    """Stored verdicts only: a rule has no verdict where there is no gold.

    A benchmark that has no gold for any of its free answers, such as PrefEval, has them judged by
    something else; the same goes for questions with options.
    """
    questions = release.questions.values()
    compared = {bool(q.options) for q in questions if q.gold.kind is not GoldKind.NONE}
    right = [entry for entry in run.entries if entry.judgement.right]
    found = [
        entry
        for entry in right
        if entry.question.gold.kind is GoldKind.NONE and bool(entry.question.options) in compared
    ]
    if found:
        counts = (len(found), len(right), "right answers")
        says = "are to questions without gold: they were compared with nothing"
        examples = (example_of(entry, _verdict(entry)) for entry in found)
        yield Suspicion.of_run("right_without_gold", run, counts, says, examples)


def _verdict(entry: Entry) -> str:
    reasons = [verdict.reason for verdict in entry.record.verdicts if verdict.reason]
    return reasons[0] if reasons else "right, as stored"
