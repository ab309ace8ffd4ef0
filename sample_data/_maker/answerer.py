"""The lexical scorer: picks the option whose words the recalled rounds support best."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mnemoscope.sample_data._maker.lexical import Index, tokens
from mnemoscope.sample_data._maker.memory import Stored
from mnemoscope.sample_data._maker.release import REFUSAL

ENOUGH = 0.7
"""Share of an option's weight that recalled text must hold, or the refusal option is chosen."""
CLOSE = 0.93
"""A runner-up with at least this share of the winner's score makes the answer wordy."""

_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]|\.(?=\s|$)|\n|$)")


@dataclass(frozen=True)
class Support:
    """How well one recalled round supports an option."""

    score: float
    share: float
    """Part of the option's own weight that was found."""
    memory: Stored | None
    found: frozenset[str]


@dataclass(frozen=True)
class Reply:
    """What the scorer sends back."""

    answer: str
    reasoning: str
    dates: tuple[str, ...]


def reply(stem: str, options: Mapping[str, str], recalled: Sequence[Stored], index: Index) -> Reply:
    """Answer one question from the recalled rounds."""
    chinese = any("\u4e00" <= c <= "\u9fff" for c in stem)
    support = {x: weigh(stem, t, recalled, index) for x, t in options.items() if t != REFUSAL}
    order = sorted(support, key=lambda x: (-round(support[x].score, 9), x))
    first, second = support[order[0]], support[order[1]]
    refusal = next((x for x, text in options.items() if text == REFUSAL), "")
    if first.memory is None and refusal:
        return Reply(refusal, _nothing(len(recalled), chinese), ())
    if refusal and first.share < ENOUGH:
        return Reply(refusal, _doubt(order[0], first, index, chinese), ())
    if first.memory is None:
        prose = "找回的内容里没有提到。" if chinese else "Nothing I recalled mentions this."
        return Reply(prose, _nothing(len(recalled), chinese), ())
    answer = order[0]
    if second.score >= CLOSE * first.score:
        answer = f"{order[0]}. {options[order[0]]}"
    because = _because(order[0], options[order[0]], first, index, chinese)
    return Reply(answer, because, (first.memory.date,))


def weigh(stem: str, option: str, recalled: Sequence[Stored], index: Index) -> Support:
    """The best support any recalled round gives an option.

    A round counts for the option's words it holds, plus a little for the words of the stem, so
    that of two rounds with the same words the one on the subject wins.
    """
    asked = set(tokens(stem))
    wanted = set(tokens(option)) - asked
    whole = sum(index.idf(t) for t in sorted(wanted)) or 1.0
    best = Support(0.0, 0.0, None, frozenset())
    for memory in recalled:
        held = set(tokens(memory.text))
        found = wanted & held
        weight = sum(index.idf(t) for t in sorted(found))
        topic = sum(index.idf(t) for t in sorted(asked & held))
        score = weight + 0.15 * topic if found else 0.0
        if score > best.score:
            best = Support(score, weight / whole, memory, frozenset(found))
    return best


def sentence(memory: Stored, found: frozenset[str], index: Index) -> str:
    """The sentence of a round that holds most of the found words, by weight."""
    lines = [line.partition(": ")[2] or line for line in memory.text.split("\n")]
    parts = [m.group().strip() for line in lines for m in _SENTENCE.finditer(line)]
    return max(filter(None, parts), key=lambda p: (_weight(found & set(tokens(p)), index), -len(p)))


def shared(option: str, quote: str, index: Index) -> list[str]:
    """Up to three pieces that an option and a quoted sentence have in common, weightiest first."""
    held = set(tokens(quote))
    words = re.findall(r"[A-Za-z0-9']+", option)
    pieces = [w for w in words if tokens(w) and set(tokens(w)) <= held]
    if not words:
        i = 0
        while i < len(option):
            j = i
            while j < len(option) and option[i : j + 1] in quote:
                j += 1
            pieces.append(option[i:j].strip("，。、的了"))
            i = max(j, i + 1)
    long = dict.fromkeys(p.strip("'") for p in pieces if len(p) > 1)
    return sorted(long, key=lambda p: -_weight(set(tokens(p)), index))[:3]


def _weight(found: set[str] | frozenset[str], index: Index) -> float:
    return round(sum(index.idf(t) for t in sorted(found)), 9)


def _because(letter: str, option: str, support: Support, index: Index, chinese: bool) -> str:
    memory = support.memory
    assert memory is not None
    quote = sentence(memory, support.found, index)
    pieces = shared(option, quote, index)
    if chinese:
        same = "、".join(f"“{p}”" for p in pieces) or "个别字词"
        return f"{memory.date} 的记忆里写着：{quote} 其中{same}和选项 {letter} 对得上。"
    same = ", ".join(f"“{p}”" for p in pieces) or "only scattered words"
    return f"On {memory.date} the memory says: {quote} It shares {same} with option {letter}."


def _doubt(letter: str, support: Support, index: Index, chinese: bool) -> str:
    assert support.memory is not None
    share = round(100 * support.share)
    quote = sentence(support.memory, support.found, index)
    if chinese:
        return f"最接近的是选项 {letter}，但记忆里只找到它 {share}% 的内容：{quote} 依据不够。"
    return (
        f"Option {letter} comes closest, but memory holds only {share}% of it: {quote} "
        "That is too little to go on."
    )


def _nothing(count: int, chinese: bool) -> str:
    if chinese:
        return f"看过 {count} 条记忆，没有一条和选项有相同的字词。"
    return f"None of the {count} memories shares a word with an option."
