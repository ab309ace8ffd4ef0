from statistics import stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.analyses.accuracy import Dimension, RunScore, has_clue, score
from mnemoscope.analyses.averages import (
    average_over_systems,
    average_tasks,
    ei_gap,
    memory_average,
)
from mnemoscope.analyses.figure import Figure, FigureStatus, Tally
from mnemoscope.analyses.frames import COLUMNS, record_frame
from mnemoscope.core.model import (
    Gold,
    GoldKind,
    Kind,
    Option,
    Question,
    Record,
    RecordStatus,
    TaskLabel,
    Value,
)
from mnemoscope.core.workspace import join_run
from tests.workspace_data import (
    CUE_TASKS,
    MINI,
    a_question,
    a_record,
    a_release,
    a_run,
    joined,
    locomo_runs,
    media_clue,
    shared_workspace,
)

FAILED = [s for s in RecordStatus if s not in (RecordStatus.OK, RecordStatus.UNPARSED)]


def score_of(questions: list[Question], records: list[Record], rule: str = "stored") -> RunScore:
    release = a_release(questions)
    return score(joined(release, records, rule=rule), release)


def cell_counts(scored: RunScore) -> dict[tuple[str, str], tuple[int, int, int]]:
    return {
        (one.task, one.setting): (one.tally.correct, one.tally.n, one.tally.n_ok)
        for one in scored.cells
    }


# Figures


def test_a_figure_has_a_value_exactly_when_it_is_measured_or_partial() -> None:
    assert Figure(0.5, 2, "share").measured
    assert Figure(0.5, 2, "share", FigureStatus.PARTIAL).measured
    assert not Figure.absent(FigureStatus.NOT_JUDGED, "share").measured
    with pytest.raises(ValueError, match="cannot have the value"):
        Figure(None, 0, "share")
    with pytest.raises(ValueError, match="cannot have the value"):
        Figure(0.5, 2, "share", FigureStatus.EMPTY)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_figure_is_never_infinite_or_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="no figure"):
        Figure(value, 1, "share")


def test_a_share_of_nothing_is_empty_and_not_zero() -> None:
    assert Figure.share(1, 4, "share") == Figure(0.25, 4, "share")
    assert Figure.share(0, 0, "share").status is FigureStatus.EMPTY


def test_a_figure_as_json_has_a_note_only_where_there_is_one() -> None:
    fields = {"value": 0.25, "n": 4, "estimand": "share", "status": "measured"}
    assert Figure.share(1, 4, "share").as_json() == fields
    partial = Figure(0.25, 4, "share", FigureStatus.PARTIAL, "half of it")
    assert partial.as_json() == fields | {"status": "partial", "note": "half of it"}


# Counts


def test_accuracy_is_correct_over_judged_records_that_join() -> None:
    scored = score_of(
        [a_question(f"p0/{i}") for i in range(5)],
        [a_record("p0/0"), a_record("p0/1", False), a_record("p0/2"), a_record("p0/nowhere")],
    )
    assert scored.accuracy == Figure(2 / 3, 3, "correct / judged records")
    assert (scored.n_release, scored.tally.n, scored.without_record) == (5, 3, 2)


def test_unparsed_and_failed_records_are_wrong_and_only_accuracy_ok_leaves_them_out() -> None:
    scored = score_of(
        [a_question(f"p0/{i}") for i in range(4)],
        [
            a_record("p0/0"),
            a_record("p0/1", False),
            a_record("p0/2", False, status=RecordStatus.UNPARSED),
            a_record("p0/3", None, status=RecordStatus.ERROR),
        ],
    )
    assert scored.accuracy.value == 1 / 4
    assert scored.accuracy_ok.value == 1 / 2
    assert scored.accuracy_ok.n == scored.tally.n_ok == 2
    assert scored.tally.statuses == {
        RecordStatus.OK: 2,
        RecordStatus.UNPARSED: 1,
        RecordStatus.ERROR: 1,
    }


@pytest.mark.parametrize("status", [*FAILED, RecordStatus.UNPARSED])
def test_a_stored_hit_on_a_failed_record_does_not_count_and_is_reported(
    status: RecordStatus,
) -> None:
    scored = score_of([a_question("p0/0")], [a_record("p0/0", True, status=status)])
    assert scored.tally.correct == 0
    assert scored.accuracy.value == 0.0
    assert scored.tally.stored_right_on_failure == 1


def test_an_answer_that_is_the_gold_is_read_even_where_the_question_lost_that_option() -> None:
    gold = Gold(GoldKind.OPTION, option="A")
    options = [Option(label, "text") for label in "BCD"]
    for rule in ("rq1", "rq3"):
        scored = score_of(
            [a_question("p0/0", options=options, gold=gold)],
            [a_record("p0/0", None, answer="A")],
            rule,
        )
        assert scored.tally.statuses == {RecordStatus.OK: 1}
        assert (scored.tally.correct, scored.tally.n_ok, scored.tally.n) == (1, 1, 1)


def test_records_without_a_verdict_are_in_no_mean_and_are_counted_apart() -> None:
    scored = score_of(
        [a_question(f"p0/{i}") for i in range(5)],
        [
            a_record("p0/0"),
            a_record("p0/1", None),
            a_record("p0/2", Value.JUDGE_FAILED),
            a_record("p0/3", Value.NO_GOLD),
        ],
    )
    tally = scored.tally
    assert scored.accuracy.value == 1.0
    assert (tally.joined, tally.n) == (4, 1)
    assert (tally.not_judged, tally.judge_failed, tally.no_gold) == (1, 1, 1)


def test_a_run_that_nobody_judged_has_no_accuracy_rather_than_zero() -> None:
    scored = score_of([a_question("p0/0")], [a_record("p0/0", None)])
    assert scored.accuracy.status is FigureStatus.NOT_JUDGED
    assert scored.averages.macro.status is FigureStatus.NOT_JUDGED
    assert scored.averages.memory["explicit"].status is FigureStatus.NOT_JUDGED
    assert scored.averages.memory["implicit"].status is FigureStatus.EMPTY


def test_a_run_without_records_has_no_accuracy() -> None:
    scored = score_of([a_question("p0/0")], [])
    assert scored.accuracy.status is FigureStatus.EMPTY
    assert scored.without_record == 1


def test_a_rule_that_reads_options_judges_by_the_gold_option() -> None:
    questions = [a_question("p0/0"), a_question("p0/1"), a_question("p0/2", gold=Gold.none())]
    release = a_release(questions)
    records = [
        a_record("p0/0", False, answer="A. yes"),
        a_record("p0/1", True, answer="none of these"),
        a_record("p0/2", True, answer="B"),
    ]
    tally = score(join_run(release, a_run("one", records, rule="rq1")), release).tally
    assert (tally.correct, tally.n, tally.no_gold) == (1, 2, 1)
    assert tally.statuses == {RecordStatus.OK: 2, RecordStatus.UNPARSED: 1}


# Cells, dimensions, subsets


def test_cells_follow_the_release_and_unlabelled_questions_stand_apart() -> None:
    scored = score_of(
        [
            a_question("p0/0", "answer_refusal", "explicit"),
            a_question("p0/1", "entity_recall", "implicit"),
            a_question("p0/2", "entity_recall", ""),
            a_question("p0/3", "entity_recall", "explicit"),
        ],
        [a_record("p0/1"), a_record("p0/2", False)],
    )
    assert list(cell_counts(scored).items()) == [
        (("entity_recall", "explicit"), (0, 0, 0)),
        (("entity_recall", "implicit"), (1, 1, 1)),
        (("entity_recall", ""), (0, 1, 1)),
        (("answer_refusal", "explicit"), (0, 0, 0)),
    ]
    assert [one.n_release for one in scored.cells] == [1, 1, 1, 1]


def test_cells_carry_the_releases_own_number_of_a_task() -> None:
    tasks = (TaskLabel("multi_hop", "Multi-hop", number="1"),)
    release = a_release([a_question("c/0", "multi_hop", "")], tasks=tasks, settings=())
    scored = score(joined(release, [a_record("c/0")]), release)
    assert [(one.task, one.number) for one in scored.cells] == [("multi_hop", "1")]


def test_the_same_counts_come_by_history_category_form_task_and_setting() -> None:
    scored = score_of(
        [
            a_question("p0/0", category="Pets", form="rec_img"),
            a_question("p1/0", category="", form="rec_text"),
            a_question("p1/1", "long_pattern", "implicit", category="Pets", form="rec_img"),
        ],
        [a_record("p0/0"), a_record("p1/0", False), a_record("p1/1")],
    )

    def by(dimension: str) -> dict[str, tuple[int, int]]:
        return {one.name: (one.tally.correct, one.tally.n) for one in scored.by(dimension)}

    assert by("history") == {"p0": (1, 1), "p1": (1, 2)}
    assert by("category") == {"Pets": (2, 2), "": (0, 1)}
    assert by("form") == {"rec_img": (2, 2), "rec_text": (0, 1)}
    assert by("task") == {"entity_recall": (1, 2), "long_pattern": (1, 1)}
    assert by("setting") == {"explicit": (1, 2), "implicit": (1, 1)}
    with pytest.raises(ValueError, match="mood"):
        scored.by("mood")


def media_questions() -> list[Question]:
    image = media_clue(Kind.IMAGE, "D00-001", "D00:00")
    audio = media_clue(Kind.AUDIO, "D01-001", "D01:00")
    return [
        a_question("p0/image", clues=[image, "D00:01"]),
        a_question("p0/audio", "long_pattern", clues=[audio]),
        a_question("p0/both", "personalized_rec", clues=[image, audio]),
        a_question("p0/round", "answer_refusal", clues=["D00:01"]),
    ]


def test_questions_are_grouped_by_the_media_of_their_clues_and_may_be_in_two_groups() -> None:
    questions = media_questions()
    scored = score_of(questions, [a_record(one.key) for one in questions])
    groups = {one.name: (one.n_release, one.tally.n) for one in scored.by(Dimension.CLUES)}
    assert groups == {"image": (2, 2), "audio": (2, 2), "neither": (1, 1)}


@pytest.mark.parametrize(
    ("kind", "keys"), [(Kind.IMAGE, ["image", "both"]), (Kind.AUDIO, ["audio", "both"])]
)
def test_a_subset_scores_only_questions_with_such_a_clue(kind: Kind, keys: list[str]) -> None:
    questions = media_questions()
    release = a_release(questions)
    run = joined(release, [a_record(one.key, one.key != "p0/both") for one in questions[:3]])
    scored = score(run, release, with_clue=kind)
    assert [one.key for one in questions if has_clue(one, kind)] == [f"p0/{key}" for key in keys]
    assert (scored.n_release, scored.tally.n, scored.tally.correct) == (2, 2, 1)
    assert scored.subset == f"with an {kind} clue"


def test_chosen_questions_alone_can_be_scored() -> None:
    questions = media_questions()
    release = a_release(questions)
    run = joined(release, [a_record("p0/both"), a_record("p0/audio", False)])
    scored = score(run, release, keys={"p0/both", "p0/image"})
    assert (scored.n_release, scored.without_record) == (2, 1)
    assert scored.accuracy.value == 1.0


# Averages


def test_memory_average_is_the_unweighted_mean_over_its_tasks() -> None:
    scored = score_of(
        [
            *(a_question(f"p0/e{i}") for i in range(4)),
            a_question("p0/l", "long_pattern"),
            a_question("p0/r", "personalized_rec"),
            a_question("p0/a", "answer_refusal"),
        ],
        [
            *(a_record(f"p0/e{i}", i == 0) for i in range(4)),
            a_record("p0/l"),
            a_record("p0/r", False),
            a_record("p0/a"),
        ],
    )
    memory = scored.averages.memory["explicit"]
    assert memory.value == pytest.approx((0.25 + 1 + 0) / 3)
    assert (memory.n, memory.status) == (6, FigureStatus.MEASURED)
    assert scored.averages.macro.value == pytest.approx((0.25 + 1 + 0 + 1) / 4)
    assert scored.averages.micro == scored.accuracy


def test_an_average_that_lacks_a_task_says_which_and_is_over_the_rest() -> None:
    scored = score_of(
        [a_question("p0/e"), a_question("p0/l", "long_pattern")],
        [a_record("p0/e"), a_record("p0/l", False)],
    )
    memory = scored.averages.memory["explicit"]
    assert (memory.value, memory.status) == (0.5, FigureStatus.PARTIAL)
    assert memory.note == "without personalized_rec: no judged records"
    assert "entity_recall, long_pattern" in memory.estimand


def test_the_gap_never_compares_different_tasks() -> None:
    scored = score_of(
        [
            a_question("p0/e1", "entity_recall", "explicit"),
            a_question("p0/e2", "entity_recall", "implicit"),
            a_question("p0/r2", "personalized_rec", "implicit"),
        ],
        [a_record("p0/e1"), a_record("p0/e2", False), a_record("p0/r2")],
    )
    gap = scored.averages.gap
    assert gap is not None
    assert (gap.value, gap.n, gap.status) == (1.0, 2, FigureStatus.PARTIAL)
    assert gap.note == "without long_pattern, personalized_rec: no judged records"
    assert {task: one.value for task, one in scored.averages.gaps.items()} == {"entity_recall": 1.0}


def test_the_average_of_the_audio_subset_leaves_entity_recall_out() -> None:
    assert average_tasks(CUE_TASKS) == ("entity_recall", "long_pattern", "personalized_rec")
    assert average_tasks(CUE_TASKS, Kind.IMAGE) == average_tasks(CUE_TASKS)
    assert average_tasks(CUE_TASKS, Kind.AUDIO) == ("long_pattern", "personalized_rec")
    audio = media_clue(Kind.AUDIO, "D01-001", "D01:00")
    tasks = ("entity_recall", "long_pattern", "personalized_rec")
    questions = [a_question(f"p0/{task}", task, clues=[audio]) for task in tasks]
    release = a_release(questions)
    run = joined(release, [a_record(one.key, one.task != "long_pattern") for one in questions])
    memory = score(run, release, with_clue=Kind.AUDIO).averages.memory["explicit"]
    assert (memory.value, memory.status) == (0.5, FigureStatus.MEASURED)


def test_a_benchmark_without_an_average_of_its_own_has_none() -> None:
    tasks = (TaskLabel("multi_hop", "Multi-hop"), TaskLabel("temporal", "Temporal"))
    release = a_release([a_question("c/0", "multi_hop", "")], tasks=tasks, settings=())
    averages = score(joined(release, [a_record("c/0")]), release).averages
    assert averages.memory == {}
    assert averages.gap is None
    assert averages.macro.value == 1.0


def test_tasks_have_gaps_even_where_the_benchmark_averages_none() -> None:
    tasks = (TaskLabel("multi_hop", "Multi-hop"),)
    questions = [a_question("c/0", "multi_hop"), a_question("c/1", "multi_hop", "implicit")]
    release = a_release(questions, tasks=tasks)
    run = joined(release, [a_record("c/0"), a_record("c/1", False)])
    averages = score(run, release).averages
    assert averages.gap is None
    assert averages.gaps["multi_hop"].value == 1.0


def test_a_benchmark_without_settings_averages_its_tasks() -> None:
    tasks = tuple(TaskLabel(name, name, in_average=True) for name in ("current", "past"))
    questions = [a_question("c/0", "current", ""), a_question("c/1", "past", "")]
    release = a_release(questions, tasks=tasks, settings=())
    run = joined(release, [a_record("c/0"), a_record("c/1", False)])
    averages = score(run, release).averages
    assert averages.memory[""].value == 0.5
    assert averages.gap is None


def test_means_over_tasks_and_systems_are_plain() -> None:
    mean = memory_average({"a": 30.0, "b": 60.0, "x": 1.0}, ["a", "b", "c"])
    assert (mean.value, mean.tasks, mean.missing) == (45.0, ("a", "b"), ("c",))
    assert not mean.complete
    assert ei_gap({"a": 30.0, "b": 60.0}, {"a": 20.0}, ["a", "b"]).value == 10.0
    assert average_over_systems([1.0, 2.0, 6.0]) == 3.0
    assert average_over_systems([]) is None
    assert memory_average({}, ["a"]).value is None


# Repeats


def test_repeats_are_records_of_one_run_and_their_spread_is_given() -> None:
    keys = ["p0/0", "p0/1"]
    rights = {0: [True, True], 1: [True, False], 2: [False, False]}
    scored = score_of(
        [a_question(key) for key in keys],
        [
            a_record(key, right, repeat=repeat)
            for repeat, row in rights.items()
            for key, right in zip(keys, row, strict=True)
        ],
    )
    assert scored.accuracy == Figure(0.5, 6, "correct / judged records")
    assert {repeat: one.value for repeat, one in scored.repeats.items()} == {0: 1.0, 1: 0.5, 2: 0.0}
    assert scored.repeat_sd is not None
    assert scored.repeat_sd.value == pytest.approx(stdev([1.0, 0.5, 0.0]))
    assert scored.repeat_sd.n == 3
    assert scored.without_record == 0


def test_a_single_repeat_has_no_spread() -> None:
    assert score_of([a_question("p0/0")], [a_record("p0/0")]).repeat_sd is None


# Real runs


def test_the_miniature_runs_score_what_their_readme_says() -> None:
    folders = [f"{MINI}/{name}" for name in ("result_debug", "RQ3", "human_baseline_demo")]
    workspace = shared_workspace(MINI, *folders)
    expected = {
        "FUMemory": (2, [1, 0, 1, 0, 0, 0]),
        "LTMemory": (5, [1, 1, 1, 1, 0, 1]),
        "TT": (3, [1, 1, 1, 0, 0, 0]),
        "MM": (5, [1, 1, 1, 1, 1, 0]),
        "human": (5, [1, 1, 1, 1, 0, 1]),
    }
    for name, (correct, cells) in expected.items():
        scored = score(workspace.run(name), workspace.release)
        assert (scored.tally.correct, scored.tally.n) == (correct, 6)
        assert [one.tally.correct for one in scored.cells] == cells
    human = score(workspace.run("human"), workspace.release)
    assert (human.tally.correct_ok, human.tally.n_ok) == (5, 5)


def test_locomo_runs_score_by_category_as_counted_by_hand() -> None:
    workspace = locomo_runs()
    scored = score(workspace.run("zep"), workspace.release)
    cells = {one.number: (one.tally.correct, one.tally.n) for one in scored.cells}
    assert cells == {
        "1": (209, 282),
        "2": (212, 321),
        "3": (65, 96),
        "4": (671, 841),
        "5": (0, 0),
    }
    assert (scored.tally.n, scored.n_release, scored.without_record) == (1540, 1986, 446)


# The record frame

_rows = st.lists(
    st.tuples(
        st.sampled_from([label.task for label in CUE_TASKS]),
        st.sampled_from(["explicit", "implicit", ""]),
        st.sampled_from(["Pets", "Work", ""]),
        st.sampled_from([Kind.IMAGE, Kind.AUDIO, None]),
        st.sampled_from(list(RecordStatus)),
        st.one_of(st.none(), st.sampled_from(list(Value))),
        st.integers(1, 2),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(_rows)
def test_the_frame_and_the_score_count_the_same(
    rows: list[tuple[str, str, str, Kind | None, RecordStatus, Value | None, int]],
) -> None:
    questions, records = [], []
    for i, (task, setting, category, kind, status, value, repeats) in enumerate(rows):
        key = f"p{i % 3}/{i}"
        clues = [] if kind is None else [media_clue(kind, "D00-001", "D00:00")]
        questions.append(a_question(key, task, setting, category=category, clues=clues))
        records += [a_record(key, value, status=status, repeat=r) for r in range(repeats)]
    release = a_release(questions)
    run = joined(release, records)
    scored, frame = score(run, release), record_frame(run)
    assert tuple(frame.columns) == COLUMNS
    assert frame.height == scored.tally.joined
    assert frame["judged"].sum() == scored.tally.n
    assert frame["ok"].sum() == scored.tally.n_ok
    assert frame["right"].sum() == scored.tally.correct
    assert frame["stored_right_on_failure"].sum() == scored.tally.stored_right_on_failure
    for dimension in ("task", "setting", "category", "form", "history"):
        for group in scored.by(dimension):
            part = frame.filter(frame[dimension] == group.name)
            assert (part.height, part["right"].sum()) == (group.tally.joined, group.tally.correct)
    for group in scored.by("clues")[:2]:
        part = frame.filter(frame[f"{group.name}_clue"])
        assert (part.height, part["judged"].sum()) == (group.tally.joined, group.tally.n)
    for cell in scored.cells:
        part = frame.filter((frame["task"] == cell.task) & (frame["setting"] == cell.setting))
        assert part["right"].sum() == cell.tally.correct


def test_the_frame_of_a_run_without_records_has_its_columns() -> None:
    release = a_release([a_question("p0/0")])
    frame = record_frame(joined(release, []))
    assert (frame.height, tuple(frame.columns)) == (0, COLUMNS)


def test_an_empty_tally_has_no_accuracy() -> None:
    assert Tally().accuracy.status is FigureStatus.EMPTY
