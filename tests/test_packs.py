"""Packs: what they declare, what is refused, and that they give every operator something to do."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.harness import library
from mnemoscope.core.harness.beginning import drawn_row, first_state, foreign_layer, spare_names
from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.library import load_pack, pack_names, read_pack
from mnemoscope.core.harness.pack import Pack
from mnemoscope.core.state.component import Layer, Part, cell, members, sequence
from mnemoscope.core.state.computation import dependents
from mnemoscope.core.state.content import content_problems
from mnemoscope.core.state.dependency import DependencyKind
from mnemoscope.core.state.execution import execute
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.mutation import (
    Block,
    CellValue,
    Composed,
    CueValue,
    Mutation,
    NewEntity,
    RuleContent,
    Transform,
)
from mnemoscope.core.state.operators import OPERATORS, Event, Operator
from mnemoscope.core.state.rule import RuleKind
from mnemoscope.core.state.state import Upload
from mnemoscope.core.state.transition import Transition
from mnemoscope.core.state.values import Scalar
from tests.pack_data import PACKS, beginning

FOLDER = Path(library.__file__).parent / "packs"
NAMES = list(PACKS)


def test_the_first_two_packs_come_along() -> None:
    assert {"ml_agent_research", "expo_floor_plan_revision"} <= set(pack_names())


def test_a_pack_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"no scenario 'x'; there are: expo_floor_plan_revision"):
        load_pack("x")


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_is_named_as_its_file(name: str) -> None:
    assert PACKS[name].name == name


def test_no_two_packs_share_a_field_a_rule_or_a_dependency() -> None:
    def declared(pack: Pack) -> set[str]:
        schema = pack.state_schema
        return {*schema.field_by_key, *schema.rule_by_key, *schema.dependency_by_key}

    for one, other in combinations(PACKS.values(), 2):
        assert not declared(one) & declared(other)
        assert not set(one.names) & set(other.names)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_dependency_occurs(name: str) -> None:
    kinds = {one.kind for one in PACKS[name].dependencies}
    assert kinds == set(DependencyKind)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_beginning_is_dense_and_fits_its_schema(name: str, seed: int) -> None:
    pack, state = PACKS[name], first_state(PACKS[name], seed, Upload("r1", "a1"))
    assert len(members(state.visual)) >= 12
    values = [one for one in pack.fields if one.role is not FieldRole.NAME]
    assert len(values) >= 8
    assert not list(content_problems(pack.state_schema, state.visual))
    groups = {str(state.visual[cell(e, k)]) for e in members(state.visual) for k in groups_of(pack)}
    assert {choice for key in groups_of(pack) for choice in pack.draws[key].weights} == groups


def groups_of(pack: Pack) -> tuple[str, ...]:
    return pack.state_schema.of_role(FieldRole.GROUP)


@pytest.mark.parametrize("name", NAMES)
def test_dependents_of_a_beginning_are_those_that_are_recomputed(name: str) -> None:
    layer = beginning(name).visual
    stored = {one: content for one, content in layer.items() if one.part is Part.DEPENDENT}
    assert stored == dependents(PACKS[name].state_schema, layer)
    assert None not in [content for one, content in stored.items() if not one.entity]


@pytest.mark.parametrize("name", NAMES)
def test_a_beginning_depends_on_its_seed_alone(name: str) -> None:
    upload = Upload("r1", "a1")
    assert first_state(PACKS[name], 3, upload) == first_state(PACKS[name], 3, upload)
    assert first_state(PACKS[name], 3, upload) != first_state(PACKS[name], 4, upload)


def test_choices_are_the_same_on_every_machine() -> None:
    chance = Chance("a", 1)
    assert [chance.whole(1, 6) for _ in range(8)] == [2, 6, 5, 1, 4, 2, 6, 3]
    assert chance.sample("abcdef", 4) == ["c", "d", "a", "f"]
    assert chance.number(0, 1, 3) == 0.495
    assert chance.weighted("xyz", (1, 0, 5)) == "x"


@pytest.mark.parametrize("name", NAMES)
def test_an_artifact_of_another_context_shows_mostly_the_same_entities(name: str) -> None:
    pack, state = PACKS[name], beginning(name)
    layer = foreign_layer(pack, Chance(2), state.visual)
    assert not list(content_problems(pack.state_schema, layer))
    assert set(members(layer)) <= set(members(state.visual))
    assert len(members(layer)) >= len(members(state.visual)) - 2
    names = pack.state_schema.name_field
    assert names is not None
    for entity in members(layer):
        assert layer[cell(entity, names.key)] == state.visual[cell(entity, names.key)]
    assert layer != state.visual


# What each operator is given to do on a sampled state: values come from the pack's own draws.


class Proposals:
    def __init__(self, pack: Pack, layer: Layer) -> None:
        self.pack, self.layer, self.chance = pack, layer, Chance("proposals", pack.name)
        self.first, self.second = members(layer)[:2]

    def field(self, *roles: FieldRole, kind: FieldKind | None = None) -> Field:
        return next(
            one
            for one in self.pack.state_schema.fields
            if one.role in roles and kind in (None, one.kind)
        )

    def another(self, key: str) -> Scalar:
        row = {one.field: self.layer[one] for one in self.layer if one.entity == self.first}
        for _ in range(200):
            new = drawn_row(self.pack, self.chance, "x")[key]
            if new != row[key]:
                return new
        raise AssertionError(f"{key} has one value only")

    def cells(self, *roles: FieldRole) -> Mutation:
        key = self.field(*roles).key
        return Mutation((CellValue(self.first, key, self.another(key)),), reason="a check")

    def rename(self) -> Mutation:
        key = self.field(FieldRole.NAME).key
        old = str(self.layer[cell(self.first, key)])
        return Mutation((CellValue(self.first, key, self.pack.renames[0].format(name=old)),))

    def block(self) -> Mutation:
        key = self.field(FieldRole.VALUE, kind=FieldKind.NUMBER).key
        return Mutation(blocks=(Block(Transform.SHIFT, 1, (self.first, self.second), (key,)),))

    def added(self) -> Mutation:
        names = self.pack.state_schema.name_field
        assert names is not None
        taken = {str(self.layer[cell(one, names.key)]) for one in members(self.layer)}
        name = spare_names(self.pack, taken)[0]
        return Mutation(added=(NewEntity("later", drawn_row(self.pack, self.chance, name)),))

    def order(self, key: str) -> Mutation:
        return Mutation(order=key, sequence=tuple(reversed(sequence(self.layer, key))))

    def rules(self, *kinds: RuleKind) -> Mutation:
        one = next(one for one in self.pack.rules if one.kind in kinds)
        return Mutation(rules=(RuleContent(one.key, one.contents[1]),))

    def composite(self) -> Mutation:
        value = self.field(FieldRole.VALUE, kind=FieldKind.NUMBER).key
        text = Mutation((CellValue(self.second, value, self.another(value)),))
        parts = (
            Composed(Operator.VISUAL_CELL_EDIT, self.cells(FieldRole.VALUE)),
            Composed(Operator.TEXT_CELL_EDIT, text),
            Composed(Operator.TEXT_RULE_CHANGE, self.rules(RuleKind.THRESHOLD)),
        )
        return Mutation(parts=parts)

    def of(self, operator: Operator) -> Mutation:
        spec = OPERATORS[operator]
        match operator:
            case Operator.COMPOSITE:
                return self.composite()
            case Operator.WRONG_CONTEXT_ARTIFACT:
                content = foreign_layer(self.pack, self.chance, self.layer)
                return Mutation(context=self.pack.contexts[1], content=content)
            case Operator.VISUAL_ENTITY_RENAME | Operator.TEXT_ENTITY_RENAME:
                return self.rename()
        match spec.holds:
            case "cells":
                return self.cells(*spec.roles)
            case "blocks":
                return self.block()
            case "added":
                return self.added()
            case "removed":
                return Mutation(removed=(self.first,))
            case "order":
                return self.order("entities")
            case "cues":
                key = self.field(FieldRole.VALUE).key
                return Mutation(cues=(CueValue(self.first, key, "bold"),))
            case "rules":
                return self.rules(*RuleKind)
        return Mutation()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("operator", list(Operator))
def test_every_operator_has_something_to_do_in_a_sampled_state(
    name: str, operator: Operator
) -> None:
    pack, state = PACKS[name], beginning(name)
    propose = Proposals(pack, state.visual)
    spec = OPERATORS[operator]
    for wraps in spec.wraps or (None,):
        mutation = propose.of(wraps or operator)
        step, of = None, ""
        for event in spec.events:
            before = step.after if step else state
            transition = Transition(
                f"t{event}",
                operator,
                "r2",
                mutation if event is Event.APPLY else Mutation(),
                "",
                before.last,
                event,
                of,
                wraps,
            )
            if transition.is_upload:
                transition = replace(transition, artifact="a2")
            step = execute(pack.state_schema, before, transition)
            of = of or transition.id
        assert step is not None
        assert step.after.last


@pytest.mark.parametrize("name", NAMES)
def test_every_ordering_and_every_content_of_a_rule_can_be_put_into_force(name: str) -> None:
    pack, state = PACKS[name], beginning(name)
    propose = Proposals(pack, state.visual)
    changes = [
        (Operator.TEXT_REORDER, propose.order(one)) for one in pack.state_schema.ordering_by_key
    ]
    for one in pack.rules:
        for content in one.contents[1:]:
            rules = Mutation(rules=(RuleContent(one.key, content),))
            changes.append((Operator.TEXT_RULE_CHANGE, rules))
    for operator, mutation in changes:
        step = execute(pack.state_schema, state, Transition("t1", operator, "r2", mutation))
        assert step.changes


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_rule_has_consequences(name: str) -> None:
    pack, state = PACKS[name], beginning(name)
    for one in pack.rules:
        mutations = [Mutation(rules=(RuleContent(one.key, new),)) for new in one.contents[1:]]
        steps = [
            execute(
                pack.state_schema,
                state,
                Transition("t1", Operator.TEXT_RULE_CHANGE, "r2", mutation),
            )
            for mutation in mutations
        ]
        assert any(
            change.component.part is Part.DEPENDENT for step in steps for change in step.changes
        ), one.key


ML = "ml_agent_research"
WRONG = [
    ("schema_version = 1", "schema_version = 2", r"schema_version: found .*2"),
    ('plural = "systems"', 'plurals = "systems"', r"plural: found nothing"),
    ('accent = "#1f3a5f"', 'accent = "blue"', r"accent: found 'blue'"),
    ("entities = [14, 16]", "entities = [3, 16]", r"line \d+ \$\.entities: found '3 to 16'"),
    ("entities = [14, 16]", "entities = [14, 40]", r"\$\.names: found .*expected at least 60"),
    ('"ReAct-Base", "ReAct-Scratch"', '"ReAct-Base", "ReAct-Base"', r"\$\.names\[0\]"),
    ('"{name} v2"', '"v2"', r"\$\.renames\[0\]: found 'v2', expected \{name\} once"),
    ('"{name} v2"', '"{name} {x}"', r"\$\.renames\[0\]"),
    ('"{name} v2"', '"{name} é"', r"\$\.renames\[0\]: found 'é', expected characters"),
    ('role = "annotation"', 'role = "value"', r"\$\.fields: found 'none of role annotation'"),
    ('role = "annotation"', 'rule = "value"', r"line \d+ .*no such key"),
    ('kind = "choice"\nrole = "status"', 'kind = "text"\nrole = "status"', r"it is a marker"),
    (
        'of = "tool_calls", low = 26',
        'of = "seeds", low = 26',
        r"draws\.success_8k\.of: found 'seeds'",
    ),
    ("low = 3, high = 5, step = 1 }", "low = 5, high = 3 }", r"draws\.seeds: .*the lesser first"),
    ("low = 3, high = 5, step = 1 }", "low = 3, high = 5, step = 0 }", r"a step above 0"),
    ("low = 3, high = 5, step = 1 }", 'low = 3, high = 5, texts = ["a"] }', r"draws\.seeds\.texts"),
    (
        "minimum = 1\nmaximum = 20",
        "minimum = '1'\nmaximum = 20",
        r"fields\[12\]\.minimum: found '1'",
    ),
    (
        "minimum = 1\nmaximum = 20",
        "minimum = 21\nmaximum = 20",
        r"found .*20, expected more than 21",
    ),
    ("decimals = 0\nminimum = 1", "decimals = -1\nminimum = 1", r"decimals: found .*0 to 20"),
    ('key = "family"\n', 'key = "family"\nminimum = 1\n', r"minimum: found .*1, expected a limit"),
    ("seeds = {", "seed = {", r"draws\.seed: found 'seed', expected a field"),
    ("partial = 2", "none_such = 2", r"draws\.evidence\.weights: found 'none_such = 2"),
    ("contents = [45.0, 38.0", "contents = [45.0, 45.0", r"rules\[0\]\.contents\[1\]: .*another"),
    (
        'key = "latency_cap", kind = "threshold"',
        'key = "latency_cap", kind = "priority"',
        r"that is a thr",
    ),
    (
        'of = ["wall_time"]',
        'of = ["wall_clock"]',
        r"dependencies\[3\]\.of\[0\]: found 'wall_clock'",
    ),
    (
        'unit = "$", decimals = 2, name = "Spend"',
        'unit = "s", name = "Spend"',
        r"the unit of its s",
    ),
    ('"effort_bars"', '"cost_pareto"', r"artifacts\[2\]\.key: found 'cost_pareto'"),
    ('fields = ["run_cost", "success_64k"]', 'fields = ["run_cost"]', r"2 to 2 fields of numbers"),
    ('fields = ["run_cost", "success_64k"]', 'fields = ["cost"]', r"artifacts\[2\]\.fields\[0\]"),
    ('fields = ["tool_calls", "wall_time"]', 'fields = ["tool_calls", "family"]', r"1 to 2 fields"),
    ('lower_is_better = ["run_cost"]', 'lower_is_better = ["seeds"]', r"one of its fields"),
    ('lower_is_better = ["run_cost"]', 'tint = "family"', r"a scatter has no tint"),
    ('columns = "result_columns"\n', "", r"\$\.artifacts: found 'none', expected a table with all"),
    ('legend = "family_order"', 'legend = "result_columns"', r"an ordering of groups"),
    ('["Monday", "Lamb stew",', '["Monday",', r"unrelated\[0\]\.rows\[0\]: found .*4 cells"),
    ('fields = ["seeds"], talk', 'fields = ["seed"], talk', r"dialogue\.topics\[3\]\.fields\[0\]"),
    ("While the plots render.", "While x_1 renders.", r"openings\[6\]: found '_1'"),
    ("when prices change.", "in 2030.", r"topics\[1\]\.talk\[0\]\[1\]: found '2030.'"),
    ('key = "latency", about', 'key = "evidence", about', r"a key of no other topic"),
    ('"latency_cap", "shortlist_test", "reporting_order"]', '"cap"]', r"rules\[0\]: found 'cap'"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[f"{o[:24]}" for o, _, _ in WRONG])
def test_a_wrong_pack_is_refused_with_the_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = (FOLDER / f"{ML}.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "pack.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ReadError) as caught:
        read_pack(path)
    assert str(path) in str(caught.value)
    assert re.search(message, str(caught.value)), str(caught.value)


def test_a_wrong_plan_is_refused_with_the_place(tmp_path: Path) -> None:
    text = (FOLDER / "expo_floor_plan_revision.toml").read_text("utf-8")
    path = tmp_path / "pack.toml"
    for line, message in (
        ('footprint = ["floor_area", "frontage"]\n', r"footprint: found .*area and frontage"),
        ('group = "hall"\nlegend = "hall_order"\n', r"artifacts\[\d\]\.(group|summary)"),
        ('tint = "booking"\n', r"tint: found .*one of its fields of choices"),
    ):
        path.write_text(text.replace(line, ""), "utf-8")
        with pytest.raises(ReadError, match=message):
            read_pack(path)


def test_a_pack_of_ones_own_is_read_from_anywhere(tmp_path: Path) -> None:
    text = (FOLDER / f"{ML}.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace('name = "ml_agent_research"', 'name = "mine"', 1), "utf-8")
    assert read_pack(path).name == "mine"
