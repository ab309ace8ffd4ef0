"""Every kind of field of a truth file is changed once, and the audit names it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Severity
from mnemoscope.core.releases.native.reader import write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.schemas import schemas
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.truth.writing import form_of
from mnemoscope.core.writing import json_bytes
from tests.truth_data import history, release, truth
from tests.truth_mutations import UNBOUND, Keys, audited, changed, kinds

FILE = "truth/leaderboard.json"


@cache
def stored() -> Any:
    return json.loads(json_bytes(form_of(truth()).as_json()))


def chosen(paths: list[Keys]) -> list[Keys]:
    """The first, the middle and the last of a kind; the last transition's id leads nowhere."""
    some = dict.fromkeys((paths[0], paths[len(paths) // 2], paths[-1]))
    last = ("transitions", len(stored()["transitions"]) - 1, "id")
    return [one for one in some if one != last]


def test_the_scenario_as_it_is_passes_the_audit() -> None:
    assert audited(stored(), history(), FILE) == []


def test_the_scenario_has_every_operator_and_every_key_of_the_format() -> None:
    assert set(stored()["inventory"]) == set(Operator)
    found = {one.rpartition(".")[2] for one in kinds(stored())}
    for name in ("MutationForm", "TransitionForm", "ArtifactForm", "LayerForm", "CellForm"):
        keys = schemas()["truth"]["$defs"][name]["properties"]
        assert set(keys) <= found, name


@pytest.mark.parametrize("one", sorted(set(kinds(stored())) - UNBOUND))
def test_a_changed_field_is_named_with_file_path_found_and_expected(one: str) -> None:
    for path in chosen(kinds(stored())[one]):
        errors = [
            each
            for each in audited(changed(stored(), path), history(), FILE)
            if each.severity is Severity.ERROR
        ]
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
    path = chosen(kinds(stored())[one])[0]
    (tmp_path / "out" / FILE).write_bytes(json_bytes(changed(stored(), path), indent=1))
    (defect,) = open_release(tmp_path / "out").defects
    assert (defect.severity, defect.code, defect.file) == ("error", "checksum_differs", FILE)
