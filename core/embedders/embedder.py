"""What every embedder is."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

__all__ = ["Closable", "Embedder", "Vectors", "language_warning", "normalised", "whole_pairs"]

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

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Which share of the word pieces of some texts the model has no vector for, from 0 to 1.

        None when that cannot be told.
        """


@runtime_checkable
class Closable(Protocol):
    """An embedder that holds something open, such as a connection."""

    def close(self) -> None:
        """Let go of it."""


_SAMPLE = 50
_MOST_UNKNOWN = 0.2
_UNSPACED = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3]")


def language_warning(embedder: Embedder, texts: Iterable[str]) -> str | None:
    """Why the vectors of some texts would say little: a model that does not know their script.

    Args:
        embedder: The model.
        texts: What it is to be given; of those in Chinese, Japanese or Korean the first fifty are
            looked at.

    Returns:
        A sentence, or None when a fifth of the word pieces at most is unknown to the model.
    """
    sample = list(islice((text for text in texts if _UNSPACED.search(text)), _SAMPLE))
    share = embedder.unknown_share(sample) if sample else None
    if share is None or share <= _MOST_UNKNOWN:
        return None
    return (
        f"{embedder.id} does not know {share:.0%} of the word pieces of {len(sample)} texts in "
        "Chinese, Japanese or Korean: what it ranks there means little; use a multilingual model"
    )


def whole_pairs(text: str) -> str:
    """The text with half surrogate pairs, which no model can be given, as question marks."""
    return text.encode("utf-8", "replace").decode()


def normalised(vectors: Vectors) -> Vectors:
    """The rows with length 1; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Vectors = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return found
