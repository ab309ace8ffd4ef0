"""Inventories: how many transitions of each operator a scenario is to have."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice

from mnemoscope.core.state.operators import COMPOSED, OPERATORS, Operator, Origin

__all__ = ["Inventory", "default_inventory", "needed_turns", "visual_parts"]

_O = Operator
_DENSE = (
    *(_O.VISUAL_CELL_EDIT, _O.VISUAL_ENTITY_ADD, _O.VISUAL_CELL_AUTHORITY),
    *(_O.VISUAL_UPDATE_DISREGARDED, _O.WRONG_CONTEXT_ARTIFACT, _O.COMPOSITE, _O.VISUAL_CELL_EDIT),
    *(_O.VISUAL_ENTITY_REMOVE, _O.VISUAL_UPDATE_REINSTATED, _O.VISUAL_BLOCK_EDIT),
    *(_O.VISUAL_ENTITY_RENAME, _O.VISUAL_BLOCK_AUTHORITY, _O.VISUAL_STATUS_EDIT),
    *(_O.VISUAL_STYLE_EDIT, _O.VISUAL_REORDER, _O.VISUAL_NOOP_REVISION),
    *(_O.VISUAL_CELL_EDIT, _O.VISUAL_BLOCK_EDIT, _O.VISUAL_ENTITY_ADD, _O.VISUAL_CELL_EDIT),
    *(_O.VISUAL_CELL_AUTHORITY, _O.VISUAL_ENTITY_RENAME, _O.COMPOSITE, _O.VISUAL_ENTITY_REMOVE),
    *(_O.VISUAL_CELL_EDIT, _O.VISUAL_ENTITY_ADD),
)
"""Operators with an artifact of the task, the most telling first; every one comes early."""
_TEXTS = (
    *(_O.TEXT_CELL_EDIT, _O.TEXT_UPDATE_DISREGARDED, _O.TEXT_ENTITY_ADD, _O.TEXT_RULE_CHANGE),
    *(_O.TEXT_UPDATE_REINSTATED, _O.TEXT_ENTITY_REMOVE, _O.TEXT_BLOCK_EDIT),
    *(_O.TEXT_GROUP_REASSIGN, _O.TEXT_STATUS_CHANGE, _O.TEXT_ENTITY_RENAME, _O.TEXT_REORDER),
)
_MORE_TEXTS = (
    *(_O.TEXT_CELL_EDIT, _O.TEXT_BLOCK_EDIT, _O.TEXT_CELL_EDIT, _O.TEXT_ENTITY_ADD),
    *(_O.TEXT_RULE_CHANGE, _O.TEXT_CELL_EDIT, _O.TEXT_UPDATE_REINSTATED),
    *(_O.TEXT_UPDATE_DISREGARDED, _O.TEXT_ENTITY_RENAME, _O.TEXT_GROUP_REASSIGN),
    *(_O.TEXT_ENTITY_REMOVE, _O.TEXT_STATUS_CHANGE, _O.TEXT_REORDER, _O.TEXT_CELL_EDIT),
    *(_O.TEXT_BLOCK_EDIT, _O.TEXT_CELL_EDIT, _O.TEXT_RULE_CHANGE, _O.TEXT_ENTITY_ADD),
)
_FULLEST, _USUAL = 0.9, 0.58
"""Of all turns the share with updates: at most, so that every operator comes; and usually."""


def default_inventory(turns: int, visuals: int) -> dict[Operator, int]:
    """How many transitions of each operator make a scenario of some size.

    Args:
        turns: How many messages of user and assistant together.
        visuals: How many dense visuals, the initial one included.

    Returns:
        Every operator at least once where there is room, the most telling ones else. What
        composites take (`Inventory.consume`) is counted in.
    """
    blocks, uploads = turns // 2, visuals - 1
    chosen: list[Operator] = []
    for operator in islice(cycle(_DENSE), 4 * max(uploads, 1)):
        if len(chosen) - _composed(chosen.count(_O.COMPOSITE)) >= uploads:
            break
        chosen.append(operator)
    used = 1 + uploads + _later(chosen)
    if used < blocks * _FULLEST:
        chosen.append(_O.UNRELATED_VISUAL)
        used += 1
    for operators, share in ((_TEXTS, _FULLEST), (cycle(_MORE_TEXTS), _USUAL)):
        for operator in operators:
            if used + len(OPERATORS[operator].events) > blocks * share:
                break
            chosen.append(operator)
            used += len(OPERATORS[operator].events)
    return {one: chosen.count(one) for one in Operator if one in chosen}


def _composed(composites: int) -> int:
    """The visual parts of some composites: one and two by turns."""
    return composites + composites // 2


def visual_parts(nth: int) -> int:
    """How many visual parts a composite has, counted from 0: one and two by turns."""
    return 1 + nth % 2


def _later(operators: Iterable[Operator]) -> int:
    """How many later events lifecycles have."""
    return sum(len(OPERATORS[one].events) - 1 for one in operators)


def needed_turns(counts: Mapping[Operator, int]) -> int:
    """How many turns an inventory takes at most, with no normal turns between."""
    updates = sum(count * len(OPERATORS[one].events) for one, count in counts.items())
    return 2 * (1 + updates)


class Inventory:
    """What is left of an inventory while a trajectory is made: ``c`` of Algorithm 1."""

    def __init__(self, counts: Mapping[Operator, int]) -> None:
        self.left = {one: counts.get(one, 0) for one in Operator}
        self.used = dict.fromkeys(Operator, 0)

    @property
    def events(self) -> int:
        """How many turns with updates it still holds, later events included."""
        return sum(count * len(OPERATORS[one].events) for one, count in self.left.items())

    @property
    def open(self) -> tuple[Operator, ...]:
        """The operators with something left, in the paper's order."""
        return tuple(one for one, count in self.left.items() if count)

    def spare(self, operator: Operator) -> int:
        """How many a composite may take so that the operator still comes on its own."""
        return max(self.left[operator] - (0 if self.used[operator] else 1), 0)

    def is_kept(self, operator: Operator) -> bool:
        """Whether an operator is kept back for the visual parts of composites still to come."""
        pool, _, _ = COMPOSED[Origin.VISUAL]
        if operator not in pool or not self.used[operator]:
            return False
        return not self.leaves_enough([operator], self.left[Operator.COMPOSITE])

    def leaves_enough(self, taken: Sequence[Operator], composites: int) -> bool:
        """Whether the last composites find their visual parts when some are taken before.

        Args:
            taken: What is taken.
            composites: How many composites are still to come after that; the parts of one are of
                different operators.
        """
        pool, _, _ = COMPOSED[Origin.VISUAL]
        first = self.used[Operator.COMPOSITE] + self.left[Operator.COMPOSITE] - composites
        needed = sum(visual_parts(first + nth) for nth in range(composites))
        spare = (max(self.spare(one) - taken.count(one), 0) for one in pool)
        return sum(min(one, composites) for one in spare) >= needed

    def consume(self, operator: Operator, parts: Iterable[Operator] = ()) -> None:
        """Take a transition out, and the parts of a composite as far as there are any."""
        self.left[operator] -= 1
        self.used[operator] += 1
        for one in parts:
            self.left[one] = max(self.left[one] - 1, 0)
