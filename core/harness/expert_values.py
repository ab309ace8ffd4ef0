"""What the expert proposer writes into cells and blocks: plausible, other than before."""

from collections.abc import Collection, Sequence
from decimal import Decimal

from mnemoscope.core.harness.beginning import drawn_value
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.harness.task import Task
from mnemoscope.core.state.component import Component, Layer, Maybe, cell
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.operators import OPERATORS, Origin
from mnemoscope.core.state.values import Number, Scalar, add, divide, exact, multiply, rounded

__all__ = ["another_value", "revised_value", "row_of", "seen_together", "shift_of"]

_TRIES = 24
_CLOSE = 0.85
"""How often a number is revised rather than drawn anew."""
_MOVES = 0.02, 0.2
"""By which part of itself a revised number moves."""
_SHARES = ("0.01", "0.02", "0.03", "0.05", "0.08")


def seen_together(task: Task, chance: Chance, roles: Collection[FieldRole]) -> list[Field]:
    """The fields of some roles; for artifacts often only those that one kind of them shows."""
    fields = [one for one in task.pack.state_schema.fields if one.role in roles]
    if OPERATORS[task.operator].origin is Origin.TEXT:
        return fields
    shown = chance.pick(task.pack.artifacts).fields
    return [one for one in fields if one.key in shown] or fields


def row_of(pack: Pack, layer: Layer, entity: str) -> dict[str, Scalar]:
    """The values of an entity."""
    row: dict[str, Scalar] = {}
    for field in pack.state_schema.fields:
        content = layer.get(cell(entity, field.key))
        if isinstance(content, bool | int | float | str):
            row[field.key] = content
    return row


def another_value(
    pack: Pack, chance: Chance, field: Field, row: dict[str, Scalar], unlike: Collection[Maybe]
) -> Scalar:
    """A plausible value of a field; None when all that are found are among those to avoid."""
    for _ in range(_TRIES):
        new = drawn_value(pack, chance, field.key, row)
        if new is not None and new not in unlike:
            return new
    rest = [one for one in field.choices if one not in unlike]
    if field.kind is FieldKind.FLAG:
        return next((one for one in (True, False) if one not in unlike), None)
    return chance.pick(rest) if rest else None


def revised_value(
    pack: Pack, chance: Chance, field: Field, row: dict[str, Scalar], unlike: Collection[Maybe]
) -> Scalar:
    """What a correction makes of a value: numbers mostly move by some percent.

    Returns:
        None when all that are found are among those to avoid.
    """
    old = row.get(field.key)
    number = isinstance(old, int | float) and not isinstance(old, bool)
    if number and chance.share() < _CLOSE:
        assert isinstance(old, int | float)
        for _ in range(_TRIES):
            by = multiply(exact(old), exact(chance.number(*_MOVES)))
            new = rounded(add(exact(old), _steps(pack, chance, field, by)), field.decimals)
            if not field.problem(new) and new not in unlike:
                return new
    return another_value(pack, chance, field, row, unlike)


def _steps(pack: Pack, chance: Chance, field: Field, by: Decimal) -> Decimal:
    """A difference up or down, of one step in which the field is drawn or more."""
    step = exact(_step_of(pack, field))
    steps = divide(abs(by), step)
    assert steps is not None
    return multiply(step, Decimal(max(int(rounded(steps, 0)), 1) * chance.pick((1, -1))))


def _step_of(pack: Pack, field: Field) -> Number:
    decimals = field.decimals if field.decimals is not None else 2
    return pack.draws[field.key].step or rounded(Decimal(1).scaleb(-decimals), decimals)


def shift_of(
    pack: Pack, chance: Chance, field: Field, cells: Sequence[Component], layer: Layer
) -> Number | None:
    """A small amount to shift cells by, in steps in which their field is drawn."""
    numbers = [
        exact(found)
        for found in map(layer.get, cells)
        if isinstance(found, int | float) and not isinstance(found, bool)
    ]
    if not numbers:
        return None
    mean = divide(sum((abs(one) for one in numbers), Decimal(0)), Decimal(len(numbers)))
    assert mean is not None
    by = multiply(mean, Decimal(chance.pick(_SHARES)))
    return rounded(_steps(pack, chance, field, by), field.decimals)
