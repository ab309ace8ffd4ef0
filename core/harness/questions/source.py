"""Sources: what of a conversation an answer can rest on, and what each of them says.

Nothing here knows of recorded changes: a text says what its mutation says, an image what it shows.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Component, Content, Part, member
from mnemoscope.core.state.field import FieldKind
from mnemoscope.core.state.mutation import Block, Mutation, Transform
from mnemoscope.core.state.operators import OPERATORS, Event, Operator, Origin
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.transition import Transition

__all__ = ["Item", "Source", "SourceKind", "block_touches", "items_of", "stated", "touches"]


class SourceKind(StrEnum):
    """What it is."""

    ROUND = "round"
    """What the user writes in a round."""
    IMAGE = "image"
    """What an uploaded image shows."""


class Source(NamedTuple):
    """A round's text, or an image."""

    place: int
    """The number of its block, from 0."""
    kind: SourceKind
    id: str
    """Of the round, or of the attachment."""


@value
class Item:
    """What one block brings: its text, its image, or both."""

    place: int
    text: Source
    """What its text is as a source; it says nothing when the block is a normal one."""
    image: Source | None = None
    """Its image; only those that have to do with the task."""
    context: str = ""
    """Of an image of another context: which."""
    shows: Mapping[Component, Content] | None = None
    """What its image displays."""
    entities: frozenset[str] = frozenset()
    """Those that are on its image."""
    transition: Transition | None = None
    says: tuple[Mutation, ...] = ()
    """What its text states: the values are in the text."""
    declares: tuple[Mutation, ...] = ()
    """What its text authorises of its image: the cells are in the text, the values are not."""


def items_of(scenario: Scenario) -> Iterator[Item]:
    """What each block of a scenario brings, for those that bring anything of the task."""
    records = scenario.truth.trajectory.record_by_id
    own = scenario.truth.trajectory.initial.context
    for place, block in enumerate(scenario.blocks):
        transition = records[block.transition].transition if block.transition else None
        says, declares = stated(transition)
        image, context, shows = None, "", None
        if block.picture and scenario.pictures[block.picture].artifact:
            image = Source(place, SourceKind.IMAGE, block.picture)
            truth = scenario.artifact_by_id[block.picture]
            context = "" if truth.context == own else truth.context
            displayed = scenario.exhibit(block.picture).displayed
            shows = {one: truth.shows[one] for one in displayed if one in truth.shows}
        if transition is None and image is None:
            continue
        entities = frozenset(one.entity for one in shows or () if one.part is Part.MEMBER)
        text = Source(place, SourceKind.ROUND, block.round)
        yield Item(place, text, image, context, shows, entities, transition, says, declares)


def stated(one: Transition | None) -> tuple[tuple[Mutation, ...], tuple[Mutation, ...]]:
    """What the text of a turn states, and what it authorises."""
    says: list[Mutation] = []
    declares: list[Mutation] = []
    if one is None or one.event is not Event.APPLY:
        return (), ()
    parts = [(one.atomic, one.mutation)]
    if one.operator is Operator.COMPOSITE:
        parts = [(part.operator, part.mutation) for part in one.mutation.parts]
    for operator, mutation in parts:
        origin = OPERATORS[operator].origin
        if origin is Origin.TEXT:
            says.append(mutation)
        elif origin is Origin.DECLARED:
            declares.append(mutation)
    return tuple(says), tuple(declares)


def touches(schema: Schema, mutation: Mutation, where: Component) -> bool:
    """Whether a mutation is about a component."""
    owned = where.part in (Part.MEMBER, Part.CELL, Part.CUE)
    return (
        any(where == (Part.CELL, one.entity, one.field) for one in mutation.cells)
        or any(block_touches(schema, one, where) for one in mutation.blocks)
        or any(owned and one.key == where.entity for one in mutation.added)
        or (owned and where.entity in mutation.removed)
        or any(where == (Part.RULE, "", one.key) for one in mutation.rules)
        or (bool(mutation.order) and where == (Part.ORDER, "", mutation.order))
        or any(where == (Part.CUE, one.entity, one.field) for one in mutation.cues)
        or any(touches(schema, one.mutation, where) for one in mutation.parts)
    )


def block_touches(schema: Schema, block: Block, where: Component) -> bool:
    """Whether a block has a cell, where its entity is there."""
    if where.part is not Part.CELL or (block.entities and where.entity not in block.entities):
        return False
    if block.fields:
        return where.field in block.fields
    field = schema.field_by_key[where.field]
    numeric = block.transform is Transform.SET or field.kind is FieldKind.NUMBER
    return numeric and field.role == "value"


def owner(where: Component) -> Component | None:
    """The membership that a cell needs; None for what belongs to no entity."""
    return member(where.entity) if where.part is Part.CELL else None
