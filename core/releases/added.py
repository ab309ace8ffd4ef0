"""Readers of releases that packages add; they are asked after all of ours."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.extensions import Extension, Group, load_named, loaded, warn
from mnemoscope.core.model import Release
from mnemoscope.core.sources import Source

if TYPE_CHECKING:
    from mnemoscope.core.releases.reader import ReadOptions

__all__ = ["AddedReader", "added_readers", "named_reader"]


class AddedReader:
    """A reader of a package, whose failures are told as the package's."""

    def __init__(self, extension: Extension, made: Any) -> None:
        """Take a reader, or a class of readers.

        Raises:
            UsageError: It is no reader.
        """
        self.name = extension.name
        self._extension = extension
        self._inner = extension.call(made) if isinstance(made, type) else made
        for part in ("recognises", "read"):
            if not callable(getattr(self._inner, part, None)):
                raise extension.broken(f"it has no function {part}")

    def recognises(self, source: Source) -> bool:
        """Whether the content is of this format; a reader that fails does not know it."""
        try:
            return bool(self._extension.call(self._inner.recognises, source))
        except UsageError as error:
            warn(str(error))
        except InputError:
            pass
        return False

    def read(self, source: Source, options: "ReadOptions") -> Release:
        """Read the whole release.

        Raises:
            InputError: Nothing of it can be used.
            UsageError: The reader fails.
        """
        found = self._extension.call(self._inner.read, source, options)
        if not isinstance(found, Release):
            raise self._extension.broken(f"found {type(found).__name__}, expected a Release")
        return found


def named_reader(name: str) -> AddedReader | None:
    """The reader that a package adds under a name; None when nobody does.

    Raises:
        UsageError: It is broken.
    """
    found = load_named(Group.READERS, name)
    return None if found is None else AddedReader(*found)


def added_readers() -> Iterator[AddedReader]:
    """All readers that packages add; broken ones are warned of and left out."""
    for extension, made in loaded(Group.READERS):
        try:
            yield AddedReader(extension, made)
        except UsageError as error:
            warn(str(error))
