"""What a memory brought back for one question, clue by clue and item by item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.core.model import Clue, History, Question, Record, RetrievedItem
from mnemoscope.core.scoring.retrieval_hits import Grain, HitCounts, HitState, Ranking

__all__ = ["ClueComparison", "ClueHit", "ItemHit", "clue_hits"]


@dataclass(frozen=True, slots=True)
class ClueHit:
    """Whether a clue was brought back."""

    clue: Clue
    unit: str
    """The round or session that it leads to; empty when there is none at the grain compared.

    Where rounds are compared, a clue to a whole session stands for any round of it.
    """
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
    lost: bool = False
    """Whether nothing that it names is in the history, where the release has that."""


@dataclass(frozen=True, slots=True)
class ClueComparison:
    """Retrieved against gold, for one record."""

    counts: HitCounts
    clues: tuple[ClueHit, ...]
    """Every clue, in clue order."""
    items: tuple[ItemHit, ...]
    """Every stored item, in order of rank."""
    note: str = ""
    """How the items were read, where that limits what they show."""

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
    grain: Grain | None = None,
) -> ClueComparison:
    """Hold what one record brought back against its question's clues.

    Args:
        question: The question.
        record: The record that answers it.
        used_depth: How many items were sent to the backbone, where the run's format fixes it.
        history: The question's history: needed for sessions where sources name only rounds, and
            for sources that name only an attachment.
        grain: The grain to compare at; the finest that run and clues allow when None.
    """
    ranking = Ranking(record.retrieval, used_depth, history)
    grain = grain or ranking.grain_for(question)
    rounds = grain is Grain.ROUND
    gold = question.evidence_rounds if rounds else question.evidence_sessions
    # By identity: two items may be equal in all they say.
    used = {id(item) for item in ranking.used}
    items = []
    ranks: dict[str, tuple[int, bool]] = {}
    whole = rounds and any(clue.resolved and not clue.round_id for clue in question.clues)
    for item in ranking.items:
        units, in_use = ranking.units(item, grain), id(item) in used
        is_clue = any(unit in gold for unit in units)
        items.append(ItemHit(item, units, is_clue, in_use, _is_lost(units, grain, history)))
        for unit in (*units, *(ranking.units(item, Grain.SESSION) if whole else ())):
            rank, was_used = ranks.get(unit, (item.rank, False))
            ranks[unit] = rank, was_used or in_use
    clues = tuple(_clue_hit(clue, grain, ranks) for clue in question.clues)
    counts = ranking.against(question, grain)
    return ClueComparison(counts, clues, tuple(items), record.retrieval.note)


def _is_lost(units: Sequence[str], grain: Grain, history: History | None) -> bool:
    if not units or history is None or not history.rounds:
        return False
    known = history.round_by_id if grain is Grain.ROUND else history.session_by_id
    return not any(unit in known for unit in units)


def _clue_hit(clue: Clue, grain: Grain, ranks: Mapping[str, tuple[int, bool]]) -> ClueHit:
    unit = (grain is Grain.ROUND and clue.round_id) or clue.named_session
    rank, hit = ranks.get(unit, (None, False)) if unit else (None, False)
    return ClueHit(clue, unit, rank, hit)
