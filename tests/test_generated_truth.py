"""The audit fails every kind of mutation of a generated truth file."""

import json
from functools import cache
from typing import Any

import pytest

from mnemoscope.core.defects import Severity
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.truth.writing import form_of
from mnemoscope.core.writing import json_bytes
from tests.pack_data import PACKS
from tests.test_scenarios import silent_history
from tests.truth_mutations import UNBOUND, Keys, audited, changed, kinds

FILE = "truth/made.json"
NAMES = list(PACKS)
COUNTS = dict.fromkeys(Operator, 1)
TURNS = 80


@cache
def stored(name: str) -> Any:
    one = expert_scenario(PACKS[name], 3, turns=TURNS, counts=COUNTS)
    return json.loads(json_bytes(form_of(one.truth).as_json()))


@cache
def history(name: str) -> Any:
    return silent_history(expert_scenario(PACKS[name], 3, turns=TURNS, counts=COUNTS))


@pytest.mark.parametrize("name", NAMES)
def test_a_generated_truth_file_passes_the_audit(name: str) -> None:
    assert audited(stored(name), history(name), FILE) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_field_of_a_generated_truth_file_is_named(name: str) -> None:
    # Each kind on one of the packs, by turns: an audit takes a fifth of a second.
    found = kinds(stored(name))
    turn = [kind for at, kind in enumerate(sorted(found)) if at % len(NAMES) == NAMES.index(name)]
    assert [one for one in turn if is_bound(one) and not is_named(name, found[one])] == []


def is_bound(kind: str) -> bool:
    """Whether something else in the file depends on fields of a kind."""
    # No value of these scenarios lies where "at most" and "less" differ.
    loose = kind == "dependencies.*.comparison"
    return not (kind in UNBOUND or kind.endswith(".reason") or loose)


def is_named(name: str, paths: list[Keys]) -> bool:
    """Whether a change is an error that names file, found, expected.

    The one in the middle is changed, and others only where nothing depends on that: no dependent
    has the unit of every field.
    """
    for at in (len(paths) // 2, 0, -1):
        found = audited(changed(stored(name), paths[at]), history(name), FILE)
        errors = [one for one in found if one.severity is Severity.ERROR]
        if errors:
            return all(one.file == FILE and one.found != one.expected for one in errors)
    return False
