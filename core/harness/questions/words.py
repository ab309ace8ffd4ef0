"""How questions word cells, values, lists and images."""

from collections.abc import Iterable

from mnemoscope.core.harness.wording import text_of
from mnemoscope.core.state.component import ABSENT, Maybe
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.schema import Schema

__all__ = ["amount", "column", "joined", "quoted", "with_unit"]


def joined(items: Iterable[str], last: str = "and") -> str:
    """Things in a row: ``a, b and c``."""
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end


def quoted(text: str) -> str:
    """A title, or a value that is no number, as it stands in a sentence."""
    return f"“{text}”"


def column(schema: Schema, key: str) -> str:
    """A field or dependency in a sentence: ``latency figure``, ``family entry``, ``name``.

    The capital of its heading goes unless it is an abbreviation.
    """
    heading = schema.heading(key)
    plain = heading[:1].lower() + heading[1:] if heading[1:2].islower() else heading
    field = schema.field_by_key.get(key)
    if field is not None and field.role is FieldRole.NAME:
        return "name"
    dependency = schema.dependency_by_key.get(key)
    numeric = (
        field.kind is FieldKind.NUMBER
        if field
        else dependency and not isinstance(dependency.outcomes[0], str)
    )
    return f"{plain} figure" if numeric else f"{plain} entry"


def with_unit(number: str, unit: str) -> str:
    """A number with its unit: ``$0.320/task``, ``61.5%``, ``34.1 s``."""
    if unit.startswith("$"):
        return f"-${number[1:]}{unit[1:]}" if number.startswith("-") else f"${number}{unit[1:]}"
    return f"{number}{unit}" if not unit or unit.startswith(("%", "/")) else f"{number} {unit}"


def amount(schema: Schema, key: str, content: Maybe) -> str:
    """A content in a sentence."""
    if content is None or content is ABSENT:
        return "blank"
    text = text_of(schema, key, content)
    if isinstance(content, bool) or not isinstance(content, int | float):
        return quoted(text)
    return with_unit(text, schema.unit(key))
