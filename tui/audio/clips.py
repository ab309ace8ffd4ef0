"""Reading sound files for the screen, off the UI thread, each file once."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from mnemoscope.core.audio import Clip, Problem, decoder, peaks, probe

__all__ = ["ClipReader", "ClipView"]

COLUMNS = 512
"""Columns of loudness that are kept: more than any pane has."""
_KEPT = 256


@dataclass(frozen=True, slots=True)
class ClipView:
    """What can be shown of a sound file."""

    clip: Clip | Problem
    peaks: Sequence[float] | Problem
    """Loudness from 0 to 1 along the clip."""


class ClipReader:
    """Reads clips; it may be called from several threads."""

    def __init__(self) -> None:
        self._read: OrderedDict[tuple[str, int, int], ClipView] = OrderedDict()
        self._lock = Lock()

    def __call__(self, file: str) -> ClipView:
        """Read a file, or remember it; slow enough for a worker."""
        key = _version(file)
        with self._lock:
            known = self._read.get(key)
            if known is not None:
                self._read.move_to_end(key)
                return known
        view = _view(file)
        with self._lock:
            self._read[key] = view
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
        return view

    def cached(self, file: str) -> ClipView | None:
        """What is remembered of a file, without reading any."""
        with self._lock:
            return self._read.get(_version(file))


def _version(file: str) -> tuple[str, int, int]:
    """A file and which state of it."""
    try:
        status = Path(file).stat()
    except (OSError, ValueError):
        return file, 0, 0
    return file, status.st_mtime_ns, status.st_size


def _view(file: str) -> ClipView:
    decode = _decode_once()
    clip = probe(file, decode=decode)
    if isinstance(clip, Problem):
        return ClipView(clip, clip)
    return ClipView(clip, peaks(file, COLUMNS, decode=decode))


def _decode_once() -> Callable[[str, str, int], decoder.Decoded | Problem]:
    """A decoder that measures the first time it is asked for anything."""
    done: list[decoder.Decoded | Problem] = []

    def decode(file: str, kind: str, columns: int) -> decoder.Decoded | Problem:
        if not done:
            done.append(decoder.ask(file, kind, COLUMNS))
        # A clip that is too long to be measured can still be played.
        if not columns and isinstance(done[0], Problem):
            return decoder.ask(file, kind, 0)
        return done[0]

    return decode
