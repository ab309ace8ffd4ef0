"""Models that make vectors behind an OpenAI-compatible endpoint (``/embeddings``)."""

import asyncio
import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cached_property

import numpy as np

from mnemoscope.core.backbones.endpoint import PATIENCE, Endpoint, Patience
from mnemoscope.core.backbones.replies import Embedded, Failure
from mnemoscope.core.backbones.settings import EndpointSettings
from mnemoscope.core.embedders.embedder import Vectors, normalised, whole_pairs
from mnemoscope.core.errors import ProviderError

__all__ = ["PREFIX", "EndpointEmbedder"]

PREFIX = "endpoint:"
BATCH = 64
"""How many texts are sent together."""


class EndpointEmbedder:
    """A model at an endpoint, asked from a thread of its own.

    An endpoint does not say which weights it runs, so the hash is that of the model's name: under
    the same name another model would be taken for the same.
    """

    def __init__(
        self, model: str, settings: EndpointSettings, patience: Patience = PATIENCE
    ) -> None:
        """Get ready; nothing is sent yet.

        Args:
            model: The model's name at the endpoint.
            settings: Where it is asked.
            patience: When to give up.

        Raises:
            UsageError: The extra ``llm`` is not installed.
        """
        self._model = model
        self._endpoint = Endpoint(settings, patience=patience)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._guard = threading.Lock()

    @property
    def id(self) -> str:
        """The model's name after ``endpoint:``."""
        return f"{PREFIX}{self._model}"

    @property
    def weights_hash(self) -> str:
        """A hash of the name: what the endpoint runs under it is unknown."""
        return hashlib.sha256(f"{self.id}, weights unknown".encode()).hexdigest()

    @cached_property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.encode(["length"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One vector a text.

        Raises:
            ProviderError: The endpoint gives none, after all attempts.
        """
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        # Endpoints refuse empty texts.
        given = [whole_pairs(text) or " " for text in texts]
        starts = range(0, len(given), BATCH)
        rows = [row for at in starts for row in self._ask(given[at : at + BATCH]).vectors]
        if len({len(row) for row in rows}) != 1:
            raise ProviderError(f"{self.id}: found vectors of several lengths, expected one length")
        return normalised(np.array(rows, np.float32))

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """None: an endpoint does not say what its model knows."""
        return None

    def _ask(self, texts: Sequence[str]) -> Embedded:
        with self._guard:
            if not self._thread.is_alive():
                self._thread.start()
        asked: Future[Embedded | Failure] = asyncio.run_coroutine_threadsafe(
            self._endpoint.embed(self._model, texts), self._loop
        )
        found = asked.result()
        if isinstance(found, Failure):
            raise ProviderError(f"{self.id}: {found}")
        return found

    def close(self) -> None:
        """Close the connection; nothing more can be asked."""
        if self._thread.is_alive():
            closing = self._endpoint.__aexit__(None, None, None)
            asyncio.run_coroutine_threadsafe(closing, self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()
