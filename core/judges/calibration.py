"""Made-up answers whose verdict is known, to find out how often a judge is wrong.

They are made from a release's gold: the right answer in a sentence, another question's answer,
words that stay near the topic and say nothing, and an answer that declines. No model makes them, so
the same release, seed and size give the same set.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.core.judges.asking import has_gold
from mnemoscope.core.judges.material import gold_words
from mnemoscope.core.judges.prompt import category_of
from mnemoscope.core.model import GoldKind, Question, Release, Value
from mnemoscope.core.scoring.text_match import normal

__all__ = ["Kind", "MadeUp", "calibration_set"]

_DECLINES = "I don't know: this was never mentioned in our conversations."


class Kind(StrEnum):
    """How an answer is made up."""

    RIGHT = "right"
    """The right answer in a sentence; for a question that cannot be answered, one that declines."""
    SPECIFIC = "wrong_specific"
    """The right answer to another question of the same kind."""
    VAGUE = "wrong_vague"
    """The topic of the question, and nothing that it asks for."""
    REFUSAL = "refusal"
    """An answer that declines although the question can be answered."""


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A made-up answer."""

    question: Question
    kind: Kind
    answer: str

    @property
    def expected(self) -> Value:
        """What a judge should say."""
        return Value.RIGHT if self.kind is Kind.RIGHT else Value.WRONG


def calibration_set(release: Release, size: int, seed: int) -> list[MadeUp]:
    """Made-up answers to questions drawn at random, spread over the kinds of questions.

    Args:
        release: The release.
        size: How many questions; each gets an answer of every kind that can be made for it.
        seed: Decides the draw.
    """
    drawn = random.Random(seed)
    by_kind: dict[str, list[Question]] = {}
    for question in release.questions.values():
        if has_gold(question):
            by_kind.setdefault(category_of(question), []).append(question)
    for listed in by_kind.values():
        drawn.shuffle(listed)
    chosen = list(_in_turn(list(by_kind.values())))[:size]
    answered = [one for listed in by_kind.values() for one in listed if one.answerable]
    made: list[MadeUp] = []
    for question in chosen:
        others = by_kind[category_of(question)]
        start = others.index(question)
        turned = [*others[start + 1 :], *others[:start]]
        made += _answers(release, question, turned if question.answerable else answered)
    return made


def _in_turn(lists: Sequence[Sequence[Question]]) -> Iterator[Question]:
    """The first of each list, then the second of each, and so on."""
    for place in range(max(map(len, lists), default=0)):
        yield from (of[place] for of in lists if place < len(of))


def _answers(release: Release, question: Question, others: Sequence[Question]) -> Iterator[MadeUp]:
    right = _right(release, question)
    # Where options are offered, one of them is what declines.
    declining = not question.answerable and question.gold.kind is not GoldKind.OPTION
    if declining:
        yield MadeUp(question, Kind.RIGHT, _DECLINES)
    elif right:
        yield MadeUp(question, Kind.RIGHT, f"The answer is {right}.")
    wrong = _other(release, question, others)
    if wrong:
        yield MadeUp(question, Kind.SPECIFIC, f"The answer is {wrong}.")
    yield MadeUp(question, Kind.VAGUE, _vague(question))
    if question.answerable:
        yield MadeUp(question, Kind.REFUSAL, _DECLINES)


def _right(release: Release, question: Question) -> str:
    words = gold_words(question, release.textualisation)
    return words[0].strip().rstrip(".") if words else ""


def _other(release: Release, question: Question, others: Sequence[Question]) -> str:
    """Another answer that could be meant: a wrong option, or the gold of another question."""
    if question.gold.kind is GoldKind.OPTION:
        wrong = [one for one in question.options if one.label != question.gold.option]
        if not wrong:
            return ""
        one = wrong[question.index % len(wrong)]
        text = one.describe(release.textualisation.image)
        return f"{one.label}. {text}".removesuffix(". ").rstrip(".")
    own = {normal(text) for text in gold_words(question, release.textualisation)}
    for other in others:
        text = _right(release, other)
        said = normal(text)
        # One that contains the other may well be right, too.
        if said and not any(said in gold or gold in said for gold in own):
            return text
    return ""


def _vague(question: Question) -> str:
    topic = " ".join(question.stem.split())[:200].rstrip("?？. ")
    return f"We did talk about that, and there were several things about it. ({topic})"
