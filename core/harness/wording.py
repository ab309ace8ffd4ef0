"""How artifacts write contents, headings and rules."""

from collections.abc import Mapping

from mnemoscope.core.state.component import Layer, Maybe, cell
from mnemoscope.core.state.dependency import DependencyKind
from mnemoscope.core.state.rule import Clause, Comparison, Priority
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import Scalar

__all__ = ["BLANK", "heading_of", "name_of", "rule_text", "text_of"]

BLANK = "-"
"""How a blank cell looks."""
_WORDS: Mapping[Comparison, str] = {
    Comparison.IS: "is",
    Comparison.IS_NOT: "is not",
    Comparison.LESS: "below",
    Comparison.AT_MOST: "at most",
    Comparison.AT_LEAST: "at least",
    Comparison.GREATER: "above",
}


def text_of(schema: Schema, key: str, content: Maybe) -> str:
    """A content of a field or dependency, with the digits that are declared for it."""
    if content is None:
        return BLANK
    if isinstance(content, bool):
        return "yes" if content else "no"
    if isinstance(content, int | float):
        return _number(content, _decimals(schema, key))
    return str(content)


def _decimals(schema: Schema, key: str) -> int | None:
    field = schema.field_by_key.get(key)
    if field is not None:
        return field.decimals
    dependency = schema.dependency_by_key.get(key)
    if dependency is None:
        return None
    if dependency.kind in (DependencyKind.RANK, DependencyKind.COUNT):
        return 0
    if dependency.decimals is None and dependency.of:
        return _decimals(schema, dependency.of[0])
    return dependency.decimals


def _number(number: int | float, decimals: int | None) -> str:
    if decimals is not None:
        return f"{number:,.{decimals}f}"
    return f"{number:,}"


def heading_of(schema: Schema, key: str) -> str:
    """The heading of a column, with its unit."""
    unit = schema.unit(key)
    return f"{schema.heading(key)} ({unit})" if unit else schema.heading(key)


def name_of(schema: Schema, layer: Layer, entity: str) -> str:
    """The displayed name of an entity in a layer."""
    names = schema.name_field
    found = layer.get(cell(entity, names.key)) if names else None
    return str(found) if found is not None else entity


def rule_text(schema: Schema, key: str, content: Maybe) -> str:
    """A rule in words."""
    name = schema.heading(key)
    if isinstance(content, Priority):
        way = "highest" if content.descending else "lowest"
        return f"{name}: {heading_of(schema, content.field)}, {way} first"
    if isinstance(content, tuple):
        clauses = (_clause(schema, one) for one in content if isinstance(one, Clause))
        return f"{name}: {' and '.join(clauses)}"
    unit = schema.unit(key)
    return f"{name}: {text_of(schema, key, content)}{unit and f' {unit}'}"


def _clause(schema: Schema, one: Clause) -> str:
    value: Scalar = one.value
    text = text_of(schema, one.field, value)
    unit = schema.unit(one.field) if isinstance(value, int | float) else ""
    with_unit = f"{text} {unit}" if unit and not isinstance(value, bool) else text
    return f"{schema.heading(one.field)} {_WORDS[one.comparison]} {with_unit}"
