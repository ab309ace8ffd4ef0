"""What a reader of several files has read so far, and what was wrong with the files themselves."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from mnemoscope.core.defects import Defect, DefectLog, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import History
from mnemoscope.core.reading import Node
from mnemoscope.core.sources import SourceFile

__all__ = ["FilesRead", "any_holds"]

_MOST_LOOKED_AT = 5


def any_holds(files: Iterable[SourceFile], test: Callable[[SourceFile], bool]) -> bool:
    """Whether one of the first few files passes a test; one that cannot be read does not.

    Several are looked at, since a cut or foreign one must not hide the release.
    """

    def holds(file: SourceFile) -> bool:
        try:
            return test(file)
        except InputError:
            return False

    return any(map(holds, islice(files, _MOST_LOOKED_AT)))


@dataclass(slots=True)
class FilesRead:
    """Files, histories and defects so far."""

    files: list[str] = field(default_factory=list)
    histories: dict[str, History] = field(default_factory=dict)
    defects: list[Defect] = field(default_factory=list)
    first_error: InputError | None = None
    """Why the first file that cannot be used cannot be."""

    def load(self, file: SourceFile, keys: Sequence[str], expected: str) -> Node | None:
        """The object that a file holds; None, with an error recorded, when it has no such key.

        Args:
            file: The file.
            keys: One of them has to be in it.
            expected: What should be in it.
        """
        log = DefectLog(file.name)
        try:
            root = Node.root(file.data, log, file=file.path)
            if not any(key in root.data for key in keys):
                raise ReadError(file.path, "$", describe(root.data), expected)
        except InputError as error:
            self.first_error = self.first_error or error
            log.unreadable(error, file.path, expected)
            self.defects += log.items
            return None
        self.files.append(file.name)
        return root
