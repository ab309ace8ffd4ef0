"""Stored figures that look wrong: they differ from a recount, or have no evidence to rest on.

F1, BLEU and the like are not recounted: every file splits and stems words in its own way.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from mnemoscope.analyses.suspicion import Example, Suspicion, example_of
from mnemoscope.core.model import Release, Run, Value
from mnemoscope.core.scoring.retrieval_hits import Grain, HitCounts, HitState, Ranking
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["suspect_figures"]

_RETRIEVAL = re.compile(
    r"(recall|recall_any|precision|hit)(?:@([1-9][0-9]{0,5}))?(?: (session|round|turn))?",
    re.IGNORECASE,
)
_MEAN = re.compile(r"(.+), mean over the rows")
_ACCURACY = ("accuracy", "accuracy, by majority of the judgments")
_GRAINS = {"session": Grain.SESSION, "round": Grain.ROUND, "turn": Grain.ROUND}
_ROUNDED = 6e-4
"""Figures are stored to three digits or more."""


def suspect_figures(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    """What looks wrong about the figures that a run's files store."""
    yield from _record_figures(run, release)
    yield from _run_figures(run)


@dataclass(frozen=True, slots=True)
class _Stored:
    """A stored figure of one record beside its recount."""

    entry: Entry
    name: str
    value: float
    counted: float | None
    """None where there is no gold evidence."""


def _record_figures(run: JoinedRun, release: Release) -> Iterator[Suspicion]:
    stored = list(_recounted(run, release))
    if not stored:
        return
    differing = [
        one for one in stored if one.counted is not None and abs(one.value - one.counted) > _ROUNDED
    ]
    baseless = [one for one in stored if one.counted is None]
    if differing:
        counts = (len(differing), len(stored), "stored retrieval figures")
        says = "differ from a recount against the release's evidence"
        examples = (
            example_of(one.entry, f"{one.name} {one.value:g}, recounted {one.counted:g}")
            for one in differing
        )
        yield Suspicion.of_run("stored_figures_differ", run, counts, says, examples)
    if baseless:
        counts = (len(baseless), len(stored), "stored retrieval figures")
        says = "are of questions without gold evidence: there is nothing to measure"
        examples = (example_of(one.entry, f"{one.name} {one.value:g}") for one in baseless)
        yield Suspicion.of_run("stored_figures_without_evidence", run, counts, says, examples)


def _recounted(run: JoinedRun, release: Release) -> Iterator[_Stored]:
    for entry in run.entries:
        named = [
            (match, metric)
            for metric in entry.record.metrics
            if isfinite(metric.value) and (match := _RETRIEVAL.fullmatch(metric.name))
        ]
        if not named:
            continue
        history = release.histories.get(entry.question.history_id)
        ranking = Ranking(entry.record.retrieval, run.run.used_depth, history)
        for match, metric in named:
            counts = ranking.against(entry.question, _GRAINS.get(match[3], ranking.grain))
            if counts.state is HitState.NO_GOLD_EVIDENCE:
                yield _Stored(entry, metric.name, metric.value, None)
            elif counts.state is HitState.MEASURED:
                counted = _value(counts.first(int(match[2])) if match[2] else counts, match[1])
                yield _Stored(entry, metric.name, metric.value, counted)


def _value(counts: HitCounts, name: str) -> float | None:
    match name.casefold():
        case "recall":
            return counts.recall
        case "precision":
            return counts.precision
    # LongMemEval calls it recall_any where one gold unit is enough.
    return None if counts.hit is None else float(counts.hit)


def _run_figures(run: JoinedRun) -> Iterator[Suspicion]:
    """Totals of a file against its own rows, those that join to nothing included."""
    found: list[str] = []
    recounted = 0
    for metric in run.run.metrics:
        counted = _recount(run.run, metric.name)
        if counted is None or not isfinite(metric.value):
            continue
        recounted += 1
        # A total may be rounded further than a row: to a tenth of a per cent, or to one unit.
        if abs(metric.value - counted) > max(_ROUNDED, 1e-3 * abs(counted)):
            found.append(f"{metric.name} {metric.value:g}, recounted {counted:g}")
    if found:
        file = run.run.files[0] if run.run.files else ""
        counts = (len(found), recounted, "stored totals")
        says = "differ from a recount of the rows beside them"
        examples = (Example(file, "", "", said) for said in found)
        yield Suspicion.of_run("stored_totals_differ", run, counts, says, examples)


def _recount(run: Run, name: str) -> float | None:
    """What the rows say of a total; None for totals of which they say nothing."""
    if name in _ACCURACY:
        values = [v.value for record in run.records for v in record.verdicts[:1]]
        judged = [value for value in values if value in (Value.RIGHT, Value.WRONG)]
        return judged.count(Value.RIGHT) / len(judged) if judged else None
    match = _MEAN.fullmatch(name)
    return _mean_of_rows(run, match[1]) if match else None


def _mean_of_rows(run: Run, name: str) -> float | None:
    values = [
        value
        for record in run.records
        for key, value in (
            *((one.name, one.value) for one in record.metrics),
            *record.usage.items(),
        )
        if key == name and isfinite(value)
    ]
    return sum(values) / len(values) if values else None
