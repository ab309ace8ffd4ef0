"""The rule judge on typed gold: is an open answer right, by the type of what is right, and why.

The rules are in ``docs/judge.md``. They are strict: an answer must say the right thing and no other
in its place. They read words and numbers and understand nothing, so they call some answers wrong
that a reader would call right; they call an answer right only where its own words hold the gold.
"""

import re
from collections.abc import Sequence

from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.scoring.said import asserted, final_answer, numbers, parts
from mnemoscope.core.scoring.simple_answers import (
    Ruling,
    accepted_texts,
    denies,
    gives,
    says_none,
    simple_ruling,
)
from mnemoscope.core.scoring.typed_gold import (
    ListGold,
    PremiseProblem,
    RefusalGold,
    SimpleGold,
    TypedGold,
    in_words,
)

__all__ = ["judge_typed"]


def judge_typed(answer: str, gold: TypedGold, stem: str = "") -> Ruling:
    """Judge an answer by typed gold.

    Args:
        answer: The answer as given.
        gold: What is right.
        stem: The question: numbers that an answer repeats from it are not its answer.
    """
    said = final_answer(answer)
    if not said:
        return Ruling(False, "says nothing")
    match gold:
        case RefusalGold():
            return _refusal(said, gold, stem)
        case ListGold():
            return _list(said, gold)
    if declines(said):
        return Ruling(False, f"declines; right is {in_words(gold)}")
    return simple_ruling(said, gold, stem)


# Lists


_LEAD_IN = re.compile(
    r"^\s*(?:based on|according to|as of|as|in|at|after|before|given|per|for|under|with|on|by)\b"
    r"[^,;:\n]*[,:]\s*",
    re.IGNORECASE,
)
"""Words before a list that name its ground and no part of it."""


def _list(said: str, gold: ListGold) -> Ruling:
    expected = in_words(gold)
    if not gold.items:
        none = says_none(said) or declines(said)
        return Ruling(none, "says that there are none" if none else "names some; right is none")
    names = [name for item in gold.items for name in accepted_texts(item)]
    own = asserted(said)
    found = parts(own, names)
    if len(found) != len(gold.items):
        found = parts(_LEAD_IN.sub("", own), names)
    if declines(said):
        return Ruling(False, f"{_declined(found, gold)}; right is {expected}")
    if len(found) != len(gold.items):
        return Ruling(False, f"gives {len(found)} values, right are {len(gold.items)}: {expected}")
    if gold.ordered:
        for place, (part, item) in enumerate(zip(found, gold.items, strict=True), start=1):
            if not simple_ruling(part, item, "").right:
                return Ruling(False, f"value {place} is {part!r}; right is {in_words(item)}")
        return Ruling(True, f"gives {expected} in this order")
    missing = _unmatched(found, gold.items)
    if missing:
        return Ruling(False, f"does not give {', '.join(map(in_words, missing))}")
    return Ruling(True, f"gives {expected} and nothing else")


def _declined(found: Sequence[str], gold: ListGold) -> str:
    """What an answer that declines declines: all that is asked, or values of it."""
    places = [at for at, part in enumerate(found, start=1) if declines(part)]
    if len(found) != len(gold.items) or not 0 < len(places) < len(found):
        return "declines"
    word = "value" if len(places) == 1 else "values"
    return f"declines {word} {', '.join(map(str, places))} of {len(found)}"


def _unmatched(found: Sequence[str], items: Sequence[SimpleGold]) -> list[SimpleGold]:
    """Items that no part gives, where each part stands for one item at most."""
    fits = [
        [place for place, part in enumerate(found) if simple_ruling(part, item, "").right]
        for item in items
    ]
    taken: dict[int, int] = {}

    def place_for(item: int, tried: set[int]) -> bool:
        for place in fits[item]:
            if place not in tried:
                tried.add(place)
                if place not in taken or place_for(taken[place], tried):
                    taken[place] = item
                    return True
        return False

    return [item for at, item in enumerate(items) if not place_for(at, set())]


# Premises

_CORRECTS = {
    PremiseProblem.WITHDRAWN: r"withdr[ae]w|retract|revert|undone|undo|disregard|cancel|撤回|撤销",
    PremiseProblem.SUPERSEDED: r"supersed|replaced|no longer|updated|changed|overrid|取代|不再",
    PremiseProblem.NOT_ACCEPTED: r"(?:not|never|n['’]t) (?:been )?(?:accepted|confirmed|approved"
    r"|adopted|authori[sz]ed)|only (?:shown|displayed|proposed)|unconfirmed|未(?:接受|确认|采纳)",
    PremiseProblem.REMOVED: r"removed|deleted|dropped|no longer (?:exists?|part|there|included)"
    r"|删除|移除|不再",
    PremiseProblem.RENAMED: r"renamed|the same|now called|new name|改名|更名|同一",
    PremiseProblem.WRONG_CONTEXT: r"another|different|belongs to|not for|属于|另一",
    PremiseProblem.NEVER_SHOWN: r"never (?:been |was )?(?:shown|mentioned|given|stated)"
    r"|not (?:been )?(?:shown|given|provided)|从未|没有出现",
    PremiseProblem.NEVER_HAPPENED: r"(?:never|not|n['’]t) (?:\w+ )?(?:happen|occur|change"
    r"|take place|increase|decrease|move|rise|fall)|no such (?:change|update)"
    r"|没有(?:发生|变化)|从未",
}
"""What an answer says of each kind of falsehood when it corrects it."""
_CORRECTION = re.compile(
    r"premise|assum|mistaken|incorrect|in fact|actually|false|前提|实际上|有误", re.IGNORECASE
)


def _refusal(said: str, gold: RefusalGold, stem: str) -> Ruling:
    """A question that takes something false for granted: correcting it or declining is right."""
    pattern = _CORRECTS[gold.problem]
    denial = re.search(pattern, said, re.IGNORECASE) or _CORRECTION.search(said)
    own = asserted(said)
    values = {one.value for one in numbers(said)}
    denied = values - {one.value for one in numbers(own)}
    claims_it = gold.claimed is not None and gives(own, gold.claimed)
    sets_aside = gold.claimed is not None and not claims_it and gives(said, gold.claimed)
    # A number that the question claims and the answer denies is a correction, too.
    asked = {one.value for one in numbers(stem)}
    corrects = denial is not None or denies(said) or sets_aside or bool(denied & asked)
    if gold.actual is not None and _gives_all(said, gold.actual) and (corrects or not claims_it):
        return Ruling(True, f"gives what is the case: {in_words(gold.actual)}")
    if declines(said) and (corrects or not claims_it):
        return Ruling(True, "declines, which is right here")
    new = values - asked - {one.value for one in numbers(gold.premise)}
    if corrects and (gold.actual is None or not (claims_it or new)):
        return Ruling(True, "says that what the question takes for granted is not so")
    if gold.claimed is not None and claims_it:
        return Ruling(False, f"takes {in_words(gold.claimed)} for granted; {gold.premise}")
    return Ruling(False, f"neither declines nor corrects the question; {gold.premise}")


def _gives_all(said: str, gold: SimpleGold | ListGold) -> bool:
    if isinstance(gold, ListGold):
        return bool(gold.items) and all(gives(said, item) for item in gold.items)
    return gives(said, gold)
