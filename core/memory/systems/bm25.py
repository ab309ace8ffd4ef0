"""BM25: the rounds that share the most telling words with the question."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mnemoscope.core.memory.budget import budget_parameters
from mnemoscope.core.memory.items import Delta, MemoryItem, Recall, Recalled
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.rounds import QUERY, RoundMemory, asked_with
from mnemoscope.core.memory.state import Array, MemoryState
from mnemoscope.core.memory.system import Parameter, SystemContext, SystemSpec
from mnemoscope.core.memory.systems.naive_rag import best
from mnemoscope.core.memory.view import RoundView
from mnemoscope.core.words import words

__all__ = ["Bm25", "bm25_scores"]


def bm25_scores(
    texts: Sequence[Mapping[str, int]], query: Mapping[str, int], k1: float, b: float
) -> Array:
    """A score for each text: BM25 in Lucene's form, whose weights are never negative.

    The sum over words of ``n · ln(1 + (N − df + ½) / (df + ½)) · tf / (tf + k1 · (1 − b + b · len /
    mean))`` with n the word's count in the query.

    Args:
        texts: Counts of the words of each text.
        query: Counts of the words of the query.
        k1: How soon more of the same word stops counting.
        b: How much long texts are held back, from 0 to 1.
    """
    lengths = np.array([sum(counts.values()) for counts in texts], np.float64)
    mean = float(lengths.mean()) if len(texts) and lengths.any() else 1.0
    damping = k1 * (1 - b + b * lengths / mean)
    scores = np.zeros(len(texts))
    for word in sorted(query):
        found = np.array([counts.get(word, 0) for counts in texts], np.float64)
        holding = int(np.count_nonzero(found))
        if holding:
            weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
            # With k1 = 0 and no such word this would be nought by nought.
            part = np.divide(found, found + damping, out=np.zeros_like(found), where=found > 0)
            scores += query[word] * weight * part
    return scores.astype(np.float32)


class Bm25(RoundMemory):
    """Lexical retrieval; words of any script, and pairs of characters where none are spaced."""

    NAME: ClassVar[str] = "bm25"
    SUMMARY: ClassVar[str] = "The k rounds with the best BM25 scores; needs no model."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        "k": Parameter(
            10,
            "How many rounds are brought back; those without a word in common never are.",
            least=1,
        ),
        "k1": Parameter(1.2, "How soon more of the same word stops counting.", least=0),
        "b": Parameter(0.75, "How much long rounds are held back, from 0 to 1.", least=0),
        "query": QUERY,
        **budget_parameters(4096, "first"),
    }

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        super().__init__(spec, context)
        self._counts: list[Mapping[str, int]] = []

    def _observe(self, one: RoundView) -> Delta:
        delta = super()._observe(one)
        self._counts += map(_counted, delta.added)
        return delta

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        settings = self.spec.parameters
        wanted = Counter(words(asked_with(query, settings["query"])))
        scores = bm25_scores(self._counts, wanted, float(settings["k1"]), float(settings["b"]))
        found = [(place, score) for place, score in best(scores, int(settings["k"])) if score > 0]
        return self._sent(
            [
                Recalled(self._items[place], rank, score, {"bm25": score})
                for rank, (place, score) in enumerate(found, start=1)
            ]
        )

    def import_state(self, state: MemoryState) -> None:
        """Keep the rounds of a state and count their words."""
        super().import_state(state)
        self._counts = [_counted(item) for item in self._items]


def _counted(item: MemoryItem) -> Mapping[str, int]:
    return Counter(words(item.text))
