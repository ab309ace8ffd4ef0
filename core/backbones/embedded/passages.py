"""What was brought back, cut into passages, and how much a word of it tells."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from mnemoscope.core.memory.items import Recall
from mnemoscope.core.model.values import value
from mnemoscope.core.terms import terms

__all__ = ["Passage", "Passages", "sentences"]

_HEAD = re.compile(r"\[[^\]\n]{1,60}\](?:[ \t]*timestamp:(?P<stamp>[^\n]*))?[ \t]*")
"""A line that dates what follows: ``[2025-01-01]``, or CUE-Mem's ``[Memory 1] timestamp: …``."""
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]+|\.(?=\s|$)|\n|$)")


@value
class Passage:
    """A piece of the context, usually one recalled item."""

    text: str
    terms: frozenset[str]
    date: str = ""
    """The date that stands above it, as written."""


@dataclass(frozen=True)
class Passages:
    """The pieces of a context in the order in which they are read."""

    all: tuple[Passage, ...]

    @classmethod
    def of(cls, recall: Recall) -> "Passages":
        """Cut what a backbone would be sent at blank lines and at lines that give a date."""
        return cls(tuple(_cut(recall.text.split("\n"))))

    @cached_property
    def _holding(self) -> Counter[str]:
        return Counter(term for one in self.all for term in one.terms)

    def weight(self, words: Collection[str]) -> float:
        """How much some terms tell together.

        The sum of ln(1 + (N − df + ½) / (df + ½)) over the terms, with N passages of which df hold
        the term. A term that none holds weighs as much as one that a single passage holds.
        """
        count = len(self.all)
        held = self._holding
        # In a fixed order: sums of floats depend on it.
        rarity = (max(1, held[word]) for word in sorted(words))
        return sum(math.log(1 + (count - df + 0.5) / (df + 0.5)) for df in rarity)

    def share(self, words: frozenset[str], held: frozenset[str]) -> float:
        """Which part of some terms, by weight, is held; 0 to 1, rounded to six decimals."""
        whole = self.weight(words)
        return round(self.weight(words & held) / whole, 6) if whole else 0.0


def sentences(text: str) -> list[str]:
    """The sentences of a text; a line's end ends one, too."""
    return [one for found in _SENTENCE.finditer(text) if (one := found.group().strip())]


def _cut(lines: Iterable[str]) -> Iterable[Passage]:
    gathered: list[str] = []
    date = ""
    for line in [*lines, ""]:
        head = _HEAD.fullmatch(line.strip())
        if line.strip() and head is None:
            gathered.append(line.strip())
            continue
        if gathered:
            text = "\n".join(gathered)
            yield Passage(text, terms(text), date)
        gathered = []
        date = _date(head) if head is not None else ""


def _date(head: re.Match[str]) -> str:
    stamp = head["stamp"]
    return stamp.strip() if stamp is not None else head.group().strip()[1:-1]
