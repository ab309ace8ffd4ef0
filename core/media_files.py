"""Where media files are: paths from data never lead out of the folders the user named."""

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mnemoscope.core.model import AttachmentState

__all__ = ["FoundFile", "MediaFiles", "normalise"]

_PRESENT = AttachmentState.PRESENT
_LONGEST_PATH = 4096

# Folders of the published tree, and what the trees of single experiments call them
# (cue-mem.md 1.4).
_RENAMES = (
    ("event/images", "event_image"),
    ("event/voice_mixed_000_002", "voice_mixed_000_002"),
    ("qa", "qa_image"),
)
# Where the part of an absolute path starts that a tree on another machine has too. It looks ahead
# so that markers may overlap, as in ``/data/qa/event/``.
_MARKER = re.compile(
    r"/(?=(?:event|qa|profile|image|voice|event_image|qa_image|voice_mixed_000_002)/)",
    re.IGNORECASE,
)


def normalise(written: str) -> str:
    """Bring a path as written into one form: forward slashes, no leading ``./``."""
    return written.replace("\\", "/").removeprefix("./")


class FoundFile(NamedTuple):
    """Where a media path leads."""

    state: AttachmentState
    file: str = ""
    """The file's full path, when it is present."""
    note: str = ""
    """Why there is no file to show; empty when there is one."""
    outside: str = ""
    """The folder outside the named roots that the path as written leads below.

    Such a file can be present all the same: at the place below a root that the last part of its
    path names.
    """


class _Listing(NamedTuple):
    """The files of a folder below a root."""

    folder: str
    names: Mapping[str, str]
    """By file name: where the file leads when it is a link out of the roots, else nothing."""
    problem: FoundFile | None = None
    """Why the folder's files cannot be told."""


class _Place(NamedTuple):
    """Where the files of a folder, as the data writes it, can be."""

    listings: Sequence[_Listing]
    absent: FoundFile
    """What a file leads to that none of the listings has."""
    outside: str = ""


class MediaFiles:
    """Finds media below a release's root and below the folders that the user named.

    Folders are looked up and listed once, so that asking for thousands of files stays cheap.
    """

    def __init__(self, root: Path, extra_roots: Iterable[Path] = ()) -> None:
        named = (root, *extra_roots)
        self.roots = tuple(dict.fromkeys(path.resolve() for path in named))
        self.any_present = False
        """Whether any path asked for so far leads to a file."""
        # Absolute paths in the data may call a root by the name of a link to it.
        self._roots = {_text(path): _text(path.resolve()) for path in (*self.roots, *named)}
        self._places: dict[str, _Place] = {}
        self._listings: dict[str, _Listing] = {}
        self._real_folders = {real: real for real in self._roots.values()}

    def find(self, written: str) -> FoundFile:
        """Find the file for a path as the data writes it."""
        path = normalise(written)
        folder, slash, name = path.rpartition("/")
        place = self._places.get(folder or slash)
        if place is None:
            problem = _unusable(path)
            if problem:
                return FoundFile(AttachmentState.MISSING, note=problem)
            place = self._places[folder or slash] = self._find_place(folder or slash)
        for listing in place.listings:
            leads_to = listing.names.get(name)
            if leads_to:
                return _led_out(leads_to, posixpath.dirname(leads_to))
            if leads_to is not None:
                self.any_present = True
                return FoundFile(_PRESENT, f"{listing.folder}/{name}", "", place.outside)
        problem = _unusable(path)
        return FoundFile(AttachmentState.MISSING, note=problem) if problem else place.absent

    def _find_place(self, folder: str) -> _Place:
        if folder.startswith("/") or f"{folder}/"[1:3] == ":/":
            return self._find_absolute(posixpath.normpath(folder))
        candidates = _candidates(folder)
        note = "no such file below the release"
        if not _stays_inside(candidates[0]):
            note = "the path leads out of the release"
        return self._look_below(candidates, FoundFile(AttachmentState.MISSING, note=note))

    def _find_absolute(self, folder: str) -> _Place:
        for written, real in self._roots.items():
            if f"{folder}/".startswith(f"{written}/"):
                note = f"no such file below {written or '/'}"
                absent = FoundFile(AttachmentState.MISSING, note=note)
                return self._look_below([folder[len(written) + 1 :]], absent, roots=[real])
        # A prepared tree holds absolute paths of the machine that prepared it. What follows a
        # known folder is looked for below the named roots.
        outside = folder
        candidates: list[str] = []
        for marker in _MARKER.finditer(f"{folder}/"):
            candidates += _candidates(folder[marker.end() :])
            head = folder[: marker.start()]
            outside = head.removesuffix("/data") or head or "/"
        note = f"outside the release, below {outside}; name that folder with --media-root"
        absent = FoundFile(AttachmentState.MISSING, "", note, outside)
        return self._look_below(candidates, absent, outside=outside)

    def _look_below(
        self,
        candidates: Iterable[str],
        absent: FoundFile,
        *,
        roots: Iterable[str] = (),
        outside: str = "",
    ) -> _Place:
        """The listings of candidate folders below the roots."""
        listings = []
        problem = None
        for candidate in filter(_stays_inside, candidates):
            for root in roots or map(_text, self.roots):
                folder = posixpath.normpath(f"{root}/{candidate}")
                listing = self._listings.get(folder)
                if listing is None:
                    listing = self._listings[folder] = self._list(folder)
                problem = problem or listing.problem
                if listing.names:
                    listings.append(listing)
        return _Place(listings, problem or absent, outside)

    def _list(self, folder: str) -> _Listing:
        """List a folder that really lies below one of the roots."""
        try:
            with os.scandir(folder) as entries:
                real = self._real_folder(folder)
                if not self._below_a_root(real):
                    return _Listing(folder, {}, _led_out(real, real))
                return _Listing(folder, dict(self._files(entries)))
        except PermissionError:
            note = f"the folder {folder} cannot be read"
            return _Listing(folder, {}, FoundFile(AttachmentState.UNREADABLE, note=note))
        except (OSError, ValueError):  # ValueError: characters that no file name can have
            return _Listing(folder, {})

    def _real_folder(self, folder: str) -> str:
        """Where a folder really is; links among its parents are looked up once."""
        real = self._real_folders.get(folder)
        if real is None:
            parent, slash, name = folder.rpartition("/")
            linked = not slash or os.path.islink(folder)  # noqa: PTH114 - Path is ten times slower
            real = _real(folder) if linked else f"{self._real_folder(parent)}/{name}"
            self._real_folders[folder] = real
        return real

    def _files(self, entries: Iterable[os.DirEntry[str]]) -> Iterator[tuple[str, str]]:
        for entry in entries:
            if entry.is_symlink():
                real = _real(entry.path)
                if not self._below_a_root(real):
                    yield entry.name, real
                elif os.path.isfile(real):  # noqa: PTH113
                    yield entry.name, ""
            elif entry.is_file():
                yield entry.name, ""

    def _below_a_root(self, real: str) -> bool:
        return any(f"{real}/".startswith(f"{root}/") for root in self._roots.values())


def _text(path: Path) -> str:
    """A folder's full path with forward slashes and none at its end."""
    return path.absolute().as_posix().rstrip("/")


def _real(path: str) -> str:
    return os.path.realpath(path).replace(os.sep, "/")


def _unusable(path: str) -> str:
    """Why a path cannot name a file; empty when it can."""
    if not path:
        return "the release names no file"
    if len(path) > _LONGEST_PATH:
        return f"a path of {len(path):,} characters"
    if "\0" in path:
        return "the path holds a null character"
    if "://" in path:
        return "a web address; nothing is fetched"
    return ""


def _led_out(target: str, outside: str) -> FoundFile:
    note = f"a link that leads out of the release, to {target}"
    return FoundFile(AttachmentState.MISSING, "", note, outside)


def _candidates(folder: str) -> list[str]:
    """The folders below a root that a relative folder of any dialect can stand for."""
    if f"{folder}/".startswith(("../image/", "../voice/")):
        return [f"data/{folder[3:]}", folder[3:]]
    tail = f"{folder}/".removeprefix("data/").strip("/")
    candidates = [folder, tail if tail != folder else f"data/{folder}"]
    for published, renamed in _RENAMES:
        if f"{tail}/".startswith(f"{published}/"):
            candidates.append(renamed + tail[len(published) :])
    return candidates


def _stays_inside(folder: str) -> bool:
    return not f"{posixpath.normpath(folder)}/".startswith("../")
