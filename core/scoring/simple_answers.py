"""The rule judge on one value: a number, a text, a name, yes or no."""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from mnemoscope.core.scoring.said import SaidNumber, asserted, numbers, same_unit
from mnemoscope.core.scoring.text_match import contains, normal
from mnemoscope.core.scoring.typed_gold import (
    CountGold,
    FlagGold,
    NameGold,
    NumberGold,
    SimpleGold,
    TextGold,
    in_words,
)

__all__ = ["Ruling", "accepted_texts", "denies", "gives", "says_none", "simple_ruling"]


class Ruling(NamedTuple):
    """What a rule says of an answer."""

    right: bool
    reason: str
    """Why, in words."""


def simple_ruling(said: str, gold: SimpleGold, stem: str = "") -> Ruling:
    """Judge what an answer says by one value.

    Args:
        said: The answer, or a part of it.
        gold: What is right.
        stem: The question: numbers repeated from it are not the answer.
    """
    match gold:
        case NumberGold():
            return _number(said, gold, stem)
        case CountGold():
            return _number(said, NumberGold(number=gold.count, decimals=0), stem, whole=True)
        case FlagGold():
            return _flag(said, gold)
        case TextGold():
            return _phrase(said, (gold.text, *gold.also))
        case NameGold():
            return _phrase(said, (gold.name, *gold.also))


# Numbers


def _number(said: str, gold: NumberGold, stem: str, *, whole: bool = False) -> Ruling:
    found = _own_numbers(said, gold, stem)
    expected = in_words(gold)
    if not found and whole and gold.number == 0 and says_none(said):
        return Ruling(True, "says that there is none")
    if not found:
        return Ruling(False, f"gives no number; right is {expected}")
    fitting = [one for one in found if _fits(one, gold)]
    shown = ", ".join(dict.fromkeys(map(str, found)))
    if not fitting:
        other = next((one for one in found if not _has_unit(one, gold)), None)
        unit = f" in another unit ({other.unit})" if other is not None else ""
        return Ruling(False, f"gives {shown}{unit}; right is {expected}")
    if len(fitting) < len(found):
        return Ruling(False, f"gives several numbers ({shown}); right is {expected} alone")
    return Ruling(True, f"gives {shown}, which is {expected}")


def _own_numbers(said: str, gold: NumberGold, stem: str) -> Sequence[SaidNumber]:
    """The numbers that answer: neither set aside, nor repeated from the question, nor a label."""
    asked = {one.value for one in numbers(stem)}
    found = numbers(asserted(said)) or numbers(said)
    kinds: tuple[Callable[[SaidNumber], bool], ...] = (
        lambda one: one.label and not _fits(one, gold),
        lambda one: one.value in asked and not _fits(one, gold),
        lambda one: one.worded and not _fits(one, gold),
    )
    for dropped in kinds:
        found = [one for one in found if not dropped(one)] or found
    return found


def _has_unit(said: SaidNumber, gold: NumberGold) -> bool:
    return any(same_unit(said, unit) for unit in (gold.unit, *gold.also_units))


def _fits(said: SaidNumber, gold: NumberGold) -> bool:
    right = Decimal(str(gold.number))
    if not right.is_finite():
        return False
    value = said.value
    if said.unit == "%" and not gold.unit:
        value /= 100  # a share that the gold writes as a number
    elif not _has_unit(said, gold):
        return False
    if abs(value - right) <= Decimal(str(gold.tolerance)):
        return True
    if gold.decimals is not None:
        # More digits than the source has are right if they round to what it says.
        return said.decimals > gold.decimals and right in _rounded(value, gold.decimals)
    exact = said.decimals >= 2 or said.significant >= 3
    return exact and value in _rounded(right, said.decimals)


def _rounded(value: Decimal, decimals: int) -> set[Decimal]:
    """The value rounded in both usual ways, which differ at a half."""
    step = Decimal(1).scaleb(-decimals)
    try:
        return {value.quantize(step, how) for how in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    except ArithmeticError:  # more digits than decimals have
        return set()


# Words

_YES = re.compile(r"\b(?:yes|yeah|correct|true|indeed|it (?:is|was|did|does|has))\b|是|对|有", re.I)
_NO = re.compile(
    r"\b(?:no|nope|not|never|incorrect|false|wrong|\w+n['’]t)\b|不|没|否|错|非", re.IGNORECASE
)
_NONE = re.compile(r"\b(?:none|no|nothing|nobody|neither|empty|zero)\b|没有|无", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no longer|rather than|instead of|\w+n['’]t)|不是|并非)\s*$", re.I
)
_HEDGE = re.compile(
    r"\b(?:either|or|maybe|perhaps|possibly|might be|may be|not sure)\b|或者?|可能|也许", re.I
)


def _flag(said: str, gold: FlagGold) -> Ruling:
    first = re.split(r"[\s,.;:!，。；：！]", said.strip(), maxsplit=1)[0]
    for text in (first, said):
        no, yes = bool(_NO.search(text)), bool(_YES.search(text))
        # What denies may hold a word that affirms: "not correct", "不是".
        if no or yes:
            answer = not no
            break
    else:
        return Ruling(False, f"says neither yes nor no; right is {in_words(gold)}")
    word = "yes" if answer else "no"
    if answer is gold.yes:
        return Ruling(True, f"says {word}")
    return Ruling(False, f"says {word}; right is {in_words(gold)}")


def _phrase(said: str, accepted: Sequence[str]) -> Ruling:
    """A text or a name: in the answer's own words, neither set aside nor one of several guesses."""
    own = asserted(said)
    for one in accepted:
        if said.casefold() == one.strip().casefold() or normal(said) == normal(one) != "":
            return Ruling(True, f"says {one}")
    found = next((one for one in accepted if contains(own, one)), None)
    if found is None:
        denied = next((one for one in accepted if contains(said, one)), None)
        if denied is not None:
            return Ruling(False, f"sets {denied} aside; it is right")
        return Ruling(False, f"does not say {accepted[0]}")
    # The accepted text may itself hold such a word.
    rest = normal(own).replace(normal(found), " ")
    if _HEDGE.search(rest):
        return Ruling(False, f"says {found} as one guess among several")
    return Ruling(True, f"says {found}")


def denies(said: str) -> bool:
    """Whether an answer begins by saying no."""
    return _NO.match(said.lstrip()) is not None


def says_none(said: str) -> bool:
    """Whether an answer says that there is nothing."""
    return _NONE.search(said) is not None


def accepted_texts(item: SimpleGold) -> tuple[str, ...]:
    """The texts that are right for a text or a name; none for anything else."""
    match item:
        case TextGold():
            return (item.text, *item.also)
        case NameGold():
            return (item.name, *item.also)
    return ()


def gives(said: str, gold: SimpleGold) -> bool:
    """Whether a value stands anywhere in a text."""
    match gold:
        case NumberGold():
            return any(_fits(one, gold) for one in numbers(said))
        case CountGold():
            # A share is no count, though 65% is nearly one.
            return any(one.value == gold.count and one.unit != "%" for one in numbers(said))
        case FlagGold():
            return _flag(said, gold).right
        case TextGold() | NameGold():
            return any(contains(said, one) for one in accepted_texts(gold))
