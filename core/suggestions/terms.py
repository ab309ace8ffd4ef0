"""The words of a text that tell it from others."""

import re
from functools import lru_cache

__all__ = ["terms"]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3"
_PIECES = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:['’][^\W_{_HAN}]+)*")
_HAN_START = re.compile(rf"[{_HAN}]")
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
    for piece in _PIECES.findall(text.casefold()):
        if _HAN_START.match(piece):
            found.update(piece[at : at + 2] for at in range(len(piece) - 1))
        elif piece.isdigit() or (len(piece) >= _SHORTEST and piece not in _COMMON):
            found.add(piece)
    return frozenset(found)
