"""Logs of inspect_ai: archives and JSON, samples, scores, epochs, limits and errors."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core import archives
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import Record, RecordStatus, Release, Run, StoredMetric, Value, Verdict
from mnemoscope.core.raw import raw_record
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.contexts import sent_context
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.native.store import write_run
from mnemoscope.core.runs.registry import is_run_output, open_runs
from mnemoscope.core.workspace import join_run
from mnemoscope.tui.cli import run as cli
from tests.locomo_data import broken_copies, conversation, write
from tests.longmemeval_data import instance
from tests.other_run_data import ROSES, eval_archive, inspect_log, sample


def only_run(path: Path) -> Run:
    (run,) = open_runs(path).runs
    return run


def record_of(tmp_path: Path, **more: Any) -> Record:
    return only_run(write(tmp_path / "x.json", inspect_log(sample("ab12", **more)))).records[0]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """One history with one question, ``ab12``."""
    return open_release(write(tmp_path / "longmemeval_s.json", [instance("ab12")]))


def test_an_archive_and_the_same_as_json_are_equal_runs(tmp_path: Path) -> None:
    packed = only_run(eval_archive(tmp_path / "a" / "log.eval", inspect_log()))
    plain = only_run(write(tmp_path / "b" / "log.json", inspect_log()))
    assert is_run_output(tmp_path / "a")
    for run in (packed, plain):
        assert (run.format, run.system, run.backbone) == (
            *("inspect-ai", "memory_agent", "lab/some-model"),
        )
        assert run.name == "roses memory_agent some-model 20261130T133741"
        assert run.metrics == (StoredMetric("includes accuracy", 0.5),)
        assert run.parameters["config"] == {"epochs": 2}
    told = [
        [(one.ref, one.answer, one.repeat, one.verdicts, one.usage) for one in run.records]
        for run in (packed, plain)
    ]
    assert told[0] == told[1]


def test_an_epoch_is_a_repeat(tmp_path: Path, release: Release) -> None:
    run = only_run(eval_archive(tmp_path / "log.eval", inspect_log()))
    assert [(one.ref.question, one.repeat) for one in run.records] == [
        *(("ab12", 0), ("2", 0), ("ab12", 1)),
    ]
    joined = join_run(release, run)
    found = [(one.record.repeat, one.judgement.value) for one in joined.entries]
    assert found == [(0, Value.RIGHT), (1, Value.WRONG)]


def test_a_sample_is_read_again_from_inside_the_archive(tmp_path: Path) -> None:
    run = only_run(eval_archive(tmp_path / "log.eval", inspect_log(sample("a/b c", 2))))
    (record,) = run.records
    assert record.place == '$["samples/a/b c_epoch_2.json"]'
    assert raw_record(run, record).value()["epoch"] == 2
    sent = f"[system]\nAnswer from the history.\n\n[user]\n…history…\n\n{ROSES}"
    assert sent_context(run, record) == sent
    write_run(run, [None], tmp_path / "native")
    again = only_run(tmp_path / "native")
    assert sent_context(again, again.records[0]) == sent


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"id": "ab12"}, "ab12/0"),
        ({"id": "ab12/0"}, "ab12/0"),
        ({"id": "row 7", "metadata": {"question_id": "ab12"}}, "ab12/0"),
        ({"id": "ab12", "metadata": {"question": "Something else?"}}, None),
        ({"id": "other"}, None),
    ],
)
def test_a_sample_is_known_by_its_metadata_or_its_id(
    tmp_path: Path, release: Release, more: dict[str, Any], key: str | None
) -> None:
    run = only_run(write(tmp_path / "x.json", inspect_log(sample("", **more))))
    assert join(release, run).keys == (key,)


@pytest.fixture
def potters(tmp_path: Path) -> Release:
    """A release of one history whose questions are numbered."""
    return open_release(write(tmp_path / "locomo10.json", [conversation("conv-1")]))


def test_a_number_for_an_id_joins_only_where_the_prompt_holds_the_question(
    tmp_path: Path, potters: Release
) -> None:
    asked = "Long history.\n\nQuestion: In which year did Ada buy her kiln?\nAnswer:"
    # Samples without ids are numbered from 1; the release numbers its questions from 0.
    log = inspect_log(sample(1, input=asked), sample(2, input=asked))
    run = only_run(write(tmp_path / "x.json", log))
    assert join(potters, run).keys == ("conv-1/1", None)
    explicit = {"conversation_id": "conv-1", "question_id": 3}
    run = only_run(write(tmp_path / "x.json", inspect_log(sample(9, metadata=explicit))))
    assert join(potters, run).keys == ("conv-1/3",)


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("C", Value.RIGHT),
        ("I", Value.WRONG),
        ("N", Value.WRONG),
        ("P", Value.WRONG),
        (1, Value.RIGHT),
        (0.0, Value.WRONG),
        (True, Value.RIGHT),
        ("correct", Value.RIGHT),
        (float("nan"), Value.JUDGE_FAILED),
        ("?", Value.JUDGE_FAILED),
        (None, Value.NOT_JUDGED),
    ],
)
def test_what_scorers_write_is_right_wrong_or_neither(
    tmp_path: Path, value: Any, verdict: Value
) -> None:
    found = record_of(tmp_path, value=value).verdicts[0]
    assert (found.judge, found.stage, found.value) == ("stored", "includes", verdict)


def test_a_partially_right_answer_is_not_right_and_keeps_its_score(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "x.json", inspect_log(sample("ab12", value="P"))))
    (verdict,) = run.records[0].verdicts
    assert (verdict.value, verdict.score) == (Value.WRONG, 0.5)
    assert verdict.reason == "partially right; it says so"
    assert any("counts as 0.5" in note for note in run.notes)


def test_figures_of_scorers_are_no_verdicts(tmp_path: Path) -> None:
    scores = {
        "f1": {"value": 0.25},
        "grid": {"value": {"recall": 0.5, "hit": True, "why": "text"}},
        "pair": {"value": [1, 0.5]},
    }
    record = record_of(tmp_path, scores=scores)
    assert record.verdicts == ()
    assert {one.name: one.value for one in record.metrics} == {
        **{"f1": 0.25, "grid recall": 0.5, "grid hit": 1.0},
        **{"pair 1": 1.0, "pair 2": 0.5},
    }


def test_the_first_scorer_of_the_log_that_decides_decides(tmp_path: Path) -> None:
    scores = {
        "judge": {"value": "I"},
        "includes": {"value": "C", "answer": "B"},
        "broken": {"value": float("nan")},
    }
    run = only_run(write(tmp_path / "x.json", inspect_log(sample("ab12", scores=scores))))
    record = run.records[0]
    assert [(one.stage, one.value) for one in record.verdicts] == [
        *(("includes", Value.RIGHT), ("judge", Value.WRONG), ("broken", Value.JUDGE_FAILED)),
    ]
    assert record.parsed == "B"
    assert "right and wrong go by the scorer 'includes'; the others stand beside it" in run.notes


def blank(**more: Any) -> dict[str, Any]:
    return {"output": {"choices": [], "completion": ""}, "scores": {}, **more}


@pytest.mark.parametrize(
    ("more", "status", "detail"),
    [
        (blank(error={"message": "boom\nat line 3", "traceback": "…"}), "error", "boom"),
        (blank(error={"traceback": "…"}), "error", "error without a message"),
        (blank(limit={"type": "time", "limit": 60}), "timeout", "stopped by its time limit"),
        (blank(limit={"type": "token", "limit": 9}), "budget", "stopped by its token limit"),
        ({"limit": {"type": "message", "limit": 9}}, "ok", "stopped by its message limit"),
        (blank(), "error", "blank answer"),
    ],
)
def test_errors_and_limits_are_states_of_a_record(
    tmp_path: Path, more: dict[str, Any], status: str, detail: str
) -> None:
    record = record_of(tmp_path, **more)
    assert (record.status, record.detail) == (status, detail)
    if status == "error" and detail == "boom":
        assert record.answer == "boom\nat line 3"


def test_a_filtered_answer_is_refused_by_the_provider(tmp_path: Path) -> None:
    choice = {"message": {"role": "assistant", "content": ""}, "stop_reason": "content_filter"}
    record = record_of(tmp_path, output={"choices": [choice], "completion": ""})
    assert record.status is RecordStatus.REFUSED


def test_a_right_answer_on_an_error_does_not_count(tmp_path: Path, release: Release) -> None:
    log = inspect_log(sample("ab12", error={"message": "boom"}))
    joined = join_run(release, only_run(write(tmp_path / "x.json", log)))
    assert joined.entries[0].judgement.stored_right_on_failure
    assert not joined.entries[0].judgement.right


def test_only_the_model_under_test_is_in_the_usage(tmp_path: Path) -> None:
    assert record_of(tmp_path).usage == {
        **{"input_tokens": 100, "output_tokens": 5, "total_tokens": 105},
        **{"seconds": 1.5, "working_seconds": 1.25},
    }


def test_text_in_parts_reasoning_and_kept_texts_are_put_together(tmp_path: Path) -> None:
    content = [
        {"type": "reasoning", "reasoning": "she said so"},
        {"type": "text", "text": "Damask"},
        {"type": "image", "image": "attachment://1"},
        {"type": "text", "text": "roses"},
    ]
    choice = {"message": {"role": "assistant", "content": content}, "stop_reason": "stop"}
    record = record_of(tmp_path, output={"choices": [choice]})
    assert record.reasoning == "she said so"
    assert record.answer == "Damask\nroses"
    kept = {"completion": "attachment://abc", "choices": []}
    record = record_of(tmp_path, output=kept, attachments={"abc": "a long answer"})
    assert record.answer == "a long answer"


def test_an_evaluation_that_did_not_end_is_read_from_its_journal(tmp_path: Path) -> None:
    whole = eval_archive(tmp_path / "whole.eval", inspect_log())
    path = tmp_path / "x" / "cut.eval"
    path.parent.mkdir()
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            if name != "header.json":
                target.writestr(name, source.read(name))
    run = only_run(path)
    assert len(run.records) == 3
    assert any("ended as 'started'" in note for note in run.notes)


def test_an_archive_that_is_no_log_says_so(tmp_path: Path) -> None:
    for members, said in (
        ({"readme.json": "{}"}, "without header.json"),
        ({"header.json": "{}"}, "header of a log"),
        ({"header.json": "{"}, "header.json"),
    ):
        path = tmp_path / "x.eval"
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in members.items():
                archive.writestr(name, text)
        with pytest.raises(ReadError, match=said):
            open_runs(path)


def test_a_log_without_samples_says_so(tmp_path: Path) -> None:
    log = inspect_log()
    log["samples"] = []
    eval_archive(tmp_path / "a.eval", log)
    del log["samples"]
    write(tmp_path / "b.json", log)
    for name in ("a.eval", "b.json"):
        with pytest.raises(InputError, match="found no samples, expected a log"):
            open_runs(tmp_path / name)


def test_a_broken_sample_is_a_defect_and_the_others_are_kept(tmp_path: Path) -> None:
    path = eval_archive(tmp_path / "log.eval", inspect_log())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("samples/x_epoch_1.json", "{")
        archive.writestr("samples/y_epoch_1.json", "[1]")
        archive.writestr("samples/notes.txt", "no sample")
    run = only_run(path)
    assert len(run.records) == 3
    assert [(one.code, one.path) for one in run.defects] == [
        ("unreadable_sample", '$["samples/x_epoch_1.json"]'),
        ("wrong_type", '$["samples/y_epoch_1.json"]'),
    ]


def test_a_log_that_cannot_be_unpacked_here_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = eval_archive(tmp_path / "log.eval", inspect_log())
    packed = path.read_bytes()
    directory = packed.index(b"PK\x01\x02")
    head = packed[:directory].replace(b"\x08\x00", b"\x5d\x00")
    rest = packed[directory:].replace(b"\x00\x00\x08\x00", b"\x00\x00\x5d\x00")
    path.write_bytes(head + rest)
    monkeypatch.setattr(archives, "_zstandard_reader", lambda: None)
    with pytest.raises(InputError, match="Zstandard") as caught:
        open_runs(path)
    assert "inspect log convert" in str(caught.value)


def test_the_command_line_says_what_is_wrong_with_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.eval"
    broken.write_bytes(b"PK")
    sound = eval_archive(tmp_path / "sound.eval", inspect_log())
    for arguments, said in (
        (("info", broken), "broken.eval: found no zip archive, or a cut one, expected a zip"),
        (("score", sound, broken), "sound.eval: is run output, expected a release"),
        (("score", broken, sound), "broken.eval: not a release of a known format"),
    ):
        assert cli([str(one) for one in arguments]) == 2
        assert said in capsys.readouterr().err
    assert cli(["info", str(sound)]) == 0
    assert "inspect-ai" in capsys.readouterr().out


def test_logs_beside_each_other_are_runs_of_their_own(tmp_path: Path) -> None:
    eval_archive(tmp_path / "a.eval", inspect_log())
    write(tmp_path / "a.json", inspect_log())
    (tmp_path / "broken.eval").write_bytes(b"PK")
    opened = open_runs(tmp_path)
    assert [run.files for run in opened.runs] == [("a.eval",), ("a.json",)]
    assert [one.file for one in opened.defects] == ["broken.eval"]


def test_no_wrong_type_in_an_archive_stops_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    for what, broken in broken_copies(inspect_log(sample("ab12"))):
        with zipfile.ZipFile(path, "w") as archive:
            try:
                header = json.dumps({k: v for k, v in broken.items() if k != "samples"})
                archive.writestr("header.json", header)
                for at, one in enumerate(broken.get("samples") or ()):
                    archive.writestr(f"samples/{at}_epoch_1.json", json.dumps(one))
            except TypeError:
                continue
        try:
            open_runs(path)
        except InputError as error:
            assert "x.eval" in str(error), what


def test_verdicts_of_one_scorer_keep_their_explanation(tmp_path: Path) -> None:
    assert record_of(tmp_path).verdicts == (
        Verdict("stored", Value.RIGHT, "includes", "it says so"),
    )
