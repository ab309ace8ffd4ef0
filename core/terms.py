"""The words of a text that tell it from others."""

import re
from functools import lru_cache

from mnemoscope.core.words import pieces

__all__ = ["terms"]

_SHORTEST = 3
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "about after all also and any are because been but can for from had has have her hers him "
        "his how into its just like more most not now one only other our out over she some such "
        "than that the their them then there these they this those too was were what when where "
        "which while who why will with would you your",
    )
)


@lru_cache(maxsize=20_000)
def terms(text: str) -> frozenset[str]:
    """The terms of a text: words of three letters or more and numbers, and pairs of characters.

    Chinese, Japanese and Korean are not split into words, so every two neighbouring characters
    stand for one. Upper and lower case are the same; English words that stand in any text are left
    out.
    """
    found: set[str] = set()
    for piece, is_unspaced in pieces(text):
        if is_unspaced:
            found.update(piece[at : at + 2] for at in range(len(piece) - 1))
        elif piece.isdigit() or (len(piece) >= _SHORTEST and piece not in _COMMON):
            found.add(piece)
    return frozenset(found)
