"""What the readers of LongMemEval, Mem-Gallery, PersonaMem, PrefEval and MemLens runs and of
inspect_ai logs have in common: whose a file is, and broken copies of every form."""

import copy
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import RecordStatus, Run
from mnemoscope.core.runs.part import RunPart, RunReader, assemble
from mnemoscope.core.runs.registry import open_runs, run_readers
from tests import other_run_data as data
from tests.locomo_data import broken_copies, file_of, leads_somewhere, write

FORMS: dict[str, tuple[str, Callable[[], Any], str]] = {
    "longmemeval": ("x.json", data.answers, ""),
    "longmemeval judged": ("x.json", data.judge_log, ""),
    "longmemeval-retrieval": ("x.json", data.retrieval_log, ""),
    "automem-longmemeval": ("x.json", data.automem, "details"),
    "smriti-longmemeval": ("x.json", data.smriti, "cases"),
    "mem-gallery": ("Bees_results.json", data.gallery_results, ""),
    "hyperbinder-personamem": ("x.json", data.hyperbinder, "results.0.details"),
    "amb": ("x.json", data.amb, "results"),
    "prefeval": ("tiny_travel_hotel_2turn.json", data.prefeval, ""),
    "memlens": ("x.json", data.memlens, "data"),
    "inspect-ai": ("x.json", data.inspect_log, "samples"),
}
"""By form: a file name, the data, and where its rows are."""
ANSWERS = {
    "longmemeval": "hypothesis",
    "automem-longmemeval": "hypothesis",
    "smriti-longmemeval": "prediction",
    "mem-gallery": "system_answer",
    "hyperbinder-personamem": "retrieved",
    "amb": "answer",
    "prefeval": "response_to_q",
}
READERS = {reader.name: reader for reader in run_readers()}


def reader_of(form: str) -> RunReader:
    return READERS[form.partition(" ")[0]]


def part_of(form: str, path: Path, value: Any) -> RunPart:
    (part,) = parts_of(form, path, value)
    return part


def parts_of(form: str, path: Path, value: Any) -> Sequence[RunPart]:
    parts = reader_of(form).read_file(file_of(path, value))
    assert parts is not None
    return parts


def rows_in(form: str, value: Any) -> list[Any]:
    rows = value
    for step in filter(None, FORMS[form][2].split(".")):
        rows = rows[int(step)] if step.isdecimal() else rows[step]
    assert isinstance(rows, list)
    return rows


def known_by(path: Path, value: Any) -> list[str]:
    return [one.name for one in run_readers() if one.read_file(file_of(path, value)) is not None]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_known_by_its_own_reader_alone(tmp_path: Path, form: str) -> None:
    name, make, _ = FORMS[form]
    assert known_by(tmp_path / name, make()) == [form.partition(" ")[0]]


@pytest.mark.parametrize(
    "value",
    [
        *(None, 0, "rows", [], {}, [1, 2, 3], [[1], [2]], [None], {"details": 1}, {"cases": {}}),
        *({"results": [1]}, {"results": [{"details": [[]]}]}, {"data": {}}, {"samples": []}),
        *({"status": 1, "eval": 2}, {"status": "success", "eval": {}}, [{"question_id": "x"}]),
        *([{"question_id": "x", "retrieval_results": []}], {"individual_results": []}),
        [{"question": "?", "answer": "!"}],
    ],
)
def test_foreign_shapes_are_nobody_s(tmp_path: Path, value: Any) -> None:
    assert known_by(tmp_path / "x.json", value) == []


@pytest.mark.parametrize("form", FORMS)
def test_no_wrong_type_anywhere_stops_a_reader(tmp_path: Path, form: str) -> None:
    name, make, _ = FORMS[form]
    for what, broken in broken_copies(shortened(make())):
        file = file_of(tmp_path / name, broken)
        for reader in READERS.values():
            for part in reader.read_file(file) or ():
                assert assemble([(name, part)], tmp_path)
                for defect in part.defects:
                    assert leads_somewhere(defect, broken), (what, defect)
                    assert len(defect.line()) < 1_000, what


def shortened(value: Any) -> Any:
    """The first two rows of each list, which is enough to break one and keep one."""
    if isinstance(value, dict):
        return {key: shortened(one) for key, one in value.items()}
    return [shortened(one) for one in value[:2]] if isinstance(value, list) else value


@pytest.mark.parametrize("companion", [data.gallery_figures, data.gallery_retrieval])
def test_no_wrong_type_in_a_companion_stops_its_reader(
    tmp_path: Path, companion: Callable[[], Any]
) -> None:
    for what, broken in broken_copies(shortened(companion())):
        for part in READERS["mem-gallery"].read_file(file_of(tmp_path / "x.json", broken)) or ():
            assert all(leads_somewhere(defect, broken) for defect in part.defects), what


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["question_id", "question", "id", "epoch", "output", "scores"])
            | st.text(max_size=8),
            inner,
            max_size=8,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(FORMS)), st.lists(JSON_VALUES, min_size=1, max_size=3))
def test_any_rows_among_sound_ones_leave_the_sound_ones(
    tmp_path_factory: pytest.TempPathFactory, form: str, rows: list[Any]
) -> None:
    name, make, _ = FORMS[form]
    path = tmp_path_factory.getbasetemp() / name
    value = make()
    sound = {record.ref for record in part_of(form, path, copy.deepcopy(value)).records}
    rows_in(form, value).extend(rows)
    part = part_of(form, path, value)
    assert sound <= {record.ref for record in part.records}
    assert all(leads_somewhere(defect, value) for defect in part.defects)


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path, form: str) -> None:
    path = write(tmp_path / FORMS[form][0], FORMS[form][1]())
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        open_runs(path)


@pytest.mark.parametrize("form", FORMS)
def test_megabytes_and_escape_codes_are_read_like_any_text(tmp_path: Path, form: str) -> None:
    evil = "\x1b[31m\u202e" + "D1:1 (c) x\n" * 300_000
    name, make, _ = FORMS[form]
    value = make()
    row = rows_in(form, value)[0]
    for key, one in row.items():
        if isinstance(one, str):
            row[key] = evil
    for part in parts_of(form, tmp_path / name, value):
        text = "".join(defect.line() for defect in part.defects)
        assert "\x1b" not in text
        assert len(text) < 5_000


@pytest.mark.parametrize("form", ANSWERS)
@pytest.mark.parametrize(
    ("answer", "detail", "defects"),
    [
        (None, "blank answer", 0),
        ("", "blank answer", 0),
        (" \n", "blank answer", 0),
        ([], "the answer is not text", 1),
    ],
)
def test_a_blank_or_unreadable_answer_is_an_error_record(
    tmp_path: Path, form: str, answer: Any, detail: str, defects: int
) -> None:
    name, make, _ = FORMS[form]
    value = make()
    rows_in(form, value)[0][ANSWERS[form]] = answer
    part = part_of(form, tmp_path / name, value)
    record = part.records[0]
    assert (record.status, record.detail) == (RecordStatus.ERROR, detail)
    assert [one.path for one in part.defects if one.code == "wrong_type"] == [
        f"{record.place}.{ANSWERS[form]}"
    ] * defects


LINES = {
    "longmemeval": data.answers,
    "longmemeval judged": data.judge_log,
    "longmemeval-retrieval": data.retrieval_log,
    "prefeval": data.prefeval,
}


@pytest.mark.parametrize("form", LINES)
def test_a_file_of_lines_is_read_like_a_list(tmp_path: Path, form: str) -> None:
    name = FORMS[form][0]
    listed = part_of(form, tmp_path / name, LINES[form]())
    (run,) = open_runs(data.lines(tmp_path / f"{name}l", LINES[form]())).runs
    assert [one.place for one in run.records] == [one.place for one in listed.records]
    assert [one.ref for one in run.records] == [one.ref for one in listed.records]
    assert run.format == form.partition(" ")[0]


def test_a_broken_line_is_a_defect_and_a_torn_last_line_a_warning(tmp_path: Path) -> None:
    path = data.lines(tmp_path / "hyp.jsonl", data.answers())
    path.write_text("\n[1]\n{broken\n" + path.read_text() + '{"question_id": "zz"')
    (run,) = open_runs(path).runs
    assert [one.place for one in run.records] == ["$[3]", "$[4]", "$[5]"]
    assert [(one.severity, one.code, one.path) for one in run.defects] == [
        ("error", "wrong_type", "$[1]"),
        ("error", "broken_line", "line 3 column 2"),
        ("warning", "torn_line", "line 7"),
    ]


def test_lines_that_are_all_broken_are_no_run(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xff\xfe\n{{{\n" + b"[" * 100_000 + b"\n")
    with pytest.raises(InputError):
        open_runs(path)


def test_a_folder_of_every_form_is_told_apart(tmp_path: Path) -> None:
    for form, (name, make, _) in FORMS.items():
        write(tmp_path / form / name, make())
    data.eval_archive(tmp_path / "logs" / "y.eval", data.inspect_log())
    opened = open_runs(tmp_path)
    runs: dict[str, Run] = {run.files[0]: run for run in opened.runs}
    assert {file.split("/")[0]: run.format for file, run in runs.items()} == {
        **{form: form.partition(" ")[0] for form in FORMS},
        "logs": "inspect-ai",
    }
    assert (opened.skipped, opened.defects) == ((), ())
    assert json.dumps([run.parameters for run in opened.runs])
