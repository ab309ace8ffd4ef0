"""Typed access to the values of a mapped row, recording what is wrong and where."""

import json
import math
from collections.abc import Mapping
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.mapping.paths import MISSING, Row, value_at

__all__ = ["JSON_LIST", "Cells", "word"]

JSON_LIST = "json"
"""The separator that says that a text holds a JSON list."""


def word(value: Any) -> str:
    """A value as a word: numbers that are equal, and texts that differ in case, are one word."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value).strip().casefold()
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:g}" if math.isfinite(number) else text


class Cells:
    """One row under inspection. A getter returns its default where the map names no column."""

    __slots__ = ("log", "row")

    def __init__(self, row: Row, log: DefectLog) -> None:
        self.row = row
        self.log = log

    def value(self, path: str | None) -> Any:
        """What stands there; ``MISSING`` where nothing does, or no column is named."""
        return MISSING if path is None else value_at(self.row, path)

    def wrong(self, path: str, expected: str) -> None:
        """Record that a value is not what was expected."""
        value = self.value(path)
        found = Described("nothing") if value is MISSING else value
        self.log.error("wrong_type", self.row.where(path), found, expected)

    def text(self, path: str | None) -> str:
        """A text; a number is written out."""
        return "" if path is None else self.optional_text(path) or ""

    def optional_text(self, path: str | None) -> str | None:
        """A text; None where there is none."""
        value = self.value(path)
        if value is MISSING or value is None or type(value) is str:
            return None if value is MISSING else value
        if type(value) is int or type(value) is float:
            return str(value)
        assert path is not None
        self.wrong(path, "text")
        return None

    def number(self, path: str | None) -> float | None:
        """A finite number; of a table also one that is written as text. None for an empty cell."""
        value = self.value(path)
        if value is MISSING or value is None or value == "":
            return None
        try:
            number = float(value) if type(value) in (int, float, str) else math.nan
        except (ValueError, OverflowError):
            number = math.nan
        if math.isfinite(number):
            return number
        assert path is not None
        self.wrong(path, "a finite number")
        return None

    def integer(self, path: str | None) -> int | None:
        """A whole number; None for an empty cell, and for anything else, which is recorded."""
        number = self.number(path)
        if number is None or number == int(number):
            return None if number is None else int(number)
        assert path is not None
        self.wrong(path, "a whole number")
        return None

    def items(self, path: str | None, separator: str) -> list[Any] | None:
        """A list, or what divides into one; None where there is nothing.

        An empty text is an empty list.
        """
        value = self.value(path)
        if value is MISSING or value is None:
            return None
        if type(value) is list:
            return value
        assert path is not None
        if type(value) is str:
            return self._divided(path, value, separator)
        self.wrong(path, "a list")
        return None

    def _divided(self, path: str, text: str, separator: str) -> list[Any] | None:
        if not text.strip():
            return []
        if separator == JSON_LIST:
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                found = None
            if type(found) is list:
                return found
            self.wrong(path, "a JSON list")
            return None
        if not separator:
            self.wrong(path, "a list; a text needs a separator in the map")
            return None
        return [part.strip() for part in text.split(separator)]

    def texts(self, path: str | None, separator: str) -> list[str] | None:
        """A list of texts; numbers are written out, and an element of another kind is an error."""
        found = self.items(path, separator)
        if found is None:
            return None
        texts = []
        for one in found:
            if type(one) is str or type(one) is int:
                texts.append(str(one))
            else:
                assert path is not None
                self.log.error("wrong_type", self.row.where(path), one, "text in the list")
                texts.append("")
        return texts

    def one_of(self, path: str, words: Mapping[str, Any]) -> Any:
        """What a word stands for; None, with an error recorded, when it is none of the words."""
        value = self.value(path)
        value = None if value is MISSING else value
        plain = value is None or type(value) in (bool, int, float, str)
        found = words.get(word(value), MISSING) if plain else MISSING
        if found is not MISSING:
            return found
        self.wrong(path, f"one of {', '.join(repr(one) for one in words)}")
        return None
