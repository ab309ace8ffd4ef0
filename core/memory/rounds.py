"""What memories share that keep every round as it was."""

from collections.abc import Sequence

from mnemoscope.core.errors import InputError
from mnemoscope.core.memory.budget import cut_text
from mnemoscope.core.memory.items import (
    Delta,
    ItemKind,
    MemoryItem,
    Recall,
    Recalled,
    item_json,
    item_of,
)
from mnemoscope.core.memory.query import Query
from mnemoscope.core.memory.rendering import render, stored_text
from mnemoscope.core.memory.state import MemoryState
from mnemoscope.core.memory.system import MemorySystem, Parameter, SystemContext, SystemSpec
from mnemoscope.core.memory.view import RoundView

__all__ = ["QUERY", "RoundMemory", "asked_with"]

_FULL = "full"
QUERY = Parameter(
    _FULL,
    "What is searched for: the question with its options, without them, or as the release "
    "writes it.",
    (_FULL, "stem", "written"),
)


def asked_with(query: Query, how: object) -> str:
    """The text that is searched for."""
    return query.stem if how == "stem" else query.written if how == "written" else query.text


class RoundMemory(MemorySystem):
    """Keeps every round that says something, in order."""

    def __init__(self, spec: SystemSpec, context: SystemContext) -> None:
        super().__init__(spec, context)
        self._items: list[MemoryItem] = []

    def items(self) -> tuple[MemoryItem, ...]:
        """All rounds kept, in order."""
        return tuple(self._items)

    def _observe(self, one: RoundView) -> Delta:
        item = self._item(one)
        if not item.text and not item.media:
            return Delta(absorbed=True)
        self._items.append(item)
        return Delta(added=(item,))

    def _item(self, one: RoundView) -> MemoryItem:
        text = stored_text(one, self.spec.parameters.get("form"))
        name = f"{self.NAME}:{ItemKind.RAW}:{one.id}:0"
        return MemoryItem(name, ItemKind.RAW, text, (one.id,), one.date)

    def _sent(self, chosen: Sequence[Recalled], *, order: Sequence[int] | None = None) -> Recall:
        """The context of some items, cut to the budget, with the items that survive it.

        Args:
            chosen: The items by rank.
            order: In which order they are read, as places in ``chosen``; that of ranks otherwise.
        """
        settings = self.spec.parameters
        reading = list(range(len(chosen))) if order is None else list(order)
        text, spans = render([chosen[place].item for place in reading], settings.get("form"))
        start, end, cut = cut_text(text, settings["budget"], settings["unit"], settings["keep"])
        kept = {}
        for place, (begin, stop) in zip(reading, spans, strict=True):
            if begin < end and stop > start:
                one = chosen[place]
                partial = begin < start or stop > end
                kept[place] = Recalled(one.item, one.rank, one.score, one.parts, partial)
        survivors = tuple(kept[place] for place in sorted(kept))
        context = (text[start:end],) if text[start:end] else ()
        return Recall(survivors, context, cut)

    def export_state(self) -> MemoryState:
        """All rounds kept."""
        return MemoryState(
            {"observed": self.observed, "items": [item_json(one) for one in self._items]}
        )

    def import_state(self, state: MemoryState) -> None:
        """Keep the rounds of a state."""
        try:
            self.observed = int(state.json["observed"])
            self._items = [item_of(one) for one in state.json["items"]]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.NAME}: no state of this system: {error!r}") from None
