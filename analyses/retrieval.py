"""Recall, precision, F1 and hit rate of what a run retrieved, at the depth it stored.

For one question with evidence units E and the list of distinct units retrieved (see
``core.scoring.retrieval_hits``):

* recall@k = |first k ∩ E| / |E|
* precision@k = |first k ∩ E| / k, also when fewer than k came back
* F1@k = their harmonic mean, 0 when both are 0
* hit@k = whether the first k and E share a unit

A figure is the plain mean over records (CUE-Mem, paper, Table 16). Records without gold evidence
are left out and counted; the paper keeps them in and counts them 0, which is given beside it.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.model import Record, Release
from mnemoscope.core.scoring.retrieval_hits import (
    ClueComparison,
    Grain,
    HitState,
    clue_hits,
    count_hits,
    finest_grain,
)
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = [
    "CUTOFFS",
    "METRICS",
    "ClueComparison",
    "RetrievalRow",
    "RetrievalScore",
    "StoredMean",
    "clue_hits",
    "retrieval",
]

CUTOFFS = (1, 3, 5, 10, 25)
"""The usual cut-offs (CUE-Mem, paper, Table 16)."""
METRICS = ("recall", "precision", "f1", "hit")
_ESTIMAND = "mean over records with gold evidence"
_PAPER_ESTIMAND = "mean over records, those without gold evidence counted 0 (as in the paper)"


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """One metric at one grain and cut-off."""

    metric: str
    grain: Grain
    k: int
    """The cut-off, in distinct units of the grain."""
    figure: Figure

    @property
    def label(self) -> str:
        """Metric, cut-off and grain, such as ``recall@5 round``."""
        return f"{self.metric}@{self.k} {self.grain}"


@dataclass(frozen=True, slots=True)
class StoredMean:
    """The mean of a figure that the run's rows claim for themselves; n = rows that have it."""

    name: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class RetrievalScore:
    """Retrieval figures of one run."""

    rows: tuple[RetrievalRow, ...]
    """By grain, cut-off and metric; none when nothing is measurable."""
    as_in_paper: tuple[RetrievalRow, ...]
    """Recall and precision with the paper's estimand, at the run's own grain."""
    as_stored: tuple[StoredMean, ...]
    states: Mapping[HitState, int]
    """Records by whether they can be measured, at the run's own grain."""
    depth: int
    """The most items that a record stores."""
    used_depth: int | None
    """How many items were sent to the backbone, where the run's format fixes it."""
    unsourced: int
    """Retrieved items that name no source; each takes a rank and hits nothing."""

    @property
    def no_gold_evidence(self) -> int:
        """Records left out because their clues lead to nothing."""
        return self.states.get(HitState.NO_GOLD_EVIDENCE, 0)

    @property
    def state(self) -> HitState:
        """``measured`` when there are figures; otherwise why there are none."""
        order = (HitState.MEASURED, HitState.NO_GOLD_EVIDENCE, HitState.WHOLE_HISTORY)
        return next((one for one in order if self.states.get(one)), HitState.NOT_MEASURABLE)

    def figure(self, metric: str, k: int, grain: Grain = Grain.ROUND) -> Figure:
        """One figure; one without a value where it was not measured."""
        for row in self.rows:
            if (row.metric, row.k, row.grain) == (metric, k, grain):
                return row.figure
        empty = self.state is HitState.NO_GOLD_EVIDENCE
        status = FigureStatus.NO_GOLD_EVIDENCE if empty else FigureStatus.NOT_MEASURABLE
        note = str(self.state) if self.state is not HitState.MEASURED else "deeper than stored"
        return Figure.absent(status, f"{metric}@{k} {grain}", note)


def retrieval(
    run: JoinedRun, release: Release, *, keys: Collection[str] | None = None
) -> RetrievalScore:
    """Measure retrieval of a run.

    Cut-offs are the usual ones up to the depth stored, the used depth, and the whole of what is
    stored. A list shorter than k counts as it is: its system brought no more.

    Args:
        run: The run.
        release: The release it joins to.
        keys: The questions to measure; all when None.
    """
    entries = [e for e in run.entries if keys is None or e.question.key in keys]
    own = _own_grain(entries)
    grains = (Grain.ROUND, Grain.SESSION) if own is Grain.ROUND else (Grain.SESSION,)
    by_grain = _gather(run, entries, grains, release)
    used_depth = run.run.used_depth
    rows: list[RetrievalRow] = []
    paper: list[RetrievalRow] = []
    for grain, gathered in by_grain.items():
        cutoffs = _cutoffs(gathered.depth, used_depth if grain is own else None)
        rows += _rows(grain, gathered.lists, cutoffs, METRICS, _ESTIMAND)
        if grain is own and gathered.lists:
            paper = _rows(grain, gathered.in_paper, cutoffs, METRICS[:2], _PAPER_ESTIMAND)
    return RetrievalScore(
        rows=tuple(rows),
        as_in_paper=tuple(paper),
        as_stored=_stored_means([entry.record for entry in entries]),
        states=dict(by_grain[own].states),
        depth=max((len(entry.record.retrieval.items) for entry in entries), default=0),
        used_depth=used_depth,
        unsourced=sum(
            not item.sources for entry in entries for item in entry.record.retrieval.items
        ),
    )


def _own_grain(entries: Sequence[Entry]) -> Grain:
    grains = {finest_grain(e.record.retrieval) for e in entries if e.record.retrieval.items}
    return Grain.SESSION if grains == {Grain.SESSION} else Grain.ROUND


def _cutoffs(depth: int, used_depth: int | None) -> list[int]:
    return sorted({k for k in (*CUTOFFS, depth) if 0 < k <= depth} | {used_depth or depth or 1})


_Lists = Counter[tuple[int, tuple[int, ...]]]
"""How often a number of gold units goes with their places in the list of units retrieved."""


def _rows(
    grain: Grain, lists: _Lists, cutoffs: Sequence[int], metrics: Sequence[str], estimand: str
) -> list[RetrievalRow]:
    n = lists.total()
    rows = []
    for k in cutoffs if n else ():
        sums = dict.fromkeys(METRICS, 0.0)
        for (gold, places), times in lists.items():
            found = bisect_right(places, k)
            if found:
                sums["recall"] += times * found / gold
                sums["precision"] += times * found / k
                sums["f1"] += times * 2 * found / (gold + k)
                sums["hit"] += times
        rows += [
            RetrievalRow(metric, grain, k, Figure(sums[metric] / n, n, estimand))
            for metric in metrics
        ]
    return rows


@dataclass(slots=True)
class _Gathered:
    """Where gold units stand in the lists of a run's records, at one grain."""

    states: Counter[HitState] = field(default_factory=Counter)
    depth: int = 0
    """The longest list of distinct units."""
    lists: _Lists = field(default_factory=Counter)
    """Over the records that can be measured."""
    in_paper: _Lists = field(default_factory=Counter)
    """Over the records that the paper counts: those without gold evidence included."""


def _gather(
    run: JoinedRun, entries: Sequence[Entry], grains: Sequence[Grain], release: Release
) -> dict[Grain, _Gathered]:
    by_grain = {grain: _Gathered() for grain in grains}
    depth = run.run.used_depth
    # Records outside, grains inside: a record's items are then read while still in the cache.
    for entry in entries:
        question, record = entry.question, entry.record
        history = release.histories.get(question.history_id)
        # The paper leaves out the legacy refusal questions and those of neither setting.
        labelled = question.setting or not release.settings
        in_paper = labelled and question.form != "refusal_text"
        for grain, gathered in by_grain.items():
            counts = count_hits(question, record, used_depth=depth, history=history, grain=grain)
            gathered.states[counts.state] += 1
            if counts.state is HitState.MEASURED:
                gathered.depth = max(gathered.depth, counts.listed)
                gathered.lists[counts.gold, counts.places] += 1
            elif counts.state is not HitState.NO_GOLD_EVIDENCE:
                continue
            if in_paper:
                gathered.in_paper[counts.gold, counts.places] += 1
    return by_grain


def _stored_means(records: Sequence[Record]) -> tuple[StoredMean, ...]:
    sums: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for record in records:
        for metric in record.metrics:
            sums[metric.name] = sums.get(metric.name, 0.0) + metric.value
            counts[metric.name] += 1
    estimand = "mean over the rows that have it, as stored"
    return tuple(
        StoredMean(name, Figure(total / counts[name], counts[name], estimand))
        for name, total in sums.items()
    )
