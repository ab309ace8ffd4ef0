"""What a reader of releases is, and the choice among them by content."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mnemoscope.core.errors import InputError, UnknownFormatError, UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.reading import read_json_lines
from mnemoscope.core.sources import Source

__all__ = ["ReadOptions", "ReleaseReader", "choose_reader"]


_MOST_LOOKED_AT = 5


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
        UnknownFormatError: No reader recognises the content.
        InputError: No file of it can be read.
    """
    if name is not None:
        for reader in readers:
            if reader.name == name:
                return reader
        known = ", ".join(reader.name for reader in readers)
        raise UsageError(f"no release format named {name!r}; there are: {known}")
    if not source.is_archive:
        for reader in readers:
            if reader.recognises(source):
                return reader
        _raise_if_unreadable(source)
    known = ", ".join(reader.name for reader in readers)
    raise UnknownFormatError(
        f"{source.path}: not a release of a known format ({known})",
        hint="name the format with --format if its content is unusual",
    )


def _raise_if_unreadable(source: Source) -> None:
    """Say what is wrong with the first file when no file can be read at all.

    That nobody recognises a cut file would hide the reason.
    """
    first_error = None
    for file in source.files[:_MOST_LOOKED_AT]:
        try:
            if file.is_lines:
                next(read_json_lines(file.path), None)
            else:
                file.data  # noqa: B018 - parsed for its errors
        except InputError as error:
            first_error = first_error or error
        else:
            return
    if first_error is not None:
        raise first_error
