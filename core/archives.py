"""JSON files in a zip archive, read one by one into memory; nothing is ever unpacked to disk.

The names inside are labels and never used as paths, so that none can lead out of a folder.
"""

import importlib
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO

from mnemoscope.core.closing import Closes
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import packs_too_much, require_file
from mnemoscope.core.reading import parse_json

__all__ = ["Archive", "member_place", "split_member_place"]

_MOST_MEMBERS = 1_000_000
_CHUNK = 1 << 20
_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_NO_ZSTANDARD = (
    "one that can be unpacked here (pip install 'mnemoscope[inspect]', or write the log as JSON: "
    "inspect log convert --to json)"
)


class Archive(Closes):
    """A zip archive that is open for reading."""

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            InputError: It is no zip archive, or cannot be read.
        """
        self.path = path
        require_file(path)
        with self._told():
            self._stream: BinaryIO = path.open("rb")
            self._size = path.stat().st_size
        try:
            with self._told():
                self._zip = zipfile.ZipFile(self._stream)
        except ReadError:
            self._stream.close()
            found = "no zip archive, or a cut one"
            raise ReadError(path, "", found, "a zip archive of JSON files") from None
        except InputError:
            self._stream.close()
            raise
        self._unpacked = 0

    def close(self) -> None:
        """Close the archive and its file."""
        self._zip.close()
        self._stream.close()

    @cached_property
    def members(self) -> Mapping[str, zipfile.ZipInfo]:
        """What is in it by name, in its order; of equal names the last, as other readers have it.

        Raises:
            InputError: It has more members than any log.
        """
        found = self._zip.infolist()
        if len(found) > _MOST_MEMBERS:
            raise InputError(f"{self.path}: holds more than {_MOST_MEMBERS:,} files")
        return {one.filename: one for one in found if not one.is_dir()}

    def json(self, name: str) -> Any:
        """The JSON value of a member.

        Raises:
            InputError: It is absent, damaged, encrypted, unpacks to far too much, or is not JSON.
        """
        return parse_json(Path(f"{self.path}!{name}"), self._bytes(name))

    def _bytes(self, name: str) -> bytes:
        member = self.members.get(name)
        if member is None:
            raise ReadError(self.path, name, "no such file in the archive", "a JSON file")
        chunks = []
        total = 0
        with self._told(name):
            for chunk in self._unpack(member):
                chunks.append(chunk)
                total += len(chunk)
                self._unpacked += len(chunk)
                packed = max(member.compress_size, 1)
                if packs_too_much(total, packed) or packs_too_much(
                    self._unpacked, self._size, at_once=False
                ):
                    raise InputError(
                        f"{self.path}: {name} unpacks to far too much: {packed:,} bytes to more "
                        f"than {total:,}"
                    )
        return b"".join(chunks)

    def _unpack(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        if member.compress_type == _ZSTANDARD:
            yield from self._unpack_zstandard(member)
            return
        with self._zip.open(member) as stream:
            while chunk := stream.read(_CHUNK):
                yield chunk

    def _unpack_zstandard(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Unpack what Python's own ``zipfile`` cannot before 3.14."""
        open_stream = _zstandard_reader()
        if open_stream is None:
            raise ReadError(
                self.path,
                member.filename,
                "compression by Zstandard",
                _NO_ZSTANDARD,
            )
        if member.flag_bits & 1:
            raise RuntimeError("encrypted")
        self._stream.seek(member.header_offset)
        mark, name_length, extra_length = _LOCAL_HEADER.unpack(
            self._stream.read(_LOCAL_HEADER.size)
        )
        if mark != b"PK\x03\x04":
            raise zipfile.BadZipFile("no file begins where the archive says")
        self._stream.seek(name_length + extra_length, 1)
        checksum = 0
        with open_stream(_Window(self._stream, member.compress_size)) as stream:
            while chunk := stream.read(_CHUNK):
                checksum = zlib.crc32(chunk, checksum)
                yield chunk
        if checksum != member.CRC:
            raise zipfile.BadZipFile("its checksum differs")

    @contextmanager
    def _told(self, name: str = "") -> Iterator[None]:
        """Turn what goes wrong while reading into an error that names file and member."""
        try:
            yield
        except InputError:
            raise
        except OSError as error:
            raise InputError(f"{self.path}: {error.strerror or error}") from None
        except MemoryError:
            raise InputError(f"{self.path}: is too large for this machine") from None
        except NotImplementedError as error:
            found = str(error)
            raise ReadError(self.path, name, found, "a compression that Python knows") from None
        except RuntimeError:
            raise ReadError(self.path, name, "an encrypted file", "a readable one") from None
        except Exception as error:  # noqa: BLE001 - each unpacker has errors of its own
            found = str(error) or type(error).__name__
            raise ReadError(self.path, name, found, "a sound zip archive of JSON files") from None


class _Window:
    """The next bytes of a file, as a file of their own."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._left = size

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _zstandard_reader() -> Callable[[Any], Any] | None:
    """What opens a Zstandard stream of several frames, where anything here can."""
    # Neither is among what is always installed, nor do type checkers know them everywhere.
    for module, opened in (
        ("compression.zstd", lambda zstd, source: zstd.ZstdFile(source)),
        (
            "zstandard",
            lambda zstd, source: zstd.ZstdDecompressor().stream_reader(
                source, read_across_frames=True
            ),
        ),
    ):
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        return partial(opened, found)
    return None


def member_place(name: str) -> str:
    """The JSON path of a member: an archive is read as an object of its files by name."""
    return f"$[{json.dumps(name)}]"


def split_member_place(place: str) -> tuple[str, str]:
    """The member that a place in an archive is in, and the rest of the place.

    Raises:
        ValueError: The place names no member.
    """
    if not place.startswith('$["'):
        raise ValueError(place)
    name, end = json.JSONDecoder().raw_decode(place, 2)
    if place[end : end + 1] != "]" or type(name) is not str:
        raise ValueError(place)
    return name, f"${place[end + 1 :]}"
