"""Layers of the packs that come along, for tests: as they begin, and at their limits."""

from functools import cache

from mnemoscope.core.harness.beginning import drawn_row, first_state
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.library import load_pack, pack_names
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.state.component import Content, Layer, Part
from mnemoscope.core.state.field import FieldKind
from mnemoscope.core.state.state import State, Upload, initial_layer

PACKS = {name: load_pack(name) for name in pack_names()}
ARTIFACTS = [(name, one.key) for name, pack in PACKS.items() for one in pack.artifacts]


@cache
def beginning(name: str, seed: int = 1) -> State:
    return first_state(PACKS[name], seed, Upload("r1", "a1"))


def orders_of(layer: Layer) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one, content in layer.items():
        if one.part is Part.ORDER and one.field != "entities":
            assert isinstance(content, tuple)
            found[one.field] = tuple(str(key) for key in content)
    return found


def crowded(pack: Pack, count: int = 30, seed: int = 5) -> Layer:
    """Many entities with long names, some with the largest values and some with blank ones."""
    chance = Chance(pack.name, seed)
    names = chance.sample(pack.names, count)
    rows = {}
    for at, name in enumerate(names):
        longer = pack.renames[at % len(pack.renames)].format(name=name)
        row = rows[f"e{at:02}"] = drawn_row(pack, chance, longer)
        for field in pack.fields:
            if field.kind is FieldKind.NUMBER and at % 5 == 0:
                row[field.key] = 9999 if field.maximum is None else field.maximum
            if field.kind is FieldKind.NUMBER and at % 7 == 3 and not field.required:
                row[field.key] = None
    first = beginning(pack.name).visual
    rules: dict[str, Content] = pack.initial_rules
    return initial_layer(pack.state_schema, rows, rules=rules, orders=orders_of(first))
