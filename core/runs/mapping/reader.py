"""Run output in any table-shaped file, by a map (docs/mapping.md)."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.sources import SourceFile

if TYPE_CHECKING:
    from mnemoscope.core.mapping.schema import MapFile

__all__ = ["NAME", "MappedRuns"]

NAME = "mapping"


class MappedRuns:
    """Reads what a map says stands in the rows of a file."""

    name = NAME

    def __init__(self, file: Path, *, alone: bool = False) -> None:
        """Take a map.

        Args:
            file: The map's file.
            alone: Whether one file is to be read, which then has to fit the map. In a folder a
                file that has none of its columns is another's.
        """
        self._file = file
        self._alone = alone

    @cached_property
    def map(self) -> "MapFile":
        """The map.

        Raises:
            InputError: It cannot be used.
        """
        # Only here, so that what needs no map does not wait for pydantic.
        from mnemoscope.core.mapping.reader import read_map

        return read_map(self._file, "run")

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The runs whose rows the file holds; None when it holds no rows where the map says.

        Raises:
            InputError: The map cannot be used, or a column that it names is in no row.
        """
        from mnemoscope.core.runs.mapping.reading import Reading

        if file.is_archive or file.path.resolve() == self._file.resolve():
            return None
        return Reading(self.map, file).parts(alone=self._alone)
