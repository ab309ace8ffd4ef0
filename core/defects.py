"""Defects: everything that is odd in a release or a run, and every repair that was made."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError, ReadError

__all__ = ["SHOWN", "Defect", "DefectLog", "Described", "Severity", "count_by_severity", "describe"]

SHOWN = 80
"""How many characters of a text that is found stand in a defect."""
_LONGEST = 5_000


class Severity(StrEnum):
    """How bad a defect is."""

    ERROR = "error"
    """The item cannot be used."""
    WARNING = "warning"
    """A pointer does not resolve, or a value is odd."""
    REPAIRED = "repaired"
    """The value was read differently from how it is written; the repair is named."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is wrong, with its exact place."""

    severity: Severity
    code: str
    """A stable slug, such as ``clue_unknown_id``."""
    file: str
    """The file, relative to the release or run where possible."""
    path: str
    """JSON path, such as ``$.sessions[3].dialogues[2].image_id``."""
    found: str
    """What stands there, shortened."""
    expected: str
    """What should stand there."""
    repair: str = ""
    """What was read instead; empty unless the severity is ``repaired``."""

    def line(self) -> str:
        """One line for people: severity, code, place, found, expected, repair."""
        text = f"{self.severity}: {self.file}: {self.path}: found {self.found}, "
        text += f"expected {self.expected}"
        return f"{text} ({self.code}{'; read as ' + self.repair if self.repair else ''})"


@dataclass(slots=True)
class DefectLog:
    """Collects defects while one release or run is read."""

    file: str = ""
    """The file that is being read; new defects carry it."""
    items: list[Defect] = field(default_factory=list)

    def error(self, code: str, path: str, found: object, expected: str) -> None:
        """Record that an item cannot be used."""
        self._add(Severity.ERROR, code, path, found, expected)

    def warning(self, code: str, path: str, found: object, expected: str) -> None:
        """Record a pointer that does not resolve or an odd value."""
        self._add(Severity.WARNING, code, path, found, expected)

    def repaired(self, code: str, path: str, found: object, expected: str, repair: object) -> None:
        """Record that ``found`` was read as ``repair``."""
        self._add(Severity.REPAIRED, code, path, found, expected, describe(repair))

    def unreadable(self, error: InputError, file: Path, expected: str = "a readable file") -> None:
        """Record that a file cannot be used.

        Args:
            error: Why not; where it names a place, that is the place of the defect.
            file: The file, as the error names it.
            expected: What should have been there, unless the error says so.
        """
        if isinstance(error, ReadError):
            found, expected = error.found, error.expected
            self.error("unreadable_file", error.place or "$", Described(found), expected)
        else:
            message = str(error).removeprefix(f"{file}: ")
            self.error("unreadable_file", "$", Described(message), expected)

    def _add(
        self,
        severity: Severity,
        code: str,
        path: str,
        found: object,
        expected: str,
        repair: str = "",
    ) -> None:
        # What a release writes can be of any length; a line of a report cannot.
        file, path, said, expected = map(_shorten, (self.file, path, describe(found), expected))
        self.items.append(Defect(severity, code, file, path, said, expected, repair))


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def describe(value: Any) -> str:
    """Name a JSON value in a few characters: its kind, and as much of it as helps."""
    match value:
        case Described():
            return str(value)
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            if len(value) <= SHOWN:
                return repr(value)
            return f"{value[:SHOWN]!r}… ({len(value):,} characters)"
        case dict():
            return f"an object with {len(value)} {'key' if len(value) == 1 else 'keys'}"
        case list():
            return f"a list of {len(value)}"
    return f"{type(value).__name__} {str(value)[:SHOWN]}"


class Described(str):
    """A phrase that already describes what was found and needs no quotes."""

    __slots__ = ()


def count_by_severity(defects: Iterable[Defect]) -> dict[str, int]:
    """Count defects as ``{"errors": …, "repaired": …, "warnings": …}``."""
    counts = Counter(defect.severity for defect in defects)
    return {
        "errors": counts[Severity.ERROR],
        "repaired": counts[Severity.REPAIRED],
        "warnings": counts[Severity.WARNING],
    }
