"""How loud a clip is from its beginning to its end."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.core.audio import decoder
from mnemoscope.core.audio.clip import Clip, Problem
from mnemoscope.core.audio.files import MAX_BYTES, NOT_DECODED, Decode, recognise, wav_header
from mnemoscope.core.audio.riff import FLOAT, DamagedError, WavHeader, read_header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["pcm16", "peaks"]

MAX_SECONDS = decoder.MAX_SECONDS
_FRAMES_AT_ONCE = 65_536


def peaks(
    path: Path | str,
    columns: int = 256,
    *,
    max_bytes: int = MAX_BYTES,
    decode: Decode = decoder.ask,
) -> Sequence[float] | Problem:
    """Measure the loudest sample in each of so many equal parts of a clip.

    It reads the whole file in blocks; slow enough for a worker.

    Args:
        path: The file.
        columns: How many parts; a clip with fewer frames has fewer.
        max_bytes: Larger files are refused.
        decode: What decodes compressed files; see ``files.probe``.

    Returns:
        Values from 0, silence, to 1, full scale; or why there are none.
    """
    path = Path(path)
    kind = recognise(path, max_bytes)
    if isinstance(kind, Problem):
        return kind
    if kind in NOT_DECODED:
        return Problem("unsupported", NOT_DECODED[kind])
    if kind == "wav":
        header = wav_header(path)
        if isinstance(header, Problem):
            return header
        if header.is_linear:
            return _measured(path, header, columns)
    if not decoder.is_available():
        return Problem("unsupported", "Its waveform needs miniaudio: mnemoscope[audio].")
    decoded = decode(str(path.absolute()), kind, columns)
    return decoded if isinstance(decoded, Problem) else decoded.peaks


def pcm16(clip: Clip) -> tuple[bytes, int]:
    """Read the samples of a linear WAV file as a player takes them that knows few widths.

    Returns:
        The samples, and the bytes of one: 8-bit and 16-bit files as they are, others as 16-bit.

    Raises:
        DamagedError: It is no such file.
        OSError: It cannot be read.
    """
    path = Path(clip.file)
    with path.open("rb") as file:
        header = read_header(file, path.stat().st_size)
        if not header.is_linear:
            raise DamagedError(f"WAV with {header.codec} is not plain samples.")
        if header.tag != FLOAT and header.width <= 2:
            file.seek(header.start)
            return file.read(header.frames * header.block), header.width
    import numpy as np

    blocks = (np.round(block * 32767).astype("<i2") for block in _blocks(path, header))
    return b"".join(block.tobytes() for block in blocks), 2


def _measured(path: Path, header: WavHeader, columns: int) -> Sequence[float] | Problem:
    if header.frames > MAX_SECONDS * header.rate:
        return decoder.too_long(header.frames / header.rate)
    measured = decoder.Columns(header.frames, columns)
    try:
        for block in _blocks(path, header):
            measured.add(block)
    except OSError:
        return Problem("unreadable", "The file went away while it was read.")
    return measured.values


def _blocks(path: Path, header: WavHeader) -> "Iterator[NDArray[np.float64]]":
    """The samples between -1 and 1, as blocks of frames by channels."""
    left = header.frames
    with path.open("rb") as file:
        file.seek(header.start)
        while left:
            data = file.read(min(left, _FRAMES_AT_ONCE) * header.block)
            frames = len(data) // header.block
            if not frames:
                return
            left -= frames
            samples = _samples(data[: frames * header.block], header)
            yield samples.reshape(frames, header.channels)


def _samples(data: bytes, header: WavHeader) -> "NDArray[np.float64]":
    import numpy as np

    if header.tag == FLOAT:
        floats = np.frombuffer(data, np.dtype(f"<f{header.width}")).astype(np.float64)
        # A float file may hold anything: not-a-number, infinities, values beyond full scale.
        return np.clip(np.nan_to_num(floats, posinf=1.0, neginf=-1.0), -1.0, 1.0)
    if header.width == 1:
        return (np.frombuffer(data, np.uint8).astype(np.float64) - 128) / 128
    if header.width == 3:
        wide = np.zeros((len(data) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
        return wide.view("<i4").reshape(-1).astype(np.float64) / 2**31
    whole = np.frombuffer(data, np.dtype(f"<i{header.width}")).astype(np.float64)
    return whole / float(1 << 8 * header.width - 1)
