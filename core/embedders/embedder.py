"""What every embedder is."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Embedder", "Vectors", "normalised"]

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that their dot product is their cosine."""

    @property
    def id(self) -> str:
        """A name that says which model it is."""

    @property
    def weights_hash(self) -> str:
        """A hash of the model's weights and of all else that decides its vectors."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector a text, as rows.

        A text's vector does not depend on the texts beside it.
        """


def normalised(vectors: Vectors) -> Vectors:
    """The rows with length 1; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return found
