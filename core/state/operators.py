"""The 27 transition operators of DSV-Mem (appendix B.1): slugs, origins, budgets."""

from collections.abc import Mapping
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.field import FieldRole

__all__ = ["COMPOSED", "OPERATORS", "Event", "Operator", "Origin", "Spec"]


class Operator(StrEnum):
    """A type of transition."""

    VISUAL_CELL_EDIT = "visual_cell_edit"
    VISUAL_BLOCK_EDIT = "visual_block_edit"
    VISUAL_NOOP_REVISION = "visual_noop_revision"
    VISUAL_ENTITY_ADD = "visual_entity_add"
    VISUAL_ENTITY_REMOVE = "visual_entity_remove"
    VISUAL_ENTITY_RENAME = "visual_entity_rename"
    VISUAL_REORDER = "visual_reorder"
    VISUAL_STYLE_EDIT = "visual_style_edit"
    WRONG_CONTEXT_ARTIFACT = "wrong_context_artifact"
    VISUAL_STATUS_EDIT = "visual_status_edit"
    UNRELATED_VISUAL = "unrelated_visual"
    TEXT_CELL_EDIT = "text_cell_edit"
    TEXT_BLOCK_EDIT = "text_block_edit"
    TEXT_ENTITY_ADD = "text_entity_add"
    TEXT_ENTITY_REMOVE = "text_entity_remove"
    TEXT_ENTITY_RENAME = "text_entity_rename"
    TEXT_REORDER = "text_reorder"
    TEXT_GROUP_REASSIGN = "text_group_reassign"
    TEXT_STATUS_CHANGE = "text_status_change"
    TEXT_RULE_CHANGE = "text_rule_change"
    TEXT_UPDATE_DISREGARDED = "text_update_disregarded"
    TEXT_UPDATE_REINSTATED = "text_update_reinstated"
    VISUAL_CELL_AUTHORITY = "visual_cell_authority"
    VISUAL_UPDATE_DISREGARDED = "visual_update_disregarded"
    VISUAL_UPDATE_REINSTATED = "visual_update_reinstated"
    VISUAL_BLOCK_AUTHORITY = "visual_block_authority"
    COMPOSITE = "composite"


class Origin(StrEnum):
    """How an update is introduced."""

    VISUAL = "visual"
    TEXT = "text"
    DECLARED = "declared"
    """By an artifact that a text of the same turn authorises."""
    WRAPPED = "wrapped"
    """As the operator that it wraps."""
    MIXED = "mixed"


class Event(StrEnum):
    """The events of a lifecycle; every other transition is applied once."""

    APPLY = "apply"
    DISREGARD = "disregard"
    REINSTATE = "reinstate"


@value
class Spec:
    """What an operator may do."""

    number: int
    """Its number in the paper."""
    origin: Origin
    holds: str = ""
    """The part of a mutation that it changes; empty when it changes nothing."""
    most: int = 0
    """How many things it may change at once."""
    roles: tuple[FieldRole, ...] = ()
    """The fields whose cells it may change."""
    wraps: tuple[Operator, ...] = ()
    """Of a lifecycle: the operators that it may wrap."""
    events: tuple[Event, ...] = (Event.APPLY,)
    """The events that it consists of, in order."""


_VALUES = (FieldRole.VALUE,)
_NAMES = (FieldRole.NAME,)
_TEXTS = (
    Operator.TEXT_CELL_EDIT,
    Operator.TEXT_BLOCK_EDIT,
    Operator.TEXT_ENTITY_ADD,
    Operator.TEXT_ENTITY_REMOVE,
    Operator.TEXT_ENTITY_RENAME,
)
_VISUALS = (
    Operator.VISUAL_CELL_EDIT,
    Operator.VISUAL_BLOCK_EDIT,
    Operator.VISUAL_ENTITY_ADD,
    Operator.VISUAL_ENTITY_REMOVE,
    Operator.VISUAL_ENTITY_RENAME,
)
_DISREGARDED = (Event.APPLY, Event.DISREGARD)
_REINSTATED = (*_DISREGARDED, Event.REINSTATE)
_V, _T, _D, _W = Origin.VISUAL, Origin.TEXT, Origin.DECLARED, Origin.WRAPPED

OPERATORS: Mapping[Operator, Spec] = {
    Operator.VISUAL_CELL_EDIT: Spec(1, _V, "cells", 8, _VALUES),
    Operator.VISUAL_BLOCK_EDIT: Spec(2, _V, "blocks", 3, _VALUES),
    Operator.VISUAL_NOOP_REVISION: Spec(3, _V),
    Operator.VISUAL_ENTITY_ADD: Spec(4, _V, "added", 5),
    Operator.VISUAL_ENTITY_REMOVE: Spec(5, _V, "removed", 3),
    Operator.VISUAL_ENTITY_RENAME: Spec(6, _V, "cells", 3, _NAMES),
    Operator.VISUAL_REORDER: Spec(7, _V, "order", 1),
    Operator.VISUAL_STYLE_EDIT: Spec(8, _V, "cues", 5),
    Operator.WRONG_CONTEXT_ARTIFACT: Spec(9, _V, "content", 1),
    Operator.VISUAL_STATUS_EDIT: Spec(10, _V, "cells", 5, (FieldRole.STATUS, FieldRole.ANNOTATION)),
    Operator.UNRELATED_VISUAL: Spec(11, _V),
    Operator.TEXT_CELL_EDIT: Spec(12, _T, "cells", 8, _VALUES),
    Operator.TEXT_BLOCK_EDIT: Spec(13, _T, "blocks", 3, _VALUES),
    Operator.TEXT_ENTITY_ADD: Spec(14, _T, "added", 5),
    Operator.TEXT_ENTITY_REMOVE: Spec(15, _T, "removed", 3),
    Operator.TEXT_ENTITY_RENAME: Spec(16, _T, "cells", 3, _NAMES),
    Operator.TEXT_REORDER: Spec(17, _T, "order", 1),
    Operator.TEXT_GROUP_REASSIGN: Spec(18, _T, "cells", 5, (FieldRole.GROUP,)),
    Operator.TEXT_STATUS_CHANGE: Spec(19, _T, "cells", 5, (FieldRole.STATUS,)),
    Operator.TEXT_RULE_CHANGE: Spec(20, _T, "rules", 3),
    Operator.TEXT_UPDATE_DISREGARDED: Spec(21, _W, wraps=_TEXTS, events=_DISREGARDED),
    Operator.TEXT_UPDATE_REINSTATED: Spec(22, _W, wraps=_TEXTS, events=_REINSTATED),
    Operator.VISUAL_CELL_AUTHORITY: Spec(23, _D, "cells", 8, _VALUES),
    Operator.VISUAL_UPDATE_DISREGARDED: Spec(24, _W, wraps=_VISUALS, events=_DISREGARDED),
    Operator.VISUAL_UPDATE_REINSTATED: Spec(25, _W, wraps=_VISUALS, events=_REINSTATED),
    Operator.VISUAL_BLOCK_AUTHORITY: Spec(26, _D, "blocks", 3, _VALUES),
    Operator.COMPOSITE: Spec(27, Origin.MIXED, "parts", 5),
}
"""Every operator, in the paper's order."""

REMOVED_TOGETHER = 5
"""How many entities may go at once when they share a block or a reason."""

COMPOSED: Mapping[Origin, tuple[tuple[Operator, ...], int, int]] = {
    Origin.VISUAL: ((*_VISUALS, Operator.VISUAL_CELL_AUTHORITY), 1, 2),
    Origin.TEXT: ((*_TEXTS, Operator.TEXT_RULE_CHANGE), 2, 3),
}
"""Of a composite, by the origin of its parts: the operators, the least and the most of them."""
