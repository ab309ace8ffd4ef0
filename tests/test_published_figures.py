"""What real and generated runs score, held against figures that others worked out."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mnemoscope.analyses.accuracy import score
from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.core.model import RecordStatus
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.scoring.retrieval_hits import Grain
from mnemoscope.core.workspace import JoinedRun, Workspace

SHARED = Path(__file__).parents[1].parent / "shared"
MINI = SHARED / "reference" / "cue-mem-mini"
MAKER = SHARED / "tools" / "make_cue_release.py"
TASKS = {
    "ER": "entity_recall",
    "LP": "long_pattern",
    "PR": "personalized_rec",
    "AR": "answer_refusal",
}


def cells(run: JoinedRun, workspace: Workspace) -> dict[tuple[str, str], tuple[int, int]]:
    scored = score(run, workspace.release)
    return {
        (cell.task, cell.setting): (cell.tally.correct, cell.tally.n)
        for cell in scored.cells
        if cell.tally.n
    }


def at(run: JoinedRun, workspace: Workspace, metric: str, k: int, paper: bool = False) -> float:
    found = retrieval(run, workspace.release)
    rows = found.as_in_paper or found.rows if paper else found.rows
    value = next(
        row.figure.value
        for row in rows
        if (row.metric, row.k, row.grain) == (metric, k, Grain.ROUND)
    )
    assert value is not None
    return value


@pytest.fixture(scope="module")
def mini() -> Workspace:
    if not MINI.exists():
        pytest.skip("../shared/reference/cue-mem-mini is not here")
    runs = (MINI / "result_debug", MINI / "RQ3", MINI / "human_baseline_demo")
    return open_workspace(OpenRequest(MINI, runs))


ORDER = (
    ("long_pattern", "explicit"),
    ("long_pattern", "implicit"),
    ("entity_recall", "explicit"),
    ("entity_recall", "implicit"),
    ("personalized_rec", "implicit"),
    ("answer_refusal", "explicit"),
)


@pytest.mark.parametrize(
    ("name", "right", "answered"),
    [
        ("FUMemory", (1, 0, 1, 0, 0, 0), 4),
        ("LTMemory", (1, 1, 1, 1, 0, 1), 6),
        ("TT", (1, 0, 1, 1, 0, 0), 6),
        ("MM", (1, 1, 1, 1, 1, 0), 5),
        ("human", (1, 1, 1, 1, 0, 1), 5),
    ],
)
def test_the_miniature_scores_what_its_readme_says(
    mini: Workspace, name: str, right: Sequence[int], answered: int
) -> None:
    run = mini.run(name)
    assert run.join.matched == 6
    assert not run.join.unjoined
    found = cells(run, mini)
    assert tuple(found[key] for key in ORDER) == tuple((one, 1) for one in right)
    scored = score(run, mini.release)
    assert (scored.tally.correct, scored.tally.n) == (sum(right), 6)
    assert scored.tally.n_ok == answered


def test_the_miniature_calls_its_error_row_wrong_and_says_so(mini: Workspace) -> None:
    scored = score(mini.run("MM"), mini.release)
    assert scored.tally.stored_right_on_failure == 0
    statuses = Counter(entry.judgement.status for entry in mini.run("MM").entries)
    assert statuses == {RecordStatus.OK: 5, RecordStatus.ERROR: 1}


@pytest.mark.parametrize(
    ("name", "recall", "precision"), [("TT", 0.8333, 0.2667), ("MM", 0.9167, 0.3)]
)
def test_the_miniature_retrieves_what_its_readme_says(
    mini: Workspace, name: str, recall: float, precision: float
) -> None:
    run = mini.run(name)
    assert at(run, mini, "recall", 5) == pytest.approx(recall, abs=5e-5)
    assert at(run, mini, "precision", 5) == pytest.approx(precision, abs=5e-5)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    if not MAKER.exists():
        pytest.skip("../shared/tools/make_cue_release.py is not here")
    out = tmp_path_factory.mktemp("generated") / "release"
    command = [sys.executable, MAKER, "--out", out, "--users", "3", "--runs", "8"]
    subprocess.run([*map(str, command), "--variants", "base"], check=True, capture_output=True)
    return out, json.loads((out / "expected.json").read_text(encoding="utf-8"))


STATUSES = {
    "answered": (RecordStatus.OK,),
    "unparsable": (RecordStatus.UNPARSED,),
    "failed": (RecordStatus.ERROR,),
    "error": (RecordStatus.ERROR,),
    "blank": (RecordStatus.ERROR,),
}


def test_generated_runs_score_what_their_maker_expects(
    generated: tuple[Path, dict[str, Any]],
) -> None:
    out, expected = generated
    workspace = open_workspace(OpenRequest(out, [out / run["path"] for run in expected["runs"]]))
    assert len(workspace.runs) == len(expected["runs"])
    assert workspace.release.counts["questions"] == expected["totals"]["questions"]
    for run, told in zip(workspace.runs, expected["runs"], strict=True):
        assert run.rule == told["parsing_rule"]
        assert (run.join.matched, len(run.join.unjoined)) == (told["rows"], 0)
        assert cells(run, workspace) == {
            (TASKS[task], setting): (one["correct"], one["total"])
            for task, by_setting in told["accuracy"].items()
            for setting, one in by_setting.items()
            if one["total"]
        }
        counted = Counter(entry.judgement.status for entry in run.entries)
        wanted: Counter[RecordStatus] = Counter()
        for name, count in told["status"].items():
            wanted[STATUSES[name][0]] += count
        assert counted == wanted
        tally = score(run, workspace.release).tally
        assert tally.stored_right_on_failure == told["stored_hits_on_error_rows"]


def test_generated_runs_retrieve_what_their_maker_expects(
    generated: tuple[Path, dict[str, Any]],
) -> None:
    out, expected = generated
    with_retrieval = [run for run in expected["runs"] if run["retrieval"]]
    workspace = open_workspace(OpenRequest(out, [out / run["path"] for run in with_retrieval]))
    for run, told in zip(workspace.runs, with_retrieval, strict=True):
        overall = told["retrieval"]["overall"]
        # RQ3 rows keep five items; what they claim at ten is shown as stored.
        depths = (1, 3, 5, 10) if told["kind"] == "rq1" else (1, 3, 5)
        for metric in ("recall", "precision"):
            for k in depths:
                measured = at(run, workspace, metric, k)
                assert measured == pytest.approx(overall[f"{metric}@k"][str(k)], abs=2e-3), (
                    metric,
                    k,
                )
        if told["kind"] == "rq3":
            stored = {one.name: one.figure for one in retrieval(run, workspace.release).as_stored}
            for metric in ("recall", "precision"):
                figure = stored[f"{metric}@10"]
                assert figure.n == overall["rows"]
                assert figure.value == pytest.approx(overall[f"{metric}@k"]["10"], abs=1e-5)
