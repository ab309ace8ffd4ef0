"""How much of a question's gold evidence a memory brought back, in numbers.

Gold evidence is the distinct rounds (or sessions) that the clues lead to. A retrieved item stands
for the rounds (or sessions) that its sources name; the items in order of rank give a list of
distinct units, and a cut-off k counts units of that list (CUE-Mem, paper, Table 16).
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple

from mnemoscope.core.model import (
    History,
    Question,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)

__all__ = [
    "Grain",
    "HitCounts",
    "HitState",
    "Ranking",
    "coarse_note",
    "count_hits",
    "k_used",
    "names_only_sessions",
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
    """Retrieved against gold, for one record."""

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


def count_hits(
    question: Question,
    record: Record,
    *,
    used_depth: int | None = None,
    history: History | None = None,
    grain: Grain | None = None,
) -> HitCounts:
    """Count what one record brought back of its question's evidence.

    Args:
        question: The question.
        record: The record that answers it.
        used_depth: How many items were sent to the backbone, where the run's format fixes it.
        history: The question's history: needed for sessions where sources name only rounds, and
            for sources that name only an attachment.
        grain: The grain to compare at; when None rounds, or sessions where the run or the clues
            name no rounds.
    """
    ranking = Ranking(record.retrieval, used_depth, history)
    return ranking.against(question, grain or ranking.grain_for(question))


class Ranking:
    """The retrieved items of one record, ready to be held against evidence at any grain.

    An item without a source takes a place of its own in the list of units: what it brought is not
    known, and closing the gap would move later items up.

    Attributes:
        grain: The finest grain that the source ids allow.
        items: The items in order of rank.
        used: Those sent to the backbone.
        k: How many were used; None when all was sent or the run does not say.
        unsourced: How many items name no source.
    """

    # Every record of every run comes through here: what both grains need is made once.
    __slots__ = ("_absent", "_history", "_single", "grain", "items", "k", "unsourced", "used")

    def __init__(
        self, retrieval: Retrieval, used_depth: int | None, history: History | None
    ) -> None:
        self._history = history
        self.items = sorted(retrieval.items, key=_rank)
        self.used = used_items(self.items, used_depth)
        self.k = _k(retrieval.state, len(self.used), used_depth)
        sources = [item.sources for item in self.items]
        self.grain = _finest_grain(retrieval, sources)
        self._absent: HitState | None = None
        if retrieval.state is RetrievalState.WHOLE_HISTORY:
            self._absent = HitState.WHOLE_HISTORY
        elif retrieval.state is not RetrievalState.IDS or (sources and not any(sources)):
            self._absent = HitState.NOT_MEASURABLE
        self.unsourced = sources.count(())
        try:
            self._single: list[SourceRef] | None = [source for (source,) in sources]
        except ValueError:
            self._single = None

    def grain_for(self, question: Question) -> Grain:
        """The finest grain that the source ids and a question's clues both allow."""
        if self.grain is Grain.SESSION or any(clue.round_id for clue in question.clues):
            return self.grain
        return Grain.SESSION if question.evidence_sessions else Grain.ROUND

    def against(self, question: Question, grain: Grain) -> HitCounts:
        """Hold the items against a question's evidence at a grain."""
        rounds = grain is Grain.ROUND
        gold = {clue.round_id if rounds else clue.named_session for clue in question.clues}
        gold.discard("")
        state = self._absent or HitState.MEASURED
        if state is HitState.MEASURED:
            if rounds and self.grain is Grain.SESSION:
                state = HitState.NOT_MEASURABLE
            elif not gold:
                state = HitState.NO_GOLD_EVIDENCE
        if state is not HitState.MEASURED:
            return HitCounts(state, grain, self.k, len(gold))
        listed = self._distinct(self.items, self._single, grain)
        sent = listed
        if len(self.used) < len(self.items):
            sent = self._distinct(self.used, None, grain)
        order = list(listed)
        places = sorted([order.index(unit) + 1 for unit in gold if unit in listed])
        found = len(places) if sent is listed else len(gold & sent.keys())
        return HitCounts(
            state, grain, self.k, len(gold), tuple(places), found, len(sent), len(listed)
        )

    def units(self, item: RetrievedItem, grain: Grain) -> tuple[str, ...]:
        """The distinct rounds or sessions that an item stands for."""
        units = [self._unit(source, grain) for source in item.sources]
        return tuple(dict.fromkeys(filter(None, units)))

    def _distinct(
        self, items: Sequence[RetrievedItem], single: list[SourceRef] | None, grain: Grain
    ) -> dict[str | int, None]:
        """The distinct units in order; an item without a source is in it by its place."""
        if single:
            rounds = grain is Grain.ROUND
            named = [source.round_id if rounds else source.session_id for source in single]
            if all(named):
                return dict.fromkeys(named)
        units: dict[str | int, None] = {}
        for place, item in enumerate(items):
            units.update(dict.fromkeys(self.units(item, grain) or (place,)))
        return units

    def _unit(self, source: SourceRef, grain: Grain) -> str:
        named = source.round_id if grain is Grain.ROUND else source.session_id
        if named or self._history is None:
            return named
        found = self._history.round_by_id.get(source.round_id)
        if found is None and source.kind is not None:
            attachment = (source.kind, source.attachment_id)
            found = self._history.round_of_attachment.get(attachment)
        if found is None:
            return ""
        return found.id if grain is Grain.ROUND else found.session_id


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


def names_only_sessions(retrievals: Iterable[Retrieval]) -> bool:
    """Whether source ids name sessions and nothing finer."""
    grains = {
        _finest_grain(one, [item.sources for item in one.items])
        for one in retrievals
        if one.state is RetrievalState.IDS and any(item.sources for item in one.items)
    }
    return grains == {Grain.SESSION}


def coarse_note(runs: Mapping[str, Iterable[Retrieval]]) -> str:
    """That runs can only be compared at session grain, and which of them make it so; else empty.

    Rounds lead to their sessions, and not the other way round: as soon as one of several runs names
    sessions only, all are compared by session.

    Args:
        runs: What was retrieved, by the letter of the run.
    """
    coarse = [letter for letter, found in runs.items() if names_only_sessions(found)]
    if not coarse:
        return ""
    who = f"{' and '.join(coarse)} {'name' if len(coarse) > 1 else 'names'} sessions only"
    return f"retrieval is compared at session grain: {who}"


def k_used(retrieval: Retrieval, used_depth: int | None) -> int | None:
    """How many items were used; None when all was sent or the run does not say."""
    return _k(retrieval.state, len(used_items(retrieval.items, used_depth)), used_depth)


def _k(state: RetrievalState, used: int, used_depth: int | None) -> int | None:
    if state is RetrievalState.IDS:
        return max(used_depth or 0, used)
    # Some forms store the context as one text and not how many items it is made of.
    return used or None if state is RetrievalState.TEXT else None


def _finest_grain(retrieval: Retrieval, sources: Sequence[Sequence[SourceRef]]) -> Grain:
    if retrieval.grain:
        return Grain.SESSION if retrieval.grain == Grain.SESSION else Grain.ROUND
    named = [source for of_item in sources for source in of_item]
    finer = any(source.round_id or source.attachment_id for source in named)
    return Grain.SESSION if named and not finer else Grain.ROUND
