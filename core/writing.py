"""Writing our own files: whole or not at all, under names that every file system takes."""

import hashlib
import json
import math
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError, UsageError

__all__ = [
    "cannot_write",
    "json_bytes",
    "new_folder",
    "refuse_occupied",
    "replace_file",
    "sha256_of",
    "slug",
]

_LONGEST_SLUG = 60
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def json_bytes(value: Any, *, indent: int | None = None) -> bytes:
    r"""JSON text of a value, readable by any strict reader, ending in a newline.

    Half a surrogate pair becomes a ``\ud83d`` escape, which JSON can say and UTF-8 cannot. A
    number that is not finite, which JSON cannot say, becomes the text ``NaN``, ``Infinity`` or
    ``-Infinity``.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=indent, allow_nan=False)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def sha256_of(path: Path) -> str:
    """The hash of a file's bytes, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def slug(name: str, taken: set[str], *, fallback: str) -> str:
    """A file name for any name: lower-case ASCII letters, digits, ``-``, ``_`` and inner dots.

    Args:
        name: Any text; it need not be unique.
        taken: Slugs given out before in the same folder; the new one is added.
        fallback: What to start from when nothing of the name can be used, as with Chinese names.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    marks = "".join(letter for letter in plain if not unicodedata.combining(letter))
    base = re.sub(r"[^a-z0-9_.]+|\.\.+", "-", marks)[:_LONGEST_SLUG].strip("-.") or fallback
    if _RESERVED.fullmatch(base):
        base = f"{fallback}-{base}"
    found, count = base, 1
    while found in taken:
        count += 1
        found = f"{base}-{count}"
    taken.add(found)
    return found


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write into that becomes ``out`` at the end of the block, or vanishes.

    Raises:
        UsageError: ``out`` is a file, or a folder that holds something.
        InputError: The file system refuses.
    """
    try:
        target = out.resolve()
    except RuntimeError as error:  # links in a circle
        raise InputError(f"{out}: cannot be written: {error}") from None
    refuse_occupied(target)
    temporary = target.parent / f".{target.name[:40]}.{secrets.token_hex(4)}.part"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.mkdir()
        try:
            yield temporary
            if target.is_dir():
                target.rmdir()
            temporary.replace(target)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as error:
        raise cannot_write(out, error) from error


def refuse_occupied(out: Path) -> None:
    """Check early that a new folder can be written.

    Raises:
        UsageError: It is a file, or a folder that holds something, or is below a file.
        InputError: The file system refuses.
    """
    try:
        if out.is_dir() and not any(out.iterdir()):
            return
        occupied = out.exists() or out.is_symlink()
        above = next(parent for parent in out.parents if parent.exists())
    except OSError as error:
        raise cannot_write(out, error) from error
    if not above.is_dir():
        raise UsageError(f"{out}: cannot be a folder, since {above} is a file")
    if occupied:
        kind = "folder that is not empty" if out.is_dir() else "file"
        raise UsageError(f"{out}: is a {kind}; nothing is overwritten", hint="name a new folder")


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a file so that a reader sees the old content or the new.

    Args:
        path: The file.
        data: Its new content.
        durable: Whether that holds after a power cut too.

    Raises:
        InputError: The file system refuses.
    """
    temporary = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> InputError:
    """The error for a path that the file system does not let us write."""
    culprit = f" ({error.filename})" if error.filename and error.filename != str(path) else ""
    return InputError(f"{path}: cannot be written: {error.strerror or error}{culprit}")
