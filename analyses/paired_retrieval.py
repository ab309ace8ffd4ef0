"""Two runs by how much of the gold evidence they brought back, at a grain that both allow."""

from collections.abc import Collection
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.pairing import pair_up
from mnemoscope.core.model import Release
from mnemoscope.core.scoring.retrieval_hits import Grain, HitState, Ranking, coarse_note
from mnemoscope.core.workspace import JoinedRun

__all__ = ["RetrievalComparison", "compare_retrieval"]


@dataclass(frozen=True, slots=True)
class RetrievalComparison:
    """Recall of what was sent, over the pairs that are measurable in both runs."""

    grain: Grain
    note: str
    """Why the grain is not the finest one; empty when both runs name rounds."""
    recall_a: Figure
    recall_b: Figure
    difference: Figure
    """Mean of B - A over the pairs."""
    not_measured: int
    """Pairs in which at least one run cannot be measured, or which have no gold evidence."""

    @property
    def n(self) -> int:
        """Pairs that are measured in both."""
        return self.difference.n


def compare_retrieval(
    a: JoinedRun, b: JoinedRun, release: Release, *, keys: Collection[str] | None = None
) -> RetrievalComparison:
    """Compare recall of the gold evidence among the items that were sent to the backbone.

    Args:
        a: The first run.
        b: The second run.
        release: The release that both join to.
        keys: The questions to compare; all when None.
    """
    note = coarse_note({run.letter: (e.record.retrieval for e in run.entries) for run in (a, b)})
    grain = Grain.SESSION if note else Grain.ROUND
    pairs = pair_up(a, b, keys).pairs
    found: list[tuple[float, float]] = []
    for pair in pairs:
        recalls = []
        for run, entry in zip((a, b), pair, strict=True):
            history = release.histories.get(entry.question.history_id)
            ranking = Ranking(entry.record.retrieval, run.run.used_depth, history)
            counts = ranking.against(entry.question, grain)
            if counts.state is HitState.MEASURED and counts.recall is not None:
                recalls.append(counts.recall)
        if len(recalls) == 2:
            found.append((recalls[0], recalls[1]))
    what = f"recall of gold {grain}s among the items sent, mean over the pairs"
    return RetrievalComparison(
        grain,
        note if found else "",
        _mean([a for a, _ in found], f"A's {what}"),
        _mean([b for _, b in found], f"B's {what}"),
        _mean([b - a for a, b in found], f"B's minus A's {what}"),
        len(pairs) - len(found),
    )


def _mean(values: list[float], estimand: str) -> Figure:
    if not values:
        return Figure.absent(FigureStatus.NOT_MEASURABLE, estimand)
    return Figure(sum(values) / len(values), len(values), estimand)
