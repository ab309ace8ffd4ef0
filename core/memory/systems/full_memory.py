"""Full memory: everything, cut to a budget."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from mnemoscope.core.memory.budget import budget_parameters
from mnemoscope.core.memory.items import Recall, Recalled
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.rendering import FORM
from mnemoscope.core.memory.rounds import RoundMemory
from mnemoscope.core.memory.system import INTENDED, Parameter, Setting

__all__ = ["FullMemory"]


class FullMemory(RoundMemory):
    """Sends all rounds in order, whatever is asked."""

    NAME: ClassVar[str] = "full_memory"
    SUMMARY: ClassVar[str] = "Every round in order, cut to a budget."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        **budget_parameters(4096, "last"),
        "form": FORM,
    }
    PROFILES: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        INTENDED: {},
        "as_published": {"unit": "space_words", "form": "published"},
        "mem_engine": {"unit": "space_words", "form": "published", "keep": "first"},
    }
    PROFILE_NOTES: ClassVar[Mapping[str, str]] = {
        "as_published": "CUE-Mem's 4,096 “words” are what stands between single spaces, and the "
        "last ones are kept: Chinese histories are sent whole.",
        "mem_engine": "MemEngine keeps the first 4,096 pieces where CUE-Mem keeps the last.",
    }

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        items = [Recalled(item, rank) for rank, item in enumerate(self._items, start=1)]
        found = self._sent(items)
        uncut = found.cut is None or not found.cut.dropped
        return replace(found, whole_history=uncut)
