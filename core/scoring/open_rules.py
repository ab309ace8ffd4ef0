"""Rules that judge open answers without a model, by name.

``open`` is the rule judge: typed gold by its type, texts as ``exact``. The other three hold
answers against gold texts: ``exact`` wants the same words, ``contains`` wants the gold among them,
``f1`` wants at least half as the F1 of the two. Under all of them declining is right where a
question cannot be answered, and nothing else is, unless it says what the gold says.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Group, known_names, load_named
from mnemoscope.core.model import GoldKind, Question, Value
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.scoring.text_match import best_f1, contains, normal

__all__ = ["ENOUGH_F1", "OPEN_RULES", "VERSION", "OpenRuling", "rule_open"]

VERSION = 1
"""Raised whenever a rule says something else of some answer."""
ENOUGH_F1 = 0.5
"""The F1 from which ``f1`` calls an answer right."""


class OpenRuling(NamedTuple):
    """What a rule says of an answer, and why."""

    value: Value
    reason: str
    score: float | None = None
    """A grade from 0 to 1, where the rule gives one."""


def rule_open(answer: str, question: Question, rule: str) -> OpenRuling:
    """Judge an answer that was given; a failed record has none and does not come here.

    Args:
        answer: The answer.
        question: Its question.
        rule: One of ``OPEN_RULES``, or the name of a judge that a package adds.

    Raises:
        UsageError: There is no such rule, or the package that adds it is broken.
    """
    if rule not in OPEN_RULES:
        return _added(answer, question, rule)
    gold = question.gold
    if gold.kind is GoldKind.VALUE:
        return _typed(answer, question)
    if not question.answerable and gold.kind is not GoldKind.OPTION:
        return _unanswerable(answer, gold.texts)
    if gold.kind is not GoldKind.TEXTS:
        return OpenRuling(Value.NO_GOLD, "the gold is no text that a rule of open answers can use")
    if not answer.strip():
        return OpenRuling(Value.WRONG, "says nothing", 0.0 if rule == "f1" else None)
    return OPEN_RULES[rule](answer, gold.texts)


def _added(answer: str, question: Question, rule: str) -> OpenRuling:
    found = load_named(Group.JUDGES, rule)
    if found is None:
        raise UsageError(f"no rule {rule!r}; there are: {known_names(OPEN_RULES, Group.JUDGES)}")
    extension, judges = found
    ruling = extension.call(judges, answer, question)
    if not isinstance(ruling, OpenRuling):
        raise extension.broken(f"found {type(ruling).__name__}, expected an OpenRuling")
    return ruling


def _typed(answer: str, question: Question) -> OpenRuling:
    # Only typed gold needs pydantic.
    from mnemoscope.core.scoring.typed_answers import judge_typed
    from mnemoscope.core.scoring.typed_gold import read_typed_gold

    gold = read_typed_gold(question.gold.value)
    if gold is None:
        return OpenRuling(Value.NO_GOLD, "the gold's value is of no type that the rule knows")
    ruling = judge_typed(answer, gold, question.stem)
    return OpenRuling(Value.RIGHT if ruling.right else Value.WRONG, ruling.reason)


def _unanswerable(answer: str, golds: Sequence[str]) -> OpenRuling:
    if declines(answer):
        return OpenRuling(Value.RIGHT, "declines, which is right here")
    if any(normal(answer) == normal(gold) != "" for gold in golds):
        return OpenRuling(Value.RIGHT, "says what the gold says")
    return OpenRuling(Value.WRONG, "answers a question that the history does not answer")


def _exact(answer: str, golds: Sequence[str]) -> OpenRuling:
    said = normal(answer)
    found = next((gold for gold in golds if normal(gold) == said), None)
    if found is None:
        return OpenRuling(Value.WRONG, f"is not {_first(golds)}")
    return OpenRuling(Value.RIGHT, f"is {found}, case, articles and punctuation aside")


def _contains(answer: str, golds: Sequence[str]) -> OpenRuling:
    found = next((gold for gold in golds if contains(answer, gold)), None)
    if found is None:
        return OpenRuling(Value.WRONG, f"does not contain {_first(golds)}")
    return OpenRuling(Value.RIGHT, f"contains {found}")


def _f1(answer: str, golds: Sequence[str]) -> OpenRuling:
    score = best_f1(answer, golds)
    value = Value.RIGHT if score >= ENOUGH_F1 else Value.WRONG
    return OpenRuling(value, f"F1 {score:.2f}, right from {ENOUGH_F1:.2f}", score)


def _first(golds: Sequence[str]) -> str:
    return golds[0] if golds else "anything"


OPEN_RULES: Mapping[str, Callable[[str, Sequence[str]], OpenRuling]] = {
    "open": _exact,
    "exact": _exact,
    "contains": _contains,
    "f1": _f1,
}
"""How each rule holds an answer against gold texts."""
