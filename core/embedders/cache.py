"""Vectors kept between runs, by the model's weights and the text."""

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mnemoscope.core.closing import Closes
from mnemoscope.core.embedders.embedder import Closable, Embedder, Vectors
from mnemoscope.core.errors import InputError

__all__ = ["CachedEmbedder"]

_TABLE = """
create table if not exists vectors (
    weights text not null, text text not null, vector blob not null,
    primary key (weights, text)
) without rowid
"""


class CachedEmbedder(Closes):
    """An embedder that computes a text's vector once. May be used from threads and processes."""

    def __init__(self, inner: Embedder, path: Path) -> None:
        """Open the file that vectors are kept in, making it if need be.

        Args:
            inner: The model.
            path: The file, on a disk of this machine; several models may share it.

        Raises:
            InputError: The file cannot be used.
        """
        self.inner = inner
        self.path = path
        self.computed = 0
        """How many vectors were not there yet."""
        self._guard = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(
                path, check_same_thread=False, timeout=30, isolation_level=None
            )
            self._file.execute("pragma journal_mode = wal")
            self._file.execute("pragma synchronous = normal")
            self._file.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from None

    @property
    def id(self) -> str:
        """The model's name."""
        return self.inner.id

    @property
    def weights_hash(self) -> str:
        """The hash of the model's weights."""
        return self.inner.weights_hash

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.inner.dimensions

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Which share of the word pieces the model does not know."""
        return self.inner.unknown_share(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector a text.

        Raises:
            InputError: The file can no longer be used.
        """
        names = [_name(text) for text in texts]
        with self._guard:
            found = {name: self._kept(name) for name in dict.fromkeys(names)}
            missing = {
                name: text for name, text in zip(names, texts, strict=True) if found[name] is None
            }
            if missing:
                vectors = self.inner.encode(list(missing.values()))
                self.computed += len(missing)
                for name, vector in zip(missing, vectors, strict=True):
                    found[name] = self._keep(name, vector)
        rows = [vector for name in names if (vector := found[name]) is not None]
        if not rows:
            return np.zeros((0, self.dimensions), np.float32)
        return np.stack(rows)

    def _kept(self, name: str) -> Vectors | None:
        sql = "select vector from vectors where weights = ? and text = ?"
        try:
            row = self._file.execute(sql, (self.weights_hash, name)).fetchone()
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        return None if row is None else np.frombuffer(row[0], "<f4").astype(np.float32)

    def _keep(self, name: str, vector: Vectors) -> Vectors:
        sql = "insert or ignore into vectors values (?, ?, ?)"
        data = np.asarray(vector, "<f4").tobytes()
        try:
            self._file.execute(sql, (self.weights_hash, name, data))
        except sqlite3.Error as error:
            raise self._unusable(error) from None
        return vector

    def _unusable(self, error: Exception) -> InputError:
        hint = "remove the file; the vectors are computed again"
        return InputError(f"{self.path}: the file of vectors cannot be used: {error}", hint=hint)

    def close(self) -> None:
        """Close the file, and what the model holds open."""
        self._file.close()
        if isinstance(self.inner, Closable):
            self.inner.close()


def _name(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
