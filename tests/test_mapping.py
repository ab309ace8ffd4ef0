import contextlib
import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import InputError, ReadError, UsageError
from mnemoscope.core.mapping.choice import Formats, chosen_formats
from mnemoscope.core.mapping.reader import read_map
from mnemoscope.core.model import GoldKind, RecordStatus, RetrievalState, Value
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.raw import raw_question, raw_record
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.registry import OpenedRuns, open_runs
from mnemoscope.core.workspace import Workspace
from tests.app_driver import opened, screen_text
from tests.cli_data import Mnemoscope
from tests.workspace_data import SHARED, a_question, a_release

ROOT = Path(__file__).parents[1]
MANUAL = ROOT / "docs" / "mapping.md"

PLAIN: dict[str, Any] = {
    "kind": "mnemoscope-map",
    "schema_version": 1,
    "question": {"id": "id"},
    "answer": {"text": "answer"},
}


_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["ok", "1", "yes", "[]"])
)


def _objects_of(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(dict.fromkeys("abcd", values))


@pytest.fixture
def manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the manual shows, which we are in."""
    text = MANUAL.read_text("utf-8")
    for name, body in re.findall(r"\*\*`([^`]+)`\*\*[^\n]*\n\n```\w+\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(body, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_map(folder: Path, **changes: Any) -> Path:
    path = folder / "map.json"
    path.write_text(json.dumps({**PLAIN, **changes}), "utf-8")
    return path


def mapped(folder: Path, name: str, content: object, **changes: Any) -> OpenedRuns:
    """The runs of one file by a map that reads ids and answers, changed as is said."""
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, "utf-8")
    return open_runs(folder / name, map=write_map(folder, **changes))


def found(run: OpenedRuns) -> list[tuple[str, str]]:
    return [(one.code, one.path) for of in run.runs for one in of.defects]


def test_rows_that_stand_in_an_object_are_pointed_at(tmp_path: Path) -> None:
    rows = [{"id": "h/0", "answer": "tea"}]
    with pytest.raises(ReadError) as error:
        mapped(tmp_path, "a.json", {"model": "x", "my rows": rows})
    assert error.value.hint == (
        "if the rows are those at 'my rows', say so at the top of the map: "
        """rows = '$["my rows"][*]'"""
    )
    (run,) = mapped(tmp_path, "a.json", {"my rows": rows}, rows='$["my rows"][*]').runs
    assert len(run.records) == 1
    # Lists inside of rows, and two lists, say nothing.
    for content in ([{"id": "h/0", "hits": rows}], {"a": rows, "b": rows}, {"a": [1]}):
        with pytest.raises(ReadError) as error:
            mapped(tmp_path, "a.json", content)
        assert error.value.hint == ""


# The example of the manual


def test_the_example_of_the_manual_is_what_is_printed(manual: Path, mnemoscope: Mnemoscope) -> None:
    text = MANUAL.read_text("utf-8")
    command, _, shown = text.partition("```console\n$ mnemoscope ")[2].partition("\n")
    code, out, err = mnemoscope(*command.split())
    assert (code, err) == (0, "")
    assert out.startswith(shown.partition("\n…")[0])


def test_the_example_has_repeats_errors_retrieval_and_usage(manual: Path) -> None:
    request = OpenRequest(
        manual / "questions.csv",
        (manual / "answers.csv",),
        format="mapping",
        release_map=manual / "questions.toml",
        run_map=manual / "answers.toml",
    )
    workspace = open_workspace(request)
    assert workspace.defects == ()
    bm25, always = workspace.runs
    assert [len(run.entries) for run in workspace.runs] == [6, 3]
    assert [one.record.repeat for one in bm25.by_question["nora/q1"]] == [0, 1]
    timed_out = bm25.by_question["nora/q2"][1]
    assert timed_out.record.status is RecordStatus.ERROR
    assert (timed_out.record.answer, timed_out.judgement.value) == ("timed out", Value.WRONG)
    items = bm25.by_question["nora/q1"][0].record.retrieval.items
    assert [item.sources[0].round_id for item in items] == ["r3", "r1"]
    assert always.by_question["nora/q1"][0].record.retrieval.items == ()
    assert bm25.entries[0].record.usage == {"seconds": 0.4}


async def test_the_example_opens_in_the_app(manual: Path) -> None:
    request = OpenRequest(
        manual / "questions.csv",
        (manual / "answers.csv",),
        format="mapping",
        release_map=manual / "questions.toml",
        run_map=manual / "answers.toml",
    )
    async with opened(request) as (app, pilot):
        text = screen_text(app)
        assert "three questions" in text
        assert "A bm25" in text.replace("A  bm25", "A bm25")
        for keys in (("L", "enter"), ("C",), ("M",), ("H",)):
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            assert app.return_code in (None, 0)


# Kinds of files


ROWS = [{"id": "q1", "answer": "yes"}, {"id": "q2", "answer": "no"}]


@pytest.mark.parametrize(
    ("name", "content", "changes"),
    [
        ("a.csv", "id,answer\nq1,yes\nq2,no\n", {}),
        ("a.tsv", "id\tanswer\nq1\tyes\nq2\tno\n", {}),
        ("a.csv", "id;answer\nq1;yes\nq2;no\n", {"delimiter": ";"}),
        ("a.csv", '\ufeffid,answer\r\nq1,"yes"\r\n\r\nq2,no', {}),
        ("a.json", ROWS, {}),
        ("a.jsonl", "\n".join(json.dumps(row) for row in ROWS), {}),
        ("a.json", {"out": {"rows": ROWS}}, {"rows": "$.out.rows"}),
        ("a.json", {"systems": [{"r": ROWS[:1]}, {"r": ROWS[1:]}]}, {"rows": "$.systems[*].r[*]"}),
        ("a.json", {"0": ROWS[:1], "1": ROWS[1:]}, {"rows": "$.*[*]"}),
        ("a.json", {"0": ROWS[:1], "1": ROWS[1:]}, {"rows": "$.*"}),
        ("a.json", {"my rows": ROWS}, {"rows": '$["my rows"][*]'}),
        ("a.jsonl", json.dumps({"rows": ROWS}), {"rows": "$.rows"}),
    ],
)
def test_rows_are_read_from_every_shape_of_table(
    tmp_path: Path, name: str, content: object, changes: dict[str, Any]
) -> None:
    opened_runs = mapped(tmp_path, name, content, **changes)
    (run,) = opened_runs.runs
    assert [(one.ref.question, one.answer) for one in run.records] == [("q1", "yes"), ("q2", "no")]
    assert (run.system, run.format, run.defects) == ("a", "mapping", ())
    for record in run.records if "delimiter" not in changes else ():
        raw = raw_record(run, record).value()
        assert (raw["id"], raw["answer"]) == (record.ref.question, record.answer)


def test_a_table_in_another_encoding_is_read_as_the_map_says(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("id,answer\nq1,喝茶\n".encode("gb18030"))
    opened_runs = open_runs(tmp_path / "a.csv", map=write_map(tmp_path, encoding="gb18030"))
    assert opened_runs.runs[0].records[0].answer == "喝茶"
    with pytest.raises(ReadError, match=r"a.csv: line 2: found byte 0xba, expected utf-8 text"):
        open_runs(tmp_path / "a.csv", map=write_map(tmp_path))


def test_paths_lead_into_objects_out_of_them_and_to_keys(tmp_path: Path) -> None:
    data = {
        "conv-1": {"who": "ann", "rows": [{"id": "x", "meta": {"said": ["a", "b"]}, "a.b": "z"}]}
    }
    (run,) = mapped(
        tmp_path,
        "a.json",
        data,
        rows="$.*.rows[*]",
        question={"id": "id", "history": "*", "category": "^who", "form": "a.b"},
        answer={"text": "meta.said[1]"},
    ).runs
    (record,) = run.records
    assert (record.ref.history, record.ref.category, record.ref.form) == ("conv-1", "ann", "z")
    assert record.answer == "b"
    assert record.place == '$["conv-1"].rows[0]'


def test_several_runs_in_one_file_are_told_apart(tmp_path: Path) -> None:
    text = "id,answer,sys,llm\nq1,a,bm25,x\nq1,b,bm25,y\nq1,c,mem,x\n"
    runs = mapped(tmp_path, "a.csv", text, run={"system": "sys", "backbone": "llm"}).runs
    assert [(run.system, run.backbone) for run in runs] == [
        ("bm25", "x"),
        ("bm25", "y"),
        ("mem", "x"),
    ]


def test_constants_and_the_configuration_come_from_the_map(tmp_path: Path) -> None:
    run = {
        "system": {"value": "bm25"},
        "backbone": {"value": "gpt-x"},
        "rule": "rq1",
        "used_depth": 5,
        "parameters": {"k": 5},
        "textualisation": {"image": "medium"},
    }
    (one,) = mapped(tmp_path, "a.csv", "id,answer\nq1,A\n", run=run).runs
    assert (one.system, one.backbone, one.rule, one.used_depth) == ("bm25", "gpt-x", "rq1", 5)
    assert one.parameters == {"k": 5}
    assert str(one.textualisation) == "image=medium,audio=none"


@pytest.mark.parametrize(("together", "runs"), [(False, 2), (True, 1)])
def test_files_of_a_folder_are_runs_of_their_own_unless_the_map_joins_them(
    tmp_path: Path, together: bool, runs: int
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.csv").write_text(f"id,answer\nq{number},A\n")
    (folder / "other.json").write_text('{"note": "no rows here"}')
    (folder / "readme.csv").write_text("what,why\nx,y\n")
    changes = {"run": {"system": {"value": "bm25"}, "together": together}}
    opened_runs = open_runs(folder, map=write_map(tmp_path, **changes))
    assert len(opened_runs.runs) == runs
    assert sum(len(run.records) for run in opened_runs.runs) == 2
    assert set(opened_runs.skipped) == {"other.json", "readme.csv"}


def test_known_forms_are_read_as_ever_beside_mapped_files(tmp_path: Path) -> None:
    zep = {
        "locomo_experiment_user_0": [
            {"question": "Who?", "answer": "Ann", "golden_answer": "Ann", "grade": True}
        ]
    }
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "zep_grades.json").write_text(json.dumps(zep))
    (tmp_path / "runs" / "mine.csv").write_text("id,answer\nq1,A\n")
    found_runs = open_runs(tmp_path / "runs", map=write_map(tmp_path)).runs
    assert {run.format for run in found_runs} == {"zep", "mapping"}
    only = open_runs(tmp_path / "runs", format="mapping", map=write_map(tmp_path))
    assert {run.format for run in only.runs} == {"mapping"}


# Verdicts, statuses, retrieval, figures


def verdicts(folder: Path, values: list[Any], **verdict: Any) -> list[Value]:
    rows = [{"id": f"q{n}", "answer": "x", "ok": value} for n, value in enumerate(values)]
    (run,) = mapped(folder, "a.json", rows, verdict={"value": "ok", **verdict}).runs
    return [one.verdicts[0].value for one in run.records]


def test_verdicts_are_words_and_nothing_else_is_guessed(tmp_path: Path) -> None:
    values = [True, 1, "Yes", "1.0", False, 0, "wrong", None, "", "maybe", [1]]
    assert verdicts(tmp_path, values) == [
        *[Value.RIGHT] * 4,
        *[Value.WRONG] * 3,
        *[Value.NOT_JUDGED] * 2,
        *[Value.JUDGE_FAILED] * 2,
    ]
    with_own = {"right": ["good"], "wrong": ["bad"], "not_judged": ["-"], "judge_failed": ["ERR"]}
    assert verdicts(tmp_path, ["good", "BAD", "-", "err"], **with_own) == [
        Value.RIGHT,
        Value.WRONG,
        Value.NOT_JUDGED,
        Value.JUDGE_FAILED,
    ]


def test_a_verdict_that_cannot_be_read_is_a_defect_with_line_and_column(tmp_path: Path) -> None:
    text = "id,answer,ok\nq1,x,yes\nq2,x,perhaps\n"
    (run,) = mapped(tmp_path, "a.csv", text, verdict={"value": "ok"}).runs
    (defect,) = run.defects
    assert (defect.file, defect.path, defect.found) == ("a.csv", "line 3 column 'ok'", "'perhaps'")
    assert "'yes'" in defect.expected
    assert defect.severity is Severity.ERROR
    assert run.records[1].verdicts[0].reason == "the stored verdict cannot be read"


def test_scores_become_verdicts_from_a_threshold(tmp_path: Path) -> None:
    values = [0.9, "0.5", 0.49, None, "high"]
    assert verdicts(tmp_path, values, right_from=0.5) == [
        Value.RIGHT,
        Value.RIGHT,
        Value.WRONG,
        Value.NOT_JUDGED,
        Value.JUDGE_FAILED,
    ]


def test_statuses_are_words_and_errors_and_blank_answers_fail(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "answer": "x", "state": "done", "err": ""},
        {"id": "2", "answer": "", "state": "slow", "err": ""},
        {"id": "3", "answer": "x", "state": "done", "err": "boom"},
        {"id": "4", "answer": " ", "state": "OK", "err": ""},
        {"id": "5", "answer": "x", "state": "odd", "err": ""},
    ]
    answer = {
        "text": "answer",
        "error": "err",
        "status": "state",
        "status_words": {"ok": ["done"], "timeout": ["slow"]},
    }
    opened_runs = mapped(tmp_path, "a.json", rows, answer=answer)
    (run,) = opened_runs.runs
    assert [one.status.value for one in run.records] == ["ok", "timeout", "error", "error", "error"]
    assert [one.detail for one in run.records][2:] == [
        "the row has an error",
        "blank answer",
        "the status cannot be read",
    ]
    assert found(opened_runs) == [("wrong_type", "$[4].state")]


def test_an_error_is_whatever_is_not_empty_and_gold_may_be_a_list(tmp_path: Path) -> None:
    errors = [None, "", False, {}, " ", "boom", True, {"code": 429}]
    rows = [{"id": str(n), "answer": "", "err": one, "g": ["a", 1]} for n, one in enumerate(errors)]
    (run,) = mapped(
        tmp_path,
        "a.json",
        rows,
        question={"id": "id", "gold": "g"},
        answer={"text": "answer", "error": "err"},
    ).runs
    blank, error = "blank answer", "the row has an error"
    assert [one.detail for one in run.records] == [*[blank] * 5, *[error] * 3]
    assert [one.answer for one in run.records][5:] == ["boom", "true", '{"code": 429}']
    assert {one.ref.gold for one in run.records} == {"a | 1"}
    assert run.defects == ()


@settings(max_examples=150, deadline=None)
@given(st.recursive(_scalars, lambda of: st.lists(of, max_size=3) | _objects_of(of), max_leaves=20))
def test_whatever_a_file_holds_it_is_read_or_refused_in_one_line(data: Any) -> None:
    changes = {
        "rows": "$",
        "question": {"id": "a", "text": "b", "index": "c", "history": "d", "gold": "a"},
        "answer": {"text": "b", "error": "c", "status": "d"},
        "verdict": {"value": "a", "right_from": 0.5, "reason": "b"},
        "retrieved": {"ids": "c", "scores": "d", "texts": "a"},
        "metrics": {"f1": "a"},
        "run": {"system": "a", "repeat": "b"},
    }
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(InputError):
        mapped(Path(folder), "a.json", data, **changes)


def test_retrieved_ids_are_lists_texts_or_json_in_a_cell(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "got": ["a", 2]},
        {"id": "2", "got": "a; b"},
        {"id": "3", "got": ""},
        {"id": "4"},
    ]
    retrieved = {"ids": "got", "separator": ";", "grain": "session"}
    (run,) = mapped(tmp_path, "a.json", rows, answer={}, retrieved=retrieved).runs
    items = [one.retrieval.items for one in run.records]
    named = [[item.sources[0].session_id for item in of] for of in items]
    assert named == [["a", "2"], ["a", "b"], [], []]
    assert [one.retrieval.state for one in run.records][2:] == [
        RetrievalState.IDS,
        RetrievalState.NOT_STORED,
    ]
    text = 'id,got\n1,"[""a"",""b""]"\n2,not a list\n'
    json_list = {"ids": "got", "separator": "json"}
    opened_runs = mapped(tmp_path, "b.csv", text, answer={}, retrieved=json_list)
    assert len(opened_runs.runs[0].records[0].retrieval.items) == 2
    assert found(opened_runs) == [("wrong_type", "line 3 column 'got'")]


def test_items_may_be_objects_with_scores_and_texts(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"id": "1", "hits": [{"r": "D1:1", "s": 0.5, "t": "one"}]},
        {"id": "2", "hits": [{"r": "D1:1", "t": "one"}]},
    ]
    rows[0]["hits"] += [{"r": "D1:2", "s": 0.25, "t": "2"}]
    retrieved = {"ids": "hits[*].r", "scores": "hits[*].s", "texts": "hits[*].t"}
    opened_runs = mapped(tmp_path, "a.json", rows, answer={}, retrieved=retrieved)
    first, second = (one.retrieval.items for one in opened_runs.runs[0].records)
    assert [(i.rank, i.sources[0].round_id, i.score, i.text) for i in first] == [
        (1, "D1:1", 0.5, "one"),
        (2, "D1:2", 0.25, "2"),
    ]
    assert second[0].score is None
    assert found(opened_runs) == [("wrong_type", "$[1].hits[*].s")]


def test_a_text_of_ids_without_a_separator_is_a_defect_and_not_divided(tmp_path: Path) -> None:
    opened_runs = mapped(tmp_path, "a.csv", "id,got\n1,a;b\n", answer={}, retrieved={"ids": "got"})
    assert found(opened_runs) == [("wrong_type", "line 2 column 'got'")]
    assert "separator" in opened_runs.runs[0].defects[0].expected


def test_figures_and_repeats_are_numbers_or_defects(tmp_path: Path) -> None:
    text = "id,answer,f1,seed\n1,x,0.5,0\n2,x,,1\n3,x,high,2\n4,x,nan,1.5\n"
    opened_runs = mapped(tmp_path, "a.csv", text, metrics={"f1": "f1"}, run={"repeat": "seed"})
    records = opened_runs.runs[0].records
    assert [[m.value for m in one.metrics] for one in records] == [[0.5], [], [], []]
    assert [one.repeat for one in records] == [0, 1, 2, 0]
    assert found(opened_runs) == [
        ("wrong_type", "line 4 column 'f1'"),
        ("wrong_type", "line 5 column 'seed'"),
        ("wrong_type", "line 5 column 'f1'"),
    ]


# What does not fit


@pytest.mark.parametrize(
    ("name", "content", "changes", "said"),
    [
        ("a.csv", "id,anwser\nq1,x\n", {}, "a.csv: line 1: found columns 'id', 'anwser', expected"),
        (
            "a.json",
            [{"id": "1"}],
            {},
            "a.json: $: found columns 'id', expected 'answer', which",
        ),
        (
            "a.csv",
            "id,id\nq1,x\n",
            {},
            "a.csv: line 1: found 'id' twice, expected column names",
        ),
        ("a.csv", "", {}, "a.csv: line 1: found nothing, expected a line of column names"),
        ("a.csv", 'id,answer\n"q1,x\n', {}, "a.csv: line 2: found unexpected end of data"),
        ("a.csv", "id,answer\nq1\n", {}, "a.csv: line 2: found 1 cells, expected 2, as there are"),
        ("a.json", {"x": 1}, {"rows": "$.rows"}, "no run output of a known form"),
        ("a.json", ["text"], {}, "a.json: $[0]: found 'text', expected an object"),
        ("a.jsonl", "{cut", {}, "a.jsonl: line 1: found '{cut', expected a whole line"),
    ],
)
def test_a_file_that_does_not_fit_the_map_is_one_line_with_its_place(
    tmp_path: Path, name: str, content: object, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        mapped(tmp_path, name, content, **changes)
    assert said in str(caught.value)


def test_a_row_with_too_many_cells_is_left_out_and_the_rest_is_read(tmp_path: Path) -> None:
    opened_runs = mapped(tmp_path, "a.csv", "id,answer\nq1,x,y\nq2,x\n")
    assert len(opened_runs.runs[0].records) == 1
    assert found(opened_runs) == [("row_width", "line 2")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sepparator = ';'", "line 8 $.retrieved.sepparator: found ';', expected no such key"),
        ("grain = 'turn'", "line 8 $.retrieved.grain: found 'turn', expected 'round' or 'session'"),
        ("scores = 3", "line 8 $.retrieved.scores: found int 3, expected text"),
    ],
)
def test_a_key_of_a_map_that_is_not_known_is_named_with_its_line(
    tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "m.toml"
    file.write_text(
        'kind = "mnemoscope-map"\nschema_version = 1\n[question]\nid = "id"\n'
        f'\n[retrieved]\nids = "got"\n{line}\n'
    )
    with pytest.raises(ReadError) as caught:
        read_map(file)
    assert str(caught.value).startswith(f"{file}: {said}")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"question": {}}, "$.question: found an object with 0 keys, expected a key, an id"),
        ({"question": {"index": "n"}}, "expected a history beside index"),
        ({"answer": {}}, "expected answer.text, verdict, retrieved or metrics for a run"),
        ({"reads": "release"}, "expected question.text for a release"),
        ({"reads": "release", "question": {"text": "q"}}, "expected only question in a map"),
        ({"rows": "results"}, "$.rows: found 'results', expected a path such as $"),
        ({"delimiter": "::"}, "expected a delimiter of one character"),
        ({"schema_version": 2}, "$.schema_version: found int 2, expected version 1"),
        ({"kind": "x"}, "$.kind: found 'x', expected a map"),
    ],
)
def test_a_map_that_cannot_work_is_refused(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ReadError) as caught:
        read_map(write_map(tmp_path, **changes))
    assert said in str(caught.value)


def test_a_map_that_cannot_be_used_is_said_once_for_a_whole_folder(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.csv").write_text("id,answer\n1,x\n")
    with pytest.raises(ReadError, match=r"map.json: \$.reads: found 'release', expected 'run'"):
        open_runs(
            tmp_path / "runs",
            map=write_map(tmp_path, reads="release", question={"text": "id"}, answer={}),
        )


# Joining


def joined(folder: Path, text: str, question: dict[str, Any]) -> tuple[str | None, ...]:
    """The keys that rows of a table join to: ``p0`` and ``p1`` have two questions each."""
    keys = ("p0/a", "p0/b", "p1/a", "p1/b")
    texts = ("who?", "when?", "where?", "who?")
    questions = [a_question(key, text=said) for key, said in zip(keys, texts, strict=True)]
    release = a_release(replace(one, index=n % 2) for n, one in enumerate(questions))
    (run,) = mapped(folder, "a.csv", text, question=question, answer={"text": "x"}).runs
    return join(release, run).keys


@pytest.mark.parametrize(
    ("text", "question", "keys"),
    [
        ("k,x\np1/b,1\nno,1\n", {"key": "k"}, ("p1/b", None)),
        ("h,i,x\np1,b,1\n", {"history": "h", "id": "i"}, ("p1/b",)),
        ("h,i,x\n2,b,1\n", {"history": "h", "history_from": 1, "id": "i"}, ("p1/b",)),
        ("h,n,x\np1,1,1\n", {"history": "h", "index": "n"}, ("p1/b",)),
        ("h,n,x\np1,2,1\n", {"history": "h", "index": "n", "index_from": 1}, ("p1/b",)),
        ("i,x\na,1\n", {"id": "i"}, (None,)),
        ("t,x\nwhen?,1\n", {"text": "t"}, ("p0/b",)),
        ("t,x\nwho?,1\nwhere?,1\nWHO?,1\n", {"text": "t"}, ("p0/a", "p1/a", "p1/b")),
        ("t,x\nwho?,1\n", {"text": "t"}, (None,)),
        ("h,t,x\np1,who?,1\n", {"history": "h", "text": "t"}, ("p1/b",)),
    ],
)
def test_rows_join_by_whatever_the_map_names(
    tmp_path: Path, text: str, question: dict[str, Any], keys: tuple[str | None, ...]
) -> None:
    assert joined(tmp_path, text, question) == keys


def test_a_mapped_zep_file_is_the_same_run_as_its_reader_makes(tmp_path: Path) -> None:
    zep = SHARED / "data" / "locomo-runs" / "zep" / "zep_locomo_grades.json"
    locomo = SHARED / "data" / "locomo" / "locomo10.json"
    if not (zep.exists() and locomo.exists()):
        pytest.skip("the LoCoMo runs are not here")
    file = write_map(
        tmp_path,
        rows="$.*[*]",
        question={"text": "question", "category": "category", "gold": "golden_answer"},
        answer={"text": "answer"},
        verdict={"value": "grade"},
    )
    runs = [*open_runs(zep, format="mapping", map=file).runs, *open_runs(zep).runs]
    ours, theirs = Workspace.build(open_release(locomo), runs).runs
    assert ours.join.matched >= 1517  # 23 rows share their text with others
    # By text alone a repeated question can be ambiguous; every other row is judged alike.
    keys = {entry.question.key: entry.judgement.value for entry in theirs.entries}
    assert all(keys[one.question.key] is one.judgement.value for one in ours.entries)


# Releases


def mapped_release(folder: Path, name: str, content: object, **question: Any) -> Any:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / name).write_text(text, "utf-8")
    asked = {"text": "q", **question}
    file = write_map(folder, reads="release", question=asked, answer={})
    return open_release(folder / name, format="mapping", map=file)


def test_a_file_of_questions_is_a_release_without_dialogue(tmp_path: Path) -> None:
    rows = [
        {"q": "Who?", "gold": ["Ann", "Anna"], "t": "recall", "s": "explicit", "ev": ["D1:1"]},
        {"q": "When?", "gold": 7, "t": "recall", "s": "implicit", "ev": []},
        {"q": "Why?", "t": "refusal", "s": "", "can": "no", "ev": []},
    ]
    release = mapped_release(
        tmp_path,
        "mine.json",
        rows,
        gold="gold",
        task="t",
        setting="s",
        answerable="can",
        evidence="ev",
    )
    first, second, third = release.questions.values()
    assert (release.name, release.format, list(release.histories)) == ("mine", "mapping", ["all"])
    assert list(release.questions) == ["all/0", "all/1", "all/2"]
    assert first.gold.texts == ("Ann", "Anna")
    assert second.gold.texts == ("7",)
    assert third.gold.kind is GoldKind.NONE
    assert [one.task for one in release.tasks] == ["recall", "refusal"]
    assert release.settings == ("explicit", "implicit")
    assert [clue.resolved for clue in first.clues] == [False]
    assert raw_question(release, first).value()["q"] == "Who?"


def test_missing_answerable_words_are_told(tmp_path: Path) -> None:
    rows = [{"q": "Who?", "can": "no"}, {"q": "When?", "can": "dunno"}]
    release = mapped_release(tmp_path, "a.json", rows, answerable="can")
    assert [one.answerable for one in release.questions.values()] == [False, True]
    assert [one.path for one in release.defects] == ["$[1].can"]


@pytest.mark.parametrize(
    ("row", "question"),
    [
        ({"q": "Who?", "o": ["Ann", "Bo"], "g": "B"}, {"options": "o"}),
        ({"q": "Who?", "o": {"A": "Ann", "B": "Bo"}, "g": "B"}, {"options": "o"}),
        ({"q": "Who?", "o": "Ann|Bo", "g": "B"}, {"options": "o", "options_separator": "|"}),
        ({"q": "Who?", "x": "Ann", "y": "Bo", "g": "B"}, {"options": {"A": "x", "B": "y"}}),
        ({"q": "Who?", "o": ["Ann", "Bo"], "g": "Bo"}, {"options": "o"}),
    ],
)
def test_options_come_in_every_shape(
    tmp_path: Path, row: dict[str, Any], question: dict[str, Any]
) -> None:
    release = mapped_release(tmp_path, "a.json", [row], gold="g", **question)
    (one,) = release.questions.values()
    assert [(o.label, o.text) for o in one.options] == [("A", "Ann"), ("B", "Bo")]
    assert (one.gold.kind, one.gold.option) == (GoldKind.OPTION, "B")
    repaired = [defect.code for defect in release.defects]
    assert repaired == (["text_for_label"] if row["g"] == "Bo" else [])


def test_gold_that_is_no_option_and_a_key_used_twice_are_errors(tmp_path: Path) -> None:
    text = "q,id,a,b,g\nWho?,1,Ann,Bo,C\nWhen?,1,now,then,A\n"
    options = {"A": "a", "B": "b"}
    release = mapped_release(tmp_path, "a.csv", text, id="id", options=options, gold="g")
    assert [(one.code, one.path) for one in release.defects] == [
        ("gold_not_an_option", "line 2 column 'g'"),
        ("duplicate_key", "line 3 column 'id'"),
    ]


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no question"):
        mapped_release(tmp_path, "a.csv", "q\n")


# Formats and flags


def test_formats_and_maps_are_put_together(tmp_path: Path) -> None:
    run = write_map(tmp_path)
    other = tmp_path / "release.json"
    of_release = {**PLAIN, "reads": "release", "question": {"text": "q"}, "answer": {}}
    other.write_text(json.dumps(of_release), "utf-8")
    assert chosen_formats(None, None) == Formats()
    assert chosen_formats("locomo", None, [run]) == Formats("locomo", None, None, run)
    assert chosen_formats("mapping", None, [run]) == Formats(None, "mapping", None, run)
    assert chosen_formats(None, "mapping", [run]) == Formats(None, "mapping", None, run)
    assert chosen_formats(None, None, [run, other]) == Formats("mapping", None, other, run)
    with pytest.raises(UsageError, match="a second map of a run"):
        chosen_formats(None, None, [run, run])
    with pytest.raises(UsageError, match="needs a map; name its file with --map"):
        chosen_formats("mapping", None)
    with pytest.raises(UsageError, match="needs a map of runs"):
        chosen_formats(None, "mapping", [other])


def test_every_verb_that_reads_takes_maps(manual: Path, mnemoscope: Mnemoscope) -> None:
    both = ("--map", "questions.toml", "--map", "answers.toml")
    for arguments in (
        ("info", "questions.csv", "--map", "questions.toml"),
        ("info", "answers.csv", "--map", "answers.toml"),
        ("info", "answers.csv", "--format", "mapping", "--map", "answers.toml"),
        ("validate", "questions.csv", "answers.csv", *both),
        ("show", "questions.csv", "nora/q1", "answers.csv", *both),
        ("compare", "questions.csv", "answers.csv", *both),
        ("matrix", "questions.csv", "answers.csv", *both),
        ("convert", "questions.csv", "--out", "native", "--map", "questions.toml"),
    ):
        code, out, err = mnemoscope(*arguments, "--json")
        assert code == 0, (arguments, err)
        assert json.loads(out)
    code, _, err = mnemoscope("score", "native", "answers.csv", "--map", "answers.toml")
    assert (code, err) == (0, "")


def test_a_converted_mapped_run_scores_the_same(manual: Path, mnemoscope: Mnemoscope) -> None:
    release = ("questions.csv", "--map", "questions.toml")
    code, _, err = mnemoscope("convert", "answers.csv", "--map", "answers.toml", "--out", "runs")
    assert code == 0, err
    code, _, err = mnemoscope(
        *("convert", "answers.csv", "--map", "answers.toml", "--map", "questions.toml"),
        *("--release", "questions.csv", "--out", "keyed", "--json"),
    )
    assert code == 0, err
    assert {one.ref.key for run in open_runs(manual / "keyed").runs for one in run.records} == {
        "nora/q1",
        "nora/q2",
        "tom/q3",
    }
    figures = []
    for run in (("answers.csv", "--map", "answers.toml"), ("runs",)):
        found_scores = json.loads(mnemoscope("score", *release, *run, "--json")[1])
        figures.append(sorted((r["system"], r["correct"], r["n"]) for r in found_scores["runs"]))
    assert figures[0] == figures[1]
    assert figures[0]
