"""What a reader of releases is, and the choice among them by content."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mnemoscope.core.errors import InputError, UnknownFormatError, UsageError
from mnemoscope.core.extensions import Group, known_names
from mnemoscope.core.model import Release
from mnemoscope.core.reading import read_json_lines
from mnemoscope.core.releases.added import added_readers, named_reader
from mnemoscope.core.sources import Source

__all__ = ["ReadOptions", "ReleaseReader", "choose_reader", "recognising"]


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
    """The reader with a name, or the first that recognises the content; ours before packages'.

    Raises:
        UsageError: No reader has the name.
        UnknownFormatError: No reader recognises the content.
        InputError: No file of it can be read.
    """
    if name is not None:
        for reader in readers:
            if reader.name == name:
                return reader
        added = named_reader(name)
        if added is not None:
            return added
        own = dict.fromkeys(reader.name for reader in readers)
        known = known_names(own, Group.READERS)
        raise UsageError(f"no release format named {name!r}; there are: {known}")
    if not source.is_archive:
        found = recognising(readers, source)
        if found is not None:
            return found
        _raise_if_unreadable(source)
    known = ", ".join(reader.name for reader in readers)
    raise UnknownFormatError(
        f"{source.path}: not a release of a known format ({known})",
        hint="name the format with --format if its content is unusual",
    )


def recognising(readers: Sequence[ReleaseReader], source: Source) -> ReleaseReader | None:
    """The first reader that recognises the content, or the first that a package adds.

    Raises:
        InputError: None does, and ours cannot read a file of it.
    """
    problem = None
    try:
        for reader in readers:
            if reader.recognises(source):
                return reader
    except InputError as error:
        problem = error
    for added in added_readers():
        # What none of ours can read may be somebody else's format.
        if added.recognises(source):
            return added
    if problem is not None:
        raise problem
    return None


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
