"""A frozen memory that is asked, and the check that asking did not change it."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.memory.building import Receipt, Step
from mnemoscope.core.memory.items import Recall
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.state import MemoryState
from mnemoscope.core.memory.system import MemorySystem

__all__ = ["ChangedByAskingError", "FrozenMemory"]


class ChangedByAskingError(MnemoscopeError):
    """A memory was not the same after a question as before: its answers cannot be trusted."""


class FrozenMemory:
    """A memory that takes in nothing more."""

    def __init__(
        self, system: MemorySystem, key: str, receipt: Receipt, steps: tuple[Step, ...]
    ) -> None:
        """Freeze a memory.

        Args:
            system: The memory.
            key: The key of its snapshot.
            receipt: What it was offered.
            steps: What each round did to it.
        """
        system.freeze()
        self.system = system
        self.key = key
        self.receipt = receipt
        self.steps = steps
        self.hash = system.export_state().hash

    @property
    def state(self) -> MemoryState:
        """All it knows."""
        return self.system.export_state()

    @contextmanager
    def asking(self) -> Iterator[MemorySystem]:
        """The memory while it is asked.

        Raises:
            ChangedByAskingError: It is not what it was when it was frozen.
        """
        self.check()
        try:
            yield self.system
        finally:
            self.check()

    def check(self) -> None:
        """Compare the memory with what it was when it was frozen.

        Raises:
            ChangedByAskingError: It is another one.
        """
        if self.system.export_state().hash != self.hash:
            raise ChangedByAskingError(
                f"{self.system.spec.name}: a question changed the memory {self.key[:12]}",
                hint="its recall must not write; this is a defect of the system",
            )

    def recall_all(
        self,
        queries: Iterable[tuple[str, Query, Evidence | None]],
        executor: Executor | None = None,
    ) -> Mapping[str, Recall]:
        """What it brings back for each of some questions.

        Args:
            queries: The question's key, the question, and the evidence for an oracle.
            executor: Where questions are asked side by side, if the system allows it.

        Raises:
            ChangedByAskingError: The questions changed it.
        """
        asked = list(queries)
        with self.asking() as system:
            if executor is None or not system.RECALL_IS_PARALLEL:
                return {key: system.recall(query, evidence) for key, query, evidence in asked}
            waiting = {
                key: executor.submit(system.recall, query, evidence)
                for key, query, evidence in asked
            }
            return {key: one.result() for key, one in waiting.items()}
