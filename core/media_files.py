"""Where media files are: paths from data never lead out of the folders the user named."""

import os
from collections.abc import Iterable
from pathlib import Path

from mnemoscope.core.model import AttachmentState

__all__ = ["FoundFile", "MediaFiles", "normalise"]

# Forms in which a CUE-Mem path can stand for a file of the published tree (cue-mem.md 1.4).
_RENAMES = (
    ("event/images/", "event_image/"),
    ("event/voice_mixed_000_002/", "voice_mixed_000_002/"),
    ("qa/", "qa_image/"),
)
_MARKERS = ("/data/event/", "/data/qa/", "/data/profile/", "/event/", "/qa/", "/profile/")


def normalise(written: str) -> str:
    """Bring a path as written into one form: forward slashes, no leading ``./``."""
    return written.replace("\\", "/").removeprefix("./")


class FoundFile:
    """Where a media path leads."""

    __slots__ = ("file", "note", "state")

    def __init__(self, state: AttachmentState, file: str = "", note: str = "") -> None:
        self.state = state
        self.file = file
        self.note = note


class MediaFiles:
    """Finds media below a release's root and below the folders that the user named.

    Folder listings are read once, so that asking for thousands of files stays cheap.
    """

    def __init__(self, root: Path, extra_roots: Iterable[Path] = ()) -> None:
        self.roots = tuple(dict.fromkeys((root.resolve(), *(r.resolve() for r in extra_roots))))
        self.foreign_roots: dict[str, int] = {}
        """Roots outside the named folders that absolute paths in the data point below, counted."""
        self._listings: dict[str, frozenset[str]] = {}
        self._known: dict[str, FoundFile] = {}

    def find(self, written: str) -> FoundFile:
        """Find the file for a path as the data writes it."""
        found = self._known.get(written)
        if found is None:
            found = self._known[written] = self._find(normalise(written))
        return found

    @property
    def any_present(self) -> bool:
        """Whether any path asked for so far leads to a file."""
        return any(found.state is AttachmentState.PRESENT for found in self._known.values())

    def _find(self, path: str) -> FoundFile:
        if not path:
            return FoundFile(AttachmentState.MISSING, note="the release names no file")
        if "\0" in path:
            return FoundFile(AttachmentState.MISSING, note="the path holds a null character")
        if "://" in path:
            return FoundFile(AttachmentState.MISSING, note="a web address; nothing is fetched")
        if _is_absolute(path):
            return self._find_absolute(path)
        escaped = False
        for candidate in _candidates(path):
            clean = os.path.normpath(candidate)
            if clean.startswith(".."):
                escaped = True
                continue
            for root in self.roots:
                file = self._file_below(root, clean)
                if file:
                    return FoundFile(AttachmentState.PRESENT, file)
        if escaped:
            return FoundFile(AttachmentState.MISSING, note="the path leads out of the release")
        return FoundFile(AttachmentState.MISSING, note="no such file below the release")

    def _find_absolute(self, path: str) -> FoundFile:
        clean = os.path.normpath(path)
        for root in self.roots:
            if clean.startswith(f"{root}{os.sep}"):
                file = self._file_below(root, clean[len(str(root)) + 1 :])
                if file:
                    return FoundFile(AttachmentState.PRESENT, file)
        # A prepared tree holds absolute paths of the machine that prepared it: the part from a
        # known folder on is looked for below the named roots.
        for marker in _MARKERS:
            head, found, tail = path.lower().partition(marker)
            if not found:
                continue
            foreign = path[: len(head)]
            tail = path[len(head) + 1 :]
            for candidate in _candidates(tail):
                for root in self.roots:
                    file = self._file_below(root, os.path.normpath(candidate))
                    if file:
                        return FoundFile(AttachmentState.PRESENT, file)
            self.foreign_roots[foreign or "/"] = self.foreign_roots.get(foreign or "/", 0) + 1
            note = (
                f"outside the release; name its folder with --media-root (seen: {foreign or '/'})"
            )
            return FoundFile(AttachmentState.MISSING, note=note)
        return FoundFile(AttachmentState.MISSING, note="an absolute path outside the release")

    def _file_below(self, root: Path, relative: str) -> str | None:
        if relative.startswith(".."):
            return None
        full = os.path.join(root, relative)  # noqa: PTH118 - a hot path; strings are 20 x faster
        folder, _, name = full.rpartition(os.sep)
        listing = self._listings.get(folder)
        if listing is None:
            listing = self._listings[folder] = self._list(folder)
        return full if name in listing else None

    def _list(self, folder: str) -> frozenset[str]:
        """Names of the files in a folder that really lie below one of the roots."""
        if not self._below_a_root(folder):
            return frozenset()
        try:
            with os.scandir(folder) as entries:
                return frozenset(
                    entry.name
                    for entry in entries
                    if entry.is_file()
                    and (not entry.is_symlink() or self._below_a_root(entry.path))
                )
        except OSError:
            return frozenset()

    def _below_a_root(self, path: str) -> bool:
        real = os.path.realpath(path)
        return any(real == str(r) or real.startswith(f"{r}{os.sep}") for r in self.roots)


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _candidates(path: str) -> Iterable[str]:
    """The places where a relative path of any dialect may lie below a root."""
    yield path
    if path.startswith("../image/") or path.startswith("../voice/"):
        yield f"data/{path[3:]}"
        yield path[3:]
    tail = path.removeprefix("data/")
    if tail == path:
        yield f"data/{path}"
    else:
        yield tail
    for written, renamed in _RENAMES:
        if tail.startswith(written):
            yield renamed + tail[len(written) :]
