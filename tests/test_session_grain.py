"""A run that names sessions only is held against others by session, and every view says so."""

import json
from pathlib import Path

import pytest

from mnemoscope.analyses.paired_retrieval import RetrievalComparison, compare_retrieval
from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.core.filters import parse
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.question_columns import question_columns
from mnemoscope.core.scoring.retrieval_hits import Grain
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.cli import run as cli
from tests.locomo_data import LOCOMO, RUNS, conversation, ironmem, mempalace_rows, needs_data, write
from tests.locomo_run_data import amb

NOTE = "retrieval is compared at session grain: B names sessions only"


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """A release, a run of rounds, a run of sessions."""
    rows = mempalace_rows()
    for row in rows:
        row["retrieved_ids"] = ["session_2"]
    return [
        write(tmp_path / "locomo.json", [conversation()]),
        write(tmp_path / "cognee" / "a.json", amb()),
        write(tmp_path / "mempalace" / "b.json", rows),
    ]


def opened(paths: list[Path]) -> Workspace:
    return open_workspace(OpenRequest(paths[0], paths[1:]))


def compared(workspace: Workspace) -> RetrievalComparison:
    a, b = workspace.runs
    return compare_retrieval(a, b, workspace.release)


def test_recall_is_compared_by_session_as_soon_as_one_run_names_only_those(
    paths: list[Path],
) -> None:
    workspace = opened(paths)
    found = compared(workspace)
    assert (found.grain, found.note) == (Grain.SESSION, NOTE)
    # Of five questions one has no evidence. A has both sessions; the evidence of question 0 lies
    # in sessions 1 and 2, that of the others in session 1.
    assert (found.n, found.not_measured) == (4, 1)
    assert found.recall_a.value == 1.0
    assert found.recall_b.value == pytest.approx(0.5 / 4)
    assert found.difference.value == pytest.approx(0.5 / 4 - 1)


def test_two_runs_of_rounds_are_compared_by_round(paths: list[Path]) -> None:
    workspace = opened([paths[0], paths[1], paths[1]])
    found = compared(workspace)
    assert (found.grain, found.note) == (Grain.ROUND, "")
    assert found.recall_a.value == pytest.approx((2 / 3 + 1 + 0 + 0) / 4)


def test_runs_that_cannot_be_measured_have_no_recall(paths: list[Path], tmp_path: Path) -> None:
    text = write(tmp_path / "ironmem" / "c.json", ironmem())
    workspace = opened([paths[0], text, paths[2]])
    found = compared(workspace)
    assert (found.n, found.recall_a.value, found.note) == (0, None, "")


def test_score_says_at_which_grain_a_run_is_measured(
    paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    workspace = opened(paths)
    rounds, sessions = (retrieval(run, workspace.release) for run in workspace.runs)
    assert (rounds.grain, sessions.grain) == (Grain.ROUND, Grain.SESSION)
    assert {row.grain for row in rounds.rows} == {Grain.ROUND, Grain.SESSION}
    assert {row.grain for row in sessions.rows} == {Grain.SESSION}
    assert cli(["score", *map(str, paths)]) == 0
    out = capsys.readouterr().out
    assert out.count("measured at session grain, since the run names sessions only") == 1
    assert cli(["score", *map(str, paths), "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["retrieval_grain"] for run in runs] == ["round", "session"]


def test_compare_says_at_which_grain_it_compares(
    paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(["compare", *map(str, paths)]) == 0
    out = capsys.readouterr().out
    assert "recall of gold sessions among the items sent: A 1.0000, B 0.1250" in out
    assert f"note: {NOTE}" in out
    assert cli(["compare", *map(str, paths), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["retrieval"]
    assert (found["grain"], found["n"], found["note"]) == ("session", 4, NOTE)


def test_show_holds_both_runs_against_sessions(
    paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    release, *runs = map(str, paths)
    assert cli(["show", release, "conv-1/0", *runs, "--json"]) == 0
    a, b = json.loads(capsys.readouterr().out)["runs"]
    assert (a["retrieval"]["grain"], b["retrieval"]["grain"]) == ("session", "session")
    assert (a["retrieval"]["found"], b["retrieval"]["found"]) == (2, 1)
    assert a["retrieval"]["grain_note"] == b["retrieval"]["grain_note"] == NOTE
    assert cli(["show", release, "conv-1/0", *runs]) == 0
    assert f"note: {NOTE}" in capsys.readouterr().out
    # Alone, the run of rounds is held against rounds.
    assert cli(["show", release, "conv-1/0", runs[0], "--json"]) == 0
    (alone,) = json.loads(capsys.readouterr().out)["runs"]
    assert (alone["retrieval"]["grain"], alone["retrieval"]["grain_note"]) == ("round", "")


def test_a_filter_selects_by_the_recall_that_lists_and_comparisons_show(
    paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    # By round A has a part of the evidence of one question and none of two; by session all of it.
    workspace = opened(paths)
    columns = {column.name: column for column in question_columns(workspace)}
    recall = columns["recall of A"]
    for text, holds in (("A.recall<1", False), ("A.recall>=1", True), ("A.precision>0", True)):
        found = parse(text).select(workspace)
        measured = [
            key for key, one in workspace.release.questions.items() if recall.value(one) is not None
        ]
        assert found == (measured if holds else [])
    alone = opened(paths[:2])
    assert len(parse("A.recall<1").select(alone)) == 3
    assert cli(["compare", *map(str, paths), "--filter", "A.recall>=1", "--json"]) == 0
    found_a = json.loads(capsys.readouterr().out)["retrieval"]
    assert (found_a["n"], found_a["recall_a"]) == (4, 1.0)


@needs_data
def test_cognee_and_mempalace_are_compared_by_session() -> None:
    runs = [RUNS / "cognee", RUNS / "mempalace"]
    workspace = open_workspace(OpenRequest(LOCOMO, runs))
    cognee = workspace.run("cognee")
    hybrid = next(run for run in workspace.runs if "hybrid" in run.name)
    found = compare_retrieval(cognee, hybrid, workspace.release)
    assert (found.grain, found.n) == (Grain.SESSION, 150)
    assert found.recall_a.value == 1.0
