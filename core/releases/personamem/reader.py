"""The reader of PersonaMem in AMB's form."""

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Release
from mnemoscope.core.releases.amb.files import choose_amb, find_amb
from mnemoscope.core.releases.amb.reading import read_amb
from mnemoscope.core.releases.personamem.questions import PERSONAMEM, TYPES
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

__all__ = ["PersonaMemReader"]


class PersonaMemReader:
    """Reads PersonaMem (other-releases.md 2.8): queries, and the documents beside them."""

    name = PERSONAMEM.name

    def recognises(self, source: Source) -> bool:
        """Whether the path is a file of PersonaMem's queries, or a folder with one."""
        return any(True for _ in find_amb(source, TYPES))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: No query can be used, or a folder holds several releases.
        """
        files = choose_amb(source, TYPES, PERSONAMEM.title)
        if files is None:
            raise InputError(f"{source.path}: no PersonaMem queries in it")
        return read_amb(source, files, PERSONAMEM, options)
