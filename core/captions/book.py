"""A file of captions: read, added to, never changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from mnemoscope.core.captions.schema import CaptionLine, CaptionsHead
from mnemoscope.core.closing import Closes
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.line_file import LineFile, WriterLock
from mnemoscope.core.reading import parse_json
from mnemoscope.core.schemas import Form, required
from mnemoscope.core.writing import json_bytes

__all__ = ["KIND", "SCHEMA_VERSION", "CaptionBook", "CaptionWriter", "read_captions"]

F = TypeVar("F", bound=Form)

KIND = "mnemoscope-captions"
SCHEMA_VERSION = 1
_SAME = ("name", "medium", "granularity", "language", "model", "prompt_sha256", "parameters")
"""What two runs into one file must have in common."""


@dataclass(frozen=True)
class CaptionBook:
    """What is in a file."""

    path: Path
    head: CaptionsHead
    captions: Mapping[str, str] = field(default_factory=dict)
    """By hash of the media file; of two for one file the first."""
    sizes: frozenset[int] = frozenset()
    """Sizes of the media files, in bytes."""


def read_captions(path: Path) -> CaptionBook:
    """Read a file of captions; a torn last line is left out.

    Raises:
        ReadError: A line is not what it should be; file, line, found and expected are named.
        InputError: The file cannot be read.
    """
    lines = read_bytes(path).split(b"\n")
    torn = lines.pop()
    if not lines and torn:
        lines = [torn]
    if not lines:
        raise ReadError(path, "line 1", "nothing", f"the head of captions, of kind {KIND!r}")
    first = parse_json(path, lines[0])
    if not isinstance(first, dict) or first.get("kind") != KIND:
        raise ReadError(path, "line 1", "another head", f"one of kind {KIND!r}")
    head = _form(CaptionsHead, first, path, 1)
    if head.schema_version != SCHEMA_VERSION:
        found, expected = f"version {head.schema_version}", f"version {SCHEMA_VERSION}"
        raise ReadError(path, "line 1", found, expected, hint="written for a newer mnemoscope")
    captions: dict[str, str] = {}
    sizes = set()
    for number, text in enumerate(lines[1:], start=2):
        if text.strip():
            line = _form(CaptionLine, parse_json(path, text, number), path, number)
            captions.setdefault(line.sha256, line.caption)
            sizes.add(line.size)
    return CaptionBook(path, head, captions, frozenset(sizes))


def _form(form: type[F], data: Any, path: Path, number: int) -> F:
    try:
        return required(form, data, path)
    except ReadError as error:
        place = f"line {number} {error.place}"
        raise ReadError(path, place, error.found, error.expected, hint=error.hint) from None


class CaptionWriter(Closes):
    """Adds captions to a file: ``with CaptionWriter(path, head) as writer``."""

    def __init__(self, path: Path, head: CaptionsHead) -> None:
        """Open the file, making it if need be; nobody else may write it meanwhile.

        Raises:
            UsageError: It holds captions that were made otherwise, or another process writes it.
            InputError: It cannot be read or written.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = WriterLock(path.parent, f".{path.name}.lock")
        try:
            is_new = not path.exists() or not path.stat().st_size
            self.known = set() if is_new else set(_same(path, head).captions)
            self._file = LineFile(path)
            if is_new:
                self._file.append(json_bytes(head.model_dump(mode="json", exclude={"extra"})))
        except BaseException:
            self._lock.release()
            raise

    def add(self, sha256: str, size: int, caption: str, **extra: Any) -> None:
        """Write a caption; it is on the disk when this returns.

        Raises:
            InputError: The file system refuses.
        """
        line = {"sha256": sha256, "size": size, "caption": caption, "extra": extra}
        self._file.append(json_bytes(line))
        self.known.add(sha256)

    def close(self) -> None:
        """Close the file and let others write."""
        self._file.close()
        self._lock.release()


def _same(path: Path, head: CaptionsHead) -> CaptionBook:
    book = read_captions(path)
    for name in _SAME:
        there, here = getattr(book.head, name), getattr(head, name)
        if there != here:
            raise UsageError(
                f"{path}: its captions were made with {name} {there}, not {here}",
                hint="name another file with --out",
            )
    return book
