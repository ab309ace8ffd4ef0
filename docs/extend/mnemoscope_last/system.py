"""A memory that brings back the last rounds, whatever is asked."""

from collections.abc import Mapping
from typing import ClassVar

from mnemoscope.core.memory.budget import budget_parameters
from mnemoscope.core.memory.items import Recall, Recalled
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.rounds import RoundMemory
from mnemoscope.core.memory.system import Parameter

__all__ = ["LastRounds"]


class LastRounds(RoundMemory):
    """Keeps every round, and brings back the newest ones."""

    NAME: ClassVar[str] = "last_rounds"  # the entry point's name
    SUMMARY: ClassVar[str] = "The last k rounds, whatever is asked."
    PARAMETERS: ClassVar[Mapping[str, Parameter]] = {
        "k": Parameter(5, "How many rounds are brought back.", least=1),
        **budget_parameters(4096, "last"),
    }

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        newest = self._items[: -int(self.spec.parameters["k"]) - 1 : -1]
        chosen = [Recalled(item, rank) for rank, item in enumerate(newest, start=1)]
        # The newest ranks first, and is read last.
        return self._sent(chosen, order=range(len(chosen) - 1, -1, -1))
