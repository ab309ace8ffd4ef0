"""What a filter is made of, once read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from mnemoscope.core.errors import UsageError

__all__ = [
    "Expression",
    "FieldTerm",
    "FigureTerm",
    "OutcomeTerm",
    "RunOutcome",
    "SearchTerm",
    "Term",
    "Word",
    "fail",
]


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of a filter without spaces outside quotes."""

    text: str
    """What it says, quotes taken off."""
    signs: str
    """The same with every quoted character replaced: where signs have their meaning."""
    columns: tuple[int, ...]
    """Where each character stands in the filter, from 1, and where the word ends."""

    @property
    def column(self) -> int:
        """Where it starts."""
        return self.columns[0]

    def part(self, start: int, end: int | None = None) -> "Word":
        """A piece of it."""
        end = len(self.text) if end is None else end
        return Word(self.text[start:end], self.signs[start:end], self.columns[start : end + 1])

    def split(self, sign: str) -> Iterator["Word"]:
        """The pieces between unquoted signs, without the empty ones."""
        start = 0
        for piece in self.signs.split(sign):
            if piece:
                yield self.part(start, start + len(piece))
            start += len(piece) + len(sign)


@dataclass(frozen=True, slots=True)
class FieldTerm:
    """Questions whose field has one of the values."""

    field: str
    values: tuple[Word, ...]
    column: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """One thing that can become of a question in a run."""

    run: str
    outcome: str
    column: int


@dataclass(frozen=True, slots=True)
class OutcomeTerm:
    """Questions of which one of several things became."""

    choices: tuple[RunOutcome, ...]
    column: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class FigureTerm:
    """Questions whose figure in a run compares in a way with a number."""

    run: str
    figure: str
    at: int | None
    """Where the list is cut; None for what was used."""
    operator: str
    number: float
    column: int
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """Questions with a text in them, in their gold, an answer or a clue."""

    pattern: re.Pattern[str]
    column: int
    negated: bool = False


Term = FieldTerm | OutcomeTerm | FigureTerm | SearchTerm


@dataclass(frozen=True, slots=True)
class Expression:
    """A filter as read. All terms must hold."""

    text: str
    terms: tuple[Term, ...] = ()
    judge: str = ""
    """The rule that decides right and wrong; empty for each run's own."""
    sample: int | None = None
    """How many to draw; None for all."""
    seed: int = 0


def fail(column: int, message: str) -> NoReturn:
    """Say what is wrong with a filter, and where.

    Raises:
        UsageError: Always.
    """
    raise UsageError(f"filter, column {column}: {message}")
