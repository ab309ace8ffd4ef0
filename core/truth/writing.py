"""From the truth to the form of its file."""

from collections.abc import Mapping
from typing import Any

from mnemoscope.core.state.authority import Authority
from mnemoscope.core.state.component import ABSENT, Component, Content, Layer, Part, members
from mnemoscope.core.state.mutation import CellValue, Mutation
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.transition import Record
from mnemoscope.core.truth.schema import TruthFile
from mnemoscope.core.truth.truth import Truth

__all__ = ["form_of"]

# Any: JSON objects.
Json = dict[str, Any]


def form_of(truth: Truth) -> TruthFile:
    """The file of a truth."""
    trajectory = truth.trajectory
    schema, initial = trajectory.schema, trajectory.initial
    return TruthFile.model_validate(
        {
            "history_id": truth.history_id,
            "context": initial.context,
            "round": initial.upload.round,
            "artifact": initial.upload.artifact,
            "fields": [_plain(one) for one in schema.fields],
            "rules": [_plain(one) for one in schema.rules],
            "dependencies": [
                {**_plain(one), "where": [_plain(clause) for clause in one.where]}
                for one in schema.dependencies
            ],
            "orderings": [_plain(one) for one in schema.orderings],
            "initial": _layer(schema, initial.visual),
            "transitions": [_transition(schema, one) for one in trajectory.records],
            "artifacts": [
                {**_plain(one), "shows": _layer(schema, one.shows)} for one in truth.artifacts
            ],
            "inventory": dict(truth.inventory),
        }
    )


def _plain(one: Any) -> Json:
    """The fields of a value by name."""
    return {name: getattr(one, name) for name in one.__slots__}


def _layer(schema: Schema, layer: Layer) -> Json:
    """A layer in the order of its entities and of the schema, however it came about."""
    entities = dict.fromkeys(members(layer))
    entities |= dict.fromkeys(one.entity for one in layer if one.part is Part.MEMBER)
    keys = [
        *(one.key for one in schema.fields),
        *(one.key for one in schema.dependencies),
        *(one.key for one in schema.rules),
        *schema.ordering_by_key,
    ]
    place = {key: at for at, key in enumerate(keys)}
    owner = {entity: at for at, entity in enumerate(entities)}

    def rank(item: tuple[Component, Content]) -> tuple[int, str, int, str]:
        one = item[0]
        return owner.get(one.entity, -1), one.entity, place.get(one.field, -1), one.field

    found: Json = {"entities": {}, "orders": {}, "rules": {}, "cues": {}, "dependents": {}}
    found["entities"] |= {entity: {} for entity in entities}
    for one, content in sorted(layer.items(), key=rank):
        match one.part:
            case Part.CELL if content is not None:
                found["entities"].setdefault(one.entity, {})[one.field] = content
            case Part.ORDER:
                found["orders"][one.field] = content
            case Part.RULE:
                found["rules"][one.field] = content
            case Part.CUE:
                found["cues"].setdefault(one.entity, {})[one.field] = content
            case Part.DEPENDENT:
                found["dependents"].setdefault(one.entity, {})[one.field] = content
    return found


def _transition(schema: Schema, record: Record) -> Json:
    one = record.transition
    return {
        **_plain(one),
        "mutation": _mutation(schema, one.mutation),
        "scope": [_component(where) for where in record.scope],
        "changes": [
            {
                **_component(change.component),
                "sheet": change.sheet,
                "cause": change.cause,
                **_there({"before": change.before, "after": change.after}),
            }
            for change in record.changes
        ],
        "authority": [
            {
                **_component(one.component),
                "before": _authority(one.before),
                "after": _authority(one.after),
            }
            for one in record.assignments
        ],
    }


def _component(where: Component) -> Json:
    return {"part": where.part, "entity": where.entity, "field": where.field}


def _there(contents: Mapping[str, Any]) -> Json:
    return {name: content for name, content in contents.items() if content is not ABSENT}


def _authority(given: Authority | None) -> Json | None:
    return None if given is None else _plain(given)


def _cell(one: CellValue) -> Json:
    return _there(_plain(one))


def _mutation(schema: Schema, mutation: Mutation) -> Json:
    return {
        **_plain(mutation),
        "cells": [_cell(one) for one in mutation.cells],
        "blocks": [_plain(one) for one in mutation.blocks],
        "added": [_plain(one) for one in mutation.added],
        "cues": [_plain(one) for one in mutation.cues],
        "rules": [_plain(one) for one in mutation.rules],
        "content": None if mutation.content is None else _layer(schema, mutation.content),
        "parts": [
            {"operator": one.operator, "mutation": _mutation(schema, one.mutation)}
            for one in mutation.parts
        ],
    }
