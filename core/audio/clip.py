"""What can be known about a sound file."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Clip", "Problem", "clock"]

_CHANNELS = {1: "mono", 2: "stereo"}


@dataclass(frozen=True, slots=True)
class Clip:
    """A sound file that can be played, or at least the part of it that is there."""

    file: str
    """The full path."""
    format: str
    """What the content is, whatever the suffix says: ``wav``, ``flac``, ``ogg``, ``mp3`` …"""
    codec: str = ""
    """How samples are stored, such as ``16-bit PCM``; empty when the format says it all."""
    seconds: float | None = None
    """How long the sound that is really there lasts; None when nothing here can tell."""
    rate: int = 0
    """Frames per second; 0 when unknown."""
    channels: int = 0
    """0 when unknown."""
    frames: int = 0
    """Frames that are really there; 0 when unknown."""
    note: str = ""
    """What is odd about the file, in a sentence, such as that it is cut short."""

    @property
    def label(self) -> str:
        """One line, such as ``0:05.0 · wav, 16-bit PCM · 16 kHz mono``."""
        parts = [clock(self.seconds)] if self.seconds is not None else []
        parts.append(f"{self.format}, {self.codec}" if self.codec else self.format)
        if self.rate:
            channels = _CHANNELS.get(self.channels, f"{self.channels} channels")
            parts.append(f"{self.rate / 1000:g} kHz {channels}")
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file cannot be played or drawn."""

    state: Literal["missing", "unreadable", "unsupported"]
    reason: str
    """One sentence."""


def clock(seconds: float) -> str:
    """Write a time to the nearest tenth as ``0:03.2``, or ``1:02:03.4`` from an hour on."""
    minutes, tenths = divmod(int(max(0.0, seconds) * 10 + 0.5), 600)
    hours, minutes = divmod(minutes, 60)
    rest = f"{tenths // 10:02}.{tenths % 10}"
    return f"{hours}:{minutes:02}:{rest}" if hours else f"{minutes}:{rest}"
