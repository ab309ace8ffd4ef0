"""Mutations: what a transition is to change, as its operator needs it said."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import ABSENT, Absent, Content, Layer
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.state.values import Number, Scalar

__all__ = [
    *("Block", "CellValue", "Composed", "CueValue", "Mutation", "NewEntity", "RuleContent"),
    "Transform",
]


@value
class CellValue:
    """A cell with its new value, or with an exact difference to the one before."""

    entity: str
    field: str
    value: Scalar | Absent = ABSENT
    delta: Number | None = None


class Transform(StrEnum):
    """What is done to each cell of a block; blank cells stay blank."""

    SHIFT = "shift"
    """Add the amount."""
    SCALE = "scale"
    """Multiply by the amount, rounded as the field is."""
    SET = "set"
    """Set to the amount, blank cells too."""


@value
class Block:
    """One transformation of a coherent region: some entities times some fields."""

    transform: Transform
    amount: Scalar
    entities: tuple[str, ...] = ()
    """None named: all of them."""
    fields: tuple[str, ...] = ()
    """None named: every substantive field that the transformation can be done to."""

    @property
    def is_whole(self) -> bool:
        """Whether it is the one global transformation: every entity."""
        return not self.entities


@value
class NewEntity:
    """An entity to add."""

    key: str
    values: Mapping[str, Scalar]


@value
class CueValue:
    """A cell with its new styling: ``bold``, ``italic``, ``bold italic``, or empty for none."""

    entity: str
    field: str
    cue: str


@value
class RuleContent:
    """A rule with its new content."""

    key: str
    content: Content


@value
class Composed:
    """One atomic update of a composite."""

    operator: Operator
    mutation: "Mutation"


@value
class Mutation:
    """What a transition changes; an operator fills exactly the part that it changes."""

    cells: tuple[CellValue, ...] = ()
    blocks: tuple[Block, ...] = ()
    added: tuple[NewEntity, ...] = ()
    removed: tuple[str, ...] = ()
    cues: tuple[CueValue, ...] = ()
    rules: tuple[RuleContent, ...] = ()
    """Of a rule change; of a reordering the priority that replaces another."""
    order: str = ""
    """The ordering to change."""
    sequence: tuple[str, ...] = ()
    """Its members in their new order."""
    context: str = ""
    """The context of a wrong-context artifact."""
    content: Layer | None = None
    """What that artifact shows."""
    parts: tuple[Composed, ...] = ()
    reason: str = ""
    """What things changed at once have in common, in words."""
    block: str = ""
    """The group that entities removed at once are all in."""

    # Any: the parts have different types.
    def filled(self) -> dict[str, Any]:
        """The parts that hold something, by name."""
        names = ("cells", "blocks", "added", "removed", "cues", "rules", "content", "parts")
        found = {name: getattr(self, name) for name in names if getattr(self, name)}
        if self.order or self.sequence:
            found["order"] = self.order
        return found
