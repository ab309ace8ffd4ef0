"""How values stand in truth files: scalars, numbers, and what a component can hold."""

import math
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from mnemoscope.core.state.component import ABSENT
from mnemoscope.core.state.rule import Clause, Comparison, Priority
from mnemoscope.core.state.values import is_number

__all__ = ["ContentValue", "NumberValue", "ScalarValue", "content_json", "nothing"]


def _is_scalar(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | str)


def _scalar(value: object) -> object:
    if not _is_scalar(value):
        raise ValueError("text, a finite number, true, false or null")
    return value


def _number(value: object) -> object:
    if value is not None and not is_number(value):
        raise ValueError("a finite number")
    return value


def _clause(value: object) -> Clause:
    match value:
        case {"field": str(field), "comparison": str(comparison), "value": other, **rest} if (
            not rest and _is_scalar(other)
        ):
            return Clause(field, Comparison(comparison), other)
    raise ValueError


def _content(value: object) -> object:
    if _is_scalar(value) or isinstance(value, tuple | Priority):
        return value
    try:
        match value:
            case {"field": str(field), "descending": bool(descending), **rest} if not rest:
                return Priority(field, descending)
            case [str(), *_] if all(isinstance(one, str) for one in value):
                return tuple(value)
            case [*clauses]:
                return tuple(_clause(one) for one in clauses)
    except ValueError:
        pass
    raise ValueError("a value, a list of keys, a list of clauses or a priority")


def content_json(content: Any) -> Any:
    """The content of a component as it stands in a file."""
    match content:
        case Priority():
            return {"field": content.field, "descending": content.descending}
        case Clause():
            return {
                "field": content.field,
                "comparison": content.comparison.value,
                "value": content.value,
            }
        case tuple():
            return [content_json(one) for one in content]
    return content


# Any: what a cell can hold has no single type.
_SCALAR: dict[str, Any] = {"type": ["null", "boolean", "number", "string"]}
_CLAUSE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "field": {"type": "string"},
        "comparison": {"enum": [one.value for one in Comparison]},
        "value": _SCALAR,
    },
    "required": ["field", "comparison", "value"],
    "additionalProperties": False,
}
_PRIORITY: dict[str, Any] = {
    "type": "object",
    "properties": {"field": {"type": "string"}, "descending": {"type": "boolean"}},
    "required": ["field", "descending"],
    "additionalProperties": False,
}
ScalarValue = Annotated[Any, PlainValidator(_scalar), WithJsonSchema(_SCALAR)]
NumberValue = Annotated[Any, PlainValidator(_number), WithJsonSchema({"type": ["null", "number"]})]
ContentValue = Annotated[
    Any,
    PlainValidator(_content),
    PlainSerializer(content_json),
    WithJsonSchema(
        {
            "anyOf": [
                _SCALAR,
                {"type": "array", "items": {"type": "string"}},
                {"type": "array", "items": _CLAUSE},
                _PRIORITY,
            ]
        }
    ),
]


def nothing() -> Any:
    """What stands for a key that is left out: that there is no such piece of state."""
    return ABSENT
