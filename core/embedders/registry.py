"""Embedders by name."""

from mnemoscope.core.embedders.embedder import Embedder
from mnemoscope.core.errors import UsageError

__all__ = ["DEFAULT", "make_embedder"]

DEFAULT = "lite"
"""The embedded multilingual model."""
_TRANSFORMER = "st:"


def make_embedder(name: str = DEFAULT) -> Embedder:
    """The embedder with a name; its model is loaded when it is first used.

    Args:
        name: ``lite``, or ``st:`` with a folder or the name of a model of sentence-transformers.

    Raises:
        UsageError: There is none with that name, or what it needs is not installed.
    """
    if name == DEFAULT:
        from mnemoscope.core.embedders.lite import LiteEmbedder

        return LiteEmbedder()
    if name.startswith(_TRANSFORMER) and len(name) > len(_TRANSFORMER):
        from mnemoscope.core.embedders.transformer import TransformerEmbedder

        return TransformerEmbedder(name.removeprefix(_TRANSFORMER))
    raise UsageError(f"no embedder {name!r}; there are: {DEFAULT}, {_TRANSFORMER}NAME_OR_FOLDER")
