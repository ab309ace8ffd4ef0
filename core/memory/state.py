"""The whole state of a memory as JSON and arrays of numbers, its hash, and its files.

Nothing is ever pickled: a snapshot from somebody else cannot run anything here.
"""

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mnemoscope.core.errors import InputError
from mnemoscope.core.writing import json_bytes

__all__ = ["Array", "MemoryState", "arrays_of", "npz_bytes"]

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MemoryState:
    """Everything that a memory knows."""

    json: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """A hash of all of it, as 64 hexadecimal digits."""
        found = hashlib.sha256(json_bytes(_sorted(self.json)))
        for name in sorted(self.arrays):
            array = np.ascontiguousarray(self.arrays[name], dtype="<f4")
            found.update(f"{name} {array.shape}".encode())
            found.update(array.tobytes())
        return found.hexdigest()


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sorted(item) for item in value]
    return value


def npz_bytes(arrays: Mapping[str, Array]) -> bytes:
    """The arrays as the bytes of an ``.npz`` file; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    ordered = {name: np.asarray(arrays[name], dtype="<f4") for name in sorted(arrays)}
    np.savez(buffer, allow_pickle=False, **ordered)
    return buffer.getvalue()


def arrays_of(path: Path) -> dict[str, Array]:
    """The arrays in an ``.npz`` file.

    Raises:
        InputError: The file cannot be read, or holds something else than arrays of numbers.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: np.asarray(file[name], dtype=np.float32) for name in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: cannot be used: {error}") from None
