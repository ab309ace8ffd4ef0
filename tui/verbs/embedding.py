"""Opening the embedder that a verb was told of: vectors are kept in the state folder."""

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from mnemoscope.core.model import Question, Release
from mnemoscope.tui import console
from mnemoscope.tui.endpoint import chosen_endpoint
from mnemoscope.tui.recent import state_folder

if TYPE_CHECKING:
    from mnemoscope.core.backbones.settings import EndpointSettings
    from mnemoscope.core.embedders.cache import CachedEmbedder

__all__ = ["VECTORS", "open_embedder"]

VECTORS = "vectors.db"
"""The file in the state folder that vectors are kept in."""


def open_embedder(
    name: str,
    stack: ExitStack,
    release: Release,
    asked: Collection[Question],
    endpoint: "Callable[[], EndpointSettings] | None" = None,
) -> "CachedEmbedder":
    """The embedder with a name, saying whether it does not know what it is going to be given.

    Args:
        name: Its name.
        stack: What closes it.
        release: Whose histories it is going to be given.
        asked: The questions.
        endpoint: Says which endpoint is meant, if one is needed; the usual one when None.

    Raises:
        MnemoscopeError: There is none with that name, or it cannot be used.
    """
    from mnemoscope.core.embedders.cache import CachedEmbedder
    from mnemoscope.core.embedders.embedder import language_warning
    from mnemoscope.core.embedders.registry import make_embedder

    embedder = make_embedder(name, chosen_endpoint if endpoint is None else endpoint)
    cache = stack.enter_context(CachedEmbedder(embedder, state_folder() / VECTORS))
    warning = language_warning(cache, _texts(release, asked))
    if warning is not None:
        console.talk(f"warning: {warning}")
    return cache


def _texts(release: Release, asked: Collection[Question]) -> Iterator[str]:
    """What an embedder is going to be given, as far as it is written out."""
    yield from (one.stem for one in asked)
    for history in release.histories.values():
        yield from (one.text for of in history.rounds for one in of.messages if one.text)
