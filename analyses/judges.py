"""What judges make of the answers of runs: each alone, together, and with a verifier."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.analyses.agreement import Agreement, cohen_kappa, measure
from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.core.judges.deciders import OneSided, pair_of
from mnemoscope.core.judges.deciding import both_sides
from mnemoscope.core.judges.said import Voice, current, voice_label
from mnemoscope.core.model import Value
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = [
    *("Alone", "PanelFigures", "Verified", "alone", "chosen_entries", "panel", "verified"),
    "verified_run",
]

_JUDGED = (Value.RIGHT, Value.WRONG)


def chosen_entries(run: JoinedRun, keys: Collection[str] | None) -> Sequence[Entry]:
    """The records of a run that answer some questions; all when None."""
    if keys is None:
        return run.entries
    wanted = frozenset(keys)
    return [entry for entry in run.entries if entry.question.key in wanted]


@dataclass(frozen=True, slots=True)
class Alone:
    """What one judge says of a run's answers."""

    voice: Voice
    right: Figure
    """Answers that it calls right / answers that it judged."""
    failed: int
    """Answers on which it gave no usable verdict; in no mean."""


def alone(entries: Collection[Entry], voice: Voice) -> Alone:
    """Count what one judge says."""
    values = [
        verdict.value
        for entry in entries
        if (verdict := current(entry.record).get(voice)) is not None
    ]
    judged = [value for value in values if value in _JUDGED]
    estimand = "answers called right / answers judged by this judge"
    right = Figure.share(judged.count(Value.RIGHT), len(judged), estimand, FigureStatus.NOT_JUDGED)
    return Alone(voice, right, values.count(Value.JUDGE_FAILED))


@dataclass(frozen=True, slots=True)
class Verified:
    """A judge alone, with its verifier by the one-sided rule, and the two treated alike."""

    judge: Figure
    one_sided: Figure
    symmetric: Figure
    changed: int
    """Answers first judged wrong that the verifier called right."""
    unverified: int
    """Answers that the judge judged and the verifier did not."""


def verified(entries: Collection[Entry], decider: OneSided) -> Verified:
    """Hold the one-sided rule against a rule that looks at both verdicts alike.

    One-sided: right if judge or verifier says so, ``p1 + (1 - p1) p2`` where they are independent.
    Symmetric: the mean of the two judges' accuracies, so that a disagreement counts half whichever
    of them says right. Failed records are wrong in all three.
    """
    counts = both_sides(decider, entries)
    judge = Figure.share(counts.first, counts.judged, "right by the judge alone / judged")
    one_sided = Figure.share(
        counts.one_sided, counts.decided, "right by judge or else verifier / decided (one-sided)"
    )
    estimand = "mean of judge's and verifier's accuracies over all answers (symmetric)"
    left = counts.judged - counts.both
    if counts.symmetric is not None:
        symmetric = Figure(counts.symmetric, counts.both, estimand)
    elif not counts.judged:
        symmetric = Figure.absent(FigureStatus.EMPTY, estimand)
    else:
        low = (counts.first + counts.second) / (2 * counts.judged)
        high = (counts.first + counts.second + left) / (2 * counts.judged)
        note = f"{left} answers without a second verdict; from {low:.3f} to {high:.3f}"
        status = FigureStatus.NOT_MEASURABLE
        symmetric = Figure.absent(status, estimand, note, counts.both)
    return Verified(judge, one_sided, symmetric, counts.one_sided - counts.first, left)


def verified_run(run: JoinedRun, keys: Collection[str] | None = None) -> Verified | None:
    """The figures of judge and verifier where they decide in a run; None where they do not.

    Args:
        run: The run.
        keys: Only these questions.
    """
    pair = pair_of(run)
    return verified(chosen_entries(run, keys), pair) if pair is not None else None


@dataclass(frozen=True)
class PanelFigures:
    """How far judges agree on the same answers."""

    judges: tuple[str, ...]
    agreement: Agreement
    pairs: Mapping[tuple[str, str], Figure]
    """Cohen's kappa of every two."""
    majority: Figure
    """Right by the majority / answers with a majority."""
    tied: int
    """Answers on which as many say right as wrong."""


def panel(entries: Collection[Entry], voices: Sequence[Voice]) -> PanelFigures:
    """Agreement, unanimity and majority of judges.

    Args:
        entries: The answers.
        voices: The judges.
    """
    rows: list[list[Value | None]] = []
    for entry in entries:
        said = current(entry.record)
        row = [_given(said[voice].value) if voice in said else None for voice in voices]
        if any(value is not None for value in row):
            rows.append(row)
    right = wrong = 0
    for row in rows:
        given = [value for value in row if value is not None]
        rights = given.count(Value.RIGHT)
        right += rights * 2 > len(given)
        wrong += rights * 2 < len(given)
    names = tuple(map(voice_label, voices))
    pairs = {
        (names[first], names[second]): cohen_kappa(
            [row[first] for row in rows], [row[second] for row in rows]
        )
        for first in range(len(voices))
        for second in range(first + 1, len(voices))
    }
    return PanelFigures(
        names,
        measure("verdicts", rows),
        pairs,
        Figure.share(right, right + wrong, "right by the majority / answers with a majority"),
        len(rows) - right - wrong,
    )


def _given(value: Value) -> Value | None:
    return value if value in _JUDGED else None
