"""Answering open questions by filling a slot of the kind that is asked for."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from mnemoscope.core.backbones.embedded.options import BACKED
from mnemoscope.core.backbones.embedded.passages import Passage, Passages, sentences
from mnemoscope.core.model.values import value
from mnemoscope.core.terms import terms

__all__ = ["Filled", "Slot", "fill", "slot_of"]

_LOOKED_AT = 5
"""How many of the best sentences are searched for a filler."""


class Slot(StrEnum):
    """What kind of answer a question asks for."""

    DATE = "date"
    NUMBER = "number"
    YES_NO = "yes_no"
    PHRASE = "phrase"


@value
class Filled:
    """What was found for an open question."""

    slot: Slot
    text: str
    """Empty where nothing in what was sent is on the question's subject."""
    sentence: str = ""
    share: float = 0.0
    """Which share of the question's words the passage holds."""

    def as_json(self) -> dict[str, Any]:
        """What the answer rests on, as JSON."""
        return {
            "slot": self.slot.value,
            "threshold": BACKED,
            "share": self.share,
            "sentence": self.sentence,
        }


_ASKS_DATE = re.compile(
    r"^(?:since |until |from )?when\b|\b(?:what|which) (?:date|day|month|year|time)\b"
    r"|什么时候|何时|哪[一]?[天年月日]|几[月号点]|日期",
    re.IGNORECASE,
)
_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|long|old|far|often|tall|heavy|large)\b"
    r"|\b(?:total|number|amount|price|cost|balance|sum|count|percentage|budget|quantity)"
    r" (?:of|for)\b"
    r"|多少|几[个次位岁年天只条份]|总[数额价计]",
    re.IGNORECASE,
)
_ASKS_YES_NO = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b"
    r"|吗[？?]?$|是否|是不是|有没有",
    re.IGNORECASE,
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4}|\d{4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?:,? \d{{4}})?\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?"
    rf"(?:,? \d{{4}})?\b|\b{_MONTH} \d{{4}}\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[€$£¥]?\s?-?\d+(?:,\d{3})*(?:\.\d+)?(?:\s?%|\s?[A-Za-z]+|[\u4e00-\u9fff]{1,2})?"
)
_QUOTED = re.compile('[“"「『《]([^”"」』》\n]{1,80})[”"」』》]')
_NAMED = re.compile(r"(?<=[\w,] )[A-Z][\w'’-]+(?: (?:of |the )?[A-Z][\w'’-]+)*")
_FIELD = re.compile(r"\s*([^:：|\n]{1,60}?)\s*[:：|]\s*([^|\n]+)")
_ENDS = " \t.,;:!?。，；：！？"
_ASKING_WORDS = re.compile(
    r"\bhow (?:many|much|long|old|far|often|tall|heavy|large)\b|\b(?:did|does|do|has|was|were)\b"
    r"|什么时候|何时|多少|是否|是不是|有没有|怎么样?|为什么|什么|哪[个些里一]?|谁|几|吗",
    re.IGNORECASE,
)
_ASKING = ("?", "？", "吗")
_NEGATION = re.compile(r"\b(?:not|never|no|none|nor)\b|n['’]t\b|不|没|未|无", re.IGNORECASE)


def slot_of(stem: str) -> Slot:
    """Which kind of answer a question asks for, in English or Chinese."""
    for slot, asks in (
        (Slot.DATE, _ASKS_DATE),
        (Slot.NUMBER, _ASKS_NUMBER),
        (Slot.YES_NO, _ASKS_YES_NO),
    ):
        if asks.search(stem.strip()):
            return slot
    return Slot.PHRASE


def fill(stem: str, passages: Passages, *, latest_first: bool) -> Filled:
    """Answer a question with a piece of the sentence that is closest to it.

    A sentence counts by the share of the question's words, by weight, that it holds, plus half of
    the share that its passage holds. The words that ask are no words of the question. Sentences
    that ask are left out, and so are passages that do not hold half of the question's words; where
    nothing is left there is no answer. Of the five best sentences the first with a filler of the
    slot is used.

    Args:
        stem: The question.
        passages: What was brought back.
        latest_first: Whether the later of two equal sentences goes first, as where all of a history
            was sent in order.
    """
    slot, asked = slot_of(stem), terms(_ASKING_WORDS.sub(" ", stem))
    found = []
    order = -1 if latest_first else 1
    for place, passage in enumerate(passages.all):
        around = passages.share(asked, passage.terms)
        if around < BACKED:
            continue
        for at, sentence in enumerate(sentences(passage.text)):
            if sentence.endswith(_ASKING):
                continue
            score = round(passages.share(asked, terms(sentence)) + around / 2, 6)
            found.append((-score, order * place, order * at, passage, sentence, around))
    found.sort(key=lambda one: one[:3])
    for *_, passage, sentence, around in found[:_LOOKED_AT]:
        text = _filler(slot, sentence, passage, asked)
        if text:
            return Filled(slot, text, sentence, around)
    return Filled(slot, "")


def _filler(slot: Slot, sentence: str, passage: Passage, asked: frozenset[str]) -> str:
    match slot:
        case Slot.DATE:
            found = _DATE.search(sentence)
            return found.group().strip() if found else passage.date
        case Slot.NUMBER:
            return _number(sentence, asked)
        case Slot.YES_NO:
            chinese = any("\u4e00" <= sign <= "\u9fff" for sign in sentence)
            yes, no = ("是", "否") if chinese else ("Yes", "No")
            return no if _NEGATION.search(sentence) else yes
    return _phrase(sentence, asked)


def _number(sentence: str, asked: frozenset[str]) -> str:
    """The number nearest to the question's words, of those with a unit that it names if any."""
    # What stands in a date is no amount.
    plain = _DATE.sub(lambda date: " " * len(date.group()), sentence)
    numbers = list(_NUMBER.finditer(plain))
    if not numbers:
        return ""
    places = [at for word in sorted(asked) for at in _places(word, plain)]

    def rank(found: re.Match[str]) -> tuple[bool, int, int]:
        distance = min((abs(at - found.start()) for at in places), default=0)
        return not terms(found.group()) & asked, distance, found.start()

    return min(numbers, key=rank).group().strip()


def _places(word: str, text: str) -> Iterator[int]:
    lowered, at = text.casefold(), -1
    while (at := lowered.find(word, at + 1)) >= 0:
        yield at


def _phrase(sentence: str, asked: frozenset[str]) -> str:
    field = _FIELD.match(sentence)
    if field and terms(field[1]) & asked and terms(field[2]) - asked:
        return field[2].strip(_ENDS)
    said = field[2] if field else sentence
    for pattern in (_QUOTED, _NAMED):
        for found in pattern.finditer(said):
            text = found[1] if pattern is _QUOTED else found.group()
            if terms(text) - asked:
                return text.strip(_ENDS)
    return said.strip(_ENDS)
