"""Naive RAG: the rounds whose vectors are nearest to the question's."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from mnemoscope.core.embedders.embedder import Embedder
from mnemoscope.core.errors import InputError
from mnemoscope.core.memory.budget import budget_parameters
from mnemoscope.core.memory.items import Delta, Recall, Recalled
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.rendering import FORM
from mnemoscope.core.memory.rounds import QUERY, RoundMemory, asked_with
from mnemoscope.core.memory.state import Array, MemoryState
from mnemoscope.core.memory.system import (
    INTENDED,
    Parameter,
    Setting,
    SystemContext,
    SystemSpec,
)
from mnemoscope.core.memory.view import RoundView

__all__ = ["NaiveRag", "best"]

_DIGITS = 6
"""Decimals of scores that are compared: more differ between machines."""


def best(scores: Array, k: int) -> list[tuple[int, float]]:
    """Places and scores of the k best, best first; of equal ones the earlier place.

    Args:
        scores: A score for each place.
        k: How many.
    """
    rounded = np.round(scores.astype(np.float64), _DIGITS)
    order = np.argsort(-rounded, kind="stable")[:k]
    return [(int(place), float(rounded[place])) for place in order]


class NaiveRag(RoundMemory):
    """One vector a round; the nearest by cosine, best first."""

    NAME: ClassVar[str] = "naive_rag"
    SUMMARY: ClassVar[str] = "The k rounds whose vectors are nearest to the question's."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        "k": Parameter(10, "How many rounds are brought back.", least=1),
        "order": Parameter("score", "In which order they are read.", ("score", "chronological")),
        "query": QUERY,
        **budget_parameters(4096, "first"),
        "form": FORM,
    }
    PROFILES: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        INTENDED: {},
        "as_published": {
            "query": "written",
            "unit": "space_words",
            "keep": "last",
            "form": "published",
        },
    }
    PROFILE_NOTES: ClassVar[Mapping[str, str]] = {
        "as_published": "CUE-Mem cuts by what stands between single spaces and keeps the end, "
        "where the worst of the ten stand; its encoder is "
        "paraphrase-multilingual-MiniLM-L12-v2.",
    }
    NEEDS_EMBEDDER: ClassVar[bool] = True

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        super().__init__(spec, context)
        self._vectors: list[Array] = []

    @property
    def _embedder(self) -> Embedder:
        assert self.context.embedder is not None
        return self.context.embedder

    def _observe(self, one: RoundView) -> Delta:
        delta = super()._observe(one)
        self._vectors += [self._embedder.encode([item.text])[0] for item in delta.added]
        return delta

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        if not self._items:
            return self._sent([])
        settings = self.spec.parameters
        wanted = self._embedder.encode([asked_with(query, settings["query"])])[0]
        scores = np.stack(self._vectors) @ wanted
        found = best(scores, int(settings["k"]))
        chosen = [
            Recalled(self._items[place], rank, score, {"cosine": score})
            for rank, (place, score) in enumerate(found, start=1)
        ]
        if settings["order"] == "score":
            return self._sent(chosen)
        places = [place for place, _ in found]
        return self._sent(chosen, order=sorted(range(len(places)), key=places.__getitem__))

    def export_state(self) -> MemoryState:
        """The rounds and their vectors."""
        vectors = np.stack(self._vectors) if self._vectors else np.zeros((0, 0), np.float32)
        return MemoryState(super().export_state().json, {"vectors": vectors})

    def import_state(self, state: MemoryState) -> None:
        """Keep the rounds and vectors of a state."""
        super().import_state(state)
        vectors = state.arrays.get("vectors")
        if vectors is None or len(vectors) != len(self._items):
            raise InputError(f"{self.NAME}: no state of this system: not a vector for every round")
        self._vectors = list(vectors)
