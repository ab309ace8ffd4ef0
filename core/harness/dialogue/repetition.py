"""Repetition: how much of what is said has been said before."""

import re
from collections import Counter
from collections.abc import Iterable

from mnemoscope.core.harness.dialogue.turn import Turn

__all__ = ["distinct_share", "repeated"]

_WORD = re.compile(r"[\w'$%.,/-]*\w[\w'$%/-]*")


def distinct_share(turns: Iterable[Turn], n: int = 3) -> float:
    """The share of distinct sequences of n words among all of them, from 0 to 1.

    Sequences do not go from one turn into the next. Without any the share is 1.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for turn in turns:
        words = [one.lower() for one in _WORD.findall(turn.text)]
        counts.update(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    return len(counts) / counts.total() if counts else 1.0


def plain(text: str) -> str:
    """A text without what makes no difference to a reader: case, spaces, punctuation."""
    return " ".join(re.findall(r"\w+", text.lower()))


def repeated(turns: Iterable[Turn]) -> list[Turn]:
    """The turns that were said before in the same words."""
    seen: set[str] = set()
    found = []
    for turn in turns:
        words = plain(turn.text)
        if words in seen:
            found.append(turn)
        seen.add(words)
    return found
