"""The grammar of filters: text in, terms out. Nothing here knows a release.

A filter is terms divided by spaces; all of them must hold. A term is one of

* ``field:value`` with values divided by commas, any of which may hold
* ``RUN.figure<number``, also with ``@k`` after the figure, and with any of ``< <= > >= = !=``
* ``/regular expression/``, with ``c`` after it to tell upper and lower case apart
* anything else: text to search for

``!`` before a term negates it. Double quotes take away the meaning of every other sign; inside
them a backslash stands before a quote or a backslash.
"""

import re
import warnings
from collections.abc import Collection, Mapping, Sequence

from mnemoscope.core.filters.fields import FIELDS, FIGURES, OUTCOMES
from mnemoscope.core.filters.terms import (
    Expression,
    FieldTerm,
    FigureTerm,
    OutcomeTerm,
    RunOutcome,
    SearchTerm,
    Term,
    Word,
    fail,
)

__all__ = ["MAX_PATTERN", "parse_expression", "search_pattern"]

MAX_PATTERN = 300
"""Characters of a regular expression; a longer one is more likely a slip than a search."""
_FIELD = re.compile(r"[A-Za-z_]+(?=:)")
_COMPARISON = re.compile(r"<=|>=|!=|==|[<>=]")
_FIGURE = re.compile(r"([A-Za-z_]+)(?:@([0-9]{1,6}))?")
_ALONE = re.compile(r"/(.+)/([ic]?)", re.DOTALL)
_NUMBER = re.compile(r"-?(?:[0-9]{1,15}(?:\.[0-9]*)?|\.[0-9]+)")
_INTEGER = re.compile(r"[0-9]{1,15}")
_QUOTED = "\0"


def parse_expression(text: str) -> Expression:
    """Read a filter.

    Raises:
        UsageError: It is not a filter; the message names the column and what is known.
    """
    terms: list[Term] = []
    whole: dict[str, Word] = {}
    place = _skip_spaces(text, 0)
    while place < len(text):
        column, negated = place + 1, False
        while text.startswith("!", place):
            place, negated = place + 1, not negated
        if text.startswith("/", place):
            term, place = _regex(text, place, negated)
            terms.append(term)
        else:
            word, place = _word(text, place)
            if not word.text:
                fail(column, "nothing to search for" if not negated else "nothing to negate")
            field = _field(word)
            if field and FIELDS[field].whole:
                _take_whole(field, word, negated, whole)
            else:
                terms.append(_term(field, word, column, negated))
        place = _skip_spaces(text, place)
    return _expression(text, terms, whole)


def search_pattern(text: str) -> re.Pattern[str]:
    """What a text searched for alone means: between slashes a regular expression, else itself.

    Upper and lower case are the same, as in a filter, unless ``c`` stands after the slashes.

    Raises:
        UsageError: The regular expression is none; the message names the column.
    """
    regex = _ALONE.fullmatch(text)
    if regex is None:
        return _literal(text)
    return _compile(regex[1].replace("\\/", "/"), 1, ignore_case=regex[2] != "c")


def _skip_spaces(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _word(text: str, start: int) -> tuple[Word, int]:
    """Read up to the next unquoted space."""
    said: list[str] = []
    signs: list[str] = []
    columns: list[int] = []
    place = start
    while place < len(text) and not text[place].isspace():
        if text[place] == '"':
            opening, place = place, place + 1
            while place < len(text) and text[place] != '"':
                place += text[place] == "\\" and text[place + 1 : place + 2] in ('"', "\\")
                said.append(text[place])
                signs.append(_QUOTED)
                columns.append(place + 1)
                place += 1
            if place >= len(text):
                fail(opening + 1, "the quote has no closing quote")
        else:
            said.append(text[place])
            signs.append(text[place])
            columns.append(place + 1)
        place += 1
    return Word("".join(said), "".join(signs), (*columns, place + 1)), place


def _regex(text: str, start: int, negated: bool) -> tuple[SearchTerm, int]:
    column, place = start + 1, start + 1
    while place < len(text) and text[place] != "/":
        place += 2 if text[place] == "\\" else 1
    if place >= len(text):
        fail(column, "the regular expression has no closing / (quote a text that starts with /)")
    source = text[start + 1 : place].replace("\\/", "/")
    end = place + 1
    while end < len(text) and not text[end].isspace():
        end += 1
    flags = text[place + 1 : end]
    if flags not in ("", "i", "c"):
        fail(place + 2, f"{flags!r} after a regular expression; there are: i, c (case matters)")
    if not source:
        fail(column, "the regular expression is empty")
    return SearchTerm(_compile(source, column, ignore_case=flags != "c"), column, negated), end


def _compile(source: str, column: int, *, ignore_case: bool) -> re.Pattern[str]:
    if len(source) > MAX_PATTERN:
        fail(column, f"a regular expression of more than {MAX_PATTERN} characters")
    try:
        with warnings.catch_warnings():
            # A set that another language would read differently is no reason to stop.
            warnings.simplefilter("ignore")
            return re.compile(source, re.IGNORECASE if ignore_case else 0)
    except (re.error, OverflowError, RecursionError) as error:
        fail(column, f"not a regular expression: {error}")


def _field(word: Word) -> str:
    """The field that a word starts with; empty when it starts with none."""
    found = _FIELD.match(word.signs)
    if found is None:
        return ""
    name = found[0].lower()
    if name not in FIELDS:
        known = ", ".join(FIELDS)
        fail(word.column, f"no field {found[0]!r}; there are: {known}. Quote it to search for it")
    return name


def _take_whole(field: str, word: Word, negated: bool, whole: dict[str, Word]) -> None:
    if negated:
        fail(word.column, f"{field}: cannot be negated")
    if field in whole:
        fail(word.column, f"{field}: stands here a second time")
    whole[field] = word.part(len(field) + 1)


def _expression(text: str, terms: Sequence[Term], whole: Mapping[str, Word]) -> Expression:
    numbers: dict[str, int] = {}
    for name in ("sample", "seed"):
        if name in whole:
            if not _INTEGER.fullmatch(whole[name].text):
                fail(whole[name].column, f"{name}: takes a whole number")
            numbers[name] = int(whole[name].text)
    if "sample" in numbers and not numbers["sample"]:
        fail(whole["sample"].column, "sample: takes a number from 1")
    if "seed" in numbers and "sample" not in numbers:
        fail(whole["seed"].column, "seed: decides a draw, and there is no sample:")
    judge = ""
    if "judge" in whole:
        judge = _known(whole["judge"], FIELDS["judge"].values, "rule")
    return Expression(text, tuple(terms), judge, numbers.get("sample"), numbers.get("seed", 0))


def _term(field: str, word: Word, column: int, negated: bool) -> Term:
    if field:
        rest = word.part(len(field) + 1)
        values = tuple(rest.split(","))
        if not values:
            fail(rest.column, f"{field}: needs a value, such as {FIELDS[field].example}")
        if field == "sys":
            return OutcomeTerm(tuple(_choices(values)), column, negated)
        for value in values if field == "status" else ():
            _beginning(value, FIELDS[field].values, field)
        return FieldTerm(field, values, column, negated)
    comparison = _COMPARISON.search(word.signs)
    left = word.part(0, comparison.start()) if comparison else word
    dot = left.signs.rfind(".")
    figure = _FIGURE.fullmatch(left.signs, dot + 1) if dot > 0 else None
    if comparison and figure:
        number = _to_number(word.part(comparison.end()))
        at = int(figure[2]) if figure[2] else None
        name = _known(left.part(*figure.span(1)), FIGURES, "figure")
        return FigureTerm(left.text[:dot], name, at, comparison[0], number, column, negated)
    return SearchTerm(_literal(word.text), column, negated)


def _literal(text: str) -> re.Pattern[str]:
    # Without case to ignore, a search is several times as fast.
    cased = text.lower() != text.upper()
    return re.compile(re.escape(text), re.IGNORECASE if cased else 0)


def _choices(values: Sequence[Word]) -> list[RunOutcome]:
    """``A.right|wrong,B.missing`` as runs and outcomes; a bare outcome is of the run before it."""
    choices: list[RunOutcome] = []
    run = ""
    for value in values:
        dot = value.signs.rfind(".")
        run = value.text[:dot] if dot >= 0 else run
        outcomes = list(value.part(dot + 1).split("|"))
        if not run or not outcomes:
            fail(value.column, f"expected RUN.OUTCOME; outcomes are: {', '.join(OUTCOMES)}")
        choices += [
            RunOutcome(run, _known(outcome, OUTCOMES, "outcome"), value.column)
            for outcome in outcomes
        ]
    return choices


def _to_number(word: Word) -> float:
    if not _NUMBER.fullmatch(word.text):
        fail(word.column, f"expected a number, found {word.text!r}")
    return float(word.text)


def _known(word: Word, names: Collection[str], what: str) -> str:
    """The name that a word is, or that alone begins with it."""
    found = [word.text] if word.text in names else _beginning(word, names, what)
    if len(found) > 1:
        fail(word.column, f"{what} {word.text!r} can be {' or '.join(found)}")
    return found[0]


def _beginning(word: Word, names: Collection[str], what: str) -> list[str]:
    text = word.text.lower()
    found = [name for name in names if name.startswith(text)] if text else []
    if not found:
        fail(word.column, f"no {what} {word.text!r}; there are: {', '.join(names)}")
    return found
