import copy
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import (
    Record,
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    SourceRef,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.runs.amb.reader import AmbLocomoRuns
from mnemoscope.core.runs.join import JoinReport, join
from mnemoscope.core.runs.locomo.automem import AutomemRuns
from mnemoscope.core.runs.locomo.full_context import FullContextRuns
from mnemoscope.core.runs.locomo.ironmem import IronmemRuns, split_items
from mnemoscope.core.runs.locomo.mem0 import Mem0Runs
from mnemoscope.core.runs.locomo.memorylake import MemorylakeRuns
from mnemoscope.core.runs.locomo.mempalace import MempalaceRuns
from mnemoscope.core.runs.locomo.openclaw import OpenclawRuns
from mnemoscope.core.runs.locomo.smriti import SmritiRuns
from mnemoscope.core.runs.locomo.zep import ZepRuns
from mnemoscope.core.runs.part import RunPart, RunReader, assemble
from mnemoscope.core.sources import Source, SourceFile
from tests.locomo_data import (
    COUNTS,
    LOCOMO,
    RUNS,
    broken_copies,
    conversation,
    file_of,
    full_context,
    ironmem,
    leads_somewhere,
    mem0_rows,
    mempalace_rows,
    needs_data,
    source_of,
    write,
    zep_grades,
    zep_responses,
)
from tests.locomo_run_data import amb, automem, memorylake, openclaw, smriti

READERS: tuple[RunReader, ...] = (
    ZepRuns(),
    Mem0Runs(),
    FullContextRuns(),
    MempalaceRuns(),
    IronmemRuns(),
    MemorylakeRuns(),
    OpenclawRuns(),
    SmritiRuns(),
    AutomemRuns(),
    AmbLocomoRuns(),
)
FORMS: dict[str, Any] = {
    "zep": zep_grades,
    "mem0": mem0_rows,
    "evermem-full-context": full_context,
    "mempalace": mempalace_rows,
    "ironmem": ironmem,
    "memorylake": memorylake,
    "openclaw": openclaw,
    "smriti": smriti,
    "automem-locomo": automem,
    "amb-locomo": amb,
}
BY_NAME = {reader.name: reader for reader in READERS}


def parts_of(reader: RunReader, file: SourceFile) -> Sequence[RunPart]:
    parts = reader.read_file(file)
    assert parts is not None
    return parts


def part_of(reader: RunReader, path: Path, data: Any) -> RunPart:
    path.parent.mkdir(parents=True, exist_ok=True)
    (part,) = parts_of(reader, file_of(path, data))
    return part


def runs_in(path: Path) -> list[Run]:
    """Every run below a path, each file by the only reader that knows it."""
    source = Source(path)
    parts = []
    for file in source.files:
        known = [found for reader in READERS if (found := reader.read_file(file)) is not None]
        assert len(known) <= 1, file.name
        parts += [(file.name, part) for found in known for part in found]
        file.release()
    return assemble(parts, source.root)


def decision(record: Record) -> Value:
    return record.verdicts[0].value


@pytest.fixture
def release(tmp_path: Path) -> Release:
    data = [conversation("conv-1"), conversation("conv-2")]
    return LocomoReader().read(source_of(tmp_path / "locomo10.json", data), ReadOptions())


# --- Telling the forms apart


@pytest.mark.parametrize("name", FORMS)
def test_each_form_is_known_by_its_own_reader_alone(tmp_path: Path, name: str) -> None:
    file = file_of(tmp_path / "x.json", FORMS[name]())
    assert [reader.name for reader in READERS if reader.read_file(file) is not None] == [name]


@pytest.mark.parametrize(
    "data",
    [
        *(None, 0, "rows", [], {}, [1, 2, 3], [[1], [2]], [None], {"0": 1}, {"0": {}}, {"a": []}),
        *({"0": [1, 2]}, {"0": [{}]}, {"a": {"b": {"c": {}}}}, {"per_question": {}}),
        *({"detailed_results": 5}, {"detailed_results": {"x": 3}}, {"per_question": [[]]}),
        *([{"question": "?", "answer": "!"}], {"0": [{"question": "?", "answer": "!"}]}),
        [conversation()],
        conversation(),
    ],
)
def test_foreign_shapes_are_nobody_s(tmp_path: Path, data: Any) -> None:
    file = file_of(tmp_path / "x.json", data)
    assert [reader.name for reader in READERS if reader.read_file(file) is not None] == []


def test_json_lines_are_not_even_parsed(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"question": 1}\n{"question": 2}\n')
    file = SourceFile(path, tmp_path)
    assert not any(reader.read_file(file) for reader in READERS)


def test_a_form_is_known_where_its_first_rows_are_broken(tmp_path: Path) -> None:
    rows = mem0_rows()
    rows["1"][0] = None
    rows["10"] = []
    part = part_of(BY_NAME["mem0"], tmp_path / "eval.json", rows)
    assert [defect.path for defect in part.defects] == ['$["1"][0]']
    assert len(part.records) == 4 + 0 + 5 + 5


# --- Zep


def test_zep_s_two_files_are_one_run(tmp_path: Path, release: Release) -> None:
    folder = tmp_path / "zep"
    write(folder / "zep_locomo_grades.json", zep_grades())
    write(folder / "zep_locomo_responses.json", zep_responses())
    (run,) = runs_in(folder)
    assert run.files == ("zep_locomo_grades.json", "zep_locomo_responses.json")
    assert (run.name, run.system, run.format) == ("zep zep_locomo", "zep", "zep")
    assert len(run.records) == 10
    record = run.records[1]
    assert record.usage == {"duration_ms": 101.5}
    assert record.verdicts == (Verdict("stored", Value.WRONG),)
    assert record.place == "$.locomo_experiment_user_0[1]"
    assert run.defects == ()
    assert join(release, run).matched == 10


def test_zep_s_answer_is_the_system_s(tmp_path: Path) -> None:
    record = part_of(ZepRuns(), tmp_path / "zep" / "x.json", zep_grades()).records[1]
    assert record.answer == "I think 2021"
    assert record.ref.gold == "2021"
    assert (record.ref.history, record.ref.position, record.ref.category) == ("#0", 1, "2")


def test_zep_s_responses_alone_are_a_run_without_verdicts(tmp_path: Path) -> None:
    write(tmp_path / "zep" / "responses.json", zep_responses())
    (run,) = runs_in(tmp_path)
    assert {record.verdicts for record in run.records} == {()}
    assert run.records[0].usage == {"duration_ms": 100.5}
    assert run.name == "zep"


def test_zep_runs_of_two_stems_or_folders_stay_apart(tmp_path: Path) -> None:
    for name in ("one/a_grades", "one/a_responses", "one/b_grades", "two/a_responses"):
        data = zep_grades() if name.endswith("grades") else zep_responses()
        write(tmp_path / f"{name}.json", data)
    assert [run.files for run in runs_in(tmp_path)] == [
        ("one/a_grades.json", "one/a_responses.json"),
        ("one/b_grades.json",),
        ("two/a_responses.json",),
    ]


def test_halves_whose_answers_differ_are_reported(tmp_path: Path) -> None:
    responses = zep_responses()
    responses["locomo_experiment_user_1"][2]["answer"] = "something else"
    write(tmp_path / "zep" / "grades.json", zep_grades())
    write(tmp_path / "zep" / "responses.json", responses)
    (run,) = runs_in(tmp_path)
    (defect,) = run.defects
    assert (defect.code, defect.path) == ("answers_differ", "$.locomo_experiment_user_1[2]")


# --- mem0's form


def test_mem0_s_answer_is_the_gold(tmp_path: Path) -> None:
    record = part_of(Mem0Runs(), tmp_path / "memo" / "eval.json", mem0_rows()).records[0]
    assert record.answer == "bowls in 0"
    assert record.ref.gold == "bowls"
    assert record.metrics == (StoredMetric("bleu", 0.0), StoredMetric("f1", 0.5))
    assert record.verdicts == (Verdict("stored", Value.WRONG, score=0.0),)


def test_mem0_s_conversations_are_ordered_by_number(tmp_path: Path, release: Release) -> None:
    part = part_of(Mem0Runs(), tmp_path / "eval.json", mem0_rows())
    histories = list(dict.fromkeys(record.ref.history for record in part.records))
    assert histories == ["#0", "#1", "#2", "#10"]
    assert part.records[0].place == '$["0"][0]'
    (run,) = assemble([("eval.json", part)], tmp_path)
    report = join(release, run)
    assert (report.matched, report.unmatched, report.ambiguous) == (10, 10, 0)


def test_a_system_that_no_file_names_is_its_folder_s_and_a_note_says_so(tmp_path: Path) -> None:
    part = part_of(Mem0Runs(), tmp_path / "memo-v2" / "eval.json", mem0_rows())
    assert part.identity.system == "memo-v2"
    assert part.identity.names == ("memo-v2", "eval")
    assert part.notes[-1] == "the file names no system; 'memo-v2' is the name of its folder"


def test_a_folder_of_a_general_name_is_no_system(tmp_path: Path) -> None:
    part = part_of(Mem0Runs(), tmp_path / "Results" / "memo_eval.json", mem0_rows())
    assert part.identity.system == "memo_eval"
    assert part.notes[-1] == "the file names no system; 'memo_eval' is the name of the file"


# --- Full context


def test_the_majority_decides_and_every_vote_is_kept(tmp_path: Path) -> None:
    part = part_of(FullContextRuns(), tmp_path / "full-context" / "cot.json", full_context())
    right, wrong = part.records[0], part.records[-1]
    assert right.verdicts[0] == Verdict("stored", Value.RIGHT, "majority", "3 of 3 judgments")
    assert wrong.verdicts[0] == Verdict("stored", Value.WRONG, "majority", "2 of 3 judgments")
    assert [(one.stage, one.value) for one in wrong.verdicts[1:]] == [
        ("judgment_1", Value.WRONG),
        ("judgment_2", Value.WRONG),
        ("judgment_3", Value.RIGHT),
    ]


@pytest.mark.parametrize(
    ("judgments", "value"),
    [
        ({}, Value.NOT_JUDGED),
        ({"judgment_1": True, "judgment_2": False}, Value.JUDGE_FAILED),
        ({"judgment_1": True, "judgment_2": None}, Value.RIGHT),
        ({"judgment_1": "yes"}, Value.JUDGE_FAILED),
    ],
)
def test_votes_without_majority_decide_nothing(
    tmp_path: Path, judgments: Any, value: Value
) -> None:
    data = full_context()
    data["detailed_results"]["locomo_exp_user_0"][0]["llm_judgments"] = judgments
    part = part_of(FullContextRuns(), tmp_path / "x.json", data)
    assert decision(part.records[0]) is value


def test_full_context_rows_join_by_their_id(tmp_path: Path, release: Release) -> None:
    data = full_context()
    data["detailed_results"]["locomo_exp_user_0"].reverse()
    (run,) = assemble([("x.json", part_of(FullContextRuns(), tmp_path / "x.json", data))], tmp_path)
    assert (run.records[0].ref.history, run.records[0].ref.question) == ("#0", "4")
    report = join(release, run)
    assert report.keys[:5] == tuple(f"conv-1/{index}" for index in (4, 3, 2, 1, 0))
    assert report.matched == 10


def test_a_row_of_an_odd_id_is_joined_by_its_text(tmp_path: Path, release: Release) -> None:
    data = full_context()
    data["detailed_results"]["locomo_exp_user_1"][1]["question_id"] = "q-one"
    part = part_of(FullContextRuns(), tmp_path / "x.json", data)
    (defect,) = part.defects
    assert (defect.code, defect.path) == (
        *("question_id_odd", "$.detailed_results.locomo_exp_user_1[1].question_id"),
    )
    (run,) = assemble([("x.json", part)], tmp_path)
    assert join(release, run).keys[6] == "conv-2/1"


def test_rows_in_one_list_are_read_like_rows_by_conversation(tmp_path: Path) -> None:
    data = full_context()
    results = data["detailed_results"]
    data["detailed_results"] = [row for rows in results.values() for row in rows]
    part = part_of(FullContextRuns(), tmp_path / "x.json", data)
    assert [one.ref.history for one in part.records] == ["#0"] * 5 + ["#1"] * 5
    assert part.records[6].place == "$.detailed_results[6]"


def test_the_whole_history_is_told_by_the_size_of_the_context(tmp_path: Path) -> None:
    data = full_context()
    part = part_of(FullContextRuns(), tmp_path / "x.json", data)
    assert part.records[0].retrieval.state is RetrievalState.WHOLE_HISTORY
    data["metadata"]["mean_context_words"] = 900.0
    part = part_of(FullContextRuns(), tmp_path / "full-context" / "x.json", data)
    assert part.records[0].retrieval.state is RetrievalState.NOT_STORED
    del data["metadata"]["mean_context_words"]
    part = part_of(FullContextRuns(), tmp_path / "full-context" / "x.json", data)
    assert part.records[0].retrieval.state is RetrievalState.WHOLE_HISTORY
    assert "by the name 'full-context/x'" in part.notes[1]


def test_stored_figures_go_by_what_they_mean(tmp_path: Path) -> None:
    part = part_of(FullContextRuns(), tmp_path / "x.json", full_context())
    assert {metric.name: metric.value for metric in part.metrics} == {
        "correct by majority of the judgments": 5,
        "accuracy, mean over the judge's runs": 0.6,
        "accuracy, standard deviation over the judge's runs": 0.1,
        "accuracy, by majority of the judgments": 0.5,
        "accuracy, judge run 1": 0.5,
        "accuracy, judge run 2": 0.5,
        "accuracy, judge run 3": 0.8,
        "accuracy of category 1, mean over the judge's runs": 0.5,
        "mean_context_words": 16_000.5,
    }
    parameters = {"judge_model": "other-model", "num_runs": 3, "answer_prompt": "short"}
    assert dict(part.parameters) == parameters
    assert part.identity.backbone == "some-model"


def test_stored_totals_that_the_rows_deny_are_warnings(tmp_path: Path) -> None:
    data = full_context()
    data["correct"] = 9
    del data["detailed_results"]["locomo_exp_user_1"][4]
    part = part_of(FullContextRuns(), tmp_path / "x.json", data)
    assert [(one.code, one.path, one.severity) for one in part.defects] == [
        ("stored_total_differs", "$.total_questions", Severity.WARNING),
        ("stored_total_differs", "$.correct", Severity.WARNING),
    ]


# --- MemPalace


def test_retrieved_sessions_keep_their_order_and_their_stored_recall(tmp_path: Path) -> None:
    record = part_of(MempalaceRuns(), tmp_path / "x.json", mempalace_rows()).records[0]
    assert (record.retrieval.state, record.retrieval.grain) == (RetrievalState.IDS, "session")
    assert [(item.rank, item.sources) for item in record.retrieval.items] == [
        (1, (SourceRef(session_id="session_2"),)),
        (2, (SourceRef(session_id="session_1"),)),
    ]
    assert record.metrics == (StoredMetric("recall", 1.0),)


def test_a_row_without_answer_is_sound_and_not_judged(tmp_path: Path) -> None:
    part = part_of(MempalaceRuns(), tmp_path / "x.json", mempalace_rows())
    assert {(one.status, one.answer, decision(one)) for one in part.records} == {
        (RecordStatus.OK, "", Value.NOT_JUDGED)
    }


def test_an_adversarial_answer_is_never_taken_for_the_gold(tmp_path: Path) -> None:
    part = part_of(MempalaceRuns(), tmp_path / "x.json", mempalace_rows())
    assert [one.ref.gold for one in part.records[:7]] == [
        *("bowls", "2021", "Likely yes", "green", "bowls", None, None)
    ]
    part = part_of(IronmemRuns(), tmp_path / "y.json", ironmem())
    assert [one.ref.gold for one in part.records[5:]] == [None, None]


def test_mempalace_rows_are_counted_in_each_conversation(tmp_path: Path, release: Release) -> None:
    part = part_of(MempalaceRuns(), tmp_path / "x.json", mempalace_rows())
    assert [one.ref.position for one in part.records] == [*range(7), *range(7)]
    (run,) = assemble([("x.json", part)], tmp_path)
    assert join(release, run).keys == tuple(release.questions)


def test_retrieved_turns_are_of_round_grain(tmp_path: Path) -> None:
    rows = mempalace_rows()
    rows[0]["retrieved_ids"] = ["D1:1", "D2:1"]
    record = part_of(MempalaceRuns(), tmp_path / "x.json", rows).records[0]
    assert record.retrieval.grain == "round"
    assert record.retrieval.items[1].sources == (SourceRef(round_id="D2:1"),)


# --- IronMem


def test_an_ironmem_header_is_the_run_s_configuration(tmp_path: Path) -> None:
    part = part_of(IronmemRuns(), tmp_path / "iron" / "canary.json", ironmem())
    assert (part.identity.system, part.identity.backbone) == ("IronTest v1", "some-model")
    assert part.identity.names == ("iron", "canary")
    assert dict(part.parameters) == {"benchmark": "LoCoMo", "judge_model": "other-model"}
    assert part.metrics == (StoredMetric("accuracy overall", 0.4),)
    assert part.defects == ()


def test_a_context_is_split_where_its_items_begin(tmp_path: Path) -> None:
    record = part_of(IronmemRuns(), tmp_path / "x.json", ironmem()).records[0]
    assert record.retrieval.state is RetrievalState.TEXT
    assert [(item.rank, item.text, item.sources) for item in record.retrieval.items] == [
        (1, "Ada owns a kiln.\n- fired twice", ()),
        (2, "Bo: see [3] there", ()),
    ]
    assert record.context_place == "$.per_question[0].retrieved_context"


@pytest.mark.parametrize(
    ("context", "texts"),
    [
        ("", []),
        ("plain text", []),
        ("[1] a", ["a"]),
        ("[1] a\n[3] b\n[2] c", ["a\n[3] b", "c"]),
        ("see\n[1] a\n[2] b\n\n", ["a", "b"]),
        ("[1] [2] a\n[2] b", ["[2] a", "b"]),
        ("[1] ", [""]),
    ],
)
def test_only_numbers_in_turn_begin_an_item(context: str, texts: list[str]) -> None:
    assert split_items(context) == texts


def test_a_context_without_items_is_one_and_is_reported(tmp_path: Path) -> None:
    data = ironmem()
    data["per_question"][0]["retrieved_context"] = "everything at once"
    part = part_of(IronmemRuns(), tmp_path / "x.json", data)
    assert [item.text for item in part.records[0].retrieval.items] == ["everything at once"]
    assert [defect.code for defect in part.defects] == [
        *("context_not_itemised", "retrieved_count_differs"),
    ]


def test_an_ironmem_score_of_null_is_not_judged(tmp_path: Path) -> None:
    part = part_of(IronmemRuns(), tmp_path / "x.json", ironmem())
    assert [decision(one) for one in part.records] == [
        *(Value.WRONG, Value.RIGHT, Value.WRONG, Value.RIGHT, Value.WRONG),
        *(Value.NOT_JUDGED, Value.NOT_JUDGED),
    ]


def test_a_reported_error_makes_the_record_an_error(tmp_path: Path) -> None:
    data = ironmem()
    data["per_question"][0].update(error="quota exceeded", generated_answer=None)
    part = part_of(IronmemRuns(), tmp_path / "x.json", data)
    record = part.records[0]
    assert (record.status, record.answer, record.detail) == (
        *(RecordStatus.ERROR, "quota exceeded", "error reported by the run"),
    )
    assert [defect.path for defect in part.defects] == ["$.error_count"]


def test_ironmem_rows_join_by_their_id(tmp_path: Path, release: Release) -> None:
    (run,) = assemble([("x", part_of(IronmemRuns(), tmp_path / "x.json", ironmem()))], tmp_path)
    assert join(release, run).keys == tuple(f"conv-1/{index}" for index in range(7))


# --- What all forms share


ANSWER_KEYS = {
    "zep": ("$.locomo_experiment_user_0[0]", "answer"),
    "mem0": ('$["0"][0]', "response"),
    "evermem-full-context": ("$.detailed_results.locomo_exp_user_0[0]", "generated_answer"),
    "ironmem": ("$.per_question[0]", "generated_answer"),
    "memorylake": ("$[0]", "predicted"),
    "openclaw": ("$[0]", "answer"),
    "smriti": ("$.systems.NaiveRAG.questions[0]", "prediction"),
    "amb-locomo": ("$.results[0]", "answer"),
}


def rows_of(name: str, data: Any) -> list[Any]:
    rows = {
        "zep": lambda: data["locomo_experiment_user_0"],
        "mem0": lambda: data["0"],
        "evermem-full-context": lambda: data["detailed_results"]["locomo_exp_user_0"],
        "mempalace": lambda: data,
        "ironmem": lambda: data["per_question"],
        "memorylake": lambda: data,
        "openclaw": lambda: data,
        "smriti": lambda: data["systems"]["NaiveRAG"]["questions"],
        "automem-locomo": lambda: data["conversations"][0]["qa_results"],
        "amb-locomo": lambda: data["results"],
    }[name]()
    assert isinstance(rows, list)
    return rows


def first_row(name: str, data: Any) -> dict[str, Any]:
    row = rows_of(name, data)[0]
    assert isinstance(row, dict)
    return row


@pytest.mark.parametrize("name", ANSWER_KEYS)
@pytest.mark.parametrize(
    ("answer", "detail", "defects"),
    [
        (None, "blank answer", 0),
        ("", "blank answer", 0),
        (" \n", "blank answer", 0),
        ([], "the answer is not text", 1),
        (True, "the answer is not text", 1),
    ],
)
def test_a_blank_or_unreadable_answer_is_an_error_record(
    tmp_path: Path, name: str, answer: Any, detail: str, defects: int
) -> None:
    data = FORMS[name]()
    place, key = ANSWER_KEYS[name]
    first_row(name, data)[key] = answer
    part = part_of(BY_NAME[name], tmp_path / "x_1.json", data)
    record = part.records[0]
    assert (record.place, record.status, record.detail) == (place, RecordStatus.ERROR, detail)
    assert [defect.path for defect in part.defects] == [f"{place}.{key}"] * defects


@pytest.mark.parametrize("name", ANSWER_KEYS)
def test_an_answer_that_is_a_number_is_read_as_text(tmp_path: Path, name: str) -> None:
    data = FORMS[name]()
    place, key = ANSWER_KEYS[name]
    first_row(name, data)[key] = 2021
    part = part_of(BY_NAME[name], tmp_path / "x_1.json", data)
    assert (part.records[0].answer, part.records[0].status) == ("2021", RecordStatus.OK)
    (defect,) = part.defects
    assert (defect.severity, defect.path) == (Severity.REPAIRED, f"{place}.{key}")


@pytest.mark.parametrize(("name", "key"), [("zep", "grade"), ("mem0", "llm_score")])
def test_a_verdict_that_cannot_be_read_is_a_failed_judge_and_not_a_wrong_answer(
    tmp_path: Path, name: str, key: str
) -> None:
    values: list[Any] = ["CORRECT", 0.5, None, 1.0, False]
    expected = [
        *(Value.JUDGE_FAILED, Value.JUDGE_FAILED, Value.NOT_JUDGED, Value.RIGHT, Value.WRONG),
    ]
    for value, known in zip(values, expected, strict=True):
        data = FORMS[name]()
        first_row(name, data)[key] = value
        part = part_of(BY_NAME[name], tmp_path / "x.json", data)
        assert decision(part.records[0]) is known
        assert len(part.defects) == (known is Value.JUDGE_FAILED)


def test_a_category_name_is_not_trusted(tmp_path: Path) -> None:
    data = mem0_rows()
    data["0"][0]["category"] = "single-hop"
    data["0"][1]["category"] = 2
    part = part_of(Mem0Runs(), tmp_path / "x.json", data)
    assert [one.ref.category for one in part.records[:3]] == ["", "2", "3"]
    assert [one.path for one in part.defects] == ['$["0"][0].category']


@pytest.mark.parametrize("name", FORMS)
def test_broken_rows_are_defects_and_the_good_rows_are_kept(tmp_path: Path, name: str) -> None:
    data = FORMS[name]()
    sound = part_of(BY_NAME[name], tmp_path / "x.json", FORMS[name]()).records
    row = first_row(name, data)
    for key in ("question_id", "question_index", "query_id"):
        row.pop(key, None)
    text = "query" if name == "amb-locomo" else "question"
    row[text] = ["?"]
    part = part_of(BY_NAME[name], tmp_path / "x.json", data)
    assert len(part.records) == len(sound) - 1
    assert part.records == sound[1:]
    assert f"{sound[0].place}.{text}" in [defect.path for defect in part.defects]


@pytest.mark.parametrize("name", FORMS)
def test_no_wrong_type_anywhere_stops_a_reader(tmp_path: Path, name: str) -> None:
    data = shortened(FORMS[name]())
    for what, broken in broken_copies(data):
        file = file_of(tmp_path / "x.json", broken)
        for reader in READERS:
            for part in reader.read_file(file) or ():
                assert assemble([("x.json", part)], tmp_path)
                for defect in part.defects:
                    assert leads_somewhere(defect, broken), (what, defect)
                    assert len(defect.line()) < 1_000, what


def shortened(data: Any) -> Any:
    """The first two rows of each list, which is enough to break one and keep one."""
    if isinstance(data, dict):
        return {key: shortened(value) for key, value in list(data.items())[:30]}
    return [shortened(item) for item in data[:2]] if isinstance(data, list) else data


KEYS = [
    *("question", "answer", "golden_answer", "grade", "response", "llm_score", "category"),
    *("detailed_results", "question_id", "generated_answer", "llm_judgments", "per_question"),
    *("retrieved_context", "score", "sample_id", "retrieved_ids", "recall", "metadata", "0"),
]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), inner, max_size=8)
    ),
    max_leaves=30,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(FORMS)), st.lists(json_values, min_size=1, max_size=3))
def test_any_rows_among_sound_ones_leave_the_sound_ones(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "x.json"
    data = FORMS[name]()
    sound = {
        record.ref.text for record in part_of(BY_NAME[name], path, copy.deepcopy(data)).records
    }
    holder = rows_of(name, data)
    holder.extend(rows)
    part = part_of(BY_NAME[name], path, data)
    assert sound <= {record.ref.text for record in part.records}
    assert all(leads_somewhere(defect, data) for defect in part.defects)


@pytest.mark.parametrize("name", FORMS)
def test_a_cut_file_is_an_error_with_its_place(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "x.json", FORMS[name]())
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ReadError, match=r"line 1 column \d+"):
        BY_NAME[name].read_file(SourceFile(path, tmp_path))


@pytest.mark.parametrize("name", FORMS)
def test_ten_megabytes_and_escape_codes_are_read_like_any_text(tmp_path: Path, name: str) -> None:
    evil = "\x1b[31m\u202e" + "[1] x\n" * 1_700_000
    data = FORMS[name]()
    row = first_row(name, data)
    for key, value in row.items():
        if isinstance(value, str):
            row[key] = evil
    part = part_of(BY_NAME[name], tmp_path / "x.json", data)
    assert evil in {record.ref.text for record in part.records}
    text = "".join(defect.line() for defect in part.defects)
    assert "\x1b" not in text
    assert len(text) < 3_000


# --- The public runs


@cache
def published() -> Release:
    return LocomoReader().read(Source(LOCOMO), ReadOptions())


@cache
def public_runs() -> dict[str, Run]:
    """The public runs by the names that the reference gives them."""
    names = {
        "zep/zep_locomo_grades.json": "zep",
        "memobase/memobase_eval_0503_3000.json": "memobase_0503",
        "memobase/memobase_eval_0710_3000.json": "memobase_0710",
        "agentmem-mem0/eval.json": "agentmem_mem0",
        "mempalace/results_locomo_raw_session_top10_20260414_1634.json": "mempalace_raw",
        "mempalace/results_locomo_hybrid_session_top10_20260414_1649.json": "mempalace_hybrid",
        "ironmem/canary_PRO_v3.json": "ironmem_pro",
        "ironmem/valid_global_flash.json": "ironmem_flash",
        "cognee/locomo10.json.gz": "cognee",
        "automem/locomo-mini_baseline.json": "automem_mini",
    }
    for kind in ("4.1-mini-cot", "4.1-mini-memos", "4o-mini-cot", "4o-mini-memos"):
        names[f"full-context/gpt-{kind}.eval_results.json"] = f"fullcontext_gpt-{kind}"
    return {
        names[run.files[0]] if run.format != "smriti" else run.system: run for run in runs_in(RUNS)
    }


@cache
def joined(name: str) -> JoinReport:
    return join(published(), public_runs()[name])


def counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["locomo_runs"]
    return known


def by_key(name: str) -> dict[str, Record]:
    pairs = zip(joined(name).keys, public_runs()[name].records, strict=True)
    return {key: record for key, record in pairs if key is not None}


def right(name: str) -> dict[str, bool]:
    return {key: decision(record) is Value.RIGHT for key, record in by_key(name).items()}


EIGHT = [
    *("zep", "memobase_0503", "memobase_0710", "agentmem_mem0"),
    *("fullcontext_gpt-4.1-mini-cot", "fullcontext_gpt-4.1-mini-memos"),
    *("fullcontext_gpt-4o-mini-cot", "fullcontext_gpt-4o-mini-memos"),
]
JUDGED = [*EIGHT, "ironmem_pro", "ironmem_flash", "cognee", "automem_mini"]
UNJUDGED = ["SMRITI_v2", "NaiveRAG", "FullContext", "Mem0Style", "MemGPTStyle"]
RETRIEVAL = ["mempalace_raw", "mempalace_hybrid"]


@needs_data
def test_every_public_run_of_these_forms_is_found_once() -> None:
    assert sorted(public_runs()) == sorted([*JUDGED, *UNJUDGED, *RETRIEVAL])
    assert public_runs()["zep"].files == (
        *("zep/zep_locomo_grades.json", "zep/zep_locomo_responses.json"),
    )
    assert not [defect.line() for run in public_runs().values() for defect in run.defects]


@needs_data
@pytest.mark.parametrize("name", [*JUDGED, *UNJUDGED, *RETRIEVAL])
def test_every_public_row_joins_and_none_is_ambiguous(name: str) -> None:
    known = (counts()["smriti"] | counts())["zep_grades" if name == "zep" else name]
    run, report = public_runs()[name], joined(name)
    assert len(run.records) == known["rows"]
    assert (report.matched, report.unmatched, report.ambiguous) == (known["rows"], 0, 0)
    questions = published().questions
    for key, record in by_key(name).items():
        question = questions[key]
        assert record.ref.text == question.stem
        assert record.ref.category == question.category
        if record.ref.gold is not None:
            assert record.ref.gold == str(question.gold)


@needs_data
@pytest.mark.parametrize("name", EIGHT)
def test_the_full_runs_have_the_measured_counts(name: str) -> None:
    known = counts()["zep_grades" if name == "zep" else name]
    records = by_key(name)
    rows = Counter(published().questions[key].history_id for key in records)
    assert list(rows.values()) == known["rows_per_conversation"]
    assert sum(right(name).values()) == known["correct"]
    assert sum(right(name).values()) == counts()["cross"]["accuracy_counts_1540"][name]
    blank = sum(record.detail == "blank answer" for record in records.values())
    assert blank == known["blank_answers"]
    assert {record.status for record in records.values()} == {RecordStatus.OK}
    assert categories(name) == known["by_category"]


def categories(name: str) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for key, is_right in sorted(right(name).items(), key=lambda pair: pair[0]):
        row = table.setdefault(published().questions[key].category, {"n": 0, "correct": 0})
        row["n"] += 1
        row["correct"] += is_right
    return table


@needs_data
@pytest.mark.parametrize("name", EIGHT)
def test_the_rows_that_follow_an_adversarial_one_join_to_their_own_question(name: str) -> None:
    # In conv-30 index 79 is adversarial and 80 and 81 are not.
    keys = [key for key in joined(name).keys if key and key.startswith("conv-30/")]
    assert keys == [f"conv-30/{index}" for index in (*range(79), 80, 81)]


@needs_data
def test_repeated_questions_of_conv_48_join_by_their_place() -> None:
    keys = [key for key in joined("zep").keys if key and key.startswith("conv-48/")]
    assert keys == [f"conv-48/{index}" for index in range(191)]


@needs_data
@pytest.mark.parametrize(
    ("name", "unanimous", "split"),
    [
        ("fullcontext_gpt-4.1-mini-cot", 1421, 10),
        ("fullcontext_gpt-4.1-mini-memos", 1254, 14),
        ("fullcontext_gpt-4o-mini-cot", 1224, 12),
        ("fullcontext_gpt-4o-mini-memos", 1135, 17),
    ],
)
def test_votes_are_unanimous_or_split_as_measured(name: str, unanimous: int, split: int) -> None:
    votes = [
        Counter(verdict.value for verdict in record.verdicts[1:])
        for record in public_runs()[name].records
    ]
    assert all(sum(vote.values()) == 3 for vote in votes)
    assert sum(vote[Value.RIGHT] == 3 for vote in votes) == unanimous
    assert sum(len(vote) == 2 for vote in votes) == split
    known = counts()[name]
    assert (known["unanimous_true"], known["split_votes"]) == (unanimous, split)


@needs_data
def test_stored_accuracies_are_kept_apart_from_the_majority_s() -> None:
    run = public_runs()["fullcontext_gpt-4.1-mini-cot"]
    figures = {metric.name: metric.value for metric in run.metrics}
    assert round(figures["accuracy, mean over the judge's runs"], 6) == 0.926190
    assert round(figures["accuracy, by majority of the judgments"], 6) == 0.926623
    assert figures["correct by majority of the judgments"] == 1427
    assert (run.system, run.backbone) == ("full-context", "gpt-4.1-mini")
    assert {one.retrieval.state for one in run.records} == {RetrievalState.WHOLE_HISTORY}


@needs_data
def test_zep_s_durations_are_read_for_every_row() -> None:
    records = public_runs()["zep"].records
    assert len(records) == counts()["zep_responses"]["rows"]
    assert all(record.usage["duration_ms"] > 0 for record in records)
    assert all(len(record.verdicts) == 1 for record in records)


@needs_data
@pytest.mark.parametrize(
    "pair",
    [
        "zep vs memobase_0710",
        "memobase_0503 vs memobase_0710",
        "fullcontext_gpt-4.1-mini-cot vs fullcontext_gpt-4.1-mini-memos",
        "fullcontext_gpt-4.1-mini-cot vs fullcontext_gpt-4o-mini-cot",
        "zep vs agentmem_mem0",
    ],
)
def test_pairs_of_runs_agree_and_differ_as_measured(pair: str) -> None:
    first, second = pair.split(" vs ")
    known = counts()["cross"]["pairs"][pair]
    assert compared(first, second) == tuple(known.values())
    assert list(known) == ["both", "only_first", "only_second", "neither"]


def compared(first: str, second: str) -> tuple[int, ...]:
    a, b = right(first), right(second)
    both = Counter((a[key], b[key]) for key in a.keys() & b.keys())
    return both[True, True], both[True, False], both[False, True], both[False, False]


@needs_data
def test_all_eight_runs_are_right_on_296_questions_and_wrong_on_32() -> None:
    known = counts()["cross"]["eight_full_runs"]
    assert known["runs"] == EIGHT
    tables = [right(name) for name in EIGHT]
    keys = set.intersection(*(set(table) for table in tables))
    assert len(keys) == 1540
    assert sum(all(table[key] for table in tables) for key in keys) == known["all_right"] == 296
    assert sum(not any(t[key] for t in tables) for key in keys) == known["all_wrong"] == 32


@needs_data
@pytest.mark.parametrize("name", RETRIEVAL)
def test_stored_recall_has_the_measured_means(name: str) -> None:
    known = counts()[name]
    recalls: dict[str, list[float]] = {}
    for key, record in by_key(name).items():
        (metric,) = record.metrics
        recalls.setdefault(published().questions[key].category, []).append(metric.value)
    values = [value for group in recalls.values() for value in group]
    assert round(fmean(values), 6) == known["mean_recall"]
    assert sum(value == 1.0 for value in values) == known["full_recall_rows"]
    assert sum(value == 0.0 for value in values) == known["zero_recall_rows"]
    assert {category: round(fmean(group), 6) for category, group in sorted(recalls.items())} == (
        known["mean_recall_by_category"]
    )
    assert joined(name).without_record == ()


@needs_data
@pytest.mark.parametrize("name", RETRIEVAL)
def test_every_retrieved_session_exists_and_none_is_repeated(name: str) -> None:
    release = published()
    for key, record in by_key(name).items():
        known = release.histories[release.questions[key].history_id].session_by_id
        ids = [source.session_id for item in record.retrieval.items for source in item.sources]
        assert len(ids) == len(set(ids)) == counts()[name]["retrieved_per_row"]
        assert all(one in known for one in ids)


@needs_data
def test_stored_recall_agrees_with_a_recount_but_for_the_string_of_four_ids() -> None:
    for name, differing in (("mempalace_raw", []), ("mempalace_hybrid", ["conv-49/46"])):
        found = []
        for key, record in by_key(name).items():
            # The run counts the session that an id names even where the session has no such turn.
            clues = published().questions[key].clues
            gold = {f"session_{c.id[1:].split(':')[0]}" for c in clues if c.id[1:2].isdecimal()}
            got = {source.session_id for i in record.retrieval.items for source in i.sources}
            if gold and abs(len(gold & got) / len(gold) - record.metrics[0].value) > 1e-4:
                found.append(key)
        assert found == differing, name


@needs_data
@pytest.mark.parametrize("name", ["ironmem_pro", "ironmem_flash"])
def test_ironmem_runs_have_the_measured_counts(name: str) -> None:
    known = counts()[name]
    run = public_runs()[name]
    values = Counter(map(decision, run.records))
    assert {
        "0": values[Value.WRONG],
        "1": values[Value.RIGHT],
        "None": values[Value.NOT_JUDGED],
    } == known["scores"]
    assert {record.ref.history for record in run.records} == {known["conversation"]}
    assert categories(name) == known["by_category"]
    items = Counter(len(record.retrieval.items) for record in run.records)
    assert {str(n): count for n, count in sorted(items.items())} == known["num_retrieved"]
    assert {record.retrieval.state for record in run.records} == {RetrievalState.TEXT}
    assert [joined(name).keys[0], joined(name).keys[-1]] == ["conv-26/0", "conv-26/198"]


@needs_data
def test_the_two_ironmem_runs_differ_as_measured() -> None:
    assert compared("ironmem_pro", "ironmem_flash") == (65, 39, 8, 40 + 47)
    judged = [
        key
        for key, record in by_key("ironmem_pro").items()
        if decision(record) is not Value.NOT_JUDGED
    ]
    pro, flash = right("ironmem_pro"), right("ironmem_flash")
    assert sum(not pro[key] and not flash[key] for key in judged) == 40


@needs_data
def test_ironmem_s_tags_name_no_session_of_locomo() -> None:
    items = [i for r in public_runs()["ironmem_flash"].records for i in r.retrieval.items]
    assert len(items) == 1990
    assert sum("session:" in item.text for item in items) == 748
    assert not any(item.sources for item in items)


@needs_data
def test_the_public_runs_are_told_apart_by_folder_and_file() -> None:
    names = {name: run.name for name, run in public_runs().items()}
    assert names["memobase_0503"] == "memobase memobase_eval_0503_3000"
    assert names["zep"] == "zep zep_locomo"
    assert len(set(names.values())) == len(names)
    systems = {run.system for run in public_runs().values()}
    assert systems == {
        *("zep", "memobase", "agentmem-mem0", "full-context", "mempalace"),
        *("IronMem v0.4.0 (hybrid)", "automem", "cognee"),
        *UNJUDGED,
    }


@needs_data
def test_the_registry_finds_the_same_runs() -> None:
    registry = pytest.importorskip("mnemoscope.core.runs.registry")
    try:
        opened = registry.open_runs(RUNS)
    except ImportError as error:
        pytest.skip(f"a reader of another form is not there yet: {error}")
    names = {reader.name for reader in READERS}
    assert [run for run in opened.runs if run.format in names] == list(public_runs().values())
    with pytest.raises(InputError):
        registry.open_runs(RUNS / "automem", format="zep")
