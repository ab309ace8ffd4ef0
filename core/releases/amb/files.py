"""The files of a release in AMB's form, such as ``s_queries.json`` and ``s_documents.json.gz``."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import open_file
from mnemoscope.core.sources import Source, SourceFile

__all__ = ["AmbFiles", "choose_amb", "find_amb"]

_NAME = re.compile(r"(.*?)(queries|documents)(\.json(?:\.gz)?)")
_FIRST_KEYS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"(?:id|query|user_id|gold_[a-z]+|meta)"')
_SNIFFED = 512
_TYPE_WITHIN = 16_384
_LOOKED_AT = 10
_KEYS = ("query", "gold_answers", "gold_ids", "meta")


@dataclass(frozen=True, slots=True)
class AmbFiles:
    """The files of one split."""

    queries: SourceFile
    documents: SourceFile | None
    """None where the release comes without its histories."""

    @property
    def split(self) -> str:
        """What the file names begin with, such as ``s`` or ``32k``; else their folder's name."""
        prefix = self.queries.stem.removesuffix("queries").rstrip("_-")
        return prefix or self.queries.path.parent.name


def find_amb(source: Source, types: Collection[str]) -> Iterator[AmbFiles]:
    """The splits below a path whose queries are of known types.

    A file that is named brings the other of the pair along.

    Raises:
        InputError: A file that was named cannot be read.
    """
    for files in _splits(source):
        try:
            known = any(one in types for one in _query_types(files.queries))
        except InputError:
            if not source.is_folder:
                raise
            # A damaged file is named when it is read, not passed over.
            head = _head(files.queries, _TYPE_WITHIN)
            known = any(f'"{one}"'.encode() in head for one in types)
        if known:
            yield files


def choose_amb(source: Source, types: Collection[str], title: str) -> AmbFiles | None:
    """The one split that a path means, if there is any.

    Raises:
        InputError: There are several, or a file that was named cannot be read.
    """
    found = list(find_amb(source, types))
    if len(found) > 1:
        names = ", ".join(files.queries.name for files in found)
        said = f"{source.path}: holds {len(found)} {title} releases ({names})"
        raise InputError(said, hint="open one of them")
    return found[0] if found else None


def _splits(source: Source) -> Iterator[AmbFiles]:
    """Every split below a path; looks at no more than file names and beginnings."""
    if not source.is_folder:
        (file,) = source.files
        named = _NAME.fullmatch(file.path.name)
        if named and named[2] == "documents":
            queries = _beside(source, file, named[1], "queries")
            if queries is not None:
                yield AmbFiles(queries, file)
        elif not file.is_lines:
            documents = _beside(source, file, named[1], "documents") if named else None
            yield AmbFiles(file, documents)
        return
    for file in source.files:
        named = _NAME.fullmatch(file.path.name)
        if named and named[2] == "queries" and _may_hold_rows(file):
            yield AmbFiles(file, _beside(source, file, named[1], "documents"))


def _query_types(file: SourceFile) -> set[str]:
    """The question types of a file's first queries; empty when it holds no queries."""
    data: Any = file.data
    types = set()
    for row in islice(data if type(data) is list else (), _LOOKED_AT):
        if type(row) is dict and all(key in row for key in _KEYS) and type(row["meta"]) is dict:
            written = row["meta"].get("question_type")
            types.add(written if type(written) is str else "")
    return types


def _beside(source: Source, file: SourceFile, prefix: str, what: str) -> SourceFile | None:
    for suffix in (".json", ".json.gz"):
        path = Path(file.path.parent, f"{prefix}{what}{suffix}")
        if path.is_file():
            return source.at(path, source.root)
    return None


def _may_hold_rows(file: SourceFile) -> bool:
    return _FIRST_KEYS.match(_head(file, _SNIFFED)) is not None


def _head(file: SourceFile, length: int) -> bytes:
    try:
        with open_file(file.path) as stream:
            return stream.read(length)
    except InputError:
        return b""
