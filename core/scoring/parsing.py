"""The two CUE-Mem rules that read an option from an answer, as the benchmark applies them.

Neither is repaired here: under the first rule ``Answer: C`` is A and ``Because …`` is B. Scores
are comparable with published ones only when the same quirks are kept.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

__all__ = [
    *("LETTERS", "PARSES", "RULES", "Reasoned"),
    *("parse_rq1", "parse_rq3", "read_by", "split_reasoning"),
]

LETTERS = frozenset("ABCD")
"""The options of every question."""

_letter_word = re.compile(r"\b[A-D]\b").search
_letter = re.compile(r"[A-D]").search
_session_label = re.compile(r"依据\s*session\s*[：:]", re.IGNORECASE).match
_reason_label = re.compile(r"(?:判断)?依据\s*[：:]").match
_DATE_BREAKS = re.compile(r"[,，;；\s]+")


def parse_rq1(text: str) -> str:
    """Read the option as RQ1, RQ2 and the human study do.

    The first character counts in either case; else the first letter A to D that stands as a word;
    else the rule returns the whole text in capitals, which equals no option.
    """
    stripped = text.strip()
    first = stripped[:1].upper()
    if first in LETTERS:
        return first
    capitals = stripped.upper()
    found = _letter_word(capitals)
    return found[0] if found else capitals


def parse_rq3(text: str) -> str:
    """Read the option as RQ3 does.

    The first capital A to D that stands as a word; else the first such capital anywhere; else the
    rule returns the first character, or nothing.
    """
    stripped = text.strip()
    if stripped in LETTERS:
        return stripped
    found = _letter_word(stripped) or _letter(stripped)
    return found[0] if found else stripped[:1]


RULES: Mapping[str, Callable[[str], str]] = {"rq1": parse_rq1, "rq3": parse_rq3}
"""The rules by name."""


PARSES = ("leading", "standalone", "inside", "none")
"""The ways in which a rule comes to an option; see ``read_by``."""


def read_by(rule: str, text: str) -> tuple[str, str]:
    """What a rule reads from a text, and how it came to it.

    ``leading``: the letter begins the text. ``standalone``: it stands as a word further on, where
    it may be an article, as in “I would pick a lamp”. ``inside``: it is part of a word, such as the
    A of ``Answer: C``, which rq1 reads. ``none``: no option. All but the first are worth a look.
    """
    read = RULES[rule](text)
    if read not in LETTERS:
        return read, "none"
    stripped = text.strip()
    seen = stripped if rule == "rq3" else stripped.upper()
    if seen[:1] == read:
        return read, "leading" if not seen[1:2].isalpha() else "inside"
    return read, "standalone" if _letter_word(seen) else "inside"


class Reasoned(NamedTuple):
    """The parts of a response that was asked to give its reasons."""

    answer: str
    """The first line: all that the parsing rules are given."""
    cited: tuple[str, ...]
    """Sessions, usually as dates, that the model says it relied on."""
    reasoning: str


def split_reasoning(text: str) -> Reasoned:
    """Split a raw response into answer line, cited sessions and reasoning."""
    answer, _, rest = text.strip().partition("\n")
    cited: tuple[str, ...] = ()
    reasons = rest.strip()
    label = _session_label(reasons)
    if label:
        dates, _, reasons = reasons[label.end() :].partition("\n")
        cited = tuple(filter(None, _DATE_BREAKS.split(dates)))
        reasons = reasons.strip()
    label = _reason_label(reasons)
    return Reasoned(answer.strip(), cited, reasons[label.end() :].strip() if label else reasons)
