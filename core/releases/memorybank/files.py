"""MemoryBank's files: ``memory_bank_en.json`` and ``probing_questions_en.jsonl``, a pair each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.reading import read_json_lines
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["Pair", "find_pairs", "is_bank"]

_BANK = "memory_bank"
_PROBES = "probing_questions"
_LOOKED_AT = 5
_SNIFFED = 4096
_USER_KEYS = rb"name|summary|personality|overall_history|overall_personality|history"
_FIRST_KEYS = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:[^"\\]|\\.){0,800}"\s*:\s*\{\s*"'
    rb"(?:" + _USER_KEYS + rb'|meta_information)"'
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A file of users, and the file of questions about them."""

    bank: SourceFile
    probes: SourceFile | None

    @property
    def language(self) -> str:
        """What the file's name ends with, such as ``en``; empty when that says nothing."""
        return self.bank.stem.removeprefix(_BANK).strip("_-")


def is_bank(data: Any) -> bool:
    """Whether a file's value holds users with a history each."""
    if type(data) is not dict:
        return False
    users = [user for user in islice(data.values(), _LOOKED_AT) if type(user) is dict]
    return any(type(user.get("history")) is dict and "name" in user for user in users)


def find_pairs(source: Source) -> Iterator[Pair]:
    """Every pair below a path; a file that is named brings the other along.

    Raises:
        InputError: A file that was named cannot be read.
    """
    if not source.is_folder:
        (file,) = source.files
        if not file.is_lines:
            if is_bank(file.data):
                yield Pair(file, _beside(source, file, _BANK, _PROBES))
            return
        bank = _beside(source, file, _PROBES, _BANK)
        if bank is not None and _is_probes(file) and _usable(bank):
            yield Pair(bank, file)
        return
    for file in source.files:
        if not file.is_lines and _may_be_bank(file) and _usable(file):
            yield Pair(file, _beside(source, file, _BANK, _PROBES))


def _beside(source: Source, file: SourceFile, what: str, other: str) -> SourceFile | None:
    """The file that belongs to one, by name: the rest of the name is the same."""
    if not file.stem.startswith(what):
        return None
    stem = f"{other}{file.stem.removeprefix(what)}"
    for suffix in (".jsonl", ".jsonl.gz") if other == _PROBES else (".json", ".json.gz"):
        path = Path(file.path.parent, f"{stem}{suffix}")
        if path.is_file():
            return source.at(path, source.root)
    return None


def _is_probes(file: SourceFile) -> bool:
    first = next(read_json_lines(file.path), None)
    return first is not None and type(first[1]) is dict


def _usable(file: SourceFile) -> bool:
    try:
        return is_bank(file.data)
    except InputError:
        return False


def _may_be_bank(file: SourceFile) -> bool:
    try:
        with open_file(file.path) as stream:
            return _FIRST_KEYS.match(stream.read(_SNIFFED)) is not None
    except InputError:
        return False
