"""Components: the addressable pieces of a state, and layers of them.

G and W are flat maps from components to contents, so that differences, the frame condition,
before-images and projections are all said in the same words.
"""

from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from typing import NamedTuple, cast

from mnemoscope.core.state.rule import Clause, Priority
from mnemoscope.core.state.values import Scalar, same_scalar

__all__ = [
    *("ABSENT", "ENTITIES", "Absent", "Component", "Content", "Layer", "Maybe", "Part"),
    *("cell", "changed", "cue", "member", "members", "order", "rule", "with_contents"),
]


class Part(StrEnum):
    """What kind of piece a component is."""

    MEMBER = "member"
    """That an entity belongs to the set; its content is true."""
    CELL = "cell"
    """The value of a field: a name, group, status, annotation or substantive value."""
    ORDER = "order"
    """An ordering: the sequence of its members."""
    RULE = "rule"
    """A threshold, predicate or priority."""
    DEPENDENT = "dependent"
    """A recomputed quantity: of an entity, of a group, or of the whole."""
    CUE = "cue"
    """Whole-cell styling that the artifact shows."""


class Component(NamedTuple):
    """The address of a piece of state; the same in G, W and A."""

    part: Part
    entity: str = ""
    """The entity's stable key; for a dependent of a group the group, of the whole nothing."""
    field: str = ""
    """The key of the field, ordering, rule or dependency."""

    def __str__(self) -> str:
        where = ".".join(filter(None, (self.entity, self.field)))
        return where if self.part in (Part.CELL, Part.DEPENDENT) else f"{self.part} {where}"


class Absent(Enum):
    """The type of :data:`ABSENT`."""

    ABSENT = "absent"

    def __str__(self) -> str:
        return "nothing"


ABSENT = Absent.ABSENT
"""That a component is not there; a blank cell is there and holds None."""

Content = Scalar | Priority | tuple[str, ...] | tuple[Clause, ...]
Maybe = Content | Absent
Layer = Mapping[Component, Content]
"""One sheet of state: G, W, what is shown, or an artifact of another context."""

ENTITIES = "entities"
"""The ordering that every layer has: its entities."""
_ENTITIES = Component(Part.ORDER, "", ENTITIES)


def member(entity: str) -> Component:
    """The membership of an entity."""
    return Component(Part.MEMBER, entity)


def cell(entity: str, field: str) -> Component:
    """A cell."""
    return Component(Part.CELL, entity, field)


def order(name: str = ENTITIES) -> Component:
    """An ordering."""
    return Component(Part.ORDER, "", name)


def rule(key: str) -> Component:
    """A rule."""
    return Component(Part.RULE, "", key)


def cue(entity: str, field: str) -> Component:
    """The styling of a cell."""
    return Component(Part.CUE, entity, field)


def sequence(layer: Layer, name: str = ENTITIES) -> tuple[str, ...]:
    """The members of an ordering in their order; empty when the layer has no such ordering."""
    found = layer.get(order(name), ())
    return tuple(str(one) for one in found) if isinstance(found, tuple) else ()


def members(layer: Layer) -> tuple[str, ...]:
    """The keys of the entities of a layer, in order."""
    found = layer.get(_ENTITIES, ())
    # The ordering of entities holds their keys; a file can say anything, and the audit names it.
    return cast(tuple[str, ...], found) if isinstance(found, tuple) else ()


def changed(before: Layer, after: Layer) -> dict[Component, tuple[Maybe, Maybe]]:
    """The components whose content differs, with both contents."""
    if before is after:
        return {}
    found: dict[Component, tuple[Maybe, Maybe]] = {}
    for component, content in after.items():
        old = before.get(component, ABSENT)
        if old is not content and not same_scalar(old, content):
            found[component] = (old, content)
    for component, content in before.items():
        if component not in after:
            found[component] = (content, ABSENT)
    return found


def with_contents(layer: Layer, contents: Iterable[tuple[Component, Maybe]]) -> Layer:
    """A layer with some contents replaced, added or taken out."""
    result = dict(layer)
    for component, content in contents:
        if isinstance(content, Absent):
            result.pop(component, None)
        else:
            result[component] = content
    return result
