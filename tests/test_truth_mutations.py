"""Every kind of field of a truth file is changed once, and the audit names it."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Defect, DefectLog, Severity
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.schemas import checked, schemas
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.truth.audit import audit
from mnemoscope.core.truth.reading import truth_of
from mnemoscope.core.truth.schema import TruthFile
from mnemoscope.core.truth.writing import form_of
from mnemoscope.core.writing import json_bytes
from tests.truth_data import history, release, truth

FILE = "truth/leaderboard.json"
MAPS = {"entities", "orders", "rules", "cues", "dependents", "values", "inventory"}
"""Objects whose keys are ids: one key stands for all."""
Keys = tuple[str | int, ...]
"""The way to a value in a JSON document."""


@cache
def stored() -> Any:
    return json.loads(json_bytes(form_of(truth()).as_json()))


def places(data: Any, path: Keys = ()) -> Iterator[Keys]:
    """The path of everything in a document."""
    if path:
        yield path
    if isinstance(data, dict):
        for key, one in data.items():
            yield from places(one, (*path, key))
    elif isinstance(data, list):
        for at, one in enumerate(data):
            yield from places(one, (*path, at))


def kind(path: Keys) -> str:
    """A path with indexes, and keys that are ids, left open; operators tell mutations apart."""
    steps: list[str] = []
    for at, step in enumerate(path):
        above = path[at - 1] if at else ""
        deeper = path[at - 2] if at > 1 else ""
        is_id = above in MAPS or (deeper in ("entities", "cues", "dependents") and at > 1)
        steps.append("*" if isinstance(step, int) or is_id else step)
    return ".".join(steps)


def kinds() -> dict[str, list[Keys]]:
    found: dict[str, list[Keys]] = {}
    for path in places(stored()):
        found.setdefault(kind(path), []).append(path)
    return found


def at(data: Any, path: Keys) -> Any:
    for step in path:
        data = data[step]
    return data


def other(value: Any, key: str | int) -> Any:
    """Another value of the same type, one that is allowed where the choices are fixed."""
    choices: dict[str | int, tuple[str, ...]] = {
        "sheet": ("accepted", "visual"),
        "cause": ("direct", "dependent"),
        "event": ("disregard", "reinstate"),
        "part": ("member", "order"),
        "operator": ("visual_reorder", "text_reorder"),
        "wraps": ("text_cell_edit", "visual_entity_remove"),
        "role": ("value", "status"),
        "transform": ("shift", "set"),
        "comparison": ("less", "is_not"),
        "axis": ("fields", "entities"),
        "cue": ("italic", "bold"),
    }
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if key in choices:
            return next(one for one in choices[key] if one != value)
        case str() if value in ("text_backed", "visual", "visual_declared"):
            return "visual" if value != "visual" else "text_backed"
        case str() if value in ("number", "text", "flag", "choice"):
            return "text" if value != "text" else "number"
        case str():
            return f"{value}~"
        case None:
            return "~"
        case list():
            return value[:-1]
        case dict():
            return dict(list(value.items())[1:])
    raise AssertionError(value)


def audited(data: Any) -> list[Defect]:
    """The defects of a document beside the scenario's history."""
    log = DefectLog(FILE)
    form = checked(TruthFile, data, log)
    if form is not None:
        known = {one.id: one for one in [history()]}
        audit(truth_of(form, FILE), known.get(form.history_id), log)
    return log.items


def changed(path: Keys) -> Any:
    data = copy.deepcopy(stored())
    above = at(data, path[:-1])
    above[path[-1]] = other(above[path[-1]], path[-1])
    return data


UNBOUND = {
    "fields.*.name",
    "fields.*.required",
    "fields.*.decimals",
    "fields.*.minimum",
    "fields.*.maximum",
    "rules.*.name",
    "dependencies.*.name",
    "dependencies.*.decimals",
    "transitions.*.mutation.reason",
}
"""Words for people, and limits that may be wider: no other part of the file depends on them."""


def chosen(paths: list[Keys]) -> list[Keys]:
    """The first, the middle and the last of a kind; the last transition's id leads nowhere."""
    some = dict.fromkeys((paths[0], paths[len(paths) // 2], paths[-1]))
    last = ("transitions", len(stored()["transitions"]) - 1, "id")
    return [one for one in some if one != last]


def test_the_scenario_as_it_is_passes_the_audit() -> None:
    assert audited(stored()) == []


def test_the_scenario_has_every_operator_and_every_key_of_the_format() -> None:
    assert set(stored()["inventory"]) == set(Operator)
    found = {one.rpartition(".")[2] for one in kinds()}
    for name in ("MutationForm", "TransitionForm", "ArtifactForm", "LayerForm", "CellForm"):
        keys = schemas()["truth"]["$defs"][name]["properties"]
        assert set(keys) <= found, name


@pytest.mark.parametrize("one", sorted(set(kinds()) - UNBOUND))
def test_a_changed_field_is_named_with_file_path_found_and_expected(one: str) -> None:
    for path in chosen(kinds()[one]):
        errors = [each for each in audited(changed(path)) if each.severity is Severity.ERROR]
        assert errors, path
        assert all(each.file == FILE and each.path.startswith("$.") for each in errors)
        assert all(each.found != each.expected and each.found and each.expected for each in errors)
        if path[0] in ("transitions", "artifacts") and len(path) > 1:
            # What a transition says is missed there, or on the artifact that it brings.
            place = f"$.{path[0]}[{path[1]}]"
            near = (place, "$.artifacts", "$.inventory") if path[0] == "transitions" else (place,)
            assert any(each.path.startswith(near) for each in errors), (path, errors[0].line())


@pytest.mark.parametrize("one", sorted(UNBOUND))
def test_a_changed_word_or_limit_is_named_by_the_hash_of_its_file(one: str, tmp_path: Path) -> None:
    write_release(release(), tmp_path / "out")
    path = chosen(kinds()[one])[0]
    (tmp_path / "out" / FILE).write_bytes(json_bytes(changed(path), indent=1))
    (defect,) = open_release(tmp_path / "out").defects
    assert (defect.severity, defect.code, defect.file) == ("error", "checksum_differs", FILE)
