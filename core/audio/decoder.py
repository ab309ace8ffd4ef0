"""Decoding of compressed sound, in a process of its own.

The decoders are C libraries that read what strangers made: a crafted file must not take the app
with it, nor may a library write on the screen. So ``ask`` starts a program (``__main__``)
that answers one request in JSON; ``answer`` does the work where it is called.
"""

import importlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemoscope.core.audio.clip import Problem, clock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Columns", "Decoded", "answer", "ask", "is_available", "too_long"]

MAX_SECONDS = 3600
"""No more sound than this is decoded, whatever a file of a few bytes unfolds to."""
_PATIENCE = 30.0
_FRAMES_AT_ONCE = 16_384
_DAMAGED = Problem("unreadable", "The file is damaged or cut short and cannot be decoded.")
_INFO = {"flac": "flac", "mp3": "mp3", "ogg": "vorbis", "wav": "wav", "aiff": "wav"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding a file showed."""

    rate: int
    channels: int
    frames: int
    """Frames that could be decoded, or that the header promises beyond ``MAX_SECONDS``."""
    declared: int
    """Frames that the header promises."""
    peaks: Sequence[float] = ()

    @property
    def is_cut(self) -> bool:
        """Whether there is clearly less than the header promises."""
        # Encoders pad, and headers of mp3 files are estimates: a tenth of a second is no damage.
        return self.declared - self.frames > self.rate / 10


class Columns:
    """The loudest sample in each of so many equal parts of a clip, taken in block by block."""

    def __init__(self, frames: int, columns: int) -> None:
        import numpy as np

        self._frames = max(1, frames)
        self._columns = max(1, min(columns, self._frames))
        self._loudest = np.zeros(self._columns)
        self._seen = 0

    def add(self, samples: "NDArray[np.float64]") -> None:
        """Take in the next samples, between -1 and 1, as frames by channels."""
        import numpy as np

        count = len(samples)
        if not count:
            return
        loudness = np.abs(samples[:, 0])
        for channel in range(1, samples.shape[1]):
            np.maximum(loudness, np.abs(samples[:, channel]), out=loudness)
        first, last = self._column(self._seen), self._column(self._seen + count - 1)
        # A column begins at the first frame that does not belong to the one before it.
        starts = [-(-n * self._frames // self._columns) for n in range(first + 1, last + 1)]
        parts = np.maximum.reduceat(loudness, [0, *(start - self._seen for start in starts)])
        into = self._loudest[first : last + 1]
        np.maximum(into, parts, out=into)
        self._seen += count

    def _column(self, frame: int) -> int:
        return min(frame * self._columns // self._frames, self._columns - 1)

    @property
    def values(self) -> list[float]:
        """The loudness of each column, from 0 to 1."""
        return [round(min(1.0, float(value)), 4) for value in self._loudest]


def is_available() -> bool:
    """Whether the library that decodes is installed."""
    return importlib.util.find_spec("miniaudio") is not None


def ask(file: str, kind: str, columns: int) -> Decoded | Problem:
    """Have another process decode a file; see ``answer``."""
    request = json.dumps([file, kind, columns])
    command = [sys.executable, "-P", "-m", "mnemoscope.core.audio", request]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired:
        return Problem("unreadable", f"Decoding the file took more than {_PATIENCE:.0f} seconds.")
    except OSError as error:
        return Problem("unreadable", f"The decoder could not be started: {error.strerror}.")
    try:
        said = json.loads(done.stdout)
        return Problem(**said["problem"]) if "problem" in said else Decoded(**said)
    except (ValueError, TypeError, KeyError):
        return Problem("unreadable", "The decoder broke down on this file.")


def answer(file: str, kind: str, columns: int) -> Decoded | Problem:
    """Decode a file.

    Args:
        file: The file.
        kind: Its format, as ``files.sniff`` tells it.
        columns: How many columns of loudness to measure; none when 0.
    """
    try:
        miniaudio: Any = importlib.import_module("miniaudio")
    except ImportError as error:
        return Problem("unsupported", f"miniaudio cannot be loaded: {error}.")
    try:
        info = getattr(miniaudio, f"{_INFO[kind]}_get_file_info")(file)
        rate, channels, declared = info.sample_rate, info.nchannels, info.num_frames
        if rate < 1 or channels < 1:
            return _DAMAGED
        blocks = _blocks(miniaudio, file, channels, rate)
        if columns and declared > MAX_SECONDS * rate:
            return too_long(declared / rate)
        if columns:
            return _measured(blocks, Decoded(rate, channels, 0, declared), columns)
        frames = sum(len(block) for block in blocks) // channels
    except miniaudio.MiniaudioError:
        return _DAMAGED
    if not frames:
        return Problem("unreadable", "The file holds no sound.")
    if frames >= MAX_SECONDS * rate:
        frames = max(frames, declared)
    return Decoded(rate, channels, frames, max(declared, frames))


def _blocks(miniaudio: Any, file: str, channels: int, rate: int) -> "Iterator[Sequence[int]]":
    """The samples, block by block, as many frames as one clip may have."""
    left = MAX_SECONDS * rate
    stream = miniaudio.stream_file(
        file, miniaudio.SampleFormat.SIGNED16, channels, rate, _FRAMES_AT_ONCE
    )
    for block in stream:
        yield block
        left -= len(block) // channels
        if left <= 0:
            return


def _measured(blocks: "Iterator[Sequence[int]]", known: Decoded, columns: int) -> Decoded:
    import numpy as np

    measured = Columns(known.declared, columns)
    frames = 0
    for block in blocks:
        samples = np.asarray(block, np.int16).reshape(-1, known.channels)
        measured.add(samples / 32768)
        frames += len(samples)
    return Decoded(known.rate, known.channels, frames, known.declared, measured.values)


def too_long(seconds: float) -> Problem:
    """Say why a clip has no waveform."""
    long, limit = clock(seconds), clock(MAX_SECONDS)
    return Problem("unsupported", f"The clip lasts {long}; waveforms are drawn up to {limit}.")
