"""Generated releases: clean, audited, the same for the same seed, and silent about their truth."""

import hashlib
import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.harness.figures import PAPER, averages
from mnemoscope.core.harness.generation import (
    EXPERT,
    Generated,
    GenerationError,
    Stage,
    generate,
    require_drawable,
    require_sound,
)
from mnemoscope.core.harness.oracle_text import read_oracle_text
from mnemoscope.core.harness.spec import spec_of_pack
from mnemoscope.core.harness.trajectory import expert_scenario
from mnemoscope.core.memory.view import hand_over
from mnemoscope.core.model import Kind, Release, Textualisation
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.state.operators import Operator
from mnemoscope.core.truth.audit import audit_release
from mnemoscope.tui.cli import run
from tests.pack_data import PACKS
from tests.terminal import COMMAND

NAMES = list(PACKS)
SMALL = {"turns": 60, "visuals": 9, "questions": 12}

# Any: JSON.
Json = dict[str, Any]


@pytest.fixture(scope="module", params=[(name, seed) for name in NAMES for seed in (1, 2)])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generated:
    name, seed = request.param
    spec, packs = spec_of_pack(name, seed=seed, **SMALL)
    return generate(spec, packs, tmp_path_factory.mktemp("generated") / "out")


@cache
def opened(path: Path) -> Release:
    return open_release(path)


def test_a_generated_release_is_clean_and_passes_the_audit(made: Generated) -> None:
    assert made.defects == ()
    assert not made.missing
    release = opened(made.out)
    assert release.defects == ()
    assert audit_release(release) == []
    assert run(["validate", str(made.out), "--strict"]) == 0


def test_it_has_the_turns_visuals_and_questions_that_were_asked_for(made: Generated) -> None:
    release = opened(made.out)
    counts = release.counts
    assert (counts["histories"], counts["rounds"], counts["questions"]) == (1, 60, 12)
    (truth,) = release.evaluator.truths.values()
    assert len(truth.artifacts) == 9
    assert counts["images"] == 9 + truth.inventory.get(Operator.UNRELATED_VISUAL, 0)
    (history,) = release.histories.values()
    assert [one.id for one in history.rounds] == [f"T{at:03}" for at in range(1, 61)]
    assert [one.date_text for one in history.sessions] == sorted(
        one.date_text for one in history.sessions
    )


def test_the_oracle_text_of_every_picture_reads_back(made: Generated) -> None:
    (history,) = opened(made.out).histories.values()
    pictures = [item for one in history.rounds for item in one.attachments]
    assert pictures
    for item in pictures:
        assert list(item.captions) == ["oracle"]
        exhibit = read_oracle_text(item.captions["oracle"])
        assert exhibit.grids


def test_oracle_text_reaches_a_system_only_where_the_run_asks_for_it(made: Generated) -> None:
    release = opened(made.out)
    (history,) = release.histories.values()
    assert release.textualisation == Textualisation()
    texts = [item.captions["oracle"] for one in history.rounds for item in one.attachments]
    plain = repr(hand_over(history, release.textualisation).view)
    asked = repr(hand_over(history, Textualisation(image="oracle")).view)
    for text in texts:
        line = text.splitlines()[-1]
        assert line not in plain
        assert repr(line)[1:-1] in asked


def test_nothing_that_a_system_may_see_gives_the_truth_away(made: Generated) -> None:
    release = opened(made.out)
    (history,) = release.histories.values()
    view = hand_over(history, release.textualisation).view
    said = json.dumps([one.as_json() for one in view.rounds])
    (truth,) = release.evaluator.truths.values()
    for word in (*Operator, *truth.trajectory.record_by_id, truth.history_id):
        assert str(word) not in said
    for file in (made.out / "media").iterdir():
        assert file.stem == hashlib.sha256(file.read_bytes()).hexdigest()
    for item in (item for one in history.rounds for item in one.attachments):
        assert item.id[0] == "V"
        assert item.id[1:].isdigit()
        assert item.written == ""


def test_clues_lead_to_rounds_and_pictures_of_at_least_two_visuals(made: Generated) -> None:
    for question in opened(made.out).questions.values():
        assert all(clue.resolved for clue in question.clues)
        images = {clue.id for clue in question.clues if clue.target.value == Kind.IMAGE.value}
        assert len(images) >= 2, question.key


def test_how_it_was_made_is_for_the_evaluator_alone(made: Generated) -> None:
    release = opened(made.out)
    (history_id,) = release.histories
    generation = release.evaluator.histories[history_id]["generation"]
    assert generation["proposer"] == {"name": "expert", "tries": 12}
    assert generation["turns"] == 60
    assert set(release.evaluator.questions) == set(release.questions)
    visible = b"".join(one.read_bytes() for one in (made.out / "histories").iterdir())
    assert b"proposer" not in visible + (made.out / "questions.jsonl").read_bytes()


def test_the_stages_are_those_of_the_paper_in_their_order(tmp_path: Path) -> None:
    told: list[str] = []
    spec, packs = spec_of_pack(NAMES[0], turns=40, visuals=5, questions=3)
    generate(spec, packs, tmp_path / "out", by=EXPERT, progress=told.append)
    stages = [text.split(": ")[1] for text in told if ": " in text]
    assert stages == list(Stage)


def test_the_same_seed_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    digests = []
    for seed in ("1", "77"):
        out = tmp_path / seed
        numbers = ["--seed", "5", "--turns", "60", "--visuals", "9", "--questions", "10"]
        command = [*COMMAND, "generate", NAMES[1], *numbers, "--out", str(out)]
        hashing = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, env=hashing, check=True, capture_output=True)
        files = sorted(one for one in out.rglob("*") if one.is_file())
        assert len(files) > 10
        content = [(str(one.relative_to(out)), one.read_bytes()) for one in files]
        digests.append(hashlib.sha256(repr(content).encode()).hexdigest())
    assert digests[0] == digests[1]


def test_averages_stand_beside_those_of_the_paper(made: Generated) -> None:
    found = {one.name: one for one in averages([*made.figures, *made.figures])}
    assert (found["turns"].mean, found["turns"].n, found["turns"].paper) == (60, 2, 212)
    assert found["candidates"].n == 24
    assert (found["candidates"].mean or 0) > 2
    assert set(PAPER) <= set(found)


def test_an_artifact_that_cannot_be_drawn_ends_it_before_anything_is_made() -> None:
    pack = PACKS[NAMES[0]]
    require_drawable(pack, 1)
    wrong = pack.model_copy(update={"contexts": ("Überblick", *pack.contexts[1:])})
    with pytest.raises(GenerationError, match=r"cannot be drawn: .*no 'Ü'"):
        require_drawable(wrong, 1)


def test_a_trajectory_that_fails_the_audit_ends_it() -> None:
    scenario = expert_scenario(PACKS[NAMES[0]], 1, turns=30, visuals=4)
    require_sound(scenario)
    records = scenario.truth.trajectory.records
    object.__setattr__(scenario.truth.trajectory, "records", records[:-1])
    with pytest.raises(GenerationError, match=r"the audit of .*truth") as caught:
        require_sound(scenario)
    assert caught.value.defects
