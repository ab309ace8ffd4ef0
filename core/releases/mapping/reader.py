"""Questions in a table-shaped file as a release without dialogue, by a map (docs/mapping.md)."""

from pathlib import Path

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

__all__ = ["NAME", "MappedRelease"]

NAME = "mapping"


class MappedRelease:
    """Reads the questions that a map says stand in the rows of a file."""

    name = NAME

    def __init__(self, file: Path) -> None:
        """Take a map.

        Args:
            file: The map's file.
        """
        self._file = file

    def recognises(self, source: Source) -> bool:
        """Whether it is one file: a map alone says what is in it."""
        return not source.is_folder

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the questions.

        Raises:
            UsageError: It is a folder.
            InputError: The map or the file cannot be used.
        """
        from mnemoscope.core.mapping.reader import read_map
        from mnemoscope.core.releases.mapping.reading import Reading

        if source.is_folder:
            raise UsageError(f"{source.path}: is a folder; a map reads one file of questions")
        return Reading(read_map(self._file, "release"), source.files[0], options).release()
