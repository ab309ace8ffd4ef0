"""Short names for runs: as little as tells them apart."""

import re
from collections.abc import Sequence

from mnemoscope.core.model import Run

__all__ = ["short_names"]

# A dot before a digit belongs to a number such as 4.1 and does not part words.
_SEPARATORS = re.compile(r"(?:[-_/\s]|\.(?!\d))+")


def short_names(runs: Sequence[Run]) -> list[str]:
    """A short name for each run, unique among them.

    A run is called by its system; runs of one system are told apart by the words in which their
    variants, backbones or full names differ; a number is the last resort.
    """
    names = [run.system or run.name for run in runs]
    for group in _clashes(names):
        tails = _differences([_details(runs[index]) for index in group])
        for index, tail in zip(group, tails, strict=True):
            names[index] = f"{names[index]} {tail}".strip()
    for group in _clashes(names):
        for number, index in enumerate(group, start=1):
            names[index] = f"{names[index]} ({number})"
    return names


def _clashes(names: Sequence[str]) -> list[list[int]]:
    groups: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        groups.setdefault(name, []).append(index)
    return [group for group in groups.values() if len(group) > 1]


def _details(run: Run) -> list[str]:
    words = [word for word in _SEPARATORS.split(run.name) if word and word != run.system]
    where = f"{run.root.name}/{run.files[0]}" if run.files else run.root.name
    return words + [word for word in _SEPARATORS.split(where) if word and word not in words]


def _differences(details: list[list[str]]) -> list[str]:
    """What is left of each list without the words that all of them share."""
    common = set.intersection(*(set(words) for words in details))
    tails = [[word for word in words if word not in common] for words in details]
    # The fewest leading words that already tell them apart.
    for length in range(1, max(map(len, tails), default=0) + 1):
        short = [tuple(words[:length]) for words in tails]
        if len(set(short)) == len(short):
            return ["-".join(words) for words in short]
    return ["-".join(words) for words in tails]
