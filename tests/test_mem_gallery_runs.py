"""What is peculiar to Mem-Gallery's runs, and the figures of the public ones."""

import json
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from mnemoscope.analyses.accuracy import score
from mnemoscope.core.model import (
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    SourceRef,
    StoredMetric,
    Value,
)
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.workspace import JoinedRun, join_run
from mnemoscope.tui.cli import run as cli
from tests.app_driver import opened, press, screen_text
from tests.gallery_data import COUNTS, GALLERY, gallery
from tests.locomo_data import DATA, write
from tests.other_run_data import (
    gallery_figures,
    gallery_results,
    gallery_retrieval,
    gallery_times,
)

RUNS = DATA / "mem-gallery-runs"
AI = "AI_Robotics_Automation_Future_Tech"
needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and GALLERY.is_dir() and RUNS.is_dir()),
    reason=f"the public data is not in {DATA}",
)


def only_run(path: Path) -> Run:
    (run,) = open_runs(path).runs
    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a memory, with the results of one scenario in it."""
    path = tmp_path / "runs" / "tiny-llm" / "ZepMemory"
    write(path / "Bees_results.json", gallery_results())
    return path


@pytest.fixture
def release(tmp_path: Path) -> Release:
    write(tmp_path / "dialog" / "Bees.json", gallery())
    write(tmp_path / "dialog" / "Wasps.json", gallery())
    return open_release(tmp_path / "dialog")


def test_scenarios_are_told_by_the_file_since_characters_share_names(
    folder: Path, release: Release
) -> None:
    write(folder / "Wasps_results.json", gallery_results())
    run = only_run(folder)
    assert (run.system, run.backbone, run.name) == ("ZepMemory", "tiny-llm", "ZepMemory tiny-llm")
    assert join(release, run).keys == tuple(release.questions)


def test_questions_of_equal_text_are_told_apart_by_their_places(
    folder: Path, release: Release
) -> None:
    rows = gallery_results()
    assert rows[0]["question"] == rows[5]["question"]
    keys = join(release, only_run(folder)).keys
    assert (keys[0], keys[5]) == ("Bees/0", "Bees/5")


def test_the_session_of_a_row_is_only_its_first_and_not_used(
    folder: Path, release: Release
) -> None:
    rows = gallery_results()
    for row in rows:
        row["session_id"] = "D99"
    write(folder / "Bees_results.json", rows)
    run = only_run(folder)
    assert (join(release, run).matched, run.defects) == (6, ())


def test_ids_that_name_their_session_twice_are_kept_and_lead_nowhere(
    folder: Path, release: Release
) -> None:
    write(folder / "Bees_results.json", gallery_results(retrieved_ids=["D1:D1:2", "D2:2"]))
    run = only_run(folder)
    items = run.records[0].retrieval.items
    assert [item.sources for item in items] == [
        (SourceRef(round_id="D1:D1:2"),),
        (SourceRef(round_id="D2:2"),),
    ]
    found = hits_of(release, run)
    assert (found[0], found[4]) == (False, True)
    assert any("D1:D1:4" in note for note in run.notes)


def hits_of(release: Release, run: Run) -> list[bool | None]:
    return [
        clue_hits(
            entry.question, entry.record, history=release.histories[entry.question.history_id]
        ).counts.hit
        for entry in join_run(release, run).entries
    ]


@pytest.mark.parametrize(
    ("memory", "more", "state"),
    [
        ("FUMemory", {"retrieved_ids": []}, RetrievalState.WHOLE_HISTORY),
        ("FUMemory", {}, RetrievalState.WHOLE_HISTORY),
        ("ZepMemory", {"retrieved_ids": []}, RetrievalState.IDS),
        ("MGMemory", {}, RetrievalState.NOT_STORED),
    ],
)
def test_an_empty_list_is_a_miss_only_where_something_was_retrieved(
    tmp_path: Path, release: Release, memory: str, more: dict[str, Any], state: RetrievalState
) -> None:
    path = tmp_path / "tiny-llm" / memory / "Bees_results.json"
    run = only_run(write(path, gallery_results(**more)))
    assert {record.retrieval.state for record in run.records} == {state}
    missed = state is RetrievalState.IDS
    assert hits_of(release, run)[0] is (False if missed else None)


def test_companions_are_part_of_the_run(folder: Path) -> None:
    write(folder / "Bees_evaluate_result.json", gallery_figures())
    write(folder / "Bees_retrieval_metrics.json", gallery_retrieval())
    write(folder / "Bees_efficiency.json", gallery_times())
    everything = {
        "individual_results": [gallery_figures()],
        "overall_statistics": gallery_figures(),
        "num_datasets": 1,
        "datasets": ["Bees"],
    }
    write(folder / "ALL_evaluate_result.json", everything)
    opened = open_runs(folder)
    (run,) = opened.runs
    assert (opened.skipped, opened.defects, run.defects) == ((), (), ())
    assert len(run.files) == 5
    assert [record.metrics for record in run.records[:2]] == [
        (StoredMetric("f1", 0.0), StoredMetric("em", 1.0)),
        (StoredMetric("f1", 0.1), StoredMetric("em", 0.0)),
    ]
    figures = {metric.name: metric.value for metric in run.metrics}
    assert figures["Bees recall@5"] == 0.5
    assert figures["all f1, FR"] == 0.5
    assert figures["Bees qa_time_seconds"] == 3.0
    assert run.parameters["first_answer_at"] == "2026-05-21 14:40:00"


def test_figures_of_another_number_of_rows_are_given_to_none(folder: Path) -> None:
    write(folder / "Bees_evaluate_result.json", gallery_figures(rows=5))
    run = only_run(folder)
    assert [one.code for one in run.defects] == ["row_metrics_unmatched"]
    assert not any(record.metrics for record in run.records)
    uneven = gallery_figures()
    uneven["overall_em"].pop()
    write(folder / "Bees_evaluate_result.json", uneven)
    assert [one.code for one in only_run(folder).defects] == ["row_metrics_unmatched"]


def test_a_run_with_figures_only_is_not_judged_even_where_answers_are_blank(
    folder: Path, release: Release
) -> None:
    rows = gallery_results()
    rows[1]["system_answer"] = ""
    write(folder / "Bees_results.json", rows)
    run = only_run(folder)
    assert [record.status for record in run.records[:2]] == [RecordStatus.OK, RecordStatus.ERROR]
    joined = join_run(release, run)
    assert {entry.judgement.value for entry in joined.entries} == {Value.NOT_JUDGED}
    assert score(joined, release).accuracy.n == 0


def test_stored_figures_of_a_row_are_shown_with_its_answer(
    folder: Path, release: Release, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "Bees_evaluate_result.json", gallery_figures())
    assert cli(["show", str(release.root), "Bees/1", str(folder)]) == 0
    assert "  stored figures  f1 0.1 · em 0\n" in capsys.readouterr().out


def test_results_from_nowhere_go_by_their_name(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "results" / "Bees_results.json", gallery_results()))
    assert run.records[0].ref.history == "Bees"
    assert any("names no system" in note for note in run.notes)


# --- The public runs


@cache
def public_release() -> Release:
    return open_release(GALLERY)


@cache
def public_runs() -> dict[str, JoinedRun]:
    opened = open_runs(RUNS)
    assert (opened.skipped, opened.defects) == ((), ())
    return {run.system: join_run(public_release(), run) for run in opened.runs}


def counts(memory: str) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["mem_gallery_runs"][memory]
    return known


MEMORIES = ["MGMemory", "STMemory", "FUMemory", "ZepMemory"]


@needs_data
@pytest.mark.parametrize("memory", MEMORIES)
def test_every_public_row_joins_to_the_question_at_its_place(memory: str) -> None:
    run = public_runs()[memory]
    assert run.run.defects == ()
    assert run.join.unjoined == ()
    for entry in run.entries:
        assert entry.question.index == entry.record.ref.position
        assert entry.record.ref.gold == str(entry.question.gold)
        assert entry.record.ref.category == entry.question.category


@needs_data
def test_mgmemory_s_rows_and_blanks_are_as_counted() -> None:
    known = counts("MGMemory")
    run = public_runs()["MGMemory"].run
    results = [file for file in run.files if file.endswith("_results.json")]
    assert (len(results), len(run.records)) == (known["files"], known["rows"])
    blank = [record for record in run.records if record.detail == "blank answer"]
    assert len(blank) == known["blank_answers"]
    states = {record.retrieval.state for record in run.records}
    assert states == {RetrievalState.NOT_STORED}


@needs_data
def test_the_stored_means_are_the_means_of_the_figures_by_row() -> None:
    run = public_runs()["MGMemory"].run
    claimed = {metric.name: metric.value for metric in run.metrics}
    for name in ("f1", "bleu", "em"):
        by_row = [
            metric.value
            for record in run.records
            for metric in record.metrics
            if metric.name == name
        ]
        assert len(by_row) == 1711
        assert fmean(by_row) == pytest.approx(claimed[f"all {name}"])


@needs_data
@pytest.mark.parametrize("memory", MEMORIES[1:])
def test_what_was_retrieved_is_as_counted(memory: str) -> None:
    known = counts(memory)
    run = public_runs()[memory]
    entries = [one for one in run.entries if one.question.history_id == AI]
    lists = [
        tuple(item.sources[0].round_id for item in entry.record.retrieval.items)
        for entry in entries
    ]
    assert len(entries) == known["rows"]
    assert sum(map(bool, lists)) == known["rows_with_retrieval"]
    assert sum(map(len, lists)) == known["retrieved_ids"]
    assert len(set(lists)) == known["distinct_retrieved_lists"]
    assert sum(bool(entry.question.clues) for entry in entries) == known["rows_with_clue"]
    hits = sum(
        any(one in entry.question.evidence_rounds for one in ids)
        for entry, ids in zip(entries, lists, strict=True)
    )
    repaired = sum(
        any(
            one.partition(":")[2] in entry.question.evidence_rounds
            or one in entry.question.evidence_rounds
            for one in ids
        )
        for entry, ids in zip(entries, lists, strict=True)
    )
    assert hits == known["hit_as_written"]
    assert repaired == known["hit_after_prefix_repair"]


@needs_data
def test_full_memory_s_empty_lists_are_no_misses() -> None:
    entries = public_runs()["FUMemory"].entries
    assert {one.record.retrieval.state for one in entries} == {RetrievalState.WHOLE_HISTORY}
    assert set(hits_of(public_release(), public_runs()["FUMemory"].run)) == {None}


@needs_data
def test_zep_s_second_file_stores_no_retrieval() -> None:
    entries = public_runs()["ZepMemory"].entries
    states = {
        history: {e.record.retrieval.state for e in entries if e.question.history_id == history}
        for history in {e.question.history_id for e in entries}
    }
    assert states == {
        AI: {RetrievalState.IDS},
        "Dog_Behavior_Research_Academic_Life": {RetrievalState.NOT_STORED},
    }
    claimed = {metric.name: metric.value for metric in public_runs()["ZepMemory"].run.metrics}
    assert claimed[f"{AI} hitrate@5"] == 0.0


async def test_the_app_shows_figures_of_runs_that_nobody_judged(
    tmp_path: Path, release: Release
) -> None:
    folders = []
    for memory in ("STMemory", "ZepMemory"):
        folder = tmp_path / "runs" / "tiny-llm" / memory
        write(folder / "Bees_results.json", gallery_results(retrieved_ids=["D1:D1:2", "D2:2"]))
        write(folder / "Bees_evaluate_result.json", gallery_figures())
        folders.append(folder)
    async with opened(OpenRequest(release.root, folders)) as (app, pilot):
        await press(app, pilot, "C")
        assert "by f1, as stored" in screen_text(app)
        await press(app, pilot, "L", "down", "enter")
        assert "stored figures  f1 0.1 · em 0" in screen_text(app)
        lost = [line for line in screen_text(app).split("\n") if "leads nowhere" in line]
        assert len(lost) == 1
        assert "D1:D1:2" in lost[0]
