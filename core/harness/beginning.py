"""Beginnings: the first state of a scenario, and rows for what comes later."""

from collections.abc import Collection, Mapping

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.pack import Combination, Draw, Pack
from mnemoscope.core.state.component import Layer, members
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.schema import Axis
from mnemoscope.core.state.state import State, Upload, initial_layer, initial_state
from mnemoscope.core.state.values import Number, Scalar, add, divide, exact, multiply, rounded

__all__ = ["drawn_row", "drawn_value", "first_layer", "first_state", "foreign_layer", "spare_names"]


def first_state(pack: Pack, seed: int, upload: Upload) -> State:
    """A random initial state; the same for the same seed.

    Args:
        pack: The scenario.
        seed: Any number.
        upload: The round and the artifact that bring it.
    """
    chance = Chance(pack.name, "beginning", seed)
    return initial_state(pack.contexts[0], first_layer(pack, chance), upload)


def first_layer(pack: Pack, chance: Chance) -> Layer:
    """A layer of plausible entities, its dependents computed."""
    count = chance.whole(*pack.entities)
    names = chance.sample(pack.names, count)
    rows = {f"{pack.entity}_{at:02}": drawn_row(pack, chance, n) for at, n in enumerate(names, 1)}
    _spread(pack, chance, rows)
    return initial_layer(
        pack.state_schema, rows, rules=pack.initial_rules, orders=_first_orders(pack)
    )


def foreign_layer(pack: Pack, chance: Chance, layer: Layer) -> Layer:
    """What an artifact of another context shows: mostly the same entities with values of their own.

    Args:
        pack: The scenario.
        chance: Where the values come from.
        layer: The visual state of the scenario's own context.
    """
    kept = chance.sample(members(layer), max(len(members(layer)) - chance.whole(0, 2), 1))
    names = pack.state_schema.name_field
    assert names is not None
    rows = {}
    for entity in members(layer):
        if entity in kept:
            known = {one.field: content for one, content in layer.items() if one.entity == entity}
            rows[entity] = drawn_row(pack, chance, str(known[names.key]))
    _spread(pack, chance, rows)
    return initial_layer(
        pack.state_schema, rows, rules=pack.initial_rules, orders=_first_orders(pack)
    )


def spare_names(pack: Pack, taken: Collection[str]) -> list[str]:
    """The names of the vocabulary that nothing has had yet."""
    return [one for one in pack.names if one not in taken]


def drawn_row(pack: Pack, chance: Chance, name: str) -> dict[str, Scalar]:
    """The values of a new entity."""
    row: dict[str, Scalar] = {}
    for field in pack.state_schema.fields:
        if field.role is FieldRole.NAME:
            row[field.key] = name
        else:
            row[field.key] = drawn_value(pack, chance, field.key, row)
    return row


def drawn_value(pack: Pack, chance: Chance, key: str, row: Mapping[str, Scalar]) -> Scalar:
    """A plausible value of a field.

    Args:
        pack: The scenario.
        chance: Where it comes from.
        key: The field; not that of names.
        row: The values of its entity that it may rest on. Where the one that it is combined with is
            blank, the value is blank.
    """
    draw, field = pack.draws[key], pack.state_schema.field_by_key[key]
    match field.kind:
        case FieldKind.NUMBER:
            return _number(draw, field, chance, row)
        case FieldKind.TEXT:
            return chance.pick(draw.texts)
        case FieldKind.CHOICE:
            return chance.weighted(list(draw.weights), list(draw.weights.values()))
        case FieldKind.FLAG:
            return chance.weighted(list(draw.weights), list(draw.weights.values())) == "true"


def _number(draw: Draw, field: Field, chance: Chance, row: Mapping[str, Scalar]) -> Scalar:
    assert draw.low is not None
    assert draw.high is not None
    number = exact(chance.number(draw.low, draw.high))
    if draw.of is not None:
        base = row.get(draw.of)
        if not isinstance(base, int | float):
            return None
        combine = add if draw.by is Combination.PLUS else multiply
        number = combine(exact(base), number)
    if draw.step is not None:
        steps = divide(number, exact(draw.step))
        assert steps is not None
        number = multiply(exact(rounded(steps, 0)), exact(draw.step))
    return _within(field, rounded(number, field.decimals))


def _within(field: Field, number: Number) -> Number:
    if field.minimum is not None and number < field.minimum:
        return field.minimum
    if field.maximum is not None and number > field.maximum:
        return field.maximum
    return number


def _spread(pack: Pack, chance: Chance, rows: Mapping[str, dict[str, Scalar]]) -> None:
    """Give every group that is drawn at all at least one entity."""
    for field in pack.state_schema.fields:
        if field.role is FieldRole.GROUP and field.kind is FieldKind.CHOICE:
            wanted = list(pack.draws[field.key].weights)
            first = chance.sample(list(rows), len(wanted))
            for group, entity in zip(wanted, first, strict=False):
                rows[entity][field.key] = group


def _first_orders(pack: Pack) -> dict[str, tuple[str, ...]]:
    fields = pack.state_schema.field_by_key
    return {
        one.key: tuple(fields) if one.axis is Axis.FIELDS else fields[one.field].choices
        for one in pack.state_schema.orderings
        if one.axis is not Axis.ENTITIES
    }
