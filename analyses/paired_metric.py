"""Two runs by a figure that their files store for each record, such as F1.

Such a figure is each run's own computation: two files may mean different things by one name. It is
compared as stored, and says nothing about right and wrong.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.paired import mcnemar
from mnemoscope.analyses.pairing import inequalities, pair_up
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Question, Record, RecordStatus, Release
from mnemoscope.core.workspace import JoinedRun

__all__ = [
    "TEST",
    "Interval",
    "MetricComparison",
    "MetricRow",
    "Order",
    "compare_by_metric",
    "mean_interval",
    "shared_metrics",
]

TEST = "two-sided exact sign test"
"""The test of the questions whose figures differ: it asks how often one is higher, not by how much.

It is the binomial test against 1/2 that McNemar's exact test is, too.
"""
_ANSWERED = (RecordStatus.OK, RecordStatus.UNPARSED)
_RESAMPLES = 2_000
_SEED = 0
_LEVEL = 0.95
_MOST_DRAWN = 1_000_000
"""Indexes drawn at once: memory stays bounded whatever the number of pairs."""


class Order(StrEnum):
    """Whose figure is higher on one question."""

    HIGHER_A = "higher_a"
    HIGHER_B = "higher_b"
    EQUAL = "equal"

    @classmethod
    def of(cls, a: float, b: float) -> "Order":
        """The order of two figures."""
        return cls.EQUAL if a == b else cls.HIGHER_A if a > b else cls.HIGHER_B


@dataclass(frozen=True, slots=True)
class Interval:
    """A bootstrap interval of the mean paired difference."""

    low: float
    high: float
    method: str
    """Level, kind, number of resamples and seed, in words."""


@dataclass(frozen=True, slots=True)
class MetricRow:
    """The pairs of one task, or all of them."""

    name: str
    mean_a: Figure
    mean_b: Figure
    difference: Figure
    """Mean of B - A over the pairs."""
    higher_a: int
    higher_b: int
    equal: int
    p_sign: Figure
    """p of the sign test; its n is the number of pairs whose figures differ."""

    @property
    def n(self) -> int:
        """Pairs in which both records have the figure."""
        return self.higher_a + self.higher_b + self.equal


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Two runs by one stored figure, on the questions for which both have it."""

    a: str
    """Letter and name of the first run."""
    b: str
    metric: str
    pairing: str
    """What makes a pair, in words."""
    total: MetricRow
    by_task: tuple[MetricRow, ...]
    """In the release's order of tasks."""
    interval: Interval | None
    """Of the mean difference; none with fewer than two pairs."""
    only_in_a: int
    only_in_b: int
    without_figure: int
    """Answered by both, and at least one of the two does not have the figure."""
    questions: Mapping[Order, tuple[str, ...]]
    """Question keys by whose figure is higher, in release order, each once."""
    values: Mapping[str, tuple[float, float]]
    """The figures of A and B by question key; of the first pair where repeats are paired."""
    notes: tuple[str, ...]
    """What makes the comparison unequal, or the p-value unsound."""


def shared_metrics(a: JoinedRun, b: JoinedRun) -> tuple[str, ...]:
    """The figures that records of both runs have, in A's order."""
    of_b = _names(b)
    return tuple(name for name in _names(a) if name in of_b)


def compare_by_metric(
    a: JoinedRun,
    b: JoinedRun,
    release: Release,
    metric: str,
    *,
    keys: Collection[str] | None = None,
) -> MetricComparison:
    """Compare two runs by a stored figure.

    Args:
        a: The first run.
        b: The second run.
        release: The release that both join to.
        metric: The figure's name; case, and blanks or underscores, do not matter.
        keys: The questions to compare; all when None.

    Raises:
        UsageError: Records of the two runs have no such figure in common.
    """
    name = _named(metric, a, b)
    paired = pair_up(a, b, keys)
    rows: list[tuple[Question, float, float]] = []
    failed = 0
    for one, other in paired.pairs:
        value_a, value_b = _value(one.record, name), _value(other.record, name)
        if value_a is not None and value_b is not None and isfinite(value_b - value_a):
            rows.append((one.question, value_a, value_b))
            failed += any(each.record.status not in _ANSWERED for each in (one, other))
    notes = ["each run's own computation, as stored"]
    notes += inequalities(a, b, repeated=paired.repeated)
    if failed:
        notes.append(f"pairs with a failed record, whose stored figure counts: {failed}")
    return MetricComparison(
        a=a.label,
        b=b.label,
        metric=name,
        pairing=paired.label,
        total=_row("all", rows),
        by_task=_by_task(rows, [label.task for label in release.tasks]),
        interval=mean_interval([b - a for _, a, b in rows]),
        only_in_a=paired.only_in_a,
        only_in_b=paired.only_in_b,
        without_figure=len(paired.pairs) - len(rows),
        questions=_keys(rows, release),
        values={question.key: (a, b) for question, a, b in reversed(rows)},
        notes=tuple(notes),
    )


def mean_interval(differences: Sequence[float]) -> Interval | None:
    """The percentile bootstrap interval of a mean, as ``scipy.stats.bootstrap`` draws it.

    None with fewer than two values, and where they are too large for a mean. Pairs are drawn as
    wholes; the seed is fixed, so that the same data always give the same interval.
    """
    n = len(differences)
    if n < 2 or not isfinite(sum(map(abs, differences))):
        return None
    # Not at the top: the help of the command line must not wait for it.
    import numpy as np

    values = np.asarray(differences, dtype=float)
    random = np.random.default_rng(_SEED)
    at_once = max(1, _MOST_DRAWN // n)
    means = np.concatenate(
        [
            values[random.integers(0, n, (min(at_once, _RESAMPLES - start), n))].mean(axis=-1)
            for start in range(0, _RESAMPLES, at_once)
        ]
    )
    tail = 100 * (1 - _LEVEL) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    method = f"{_LEVEL:.0%} percentile bootstrap over pairs, {_RESAMPLES:,} resamples, seed {_SEED}"
    return Interval(float(low), float(high), method)


def _names(run: JoinedRun) -> dict[str, None]:
    return dict.fromkeys(
        metric.name
        for entry in run.entries
        for metric in entry.record.metrics
        if isfinite(metric.value)
    )


def _named(wanted: str, a: JoinedRun, b: JoinedRun) -> str:
    found = [name for name in shared_metrics(a, b) if _folded(name) == _folded(wanted)]
    if found:
        return found[0]
    of_a, of_b = (", ".join(_names(run)) or "none" for run in (a, b))
    raise UsageError(
        f"the records of A and B have no figure {wanted!r} in common; A has {of_a}; B has {of_b}"
    )


def _folded(name: str) -> str:
    return name.casefold().replace("_", " ").strip()


def _value(record: Record, name: str) -> float | None:
    for metric in record.metrics:
        if metric.name == name and isfinite(metric.value):
            return metric.value
    return None


def _row(name: str, rows: Sequence[tuple[Question, float, float]]) -> MetricRow:
    orders = [Order.of(a, b) for _, a, b in rows]
    higher_a, higher_b = orders.count(Order.HIGHER_A), orders.count(Order.HIGHER_B)
    estimand = f"p of the {TEST} over the pairs whose figures differ"
    p_sign = Figure.absent(FigureStatus.EMPTY, estimand)
    if rows:
        p_sign = Figure(mcnemar(higher_a, higher_b), higher_a + higher_b, estimand)
    return MetricRow(
        name,
        _mean([a for _, a, _ in rows], "mean of A's figure over the pairs"),
        _mean([b for _, _, b in rows], "mean of B's figure over the pairs"),
        _mean([b - a for _, a, b in rows], "mean of B - A over the pairs"),
        higher_a,
        higher_b,
        orders.count(Order.EQUAL),
        p_sign,
    )


def _mean(values: Sequence[float], estimand: str) -> Figure:
    if not values:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    # Only absurd values add up to more than a float holds.
    total = sum(values)
    mean = total / len(values) if isfinite(total) else sum(one / len(values) for one in values)
    return Figure(mean, len(values), estimand)


def _by_task(
    rows: Sequence[tuple[Question, float, float]], order: Iterable[str]
) -> tuple[MetricRow, ...]:
    groups: dict[str, list[tuple[Question, float, float]]] = {name: [] for name in order}
    for row in rows:
        groups.setdefault(row[0].task, []).append(row)
    return tuple(_row(name, of) for name, of in groups.items() if of)


def _keys(
    rows: Sequence[tuple[Question, float, float]], release: Release
) -> dict[Order, tuple[str, ...]]:
    keys: dict[Order, set[str]] = {order: set() for order in Order}
    for question, a, b in rows:
        keys[Order.of(a, b)].add(question.key)
    return {order: tuple(filter(of.__contains__, release.questions)) for order, of in keys.items()}
