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
from math import isfinite

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.model import Record, Release
from mnemoscope.core.scoring.clue_hits import ClueComparison, clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain, HitCounts, HitState, Ranking
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
_PAPER = "cue-mem"
"""The format of the benchmark whose paper counts questions without evidence as 0."""
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
    """Recall and precision with the estimand of CUE-Mem's paper, at the run's own grain; none for
    other benchmarks."""
    as_stored: tuple[StoredMean, ...]
    states: Mapping[HitState, int]
    """Records by whether they can be measured, at the run's own grain."""
    grain: Grain | None
    """The finest grain that the run's source ids allow; None where nothing is measured."""
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
    gathered = _gather(run, entries, release)
    own, used_depth = gathered.own, run.run.used_depth
    rows: list[RetrievalRow] = []
    paper: list[RetrievalRow] = []
    for grain, found in gathered.by_grain.items():
        cutoffs = _cutoffs(found.listed, used_depth if grain is own else None)
        rows += _rows(grain, found.lists(), cutoffs, METRICS, _ESTIMAND)
        if grain is own and release.format == _PAPER and found.states()[HitState.MEASURED]:
            lists = found.lists(as_in_paper=True)
            paper = _rows(grain, lists, cutoffs, METRICS[:2], _PAPER_ESTIMAND)
    return RetrievalScore(
        rows=tuple(rows),
        as_in_paper=tuple(paper),
        as_stored=_stored_means([entry.record for entry in entries]),
        states=dict(gathered.by_grain[own].states()),
        grain=own if rows else None,
        depth=gathered.depth,
        used_depth=used_depth,
        unsourced=gathered.unsourced,
    )


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
class _AtGrain:
    """Where gold units stand in the lists of a run's records, at one grain."""

    listed: int = 0
    """The longest list of distinct units."""
    records: Counter[tuple[HitState, int, tuple[int, ...], bool]] = field(default_factory=Counter)
    """Records by state, number of gold units, their places, and whether the paper counts them."""

    def add(self, counts: HitCounts, in_paper: bool) -> None:
        """Count one record."""
        if counts.listed > self.listed:
            self.listed = counts.listed
        self.records[counts.state, counts.gold, counts.places, in_paper] += 1

    def states(self) -> Counter[HitState]:
        """Records by state."""
        found: Counter[HitState] = Counter()
        for (state, _, _, _), n in self.records.items():
            found[state] += n
        return found

    def lists(self, *, as_in_paper: bool = False) -> _Lists:
        """Over the measured records; or over those of the paper, some without gold evidence."""
        states = {HitState.MEASURED} | ({HitState.NO_GOLD_EVIDENCE} if as_in_paper else set())
        found: _Lists = Counter()
        for (state, gold, places, in_paper), n in self.records.items():
            if state in states and (in_paper or not as_in_paper):
                found[gold, places] += n
        return found


@dataclass(slots=True)
class _Gathered:
    """What there is to count in a run."""

    own: Grain
    """The finest grain that the run's source ids allow."""
    by_grain: dict[Grain, _AtGrain]
    depth: int
    unsourced: int


def _gather(run: JoinedRun, entries: Sequence[Entry], release: Release) -> _Gathered:
    by_grain = {grain: _AtGrain() for grain in Grain}
    grains: set[Grain] = set()
    depth = unsourced = 0
    # Records outside, grains inside: a record's items are read once, and from the cache after.
    for entry in entries:
        question = entry.question
        history = release.histories.get(question.history_id)
        ranking = Ranking(entry.record.retrieval, run.run.used_depth, history)
        if ranking.items:
            grains.add(ranking.grain)
            depth = max(depth, len(ranking.items))
            unsourced += ranking.unsourced
        # The paper leaves out the legacy refusal questions and those of neither setting.
        labelled = bool(question.setting or not release.settings)
        in_paper = labelled and question.form != "refusal_text"
        for grain, found in by_grain.items():
            found.add(ranking.against(question, grain), in_paper)
    own = Grain.SESSION if grains == {Grain.SESSION} else Grain.ROUND
    if own is Grain.SESSION:
        del by_grain[Grain.ROUND]
    return _Gathered(own, by_grain, depth, unsourced)


def _stored_means(records: Sequence[Record]) -> tuple[StoredMean, ...]:
    found: dict[str, list[float]] = {}
    for record in records:
        for metric in record.metrics:
            # A row that says NaN does not have the metric.
            if isfinite(metric.value):
                found.setdefault(metric.name, []).append(metric.value)
    estimand = "mean over the rows that have it, as stored"
    return tuple(
        StoredMean(name, Figure(_mean(values), len(values), estimand))
        for name, values in found.items()
    )


def _mean(values: Sequence[float]) -> float:
    n = len(values)
    mean = sum(values) / n
    # Only absurd values add up to more than a float holds.
    return mean if isfinite(mean) else sum(one / n for one in values)
