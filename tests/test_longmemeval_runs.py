"""What is peculiar to the run forms of LongMemEval, and the figures of the public files."""

import json
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.analyses.suspicion_figures import suspect_figures
from mnemoscope.analyses.suspicion_retrieval import suspect_retrieval
from mnemoscope.core.model import (
    RecordStatus,
    Release,
    RetrievalState,
    Run,
    SourceRef,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.raw import raw_record
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain
from mnemoscope.core.workspace import JoinedRun, join_run
from tests.locomo_data import COUNTS, DATA, write
from tests.longmemeval_data import AMB, SINGLE, instance, query
from tests.other_run_data import amb, answers, automem, judge_log, lines, retrieval_log, smriti

RUNS = DATA / "longmemeval-runs"
needs_data = pytest.mark.skipif(
    not (COUNTS.is_file() and SINGLE.is_file() and AMB.is_dir() and RUNS.is_dir()),
    reason=f"the public data is not in {DATA}",
)


def only_run(path: Path) -> Run:
    (run,) = open_runs(path).runs
    return run


def decisions(run: Run) -> list[Value]:
    return [record.verdicts[0].value for record in run.records]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    questions = [instance("ab12"), instance("cd34", question="Which roses did I plant? (cd34)")]
    return open_release(write(tmp_path / "longmemeval_s.json", questions))


def test_a_row_of_a_retrieval_log_without_results_is_named_by_the_key_it_lacks(
    tmp_path: Path,
) -> None:
    for row, place in (({}, "$[1].retrieval_results"), ({"retrieval_results": {}}, None)):
        rows = [*retrieval_log("ab12"), {"question_id": "cd34", **row}]
        run = only_run(write(tmp_path / "x.json", rows))
        assert [one.path for one in run.defects] == [place or "$[1].retrieval_results.ranked_items"]


# --- AMB


def test_amb_s_answers_join_by_their_id_and_bring_texts_without_ids(
    tmp_path: Path, release: Release
) -> None:
    data = amb()
    data["results"][1]["query"] = "Which roses did I plant? (cd34)"
    run = only_run(write(tmp_path / "somemem.json", data))
    assert (run.format, run.system, run.backbone) == ("amb", "somemem", "some-model")
    assert run.parameters["split"] == "s"
    report = join(release, run)
    assert [release.questions[key].id for key in report.keys if key] == ["ab12", "cd34"]
    first, _ = run.records
    assert decisions(run) == [Value.RIGHT, Value.WRONG]
    assert (first.ref.category, first.ref.gold) == ("multi-session", "Damask | 2")
    assert first.retrieval.state is RetrievalState.TEXT
    assert [item.text for item in first.retrieval.items] == ["Damask roses", "Bees"]
    assert first.usage == {"context_tokens": 12, "retrieve_time_ms": 3.5}
    # Without the header the ids of the rows tell that it is not about LoCoMo.
    del data["dataset"]
    assert only_run(write(tmp_path / "somemem.json", data)).format == "amb"


@needs_data
def test_every_question_of_amb_s_longmemeval_is_joined_by_its_id(tmp_path: Path) -> None:
    queries = json.loads((AMB / "s_queries.json").read_text())
    row = amb()["results"][0]
    data = amb()
    data["results"] = [{**row, "query_id": one["id"], "query": one["query"]} for one in queries]
    data |= {"total_queries": 500, "correct": 500}
    run = only_run(write(tmp_path / "somemem.json", data))
    assert run.defects == ()
    assert join(open_release(AMB), run).unjoined == ()


# --- Official answers and the judge's log


def test_answers_alone_are_not_judged_and_join_by_their_id(
    tmp_path: Path, release: Release
) -> None:
    run = only_run(lines(tmp_path / "my-system" / "hyp.jsonl", answers()))
    assert (run.system, run.format) == ("my-system", "longmemeval")
    assert [record.verdicts for record in run.records] == [(), (), ()]
    assert join(release, run).keys[:2] == tuple(release.questions)
    entry = join_run(release, run).entries[0]
    assert entry.judgement.value is Value.NOT_JUDGED


def test_answers_and_the_judge_s_log_are_one_run(tmp_path: Path) -> None:
    lines(tmp_path / "s" / "hyp.jsonl", answers())
    lines(tmp_path / "s" / "hyp.jsonl.eval-results-gpt-4o", judge_log())
    run = only_run(tmp_path / "s")
    assert run.files == ("hyp.jsonl", "hyp.jsonl.eval-results-gpt-4o")
    assert len(run.records) == 3
    assert decisions(run) == [Value.RIGHT, Value.WRONG, Value.JUDGE_FAILED]
    assert run.parameters == {"judge_model": "gpt-4o-2024-08-06"}


def test_a_judge_s_log_opens_alone_though_its_name_ends_in_no_known_way(tmp_path: Path) -> None:
    run = only_run(lines(tmp_path / "s" / "hyp.eval-results-gpt-4.1-mini", judge_log()))
    assert len(run.records) == 3
    assert raw_record(run, run.records[1]).value()["question_id"] == "cd34"


@pytest.mark.parametrize(
    ("label", "value", "codes"),
    [
        ({"model": "m", "label": True}, Value.RIGHT, []),
        (False, Value.WRONG, []),
        ({"model": "m", "label": None}, Value.JUDGE_FAILED, ["judge_failed"]),
        ({"model": "m"}, Value.JUDGE_FAILED, ["judge_failed"]),
        ({"model": "m", "label": "yes"}, Value.JUDGE_FAILED, ["wrong_type"]),
        (None, Value.JUDGE_FAILED, ["judge_failed"]),
    ],
)
def test_a_label_that_a_judge_did_not_give_is_no_wrong_answer(
    tmp_path: Path, label: Any, value: Value, codes: list[str]
) -> None:
    rows = judge_log()
    rows[0]["autoeval_label"] = label
    run = only_run(lines(tmp_path / "hyp.jsonl", rows[:2]))
    assert decisions(run) == [value, Value.WRONG]
    assert [one.code for one in run.defects] == codes


def test_a_row_that_the_judge_left_out_is_not_judged(tmp_path: Path) -> None:
    rows = judge_log()
    del rows[2]["autoeval_label"]
    run = only_run(lines(tmp_path / "hyp.jsonl", rows))
    assert decisions(run) == [Value.RIGHT, Value.WRONG, Value.NOT_JUDGED]
    assert [one.code for one in run.defects] == ["verdict_missing"]


# --- The official log of retrieval


def test_a_log_of_retrieval_opens_under_its_official_name(tmp_path: Path, release: Release) -> None:
    path = tmp_path / "logs" / "longmemeval_s.json_retrievallog_session_flat-bm25"
    run = only_run(lines(path, retrieval_log()).parent)
    record = run.records[0]
    assert (record.status, record.answer) == (RecordStatus.OK, "")
    assert record.verdicts[0].value is Value.NOT_JUDGED
    assert (record.retrieval.state, record.retrieval.grain) == (RetrievalState.IDS, "session")
    assert record.metrics == (
        StoredMetric("recall_any@1 session", 1.0),
        StoredMetric("ndcg_any@1 session", 1.0),
        StoredMetric("recall_any@1 turn", 0.0),
    )
    assert join(release, run).keys == (next(iter(release.questions)),)
    score = retrieval(join_run(release, run), release)
    assert score.grain == "session"
    assert {row.grain for row in score.rows} == {"session"}


def test_an_id_is_a_turn_where_the_log_is_of_turns(tmp_path: Path, release: Release) -> None:
    path = tmp_path / "longmemeval_s.json_retrievallog_turn_flat-stella"
    run = only_run(lines(path, retrieval_log("answer_77_2", "85a1be56_1_1")))
    retrieved = run.records[0].retrieval
    assert retrieved.grain == "round"
    assert [item.sources for item in retrieved.items] == [
        (SourceRef("answer_77", "answer_77:1"),),
        (SourceRef("85a1be56_1", "85a1be56_1:0"),),
    ]
    entry = join_run(release, run).entries[0]
    # Turns count from 1 in the log, from 0 in the release: this one has the answer.
    assert clue_hits(entry.question, entry.record).items[0].clue


def test_the_haystack_tells_sessions_from_turns_whatever_the_file_is_called(
    tmp_path: Path,
) -> None:
    rows = retrieval_log("answer_77", "85a1be56_1")
    rows[0]["haystack_session_ids"] = ["85a1be56_1", "answer_77"]
    run = only_run(lines(tmp_path / "turn_log.jsonl", rows))
    assert run.records[0].retrieval.grain == "session"
    rows = retrieval_log("answer_77_2", "85a1be56_1_1")
    rows[0]["haystack_session_ids"] = ["85a1be56_1", "answer_77"]
    run = only_run(lines(tmp_path / "session_log.jsonl", rows))
    assert run.records[0].retrieval.grain == "round"


def test_a_session_that_the_program_renamed_is_found_under_its_own_name(tmp_path: Path) -> None:
    run = only_run(lines(tmp_path / "x.jsonl", retrieval_log("noans_77", "85a1be56_1")))
    items = run.records[0].retrieval.items
    assert items[0].sources == (SourceRef(session_id="answer_77"),)
    assert any("'noans'" in note for note in run.notes)


def test_texts_that_were_cut_are_said_to_be(tmp_path: Path) -> None:
    for text, said in (("x" * 499, ""), ("x" * 500, "as stored"), ("x" * 501, "raw view")):
        run = only_run(lines(tmp_path / "x.jsonl", retrieval_log("answer_77", text=text)))
        assert len(run.records[0].retrieval.items[0].text) == min(len(text), 500)
        assert [note for note in run.notes if "500 characters" in note and said in note] == [
            note for note in run.notes if "500 characters" in note
        ]
        assert any("500 characters" in note for note in run.notes) is bool(said)


def test_ids_are_held_against_ids_where_the_release_has_no_histories(tmp_path: Path) -> None:
    release = open_release(write(tmp_path / "s_queries.json", [query("ab12")]))
    run = only_run(lines(tmp_path / "x.jsonl", retrieval_log("85a1be56_1", "answer_77")))
    (entry,) = join_run(release, run).entries
    assert [clue.resolved for clue in entry.question.clues] == [False]
    found = clue_hits(entry.question, entry.record)
    assert (found.recall, found.clues[0].rank) == (1.0, 2)
    assert [item.clue for item in found.items] == [False, True]
    assert not list(suspect_retrieval(join_run(release, run), release))


@pytest.mark.parametrize(
    ("ids", "differing"), [(("answer_77", "85a1be56_1"), 0), (("85a1be56_1", "answer_77"), 1)]
)
def test_a_stored_figure_is_recounted_at_the_grain_that_it_names(
    tmp_path: Path, release: Release, ids: tuple[str, str], differing: int
) -> None:
    # The log says that the first session is gold, and that the first turn is not.
    run = only_run(lines(tmp_path / "x.jsonl", retrieval_log(*ids)))
    found = list(suspect_figures(join_run(release, run), release))
    assert [(one.code, one.count) for one in found] == [("stored_figures_differ", 1)] * differing


# --- AutoMem and smriti


def test_automem_s_answers_beside_its_results_are_the_same_run(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    write(folder / "base.json", automem())
    lines(folder / "base.jsonl", answers())
    run = only_run(folder)
    assert run.files == ("base.json", "base.jsonl")
    assert (len(run.records), run.format) == (3, "automem-longmemeval")
    assert (run.system, run.backbone) == ("automem", "some-model")
    assert run.defects == ()
    rows = answers()
    rows[1]["hypothesis"] = "tulips"
    lines(folder / "base.jsonl", rows)
    assert [one.code for one in only_run(folder).defects] == ["answers_differ"]
    lines(folder / "other.jsonl", answers())
    assert [one.format for one in open_runs(folder).runs] == ["automem-longmemeval", "longmemeval"]


def test_automem_s_rows_say_what_was_found_and_why(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "base.json", automem()))
    record = run.records[1]
    assert record.verdicts == (Verdict("stored", Value.WRONG, reason="because False"),)
    assert StoredMetric("hit@5 session", 1.0) in record.metrics
    assert [item.sources[0].session_id for item in record.retrieval.items] == [
        *("answer_77", "85a1be56_1"),
    ]
    assert record.usage == {"recalled_memories": 10, "stored_memories": 53}


def test_totals_that_the_rows_deny_are_warnings(tmp_path: Path) -> None:
    data = automem()
    data["overall"]["correct"] = 2
    data["details"][0]["recall_hit_at_5"] = False
    run = only_run(write(tmp_path / "base.json", data))
    assert [one.path for one in run.defects] == ["$.overall.correct", "$.retrieval.hits"]
    summary = smriti()
    summary["summary"]["accuracy"] = 1.0
    run = only_run(write(tmp_path / "smriti.json", summary))
    assert [one.path for one in run.defects] == ["$.summary.accuracy"]


def test_smriti_s_accuracy_of_a_case_is_its_verdict(tmp_path: Path) -> None:
    run = only_run(write(tmp_path / "smriti.json", smriti()))
    assert run.system == "SMRITI"
    assert decisions(run) == [Value.RIGHT, Value.WRONG, Value.RIGHT]
    assert run.records[1].usage == {"seconds": 0.25}


# --- The public runs


@cache
def public_runs() -> dict[str, Run]:
    opened = open_runs(RUNS)
    assert opened.skipped == ()
    return {run.files[0].partition("/")[0]: run for run in opened.runs}


@cache
def questions() -> Release:
    return open_release(AMB)


def counts(name: str) -> Any:
    return json.loads(COUNTS.read_text())["longmemeval_runs"][name]


def joined(name: str) -> JoinedRun:
    return join_run(questions(), public_runs()[name])


def gold_ranks(name: str) -> dict[str, list[int]]:
    """By question the ranks of gold sessions."""
    return {
        entry.question.id: [
            one.rank for one in clue_hits(entry.question, entry.record).clues if one.rank
        ]
        for entry in joined(name).entries
    }


@needs_data
def test_every_public_file_is_read_and_every_row_joins() -> None:
    assert sorted(public_runs()) == ["automem", "mempalace", "smriti"]
    assert len(public_runs()["automem"].files) == 2
    for name, run in public_runs().items():
        assert not [one.line() for one in run.defects]
        assert not list(suspect_figures(joined(name), questions()))
        assert len(run.records) == counts(name)["rows"]
        assert joined(name).join.matched == len(run.records)
        for entry in joined(name).entries:
            assert entry.record.ref.gold == str(entry.question.gold)


@needs_data
def test_automem_s_answers_and_hits_are_as_counted() -> None:
    known = counts("automem")
    run = public_runs()["automem"]
    hits = {
        one.ref.question: StoredMetric("hit@5 session", 1.0) in one.metrics for one in run.records
    }
    right = {one.ref.question: one.verdicts[0].value is Value.RIGHT for one in run.records}
    assert sum(right.values()) == known["correct"]
    assert sum(hits.values()) == known["hit_at_5"]
    assert {len(one.retrieval.items) for one in run.records} == {known["retrieved_per_row"]}
    assert sum(right[one] and hits[one] for one in right) == known["hit_and_correct"]
    assert [one for one in hits if hits[one] and not right[one]] == known["hit_but_wrong"]
    assert [one for one in hits if not hits[one] and not right[one]] == known["miss_and_wrong"]
    assert not any(right[one] and not hits[one] for one in hits)
    assert {question: bool(ranks) for question, ranks in gold_ranks("automem").items()} == hits


@needs_data
def test_mempalace_s_ranks_are_as_counted() -> None:
    known = counts("mempalace")
    run = public_runs()["mempalace"]
    lengths = [len(one.retrieval.items) for one in run.records]
    assert sum(lengths) == known["ranked_items"]
    found = {str(length): lengths.count(length) for length in sorted(set(lengths))}
    assert found == known["ranked_len"]
    ranks = {question: min(found) for question, found in gold_ranks("mempalace").items()}
    assert [list(ranks.values()).count(rank) for rank in (1, 2)] == list(
        known["gold_rank"].values()
    )
    assert [one for one, rank in ranks.items() if rank == 2] == ["3b6f954b"]
    shared = {one.ref.question for one in public_runs()["automem"].records} & ranks.keys()
    assert len(shared) == known["shared_question_ids_with_automem"]
    assert any("cut at 500" in note for note in run.notes)
    assert max(len(i.text) for one in run.records for i in one.retrieval.items) == 500


@needs_data
def test_recomputed_recall_equals_the_stored_one() -> None:
    for name, k, stored in (
        ("automem", 5, "hit@5 session"),
        ("mempalace", 1, "recall_any@1 session"),
    ):
        figure = retrieval(joined(name), questions()).figure("hit", k, Grain.SESSION)
        claimed = [
            metric.value
            for record in public_runs()[name].records
            for metric in record.metrics
            if metric.name == stored
        ]
        assert figure.value == pytest.approx(fmean(claimed))
        assert figure.n == len(claimed)


@needs_data
def test_mempalace_s_sessions_are_those_of_the_whole_instance() -> None:
    release = open_release(SINGLE)
    entry = join_run(release, public_runs()["mempalace"]).entries[0]
    history = release.histories[entry.question.history_id]
    items = entry.record.retrieval.items
    assert len(items) == 50
    for item in items:
        session = history.session_by_id[item.sources[0].session_id]
        said = "\n".join(
            one.text or "" for turn in session.rounds for one in turn.messages if one.role == "user"
        )
        assert said.startswith(item.text)


@needs_data
def test_smriti_has_the_measured_count() -> None:
    run = public_runs()["smriti"]
    assert decisions(run).count(Value.RIGHT) == counts("smriti")["correct"]
