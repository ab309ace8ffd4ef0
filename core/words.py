"""The words of texts in any script, for comparing and counting them."""

import re
from collections.abc import Iterator

__all__ = ["pieces", "words"]

_UNSPACED = "\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3"
_PIECES = re.compile(rf"([{_UNSPACED}]+)|([^\W_{_UNSPACED}]+(?:['’][^\W_{_UNSPACED}]+)*)")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield runs of Chinese, Japanese or Korean, and the words of other scripts, in lower case.

    Each comes with whether it is such a run, which no spaces divide into words.
    """
    for unspaced, word in _PIECES.findall(text.casefold()):
        yield unspaced or word, bool(unspaced)


def words(text: str) -> list[str]:
    """The words of a text in order; every two neighbours in unspaced scripts stand for one.

    A single such character stands for itself.
    """
    found = []
    for piece, is_unspaced in pieces(text):
        if is_unspaced and len(piece) > 1:
            found += [piece[at : at + 2] for at in range(len(piece) - 1)]
        else:
            found.append(piece)
    return found
