"""Looking at sound files without playing them.

Files come from data. What a file is, its first bytes decide, never its suffix: some players read
any file as samples and play it as noise. WAV headers are read here; everything else is decoded by
C libraries, which a crafted file may crash, so that happens in another process (see ``decoder``).
"""

import stat
from collections.abc import Callable
from pathlib import Path

from mnemoscope.core.audio import decoder
from mnemoscope.core.audio.clip import Clip, Problem
from mnemoscope.core.audio.riff import DamagedError, WavHeader, read_header

__all__ = [
    *("MAX_BYTES", "NOT_DECODED", "Decode", "cut_short"),
    *("probe", "recognise", "sniff", "wav_header"),
]

MAX_BYTES = 256 * 1024 * 1024

Decode = Callable[[str, str, int], decoder.Decoded | Problem]
"""Decodes a file of a format and measures so many columns of it; see ``decoder.ask``."""

_ONLY_PLAYED = "{} has no waveform here, and only some system players can play it."
NOT_DECODED = {"opus": _ONLY_PLAYED.format("Ogg Opus"), "m4a": _ONLY_PLAYED.format("MPEG-4 audio")}
"""Formats that are recognised and no more: what is said about each."""


def probe(
    path: Path | str, *, max_bytes: int = MAX_BYTES, decode: Decode = decoder.ask
) -> Clip | Problem:
    """Tell what a sound file is; for a compressed one that takes a tenth of a second or more.

    Args:
        path: The file.
        max_bytes: Larger files are refused.
        decode: What decodes; a process that may crash can pass ``decoder.answer``.

    Returns:
        The clip, or why there is none. A file that is cut short is a clip with a note.
    """
    path = Path(path)
    kind = recognise(path, max_bytes)
    if isinstance(kind, Problem):
        return kind
    file = str(path.absolute())
    if kind == "wav":
        header = wav_header(path)
        return header if isinstance(header, Problem) else _wav(file, header)
    if kind in NOT_DECODED:
        return Clip(file, kind, note=NOT_DECODED[kind])
    if not decoder.is_available():
        return Clip(file, kind, note="Its length and waveform need miniaudio: mnemoscope[audio].")
    decoded = decode(file, kind, 0)
    return decoded if isinstance(decoded, Problem) else _compressed(file, kind, decoded)


def recognise(path: Path, max_bytes: int = MAX_BYTES) -> str | Problem:
    """Tell a file's format, or why it is not even looked at closer."""
    try:
        return _refusal(path, max_bytes) or sniff(path)
    except OSError as error:
        return _unreadable(error)


def wav_header(path: Path) -> WavHeader | Problem:
    """Read the header of a WAV file."""
    try:
        with path.open("rb") as file:
            return read_header(file, path.stat().st_size)
    except DamagedError as error:
        return Problem("unreadable", str(error))
    except OSError as error:
        return _unreadable(error)


def sniff(path: Path) -> str | Problem:
    """Tell a file's format by its first bytes: ``wav``, ``mp3`` and so on."""
    with path.open("rb") as file:
        head = file.read(64)
    match head[:4]:
        case b"RIFF" | b"RF64" if head[8:12] == b"WAVE":
            return "wav"
        case b"FORM" if head[8:11] == b"AIF":
            return "aiff"
        case b"fLaC":
            return "flac"
        case b"OggS":
            return _ogg(head)
    if head[:3] == b"ID3" or _is_mp3_frame(head):
        return "mp3"
    if head[4:8] == b"ftyp":
        return "m4a"
    return Problem(
        "unsupported", "The file is no sound of a known kind (wav, flac, ogg, mp3, aiff)."
    )


def _is_mp3_frame(head: bytes) -> bool:
    """Whether the bytes begin a frame of layer III with a rate that exists."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return False
    return head[2] & 0xF0 != 0xF0 and head[2] & 0x0C != 0x0C


def _ogg(head: bytes) -> str | Problem:
    if b"vorbis" in head[28:40]:
        return "ogg"
    if b"OpusHead" in head[28:40]:
        return "opus"
    return Problem("unsupported", "The Ogg file holds neither Vorbis nor Opus sound.")


def _refusal(path: Path, max_bytes: int) -> Problem | None:
    """Say why a file is not even opened; opening a named pipe would wait for a writer."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Problem("missing", "The file does not exist.")
    except PermissionError:
        raise
    except (OSError, ValueError):  # too long, a loop of links, a NUL character
        return Problem("missing", "The path cannot be the path of a file.")
    if not stat.S_ISREG(status.st_mode):
        return Problem("unreadable", "The path leads to something that is not a file.")
    if not status.st_size:
        return Problem("unreadable", "The file is empty.")
    if status.st_size > max_bytes:
        size, limit = status.st_size / 1024**2, max_bytes / 1024**2
        return Problem("unreadable", f"The file has {size:.1f} MB; up to {limit:.1f} MB are read.")
    return None


def _unreadable(error: OSError) -> Problem:
    if isinstance(error, PermissionError):
        return Problem("unreadable", "The file may not be read: permission denied.")
    return Problem("unreadable", f"The file cannot be read: {error.strerror}.")


def _wav(file: str, header: WavHeader) -> Clip:
    seconds = header.seconds_of(header.present)
    note = ""
    if header.present < header.declared:
        note = cut_short(seconds, header.seconds_of(header.declared))
    return Clip(
        file, "wav", header.codec, seconds, header.rate, header.channels, header.frames, note
    )


def _compressed(file: str, kind: str, decoded: decoder.Decoded) -> Clip:
    seconds = decoded.frames / decoded.rate
    note = ""
    if decoded.is_cut:
        note = cut_short(seconds, decoded.declared / decoded.rate)
    return Clip(file, kind, "", seconds, decoded.rate, decoded.channels, decoded.frames, note)


def cut_short(there: float, declared: float) -> str:
    """Say how much of a clip is missing."""
    return f"The file is cut short: {there:.2f} of {declared:.2f} s are there."
