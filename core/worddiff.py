"""What differs between two texts, word by word.

A token is one Han, kana or Hangul character, one number, one word, or one other character, with
its combining marks. Whitespace belongs to the token before it and is compared after the tokens
are aligned, so that spaces never hold an alignment together.

Alignment is a longest common subsequence, computed a row at a time in one big integer (Crochemore
et al. 2001, Hyyrö 2004). Its time depends on the two lengths alone. ``difflib`` needs more than a
second for five hundred repetitive tokens, which an answer that loops easily has.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

Kind = Literal["same", "only", "rest"]

CAP = 4000
"""Tokens a side compared beyond the common start and end: some 25 ms at most."""

# Ideographs, their iteration marks, kana (also half-width) and Hangul syllables.
_SINGLE = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_WORD = rf"[^\W{_SINGLE}]"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)*(?!{_WORD})\s*|{_WORD}+(?:['’]{_WORD}+)*\s*|{_FLAG}\s*|\S\s*|\s+"
)
_JOINER = "\u200d"
_GLUED = frozenset("ﾞﾟ\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_GLUED_CATEGORIES = frozenset({"Mn", "Mc", "Me", "Cf"})


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of one of the two texts."""

    kind: Kind
    """``same`` in both texts, ``only`` in this one, or ``rest``: beyond the cap, not compared."""
    text: str
    """The characters as they stand in the text."""


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Two texts cut into segments; the segments of a side joined are that text."""

    a: tuple[Segment, ...]
    """The first text."""
    b: tuple[Segment, ...]
    """The second text."""
    tokens: tuple[int, int]
    """How many tokens each text has."""
    compared: tuple[int, int]
    """How many of them were compared."""

    @property
    def capped(self) -> bool:
        """Whether some of either text was left out of the comparison."""
        return self.compared != self.tokens


@dataclass(frozen=True, slots=True)
class _Run:
    """Aligned ranges of tokens: equal pairwise, or replaced as a whole."""

    same: bool
    a: range
    b: range


def diff(a: str, b: str, cap: int = CAP) -> TextDiff:
    """Compare two texts.

    Args:
        a: The first text.
        b: The second text.
        cap: Tokens a side to compare once the common start and end are set aside.

    Returns:
        Both texts in segments, and how much of them was compared.
    """
    left, right = _tokens(a), _tokens(b)
    left_cores, right_cores = [t.rstrip() for t in left], [t.rstrip() for t in right]
    start = _common(left_cores, right_cores)
    end = _common(left_cores[start:][::-1], right_cores[start:][::-1])
    left_stop, right_stop = len(left) - end, len(right) - end
    left_cut, right_cut = min(left_stop, start + cap), min(right_stop, start + cap)

    pairs = _align(left_cores[start:left_cut], right_cores[start:right_cut])
    runs = [_Run(True, range(start), range(start))]
    runs += _runs(((start + i, start + j) for i, j in pairs), start, left_cut, right_cut)
    runs = _without_noise(runs, left_cores, right_cores)
    tail = _Run(True, range(left_stop, len(left)), range(right_stop, len(right)))
    pieces_a, pieces_b = _pieces(runs, left, right)
    tail_a, tail_b = _pieces([tail], left, right)
    return TextDiff(
        a=_segments([*pieces_a, ("rest", "".join(left[left_cut:left_stop])), *tail_a]),
        b=_segments([*pieces_b, ("rest", "".join(right[right_cut:right_stop])), *tail_b]),
        tokens=(len(left), len(right)),
        compared=(len(left) - (left_stop - left_cut), len(right) - (right_stop - right_cut)),
    )


def _tokens(text: str) -> list[str]:
    found: list[str] = _TOKEN.findall(text)
    if text.isascii():
        return found
    tokens: list[str] = []
    for token in found:
        if tokens and (_is_glued(token) or tokens[-1].endswith(_JOINER)):
            tokens[-1] += token
        else:
            tokens.append(token)
    return tokens


def _is_glued(token: str) -> bool:
    """Whether a token starts with something drawn onto the character before it."""
    first = token[0]
    if first.isascii():
        return False
    return first in _GLUED or unicodedata.category(first) in _GLUED_CATEGORIES


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    count = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        count += 1
    return count


def _align(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence.

    Bit ``i`` of a row is 0 where ``a[:i + 1]`` has a longer common subsequence with the part of
    ``b`` read so far than ``a[:i]`` has.
    """
    places: dict[str, int] = {}
    for index, token in enumerate(a):
        places[token] = places.get(token, 0) | (1 << index)
    row = mask = (1 << len(a)) - 1
    rows = [row]
    for token in b:
        used = row & places.get(token, 0)
        row = ((row + used) | (row - used)) & mask
        rows.append(row)

    pairs: list[tuple[int, int]] = []
    i, j = len(a), len(b)
    while i and j:
        if (rows[j] >> (i - 1)) & 1:
            i -= 1
        elif (rows[j - 1] >> (i - 1)) & 1:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        else:
            j -= 1
    pairs.reverse()
    return pairs


def _runs(
    pairs: Iterable[tuple[int, int]], start: int, left_end: int, right_end: int
) -> Iterator[_Run]:
    """Turn index pairs into alternating equal and replaced runs that cover both sides."""
    i = j = start
    same_i, same_j = i, j
    for left, right in [*pairs, (left_end, right_end)]:
        if (left, right) != (i, j):
            if i > same_i:
                yield _Run(True, range(same_i, i), range(same_j, j))
            yield _Run(False, range(i, left), range(j, right))
            same_i, same_j = left, right
        i, j = left + 1, right + 1
    if left_end > same_i:
        yield _Run(True, range(same_i, left_end), range(same_j, right_end))


def _without_noise(runs: Iterable[_Run], a: Sequence[str], b: Sequence[str]) -> list[_Run]:
    """Fold an equal single character that stands between longer replacements into them.

    Two unrelated sentences share a comma and a 的 by chance; marking those as common hides that
    nothing else is.
    """

    def size(run: _Run) -> int:  # only whether it is more than one character matters
        return max(len("".join(a[i] for i in run.a[:3])), len("".join(b[j] for j in run.b[:3])))

    kept: list[_Run] = []
    for run in runs:
        kept.append(run)
        while len(kept) > 2 and not kept[-1].same and kept[-2].same and not kept[-3].same:
            before, middle, after = kept[-3:]
            if size(middle) > 1 or min(size(before), size(after)) < 2:
                break
            kept[-3:] = [
                _Run(
                    False,
                    range(before.a.start, after.a.stop),
                    range(before.b.start, after.b.stop),
                )
            ]
    return kept


_Piece = tuple[Kind, str]


def _pieces(
    runs: Iterable[_Run], a: Sequence[str], b: Sequence[str]
) -> tuple[list[_Piece], list[_Piece]]:
    left: list[_Piece] = []
    right: list[_Piece] = []
    for run in runs:
        ours, theirs = a[run.a.start : run.a.stop], b[run.b.start : run.b.stop]
        if ours == theirs:
            left.append(("same", "".join(ours)))
            right.append(("same", "".join(theirs)))
            continue
        rows = zip(ours, theirs, strict=True) if run.same else [("".join(ours), "".join(theirs))]
        kind: Kind = "same" if run.same else "only"
        for one, other in rows:
            one_core, other_core = one.rstrip(), other.rstrip()
            one_space, other_space = one[len(one_core) :], other[len(other_core) :]
            spacing: Kind = "same" if one_space == other_space else "only"
            left += [(kind, one_core), (spacing, one_space)]
            right += [(kind, other_core), (spacing, other_space)]
    return left, right


def _segments(pieces: Iterable[_Piece]) -> tuple[Segment, ...]:
    """Join neighbours of one kind and leave out what is empty."""
    filled = [piece for piece in pieces if piece[1]]
    return tuple(
        Segment(kind, "".join(text for _, text in group))
        for kind, group in groupby(filled, key=lambda piece: piece[0])
    )
