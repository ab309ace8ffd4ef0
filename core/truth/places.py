"""How the audit names components: their place in a file, and what they hold."""

import json

from mnemoscope.core.defects import Described, describe
from mnemoscope.core.state.authority import Authority
from mnemoscope.core.state.component import Absent, Component, Part
from mnemoscope.core.truth.schema_values import content_json

__all__ = ["place_in_layer", "said"]

_KEYS = {Part.CELL: "entities", Part.CUE: "cues", Part.DEPENDENT: "dependents"}


def place_in_layer(where: Component) -> str:
    """The JSON path of a component below the content of an artifact."""
    match where.part:
        case Part.MEMBER:
            return f".entities{_step(where.entity)}"
        case Part.ORDER:
            return f".orders{_step(where.field)}"
        case Part.RULE:
            return f".rules{_step(where.field)}"
    return f".{_KEYS[where.part]}{_step(where.entity)}{_step(where.field)}"


def _step(key: str) -> str:
    return f".{key}" if key.isidentifier() else f"[{json.dumps(key, ensure_ascii=False)}]"


def said(content: object) -> Described:
    """What a component holds, in words."""
    match content:
        case Absent():
            return Described("nothing")
        case Authority():
            words = f"{content.kind} since {content.round}"
            return Described(f"{words} by {content.transition}" if content.transition else words)
        case tuple():
            shown = " ".join(str(one) for one in content if isinstance(one, str))
            return Described(shown or json.dumps(content_json(content), ensure_ascii=False))
    return Described(describe(content_json(content)))
