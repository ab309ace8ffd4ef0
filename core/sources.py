"""Files and folders that the user names, each read at most once while readers look at them."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.reading import read_json
from mnemoscope.core.tables import is_table

__all__ = [
    "ARCHIVE_SUFFIX",
    "DATA_SUFFIXES",
    "Source",
    "SourceFile",
    "natural_key",
    "unreadable_folders",
]

DATA_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
ARCHIVE_SUFFIX = ".eval"
"""Ends the name of a zip archive of JSON files, as inspect_ai writes its logs."""
_OFFICIAL_LINES = re.compile(r"\.eval-results-|_retrievallog_|_testlog_")
"""In names of LongMemEval's own outputs, which are JSON lines whatever the names end in."""
_FIRST_LINES = 10
_LONGEST_LINE = 64 << 20
"""Bytes of a line that is looked at to tell what a file is."""
_PIECES = re.compile(r"\d+|\D+")
_MOST_FILES = 50_000
_MOST_ENTRIES = 1_000_000
"""Entries of folders that are looked at; a home folder or a whole disk has more."""


class SourceFile:
    """One data file; its content is parsed when first asked for and can be let go."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.root = root

    @cached_property
    def name(self) -> str:
        """The path relative to the root, with forward slashes."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def stem(self) -> str:
        """The file name without ``.json`` and ``.gz``."""
        for suffix in DATA_SUFFIXES:
            if self.path.name.endswith(suffix):
                return self.path.name.removesuffix(suffix)
        return self.path.stem

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders above the file, from the file system's root to its own folder."""
        return PurePosixPath(self.path.parent.as_posix()).parts

    @property
    def is_lines(self) -> bool:
        """Whether it holds one JSON value a line."""
        name = self.path.name
        if name.endswith((".jsonl", ".jsonl.gz")):
            return True
        return not name.endswith(DATA_SUFFIXES) and bool(_OFFICIAL_LINES.search(name))

    @property
    def is_archive(self) -> bool:
        """Whether it is an archive of JSON files."""
        return self.path.name.endswith(ARCHIVE_SUFFIX)

    @cached_property
    def first_lines(self) -> Sequence[Any]:
        """The values of its first lines, to tell what a file of lines is; broken ones left out.

        Raises:
            InputError: The file cannot be read.
        """
        values = []
        with open_file(self.path) as stream:
            for _ in range(_FIRST_LINES):
                line = stream.readline(_LONGEST_LINE)
                if not line:
                    break
                try:
                    values.append(json.loads(line))
                except (ValueError, RecursionError):
                    continue
        return values

    @cached_property
    def data(self) -> Any:
        """The JSON value.

        Raises:
            InputError: The file cannot be read or is not JSON.
        """
        return read_json(self.path)

    def head(self, size: int) -> bytes:
        """The first bytes, to tell what it may be without parsing it.

        Raises:
            InputError: The file cannot be read.
        """
        with open_file(self.path) as stream:
            return stream.read(size)

    def release(self) -> None:
        """Let the parsed content go."""
        self.__dict__.pop("data", None)
        self.__dict__.pop("first_lines", None)


class Source:
    """A path given by the user: one file, or a folder with files below it."""

    def __init__(self, path: Path, *, of_runs: bool = False, tables: bool = False) -> None:
        """Look at a path.

        Args:
            path: The path.
            of_runs: Whether files that only runs come as count as data files.
            tables: Whether tables as text do, which only a map makes sense of.

        Raises:
            InputError: There is nothing at the path, or it may not be looked at.
        """
        try:
            # Unlike Path.exists, this tells a folder that may not be entered from an absent file.
            path.stat()
        except (FileNotFoundError, NotADirectoryError, ValueError):
            # A name that is drawn as another one, or as none, is written out.
            plain = str(path).isprintable() and str(path) == str(path).strip()
            shown = str(path) if plain else repr(str(path))
            raise InputError(f"{shown}: no such file or folder") from None
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        self.path = path.resolve()
        self.is_folder = path.is_dir()
        self.root = self.path if self.is_folder else self.path.parent
        self._of_runs = of_runs
        self._tables = tables
        self.unreadable: list[tuple[str, str]] = []
        """Folders below it that cannot be listed, and why; known once ``files`` is asked for."""
        self._opened: dict[tuple[Path, Path], SourceFile] = {}

    @property
    def is_archive(self) -> bool:
        """Whether it is one archive, which only runs come as."""
        return not self.is_folder and self.path.name.endswith(ARCHIVE_SUFFIX)

    @cached_property
    def files(self) -> Sequence[SourceFile]:
        """The data files, in natural order of their names (``p2`` before ``p10``).

        Raises:
            InputError: The folder cannot be listed, or holds more files than any release or result
                tree would.
        """
        if not self.is_folder:
            return [self.at(self.path, self.root)]
        found = []
        for path in self._walk():
            found.append(self.at(path, self.root))
            if len(found) > _MOST_FILES:
                raise InputError(f"{self.path}: more than {_MOST_FILES:,} data files")
        return sorted(found, key=lambda file: natural_key(file.name))

    def file(self, name: str) -> SourceFile | None:
        """The file with a name relative to the folder, when it is there.

        Raises:
            InputError: The folder may not be entered.
        """
        path = self.root / name
        try:
            found = self.is_folder and path.is_file()
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror or error}") from None
        return self.at(path, self.root) if found else None

    def at(self, path: Path, root: Path) -> SourceFile:
        """The file at a path, named relative to ``root``.

        It is the same object each time, so that what one reader parsed to recognise the content
        is not parsed again to read it.
        """
        return self._opened.setdefault((path, root), SourceFile(path, root))

    def _not_listed(self, error: OSError) -> None:
        problem = error.strerror or str(error)
        folder = Path(error.filename)
        if folder == self.path:
            raise InputError(f"{folder}: {problem}")
        self.unreadable.append((folder.relative_to(self.path).as_posix(), problem))

    def _walk(self) -> Iterator[Path]:
        # Hidden folders are caches and repositories; linked folders are not entered.
        self.unreadable.clear()
        seen = 0
        for folder, subfolders, names in os.walk(self.path, onerror=self._not_listed):
            seen += len(subfolders) + len(names)
            if seen > _MOST_ENTRIES:
                raise InputError(f"{self.path}: more than {_MOST_ENTRIES:,} files and folders")
            subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
            for name in names:
                if self._is_data(name) and not name.startswith("."):
                    yield Path(folder, name)

    def _is_data(self, name: str) -> bool:
        if name.endswith(DATA_SUFFIXES) or (self._tables and is_table(Path(name))):
            return True
        return self._of_runs and (
            name.endswith(ARCHIVE_SUFFIX) or bool(_OFFICIAL_LINES.search(name))
        )


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """A sorting key that puts ``p2`` before ``p10``; only equal texts have equal keys."""
    key = [_rank(piece) for piece in _PIECES.findall(text)]
    # The whole text tells ``p2`` from ``p02``; it ranks first so that it ends a shorter text.
    key.append((-1, 0, text))
    return key


def _rank(piece: str) -> tuple[int, int, str]:
    if not piece.isdecimal():
        return (1, 0, piece)
    # Compared as text, since Python converts only so many digits.
    plain = piece if piece.isascii() else "".join(str(int(digit)) for digit in piece)
    digits = plain.lstrip("0")
    return (0, len(digits), digits)


def unreadable_folders(source: Source) -> list[Defect]:
    """A defect for each folder below a path that could not be listed for its data files."""
    return [
        Defect(Severity.ERROR, "unreadable_folder", name, "$", problem, "a folder that can be read")
        for name, problem in source.unreadable
    ]
