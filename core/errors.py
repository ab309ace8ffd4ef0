"""Errors that cross a boundary.

MnemoscopeError
├── InputError        a file or folder cannot be used
│   ├── ReadError     … at a place that can be named
│   └── UnknownFormatError   … since no reader knows its content
├── ProviderError     an endpoint cannot be reached, or refuses the key
└── UsageError        the request itself is off: a filter, a name, an option
"""

from collections.abc import Sequence
from pathlib import Path

__all__ = [
    "InputError",
    "MnemoscopeError",
    "ProviderError",
    "ReadError",
    "UnknownFormatError",
    "UsageError",
]


class MnemoscopeError(Exception):
    """Root of every error this package raises on purpose.

    Attributes:
        hint: What the user can do about it, or an empty string.
        details: Lines that only somebody who looks closer wants.
    """

    def __init__(self, message: str, *, hint: str = "", details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.details = tuple(details)


class UsageError(MnemoscopeError):
    """The request cannot be carried out as it was made."""


class ProviderError(MnemoscopeError):
    """An endpoint cannot be reached, refuses the key, or has no such model."""


class InputError(MnemoscopeError):
    """A file or folder cannot be used."""


class UnknownFormatError(InputError):
    """No reader knows the content of a file or folder."""


class ReadError(InputError):
    """A file cannot be read at a place that can be named.

    Attributes:
        file: The file.
        place: A JSON path such as ``$.qa[3].evidence``, or a line and column.
        found: What stands there.
        expected: What should stand there.
    """

    def __init__(
        self, file: Path | str, place: str, found: str, expected: str, *, hint: str = ""
    ) -> None:
        self.file = Path(file)
        self.place = place
        self.found = found
        self.expected = expected
        where = f"{self.file}: {place}" if place else str(self.file)
        super().__init__(f"{where}: found {found}, expected {expected}", hint=hint)
