"""What a reader of releases is, and the choice among them by content."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.sources import Source

__all__ = ["ReadOptions", "ReleaseReader", "choose_reader"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user said about how to read a release."""

    media_roots: tuple[Path, ...] = ()
    """Folders outside the release that media may be read from."""


class ReleaseReader(Protocol):
    """Reads one format of release."""

    name: str
    """The format's name, as ``--format`` takes it."""

    def recognises(self, source: Source) -> bool:
        """Whether the content is of this format. Reads as little as it can."""
        ...

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: Nothing of it can be used.
        """
        ...


def choose_reader(
    readers: Sequence[ReleaseReader], source: Source, name: str | None
) -> ReleaseReader:
    """The reader with a name, or the first that recognises the content.

    Raises:
        UsageError: No reader has the name.
        InputError: No reader recognises the content.
    """
    if name is not None:
        for reader in readers:
            if reader.name == name:
                return reader
        known = ", ".join(reader.name for reader in readers)
        raise UsageError(f"no release format named {name!r}; there are: {known}")
    for reader in readers:
        if reader.recognises(source):
            return reader
    known = ", ".join(reader.name for reader in readers)
    raise InputError(
        f"{source.path}: not a release of a known format ({known})",
        hint="name the format with --format if its content is unusual",
    )
