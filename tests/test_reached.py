"""What reached the model for an answer: read from a run, printed, drawn, and kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.model import NO_CAPTION, Kind, QuestionRef, Reached, Record, RecordStatus
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.outcomes import reached_note
from mnemoscope.core.runs.registry import open_runs
from tests.app_driver import opened, screen_text, settled
from tests.cli_data import Mnemoscope

CUE = Path(__file__).parents[1] / "sample_data" / "cue"
MADE = ("run", "--release", CUE, "--backbone", "embedded", "--filter", "sample:6 seed:1")


def a_record(reached: Reached | None, status: RecordStatus = RecordStatus.OK) -> Record:
    return Record(QuestionRef(key="p0/q/0"), status, "A", "records.jsonl", "$[0]", reached=reached)


def test_it_is_one_short_line() -> None:
    none, few = "image: the model takes none", "image: too many pictures"
    said = {
        "text": Reached(),
        "text, 2 images; 4 images as captions": Reached({Kind.IMAGE: 2}, {none: 3, few: 1}),
        "text, 1 image, 1 clip": Reached({Kind.AUDIO: 1, Kind.IMAGE: 1}),
        "text; 1 clip as captions; 2 clips without a caption": Reached(
            {}, {"audio: caption read": 1, f"audio: {NO_CAPTION}": 2}
        ),
    }
    assert [str(one) for one in said.values()] == list(said)


@pytest.mark.parametrize(
    "data",
    [
        None,
        "text",
        {"text": True},
        {"image": 1, "audio": 0, "fallbacks": ["image"]},
        {"image": "1", "audio": 0, "fallbacks": {}},
        {"image": -1, "audio": 0, "fallbacks": {}},
        {"image": True, "audio": 0, "fallbacks": {}},
        {"image": 1, "audio": 0, "fallbacks": {"image: why": None}},
    ],
)
def test_what_somebody_else_wrote_there_says_nothing(data: Any) -> None:
    assert Reached.from_json(data) is None


def test_what_was_written_is_read_again() -> None:
    reached = Reached({Kind.IMAGE: 2}, {"audio: the model takes none": 1})
    assert Reached.from_json(reached.as_json()) == reached


def test_nothing_is_said_of_a_record_that_failed() -> None:
    assert reached_note(a_record(Reached({Kind.IMAGE: 2}))) == "text, 2 images"
    assert not reached_note(a_record(Reached(), RecordStatus.ERROR))
    assert not reached_note(a_record(None))


def test_show_says_it_and_conversion_keeps_it(mnemoscope: Mnemoscope, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert mnemoscope(*MADE, "--system", "oracle_multimodal", "--out", one)[0] == 0
    records = open_runs(one).runs[0].records
    key = max(records, key=lambda each: len(str(each.reached))).ref.key
    code, out, _ = mnemoscope("show", CUE, key, one)
    assert code == 0
    line = next(each for each in out.splitlines() if "reached: " in each)
    assert line.startswith("  reached: text; ")
    assert line.endswith(" as captions")
    shown = json.loads(mnemoscope("show", CUE, key, one, "--json")[1])["runs"][0]
    assert shown["reached"]["text"] is True
    assert shown["reached"]["fallbacks"]
    assert shown["reached_note"] in line
    assert mnemoscope("convert", one, "--out", two)[0] == 0
    assert [each.reached for each in open_runs(two).runs[0].records] == [
        each.reached for each in records
    ]


def test_show_says_nothing_where_no_model_was_asked(mnemoscope: Mnemoscope, tmp_path: Path) -> None:
    made = ("run", "--release", CUE, "--system", "always_refuse", "--filter", "sample:2 seed:1")
    assert mnemoscope(*made, "--out", tmp_path / "one")[0] == 0
    (run,) = open_runs(tmp_path / "one").runs
    assert {one.reached for one in run.records} == {None}
    key = run.records[0].ref.key
    assert "reached" not in mnemoscope("show", CUE, key, tmp_path / "one")[1]
    shown = json.loads(mnemoscope("show", CUE, key, tmp_path / "one", "--json")[1])["runs"][0]
    assert shown["reached"] is None


@pytest.fixture
def made(mnemoscope: Mnemoscope, tmp_path: Path) -> Path:
    """A run that was handed pictures and clips, and read their captions."""
    assert mnemoscope(*MADE, "--system", "oracle_multimodal", "--out", tmp_path / "one")[0] == 0
    return tmp_path / "one"


async def test_the_question_screen_says_it_beside_the_answer(made: Path) -> None:
    (run,) = open_runs(made).runs
    record = max(run.records, key=lambda each: len(str(each.reached)))
    async with opened(OpenRequest(CUE, runs=(made,))) as (app, pilot):
        app.show_question(record.ref.key)
        await settled(app, pilot)
        assert f"reached: {record.reached}" in screen_text(app)
