"""The bundled scenario: what its maker makes, clean, small, with the operators that matter."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

import mnemoscope.sample_data
from mnemoscope.core.model import Release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.truth.audit import audit_release
from mnemoscope.sample_data.make_dsv import make
from mnemoscope.tui.cli import run

HOME = Path(mnemoscope.sample_data.__file__).resolve().parent
DSV = HOME / "dsv"
HASH = re.compile(rb"[0-9a-f]{64}")


@pytest.fixture(scope="module")
def release() -> Release:
    return open_release(DSV)


def test_it_is_what_its_maker_makes(tmp_path: Path) -> None:
    make(tmp_path)
    committed, again = texts(DSV), texts(tmp_path / "dsv")
    assert committed.keys() == again.keys()
    for name, content in committed.items():
        hint = f"{name}: run python sample_data/make_dsv.py"
        assert content == again[name], hint


def texts(root: Path) -> dict[str, bytes]:
    """Every file but pictures, with their hashes left out: letters differ with Pillow's version."""
    found = {
        one.relative_to(root).as_posix(): HASH.sub(b"", one.read_bytes())
        for one in sorted(root.rglob("*"))
        if one.is_file() and one.suffix != ".png"
    }
    return found | {"pictures": str(len(list(root.rglob("*.png")))).encode()}


def test_it_is_clean_and_passes_the_audit(release: Release) -> None:
    assert release.defects == ()
    assert audit_release(release) == []
    assert run(["validate", str(DSV), "--strict"]) == 0


def test_it_has_forty_turns_eight_visuals_and_twenty_questions(release: Release) -> None:
    assert release.counts == {
        "histories": 1,
        "sessions": 2,
        "rounds": 40,
        "questions": 20,
        "images": 9,
        "audio": 0,
    }
    (truth,) = release.evaluator.truths.values()
    assert len(truth.artifacts) == 8
    assert {one.task for one in release.questions.values()} == {one.task for one in release.tasks}


def test_it_has_what_a_memory_gets_wrong(release: Release) -> None:
    (truth,) = release.evaluator.truths.values()
    assert {
        Operator.VISUAL_UPDATE_DISREGARDED,
        Operator.TEXT_UPDATE_REINSTATED,
        Operator.VISUAL_CELL_AUTHORITY,
        Operator.TEXT_ENTITY_RENAME,
        Operator.WRONG_CONTEXT_ARTIFACT,
        Operator.COMPOSITE,
    } <= set(truth.inventory)


def test_its_pictures_are_small_palette_pictures() -> None:
    for path in DSV.rglob("*.png"):
        assert path.stat().st_size < 110_000
        with Image.open(path) as image:
            assert image.mode == "P"
            assert image.width >= 1024


def test_its_conversation_names_nothing_of_the_truth() -> None:
    (history,) = (DSV / "histories").iterdir()
    told = json.loads(history.read_text("utf-8"))
    said = " ".join(
        message["text"]
        for session in told["sessions"]
        for one in session["rounds"]
        for message in one["messages"]
    )
    assert not any(operator.value in said for operator in Operator)
