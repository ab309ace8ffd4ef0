"""What is peculiar to the LoCoMo run forms of MemoryLake, OpenClaw, smriti, AutoMem, AMB, and to
mem0's before it is evaluated. What all forms share is tested with the first ones."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from mnemoscope.analyses.accuracy import score
from mnemoscope.analyses.figure import FigureStatus
from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.analyses.suspicion import suspicions
from mnemoscope.core.model import (
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.runs.amb.reader import AmbLocomoRuns, split_memories
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.sources import Source
from mnemoscope.core.workspace import JoinedRun, Workspace, join_run
from mnemoscope.tui.cli import run as cli
from tests.locomo_data import (
    COUNTS,
    LOCOMO,
    RUNS,
    conversation,
    file_of,
    mem0_rows,
    needs_data,
    source_of,
    write,
)
from tests.locomo_run_data import (
    amb,
    automem,
    mem0_searched,
    memobase_searched,
    memorylake,
    openclaw,
    smriti,
)


@pytest.fixture
def release(tmp_path: Path) -> Release:
    data = [conversation("conv-1"), conversation("conv-2")]
    return LocomoReader().read(source_of(tmp_path / "locomo10.json", data), ReadOptions())


def only_run(path: Path) -> Run:
    (run,) = open_runs(path).runs
    return run


def run_of(path: Path, data: Any) -> Run:
    return only_run(write(path, data))


# --- MemoryLake


def test_memorylake_s_files_are_one_run_and_their_numbers_count_from_one(
    tmp_path: Path, release: Release
) -> None:
    for number in (1, 2):
        write(tmp_path / "lake" / f"locomo_result_{number}.json", memorylake(number))
    run = only_run(tmp_path / "lake")
    assert (run.format, run.system, run.name) == ("memorylake", "lake", "lake locomo_result")
    report = join(release, run)
    assert (report.matched, len(report.unjoined)) == (8, 0)
    assert report.keys[0] == "conv-1/0"
    assert run.records[0].answer == "bowls in file 1"
    assert run.records[4].answer == "bowls in file 2"
    assert report.keys[4] == "conv-2/0"


def test_memorylake_s_index_is_the_release_s_and_not_the_place(
    tmp_path: Path, release: Release
) -> None:
    # The second question has no row; the fifth has the first one's text.
    run = run_of(tmp_path / "lake" / "locomo_result_1.json", memorylake())
    assert join(release, run).keys == ("conv-1/0", "conv-1/2", "conv-1/3", "conv-1/4")
    assert [record.place for record in run.records] == ["$[0]", "$[1]", "$[2]", "$[3]"]


def test_memorylake_s_verdicts_carry_the_judge_s_reason(tmp_path: Path) -> None:
    run = run_of(tmp_path / "locomo_result_1.json", memorylake())
    verdicts = [record.verdicts for record in run.records]
    assert verdicts[0] == (Verdict("stored", Value.WRONG, reason="because of 0", score=0.0),)
    assert verdicts[2] == (Verdict("stored", Value.RIGHT, reason="because of 3", score=1.0),)


def test_memorylake_s_error_makes_an_error_record(tmp_path: Path) -> None:
    rows = memorylake()
    rows[0] |= {"error": "timed out", "predicted": ""}
    record = run_of(tmp_path / "locomo_result_1.json", rows).records[0]
    assert (record.status, record.answer) == (RecordStatus.ERROR, "timed out")


@pytest.mark.parametrize("name", ["locomo.json", "result_0.json"])
def test_a_memorylake_file_without_its_number_joins_to_nothing_and_says_why(
    tmp_path: Path, release: Release, name: str
) -> None:
    run = run_of(tmp_path / "lake" / name, memorylake())
    assert [defect.code for defect in run.defects] == ["conversation_unknown"]
    assert join(release, run).matched == 0


# --- OpenClaw


def test_openclaw_takes_gold_and_category_from_the_release(
    tmp_path: Path, release: Release
) -> None:
    run = run_of(tmp_path / "openclaw" / "openclaw_eval_scored.json", openclaw())
    assert {(record.ref.gold, record.ref.category) for record in run.records} == {(None, "")}
    report = join(release, run)
    # Questions 0 and 4 have one text: only their places tell them apart.
    assert report.keys == tuple(f"conv-{n}/{index}" for n in (1, 2) for index in range(7))


def test_openclaw_s_label_error_is_a_failed_judge_and_not_a_wrong_answer(
    tmp_path: Path, release: Release
) -> None:
    run = run_of(tmp_path / "x.json", openclaw())
    values = Counter(record.verdicts[0].value for record in run.records)
    assert values == {Value.RIGHT: 8, Value.WRONG: 4, Value.JUDGE_FAILED: 2}
    failed = next(r for r in run.records if r.verdicts[0].value is Value.JUDGE_FAILED)
    assert failed.verdicts == (Verdict("stored", Value.JUDGE_FAILED, reason="reason 2"),)
    tally = score(join_run(release, run), release).tally
    assert (tally.joined, tally.n, tally.correct, tally.judge_failed) == (14, 12, 8, 2)


def test_what_openclaw_has_right_without_gold_counts_as_stored_and_is_suspicious(
    tmp_path: Path, release: Release
) -> None:
    # Of the two adversarial questions one has no gold in the release.
    run = run_of(tmp_path / "x.json", openclaw())
    workspace = Workspace.build(release, [run])
    assert score(workspace.runs[0], release).tally.correct == 8
    (found,) = suspicions(workspace)
    assert (found.code, found.count, found.of) == ("right_without_gold", 2, 8)
    assert {each.key for each in found.examples} == {"conv-1/5", "conv-2/5"}


@pytest.mark.parametrize("label", ["correct?", None, 1, ["CORRECT"]])
def test_a_label_of_another_kind_is_a_failed_judge_and_reported(tmp_path: Path, label: Any) -> None:
    rows = openclaw()
    rows[0]["judge_result"]["label"] = label
    run = run_of(tmp_path / "x.json", rows)
    assert run.records[0].verdicts[0].value is Value.JUDGE_FAILED
    assert [defect.path for defect in run.defects] == ["$[0].judge_result.label"]


def test_an_openclaw_row_without_judgement_is_not_judged(tmp_path: Path) -> None:
    rows = openclaw()
    rows[0]["judge_result"] = None
    run = run_of(tmp_path / "x.json", rows)
    assert run.records[0].verdicts == (Verdict("stored", Value.NOT_JUDGED),)
    assert not run.defects


def test_chinese_answers_are_read_as_they_are(tmp_path: Path) -> None:
    assert run_of(tmp_path / "x.json", openclaw()).records[0].answer == "他们都做碗"


def test_empty_context_ids_are_not_a_miss(tmp_path: Path, release: Release) -> None:
    run = run_of(tmp_path / "x.json", openclaw())
    assert {record.retrieval.state for record in run.records} == {RetrievalState.NOT_STORED}
    assert not retrieval(join_run(release, run), release).rows


def test_openclaw_s_context_ids_are_kept_where_there_are_some(tmp_path: Path) -> None:
    rows = openclaw()
    rows[0]["context_ids"] = ["D1:2", "D2:1"]
    rows[1]["context"] = "only text"
    records = run_of(tmp_path / "x.json", rows).records
    assert records[0].retrieval.grain == "round"
    assert [item.sources[0].round_id for item in records[0].retrieval.items] == ["D1:2", "D2:1"]
    assert records[1].retrieval.state is RetrievalState.TEXT
    assert records[1].context_place == "$[1].context"


# --- smriti


def test_one_smriti_file_is_a_run_for_each_system(tmp_path: Path, release: Release) -> None:
    systems = ["SMRITI_v2", "NaiveRAG", "FullContext", "Mem0Style", "MemGPTStyle"]
    path = write(tmp_path / "smriti" / "bench.json", smriti(*systems))
    runs = open_runs(path).runs
    assert [run.system for run in runs] == systems
    assert len({run.name for run in runs}) == 5
    workspace = Workspace.build(release, runs)
    assert len({run.name for run in workspace.runs}) == 5
    assert all(run.join.matched == 4 for run in workspace.runs)
    assert [run.records[0].answer for run in runs] == [f"{system} says 0" for system in systems]


def test_runs_of_one_file_are_not_called_the_same_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "locomo.json", [conversation()])
    write(tmp_path / "bench.json", smriti("one", "other"))
    assert cli(["score", str(tmp_path / "locomo.json"), str(tmp_path / "bench.json")]) == 0
    assert "same run" not in capsys.readouterr().err


def test_figures_of_word_overlap_are_no_verdict(tmp_path: Path, release: Release) -> None:
    run = run_of(tmp_path / "bench.json", smriti())
    assert {record.verdicts[0].value for record in run.records} == {Value.NOT_JUDGED}
    scored = score(join_run(release, run), release)
    assert (scored.tally.n, scored.tally.not_judged) == (0, 4)
    assert scored.accuracy.status is FigureStatus.NOT_JUDGED
    stored = {one.name: one.figure for one in retrieval(join_run(release, run), release).as_stored}
    assert stored["f1"].value == pytest.approx(0.15)
    assert stored["f1"].n == 4


def test_score_prints_means_of_stored_figures_as_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "locomo.json", [conversation()])
    write(tmp_path / "bench.json", smriti())
    assert cli(["score", str(tmp_path / "locomo.json"), str(tmp_path / "bench.json")]) == 0
    out = capsys.readouterr().out
    assert "not judged" in out
    assert "as stored in the run's files, not recomputed" in out
    assert ["f1", "0.1500", "4"] in [line.split() for line in out.splitlines()]


def test_smriti_s_names_are_of_amb_s_kind(tmp_path: Path) -> None:
    run = run_of(tmp_path / "bench.json", smriti())
    assert [record.ref.category for record in run.records] == ["1", "2", "3", "4"]


def test_a_system_called_full_context_was_sent_the_whole_history(tmp_path: Path) -> None:
    path = write(tmp_path / "bench.json", smriti("FullContext", "NaiveRAG"))
    full, naive = open_runs(path).runs
    assert full.records[0].retrieval.state is RetrievalState.WHOLE_HISTORY
    assert any("by the name 'FullContext'" in note for note in full.notes)
    assert naive.records[0].retrieval.state is RetrievalState.NOT_STORED


def test_smriti_s_usage_and_totals_are_kept(tmp_path: Path) -> None:
    run = run_of(tmp_path / "bench.json", smriti())
    assert run.records[1].usage == {"latency_ms": 101.0, "tokens_used": 20, "answer_length": 12}
    assert StoredMetric("f1, mean over the rows", 0.15) in run.metrics
    data = smriti()
    data["systems"]["NaiveRAG"]["aggregate"]["total_questions"] = 5
    (defect,) = run_of(tmp_path / "bench.json", data).defects
    assert defect.path == "$.systems.NaiveRAG.aggregate.total_questions"


# --- AutoMem


def test_automem_is_right_by_words_and_has_no_answer(tmp_path: Path, release: Release) -> None:
    run = run_of(tmp_path / "automem" / "x.json", automem())
    assert {(record.answer, record.status) for record in run.records} == {("", RecordStatus.OK)}
    assert run.records[2].verdicts == (Verdict("stored", Value.RIGHT, reason="words of row 2"),)
    assert run.records[0].usage == {"recalled_count": 50}
    tally = score(join_run(release, run), release).tally
    assert (tally.n, tally.correct) == (14, 10)


def test_an_empty_expected_answer_is_no_gold(tmp_path: Path) -> None:
    run = run_of(tmp_path / "automem" / "x.json", automem())
    gold = {record.ref.category: record.ref.gold for record in run.records}
    assert gold == {"1": "bowls", "2": "2021", "3": "Likely yes", "4": "bowls", "5": None}


def test_automem_s_totals_are_checked_at_every_level(tmp_path: Path) -> None:
    data = automem()
    data["overall"]["correct"] = 11
    data["conversations"][1]["total_questions"] = 8
    data["categories"]["5"]["correct"] = 3
    run = run_of(tmp_path / "automem" / "x.json", data)
    assert {defect.path for defect in run.defects} == {
        "$.overall.correct",
        "$.conversations[1].total_questions",
        '$.categories["5"].correct',
    }


# --- AMB


def test_turn_ids_are_read_back_from_a_context(tmp_path: Path, release: Release) -> None:
    run = run_of(tmp_path / "cognee" / "locomo10.json", amb())
    found = run.records[0].retrieval
    assert (found.state, found.grain) == (RetrievalState.IDS, "round")
    ids = [[source.round_id for source in item.sources] for item in found.items]
    assert ids == [["D1:1", "D1:2"], ["D2:1", "D1:1"], []]
    assert found.items[2].text == "Mine, of which no id is left"
    assert run.records[0].context_place == "$.results[0].context"


def test_an_id_without_its_text_is_retrieved_and_the_retrieval_says_so(
    tmp_path: Path, release: Release
) -> None:
    # The slice is cut after the id of D1:2, before its text.
    run = run_of(tmp_path / "cognee" / "locomo10.json", amb())
    question = release.questions["conv-1/0"]
    found = clue_hits(question, run.records[0], history=release.histories["conv-1"])
    assert [one.hit for one in found.clues if one.clue.id == "D1:2"] == [True]
    assert "without its text" in found.note
    assert any("without its text" in note for note in run.notes)


def test_show_says_how_ids_were_read_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "locomo.json", [conversation()])
    write(tmp_path / "cognee" / "locomo10.json", amb())
    paths = [str(tmp_path / "locomo.json"), "conv-1/0", str(tmp_path / "cognee")]
    assert cli(["show", *paths]) == 0
    assert "note: turn ids are read back from the context" in capsys.readouterr().out


def test_amb_s_names_are_mapped_and_not_taken_for_the_paper_s(tmp_path: Path) -> None:
    run = run_of(tmp_path / "cognee" / "locomo10.json", amb())
    assert [record.ref.category for record in run.records] == ["1", "2", "3", "4", "4"]
    data = amb()
    data["results"][0]["meta"]["category"] = "commonsense"
    run = run_of(tmp_path / "cognee" / "locomo10.json", data)
    assert run.records[0].ref.category == ""
    assert [defect.path for defect in run.defects] == ["$.results[0].meta.category"]


def test_an_amb_header_is_the_configuration(tmp_path: Path) -> None:
    run = run_of(tmp_path / "cognee" / "locomo10.json", amb())
    assert (run.system, run.backbone) == ("somemem", "some-model")
    assert run.parameters == {
        "dataset": "locomo",
        "split": "locomo10",
        "mode": "rag",
        "judge_llm": "other-model",
    }
    assert run.records[1].verdicts[0].reason == "the same thing"
    assert run.records[1].reasoning == "it says so"
    assert run.records[1].ref.gold == "2021"
    assert run.records[1].usage == {"context_tokens": 60, "retrieve_time_ms": 12.5}


def test_a_packed_amb_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cognee" / "locomo10.json.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(json.dumps(amb()).encode()))
    assert len(only_run(path).records) == 5


def test_an_amb_file_about_another_benchmark_is_not_locomo_s(tmp_path: Path) -> None:
    other = amb() | {"dataset": "longmemeval"}
    assert AmbLocomoRuns().read_file(file_of(tmp_path / "x.json", other)) is None


def test_a_context_without_headings_or_ids_is_text(tmp_path: Path) -> None:
    data = amb()
    data["results"][0]["context"] = "nothing to see"
    data["results"][1]["context"] = ""
    run = run_of(tmp_path / "cognee" / "x.json", data)
    assert run.records[0].retrieval.state is RetrievalState.TEXT
    assert run.records[1].retrieval.state is RetrievalState.NOT_STORED
    assert [defect.code for defect in run.defects] == ["context_not_itemised"]


def test_only_headings_in_turn_begin_a_memory() -> None:
    assert split_memories("## Memory 1\na\n## Memory 3\nb\n## Memory 2\nc") == [
        "a\n## Memory 3\nb",
        "c",
    ]
    assert split_memories("see ## Memory 1\nx") == []


# --- mem0, not evaluated yet


def test_mem0_rows_without_scores_are_not_judged_and_no_defect(
    tmp_path: Path, release: Release
) -> None:
    run = run_of(tmp_path / "mem0" / "results.json", mem0_searched())
    assert {r.verdicts[0].value for r in run.records} == {Value.NOT_JUDGED}
    assert not run.defects
    assert join(release, run).matched == 14
    assert {r.ref.gold for r in run.records if r.ref.category == "5"} == {None}


def test_an_evaluated_mem0_row_that_lost_its_score_is_reported(tmp_path: Path) -> None:
    rows = mem0_rows()
    del rows["0"][0]["llm_score"]
    run = run_of(tmp_path / "mem0" / "results.json", rows)
    assert [defect.code for defect in run.defects] == ["verdict_missing"]


def test_memories_of_both_speakers_are_items_without_sources(tmp_path: Path) -> None:
    record = run_of(tmp_path / "mem0" / "results.json", mem0_searched()).records[0]
    found = record.retrieval
    assert found.state is RetrievalState.TEXT
    assert [(item.rank, item.text, item.score) for item in found.items] == [
        (1, "8 May: Ada owns a kiln", 0.75),
        (2, "Ada glazes", 0.5),
        (3, "9 May: Bo throws bowls", None),
        (4, "Ada – owns – kiln", None),
    ]
    assert record.usage == {
        "response_seconds": 1.5,
        "speaker_1_memory_seconds": 0.5,
        "speaker_2_memory_seconds": 0.25,
    }


def test_a_number_of_memories_that_the_list_denies_is_reported(tmp_path: Path) -> None:
    rows = mem0_searched()
    rows["0"][0]["num_speaker_2_memories"] = 9
    run = run_of(tmp_path / "mem0" / "results.json", rows)
    assert [defect.path for defect in run.defects] == ['$["0"][0].num_speaker_2_memories']


def test_memobase_s_memories_are_one_text_and_its_numbers_are_lengths(tmp_path: Path) -> None:
    run = run_of(tmp_path / "memobase" / "results.json", memobase_searched())
    found = run.records[0].retrieval
    assert [item.text for item in found.items] == [
        "## Ada\n- owns a kiln\n- glazes",
        "## Bo\n- throws bowls",
    ]
    assert "one text" in found.note
    assert not run.defects


# --- The public files


@cache
def public() -> dict[str, JoinedRun]:
    folders = [RUNS / name for name in ("smriti", "automem", "cognee")]
    workspace = open_workspace(OpenRequest(LOCOMO, folders))
    return {run.run.system: run for run in workspace.runs}


@cache
def published() -> Release:
    return LocomoReader().read(Source(LOCOMO), ReadOptions())


def counts() -> dict[str, Any]:
    known: dict[str, Any] = json.loads(COUNTS.read_text())["locomo_runs"]
    return known


def by_category(run: JoinedRun) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for entry in sorted(run.entries, key=lambda entry: entry.question.category):
        row = table.setdefault(entry.question.category, {"n": 0, "correct": 0})
        row["n"] += 1
        row["correct"] += entry.judgement.right
    return table


@needs_data
def test_smriti_s_five_runs_have_the_measured_means() -> None:
    known = counts()["smriti"]
    assert list(known) == [run.run.system for run in public().values()][:5]
    rounded = [0.00998, 0.01170, 0.04021, 0.02389, 0.02470]
    for (system, figures), mean in zip(known.items(), rounded, strict=True):
        run = public()[system]
        values = [m.value for e in run.entries for m in e.record.metrics if m.name == "f1"]
        assert len(values) == figures["rows"] == 20
        assert fmean(values) == pytest.approx(figures["f1_mean"], abs=1e-12)
        assert round(fmean(values), 5) == mean
        assert StoredMetric("f1, mean over the rows", figures["f1_mean"]) in run.run.metrics
        assert {entry.question.key for entry in run.entries} == {f"conv-26/{n}" for n in range(20)}
        assert all(e.record.ref.category == e.question.category for e in run.entries)
        assert not run.run.defects


@needs_data
def test_automem_s_run_has_the_measured_counts() -> None:
    known = counts()["automem_mini"]
    run = public()["automem"]
    assert len(run.entries) == known["rows"]
    assert sum(entry.judgement.right for entry in run.entries) == known["correct"]
    histories: dict[str, list[int]] = {}
    for entry in run.entries:
        row = histories.setdefault(entry.question.history_id, [0, 0])
        row[0] += 1
        row[1] += entry.judgement.right
    assert histories == known["by_conversation"] == {"conv-26": [199, 155], "conv-30": [105, 79]}
    found = {key: [row["n"], row["correct"]] for key, row in by_category(run).items()}
    assert found == known["by_category"]
    assert not run.run.defects


@needs_data
def test_automem_s_adversarial_rows_are_right_with_nothing_to_compare() -> None:
    rows = [e for e in public()["automem"].entries if e.question.category == "5"]
    assert len(rows) == 71
    assert all(entry.judgement.right for entry in rows)
    assert sum(not entry.question.gold.texts for entry in rows) == 69


@needs_data
def test_cognee_s_run_has_the_measured_counts() -> None:
    known = counts()["cognee"]
    run = public()["cognee"]
    assert len(run.entries) == known["rows"]
    assert sum(entry.judgement.right for entry in run.entries) == known["correct"]
    assert {entry.question.history_id for entry in run.entries} == {known["conversation"]}
    assert by_category(run) == known["by_category"]
    assert {len(e.record.retrieval.items) for e in run.entries} == {known["memory_blocks_per_row"]}
    assert not run.run.defects


@needs_data
def test_turn_ids_in_cognee_s_contexts_have_the_measured_counts() -> None:
    known = counts()["cognee"]["context_dia_ids"]
    run = public()["cognee"]
    history = published().histories["conv-26"]
    ids = [
        {source.round_id for item in e.record.retrieval.items for source in item.sources}
        for e in run.entries
    ]
    assert sum(map(len, ids)) == known["distinct_ids"] == 33_374
    assert round(fmean(map(len, ids)), -1) == 220
    assert len(history.round_by_id) == 419
    assert set().union(*ids) <= history.round_by_id.keys()
    gold = [
        (set(e.question.evidence_rounds), found) for e, found in zip(run.entries, ids, strict=True)
    ]
    assert sum(bool(wanted) for wanted, _ in gold) == known["rows_with_gold"] == 150
    whole = sum(bool(wanted) and wanted <= found for wanted, found in gold)
    some = sum(bool(wanted & found) for wanted, found in gold)
    assert (whole, some) == (known["all_gold_in_context"], known["any_gold_in_context"])


@needs_data
def test_unsplit_evidence_would_lose_a_row_of_cognee_s() -> None:
    run = public()["cognee"]
    whole = some = 0
    for entry in run.entries:
        written = {clue.written for clue in entry.question.clues}
        items = entry.record.retrieval.items
        found = {source.round_id for item in items for source in item.sources}
        whole += bool(written) and written <= found
        some += bool(written & found)
    assert (whole, some) == (138, 146)
