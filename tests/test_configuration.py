from collections.abc import Mapping

import pytest

from mnemoscope.analyses.configuration import (
    Relation,
    Setting,
    compare_configurations,
    flatten,
    spread_configurations,
)
from mnemoscope.core.model import Run, Textualisation
from mnemoscope.core.workspace import JoinedRun
from tests.workspace_data import a_question, a_release, a_run, a_workspace


def settings_of(a: Run, b: Run) -> dict[str, Setting]:
    workspace = a_workspace(a_release([]), a, b)
    return {one.name: one for one in compare_configurations(*workspace.runs).settings}


def of_parameters(a: Mapping[str, object], b: Mapping[str, object]) -> dict[str, Relation]:
    compared = settings_of(a_run("one", [], parameters=a), a_run("two", [], parameters=b))
    return {name: one.relation for name, one in compared.items() if name in flatten(a) | flatten(b)}


def test_every_setting_is_equal_different_or_in_one_run_only() -> None:
    a = a_run("one", [], system="bm25", backbone="x", used_depth=5, rule="rq1")
    b = a_run(
        "two", [], system="bm25", used_depth=10, textualisation=Textualisation("brief", "asr")
    )
    compared = settings_of(a, b)
    assert {name: one.relation for name, one in compared.items()} == {
        "system": Relation.EQUAL,
        "backbone": Relation.ONLY_A,
        "image captions": Relation.ONLY_B,
        "audio captions": Relation.ONLY_B,
        "rule": Relation.DIFFERENT,
        "k used": Relation.DIFFERENT,
        "format": Relation.EQUAL,
    }
    assert (compared["k used"].a, compared["k used"].b) == ("5", "10")
    assert (compared["backbone"].a, compared["backbone"].b) == ("x", "")


def test_nested_parameters_are_compared_one_by_one() -> None:
    a = {"model": {"name": "m", "options": {"temperature": 0, "top_p": 1}}, "seeds": [1, 2]}
    b = {"model": {"name": "m", "options": {"temperature": 0.7}}, "seeds": [1, 2], "extra": {}}
    assert of_parameters(a, b) == {
        "model.name": Relation.EQUAL,
        "model.options.temperature": Relation.DIFFERENT,
        "model.options.top_p": Relation.ONLY_A,
        "seeds": Relation.EQUAL,
        "extra": Relation.ONLY_B,
    }


@pytest.mark.parametrize(
    ("a", "b"), [(1, True), (0, False), ("1", 1), (None, "null"), ([1], [True])]
)
def test_values_of_different_kinds_are_different_and_look_so(a: object, b: object) -> None:
    parameters = ({"x": a}, {"x": b})
    assert of_parameters(*parameters) == {"x": Relation.DIFFERENT}
    one, two = (a_run(str(place), [], parameters=of) for place, of in enumerate(parameters))
    compared = settings_of(one, two)["x"]
    assert compared.a != compared.b


@pytest.mark.parametrize(("a", "b"), [(0, 0.0), ([1, {"y": 2}], [1.0, {"y": 2}]), ("a", "a")])
def test_equal_values_are_equal_however_a_number_is_written(a: object, b: object) -> None:
    assert of_parameters({"x": a}, {"x": b}) == {"x": Relation.EQUAL}


def test_settings_nested_as_deep_as_python_reads_them_are_compared() -> None:
    def nested(inner: object, deep: int, *, lists: bool = False) -> dict[str, object]:
        value = inner
        for _ in range(deep):
            value = [value] if lists else {"x": value}
        return {"x": value}

    for lists in (False, True):
        parts = [nested(one, 700, lists=lists) for one in (1, 1.0, 2, True)]
        same, equal, other, kind = parts
        (found,) = of_parameters(same, equal).values()
        assert found is Relation.EQUAL
        assert set(of_parameters(same, other).values()) == {Relation.DIFFERENT}
        assert set(of_parameters(same, kind).values()) == {Relation.DIFFERENT}
    (name,) = flatten(nested(1, 30))
    assert name.count("x") == 8


def test_a_parameter_that_is_stated_as_null_is_stated() -> None:
    assert of_parameters({"x": None}, {}) == {"x": Relation.ONLY_A}


def test_a_long_value_is_shortened_in_the_middle_and_kept_in_full() -> None:
    prompt = "You are\n an assistant. " + "word " * 200 + "The end."
    compared = settings_of(
        a_run("one", [], parameters={"prompt": prompt}),
        a_run("two", [], parameters={"prompt": prompt + "!"}),
    )["prompt"]
    assert compared.relation is Relation.DIFFERENT
    assert compared.a.startswith("You are an assistant.")
    assert compared.a.endswith("The end.")
    assert len(compared.a) <= 60
    assert "\n" not in compared.a
    assert (compared.full_a, compared.full_b) == (prompt, prompt + "!")


def test_a_parameter_does_not_hide_a_setting_of_the_same_name() -> None:
    compared = settings_of(
        a_run("one", [], system="bm25", parameters={"system": "linux"}),
        a_run("two", [], system="mem0", parameters={"system": "linux"}),
    )
    assert compared["system"].relation is Relation.DIFFERENT
    assert compared["parameters.system"].relation is Relation.EQUAL


def test_differing_settings_and_counts_come_with_the_comparison() -> None:
    workspace = a_workspace(
        a_release([]),
        a_run("one", [], system="s", parameters={"a": 1, "b": 2}),
        a_run("two", [], system="s", parameters={"a": 1, "c": 3}),
    )
    difference = compare_configurations(*workspace.runs)
    assert [one.name for one in difference.differing] == ["b", "c"]
    assert difference.counts == {
        Relation.EQUAL: 4,
        Relation.DIFFERENT: 0,
        Relation.ONLY_A: 1,
        Relation.ONLY_B: 1,
    }


def many(*parameters: dict[str, object]) -> list[JoinedRun]:
    release = a_release([a_question("p0/q")])
    runs = [a_run(f"run{n}", [], system="s", parameters=one) for n, one in enumerate(parameters)]
    return list(a_workspace(release, *runs).runs)


def test_a_setting_of_many_runs_groups_those_that_say_the_same() -> None:
    runs = many({"k": 10}, {"k": 10.0}, {"k": 20}, {}, {"k": True})
    (k,) = [one for one in spread_configurations(runs) if one.name == "k"]
    assert [(group.text, [run.letter for run in group.runs]) for group in k.groups] == [
        ("10", ["A", "B"]),
        ("20", ["C"]),
        ("true", ["E"]),
        ("", ["D"]),
    ]
    assert k.differs
    assert not k.groups[-1].is_stated


def test_what_every_run_says_differs_in_none_and_own_settings_come_first() -> None:
    found = spread_configurations(many({"b": 1}, {"a": None, "b": 1}))
    assert found[0].name == "system"
    differs = {one.name: one.differs for one in found}
    assert [differs[name] for name in ("system", "b", "a")] == [False, False, True]
