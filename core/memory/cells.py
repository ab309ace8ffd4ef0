"""Cells that a ledger-like memory holds, as its items say them in their attributes.

An item of kind ``cell`` holds one value of one entity: ``{"entity": "Munch", "field": "acc",
"accepted": 79.6}``, and where the system keeps them apart also ``visual``, ``shown``, ``context``
and ``authority``. ``docs/formats.md`` says what each means.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mnemoscope.core.memory.items import ItemKind
from mnemoscope.core.model.values import value

if TYPE_CHECKING:
    from mnemoscope.core.runs.native.schema import HeldItemForm
    from mnemoscope.core.runs.native.states import HeldStates

__all__ = [
    "SHEETS",
    "CellStep",
    "HeldCell",
    "HeldValue",
    "cell_attributes",
    "cell_of",
    "cell_steps",
]

SHEETS = ("accepted", "visual", "shown")
"""The values of a cell that a system can say, the one that counts first."""

HeldValue = None | bool | int | float | str | tuple[str, ...]
"""What a system says a cell holds; an ordering is a list of names."""


@value
class HeldCell:
    """One cell as a system holds it."""

    item: str
    """The id of the memory's item."""
    entity: str
    """What the system calls the entity; empty for a quantity of the whole."""
    field: str
    values: Mapping[str, HeldValue]
    """By sheet; what it does not say is not there."""
    context: str = ""
    """Empty for the context that the scenario is about."""
    authority: str = ""
    rounds: tuple[str, ...] = ()
    """The rounds that the item comes from."""


@value
class CellStep:
    """What one round did to the cells that a system holds."""

    index: int
    """The round's position in the history."""
    put: tuple[HeldCell, ...]
    """Cells as they are from now on, new or changed."""
    gone: tuple[str, ...]
    """Ids of items that are no longer held, or no longer say a cell."""
    unreadable: tuple[str, ...] = ()
    """Ids of items of kind ``cell`` whose attributes say none."""


def cell_attributes(
    entity: str,
    field: str,
    accepted: HeldValue,
    *,
    visual: HeldValue = None,
    shown: HeldValue = None,
    context: str = "",
    authority: str = "",
) -> dict[str, Any]:
    """The attributes of an item that holds a cell; what is None or empty is left out.

    Args:
        entity: The entity's displayed name, or its key.
        field: The field's heading, or its key.
        accepted: The value that the system takes to be true now.
        visual: The value of the last artifact that is in force, where the system keeps it apart.
        shown: The value on the last artifact that was uploaded.
        context: The context of an artifact that is about something else.
        authority: ``visual``, ``text_backed`` or ``visual_declared``.
    """
    said = {"visual": visual, "shown": shown, "context": context, "authority": authority}
    found: dict[str, Any] = {"entity": entity, "field": field, "accepted": _json(accepted)}
    return found | {name: _json(one) for name, one in said.items() if one not in (None, "")}


# Any: a JSON value.
def _json(held: Any) -> Any:
    return list(held) if isinstance(held, tuple) else held


def cell_of(item: "HeldItemForm") -> HeldCell | None:
    """The cell that an item says; None when its attributes say none."""
    said = item.attributes
    entity, field = said.get("entity", ""), said.get("field")
    values = {name: said[name] for name in SHEETS if name in said}
    if not isinstance(field, str) or not field or not isinstance(entity, str | None) or not values:
        return None
    for name, one in values.items():
        if isinstance(one, list) and all(isinstance(each, str) for each in one):
            values[name] = tuple(one)
        elif not isinstance(one, None | bool | int | float | str):
            return None
    context, authority = said.get("context"), said.get("authority")
    return HeldCell(
        item.id,
        entity or "",
        field,
        values,
        context if isinstance(context, str) else "",
        authority if isinstance(authority, str) else "",
        item.rounds,
    )


def cell_steps(states: "HeldStates") -> Iterator[CellStep]:
    """What each round did to the cells of a memory, in order; rounds that did nothing are left out.

    A memory without items of kind ``cell`` has no steps.
    """
    known: set[str] = set()
    for line in states.lines:
        put, gone, unreadable = [], list(line.removed), []
        for item in (*line.added, *line.changed):
            cell = cell_of(item) if item.kind == ItemKind.CELL else None
            if cell is not None:
                put.append(cell)
                known.add(item.id)
            else:
                gone.append(item.id)
                unreadable += [item.id] if item.kind == ItemKind.CELL else []
        left = tuple(one for one in gone if one in known)
        if put or left or unreadable:
            yield CellStep(line.index, tuple(put), left, tuple(unreadable))


def cells_after(steps: Sequence[CellStep], index: int) -> Mapping[str, HeldCell]:
    """The cells that a memory held after the round at a position, by item."""
    held: dict[str, HeldCell] = {}
    for step in steps:
        if step.index > index:
            break
        held.update({one.item: one for one in step.put})
        for item in step.gone:
            held.pop(item, None)
    return held
