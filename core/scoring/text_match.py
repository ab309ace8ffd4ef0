"""Open answers against gold texts, by three named measures.

Texts are compared as words: compatibility forms folded, case, punctuation, articles and thousands
separators dropped, number words and dates in one form. Chinese and Japanese characters are words of
their own, since no spaces part them.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from datetime import date

__all__ = ["best_f1", "contains", "normal", "number_words", "words"]

_ARTICLES = frozenset(("a", "an", "the"))
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|(?:(?<![^\s(])[+-])?\d+(?:[.,]\d+)*"
    rf"|[{_CJK}]|[^\W\d_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_POSSESSIVE = re.compile(r"['’]s?$")

_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
number_words = {word: number for number, word in enumerate(_COUNTED.split())}
"""Numbers that are written out."""

_MONTH_NAMES = (
    "january february march april may june july august september october november december"
)
_MONTHS = {
    name[:length]: number
    for number, name in enumerate(_MONTH_NAMES.split(), start=1)
    for length in (3, len(name))
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<y>\d{4})[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})(?:日|\b)"),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -](?P<n>{_MONTH})\.?,?[ -](?P<y>\d{{4}})\b"
    ),
    re.compile(rf"\b(?P<n>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b"),
)


def words(text: str) -> tuple[str, ...]:
    """The words of a text in the form in which they are compared."""
    text = unicodedata.normalize("NFKC", text).casefold()
    for pattern in _DATES:
        text = pattern.sub(_iso, text)
    found = (_word(one) for one in _WORD.findall(text))
    return tuple(one for one in found if one and one not in _ARTICLES)


def normal(text: str) -> str:
    """The text in the form in which it is compared; empty when it holds no word."""
    return " ".join(words(text))


def _iso(found: re.Match[str]) -> str:
    parts = found.groupdict()
    month = int(parts["m"]) if parts.get("m") else _MONTHS[parts["n"]]
    try:
        day = date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return found[0]
    return f" {day.isoformat()} "


def _word(written: str) -> str:
    number = written.removeprefix("+")
    if _THOUSANDS.fullmatch(number.removeprefix("-")):
        number = number.replace(",", "")
    if _DECIMAL.fullmatch(number):
        return number.rstrip("0").removesuffix(".")
    word = _POSSESSIVE.sub("", number)
    return str(number_words.get(word, word))


def best_f1(answer: str, golds: Sequence[str]) -> float:
    """The largest F1 of the answer's words with those of a gold, from 0 to 1.

    The harmonic mean of precision and recall over the words as multisets (SQuAD, LoCoMo).
    """
    return max((_f1(words(answer), words(gold)) for gold in golds), default=0.0)


def _f1(said: Sequence[str], gold: Sequence[str]) -> float:
    common = sum((Counter(said) & Counter(gold)).values())
    if not common:
        return 0.0
    precision, recall = common / len(said), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def contains(answer: str, gold: str) -> bool:
    """Whether the gold stands in the answer as whole words one after the other."""
    said, wanted = f" {normal(answer)} ", normal(gold)
    return bool(wanted) and f" {wanted} " in said
