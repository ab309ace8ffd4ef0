"""Two runs on the same questions: both right, only one, neither, and whether that is chance."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter

from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.pairing import inequalities, pair_up
from mnemoscope.core.model import Question, Release
from mnemoscope.core.workspace import JoinedRun

__all__ = ["Comparison", "Pair", "PairedCounts", "PairedRow", "Unpaired", "compare", "mcnemar"]


class Pair(StrEnum):
    """What two runs make of one question."""

    BOTH = "both"
    ONLY_A = "only_a"
    ONLY_B = "only_b"
    NEITHER = "neither"

    @classmethod
    def of(cls, a: bool, b: bool) -> "Pair":
        """The outcome when A is right or wrong, and B."""
        if a:
            return cls.BOTH if b else cls.ONLY_A
        return cls.ONLY_B if b else cls.NEITHER


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """Pairs by who is right."""

    both: int = 0
    only_a: int = 0
    only_b: int = 0
    neither: int = 0

    @property
    def n(self) -> int:
        """Pairs in which both runs were judged."""
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def accuracy_a(self) -> Figure:
        """A's accuracy over the pairs."""
        return Figure.share(self.both + self.only_a, self.n, "A right / pairs")

    @property
    def accuracy_b(self) -> Figure:
        """B's accuracy over the pairs."""
        return Figure.share(self.both + self.only_b, self.n, "B right / pairs")

    @property
    def difference(self) -> Figure:
        """B's accuracy minus A's over the pairs."""
        estimand = "(B right - A right) / pairs"
        if not self.n:
            return Figure.absent(FigureStatus.EMPTY, estimand)
        return Figure((self.only_b - self.only_a) / self.n, self.n, estimand)

    @property
    def p_mcnemar(self) -> Figure:
        """Exact McNemar p-value; its n is the number of pairs that differ."""
        estimand = "two-sided exact McNemar p over the pairs that differ"
        if not self.n:
            return Figure.absent(FigureStatus.EMPTY, estimand)
        return Figure(mcnemar(self.only_a, self.only_b), self.only_a + self.only_b, estimand)


@dataclass(frozen=True, slots=True)
class PairedRow:
    """The pairs of one task, or of another group."""

    name: str
    counts: PairedCounts


@dataclass(frozen=True, slots=True)
class Unpaired:
    """What could not be compared: questions, or questions × repeats where repeats are paired."""

    only_in_a: int
    """Answered by A and not by B."""
    only_in_b: int
    """Answered by B and not by A."""
    not_judged: int
    """Answered by both, and at least one of the two has no verdict."""

    @property
    def total(self) -> int:
        """All of them."""
        return self.only_in_a + self.only_in_b + self.not_judged


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the questions that both answered and both were judged on."""

    a: str
    """Letter and name of the first run."""
    b: str
    pairing: str
    """What makes a pair, in words."""
    counts: PairedCounts
    unpaired: Unpaired
    by_task: tuple[PairedRow, ...]
    """In the release's order of tasks."""
    by_setting: tuple[PairedRow, ...]
    """By evidence setting; empty when the release has none."""
    questions: Mapping[Pair, tuple[str, ...]]
    """Question keys by outcome, in release order, each once."""
    notes: tuple[str, ...]
    """What makes the comparison unequal, or the p-value unsound."""


def compare(
    a: JoinedRun, b: JoinedRun, release: Release, *, keys: Collection[str] | None = None
) -> Comparison:
    """Compare two runs question by question.

    When both runs have repeats, equal repeats are paired; otherwise the first repeat of each.

    Args:
        a: The first run.
        b: The second run.
        release: The release that both join to.
        keys: The questions to compare; all when None.
    """
    paired = pair_up(a, b, keys)
    judged = [
        (one.question, Pair.of(one.judgement.right, other.judgement.right))
        for one, other in paired.pairs
        if one.judgement.judged and other.judgement.judged
    ]
    notes = inequalities(a, b, repeated=paired.repeated)
    deciding = [run.deciding.name if run.deciding else run.rule for run in (a, b)]
    if deciding[0] != deciding[1]:
        said = f"A {deciding[0]}, B {deciding[1]}"
        notes.append(f"different rules decide right and wrong: {said}")
    return Comparison(
        a=a.label,
        b=b.label,
        pairing=paired.label,
        counts=_counts(Counter(pair for _, pair in judged)),
        unpaired=Unpaired(paired.only_in_a, paired.only_in_b, len(paired.pairs) - len(judged)),
        by_task=_by(judged, attrgetter("task"), [label.task for label in release.tasks]),
        by_setting=_by(judged, attrgetter("setting"), release.settings) if release.settings else (),
        questions=_keys(judged, release),
        notes=tuple(notes),
    )


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided McNemar p-value: a binomial test of the pairs that differ against 1/2.

    p = min(1, 2 P(X ≤ min(only_a, only_b))) with X ~ Binomial(only_a + only_b, 1/2). The largest
    term comes from Loader's saddle-point form of the binomial density (C. Loader, 2000), which
    keeps its relative accuracy for any n; the terms below it follow by their ratios.

    Args:
        only_a: Pairs in which only the first run is right.
        only_b: Pairs in which only the second is.
    """
    n, k = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    total = term = 1.0
    for i in range(k, 0, -1):
        term *= i / (n - i + 1)
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, 2 * total * math.exp(_log_half_binomial(n, k)))


def _log_half_binomial(n: int, k: int) -> float:
    """Logarithm of P(X = k) for X ~ Binomial(n, 1/2)."""
    if k in (0, n):
        return -n * math.log(2)
    d = (n - 2 * k) / n
    deviance = n / 2 * ((1 - d) * math.log1p(-d) + (1 + d) * math.log1p(d))
    correction = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return correction - deviance + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def _stirling_error(n: int) -> float:
    """How far log n! is above Stirling's formula."""
    if n < 16:
        return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - 0.5 * math.log(2 * math.pi)
    square = 1 / (n * n)
    series = 1 / 1680 - square / 1188
    series = 1 / 1260 - square * series
    series = 1 / 360 - square * series
    return (1 / 12 - square * series) / n


def _counts(outcomes: Mapping[Pair, int]) -> PairedCounts:
    return PairedCounts(*(outcomes.get(pair, 0) for pair in Pair))


def _by(
    judged: Sequence[tuple[Question, Pair]],
    group_of: Callable[[Question], str],
    order: Iterable[str],
) -> tuple[PairedRow, ...]:
    found = Counter((group_of(question), pair) for question, pair in judged)
    groups: dict[str, dict[Pair, int]] = {name: {} for name in order}
    for (name, pair), n in found.items():
        groups.setdefault(name, {})[pair] = n
    return tuple(PairedRow(name, _counts(counts)) for name, counts in groups.items() if counts)


def _keys(judged: Sequence[tuple[Question, Pair]], release: Release) -> dict[Pair, tuple[str, ...]]:
    keys: dict[Pair, set[str]] = {pair: set() for pair in Pair}
    for question, pair in judged:
        keys[pair].add(question.key)
    return {pair: tuple(filter(of.__contains__, release.questions)) for pair, of in keys.items()}
