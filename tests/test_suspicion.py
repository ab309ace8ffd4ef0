"""What looks wrong about runs: each check has a case that it names and one that it leaves alone."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.analyses.suspicion import Suspicion, suspicions
from mnemoscope.analyses.suspicion_answers import is_error_text
from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import (
    Clue,
    Gold,
    GoldKind,
    Question,
    QuestionRef,
    Record,
    RecordStatus,
    Release,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Run,
    SourceRef,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.runs.repair import REPAIRS, repair_run, undoubled
from mnemoscope.core.scoring.retrieval_hits import count_hits
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.cli import run as cli
from tests.gallery_data import COUNTS, GALLERY, needs_gallery
from tests.locomo_data import LOCOMO, RUNS, conversation, mempalace_rows, needs_data, source_of
from tests.locomo_data import write as write_json

N = 60
"""Questions of the release of these tests: enough for every check."""


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """One conversation of five turns, and sixty questions with gold and a clue each."""
    read = LocomoReader().read(
        source_of(tmp_path / "locomo10.json", [conversation("conv-1")]), ReadOptions()
    )
    first = read.questions["conv-1/1"]
    questions = {
        f"conv-1/{n}": replace(
            first,
            key=f"conv-1/{n}",
            id=str(n),
            index=n,
            stem=f"What is number {n}?",
            text=f"What is number {n}?",
            gold=Gold(GoldKind.TEXTS, texts=(f"Gold {n}",)),
        )
        for n in range(N)
    }
    return replace(read, questions=questions)


def record(n: int, **fields: Any) -> Record:
    given: dict[str, Any] = {
        "status": RecordStatus.OK,
        "answer": f"answer {n}",
        "file": "run.json",
        "place": f"$[{n}]",
        "verdicts": (Verdict("stored", Value.RIGHT if n % 2 else Value.WRONG),),
    }
    return Record(ref=QuestionRef(key=f"conv-1/{n}"), **(given | fields))


def ids(*names: str) -> Retrieval:
    items = tuple(RetrievedItem(at, (SourceRef(round_id=one),)) for at, one in enumerate(names, 1))
    return Retrieval(RetrievalState.IDS, "round", items)


def run_of(records: Sequence[Record], name: str = "one", **fields: Any) -> Run:
    return Run(name, "test", Path(), ("run.json",), tuple(records), system=name, **fields)


def found(release: Release, *runs: Run) -> dict[str, Suspicion]:
    listed = suspicions(Workspace.build(release, runs))
    assert len({(one.code, one.run) for one in listed}) == len(listed)
    return {one.code: one for one in listed}


def counted(one: Suspicion) -> tuple[int, int, str]:
    return one.count, one.of, one.what


def test_a_sound_run_is_not_suspicious(release: Release) -> None:
    run = run_of([record(n, retrieval=ids("D1:1", "D2:1")) for n in range(N)])
    assert found(release, run) == {}
    assert suspicions(Workspace(release)) == ()


# --- Answers


def test_answers_that_are_the_gold_throughout_are_named(release: Release) -> None:
    run = run_of([record(n, answer=f" gold  {n}\n") for n in range(N)])
    one = found(release, run)["answers_equal_gold"]
    assert counted(one) == (N, N, "answers")
    assert [each.key for each in one.examples] == ["conv-1/0", "conv-1/1", "conv-1/2"]
    assert (one.examples[1].file, one.examples[1].path) == ("run.json", "$[1]")


def test_one_answer_of_its_own_is_enough_not_to_be_the_gold_throughout(release: Release) -> None:
    records = [record(n, answer=f"Gold {n}") for n in range(N)]
    records[7] = record(7)
    assert "answers_equal_gold" not in found(release, run_of(records))


def test_few_answers_may_all_be_right(release: Release) -> None:
    records = [record(n, answer=f"Gold {n}") for n in range(10)]
    assert "answers_equal_gold" in found(release, run_of(records))
    assert "answers_equal_gold" not in found(release, run_of(records[:9]))


def test_blank_and_failed_answers_do_not_count_as_gold(release: Release) -> None:
    records = [record(n, answer="") for n in range(N)]
    assert found(release, run_of(records)) == {}
    failed = [record(n, answer=f"Gold {n}", status=RecordStatus.ERROR) for n in range(N)]
    assert "answers_equal_gold" not in found(release, run_of(failed))


@pytest.mark.parametrize(
    ("n", "answer", "named"),
    [(N, "B", True), (N, "(b).", True), (49, "B", False), (N, "C", False)],
)
def test_options_must_be_many_and_all_right_to_be_suspicious(
    release: Release, n: int, answer: str, named: bool
) -> None:
    questions = {
        key: replace(question, gold=Gold(GoldKind.OPTION, option="B"))
        for key, question in release.questions.items()
    }
    run = run_of([record(at, answer=answer) for at in range(n)])
    assert ("answers_equal_gold" in found(replace(release, questions=questions), run)) is named


@pytest.mark.parametrize(
    "answer",
    [
        "Error: 429 Too Many Requests",
        "error calling model gpt-x",
        "[ERROR] no response",
        "openai.RateLimitError: slow down",
        "ValueError: bad",
        "Traceback (most recent call last):\n  File",
        "Request timed out.",
        "429 Client Error: Too Many Requests",
        "Connection refused by host",
        '{"error": {"code": 500}}',
        "An error occurred while answering",
        "Rate limit exceeded",
    ],
)
def test_messages_of_failed_programs_are_error_texts(answer: str) -> None:
    assert is_error_text(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "He made an error in the second round.",
        "Errors and omissions insurance",
        "Error-prone methods",
        "500 dollars",
        "None",
        "I don't know.",
        "She was too tired",
        "The request was for a green bowl",
        "Terror in the woods: a film",
        "An error",
        "",
        "没有提到。",
    ],
)
def test_answers_about_errors_are_answers(answer: str) -> None:
    assert not is_error_text(answer)


def test_error_texts_that_are_stored_as_answers_are_named(release: Release) -> None:
    records = [record(n) for n in range(N)]
    records[3] = record(3, answer="Error: 429 Too Many Requests")
    one = found(release, run_of(records))["error_text_answers"]
    assert counted(one) == (1, N, "answers")
    assert one.examples[0].said == "Error: 429 Too Many Requests"
    # A record that says itself that it failed is no surprise.
    records[3] = replace(records[3], status=RecordStatus.ERROR)
    assert "error_text_answers" not in found(release, run_of(records))


def test_what_is_right_without_gold_is_named(release: Release) -> None:
    questions = dict(release.questions)
    for n in (1, 2, 3):
        key = f"conv-1/{n}"
        questions[key] = replace(questions[key], gold=Gold.none())
    run = run_of([record(n) for n in range(N)])
    one = found(replace(release, questions=questions), run)["right_without_gold"]
    # Of the odd ones, which are right, two have no gold.
    assert counted(one) == (2, N // 2, "right answers")
    assert "right_without_gold" not in found(release, run)
    # Where no free answer has gold, the benchmark has something else to judge by.
    none = {key: replace(one, gold=Gold.none()) for key, one in questions.items()}
    assert "right_without_gold" not in found(replace(release, questions=none), run)


# --- Retrieval


def test_retrieved_ids_that_do_not_exist_are_named(release: Release) -> None:
    records = [record(n, retrieval=ids("D1:1", "D2:2")) for n in range(N)]
    records[4] = record(4, retrieval=ids("D1:1", "D9:9"))
    one = found(release, run_of(records))["retrieved_ids_unknown"]
    assert counted(one) == (1, 2 * N, "retrieved ids")
    assert (one.examples[0].key, one.examples[0].said) == ("conv-1/4", "D9:9")
    assert one.repair == ""


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (SourceRef(session_id="session_1"), False),
        (SourceRef(session_id="session_9"), True),
        (SourceRef(attachment_id="nowhere"), True),
        (SourceRef(), False),
    ],
)
def test_sessions_and_attachments_are_looked_up_too(
    release: Release, source: SourceRef, named: bool
) -> None:
    retrieval = Retrieval(RetrievalState.IDS, "", (RetrievedItem(1, (source,)),))
    run = run_of([record(n, retrieval=retrieval) for n in range(N)])
    assert ("retrieved_ids_unknown" in found(release, run)) is named


def test_a_doubled_prefix_is_named_apart_with_its_repair(release: Release) -> None:
    records = [record(n, retrieval=ids("D1:D1:1", "D2:2")) for n in range(N)]
    listed = found(release, run_of(records))
    assert set(listed) == {"doubled_prefix"}
    assert counted(listed["doubled_prefix"]) == (N, 2 * N, "retrieved ids")
    assert listed["doubled_prefix"].repair in REPAIRS


def test_the_question_itself_among_what_is_retrieved_is_named(release: Release) -> None:
    def own(n: int) -> Retrieval:
        items = (RetrievedItem(1, text=f"User: what is number {n}? "),)
        return Retrieval(RetrievalState.TEXT, items=items)

    records = [record(n, retrieval=own(n)) for n in range(N)]
    one = found(release, run_of(records))["question_retrieved"]
    assert counted(one) == (N, N, "records")
    others = [record(n, retrieval=own(n + 1)) for n in range(N - 1)]
    assert "question_retrieved" not in found(release, run_of(others))
    # Nine, or one in three, may be chance.
    assert "question_retrieved" not in found(release, run_of(records[:9]))
    some = [record(n, retrieval=own(n if n % 3 == 0 else n - 1)) for n in range(1, N)]
    assert "question_retrieved" not in found(release, run_of(some))


def test_the_question_s_id_among_the_sources_is_named(release: Release) -> None:
    def own(n: int) -> Retrieval:
        source = SourceRef(session_id=f"conv-1/{n}")
        return Retrieval(RetrievalState.IDS, "session", (RetrievedItem(1, (source,)),))

    run = run_of([record(n, retrieval=own(n)) for n in range(N)])
    assert "question_retrieved" in found(release, run)


# --- Figures


def with_clues(release: Release, *rounds: str) -> Release:
    clues = tuple(Clue(one, "round", one, one, "session_1") for one in rounds)  # type: ignore[arg-type]
    changed: dict[str, Question] = {
        key: replace(question, clues=clues) for key, question in release.questions.items()
    }
    return replace(release, questions=changed)


@pytest.mark.parametrize(
    ("name", "sound", "wrong"),
    [
        *(("recall", 0.5, 1.0), ("recall@1", 0.5, 0.4), ("precision", 0.5, 0.25)),
        *(("hit@1", 1.0, 0.0), ("Recall@2", 0.5, 0.75)),
    ],
)
def test_stored_retrieval_figures_that_a_recount_denies_are_named(
    release: Release, name: str, sound: float, wrong: float
) -> None:
    known = with_clues(release, "D1:1", "D1:2")
    retrieved = ids("D1:1", "D2:2")
    records = [
        record(n, retrieval=retrieved, metrics=(StoredMetric(name, sound),)) for n in range(N)
    ]
    assert found(known, run_of(records)) == {}
    records[5] = replace(records[5], metrics=(StoredMetric(name, wrong),))
    one = found(known, run_of(records))["stored_figures_differ"]
    assert counted(one) == (1, N, "stored retrieval figures")
    assert one.examples[0].said == f"{name} {wrong:g}, recounted {sound:g}"


def test_rounding_and_other_figures_are_not_recounted(release: Release) -> None:
    known = with_clues(release, "D1:1", "D1:2", "D1:3")
    figures = (StoredMetric("recall", 0.333), StoredMetric("f1", 0.9), StoredMetric("bleu", 0.1))
    run = run_of([record(n, retrieval=ids("D1:1"), metrics=figures) for n in range(N)])
    assert found(known, run) == {}


def test_a_stored_figure_without_evidence_is_named_apart(release: Release) -> None:
    known = with_clues(release)
    figures = (StoredMetric("recall", 1.0),)
    run = run_of([record(n, retrieval=ids("D1:1"), metrics=figures) for n in range(N)])
    listed = found(known, run)
    assert set(listed) == {"stored_figures_without_evidence"}
    assert listed["stored_figures_without_evidence"].count == N


@pytest.mark.parametrize(
    ("metric", "value", "said"),
    [
        ("accuracy", 0.5, ""),
        ("accuracy", 0.9, "accuracy 0.9, recounted 0.5"),
        ("f1, mean over the rows", 0.25, ""),
        ("f1, mean over the rows", 0.5, "f1, mean over the rows 0.5, recounted 0.25"),
        ("latency_ms, mean over the rows", 7, "latency_ms, mean over the rows 7, recounted 4"),
        ("something else", 0.9, ""),
    ],
)
def test_totals_that_the_rows_deny_are_named(
    release: Release, metric: str, value: float, said: str
) -> None:
    figures = {"metrics": (StoredMetric("f1", 0.25),), "usage": {"latency_ms": 4.0}}
    records = [record(n, **figures) for n in range(N)]
    listed = found(release, run_of(records, metrics=(StoredMetric(metric, value),)))
    one = listed.get("stored_totals_differ")
    assert [each.said for each in one.examples] == [said] if one else not said


# --- Joins and several runs


def test_rows_that_join_to_nothing_are_named_with_why(release: Release) -> None:
    records = [record(n) for n in range(N)]
    records[2] = replace(records[2], ref=QuestionRef(key="conv-9/2"))
    one = found(release, run_of(records))["rows_unjoined"]
    assert counted(one) == (1, N, "rows")
    assert "no question 1" in one.says
    assert one.examples[0].path == "$[2]"


def test_runs_of_unequal_k_are_named_together(release: Release) -> None:
    ten, five, same = (
        run_of([record(n, retrieval=ids(*["D1:1", "D1:2", "D2:1"][:k])) for n in range(N)], name)
        for name, k in (("three", 3), ("two", 2), ("also", 3))
    )
    none = run_of([record(n) for n in range(N)], "none")
    one = found(release, ten, five, none)["unequal_k"]
    assert (one.run, one.count, one.of) == ("A three, B two", 2, 3)
    assert [each.said for each in one.examples] == ["A three: k 3", "B two: k 2"]
    assert found(release, ten, same, none) == {}
    assert found(release, ten) == {}


# --- The repair


def test_an_id_is_repaired_only_where_that_leads_somewhere(release: Release) -> None:
    history = release.histories["conv-1"]
    assert undoubled("D1:D1:1", history) == "D1:1"
    for written in ("D1:1", "D1:D1:99", "D1:D2:1", "D1:D1", "x", "", "D1:D1:1" * 999):
        assert undoubled(written, history) == ""
    assert undoubled("D1:D1:1", None) == ""


def test_a_repair_is_recorded_for_each_id_and_noted(release: Release) -> None:
    records = [record(n, retrieval=ids("D1:D1:1", "D2:2", "D1:D1:99")) for n in range(2)]
    run = run_of(records)
    repaired = repair_run(release, run, ["doubled-prefix", "doubled-prefix"])
    sources = [item.sources[0].round_id for item in repaired.records[0].retrieval.items]
    assert sources == ["D1:1", "D2:2", "D1:D1:99"]
    assert [(one.severity, one.code, one.path, one.repair) for one in repaired.defects] == [
        (Severity.REPAIRED, "doubled_prefix", "$[0]", "'D1:1'"),
        (Severity.REPAIRED, "doubled_prefix", "$[1]", "'D1:1'"),
    ]
    assert repaired.notes == ("repaired on request (doubled-prefix): 2 retrieved ids",)
    # What was given is as it was: nothing is repaired unasked.
    assert run.records[0].retrieval == ids("D1:D1:1", "D2:2", "D1:D1:99")
    assert repair_run(release, run, []) is run


def test_rows_that_join_to_nothing_are_not_repaired(release: Release) -> None:
    lost = replace(record(0, retrieval=ids("D1:D1:1")), ref=QuestionRef(key="elsewhere/0"))
    run = run_of([lost])
    assert repair_run(release, run, ["doubled-prefix"]) is run


def test_an_unknown_repair_is_an_error_that_names_those_there_are(release: Release) -> None:
    with pytest.raises(UsageError, match="no repair named 'magic'; there are: doubled-prefix"):
        repair_run(release, run_of([]), ["magic"])


# --- On the command line


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """A release, and a run whose retrieved ids have a doubled prefix in every row."""
    rows = mempalace_rows()[:7]
    for row in rows:
        row["retrieved_ids"] = ["D1:D1:1", "D1:D1:2"]
        row["recall"] = 0.0
    folder = tmp_path / "mempalace"
    return [
        str(write_json(tmp_path / "locomo.json", [conversation()])),
        str(write_json(folder / "results.json", rows)),
    ]


def test_validate_names_what_looks_wrong_and_what_repairs_it(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(["validate", *paths]) == 0
    out = capsys.readouterr().out
    said = "suspicious: A mempalace: 14 of 14 retrieved ids have their prefix twice"
    assert said in out
    assert "(doubled_prefix)\n  --repair doubled-prefix reads them repaired" in out
    assert "  for example results.json: $[0] (conv-1/0): D1:D1:1" in out
    assert cli(["validate", *paths, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["suspicions"]
    doubled = next(one for one in listed if one["code"] == "doubled_prefix")
    assert (doubled["run"], doubled["count"], doubled["repair"]) == (
        *("A mempalace", 14, "doubled-prefix"),
    )
    assert doubled["examples"][0] == {
        "file": "results.json",
        "path": "$[0]",
        "question": "conv-1/0",
        "said": "D1:D1:1",
    }


def test_strict_validation_fails_on_a_suspicion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = conversation()
    sound["qa"] = [sound["qa"][3]]
    sound["observation"] = {}
    for session in (3, 4):
        del sound["conversation"][f"session_{session}_date_time"]
    rows = mempalace_rows()[3:4]
    rows[0]["recall"], rows[0]["evidence"] = 0.25, ["D1:3"]
    release = str(write_json(tmp_path / "locomo.json", [sound]))
    run = write_json(tmp_path / "mempalace" / "results.json", rows)
    assert cli(["validate", release, str(run), "--strict", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert [one["code"] for one in data["suspicions"]] == ["stored_figures_differ"]
    assert (data["counts"]["errors"], data["counts"]["warnings"]) == (0, 0)
    assert cli(["validate", release, str(run)]) == 0
    capsys.readouterr()
    rows[0]["recall"] = 1.0
    write_json(run, rows)
    assert cli(["validate", release, str(run), "--strict"]) == 0


def test_a_repair_that_is_asked_for_is_made_and_listed(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    def recall(*flags: str) -> tuple[float, int]:
        assert cli(["score", *paths, "--json", *flags]) == 0
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        row = next(r for r in run["retrieval"] if r["metric"] == "hit")
        return row["value"], len([note for note in run["notes"] if "repaired" in note])

    as_written, repaired = recall(), recall("--repair", "doubled-prefix")
    assert as_written == (0.0, 0)
    assert repaired[0] > 0
    assert repaired[1] == 1
    assert cli(["validate", *paths, "--repair", "doubled-prefix", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert sum(one["code"] == "doubled_prefix" for one in data["defects"]) == 14
    assert "doubled_prefix" not in [one["code"] for one in data["suspicions"]]


def test_a_run_alone_cannot_be_repaired(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(["validate", paths[1], "--repair", "doubled-prefix"]) == 2
    assert "must lead to something in the release" in capsys.readouterr().err


# --- The public runs


@needs_data
def test_what_looks_wrong_about_the_public_locomo_runs_is_as_measured() -> None:
    listed = suspicions(open_workspace(OpenRequest(LOCOMO, [RUNS])))
    by_code: dict[str, list[Suspicion]] = {}
    for one in listed:
        by_code.setdefault(one.code, []).append(one)
    assert set(by_code) == {
        *("right_without_gold", "stored_figures_differ", "stored_figures_without_evidence"),
        "unequal_k",
    }
    (differing,) = by_code["stored_figures_differ"]
    assert "hybrid" in differing.run
    # The first is a clue to a turn that does not exist; the second, four ids in one string.
    assert [(each.key, each.said) for each in differing.examples] == [
        ("conv-47/38", "recall 0.5, recounted 1"),
        ("conv-49/46", "recall 1, recounted 0.5"),
    ]
    assert [one.count for one in by_code["stored_figures_without_evidence"]] == [4, 4]
    (baseless,) = by_code["right_without_gold"]
    assert counted(baseless) == (69, 234, "right answers")


@needs_gallery
def test_zep_s_doubled_prefixes_are_named_and_their_repair_hits_as_measured() -> None:
    known = json.loads(COUNTS.read_text())["mem_gallery_runs"]["ZepMemory"]
    folder = GALLERY.parent / "mem-gallery-runs"
    if not folder.is_dir():
        pytest.skip(f"the public runs are not in {folder}")
    as_written = open_workspace(OpenRequest(GALLERY, [folder]))
    (doubled,) = [one for one in suspicions(as_written) if one.code == "doubled_prefix"]
    assert doubled.run.endswith("ZepMemory")
    assert counted(doubled) == (12, 12, "retrieved ids")
    assert known["retrieved_ids"] == 12
    repaired = open_workspace(OpenRequest(GALLERY, [folder], repairs=("doubled-prefix",)))
    assert rows_that_hit(as_written) == known["hit_as_written"] == 0
    assert rows_that_hit(repaired) == known["hit_after_prefix_repair"] == 4
    run = repaired.run("ZepMemory")
    assert sum(one.code == "doubled_prefix" for one in run.run.defects) == 12
    assert not [one for one in suspicions(repaired) if one.code == "doubled_prefix"]


def rows_that_hit(workspace: Workspace) -> int:
    run = workspace.run("ZepMemory")
    hits = 0
    for entry in run.entries:
        history = workspace.release.histories[entry.question.history_id]
        hits += bool(count_hits(entry.question, entry.record, history=history).hit)
    return hits
