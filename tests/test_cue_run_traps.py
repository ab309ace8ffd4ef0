"""Documented traps in the rows of CUE-Mem run files, companion files, and broken files."""

import json
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import ReadError
from mnemoscope.core.model import (
    RecordStatus,
    RetrievalState,
    StoredMetric,
    Value,
)
from tests.cue_run_data import (
    RQ1_NAME,
    STEM,
    Row,
    mini,
    only_part,
    problems,
    question_only_row,
    read_one,
    read_tree,
    rq1_oracle_row,
    rq1_part,
    rq1_row,
    rq3_failed_row,
    rq3_item,
    rq3_oracle,
    rq3_part,
    rq3_row,
    submission,
    write_json,
)

OK, ERROR, UNPARSED = RecordStatus.OK, RecordStatus.ERROR, RecordStatus.UNPARSED


# Traps in the rows.


def test_the_question_is_known_by_its_stem(tmp_path: Path) -> None:
    ref = rq1_part(tmp_path, [rq1_row()]).records[0].ref
    assert ref.text == STEM
    assert (ref.form, ref.question, ref.gold) == ("pref_text", "4-HobbiesAndEntertainment-2", "B")


def test_one_id_is_two_questions_when_the_points_differ(tmp_path: Path) -> None:
    part = rq1_part(tmp_path, [rq1_row(), rq1_row(category="rec_img")])
    assert [record.ref.form for record in part.records] == ["pref_text", "rec_img"]


@pytest.mark.parametrize("memory", ["FUMemory", "RFMemory", "MGMemory"])
def test_an_empty_list_of_a_whole_history_memory_is_no_miss(tmp_path: Path, memory: str) -> None:
    rows = [rq1_row(retrieved_ids=[], clue=[]), rq1_row(category="rec_text")]
    part = rq1_part(tmp_path, rows, f"result_debug/base/tiny-llm/{memory}")
    assert {one.retrieval.state for one in part.records} == {RetrievalState.WHOLE_HISTORY}
    assert any(memory in note for note in part.notes)


def test_an_empty_list_of_a_retrieving_memory_is_a_list(tmp_path: Path) -> None:
    part = rq1_part(
        tmp_path,
        [rq1_row(retrieved_ids=[]), rq1_row(memory_context="None"), rq1_row()],
        "result_debug/base/tiny-llm/MemoryOSMemory",
    )
    states = [record.retrieval.state for record in part.records]
    assert states == [RetrievalState.IDS, RetrievalState.TEXT, RetrievalState.NOT_STORED]


def test_an_error_text_is_an_error_in_every_form(tmp_path: Path) -> None:
    text = "[ERROR] " + "x" * 500
    (record,) = rq1_part(tmp_path, [rq1_row(system_answer=text)]).records
    assert (record.status, record.detail) == (ERROR, "x" * 200)


def test_a_stored_hit_on_an_error_is_kept_and_reported(tmp_path: Path) -> None:
    row = rq3_row(raw_response="[ERROR] BadRequestError: too long", correct=True)
    part = rq3_part(tmp_path, [row])
    (record,) = part.records
    assert record.status is ERROR
    assert record.verdicts[0].value is Value.RIGHT
    assert problems(part) == [("warning", "hit_on_error", "$[0].correct")]


def test_a_failure_row_is_an_error_with_its_message(tmp_path: Path) -> None:
    (record,) = rq3_part(tmp_path, [rq3_failed_row()]).records
    assert record.status is ERROR
    assert record.answer == record.detail == "Connection reset by peer"
    assert record.retrieval.state is RetrievalState.NOT_STORED
    assert record.metrics == ()


def test_a_stored_letter_that_the_rule_does_not_read_is_reported(tmp_path: Path) -> None:
    part = rq3_part(tmp_path, [rq3_row(model_answer="C", raw_response="选项B")])
    assert part.records[0].parsed == "B"
    assert problems(part) == [("warning", "stored_answer_differs", "$[0].model_answer")]
    assert "'B'" in part.defects[0].expected


def test_only_the_first_line_of_a_reasoned_response_is_parsed(tmp_path: Path) -> None:
    raw = "选不出\n依据session：03/04/2025；05/06/2025\n依据：A 和 B 都像。"
    row = rq3_row(raw_response=raw, model_answer="选", correct=False, reasoning="")
    (record,) = rq3_part(tmp_path, [row]).records
    assert (record.status, record.answer) == (UNPARSED, "选不出")
    assert record.reasoning == "A 和 B 都像。"
    assert record.cited == ("03/04/2025", "05/06/2025")


def test_a_file_named_after_a_list_place_is_reported(tmp_path: Path) -> None:
    row = rq3_row(qa_id="9-FoodAndDrink-0")
    part = rq3_part(tmp_path, [row])
    assert part.records[0].ref.history == "p4"
    assert problems(part) == [("warning", "other_profile", "$[0].qa_id")]


def test_the_history_is_taken_from_the_uid_where_the_name_holds_none(tmp_path: Path) -> None:
    part = only_part(write_json(tmp_path / "MM" / "answers.json", [rq3_row()]))
    assert part.records[0].ref.history == "p4"
    assert part.records[0].ref.category == "HobbiesAndEntertainment"


def test_a_single_query_s_scores_are_cosines(tmp_path: Path) -> None:
    query = {"source": "single_text_query", "composition_method": "text_only"}
    items = [
        {"turn_id": "D03:01", "items": [rq3_item("D03:01", 1, "text", "", query_metadata=query)]}
    ]
    (record,) = rq3_part(tmp_path, [rq3_row(retrieved_items=items)]).records
    assert {item.score_kind for item in record.retrieval.items} == {"cosine"}
    assert record.retrieval.items[0].parts[0].method == "text_only"


def test_what_stood_in_for_an_item_or_a_query_is_named(tmp_path: Path) -> None:
    own = rq3_item("D03:01", 1, "image", "A", fallback="caption", score=1)
    items = [{"turn_id": "D03:01", "items": [own]}]
    part = rq3_part(tmp_path, [rq3_row(retrieved_items=items)])
    assert part.records[0].retrieval.items[0].parts[0].fallback == "item: caption"
    assert not part.defects


def test_a_round_without_items_keeps_its_place(tmp_path: Path) -> None:
    (record,) = rq3_part(tmp_path, [rq3_row(retrieved_items=[])]).records
    assert [item.rank for item in record.retrieval.items] == [1, 2]
    assert [item.parts for item in record.retrieval.items] == [(), ()]


# Companions.


@pytest.mark.parametrize(
    "data",
    [
        {"groups": [{"model": "m", "memory": "LTMemory", "category_filter": None}]},
        {"m": {"pref_text": {"truth_answer_distribution": {}, "model_answer_distribution": {}}}},
        {"pref": [{"model": "m", "memory": "LTMemory", "memory_display": "NaiveRAG"}]},
        {"__combined__": {"pref": [{"model": "m", "memory": "x", "memory_display": "y"}]}},
        [{"compare_key": "p0::pref_text::0-A-1", "per_run": []}],
        {"total_runs": 6, "run_labels": [], "total_qas": 3, "distribution": {}},
        {"cross_compare_dir": "x", "total_runs": 6, "retention_sets": []},
        {"notes": {}, "rows": [{"Backbone": "b", "Memory": "TT", "AVG.": {}}]},
        {"complete": True, "index_mode": "text", "embedding_provider": "gemini", "turn_ids": []},
    ],
)
def test_files_that_add_nothing_are_known_and_add_nothing(tmp_path: Path, data: object) -> None:
    assert read_one(write_json(tmp_path / "any.json", data)) == []


@pytest.mark.parametrize(
    ("root", "format"),
    [
        ("result_debug", "cue-mem-rq1"),
        ("result_question_only", "cue-mem-question-only"),
        ("result_oracle_evidence", "cue-mem-rq1-oracle"),
    ],
)
def test_accuracies_join_the_run_of_their_folder(tmp_path: Path, root: str, format: str) -> None:
    rows = {
        "cue-mem-rq1": rq1_row(),
        "cue-mem-question-only": question_only_row(),
        "cue-mem-rq1-oracle": rq1_oracle_row(),
    }
    cell = {"correct": 1, "total": 1, "accuracy": 100.0}
    accuracy = {"pref_text": {"explicit": cell}, "__overall__": {"overall": cell}}
    folder = tmp_path / root / "base/tiny-llm" / ("LTMemory" if root == "result_debug" else "")
    write_json(folder / RQ1_NAME, [rows[format]])
    write_json(folder / RQ1_NAME.replace("results", "accuracy"), accuracy)
    ((_, run),) = read_tree(tmp_path)[0].items()
    assert run.format == format
    assert len(run.records) == 1
    assert StoredMetric("p4 pref_text explicit accuracy %", 100.0) in run.metrics
    assert StoredMetric("p4 accuracy %", 100.0) in run.metrics


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        "text",
        4,
        [[]],
        [None, 3, "x"],
        [{"qa_id": "1"}],
        {"results": []},
        {"results": None, "meta": None},
        {"results": [{"question": "q", "answer": "a"}], "meta": {}},
        [{"question": "q", "answer": "a", "category": 1, "evidence": ["D1:3"]}],
        {"__overall__": 3},
        {"multi_session_dialogues": [], "human-annotated QAs": []},
    ],
)
def test_other_files_are_not_claimed(tmp_path: Path, data: object) -> None:
    assert read_one(write_json(tmp_path / "other.json", data)) is None


def test_files_of_lines_are_left_to_others(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text("{}\n{}\n")
    assert read_one(path) is None


# Broken files.


def test_a_cut_file_is_named_with_line_and_column(tmp_path: Path) -> None:
    path = write_json(tmp_path / RQ1_NAME, [rq1_row()])
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ReadError) as caught:
        read_one(path)
    assert caught.value.place.startswith("line 1 column")


def test_broken_rows_are_named_and_good_ones_kept(tmp_path: Path) -> None:
    rows = [
        None,
        rq1_row(),
        "row",
        rq1_row(qa_id=None),
        rq1_row(category=7),
        rq1_row(system_answer=["B"]),
        rq1_row(retrieved_ids=["D00:01", None, "D00:02"]),
        rq1_row(retrieved_ids={"D00:01": 1}, original_answer=2, reasoning=3),
    ]
    part = rq1_part(tmp_path, rows)
    assert [record.place for record in part.records] == ["$[1]", "$[5]", "$[6]", "$[7]"]
    expected = [
        "$[0]",
        "$[2]",
        "$[3].qa_id",
        "$[4].category",
        "$[5].system_answer",
        "$[6].retrieved_ids[1]",
        "$[7].original_answer",
        "$[7].reasoning",
        "$[7].retrieved_ids",
    ]
    assert problems(part) == [("error", "wrong_type", path) for path in expected]
    assert [item.rank for item in part.records[2].retrieval.items] == [1, 3]
    assert part.records[1].status is ERROR
    assert part.records[3].ref.gold is None


def test_broken_items_are_named_and_good_ones_kept(tmp_path: Path) -> None:
    good = rq3_item("D03:01", 1, "text", "A")
    items = [
        3,
        {"turn_id": "D03:01", "items": [good, None, good | {"score": "high", "rank": 1.5}]},
        {"turn_id": "D09:09", "items": [good]},
        {"turn_id": "D01:00", "items": [good | {"query_metadata": []}]},
    ]
    row = rq3_row(retrieved_items=items, retrieved_scores=[0.5, "x", 3], correct="yes")
    row["recall@k"] = {"1": None, "5": 0.5}
    part = rq3_part(tmp_path, [row])
    (record,) = part.records
    assert [item.score for item in record.retrieval.items] == [0.5, None]
    assert [len(item.parts) for item in record.retrieval.items] == [2, 1]
    assert {one.name for one in record.metrics} >= {"recall@5", "precision@5"}
    assert record.verdicts == ()
    base = "$[0].retrieved_items"
    assert sorted(problems(part)) == sorted(
        [
            ("error", "wrong_type", f"{base}[0]"),
            ("error", "wrong_type", f"{base}[1].items[1]"),
            ("error", "wrong_type", f"{base}[1].items[2].score"),
            ("error", "wrong_type", f"{base}[1].items[2].rank"),
            ("warning", "item_not_retrieved", f"{base}[2].turn_id"),
            ("error", "wrong_type", f"{base}[3].items[0].query_metadata"),
            ("error", "wrong_type", "$[0].retrieved_scores[1]"),
            ("warning", "scores_differ", "$[0].retrieved_scores"),
            ("error", "wrong_type", '$[0]["recall@k"]["1"]'),
            ("error", "wrong_type", "$[0].correct"),
        ]
    )


def test_broken_companions_and_submissions_are_named(tmp_path: Path) -> None:
    accuracy = {"pref_text": {"explicit": {"correct": "1"}}, "__overall__": {"overall": {}}}
    part = only_part(write_json(tmp_path / "history_with_qa_p4_accuracy.json", accuracy))
    assert problems(part) == [("error", "wrong_type", "$.pref_text.explicit.correct")]
    human = only_part(write_json(tmp_path / "1_a.json", submission(details=None, accuracy="all")))
    assert problems(human) == [("error", "wrong_type", "$.accuracy")]
    assert human.records == ()
    figures: Row = {"accuracy": {"overall": {"accuracy": "1"}}, "retrieval": {}, "num_results": 1}
    (summary,) = read_one(write_json(tmp_path / "full_metrics.json", {"TT": figures})) or ()
    assert problems(summary) == [("error", "wrong_type", "$.TT.accuracy.overall.accuracy")]


def test_rows_that_name_no_question_are_left_out_of_every_form(tmp_path: Path) -> None:
    parts = [
        rq1_part(tmp_path, [rq1_row(), rq1_row(qa_id="")]),
        rq1_part(tmp_path, [question_only_row(), question_only_row(qa_id="")], "only"),
        rq1_part(tmp_path, [rq1_oracle_row(), rq1_oracle_row(qa_id="")], "oracle"),
        rq3_part(tmp_path, [rq3_row(), rq3_row(qa_id="")]),
        rq3_part(tmp_path, {"meta": None, "results": [rq3_row(), rq3_row(point=None)]}, "other"),
    ]
    oracle = rq3_oracle()
    oracle["results"][1]["qa_id"] = ["x"]
    parts.append(rq3_part(tmp_path, oracle, "oracle"))
    assert [len(part.records) for part in parts] == [1] * 6
    assert [len(part.defects) for part in parts] == [1] * 6


def test_hostile_text_is_kept_as_it_is(tmp_path: Path) -> None:
    escape = "B\x1b]0;title\x07\u202e"
    (record,) = rq1_part(
        tmp_path, [rq1_row(system_answer=escape, question="\ud800\x1b[2J")]
    ).records
    assert (record.status, record.answer, record.parsed) == (OK, escape, "B")


def test_an_answer_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    text = "茶" * 3_500_000
    (record,) = rq1_part(tmp_path, [rq1_row(system_answer=text)]).records
    assert record.status is UNPARSED
    assert len(record.answer) == len(text)
    (fused,) = rq3_part(tmp_path, [rq3_row(raw_response=text, model_answer="茶")]).records
    assert fused.status is UNPARSED


def damaged(value: Any, kind: int) -> Any:
    """The value with one kind of damage done everywhere in it."""
    if isinstance(value, dict):
        return {key: damaged(one, kind) for key, one in value.items()}
    if isinstance(value, list) and value:
        return [damaged(one, kind) for one in value] + [None] * (kind == 0)
    leaves: list[Any] = [value, None, {}, [], 10**400, True, "p" + "7" * 5000, -0.0]
    return leaves[kind]


@pytest.mark.parametrize("kind", range(8))
def test_no_damage_to_a_run_file_raises(tmp_path: Path, kind: int) -> None:
    for path in sorted(mini().rglob("*.json")):
        data = json.loads(path.read_bytes())
        copy = write_json(tmp_path / path.relative_to(mini()), damaged(data, kind))
        for part in read_one(copy, tmp_path) or ():
            assert all(one.severity in Severity for one in part.defects)
