"""Every backbone by its name; one is imported when it is used."""

from collections.abc import Callable, Mapping
from typing import Any

from mnemoscope.core.backbones.backbone import Backbone
from mnemoscope.core.backbones.endpoint import PATIENCE, Patience
from mnemoscope.core.backbones.names import EMBEDDED
from mnemoscope.core.backbones.settings import EndpointSettings, no_endpoint
from mnemoscope.core.errors import UsageError
from mnemoscope.core.extensions import Extension, Group, known_names, load_named
from mnemoscope.core.memory.system import Parameter, Setting

__all__ = ["EMBEDDED", "ENDPOINT", "backbone_parameters", "make_backbone"]

ENDPOINT = "endpoint:"
"""What stands before the name of a model at an endpoint."""


def _added(name: str) -> tuple[Extension, Any]:
    """What a package adds under a name, or under what stands before its colon."""
    found = load_named(Group.BACKBONES, name.partition(":")[0])
    if found is None:
        own = dict.fromkeys((EMBEDDED, f"{ENDPOINT}MODEL"))
        known = known_names(own, Group.BACKBONES)
        raise UsageError(f"no backbone {name!r}; there are: {known}")
    extension, kind = found
    if not isinstance(kind, type) or not issubclass(kind, Backbone):
        raise extension.broken("found no class of Backbone")
    return found


def backbone_parameters(name: str) -> Mapping[str, Parameter]:
    """What can be set of a backbone.

    Raises:
        UsageError: There is none with that name.
    """
    if name == EMBEDDED:
        return {}
    if name.startswith(ENDPOINT) and len(name) > len(ENDPOINT):
        from mnemoscope.core.backbones.chat import PARAMETERS

        return PARAMETERS
    parameters: Mapping[str, Parameter] = _added(name)[1].PARAMETERS
    return parameters


def make_backbone(
    name: str,
    parameters: Mapping[str, Setting] | None = None,
    endpoint: Callable[[], EndpointSettings] = no_endpoint,
    patience: Patience = PATIENCE,
) -> Backbone:
    """The backbone with a name, ready to be opened.

    Args:
        name: ``embedded``, ``endpoint:`` with a model's name, or what a package adds, with a colon
            and a model's name if it needs one.
        parameters: What differs from the defaults.
        endpoint: Says which endpoint is meant; asked only if one is needed.
        patience: How long to wait between attempts; how many there are is a parameter.

    Raises:
        UsageError: There is none with that name, a parameter is unknown or cannot be so, no
            endpoint is named, or what is needed is not installed.
        InputError: The prompts cannot be used.
    """
    known = backbone_parameters(name)
    given = parameters or {}
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        names = ", ".join(known) or "none"
        raise UsageError(f"{name}: no parameter {unknown!r}; there are: {names}")
    values = {
        key: one.check(f"{name}: {key}", given.get(key, one.default)) for key, one in known.items()
    }
    if name == EMBEDDED:
        from mnemoscope.core.backbones.embedded.backbone import EmbeddedBackbone

        return EmbeddedBackbone()
    if not name.startswith(ENDPOINT):
        extension, kind = _added(name)
        backbone: Backbone = extension.call(kind, name.partition(":")[2], values)
        return backbone
    from mnemoscope.core.backbones.chat import ChatBackbone

    return ChatBackbone(name.removeprefix(ENDPOINT), endpoint(), values, patience)
