"""What a memory holds, how a round changes it, and what it brings back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import Kind
from mnemoscope.core.model.values import value

__all__ = [
    "Cut",
    "Delta",
    "ItemKind",
    "MemoryItem",
    "Provenance",
    "Recall",
    "Recalled",
    "item_json",
    "item_of",
]


class ItemKind(StrEnum):
    """What a memory item is."""

    RAW = "raw"
    """A round as it was."""
    FACT = "fact"
    NOTE = "note"
    SUMMARY = "summary"
    INSIGHT = "insight"
    PAGE = "page"
    EVENT = "event"
    CELL = "cell"
    PROFILE = "profile"
    RESOURCE = "resource"


class Provenance(StrEnum):
    """How well an item knows which rounds it comes from."""

    EXACT = "exact"
    WINDOW = "window"
    """From some of these rounds."""
    DERIVED = "derived"
    """Made from items that come from these rounds."""
    UNKNOWN = "unknown"


@value
class MemoryItem:
    """One thing that a memory holds."""

    id: str
    """``SYSTEM:KIND:ROUND:ORDINAL``; the same history gives the same ids."""
    kind: ItemKind
    text: str
    rounds: tuple[str, ...]
    """The rounds it comes from; empty only when the provenance is unknown."""
    date: str = ""
    """When what it holds was said, as the release writes it."""
    provenance: Provenance = Provenance.EXACT
    media: tuple[MediumView, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """What else the system knows of it, as JSON."""


@value
class Delta:
    """What observing a round, or finishing, did to a memory."""

    added: tuple[MemoryItem, ...] = ()
    changed: tuple[MemoryItem, ...] = ()
    """Items as they are now."""
    removed: tuple[str, ...] = ()
    """Ids."""
    absorbed: bool = False
    """Whether the round was taken in without an item of its own."""
    warnings: tuple[str, ...] = ()


@value
class Recalled:
    """An item that was brought back for a question."""

    item: MemoryItem
    rank: int
    """From 1."""
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the score is made of, by name."""
    partial: bool = False
    """Whether the budget cut a part of its text off."""


@value
class Cut:
    """What a budget did to a context."""

    unit: str
    """What was counted: ``tokens`` or ``space_words``."""
    budget: int
    """How many were allowed; 0 is no limit."""
    total: int
    """How many there were."""
    kept: int

    @property
    def dropped(self) -> int:
        """How many were cut off."""
        return self.total - self.kept


@dataclass(frozen=True)
class Recall:
    """What a memory brings back for a question."""

    items: tuple[Recalled, ...] = ()
    """By rank; only what survived the budget."""
    context: tuple[str | MediumView, ...] = ()
    """What the backbone is to be sent: text and media in order."""
    cut: Cut | None = None
    answer: str | None = None
    """The answer of a system that answers by itself; None when a backbone answers."""
    whole_history: bool = False
    """Whether everything was sent: then what was retrieved is not measured."""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The context's text; media are what their captions say."""
        pieces = (one if isinstance(one, str) else one.caption for one in self.context)
        return "\n".join(filter(None, pieces))


def item_json(item: MemoryItem) -> dict[str, Any]:
    """An item as JSON."""
    return {
        "id": item.id,
        "kind": item.kind.value,
        "text": item.text,
        "rounds": list(item.rounds),
        "date": item.date,
        "provenance": item.provenance.value,
        "media": [[one.kind.value, one.id, one.caption] for one in item.media],
        "attributes": dict(item.attributes),
    }


def item_of(data: Mapping[str, Any]) -> MemoryItem:
    """The item that JSON describes."""
    return MemoryItem(
        data["id"],
        ItemKind(data["kind"]),
        data["text"],
        tuple(data["rounds"]),
        data["date"],
        Provenance(data["provenance"]),
        tuple(MediumView(Kind(kind), name, caption) for kind, name, caption in data["media"]),
        dict(data["attributes"]),
    )
