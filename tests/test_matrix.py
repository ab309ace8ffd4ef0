from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.figure import FigureStatus
from mnemoscope.analyses.matrix import matrix
from mnemoscope.analyses.paired import compare
from mnemoscope.core.model import Value
from mnemoscope.tui.verbs.matrix import collect, lines
from mnemoscope.tui.verbs.options import Flags
from tests.workspace_data import (
    a_question,
    a_record,
    a_release,
    a_run,
    a_workspace,
    locomo_runs,
    outcomes_workspace,
)


def test_questions_are_counted_by_how_many_runs_are_right() -> None:
    table = matrix(
        outcomes_workspace(
            {
                "p0/0": [True, True, True],
                "p0/1": [True, False, False],
                "p0/2": [False, True, True],
                "p0/3": [False, False, False],
                "p0/4": [False, False, True],
            }
        )
    )
    counts = table.counts
    assert counts.histogram == (1, 2, 1, 1)
    assert (counts.n, counts.all_right, counts.all_wrong, counts.any_right) == (5, 1, 1, 4)
    assert counts.right == (2, 2, 3)
    assert counts.only == (1, 0, 1)
    assert counts.union.value == 4 / 5
    assert counts.accuracy(2).value == 3 / 5
    assert table.runs == ("A run0", "B run1", "C run2")
    assert [(row.key, row.outcomes, row.right) for row in table.rows][1:3] == [
        ("p0/1", (True, False, False), 1),
        ("p0/2", (False, True, True), 2),
    ]


def test_only_questions_that_every_run_was_judged_on_are_in_the_matrix() -> None:
    release = a_release(a_question(f"p0/{i}") for i in range(4))
    table = matrix(
        a_workspace(
            release,
            a_run("one", [a_record("p0/0"), a_record("p0/1"), a_record("p0/2", None)]),
            a_run("two", [a_record("p0/0"), a_record("p0/2"), a_record("p0/3")]),
        )
    )
    assert [row.key for row in table.rows] == ["p0/0"]
    assert table.judged == (2, 3)
    assert (table.judged_by_any, table.left_out) == (4, 3)


def test_a_run_in_which_nothing_is_judged_is_set_aside_and_leaves_the_others_their_questions() -> (
    None
):
    release = a_release(a_question(f"p0/{i}") for i in range(2))
    workspace = a_workspace(
        release,
        a_run("one", [a_record("p0/0"), a_record("p0/1", False)]),
        a_run("unjudged", [a_record("p0/0", None), a_record("p0/1", None)]),
        a_run("two", [a_record("p0/0"), a_record("p0/1")]),
    )
    table = matrix(workspace)
    assert [row.outcomes for row in table.rows] == [(True, None, True), (False, None, True)]
    assert [(row.right, row.judged) for row in table.rows] == [(2, 2), (1, 2)]
    counts = table.counts
    assert (counts.histogram, counts.right, counts.only) == ((0, 1, 1), (1, 0, 2), (0, 0, 1))
    assert [counts.accuracy(place).value for place in range(3)] == [0.5, None, 1.0]
    data = collect(workspace, Flags())
    assert [run["accuracy"] for run in data["runs"]] == [0.5, None, 1.0]
    said = "\n".join(lines(data))
    assert "2 questions that each of 2 judged runs has a judged record of" in said
    assert "nothing is judged in B unjudged: set aside" in said


def test_counts_by_task_follow_the_release() -> None:
    questions = [
        a_question("p0/0", "long_pattern"),
        a_question("p0/1", "entity_recall", "implicit"),
        a_question("p0/2", "entity_recall"),
    ]
    release = a_release(questions)
    right = a_run("one", [a_record(one.key) for one in questions])
    wrong = a_run("two", [a_record(one.key, False) for one in questions])
    table = matrix(a_workspace(release, right, wrong))
    assert [(one.name, one.counts.histogram) for one in table.by_task] == [
        ("entity_recall", (0, 2, 0)),
        ("long_pattern", (0, 1, 0)),
    ]
    assert [(row.task, row.setting) for row in table.rows][1] == ("entity_recall", "implicit")


def test_the_first_repeat_stands_for_a_run() -> None:
    release = a_release([a_question("p0/0")])
    records = [a_record("p0/0", False, repeat=2), a_record("p0/0", True, repeat=1)]
    table = matrix(a_workspace(release, a_run("one", records)))
    assert table.rows[0].outcomes == (True,)


def test_only_chosen_questions_are_in_the_matrix() -> None:
    workspace = outcomes_workspace({"p0/0": [True], "p0/1": [False]})
    assert [row.key for row in matrix(workspace, keys={"p0/1"}).rows] == ["p0/1"]


def test_a_workspace_without_runs_has_an_empty_matrix() -> None:
    table = matrix(a_workspace(a_release([a_question("p0/0")])))
    assert (table.rows, table.counts.n, table.left_out) == ((), 0, 0)
    assert table.counts.union.status is FigureStatus.EMPTY


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda runs: st.lists(
            st.lists(
                st.sampled_from([True, False, None, Value.NO_GOLD]), min_size=runs, max_size=runs
            ),
            min_size=1,
            max_size=12,
        )
    )
)
def test_all_counts_agree_with_the_rows_and_with_the_comparison_of_two(
    rows: list[Sequence[Value | bool | None]],
) -> None:
    workspace = outcomes_workspace({f"p0/{i}": row for i, row in enumerate(rows)})
    table = matrix(workspace)
    counts = table.counts
    assert counts.n == len(table.rows) == sum(counts.histogram)
    assert counts.all_right == sum(False not in row.outcomes for row in table.rows)
    assert counts.all_wrong == sum(True not in row.outcomes for row in table.rows)
    assert sum(n * k for k, n in enumerate(counts.histogram)) == sum(counts.right)
    assert sum(counts.only) == (counts.histogram[1] if counts.n else 0)
    assert sum(one.counts.n for one in table.by_task) == counts.n
    if len(workspace.runs) == 2 and all(counts.is_judged):
        a, b = workspace.runs
        pair = compare(a, b, workspace.release).counts
        assert (pair.n, pair.both, pair.neither) == (
            counts.n,
            counts.all_right,
            counts.all_wrong,
        )
        assert (pair.only_a, pair.only_b) == counts.only


def test_the_eight_full_locomo_runs_are_all_right_on_296_questions_and_all_wrong_on_32() -> None:
    table = matrix(locomo_runs())
    counts = table.counts
    assert (len(table.runs), counts.n, table.left_out) == (8, 1540, 0)
    assert (counts.all_right, counts.all_wrong) == (296, 32)
    assert counts.right == (1157, 1092, 1167, 526, 1427, 1264, 1231, 1145)
