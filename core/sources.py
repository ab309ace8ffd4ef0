"""Files and folders that the user names, each read at most once while readers look at them."""

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.reading import read_json

__all__ = ["DATA_SUFFIXES", "Source", "SourceFile", "natural_key"]

DATA_SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
_MOST_FILES = 50_000


class SourceFile:
    """One data file; its content is parsed when first asked for and can be let go."""

    def __init__(self, path: Path, root: Path) -> None:
        self.path = path
        self.root = root

    @property
    def name(self) -> str:
        """The path relative to the root, with forward slashes."""
        return self.path.relative_to(self.root).as_posix()

    @property
    def stem(self) -> str:
        """The file name without ``.json`` and ``.gz``."""
        name = self.path.name
        for suffix in sorted(DATA_SUFFIXES, key=len, reverse=True):
            if name.endswith(suffix):
                return name.removesuffix(suffix)
        return self.path.stem

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders above the file, from the file system's root to its own folder."""
        return PurePosixPath(self.path.parent.as_posix()).parts

    @property
    def is_lines(self) -> bool:
        """Whether it holds one JSON value a line."""
        return self.path.name.endswith((".jsonl", ".jsonl.gz"))

    @cached_property
    def data(self) -> Any:
        """The JSON value.

        Raises:
            InputError: The file cannot be read or is not JSON.
        """
        return read_json(self.path)

    def release(self) -> None:
        """Let the parsed content go."""
        self.__dict__.pop("data", None)


class Source:
    """A path given by the user: one file, or a folder with files below it."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
        self.path = path.resolve()
        self.is_folder = path.is_dir()
        self.root = self.path if self.is_folder else self.path.parent

    @cached_property
    def files(self) -> Sequence[SourceFile]:
        """The data files, in natural order of their names (``p2`` before ``p10``).

        Raises:
            InputError: The folder holds more files than any release or result tree would.
        """
        if not self.is_folder:
            return [SourceFile(self.path, self.root)]
        found = []
        for path in self._walk():
            found.append(SourceFile(path, self.root))
            if len(found) > _MOST_FILES:
                raise InputError(f"{self.path}: more than {_MOST_FILES:,} data files")
        return sorted(found, key=lambda file: natural_key(file.name))

    def file(self, name: str) -> SourceFile | None:
        """The file with a name relative to the folder, when it is there."""
        path = self.root / name
        return SourceFile(path, self.root) if self.is_folder and path.is_file() else None

    def _walk(self) -> Iterator[Path]:
        # Hidden folders are caches and repositories; links are not followed out of the tree.
        for folder, subfolders, names in os.walk(self.path):
            subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
            for name in names:
                if name.endswith(DATA_SUFFIXES) and not name.startswith("."):
                    yield Path(folder, name)


def natural_key(text: str) -> list[tuple[int, int, str]]:
    """A sorting key that puts ``p2`` before ``p10``."""
    return [(0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in _pieces(text)]


def _pieces(text: str) -> Iterator[str]:
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or text[index].isdecimal() != text[start].isdecimal():
            yield text[start:index]
            start = index
