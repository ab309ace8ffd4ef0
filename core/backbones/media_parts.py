"""Pictures and clips as the parts of a chat message."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.model import Kind

__all__ = ["MOST_BYTES", "MOST_TOGETHER", "UnsendableError", "media_part", "part_of"]

MOST_BYTES = 10 << 20
"""The largest file that is sent."""
MOST_TOGETHER = 40 << 20
"""How many bytes of files are sent with one question."""

# Any: parts are JSON.
Part = Mapping[str, Any]


class UnsendableError(Exception):
    """A file that is not sent, and why, in words that are the same for every such file."""


def part_of(kind: Kind, file: str, roots: Sequence[Path]) -> tuple[Part, int]:
    """The part that a file makes, and how many bytes it has.

    Args:
        kind: What the file is.
        file: Its path.
        roots: The folders that it must be below, links followed.

    Raises:
        UnsendableError: It is not below them, cannot be read, is too large, or is of a form that
            endpoints do not take.
    """
    path = Path(file).resolve()
    if not any(path.is_relative_to(root.resolve()) for root in roots):
        raise UnsendableError("its file is outside the release")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UnsendableError(f"its file is larger than {MOST_BYTES >> 20} MB")
        data = read_bytes(path)
    except (InputError, OSError):
        raise UnsendableError("its file cannot be read") from None
    return media_part(kind, data), len(data)


def media_part(kind: Kind, data: bytes) -> Part:
    """The part that the bytes of a file make.

    Raises:
        UnsendableError: They are of a form that endpoints do not take.
    """
    form = _image_form(data) if kind is Kind.IMAGE else _audio_form(data)
    if not form:
        taken = "PNG, JPEG, GIF or WebP" if kind is Kind.IMAGE else "WAV or MP3"
        raise UnsendableError(f"its file is not {taken}")
    text = base64.b64encode(data).decode("ascii")
    if kind is Kind.IMAGE:
        return {"type": "image_url", "image_url": {"url": f"data:image/{form};base64,{text}"}}
    return {"type": "input_audio", "input_audio": {"data": text, "format": form}}


def _image_form(data: bytes) -> str:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    return "webp" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else ""


def _audio_form(data: bytes) -> str:
    if data.startswith(b"RIFF") and data[8:12] == b"WAVE":
        return "wav"
    is_frame = len(data) > 1 and data[0] == 0xFF and data[1] & 0xE6 == 0xE2
    return "mp3" if data.startswith(b"ID3") or is_frame else ""
