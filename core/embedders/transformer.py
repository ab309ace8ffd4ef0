"""Models of sentence-transformers, by name or folder; from the extra ``embed``."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mnemoscope.core.embedders.embedder import Vectors, normalised, whole_pairs
from mnemoscope.core.errors import UsageError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

__all__ = ["TransformerEmbedder"]

_LONGEST_MESSAGE = 200


class TransformerEmbedder:
    """A model that sentence-transformers loads."""

    def __init__(self, model: str) -> None:
        """Name a model; it is loaded when it is first used.

        Args:
            model: A folder, or the name of a model on the hub, which is fetched the first time.

        Raises:
            UsageError: sentence-transformers is not installed.
        """
        if find_spec("sentence_transformers") is None:
            raise UsageError(
                "sentence-transformers is not installed",
                hint="pip install 'mnemoscope[embed]'; on Linux install torch for the CPU first",
            )
        self._name = model

    @property
    def id(self) -> str:
        """The model's name; of a folder only the last part, since paths are nobody's business."""
        return f"st:{Path(self._name).name if Path(self._name).is_dir() else self._name}"

    @cached_property
    def _model(self) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        # Its bars on stderr would be drawn over the app.
        logging.disable_progress_bar()
        is_folder = Path(self._name).is_dir()
        try:
            # A folder needs nobody's server, and code that comes with a model is never run.
            return SentenceTransformer(
                self._name, device="cpu", trust_remote_code=False, local_files_only=is_folder
            )
        except (OSError, ValueError, RuntimeError) as error:
            said = " ".join(str(error).split())[:_LONGEST_MESSAGE]
            raise UsageError(
                f"{self._name}: sentence-transformers cannot load it: {said}",
                hint="name a folder that holds the model, or a model of the hub with a network",
            ) from None

    @cached_property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.encode([""]).shape[1])

    @cached_property
    def weights_hash(self) -> str:
        """A hash of weights, vocabulary, modules and longest input, wherever they come from."""
        found = hashlib.sha256()
        for part in self._parts():
            found.update(part)
        return found.hexdigest()

    def _parts(self) -> Iterator[bytes]:
        model = self._model
        yield f"{model.max_seq_length} {model}".encode()
        vocabulary = sorted(model.tokenizer.get_vocab().items(), key=lambda item: item[1])
        yield repr(vocabulary).encode("utf-8", "replace")
        state = model.state_dict()
        for name in sorted(state):
            tensor = state[name].detach().cpu().contiguous()
            yield f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode()
            yield _bytes_of(tensor)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector a text. Each is computed alone: padding beside others changes last digits."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        rows = [
            self._model.encode(whole_pairs(text), convert_to_numpy=True, show_progress_bar=False)
            for text in texts
        ]
        return normalised(np.stack(rows).astype(np.float32))

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Which share of the word pieces is the model's sign for unknown ones."""
        tokenizer = self._model.tokenizer
        unknown = getattr(tokenizer, "unk_token_id", None)
        if unknown is None:
            return None
        ids = [
            one
            for text in texts
            for one in tokenizer.encode(whole_pairs(text), add_special_tokens=False)
        ]
        return sum(one == unknown for one in ids) / len(ids) if ids else None


def _bytes_of(tensor: Any) -> bytes:
    # bfloat16 has no numpy type; as raw bytes every type is alike.
    import torch

    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes()  # type: ignore[no-any-return]
