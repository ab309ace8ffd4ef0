"""How questions word the columns of a table."""

from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.schema import Schema

__all__ = ["column"]


def column(schema: Schema, key: str) -> str:
    """A field or dependency in a sentence: ``latency figure``, ``family entry``, ``name``.

    The capital of its heading goes unless it is an abbreviation.
    """
    heading = schema.heading(key)
    plain = heading[:1].lower() + heading[1:] if heading[1:2].islower() else heading
    field = schema.field_by_key.get(key)
    if field is not None:
        if field.role is FieldRole.NAME:
            return "name"
        numeric = field.kind is FieldKind.NUMBER
    else:
        numeric = not isinstance(schema.dependency_by_key[key].outcomes[0], str)
    return f"{plain} figure" if numeric else f"{plain} entry"
