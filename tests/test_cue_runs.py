import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from mnemoscope.core.model import (
    Kind,
    QueryPart,
    Record,
    RecordStatus,
    RetrievalState,
    Run,
    SourceRef,
    Textualisation,
    Value,
)
from mnemoscope.core.scoring.parsing import RULES
from tests.cue_run_data import (
    generated_release,
    mini,
    read_tree,
)

OK, ERROR, UNPARSED = RecordStatus.OK, RecordStatus.ERROR, RecordStatus.UNPARSED
TASKS = {"pref": "LP", "rec": "PR", "entity": "ER", "adversarial": "AR"}


@cache
def mini_runs() -> Mapping[str, Run]:
    runs, _ = read_tree(mini())
    return runs


def mini_run(system: str) -> Run:
    (run,) = (run for run in mini_runs().values() if run.system == system)
    return run


def hit(record: Record, rule: str) -> bool:
    return record.status is OK and RULES[rule](record.answer) == record.ref.gold


def metric(run: Run, name: str) -> float:
    (value,) = (one.value for one in run.metrics if one.name == name)
    return value


# The miniature release's runs.


def test_the_miniature_tree_holds_five_runs_with_names_of_their_own() -> None:
    runs, unknown = read_tree(mini())
    assert {run.name: run.format for run in runs.values()} == {
        "FUMemory base qwen3.6-35b-a3b": "cue-mem-rq1",
        "LTMemory base qwen3.6-35b-a3b": "cue-mem-rq1",
        "TT vllm_qwen3-omni": "cue-mem-rq3",
        "MM vllm_qwen3-omni": "cue-mem-rq3",
        "human full_text tester 1": "cue-mem-human",
    }
    assert unknown == ["dataset_preparation.json", "history_with_qa_p0.json"]
    assert not any(run.defects for run in runs.values())


@pytest.mark.parametrize(
    ("system", "rule", "hits"),
    [
        ("FUMemory", "rq1", {"LP explicit": 1, "ER explicit": 1}),
        (
            "LTMemory",
            "rq1",
            {"LP explicit": 1, "LP implicit": 1, "ER explicit": 1, "ER implicit": 1}
            | {"AR explicit": 1},
        ),
        ("TT", "rq3", {"LP explicit": 1, "ER explicit": 1, "ER implicit": 1}),
        (
            "MM",
            "rq3",
            {"LP explicit": 1, "LP implicit": 1, "ER explicit": 1, "ER implicit": 1}
            | {"PR implicit": 1},
        ),
        (
            "human full_text",
            "rq1",
            {"LP explicit": 1, "LP implicit": 1, "ER explicit": 1, "ER implicit": 1}
            | {"AR explicit": 1},
        ),
    ],
)
def test_the_miniature_runs_hit_what_its_table_says(
    system: str, rule: str, hits: dict[str, int]
) -> None:
    run = mini_run(system)
    settings = mini_settings()
    found = Counter(settings[record_key(record)] for record in run.records if hit(record, rule))
    assert found == hits
    assert len(run.records) == 6
    assert run.rule == rule


@cache
def mini_settings() -> Mapping[tuple[str, str], str]:
    history = json.loads((mini() / "history_with_qa_p0.json").read_bytes())
    return settings_of(history)


def settings_of(history: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Task and setting of each question of a history file, by point and id."""
    return {
        (row["point"], row["qa_id"]): " ".join(
            (
                TASKS[row["point"].split("_")[0]],
                row.get("entity_explicitness") or row["qa_type"],
            )
        )
        for row in history["human-annotated QAs"]
    }


def record_key(record: Record) -> tuple[str, str]:
    return record.ref.form, record.ref.question


@cache
def mini_rows(name: str) -> Sequence[Mapping[str, Any]]:
    (path,) = mini().glob(f"**/{name}*_results.json")
    rows: list[Mapping[str, Any]] = json.loads(path.read_bytes())
    return rows


def test_a_blank_answer_is_an_error_and_an_unreadable_one_is_unparsed() -> None:
    run = mini_run("FUMemory")
    assert [record.status for record in run.records] == [OK, OK, OK, OK, UNPARSED, ERROR]
    assert [record.detail for record in run.records if record.status is ERROR] == ["blank answer"]
    assert [record.parsed for record in run.records] == ["B", "D", "A", "A", "", ""]


def test_rows_keep_the_file_s_order_and_point_into_it() -> None:
    run = mini_run("FUMemory")
    name = "result_debug/base/qwen3.6-35b-a3b/FUMemory/history_with_qa_p0_results.json"
    assert [record.place for record in run.records] == [f"$[{n}]" for n in range(6)]
    assert {record.file for record in run.records} == {name}
    assert run.records[0].ref.history == "p0"
    question = mini_rows("FUMemory/")[2]["question"]
    assert run.records[2].ref.text == question.split("\n")[0]
    assert run.records[2].ref.category == ""


def test_folders_say_configuration_backbone_and_memory() -> None:
    run = mini_run("LTMemory")
    times = sorted(row["timestamp"] for row in mini_rows("LTMemory/"))
    assert run.backbone == "qwen3.6-35b-a3b"
    assert run.textualisation == Textualisation("medium", "hint")
    assert run.parameters == {
        "result_root": "result_debug",
        "config": "base",
        "first_answer_at": times[0],
        "last_answer_at": times[-1],
        "llm_name": "qwen3.6-35b-a3b",
        "memory_name": "LTMemory",
        "is_multimodal": False,
        "max_workers": 8,
    }


def test_accuracies_and_timings_are_kept_as_stored() -> None:
    run = mini_run("FUMemory")
    assert metric(run, "p0 correct") == 2
    assert metric(run, "p0 total") == 6
    assert metric(run, "p0 accuracy %") == 33.33
    assert metric(run, "p0 pref_text explicit accuracy %") == 100
    (path,) = mini().glob("**/FUMemory/*_efficiency.json")
    seconds = json.loads(path.read_bytes())["qa_time_seconds"]
    assert metric(run, "p0 qa_time_seconds") == seconds


def test_retrieved_ids_reasons_and_context_of_a_text_memory_are_read() -> None:
    record = mini_run("LTMemory").records[1]
    row = mini_rows("LTMemory/")[1]
    assert record.retrieval.state is RetrievalState.IDS
    assert record.retrieval.grain == "round"
    ids = [item.sources[0].round_id for item in record.retrieval.items]
    assert ids == row["retrieved_ids"]
    assert [item.rank for item in record.retrieval.items] == list(range(1, len(ids) + 1))
    assert record.retrieval.items[1].sources == (SourceRef(ids[1].split(":")[0], ids[1]),)
    assert record.reasoning == row["reasoning"] != ""
    assert record.cited == tuple(row["reasoning_sessions"]) != ()
    assert record.context_place == "$[1].memory_context"


def test_a_memory_that_sends_the_whole_history_retrieves_nothing_and_says_so() -> None:
    run = mini_run("FUMemory")
    assert {one.retrieval.state for one in run.records} == {RetrievalState.WHOLE_HISTORY}
    assert "not a miss" in run.notes[0]


@pytest.mark.parametrize(
    ("system", "recall", "precision"), [("TT", 0.8333, 0.2667), ("MM", 0.9167, 0.3)]
)
def test_stored_recall_and_precision_average_to_the_expected_values(
    system: str, recall: float, precision: float
) -> None:
    run = mini_run(system)
    stored = [{one.name: one.value for one in record.metrics} for record in run.records]
    assert mean(one["recall@5"] for one in stored) == pytest.approx(recall, abs=1e-4)
    assert mean(one["precision@5"] for one in stored) == pytest.approx(precision, abs=1e-4)
    assert metric(run, "recall@5") == pytest.approx(recall, abs=1e-4)
    assert metric(run, "precision@5") == pytest.approx(precision, abs=1e-4)


def test_a_summary_s_figures_join_the_run_of_their_variant() -> None:
    run = mini_run("TT")
    assert metric(run, "accuracy") == 0.5
    assert metric(run, "pref_img total") == 1
    assert metric(run, "explicit recall@5") == 1
    assert metric(run, "implicit_gap gap") == 0.5
    assert metric(run, "num_results") == 6
    assert any("leave entity questions out" in note for note in run.notes)
    assert len(run.files) == 2


def test_an_api_error_scored_as_an_answer_is_an_error() -> None:
    record = mini_run("MM").records[-1]
    assert record.status is ERROR
    assert record.answer == mini_rows("MM/")[-1]["raw_response"]
    assert record.answer == f"[ERROR] {record.detail}"
    assert record.parsed == ""


def test_each_query_that_found_a_round_is_kept_with_it() -> None:
    run = mini_run("MM")
    assert run.used_depth == 5
    row = mini_rows("MM/")[0]
    item = run.records[0].retrieval.items[1]
    round_id = row["retrieved_turn_ids"][1]
    assert (item.rank, item.score_kind, item.used) == (2, "rrf", True)
    assert item.score == row["retrieved_scores"][1]
    assert item.sources == (
        SourceRef(round_id.split(":")[0], round_id),
        SourceRef(round_id.split(":")[0], round_id, Kind.AUDIO),
    )
    stored = row["retrieved_items"][1]["items"][-1]
    assert item.parts[-1] == QueryPart(
        stored["item_id"],
        "audio",
        "D",
        stored["score"],
        stored["rank"],
        "option_caption",
        "text_fallback",
    )
    assert {part.option for part in item.parts} == {"A", "B", "C", "D"}


def test_a_text_index_names_rounds_alone() -> None:
    for record in mini_run("TT").records:
        assert len(record.retrieval.items) == 5
        assert all(len(item.sources) == 1 for item in record.retrieval.items)


def test_an_unanswered_question_of_a_person_was_not_run() -> None:
    run = mini_run("human full_text")
    (blank,) = (record for record in run.records if record.answer == "")
    assert (blank.status, blank.detail) == (RecordStatus.NOT_RUN, "unanswered")
    assert metric(run, "p0 accuracy %") == 83.33
    assert metric(run, "p0 answered_accuracy %") == 100
    assert run.parameters["participant"] == "tester 1"
    assert sum(record.status is OK for record in run.records) == 5


# A generated release's runs.


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return generated_release(tmp_path_factory.mktemp("generated"))


def test_generated_runs_have_the_counted_rows_statuses_and_hits(generated: Path) -> None:
    runs, _ = read_tree(generated)
    by_folder = {str(Path(run.files[-1]).parent): run for run in runs.values()}
    expected = json.loads((generated / "expected.json").read_bytes())["runs"]
    settings = {
        f"p{number}": settings_of(json.loads(path.read_bytes()))
        for number, path in enumerate(sorted((generated / "data/dialog/base").iterdir()))
    }
    assert len(expected) == len(runs) == 10
    for one in expected:
        run = by_folder[one["path"]]
        assert not [defect for defect in run.defects if defect.code != "hit_on_error"]
        assert len(run.records) == one["rows"]
        assert Counter(map(kind_of, run.records)) == one["status"]
        found = Counter(
            settings[record.ref.history][record_key(record)]
            for record in run.records
            if hit(record, one["parsing_rule"])
        )
        wanted = {
            f"{task} {setting}": cell["correct"]
            for task, cells in one["accuracy"].items()
            for setting, cell in cells.items()
        }
        assert found == Counter(wanted)
        assert stored_hits_on_errors(run, one["kind"]) == one["stored_hits_on_error_rows"]
        if one["kind"] == "rq3":
            assert stored_means(run) == pytest.approx(expected_means(one), abs=1e-6)


def kind_of(record: Record) -> str:
    """The generator's word for what became of a row."""
    match record.status:
        case RecordStatus.ERROR if record.detail == "blank answer":
            return "blank"
        case RecordStatus.ERROR:
            return "error" if record.answer.startswith("[ERROR]") else "failed"
        case RecordStatus.UNPARSED:
            return "unparsable"
    return "answered"


def stored_hits_on_errors(run: Run, kind: str) -> int:
    """Hits that scoring the text of an error would give; only RQ3 stores them."""
    errors = [record for record in run.records if kind_of(record) == "error"]
    if kind == "rq1":
        return sum(RULES["rq1"](record.answer) == record.ref.gold for record in errors)
    stored = sum(verdict.value is Value.RIGHT for one in errors for verdict in one.verdicts)
    assert stored == sum(defect.code == "hit_on_error" for defect in run.defects)
    return stored


def stored_means(run: Run) -> dict[str, float]:
    rows = [record.metrics for record in run.records if record.metrics]
    names = {one.name for metrics in rows for one in metrics}
    return {
        name: mean(one.value for metrics in rows for one in metrics if one.name == name)
        for name in names
    }


def expected_means(one: Mapping[str, Any]) -> dict[str, float]:
    overall = one["retrieval"]["overall"]
    return {
        f"{name}@{k}": value
        for name in ("recall", "precision")
        for k, value in overall[f"{name}@k"].items()
    }
