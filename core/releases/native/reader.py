"""Releases in our own format: a folder with ``release.json``.

Nothing here imports pydantic before a release is really read or written, so that listing readers
and looking at foreign files stay cheap.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.model import Release
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source, SourceFile

__all__ = [
    "QUESTIONS",
    "RELEASE",
    "RELEASE_KIND",
    "SCHEMA_VERSION",
    "MediaMode",
    "NativeReader",
    "write_release",
]

RELEASE_KIND = "mnemoscope-release"
SCHEMA_VERSION = 1
RELEASE = "release.json"
QUESTIONS = "questions.jsonl"


class NativeReader:
    """Reads releases in our own format."""

    name = "native"

    def recognises(self, source: Source) -> bool:
        """Whether it is a ``release.json`` of ours, or a folder with one."""
        file = _release_file(source)
        if file is None:
            return False
        try:
            data = file.data
        except InputError:
            # A damaged release.json of ours is named by read(), not passed over.
            return file.path.name == RELEASE and RELEASE_KIND.encode() in _bytes_of(file.path)
        return isinstance(data, dict) and data.get("kind") == RELEASE_KIND

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: ``release.json`` cannot be used, or none of its histories can.
        """
        file = _release_file(source)
        if file is None:
            raise InputError(f"{source.path}: holds no {RELEASE}")
        _require_version(file.data, file.path)
        from mnemoscope.core.releases.native.reading import Reading

        return Reading(file, options).release()


class MediaMode(StrEnum):
    """What becomes of media files when a release is written."""

    COPY = "copy"
    LINK = "link"
    """A second name for the same file on the disk: no space is taken, a change shows in both."""
    NONE = "none"
    """Left out: found again by the paths as written, where ``--media-root`` names their folder."""


def write_release(release: Release, out: Path, *, media: MediaMode = MediaMode.COPY) -> None:
    """Write a release in our own format, whole or not at all.

    Args:
        release: Any release that can be read.
        out: A new or empty folder.
        media: What becomes of media files.

    Raises:
        UsageError: ``out`` is a file, or a folder that holds something.
        InputError: A file cannot be written or linked, or a media file cannot be read.
    """
    from mnemoscope.core.releases.native.writer import write

    write(release, out, media=media)


def _release_file(source: Source) -> SourceFile | None:
    return source.file(RELEASE) if source.is_folder else next(iter(source.files), None)


def _bytes_of(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except InputError:
        return b""


def _require_version(data: Any, file: Path) -> None:
    if not isinstance(data, dict):
        raise ReadError(file, "$", describe(data), "an object")
    version = data.get("schema_version", Described("nothing"))
    if type(version) is not int or version != SCHEMA_VERSION:
        hint = "written by a newer mnemoscope" if type(version) is int else ""
        found = describe(version)
        raise ReadError(file, "$.schema_version", found, f"version {SCHEMA_VERSION}", hint=hint)
