"""Headers of WAV files.

The standard library's ``wave`` reads integer samples only, refuses extensible headers before Python
3.12, and tells nothing about a file that is cut short. This reads what a file says about itself and
compares it with what is there.
"""

import struct
from dataclasses import dataclass
from typing import BinaryIO

__all__ = ["DamagedError", "WavHeader", "read_header"]

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
_CODECS = {PCM: "PCM", FLOAT: "float", 2: "ADPCM", 6: "A-law", 7: "µ-law", 17: "IMA ADPCM"}
_WIDTHS = {PCM: (1, 2, 3, 4), FLOAT: (4, 8)}
_MOST_CHUNKS = 1000
_MOST_CHANNELS = 64
_RATES = range(1_000, 768_001)
# Programs that write to a pipe cannot go back and say how much they wrote.
_STREAMED = (0, 0x7FFFF000, 0x7FFFFFFF, 0xFFFFF000, 0xFFFFFFFF)


class DamagedError(Exception):
    """A file cannot be read; the message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class WavHeader:
    """Where the samples of a WAV file are, and how they are stored."""

    tag: int
    """The codec's number, that of the sub-format when the header is extensible."""
    channels: int
    rate: int
    block: int
    """Bytes of one frame, or of one block of a compressed codec."""
    byte_rate: int
    """Bytes that a second takes, as the header says."""
    start: int
    """Where the samples begin."""
    present: int
    """Bytes of samples that are there."""
    declared: int
    """Bytes of samples that the header promises."""

    @property
    def is_linear(self) -> bool:
        """Whether the samples are plain numbers."""
        return self.tag in _WIDTHS

    @property
    def width(self) -> int:
        """Bytes of one sample of a linear codec."""
        return self.block // self.channels

    @property
    def frames(self) -> int:
        """Whole frames that are there; 0 for a codec that is not linear."""
        return self.present // self.block if self.is_linear else 0

    @property
    def codec(self) -> str:
        """The codec in words, such as ``16-bit PCM``."""
        name = _CODECS[self.tag]
        return f"{8 * self.width}-bit {name}" if self.is_linear else name

    def seconds_of(self, count: int) -> float:
        """How long so many bytes of samples last."""
        if self.is_linear:
            return count // self.block / self.rate
        return count / self.byte_rate


def read_header(handle: BinaryIO, size: int) -> WavHeader:
    """Read the header of a file of ``size`` bytes.

    Raises:
        DamagedError: The file is damaged, empty of sound, or of a kind that nothing here reads.
    """
    head = handle.read(12)
    if head[:4] not in (b"RIFF", b"RF64") or head[8:12] != b"WAVE":
        raise DamagedError("The file is no WAV file.")
    found: _Format | None = None
    for _ in range(_MOST_CHUNKS):
        chunk = handle.read(8)
        if len(chunk) < 8:
            break
        name, length = chunk[:4], int.from_bytes(chunk[4:], "little")
        at = handle.tell()
        if name == b"fmt ":
            found = _read_format(handle.read(min(length, 64)))
        elif name == b"data":
            if found is None:
                raise DamagedError("The file is damaged: its samples come before their format.")
            return _header(found, at, size - at, length)
        handle.seek(at + length + length % 2)
    raise DamagedError("The file is cut short or damaged: it holds no samples.")


@dataclass(frozen=True, slots=True)
class _Format:
    tag: int
    channels: int
    rate: int
    byte_rate: int
    block: int


def _read_format(data: bytes) -> _Format:
    if len(data) < 16:
        raise DamagedError("The file is cut short or damaged: its format is missing.")
    tag, channels, rate, byte_rate, block = struct.unpack_from("<HHIIH", data)
    if tag == EXTENSIBLE and len(data) >= 26:
        (tag,) = struct.unpack_from("<H", data, 24)
    if tag not in _CODECS:
        raise DamagedError(f"The WAV file uses codec {tag:#06x}, which nothing here can decode.")
    if not 1 <= channels <= _MOST_CHANNELS:
        raise DamagedError(f"The file is damaged: its header says {channels:,} channels.")
    if rate not in _RATES:
        raise DamagedError(f"The file is damaged: its header says {rate:,} frames a second.")
    widths = _WIDTHS.get(tag)
    if not block or (widths and (block % channels or block // channels not in widths)):
        raise DamagedError(
            f"The file is damaged: its header says {block} bytes for a frame of {channels} "
            f"channel{'' if channels == 1 else 's'}."
        )
    if not widths and not byte_rate:
        raise DamagedError("The file is damaged: its header says 0 bytes a second.")
    return _Format(tag, channels, rate, byte_rate, block)


def _header(found: _Format, start: int, available: int, declared: int) -> WavHeader:
    available = max(0, available)
    if declared in _STREAMED:
        declared = available
    present = min(declared, available)
    if present < found.block:
        raise DamagedError("The file holds no sound.")
    return WavHeader(
        found.tag,
        found.channels,
        found.rate,
        found.block,
        found.byte_rate,
        start,
        present,
        declared,
    )
