"""Which records of two runs are held against each other, and what makes that unequal."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import mean

from mnemoscope.core.model import RetrievalState
from mnemoscope.core.scoring.retrieval_hits import used_items
from mnemoscope.core.workspace import Entry, JoinedRun

__all__ = ["Pairing", "depth_used", "inequalities", "pair_up"]

_CONTEXT_SIZES = ("context_tokens", "prompt_tokens", "input_tokens")
"""Names of a record's usage that say how much was sent, the most telling first."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The records of two runs that answer the same thing."""

    pairs: Sequence[tuple[Entry, Entry]]
    only_in_a: int
    """Questions (or questions × repeats) that only A answers."""
    only_in_b: int
    repeated: bool
    """Whether equal repeats are paired, so that a question can stand in several pairs."""
    label: str
    """What makes a pair, in words."""


def pair_up(a: JoinedRun, b: JoinedRun, keys: Collection[str] | None = None) -> Pairing:
    """Pair the records of two runs.

    When both runs have repeats, equal repeats are paired; otherwise the first repeat of each.

    Args:
        a: The first run.
        b: The second run.
        keys: The questions to pair; all when None.
    """
    with_repeats = [_has_repeats(run) for run in (a, b)]
    repeated = all(with_repeats)
    rows_a, rows_b = (_rows(run, repeated, keys) for run in (a, b))
    pairs = [(entry, rows_b[row]) for row, entry in rows_a.items() if row in rows_b]
    label = "question"
    if any(with_repeats):
        label += " and repeat" if repeated else " (the first repeat of each run)"
    return Pairing(pairs, len(rows_a) - len(pairs), len(rows_b) - len(pairs), repeated, label)


def inequalities(a: JoinedRun, b: JoinedRun, *, repeated: bool) -> list[str]:
    """What makes any comparison of two runs unequal, or its p-value unsound."""
    notes = []
    if repeated:
        notes.append("repeats of one question are not independent: p is too small")
    for what, of in (("k", depth_used), ("context", _context)):
        one, other = of(a), of(b)
        if one != other:
            notes.append(f"unequal {what}: A {one}, B {other}")
    return notes


def depth_used(run: JoinedRun) -> str:
    """How many retrieved items were sent, in words."""
    found = [entry.record.retrieval for entry in run.entries]
    if any(one.state is RetrievalState.WHOLE_HISTORY for one in found):
        return "whole history"
    if run.run.used_depth is not None:
        return str(run.run.used_depth)
    used = {len(used_items(one.items, None)) for one in found if one.items}
    if not used:
        return "not stored"
    return str(*used) if len(used) == 1 else f"{min(used)} to {max(used)}"


def _context(run: JoinedRun) -> str:
    """Mean size of what was sent, in words, to two digits so that near-equal sizes are equal."""
    sums: dict[str, list[float]] = {}
    for entry in run.entries:
        for name, value in entry.record.usage.items():
            if name in _CONTEXT_SIZES and math.isfinite(value):
                sums.setdefault(name, []).append(value)
    for name in _CONTEXT_SIZES:
        if name in sums:
            return f"{float(f'{mean(sums[name]):.2g}'):,.0f} {name.replace('_', ' ')}"
    return "not stored"


def _has_repeats(run: JoinedRun) -> bool:
    return any(len(entries) > 1 for entries in run.by_question.values())


def _rows(
    run: JoinedRun, repeated: bool, keys: Collection[str] | None
) -> dict[tuple[str, int], Entry]:
    """What is paired: entries by question and, where repeats are paired, repeat."""
    chosen = {
        key: entries for key, entries in run.by_question.items() if keys is None or key in keys
    }
    if not repeated:
        return {(key, 0): entries[0] for key, entries in chosen.items()}
    return {
        (key, entry.record.repeat): entry for key, entries in chosen.items() for entry in entries
    }
