"""Lexical retrieval: words and Chinese character pairs, TF-IDF cosine and BM25."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")
_WORD = re.compile(r"[a-z0-9]+")
_COMMON_TEXT = """
a about after all an and any are as at be been before but by can did do does for from had has have
he her him his how i if in into is it its me my no not of off on one or our out she so than that
the their them then there they this to too up was we were what when where which who whose why will
with would you your nora
"""
_COMMON = frozenset(_COMMON_TEXT.split())
"""English words without a subject, and the name that nearly every question holds."""


def tokens(text: str) -> list[str]:
    """Words that carry a subject, singular, and pairs of neighbouring Chinese characters."""
    found = [_bare(w) for w in _WORD.findall(text.lower().replace("'s", "")) if w not in _COMMON]
    for run in _HAN_RUN.findall(text):
        found += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    return found


def _bare(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word


@dataclass(frozen=True)
class Index:
    """Term statistics of a list of texts."""

    counts: tuple[Counter[str], ...]
    frequency: Counter[str]
    """In how many texts a token occurs."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Index:
        """Index the texts in order."""
        counts = tuple(Counter(tokens(text)) for text in texts)
        return cls(counts, Counter(token for count in counts for token in count))

    def idf(self, token: str) -> float:
        """Smoothed inverse document frequency; a token that never occurs weighs most."""
        n = len(self.counts)
        seen = self.frequency[token]
        return math.log(1 + (n - seen + 0.5) / (seen + 0.5))

    def cosine(self, query: str) -> list[float]:
        """TF-IDF cosine of the query with every text."""
        wanted = {t: (1 + math.log(c)) * self.idf(t) for t, c in Counter(tokens(query)).items()}
        return [_cosine(wanted, self._weights(count)) for count in self.counts]

    def bm25(self, query: str, k1: float = 1.2, b: float = 0.75) -> list[float]:
        """BM25 score of every text for the query."""
        mean = sum(c.total() for c in self.counts) / max(1, len(self.counts))
        wanted = set(tokens(query))
        scores = []
        for count in self.counts:
            damp = k1 * (1 - b + b * count.total() / mean)
            hits = sorted(wanted & count.keys())
            scores.append(sum(self.idf(t) * count[t] * (k1 + 1) / (count[t] + damp) for t in hits))
        return scores

    def _weights(self, count: Counter[str]) -> dict[str, float]:
        return {t: (1 + math.log(c)) * self.idf(t) for t, c in count.items()}


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    shared = sorted(one.keys() & other.keys())
    norm = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(one[t] * other[t] for t in shared) / norm if norm else 0.0


def best(scores: Sequence[float], count: int) -> list[int]:
    """Positions of the highest scores, best first; equal scores keep their order."""
    ranked = sorted(range(len(scores)), key=lambda i: (-round(scores[i], 9), i))
    return ranked[:count]
