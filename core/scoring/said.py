"""What an open answer says: in its own words, without passing mentions; its numbers, its parts."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from mnemoscope.core.scoring.text_match import number_words

__all__ = ["SaidNumber", "asserted", "final_answer", "numbers", "parts", "same_unit"]

_FINAL = re.compile(
    r"(?:^|\n)[\s*#>-]*(?:(?:the )?(?:final |short )?answer(?: is)?|答案(?:是)?)[\s*]*[:：][\s*]*"
    r"(?P<said>[^\n]+)",
    re.IGNORECASE,
)
# A clause ends at punctuation; a point or comma between digits is none.
_CLAUSE = r"(?:(?!\b(?:but|now|and|it is|it's)\b|[;:\n()。，；]|,(?!\d{3}\b)|\.(?!\d)).)*"
_PASSING = re.compile(
    rf"\bfrom\b(?:(?!\bto\b|[,;:\n()]|\.(?!\d)).)*(?=\bto\b)"
    rf"|\b(?:up|down) from\b{_CLAUSE}"
    rf"|\b(?:rather than|instead of|no longer|unlike|compared (?:to|with)|versus|vs\.?)\s{_CLAUSE}"
    rf"|(?:\bnot\b|\b(?:is|was|are|were)n['’]t\b)\s{_CLAUSE}|(?:而)?不是[^，。；,;]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?P<money>[$€£¥])?\s?(?<![\w.])(?P<sign>[+\-\N{MINUS SIGN}](?=\s?[$€£¥]?\d))?\s?"
    r"(?P<money2>[$€£¥])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w.]*\d)"
    r"(?:\s?(?P<scale>k|thousand|mn|million|bn|billion)\b)?"
    r"(?:\s?(?P<unit>%|‰|percentage points?|percent|per cent|°\s?[cf]|[^\W\d_]+))?",
    re.IGNORECASE,
)
_WORDED = re.compile(rf"\b(?:{'|'.join(number_words)})\b", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:version|run|week|day|month|year|step|round|session|turn|figure|table|chart|slide|page|panel|"
    r"phase|row|column|item|number|no\.|quarter|update|draft|revision|#)\s*$",
    re.IGNORECASE,
)
_SCALES = {"k": 3, "thousand": 3, "mn": 6, "million": 6, "bn": 9, "billion": 9}
_UNITS = {
    "%": ("%", "percent", "per cent"),
    "pp": ("pp", "percentage point", "percentage points"),
    "$": ("$", "usd", "dollar", "dollars"),
    "€": ("€", "eur", "euro", "euros"),
    "£": ("£", "gbp", "pound", "pounds"),
    "¥": ("¥", "cny", "rmb", "yuan", "jpy", "yen"),
    "ms": ("ms", "millisecond", "milliseconds"),
    "s": ("s", "sec", "secs", "second", "seconds"),
    "min": ("min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "d": ("d", "day", "days"),
    "wk": ("wk", "week", "weeks"),
    "mo": ("mo", "month", "months"),
    "yr": ("yr", "year", "years"),
    "km": ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
    "m": ("m", "metre", "metres", "meter", "meters"),
    "cm": ("cm", "centimetre", "centimetres", "centimeter", "centimeters"),
    "mm": ("mm", "millimetre", "millimetres", "millimeter", "millimeters"),
    "kg": ("kg", "kilogram", "kilograms"),
    "g": ("g", "gram", "grams"),
    "mg": ("mg", "milligram", "milligrams"),
    "°c": ("°c",),
    "°f": ("°f",),
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names}
_BREAK = re.compile(
    r"\s*(?:[;\n、，；]|→|->|=>|,(?!\d{3}\b)|\b(?:and then|then|and)\b|&|和|以及|然后)\s*",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^[^\n]*?:\s+(?=\S)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)](?=\s)|[a-z][.)](?=\s))\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SaidNumber:
    """A number that stands in a text."""

    value: Decimal
    decimals: int
    """How many digits after the point it is written with."""
    unit: str
    """Its unit as we name it; the word after it where that is no unit that we know."""
    label: bool = False
    """Whether it names something, as in ``version 3``."""
    worded: bool = False
    """Whether it is written as a word, such as ``one``, which may be meant otherwise."""

    @property
    def known_unit(self) -> bool:
        """Whether the unit is one that we know."""
        return self.unit in _UNITS

    @property
    def significant(self) -> int:
        """How many significant digits it is written with."""
        return len(self.value.as_tuple().digits)

    def __str__(self) -> str:
        if self.unit in ("$", "€", "£", "¥"):
            return f"{'-' if self.value < 0 else ''}{self.unit}{abs(self.value):f}"
        if self.unit == "%":
            return f"{self.value:f}%"
        return f"{self.value:f} {self.unit if self.known_unit else ''}".strip()


def final_answer(text: str) -> str:
    """What stands after the last ``Answer:`` that begins a line; the whole text where none does."""
    found = list(_FINAL.finditer(text))
    return (found[-1]["said"] if found else text).replace("*", "").strip()


def asserted(text: str) -> str:
    """The text without what it mentions only to set it aside.

    That is what follows ``not``, ``rather than``, ``up from`` and the like up to the end of the
    clause, and what stands between ``from`` and ``to``.
    """
    return _PASSING.sub(" ", text)


def numbers(text: str) -> list[SaidNumber]:
    """The numbers in a text, in order: in digits, and in words up to twenty."""
    text = unicodedata.normalize("NFKC", text)
    found = []
    for one in _NUMBER.finditer(text):
        try:
            value = Decimal(one["digits"].replace(",", ""))
        except InvalidOperation:
            continue
        if one["sign"] and one["sign"] != "+":
            value = -value
        decimals = len(one["digits"].partition(".")[2])
        scale = _SCALES.get((one["scale"] or "").casefold(), 0)
        money = one["money"] or one["money2"] or ""
        unit = money or (one["unit"] or "").casefold().replace("° ", "°")
        label = _LABEL.search(text[: one.start("digits")].rstrip()) is not None
        scaled = value.scaleb(scale) if scale else value
        decimals = max(0, decimals - scale)
        found.append((one.start(), SaidNumber(scaled, decimals, _UNIT_OF.get(unit, unit), label)))
    for word in _WORDED.finditer(text):
        value = Decimal(number_words[word[0].casefold()])
        found.append((word.start(), SaidNumber(value, 0, "", worded=True)))
    return [number for _, number in sorted(found, key=lambda pair: pair[0])]


def same_unit(said: SaidNumber, unit: str) -> bool:
    """Whether a number's unit agrees with a gold's: the same one, or none that we know.

    Of a compound such as ``$/task`` the first part is compared.
    """
    if not said.known_unit:
        return True
    first = re.split(r"\s*/\s*|\s+per\s+", unit.casefold().strip())[0]
    return said.unit == _UNIT_OF.get(first, first)


def parts(text: str, names: Sequence[str] = ()) -> list[str]:
    """The parts of a list, without bullets; what stands before a colon is its heading.

    Args:
        text: The list, by lines, commas, semicolons, arrows or ``and``.
        names: Texts that may hold such signs themselves, and are not cut.
    """
    kept: list[str] = []
    for name in sorted(filter(None, names), key=len, reverse=True):
        if _BREAK.search(name):
            pattern = re.compile(re.escape(name), re.IGNORECASE)
            text = pattern.sub(f"\ue000{len(kept)}\ue001", text)
            kept.append(name)
    text = _HEADING.sub("", text, count=1)
    lines = "\n".join(_BULLET.sub("", line) for line in text.splitlines())
    found = (_BULLET.sub("", one).strip(" .。\t") for one in _BREAK.split(lines))
    restored = (
        re.sub(r"\ue000(\d+)\ue001", lambda place: kept[int(place[1])], one) for one in found
    )
    return [one for one in restored if one]
