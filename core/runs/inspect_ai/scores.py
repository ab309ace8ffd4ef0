"""What the scorers of an inspect_ai log say of a sample: verdicts and figures."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mnemoscope.core.model import StoredMetric, Value, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.rows import as_number

__all__ = ["Scores", "read_results", "read_scores"]

_GRADES = {
    "C": (Value.RIGHT, ""),
    "I": (Value.WRONG, ""),
    "P": (Value.WRONG, "partially right"),
    "N": (Value.WRONG, "no answer"),
}
"""Letters that scorers write, and what they count as here: only what is wholly right is right."""
_FULL = {"P": 0.5}
_EXPECTED = "C, I, P, N, a number, true, false, or several of them"
_PARTIAL_NOTE = (
    "only wholly right answers are right: one that a scorer calls partially right (P, which "
    "inspect_ai counts as 0.5) is wrong here, with that score"
)


class Scores(NamedTuple):
    """What the scores of one sample come to."""

    verdicts: tuple[Verdict, ...]
    """The deciding one first: that of the first scorer that says right or wrong."""
    metrics: tuple[StoredMetric, ...]
    """Scores that are figures and no verdicts."""
    answer: str
    """What the deciding scorer read from the output."""
    notes: tuple[str, ...]


def read_scores(sample: Node, order: Sequence[str]) -> Scores:
    """Read the scores of a sample.

    Args:
        sample: The sample.
        order: The scorers in the order in which the log lists them.
    """
    scores = Node(sample.mapping("scores"), sample.at("scores"), sample.log)
    names = sorted(scores.data, key=lambda name: order.index(name) if name in order else len(order))
    verdicts = []
    metrics: list[StoredMetric] = []
    answers = {}
    partial = False
    for name in names:
        if type(scores.data[name]) is not dict:
            scores.wrong(name, "a score")
            continue
        score = Node(scores.data[name], scores.at(name), scores.log)
        metrics += _figures(score, name)
        verdict = _verdict(score, name)
        if verdict is not None:
            verdicts.append(verdict)
            partial |= verdict.score is not None and 0 < verdict.score < 1
            if type(score.data.get("answer")) is str:
                answers[name] = score.data["answer"]
    # Stable: scorers that decide first, in their order, then those that failed or did not judge.
    verdicts.sort(key=lambda one: one.value not in (Value.RIGHT, Value.WRONG))
    answer = answers.get(verdicts[0].stage, "") if verdicts else ""
    notes = (_PARTIAL_NOTE,) if partial else ()
    return Scores(tuple(verdicts), tuple(metrics), answer, notes)


def _verdict(score: Node, name: str) -> Verdict | None:
    """The verdict of one scorer; None when its value is a figure, or several."""
    value = score.data.get("value")
    reason = score.text("explanation")
    if type(value) is str:
        grade = _GRADES.get(value.strip().upper())
        if grade is None:
            known = _WORDS.get(value.strip().lower())
            if known is None:
                score.wrong("value", _EXPECTED)
                failed = f"the score {value[:40]!r} is none that can be read"
                return Verdict("stored", Value.JUDGE_FAILED, name, failed)
            return Verdict("stored", known, name, reason)
        decided, said = grade
        reason = "; ".join(filter(None, (said, reason)))
        return Verdict("stored", decided, name, reason, _FULL.get(value.strip().upper()))
    if type(value) is bool:
        return Verdict("stored", Value.RIGHT if value else Value.WRONG, name, reason)
    number = as_number(value)
    if number is not None and math.isnan(number):
        unscored = reason or score.text("reason") or "the scorer could not score it"
        return Verdict("stored", Value.JUDGE_FAILED, name, unscored)
    if number in (0, 1):
        return Verdict("stored", Value.RIGHT if number else Value.WRONG, name, reason, number)
    if value is None:
        return Verdict("stored", Value.NOT_JUDGED, name, reason)
    return None


_WORDS = {
    "correct": Value.RIGHT,
    "right": Value.RIGHT,
    "yes": Value.RIGHT,
    "true": Value.RIGHT,
    "incorrect": Value.WRONG,
    "wrong": Value.WRONG,
    "no": Value.WRONG,
    "false": Value.WRONG,
}


def _figures(score: Node, name: str) -> Iterator[StoredMetric]:
    """Scores that are numbers other than 0 and 1, and the parts of those that are several."""
    value = score.data.get("value")
    if type(value) is dict:
        parts = [(f"{name} {key}", one) for key, one in value.items()]
    elif type(value) is list:
        parts = [(f"{name} {number}", one) for number, one in enumerate(value, start=1)]
    else:
        parts = [] if type(value) in (bool, str) else [(name, value)]
    for label, one in parts:
        number = float(one) if type(one) is bool else as_number(one)
        plain = type(value) not in (dict, list)
        if number is not None and math.isfinite(number) and not (plain and number in (0, 1)):
            yield StoredMetric(label, number)


def read_results(log: Node) -> Iterator[StoredMetric]:
    """Figures that the log claims for the whole run, such as ``includes accuracy``."""
    results = Node(log.mapping("results"), log.at("results"), log.log)
    for score in results.nodes("scores"):
        name = " ".join(filter(None, (score.text("name"), score.text("reducer"))))
        metrics: Mapping[str, Any] = score.mapping("metrics")
        for key, metric in metrics.items():
            value = as_number(metric.get("value")) if type(metric) is dict else None
            if value is not None and math.isfinite(value):
                yield StoredMetric(f"{name} {key}", value)
