"""Every backbone by its name; one is imported when it is used."""

from mnemoscope.core.backbones.backbone import Backbone
from mnemoscope.core.errors import UsageError

__all__ = ["EMBEDDED", "make_backbone"]

EMBEDDED = "embedded"
"""The backbone that needs no model and no network."""


def make_backbone(name: str) -> Backbone:
    """The backbone with a name.

    Args:
        name: ``embedded``.

    Raises:
        UsageError: There is none with that name.
    """
    if name == EMBEDDED:
        from mnemoscope.core.backbones.embedded.backbone import EmbeddedBackbone

        return EmbeddedBackbone()
    raise UsageError(f"no backbone {name!r}; there are: {EMBEDDED}")
