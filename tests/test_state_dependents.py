"""Dependents by hand-computed values, and the checks of a schema."""

from dataclasses import replace
from typing import Any

import pytest

from mnemoscope.core.state.component import Component, Part, cell, rule, with_contents
from mnemoscope.core.state.computation import dependents, recomputed
from mnemoscope.core.state.dependency import Dependency, DependencyKind
from mnemoscope.core.state.field import Field, FieldKind, FieldRole
from mnemoscope.core.state.rule import Clause, Comparison, Rule, RuleKind
from mnemoscope.core.state.schema import Axis, Ordering, Schema
from mnemoscope.core.state.state import initial_layer
from tests.state_strategies import ORDERS, RULES, SCHEMA

ROWS: dict[str, dict[str, Any]] = {
    "a": {"name": "A", "team": "north", "state": "final", "acc": 60.5, "best": 61, "cost": 0.1},
    "b": {"name": "B", "team": "south", "state": "dropped", "acc": 90.0, "best": 90.0, "cost": 0.2},
    "c": {"name": "C", "team": "north", "state": "final", "acc": 60.5, "cost": 0.7},
    "d": {"name": "D", "team": None, "state": "draft", "best": 10.0},
}
LAYER = initial_layer(SCHEMA, ROWS, rules=RULES, orders=ORDERS)


def of(key: str) -> dict[str, Any]:
    return {
        one.entity: content
        for one, content in LAYER.items()
        if one.part is Part.DEPENDENT and one.field == key
    }


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("total", {"": 1.0}),  # 0.1 + 0.2 + 0.7 is not 1.0000000000000002
        ("per_team", {"north": 0.8, "south": 0.2}),
        ("count", {"": 4}),
        ("scored", {"": 3}),
        ("mean", {"": 70.33}),
        ("low", {"": 60.5}),
        ("high", {"": 60.5}),  # the best one is dropped
        ("rank", {"a": 2, "b": 1, "c": 2, "d": None}),
        ("gap", {"a": 0.5, "b": 0.0, "c": None, "d": None}),
        ("range", {"": 0.0}),
        ("share", {"a": 0.1, "b": 0.2, "c": 0.7, "d": None}),
        ("passes", {"a": "yes", "b": "yes", "c": "yes", "d": None}),
        ("in", {"a": "in", "b": "out", "c": "in", "d": "out"}),
        ("inside", {"": 2}),
        ("queue", {"": ("b", "a", "c", "d")}),
    ],
)
def test_a_dependent_is_what_a_person_computes(key: str, expected: dict[str, Any]) -> None:
    assert of(key) == expected


def test_blank_columns_have_no_mean_and_divide_into_nothing() -> None:
    empty = initial_layer(SCHEMA, {"a": {"name": "A"}}, rules=RULES, orders=ORDERS)
    whole = {one.field: content for one, content in empty.items() if one.entity == ""}
    assert (whole["mean"], whole["low"], whole["total"], whole["scored"]) == (None, None, 0.0, 0)
    assert empty[Component(Part.DEPENDENT, "a", "share")] is None


def test_only_what_a_change_reaches_is_computed_again() -> None:
    where = cell("a", "note")
    assert recomputed(SCHEMA, with_contents(LAYER, [(where, "x")]), [where]) == {}
    where = rule("bar")
    changed = recomputed(SCHEMA, with_contents(LAYER, [(where, 70)]), [where])
    assert {str(one): new for one, new in changed.items()} == {"a.passes": "no", "c.passes": "no"}


def test_a_stored_dependent_is_never_a_source_when_all_are_computed() -> None:
    wrong = with_contents(LAYER, [(Component(Part.DEPENDENT, "", "total"), 99)])
    assert dependents(SCHEMA, wrong)[Component(Part.DEPENDENT, "", "total")] == 1.0


def test_halves_are_rounded_away_from_zero_on_both_sides() -> None:
    schema = Schema(
        (Field("x", FieldKind.NUMBER),),
        dependencies=(Dependency("mean", DependencyKind.MEAN, ("x",), decimals=1),),
    )
    for value, expected in ((0.25, 0.3), (-0.25, -0.3), (0.35, 0.4)):
        layer = initial_layer(schema, {"a": {"x": value}})
        assert layer[Component(Part.DEPENDENT, "", "mean")] == expected


def test_the_invented_schema_has_no_problem() -> None:
    assert list(SCHEMA.problems()) == []


def with_dependency(**values: Any) -> Schema:
    return replace(SCHEMA, dependencies=(*SCHEMA.dependencies, Dependency("new", **values)))


KIND = DependencyKind


@pytest.mark.parametrize(
    ("schema", "place", "words"),
    [
        (with_dependency(kind=KIND.SUM), "of", "1 sources"),
        (with_dependency(kind=KIND.SUM, of=("x",)), "of[0]", "declared before"),
        (with_dependency(kind=KIND.RANK, of=("new",)), "of[0]", "declared before"),
        (with_dependency(kind=KIND.RANK, of=("mean",)), "of[0]", "each entity"),
        (with_dependency(kind=KIND.DIFFERENCE, of=("acc", "cost"), unit="%"), "of[1]", "one in %"),
        (
            with_dependency(kind=KIND.DIFFERENCE, of=("per_team", "total"), unit="$"),
            "of[0]",
            "group",
        ),
        (with_dependency(kind=KIND.MEAN, of=("acc",)), "unit", "'%'"),
        (with_dependency(kind=KIND.THRESHOLD, of=("acc",)), "rule", "threshold"),
        (with_dependency(kind=KIND.THRESHOLD, of=("cost",), rule="bar"), "rule", "one in '$'"),
        (with_dependency(kind=KIND.STATUS, rule="bar"), "rule", "predicate"),
        (with_dependency(kind=KIND.COUNT, by="x"), "by", "a field"),
        (
            with_dependency(kind=KIND.COUNT, where=(Clause("x", Comparison.IS, 1),)),
            "where[0].field",
            "a dependency before",
        ),
    ],
)
def test_a_wrong_dependency_is_named(schema: Schema, place: str, words: str) -> None:
    ((path, _, expected),) = schema.problems()
    assert path == f".dependencies[{len(SCHEMA.dependencies)}].{place}"
    assert words in expected


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"rules": (*SCHEMA.rules, Rule("acc", RuleKind.THRESHOLD))}, ".fields[4].key"),
        (
            {"fields": (*SCHEMA.fields, Field("n", FieldKind.TEXT, FieldRole.NAME))},
            ".fields[9].role",
        ),
        ({"fields": (*SCHEMA.fields, Field("n", FieldKind.CHOICE))}, ".fields[9].choices"),
        (
            {"fields": (*SCHEMA.fields, Field("n", FieldKind.NUMBER, decimals=-1))},
            ".fields[9].decimals",
        ),
        (
            {"orderings": (*SCHEMA.orderings, Ordering("g", Axis.GROUPS, "acc"))},
            ".orderings[2].field",
        ),
    ],
)
def test_a_wrong_field_rule_or_ordering_is_named(changes: dict[str, Any], place: str) -> None:
    assert next(replace(SCHEMA, **changes).problems())[0] == place
