"""The bytes of files that the user or the data names: of ordinary files, and only so many.

A pipe would be waited for without end, a device may never end, and a packed file of a few megabytes
can unpack to more than the machine has.
"""

import gzip
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from mnemoscope.core.errors import InputError, ReadError

__all__ = ["open_file", "packs_too_much", "read_bytes", "require_file"]

_MOST = 4 << 30
"""Bytes of a file, packed or not, that are read at all."""
_RATIO = 200
"""How often its size a packed file may unpack to; JSON of real use stays below a tenth of that."""
_UNSUSPECTED = 64 << 20
"""Unpacked bytes from which on the ratio counts."""
_CHUNK = 1 << 20

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(path: Path) -> bytes:
    """Read a file, unpacking ``.gz``.

    Raises:
        InputError: The file is absent, unreadable, no ordinary file, too large, or not a complete
            gzip file.
    """
    with _told(path):
        require_file(path)
        return _unpacked(path) if path.suffix == ".gz" else path.read_bytes()


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to read its beginning, unpacking ``.gz``.

    Raises:
        InputError: As for ``read_bytes``, also while it is being read.
    """
    with _told(path):
        require_file(path)
        with path.open("rb") as stream:
            if path.suffix == ".gz":
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    yield cast(BinaryIO, unpacked)
            else:
                yield stream


def require_file(path: Path) -> None:
    """Check that a path leads to a file that can be read to its end.

    Raises:
        InputError: It does not.
    """
    with _told(path):
        found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "no file")
        raise ReadError(path, "", kind, "a file")
    if found.st_size > _MOST:
        raise InputError(f"{path}: has {found.st_size:,} bytes; at most {_MOST:,} are read")


def packs_too_much(unpacked: int, packed: int, *, at_once: bool = True) -> bool:
    """Whether so many packed bytes give more unpacked ones than data of real use does.

    Args:
        unpacked: Bytes unpacked so far.
        packed: Bytes that they came from.
        at_once: Whether all of the unpacked ones are held in memory together.
    """
    most = max(_UNSUSPECTED, _RATIO * packed)
    return unpacked > (min(_MOST, most) if at_once else most)


def _unpacked(path: Path) -> bytes:
    chunks = []
    total = 0
    with path.open("rb") as packed, gzip.GzipFile(fileobj=packed) as stream:
        while chunk := stream.read(_CHUNK):
            chunks.append(chunk)
            total += len(chunk)
            used = packed.tell()
            if packs_too_much(total, used):
                raise InputError(
                    f"{path}: unpacks to far too much: its first {used:,} bytes to {total:,}",
                    hint="unpack it yourself if that is as it should be",
                )
    return b"".join(chunks)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what the file system says of a path into an error that names it."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ReadError(path, "", str(error), "a complete gzip file") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # a null character, which no file name has
        raise InputError(f"{path}: {error}") from None
    except MemoryError:
        raise InputError(f"{path}: is too large for this machine") from None
