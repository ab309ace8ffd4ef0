import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.paired_metric import (
    Order,
    compare_by_metric,
    mean_interval,
    shared_metrics,
)
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Record, RecordStatus, Release, StoredMetric
from mnemoscope.core.opening import OpenRequest, open_workspace
from mnemoscope.core.releases.locomo.reader import LocomoReader
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.workspace import JoinedRun, join_run
from mnemoscope.tui.cli import run as cli
from tests.locomo_data import LOCOMO, RUNS, conversation, mem0_rows, needs_data, source_of, write
from tests.locomo_run_data import smriti

# scipy comes without types, and is the oracle here and nothing else.
stats = pytest.importorskip("scipy.stats")


@pytest.fixture
def release(tmp_path: Path) -> Release:
    data = [conversation("conv-1"), conversation("conv-2")]
    return LocomoReader().read(source_of(tmp_path / "locomo10.json", data), ReadOptions())


@pytest.fixture
def pair(tmp_path: Path, release: Release) -> tuple[JoinedRun, JoinedRun]:
    """Two systems on four questions: B is higher on one, lower on one, equal on two."""
    data = smriti("one", "other")
    for row, f1 in zip(data["systems"]["other"]["questions"], (0.4, 0.1, 0.1, 0.3), strict=True):
        row["metrics"]["f1"] = f1
    runs = open_runs(write(tmp_path / "bench.json", data)).runs
    a, b = (
        join_run(release, run, letter=letter, name=run.system)
        for run, letter in zip(runs, "AB", strict=True)
    )
    return a, b


def edited(run: JoinedRun, release: Release, place: int, **fields: object) -> JoinedRun:
    records = list(run.run.records)
    changed: Record = replace(records[place], **fields)  # type: ignore[arg-type]
    records[place] = changed
    return join_run(
        release, replace(run.run, records=tuple(records)), letter=run.letter, name=run.name
    )


def test_means_differences_and_orders_are_over_the_pairs(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    found = compare_by_metric(*pair, release, "f1")
    total = found.total
    assert total.mean_a.value == pytest.approx((0 + 0.1 + 0.2 + 0.3) / 4)
    assert total.mean_b.value == pytest.approx((0.4 + 0.1 + 0.1 + 0.3) / 4)
    assert total.difference.value == pytest.approx((0.4 - 0.1) / 4)
    assert (total.n, total.higher_a, total.higher_b, total.equal) == (4, 1, 1, 2)
    assert total.mean_a.n == total.mean_b.n == total.difference.n == 4
    assert found.questions == {
        Order.HIGHER_A: ("conv-1/2",),
        Order.HIGHER_B: ("conv-1/0",),
        Order.EQUAL: ("conv-1/1", "conv-1/3"),
    }
    assert found.values["conv-1/0"] == (0.0, 0.4)
    assert [(row.name, row.n) for row in found.by_task] == [
        *(("multi_hop", 1), ("temporal", 1), ("open_domain", 1), ("single_hop", 1)),
    ]


def test_a_record_without_the_figure_is_left_out_and_counted(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    a, b = pair
    for value in ((), (StoredMetric("f1", float("nan")),)):
        found = compare_by_metric(a, edited(b, release, 0, metrics=value), release, "f1")
        assert (found.total.n, found.without_figure) == (3, 1)
        assert found.total.mean_a.value == pytest.approx(0.2)


def test_questions_that_one_run_does_not_answer_are_counted_apart(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    a, b = pair
    shorter = join_run(release, replace(b.run, records=b.run.records[1:]), letter="B")
    found = compare_by_metric(a, shorter, release, "f1")
    assert (found.only_in_a, found.only_in_b, found.total.n) == (1, 0, 3)


def test_only_chosen_questions_are_compared(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    found = compare_by_metric(*pair, release, "f1", keys={"conv-1/0", "conv-1/2"})
    assert (found.total.n, found.total.equal) == (2, 0)


def test_a_figure_is_named_in_either_case_and_with_blanks_or_underscores(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    assert compare_by_metric(*pair, release, "F1").metric == "f1"
    assert compare_by_metric(*pair, release, "exact_match").metric == "exact match"


def test_a_figure_that_is_not_there_is_an_error_that_names_what_is(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    with pytest.raises(UsageError, match="no figure 'bleu' in common; A has f1, exact match"):
        compare_by_metric(*pair, release, "bleu")
    assert shared_metrics(*pair) == ("f1", "exact match", "confidence")


def test_a_failed_record_s_figure_counts_and_a_note_says_so(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    a, b = pair
    failed = edited(b, release, 0, status=RecordStatus.ERROR)
    found = compare_by_metric(a, failed, release, "f1")
    assert found.total.n == 4
    assert "pairs with a failed record, whose stored figure counts: 1" in found.notes
    assert not any("failed" in note for note in compare_by_metric(a, b, release, "f1").notes)


def test_figures_of_two_forms_are_said_to_be_their_own(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    assert "each run's own computation, as stored" in compare_by_metric(*pair, release, "f1").notes


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([-0.5, -0.1, 0.0, 0.2, 0.7]), min_size=2, max_size=60))
def test_the_sign_test_is_scipy_s_binomial_test(differences: list[float]) -> None:
    from mnemoscope.analyses.paired import mcnemar

    higher_b = sum(one > 0 for one in differences)
    higher_a = sum(one < 0 for one in differences)
    if higher_a + higher_b:
        known = stats.binomtest(higher_b, higher_a + higher_b).pvalue
        assert mcnemar(higher_a, higher_b) == pytest.approx(known, rel=1e-9)


def test_the_sign_test_s_p_is_over_the_pairs_that_differ(
    pair: tuple[JoinedRun, JoinedRun], release: Release
) -> None:
    p_sign = compare_by_metric(*pair, release, "f1").total.p_sign
    assert (p_sign.value, p_sign.n) == (1.0, 2)


@pytest.mark.parametrize("n", [2, 7, 200, 3_001])
def test_the_interval_is_scipy_s_percentile_bootstrap(n: int) -> None:
    generator = random.Random(n)
    values = [generator.gauss(0.1, 1) for _ in range(n)]
    found = mean_interval(values)
    assert found is not None
    known = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=2_000,
        confidence_level=0.95,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((known.low, known.high), rel=1e-12)
    assert "2,000 resamples, seed 0" in found.method


def test_fewer_than_two_pairs_or_absurd_figures_have_no_interval() -> None:
    assert mean_interval([]) is None
    assert mean_interval([0.5]) is None
    assert mean_interval([1e308, 1e308, 1e308]) is None


def test_runs_without_verdicts_are_compared_by_a_figure_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "locomo.json", [conversation()])
    write(tmp_path / "bench.json", smriti("one", "other"))
    paths = [str(tmp_path / "locomo.json"), str(tmp_path / "bench.json")]
    assert cli(["compare", *paths]) == 0
    said = capsys.readouterr()
    assert "no pair is judged; --by compares what is stored: f1, exact match" in said.err
    assert cli(["compare", *paths, "--by", "f1"]) == 0
    out = capsys.readouterr().out
    assert "mean: A 0.1500, B 0.1500, B − A +0.0000 (n 4)" in out
    assert "two-sided exact sign test p: 1.0000 (n 0 that differ)" in out
    assert "higher in A 0, higher in B 0, equal 4" in out
    assert cli(["compare", *paths, "--by", "f1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["by"], data["n"], data["equal"], data["difference"]) == ("f1", 4, 4, 0.0)
    assert data["test"] == "two-sided exact sign test"
    assert set(data["questions"]) == {"higher_a", "higher_b", "equal"}
    assert cli(["compare", *paths, "--by", "bleu"]) == 2
    assert "no figure 'bleu' in common" in capsys.readouterr().err


def test_judged_runs_are_not_pointed_to_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "locomo.json", [conversation()] * 1)
    for name in ("a", "b"):
        write(tmp_path / name / "eval.json", mem0_rows())
    paths = [str(tmp_path / name) for name in ("locomo.json", "a", "b")]
    assert cli(["compare", *paths]) == 0
    assert "--by" not in capsys.readouterr().err


@needs_data
def test_smriti_s_systems_compare_by_f1_with_the_published_means() -> None:
    workspace = open_workspace(OpenRequest(LOCOMO, [RUNS / "smriti"]))
    naive, full = workspace.run("NaiveRAG"), workspace.run("FullContext")
    found = compare_by_metric(naive, full, workspace.release, "f1")
    values = [
        [m.value for e in run.entries for m in e.record.metrics if m.name == "f1"]
        for run in (naive, full)
    ]
    assert round(found.total.mean_a.value or 0, 5) == 0.01170
    assert round(found.total.mean_b.value or 0, 5) == 0.04021
    assert (found.total.higher_a, found.total.higher_b, found.total.equal) == (3, 6, 11)
    assert found.total.p_sign.value == pytest.approx(stats.binomtest(3, 9).pvalue)
    known = stats.bootstrap(
        (np.subtract(values[1], values[0]),),
        np.mean,
        n_resamples=2_000,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((known.low, known.high))
