"""No context: the backbone answers from the question alone."""

from typing import ClassVar

from mnemoscope.core.errors import InputError
from mnemoscope.core.memory.items import Delta, MemoryItem, Recall
from mnemoscope.core.memory.query import Evidence, Query
from mnemoscope.core.memory.state import MemoryState
from mnemoscope.core.memory.system import MemorySystem
from mnemoscope.core.memory.view import RoundView

__all__ = ["NoContext"]


class NoContext(MemorySystem):
    """Remembers nothing: what is still answered right needs no memory."""

    NAME: ClassVar[str] = "no_context"
    SUMMARY: ClassVar[str] = "Nothing: the backbone sees the question alone."
    RETRIEVES: ClassVar[bool] = False

    def _observe(self, one: RoundView) -> Delta:
        return Delta(absorbed=True)

    def _recall(self, query: Query, evidence: Evidence) -> Recall:
        return Recall()

    def items(self) -> tuple[MemoryItem, ...]:
        """Nothing."""
        return ()

    def export_state(self) -> MemoryState:
        """How many rounds went by."""
        return MemoryState({"observed": self.observed})

    def import_state(self, state: MemoryState) -> None:
        """Take over how many rounds went by."""
        try:
            self.observed = int(state.json["observed"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.NAME}: no state of this system: {error!r}") from None
