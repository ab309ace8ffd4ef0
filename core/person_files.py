"""Files of JSON lines in a shared folder, of which every person writes one of their own."""

import json
from pathlib import Path

from mnemoscope.core.line_file import LineFile, WriterLock
from mnemoscope.core.writing import cannot_write, json_bytes, slug

__all__ = ["PersonFiles", "person_of"]


class PersonFiles:
    """One person's files, by folder, open for writing; nobody else writes as the same person.

    Files are opened, and folders made, when they are first written to.
    """

    def __init__(self, person: str, key: str) -> None:
        """Name the person.

        Args:
            person: The name, of any letters.
            key: The key of a line that says whose it is.
        """
        self._person = person
        self._key = key
        self._open: dict[Path, tuple[WriterLock, LineFile]] = {}

    def open(self, folder: Path) -> None:
        """Open the person's file of a folder before there is anything to write.

        Raises:
            InputError: The file system refuses.
            UsageError: Another process writes there as the same person.
        """
        self._file(folder)

    def append(self, folder: Path, *lines: dict[str, object]) -> None:
        """Write lines into the person's file of a folder; they are on the disk when this returns.

        Raises:
            InputError: The file system refuses.
            UsageError: Another process writes there as the same person.
        """
        self._file(folder).append(b"".join(map(json_bytes, lines)))

    def close(self) -> None:
        """Close the files and let the person write elsewhere."""
        for lock, lines in self._open.values():
            lines.close()
            lock.release()
        self._open.clear()

    def _file(self, folder: Path) -> LineFile:
        if folder not in self._open:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(folder, error) from error
            path = self._path(folder)
            lock = WriterLock(folder, f".{path.stem}.lock")
            try:
                self._open[folder] = (lock, LineFile(path))
            except BaseException:
                lock.release()
                raise
        return self._open[folder][1]

    def _path(self, folder: Path) -> Path:
        """The file that holds the person's lines already, or a new name for it."""
        taken = set()
        for path in sorted(folder.glob("*.jsonl")):
            taken.add(path.stem)
            if person_of(path, self._key) == self._person:
                return path
        return folder / f"{slug(self._person, taken, fallback=self._key)}.jsonl"


def person_of(path: Path, key: str) -> str | None:
    """Whose the first line of a file is, by its key; None where it says nothing of the kind."""
    try:
        with path.open("rb") as file:
            first = json.loads(file.readline())
    except (OSError, ValueError, RecursionError):
        return None
    name = first.get(key) if isinstance(first, dict) else None
    return name if isinstance(name, str) else None
