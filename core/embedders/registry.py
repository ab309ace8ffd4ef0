"""Embedders by name."""

from collections.abc import Callable

from mnemoscope.core.backbones.settings import EndpointSettings, no_endpoint
from mnemoscope.core.embedders.embedder import Embedder
from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Group, known_names, load_named

__all__ = ["DEFAULT", "make_embedder"]

DEFAULT = "lite"
"""The embedded multilingual model."""
_TRANSFORMER = "st:"
_ENDPOINT = "endpoint:"


def make_embedder(
    name: str = DEFAULT, endpoint: Callable[[], EndpointSettings] = no_endpoint
) -> Embedder:
    """The embedder with a name; its model is loaded when it is first used.

    Args:
        name: ``lite``, ``st:`` with a folder or the name of a model of sentence-transformers, or
            ``endpoint:`` with the name of a model at an endpoint; or what a package adds, with a
            colon and whatever it is to be told.
        endpoint: Says which endpoint is meant; asked only if one is needed.

    Raises:
        UsageError: There is none with that name, what it needs is not installed, or no endpoint is
            named.
    """
    if name == DEFAULT:
        from mnemoscope.core.embedders.lite import LiteEmbedder

        return LiteEmbedder()
    if name.startswith(_TRANSFORMER) and len(name) > len(_TRANSFORMER):
        from mnemoscope.core.embedders.transformer import TransformerEmbedder

        return TransformerEmbedder(name.removeprefix(_TRANSFORMER))
    if name.startswith(_ENDPOINT) and len(name) > len(_ENDPOINT):
        from mnemoscope.core.embedders.endpoint import EndpointEmbedder

        return EndpointEmbedder(name.removeprefix(_ENDPOINT), endpoint())
    added, _, rest = name.partition(":")
    found = load_named(Group.EMBEDDERS, added)
    if found is None:
        own = dict.fromkeys((DEFAULT, f"{_TRANSFORMER}NAME_OR_FOLDER", f"{_ENDPOINT}MODEL"))
        known = known_names(own, Group.EMBEDDERS)
        raise UsageError(f"no embedder {name!r}; there are: {known}")
    extension, make = found
    embedder: Embedder = extension.call(make, rest)
    return embedder
