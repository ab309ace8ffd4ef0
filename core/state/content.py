"""What is wrong in the content of a whole artifact."""

from collections import Counter
from collections.abc import Iterator

from mnemoscope.core.state.component import (
    Component,
    Layer,
    Part,
    cell,
    member,
    members,
    order,
    rule,
    sequence,
)
from mnemoscope.core.state.schema import Axis, Schema
from mnemoscope.core.state.targets import CUES

__all__ = ["content_problems"]


def content_problems(schema: Schema, layer: Layer) -> Iterator[tuple[Component, object, str]]:
    """What is wrong in the primary components of a layer: where, found, expected."""
    entities = members(layer)
    for entity in entities:
        for field in schema.fields:
            content = layer.get(cell(entity, field.key))
            problem = field.problem(content)
            if problem:
                yield cell(entity, field.key), content, problem
    names = schema.name_field
    if names is not None:
        counts = Counter(layer.get(cell(entity, names.key)) for entity in entities)
        for entity in entities:
            where = cell(entity, names.key)
            if counts[layer.get(where)] > 1:
                yield where, layer.get(where), "a name of no other entity"
    for declared in schema.rules:
        content = layer.get(rule(declared.key))
        problem = schema.rule_problem(declared.key, content)
        if problem:
            yield rule(declared.key), content, problem
    yield from _order_problems(schema, layer)
    yield from _strangers(schema, layer)


def _order_problems(schema: Schema, layer: Layer) -> Iterator[tuple[Component, object, str]]:
    for key, ordering in schema.ordering_by_key.items():
        match ordering.axis:
            case Axis.ENTITIES:
                wanted = [one.entity for one in layer if one.part is Part.MEMBER]
            case Axis.FIELDS:
                wanted = list(schema.field_by_key)
            case Axis.GROUPS:
                wanted = list(schema.field_by_key[ordering.field].choices)
        found = sequence(layer, key)
        if Counter(found) != Counter(wanted):
            yield order(key), " ".join(found), f"an order of {' '.join(wanted)}"


def _strangers(schema: Schema, layer: Layer) -> Iterator[tuple[Component, object, str]]:
    """Components that the schema does not know, and stylings that are none."""
    for one, content in layer.items():
        if one.part in (Part.CELL, Part.CUE):
            if member(one.entity) not in layer or one.field not in schema.field_by_key:
                yield one, content, "a field of the schema and an entity that is there"
            elif one.part is Part.CUE and content not in CUES:
                yield one, content, "bold, italic or both"
        elif one.part is Part.RULE and one.field not in schema.rule_by_key:
            yield one, content, "a rule of the schema"
        elif one.part is Part.ORDER and one.field not in schema.ordering_by_key:
            yield one, content, "an ordering of the schema"
