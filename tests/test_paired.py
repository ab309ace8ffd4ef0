import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.figure import FigureStatus
from mnemoscope.analyses.paired import Comparison, Pair, PairedCounts, compare, mcnemar
from mnemoscope.core.model import Record, Retrieval, RetrievalState, Value
from mnemoscope.core.workspace import Workspace, join_run
from tests.workspace_data import (
    LOCOMO,
    a_question,
    a_record,
    a_release,
    a_run,
    a_workspace,
    locomo_runs,
    outcomes_workspace,
    rounds_retrieved,
    shared_workspace,
)

# scipy comes without types, and is the oracle here and nothing else.
binomtest = pytest.importorskip("scipy.stats").binomtest


def compared(workspace: Workspace) -> Comparison:
    return compare(workspace.runs[0], workspace.runs[1], workspace.release)


def two_runs(a: list[Record], b: list[Record]) -> Comparison:
    keys = dict.fromkeys(record.ref.key for record in a + b)
    release = a_release(a_question(key) for key in keys)
    return compared(a_workspace(release, a_run("one", a), a_run("two", b)))


outcomes = st.one_of(st.booleans(), st.none(), st.sampled_from(list(Value)))


# Counts


def test_pairs_are_counted_by_who_is_right() -> None:
    comparison = compared(
        outcomes_workspace(
            {
                "p0/0": [True, True],
                "p0/1": [True, False],
                "p0/2": [True, False],
                "p0/3": [False, True],
                "p0/4": [False, False],
            }
        )
    )
    assert comparison.counts == PairedCounts(both=1, only_a=2, only_b=1, neither=1)
    assert comparison.questions == {
        Pair.BOTH: ("p0/0",),
        Pair.ONLY_A: ("p0/1", "p0/2"),
        Pair.ONLY_B: ("p0/3",),
        Pair.NEITHER: ("p0/4",),
    }
    assert comparison.counts.accuracy_a.value == 3 / 5
    assert comparison.counts.accuracy_b.value == 2 / 5
    assert comparison.counts.difference.value == -1 / 5
    assert (comparison.a, comparison.b, comparison.pairing) == ("A run0", "B run1", "question")


def test_questions_without_a_partner_or_a_verdict_are_counted_and_not_compared() -> None:
    comparison = two_runs(
        [a_record("p0/0"), a_record("p0/1"), a_record("p0/2", None), a_record("p0/3")],
        [a_record("p0/1"), a_record("p0/2"), a_record("p0/3", Value.JUDGE_FAILED)],
    )
    assert comparison.counts == PairedCounts(both=1)
    unpaired = comparison.unpaired
    assert (unpaired.only_in_a, unpaired.only_in_b, unpaired.not_judged) == (1, 0, 2)
    assert unpaired.total == 3


def test_runs_that_share_nothing_have_no_p_value() -> None:
    comparison = two_runs([a_record("p0/0")], [a_record("p0/1")])
    assert comparison.counts.p_mcnemar.status is FigureStatus.EMPTY
    assert comparison.counts.accuracy_a.status is FigureStatus.EMPTY
    assert comparison.counts.difference.status is FigureStatus.EMPTY


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=20))
def test_every_shared_question_is_in_one_count_and_swapping_runs_mirrors_them(
    rows: list[tuple[bool | Value | None, bool | Value | None]],
) -> None:
    workspace = outcomes_workspace({f"p0/{i}": row for i, row in enumerate(rows)})
    there = compared(workspace)
    back = compare(workspace.runs[1], workspace.runs[0], workspace.release)
    counts = there.counts
    assert counts.n + there.unpaired.total == len(rows)
    assert back.counts == PairedCounts(counts.both, counts.only_b, counts.only_a, counts.neither)
    assert back.counts.p_mcnemar.value == counts.p_mcnemar.value
    assert sum(row.counts.n for row in there.by_task) == counts.n
    assert [len(there.questions[pair]) for pair in Pair] == [
        counts.both,
        counts.only_a,
        counts.only_b,
        counts.neither,
    ]


def test_rows_by_task_and_setting_follow_the_release() -> None:
    questions = [
        a_question("p0/0", "personalized_rec", "implicit"),
        a_question("p0/1", "entity_recall", "implicit"),
        a_question("p0/2", "entity_recall", "explicit"),
    ]
    release = a_release(questions)
    right = a_run("one", [a_record(one.key) for one in questions])
    wrong = a_run("two", [a_record(one.key, False) for one in questions])
    comparison = compared(a_workspace(release, right, wrong))
    assert [(one.name, one.counts.only_a) for one in comparison.by_task] == [
        ("entity_recall", 2),
        ("personalized_rec", 1),
    ]
    assert [(one.name, one.counts.n) for one in comparison.by_setting] == [
        ("explicit", 1),
        ("implicit", 2),
    ]


def test_only_chosen_questions_are_compared() -> None:
    workspace = outcomes_workspace({"p0/0": [True, False], "p0/1": [False, True]})
    a, b = workspace.runs
    comparison = compare(a, b, workspace.release, keys={"p0/1"})
    assert comparison.counts == PairedCounts(only_b=1)


# Repeats


def test_equal_repeats_are_paired_when_both_runs_have_them() -> None:
    a = [a_record("p0/0", right, repeat=r) for r, right in enumerate([True, False, True])]
    b = [a_record("p0/0", right, repeat=r) for r, right in enumerate([True, True])]
    comparison = two_runs(a, b)
    assert comparison.counts == PairedCounts(both=1, only_b=1)
    assert comparison.unpaired.only_in_a == 1
    assert comparison.pairing == "question and repeat"
    assert "repeats of one question are not independent: p is too small" in comparison.notes
    assert comparison.questions[Pair.BOTH] == comparison.questions[Pair.ONLY_B] == ("p0/0",)


def test_the_first_repeat_stands_for_a_run_whose_partner_has_none() -> None:
    a = [a_record("p0/0", right, repeat=r) for r, right in ((2, False), (1, True))]
    comparison = two_runs(a, [a_record("p0/0", False)])
    assert comparison.counts == PairedCounts(only_a=1)
    assert comparison.unpaired.total == 0
    assert comparison.pairing == "question (the first repeat of each run)"


# McNemar


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (0, 2, 0.5), (5, 5, 1.0), (1, 5, 0.21875), (0, 10, 2**-9)],
)
def test_small_p_values_are_exact(only_a: int, only_b: int, p: float) -> None:
    assert mcnemar(only_a, only_b) == pytest.approx(p, rel=1e-13)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 100_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_p_agrees_with_the_binomial_test(pair: tuple[int, int]) -> None:
    n, k = pair
    expected = binomtest(k, n).pvalue if n else 1.0
    # Far out in the tail SciPy gives up earlier than we do.
    if expected > 1e-240:
        assert mcnemar(k, n - k) == pytest.approx(expected, rel=1e-9)
    else:
        assert mcnemar(k, n - k) < 1e-230


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 100_000), st.floats(-6, 6))
def test_p_agrees_with_the_binomial_test_where_the_two_runs_are_close(n: int, z: float) -> None:
    k = min(n, max(0, round(n / 2 + z * math.sqrt(n) / 2)))
    assert mcnemar(k, n - k) == pytest.approx(binomtest(k, n).pvalue, rel=1e-9)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_p_is_a_probability_for_any_counts_and_does_not_care_which_run_is_first(
    a: int, b: int
) -> None:
    assert 0 <= mcnemar(a, b) <= 1
    assert mcnemar(a, b) == mcnemar(b, a)


# Real runs


@pytest.mark.parametrize(
    ("a", "b", "counts"),
    [
        ("zep", "memobase 0710", (948, 209, 219, 164)),
        ("memobase 0503", "memobase 0710", (961, 131, 206, 242)),
        ("full-context 4.1-cot", "full-context 4.1-memos", (1241, 186, 23, 90)),
        ("full-context 4.1-cot", "full-context 4o-cot", (1197, 230, 34, 79)),
        ("zep", "agentmem-mem0", (452, 705, 74, 309)),
    ],
)
def test_full_locomo_runs_compare_as_counted_by_hand(
    a: str, b: str, counts: tuple[int, int, int, int]
) -> None:
    workspace = locomo_runs()
    comparison = compare(workspace.run(a), workspace.run(b), workspace.release)
    assert comparison.counts == PairedCounts(*counts)
    assert comparison.unpaired.total == 0


def test_questions_that_nobody_judged_stay_out_of_a_real_comparison() -> None:
    workspace = shared_workspace(LOCOMO, "data/locomo-runs/ironmem")
    comparison = compared(workspace)
    counts = comparison.counts
    assert (counts.both, counts.neither) == (65, 40)
    assert {counts.only_a, counts.only_b} == {39, 8}
    assert comparison.unpaired.not_judged == 47
    assert any(note.startswith("unequal k") for note in comparison.notes)


# Notes


def test_an_unequal_number_of_retrieved_items_is_pointed_out() -> None:
    release = a_release([a_question("p0/0")])
    short = a_run("one", [a_record("p0/0")], used_depth=5)
    deep = a_run("two", [a_record("p0/0")], used_depth=30)
    assert compared(a_workspace(release, short, deep)).notes == ("unequal k: A 5, B 30",)
    assert compared(a_workspace(release, short, short)).notes == ()


def test_a_run_that_sends_the_whole_history_is_not_equal_to_one_that_retrieves() -> None:
    whole = Retrieval(RetrievalState.WHOLE_HISTORY)
    comparison = two_runs(
        [a_record("p0/0", retrieval=whole)],
        [
            a_record("p0/0", retrieval=rounds_retrieved("D00:00", "D00:01")),
            a_record("p0/1", retrieval=rounds_retrieved("D00:00")),
        ],
    )
    assert comparison.notes == ("unequal k: A whole history, B 1 to 2",)


def test_an_unequal_context_is_pointed_out_and_a_nearly_equal_one_is_not() -> None:
    def notes(a: float, b: float) -> tuple[str, ...]:
        usage_a, usage_b = {"context_tokens": a}, {"context_tokens": b, "seconds": 1.0}
        return two_runs([a_record("p0/0", usage=usage_a)], [a_record("p0/0", usage=usage_b)]).notes

    # A size that is no number was not stored.
    assert notes(math.nan, math.inf) == ()
    assert notes(1439, 5230) == ("unequal context: A 1,400 context tokens, B 5,200 context tokens",)
    assert notes(1439, 1441) == ()


def test_different_rules_are_pointed_out() -> None:
    release = a_release([a_question("p0/0")])
    a = join_run(release, a_run("one", [a_record("p0/0")], rule="rq1"))
    b = join_run(release, a_run("two", [a_record("p0/0")], rule="rq3"))
    expected = "different rules decide right and wrong: A rq1, B rq3"
    assert compare(a, b, release).notes == (expected,)


def test_the_modules_that_a_screen_needs_at_once_do_not_load_polars() -> None:
    modules = ["accuracy", "averages", "configuration", "figure", "matrix", "paired", "retrieval"]
    imports = "; ".join(f"import mnemoscope.analyses.{name}" for name in modules)
    code = f"{imports}; import sys; print('polars' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
