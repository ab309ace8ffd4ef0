"""What a memory brought back for one question, held against the question's gold evidence.

Gold evidence is the distinct rounds (or sessions) that the clues lead to. A retrieved item stands
for the rounds (or sessions) that its sources name; the items in order of rank give a list of
distinct units, and a cut-off k counts units of that list (CUE-Mem, paper, Table 16).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

from mnemoscope.core.model import (
    Clue,
    History,
    Question,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)

__all__ = [
    "ClueComparison",
    "ClueHit",
    "Grain",
    "HitCounts",
    "HitState",
    "ItemHit",
    "clue_hits",
    "count_hits",
    "finest_grain",
    "k_used",
    "used_items",
]

_rank = attrgetter("rank")


class Grain(StrEnum):
    """The unit at which retrieval is held against evidence."""

    ROUND = "round"
    SESSION = "session"


class HitState(StrEnum):
    """Whether retrieval can be held against evidence, and why not."""

    MEASURED = "measured"
    NO_GOLD_EVIDENCE = "no gold evidence"
    WHOLE_HISTORY = "not measurable (whole history sent)"
    NOT_MEASURABLE = "not measurable"
    """The run does not say where what it retrieved comes from, at this grain."""


class HitCounts(NamedTuple):
    """Retrieved against gold in numbers, for one record."""

    state: HitState
    grain: Grain
    k: int | None
    """How many items were used; None when the whole history was sent or nothing is stored."""
    gold: int = 0
    """Distinct units that the clues lead to."""
    places: tuple[int, ...] = ()
    """Where gold units stand in the list of distinct units retrieved, from 1, ascending."""
    found: int = 0
    """Gold units that the used items stand for."""
    units_used: int = 0
    """Distinct units that the used items stand for; an item without sources counts as one."""
    listed: int = 0
    """The length of the list of distinct units retrieved."""

    @property
    def recall(self) -> float | None:
        """Share of the gold units that the used items stand for."""
        return self.found / self.gold if self.state is HitState.MEASURED else None

    @property
    def precision(self) -> float | None:
        """Gold units among the used ones / k, even if fewer items came back."""
        if self.state is not HitState.MEASURED:
            return None
        return self.found / max(self.k or 0, self.units_used, 1)

    @property
    def hit(self) -> bool | None:
        """Whether the used items stand for at least one gold unit."""
        return self.found > 0 if self.state is HitState.MEASURED else None

    def first(self, k: int) -> "HitCounts":
        """The same as if the first k distinct units retrieved, and no others, had been used."""
        found = sum(place <= k for place in self.places)
        return self._replace(k=k, found=found, units_used=min(k, self.listed))


@dataclass(frozen=True, slots=True)
class ClueHit:
    """Whether a clue was brought back."""

    clue: Clue
    unit: str
    """The round or session that it leads to; empty when there is none at the grain compared."""
    rank: int | None
    """Rank of the first item that stands for the unit; None when no item does."""
    hit: bool
    """Whether such an item was among those used."""


@dataclass(frozen=True, slots=True)
class ItemHit:
    """Whether a retrieved item stands for gold evidence."""

    item: RetrievedItem
    units: tuple[str, ...]
    """The distinct rounds or sessions that it stands for."""
    clue: bool
    """Whether one of them is gold evidence; otherwise the item is an extra."""
    used: bool
    """Whether it was sent to the backbone, as far as the run says."""


@dataclass(frozen=True, slots=True)
class ClueComparison:
    """Retrieved against gold for one record, clue by clue and item by item."""

    counts: HitCounts
    clues: tuple[ClueHit, ...]
    """Every clue, in clue order."""
    items: tuple[ItemHit, ...]
    """Every stored item, in order of rank."""

    @property
    def state(self) -> HitState:
        """Whether the two can be compared, and why not."""
        return self.counts.state

    @property
    def grain(self) -> Grain:
        """The grain compared: rounds, or sessions when run or clues name nothing finer."""
        return self.counts.grain

    @property
    def k(self) -> int | None:
        """How many items were used; None when all was sent or nothing is stored."""
        return self.counts.k

    @property
    def recall(self) -> float | None:
        """Share of the gold units that the used items stand for; None when not measured."""
        return self.counts.recall


def clue_hits(
    question: Question,
    record: Record,
    *,
    used_depth: int | None = None,
    history: History | None = None,
) -> ClueComparison:
    """Hold what one record brought back against its question's clues.

    Args:
        question: The question.
        record: The record that answers it.
        used_depth: How many items were sent to the backbone, where the run's format fixes it.
        history: The question's history: needed for sessions where sources name only rounds, and
            for sources that name only an attachment.
    """
    counts = count_hits(question, record, used_depth=used_depth, history=history)
    grain = counts.grain
    gold = _evidence(question, grain)
    items = sorted(record.retrieval.items, key=_rank)
    # By identity: two items may be equal in all they say.
    used = {id(item) for item in used_items(items, used_depth)}
    hits = []
    ranks: dict[str, tuple[int, bool]] = {}
    for item in items:
        units, in_use = _units(item, grain, history), id(item) in used
        hits.append(ItemHit(item, units, any(unit in gold for unit in units), in_use))
        for unit in units:
            rank, was_used = ranks.get(unit, (item.rank, False))
            ranks[unit] = rank, was_used or in_use
    return ClueComparison(
        counts, tuple(_clue_hit(clue, grain, ranks) for clue in question.clues), tuple(hits)
    )


def count_hits(
    question: Question,
    record: Record,
    *,
    used_depth: int | None = None,
    history: History | None = None,
    grain: Grain | None = None,
) -> HitCounts:
    """Count what one record brought back of its question's evidence.

    An item without a source takes a place of its own in the list of units: what it brought is not
    known, and closing the gap would move later items up.

    Args:
        question: The question.
        record: The record that answers it.
        used_depth: See ``clue_hits``.
        history: See ``clue_hits``.
        grain: What a unit is; by default rounds, or sessions where run or clues name no rounds.
    """
    retrieval = record.retrieval
    if grain is None:
        grain = _own_grain(question, retrieval)
    gold = _evidence(question, grain)
    state = _state(retrieval, grain, bool(gold))
    if state is not HitState.MEASURED:
        return HitCounts(state, grain, k_used(retrieval, used_depth), len(gold))
    items = sorted(retrieval.items, key=_rank)
    used = used_items(items, used_depth)
    listed = _distinct_units(items, grain, history)
    # Nearly always all items were used.
    sent = listed if len(used) == len(items) else _distinct_units(used, grain, history)
    order = list(listed)
    places = [order.index(unit) + 1 for unit in gold if unit in listed]
    return HitCounts(
        state,
        grain,
        max(used_depth or 0, len(used)),
        len(gold),
        tuple(sorted(places)),
        len(places) if sent is listed else len([unit for unit in gold if unit in sent]),
        len(sent),
        len(listed),
    )


def finest_grain(retrieval: Retrieval) -> Grain:
    """The finest grain that a retrieval's source ids allow."""
    if retrieval.grain:
        return Grain.SESSION if retrieval.grain == Grain.SESSION else Grain.ROUND
    sources = [source for item in retrieval.items for source in item.sources]
    finer = any(source.round_id or source.attachment_id for source in sources)
    return Grain.SESSION if sources and not finer else Grain.ROUND


def used_items(items: Sequence[RetrievedItem], used_depth: int | None) -> Sequence[RetrievedItem]:
    """The items sent to the backbone: those marked so, else the first of a fixed depth, else all.

    Args:
        items: The items in order of rank.
        used_depth: The fixed depth, if there is one.
    """
    for item in items:
        if item.used is not None:
            return [one for one in items if one.used]
    return items if used_depth is None else items[:used_depth]


def k_used(retrieval: Retrieval, used_depth: int | None) -> int | None:
    """How many items were used; None when all was sent or the run does not say.

    Some forms store the context as one text and not how many items it is made of.
    """
    if retrieval.state in (RetrievalState.WHOLE_HISTORY, RetrievalState.NOT_STORED):
        return None
    used = len(used_items(retrieval.items, used_depth))
    if retrieval.state is RetrievalState.TEXT:
        return used or None
    return max(used_depth or 0, used)


def _own_grain(question: Question, retrieval: Retrieval) -> Grain:
    if finest_grain(retrieval) is Grain.SESSION:
        return Grain.SESSION
    rounds = any(clue.round_id for clue in question.clues)
    return Grain.SESSION if not rounds and question.evidence_sessions else Grain.ROUND


def _evidence(question: Question, grain: Grain) -> tuple[str, ...]:
    return question.evidence_rounds if grain is Grain.ROUND else question.evidence_sessions


def _state(retrieval: Retrieval, grain: Grain, has_gold: bool) -> HitState:
    if retrieval.state is RetrievalState.WHOLE_HISTORY:
        return HitState.WHOLE_HISTORY
    if retrieval.state is not RetrievalState.IDS:
        return HitState.NOT_MEASURABLE
    if grain is Grain.ROUND and finest_grain(retrieval) is Grain.SESSION:
        return HitState.NOT_MEASURABLE
    if retrieval.items and not any(item.sources for item in retrieval.items):
        return HitState.NOT_MEASURABLE
    return HitState.MEASURED if has_gold else HitState.NO_GOLD_EVIDENCE


def _distinct_units(
    items: Sequence[RetrievedItem], grain: Grain, history: History | None
) -> dict[str | int, None]:
    """The distinct units in order; an item without a source is in it by its place."""
    # Every record of every run comes through here, and nearly all items name one source in full.
    try:
        sources = [source for (source,) in [item.sources for item in items]]
    except ValueError:
        sources = []
    rounds = grain is Grain.ROUND
    named = [source.round_id if rounds else source.session_id for source in sources]
    if len(named) == len(items) and all(named):
        return dict.fromkeys(named)
    units: dict[str | int, None] = {}
    for place, item in enumerate(items):
        units.update(dict.fromkeys(_units(item, grain, history) or (place,)))
    return units


def _units(item: RetrievedItem, grain: Grain, history: History | None) -> tuple[str, ...]:
    units = [_unit(source, grain, history) for source in item.sources]
    return tuple(dict.fromkeys(filter(None, units)))


def _unit(source: SourceRef, grain: Grain, history: History | None) -> str:
    named = source.round_id if grain is Grain.ROUND else source.session_id
    if named or history is None:
        return named
    found = history.round_by_id.get(source.round_id)
    if found is None and source.kind is not None:
        found = history.round_of_attachment.get((source.kind, source.attachment_id))
    if found is None:
        return ""
    return found.id if grain is Grain.ROUND else found.session_id


def _clue_hit(clue: Clue, grain: Grain, ranks: Mapping[str, tuple[int, bool]]) -> ClueHit:
    unit = clue.round_id if grain is Grain.ROUND else clue.session_id
    rank, hit = ranks.get(unit, (None, False)) if unit else (None, False)
    return ClueHit(clue, unit, rank, hit)
