"""Specifications of releases to generate: read with their packs, refused with the place."""

import re
from pathlib import Path

import pytest

from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.harness import library
from mnemoscope.core.harness.spec import chosen_spec, read_spec, spec_of_pack
from mnemoscope.core.state.operators import Operator

ML = "ml_agent_research"
FOLDER = Path(library.__file__).parent / "packs"
SPEC = """schema_version = 1
name = "two"
licence = "CC0-1.0"

[[scenarios]]
pack = "ml_agent_research"
seed = 3

[[scenarios]]
pack = "mine.toml"
turns = 40
visuals = 6
questions = 20
[scenarios.inventory]
visual_cell_edit = 3
text_update_reinstated = 1
"""


def written(folder: Path, text: str = SPEC) -> Path:
    mine = (FOLDER / f"{ML}.toml").read_text("utf-8").replace(f'name = "{ML}"', 'name = "mine"', 1)
    (folder / "mine.toml").write_text(mine, "utf-8")
    path = folder / "spec.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_specification_is_read_with_its_packs(tmp_path: Path) -> None:
    spec, packs = read_spec(written(tmp_path))
    assert [one.seed for one in spec.scenarios] == [3, 1]
    assert {key: pack.name for key, pack in packs.items()} == {ML: ML, "mine.toml": "mine"}
    assert spec.scenarios[0].turns == 212
    assert set(spec.scenarios[0].counts) == set(Operator)
    assert spec.scenarios[1].counts == {
        Operator.VISUAL_CELL_EDIT: 3,
        Operator.TEXT_UPDATE_REINSTATED: 1,
    }


def test_the_file_of_a_pack_is_a_specification_of_one_scenario(tmp_path: Path) -> None:
    written(tmp_path)
    spec, packs = chosen_spec(str(tmp_path / "mine.toml"), {"seed": 4})
    assert spec.name == "mine-4"
    assert [pack.name for pack in packs.values()] == ["mine"]


WRONG = [
    ("seed = 3", "seeds = 3", r"line 7 \$\.scenarios\[0\]\.seeds: .*no such key"),
    ("seed = 3", "turns = 31", r"line 7 \$\.scenarios\[0\]\.turns: found int 31, expected an even"),
    ("seed = 3", "turns = 50", r"turns: found int 50, expected at least 60, which 24 visuals may"),
    ("turns = 40", "turns = 10", r"turns: found int 10, expected at least 14, which its inventory"),
    ("visuals = 6", "visuals = 0", r"visuals: found int 0, expected at least 2"),
    ("visual_cell_edit = 3", "visual_cell_edit = -1", r"inventory\.visual_cell_edit: found int -1"),
    ("visual_cell_edit = 3", "visual_edit = 1", r"found 'visual_edit', expected 'visual_cell_edi"),
    (
        '"mine.toml"\n',
        '"ml_agent_research"\nseed = 3\n',
        r"scenarios\[1\]\.seed: found int 3, expe",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[new for _, new, _ in WRONG])
def test_a_wrong_specification_is_refused_with_the_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SPEC
    path = written(tmp_path, SPEC.replace(old, new, 1))
    with pytest.raises(ReadError) as caught:
        read_spec(path)
    assert str(path) in str(caught.value)
    assert re.search(message, str(caught.value)), str(caught.value)


def test_a_pack_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no scenario 'x'; there are: expo_floor"):
        spec_of_pack("x")
    with pytest.raises(UsageError, match="turns: found 3, expected an even number"):
        spec_of_pack(ML, turns=3)


def test_what_is_chosen_is_a_pack_or_a_specification(tmp_path: Path) -> None:
    path = str(written(tmp_path))
    assert chosen_spec(ML, {"turns": 100, "visuals": 8})[0].scenarios[0].turns == 100
    assert chosen_spec(path, {})[0].name == "two"
    with pytest.raises(UsageError, match=r"spec\.toml has its own seed and turns: --seed"):
        chosen_spec(path, {"seed": 1, "turns": 100})
    with pytest.raises(UsageError, match="no scenario 'nothing'; there are"):
        chosen_spec("nothing", {})


def test_a_pack_of_a_specification_that_is_wrong_is_named_with_its_own_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    mine = tmp_path / "mine.toml"
    mine.write_text(mine.read_text("utf-8").replace('"#1f3a5f"', '"blue"'), "utf-8")
    with pytest.raises(ReadError, match=r"mine\.toml: .*accent: found 'blue'"):
        read_spec(path)
