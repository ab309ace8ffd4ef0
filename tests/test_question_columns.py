"""Columns of question lists: what there are, what they hold, which are chosen and remembered."""

import csv
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.core.errors import UsageError
from mnemoscope.core.export import export_questions
from mnemoscope.core.model import Question, RecordStatus
from mnemoscope.core.opening import open_workspace
from mnemoscope.core.outcomes import count_outcomes
from mnemoscope.core.question_columns import (
    QuestionColumn,
    chosen_columns,
    is_column_name,
    question_columns,
)
from mnemoscope.core.sorting import sort_questions
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.column_choice import ColumnStore
from mnemoscope.tui.desk import Desk
from mnemoscope.tui.presets import PRESETS, count_presets
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.columns import ColumnsScreen
from mnemoscope.tui.screens.question_rows import QuestionRows, usual_columns
from mnemoscope.viewers.outcomes import counts_text
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, AppPilot, opened, press, screen_text
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace


@pytest.fixture(scope="module")
def sample() -> Workspace:
    return open_workspace(sample_request())


def column(workspace: Workspace, name: str) -> QuestionColumn:
    return chosen_columns(question_columns(workspace), [name])[0]


def small_workspace() -> Workspace:
    release = a_release(a_question(key) for key in ("p0/1", "p0/2", "p0/3"))
    records = [
        a_record("p0/1", True, metrics={"F1": 0.25}),
        a_record("p0/2", False, metrics={"F1": 1}),
        a_record("p0/3", False, status=RecordStatus.TIMEOUT),
    ]
    return a_workspace(release, a_run("one", records), a_run("two", [a_record("p0/1", True)]))


# What there is


def test_every_column_that_can_say_something_is_there_and_no_other(sample: Workspace) -> None:
    names = [one.name for one in question_columns(sample)]
    assert names[:8] == [
        *("id", "history", "question", "task", "setting", "category", "gold", "clues"),
    ]
    assert "asked" not in names
    assert {"A and B", "runs right", "answer of B", "recall of A", "k of B"} <= set(names)
    assert all(map(is_column_name, names))
    small = {one.name for one in question_columns(small_workspace())}
    assert {"F1 of A", "answer of B"} <= small
    assert not {"F1 of B", "recall of A", "category"} & small


def test_columns_say_in_words_in_a_file_and_for_sorting_what_they_hold() -> None:
    workspace = small_workspace()
    one, two, three = workspace.release.questions.values()
    f1 = column(workspace, "F1 of A")
    assert [f1.text(q) for q in (one, two, three)] == ["0.25", "1", "–"]
    assert f1.fields(two) == {"one F1": 1}
    answer = column(workspace, "answer of A")
    assert answer.text(three) == "failed"
    assert answer.fields(three)["one status"] == "timeout"
    right = column(workspace, "runs right")
    assert [right.text(q) for q in (one, two)] == ["2/2", "0/1"]
    keys = list(workspace.release.questions)
    assert sort_questions(workspace, keys, "F1 of A", descending=True) == ["p0/2", "p0/1", "p0/3"]


def test_when_a_question_is_asked_is_a_column_where_releases_say_it() -> None:
    asked = replace(a_question("p0/1"), asked_at=datetime(2025, 3, 1, 9, 30))
    workspace = a_workspace(a_release([asked]))
    assert column(workspace, "asked").text(asked) == "2025-03-01 09:30:00"


def test_recall_says_its_k_and_is_a_number_in_a_file(sample: Workspace) -> None:
    question = next(iter(sample.release.questions.values()))
    recall = column(sample, "recall of A")
    found, _, rest = recall.text(question).partition("/")
    assert rest.endswith("@5")
    assert recall.value(question) == int(found) / int(rest.split()[0])


def test_an_unknown_column_is_named_with_those_there_are(sample: Workspace) -> None:
    with pytest.raises(UsageError, match="no column 'colour'; there are: id, history"):
        chosen_columns(question_columns(sample), ["id", "colour"])


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_a_file_holds_the_key_and_the_columns_asked_for_in_their_order(
    sample: Workspace, tmp_path: Path, suffix: str
) -> None:
    columns = chosen_columns(question_columns(sample), ["gold", "recall of B", "task"])
    keys = list(sample.release.questions)[:3]
    export_questions(sample, keys, columns, tmp_path / f"out{suffix}")
    text = (tmp_path / f"out{suffix}").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines(True))) if suffix == ".csv" else json.loads(text)
    assert list(rows[0]) == ["key", "gold", "BM25RecencyMemory recall", "task"]
    assert [row["key"] for row in rows] == keys


# Outcomes counted


def test_what_failed_is_counted_apart_from_what_is_wrong() -> None:
    run = small_workspace().runs[0]
    counts = count_outcomes(run, ["p0/1", "p0/2", "p0/3", "p0/4"])
    assert counts == {
        "right": 1, "wrong": 1, "unparsed": 0, "failed": 1, "not_judged": 0, "no_record": 1,
    }  # fmt: skip
    assert counts_text(counts) == "1 ✓ 1 ✗ 1 ! 1 –"
    assert counts_text(count_outcomes(run, [])) == "0 ✓ 0 ✗"


def test_failures_and_errors_share_no_question() -> None:
    workspace = small_workspace()
    assert count_presets(workspace) == {
        "all": 3, "failures": 1, "only_b": 0, "only_a": 0, "neither": 0, "errors": 1,
    }  # fmt: skip
    alone = a_workspace(a_release([a_question("p0/1")]))
    assert count_presets(alone) == {"all": 1}
    assert [preset.name for preset in PRESETS][:2] == ["all", "failures"]


# Rows


def test_only_the_rows_that_are_drawn_are_worked_out() -> None:
    asked: list[str] = []

    def text(question: Question) -> str:
        asked.append(question.key)
        return question.key

    release = a_release(a_question(f"p0/{number}") for number in range(2_000))
    desk = Desk(a_workspace(release))
    counting = QuestionColumn("id", "", "id", text, text, lambda question: {})
    rows = QuestionRows(desk, tuple(release.questions), DARK, [counting])
    assert (rows.row_count, asked) == (2_000, [])
    assert rows.cells(1_234) == ["p0/1234"]
    assert asked == ["p0/1234"]


def test_the_usual_columns_are_those_of_a_and_b_only(sample: Workspace) -> None:
    names = [one.name for one in usual_columns(Desk(sample), "questions")]
    assert names == [
        *("history", "question", "task", "setting", "gold"),
        *("answer of A", "answer of B", "recall of A", "recall of B"),
    ]
    assert usual_columns(Desk(sample), "compare")[0].name == "A and B"


# What is remembered


def test_a_choice_is_kept_and_what_is_not_open_is_passed_over(
    sample: Workspace, tmp_path: Path
) -> None:
    store = ColumnStore(tmp_path)
    assert store.choose("questions", ("gold", "answer of C", "id")) == ""
    again = ColumnStore(tmp_path)
    shown = again.shown("questions", question_columns(sample))
    assert [one.name for one in shown] == ["gold", "id"]
    assert (again.take_problem(), again.choice("compare")) == ("", ())
    again.choose("questions", ())
    assert ColumnStore(tmp_path).choice("questions") == ()


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{", "Expecting"),
        ("[]", "expected an object"),
        ('{"questions": "id"}', "questions: expected a list"),
        ('{"questions": []}', "questions: expected a list"),
        ('{"questions": ["id", "colour"]}', "there is no column 'colour'"),
        ('{"questions": [3]}', "there is no column 3"),
    ],
)
def test_a_choice_that_cannot_be_used_is_said_once_and_is_none(
    tmp_path: Path, written: str, said: str
) -> None:
    (tmp_path / "columns.json").write_text(written)
    store = ColumnStore(tmp_path)
    assert store.choice("questions") == ()
    problem = store.take_problem()
    assert said in problem
    assert "columns.json" in problem
    assert problem.endswith("the usual columns are shown.")
    assert store.take_problem() == ""


def test_a_choice_that_cannot_be_kept_holds_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file where the folder should be")
    store = ColumnStore(tmp_path / "state")
    store.take_problem()
    assert store.choose("questions", ("id",)).startswith("The choice holds until you leave")
    assert store.choice("questions") == ("id",)


# On the screen


def header(app: MnemoscopeApp) -> list[str]:
    """The titles of the list's columns."""
    return [one.title for one in app.screen.query_one(VirtualList).source.columns]


async def choose_gold_first(app: MnemoscopeApp, pilot: AppPilot) -> None:
    await press(app, pilot, "L", "c", "down", "down", "down", "down")
    await press(app, pilot, *("left_square_bracket",) * 4, "down", "space")


async def test_columns_are_hidden_and_moved_by_key_and_come_back_after_a_restart() -> None:
    async with opened() as (app, pilot):
        await choose_gold_first(app, pilot)
        assert isinstance(app.screen, ColumnsScreen)
        await press(app, pilot, "escape")
        assert header(app)[:3] == ["gold", "question", "task"]
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        assert header(app)[:3] == ["gold", "question", "task"]
        await press(app, pilot, "c", "u", "escape")
        assert header(app)[:3] == ["history", "question", "task"]


async def test_columns_are_chosen_with_the_mouse() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        footer = screen_text(app).splitlines()[-1]
        await pilot.click(offset=(footer.index("columns"), app.size.height - 1))
        await press(app, pilot)
        assert isinstance(app.screen, ColumnsScreen)
        rows = app.screen.query_one(VirtualList)
        await pilot.click(rows, offset=(6, 3))
        await pilot.click(rows, offset=(6, 3))
        await press(app, pilot)
        footer = screen_text(app).splitlines()[-1]
        await pilot.click(rows, offset=(6, 5))
        await pilot.click(offset=(footer.index("earlier"), app.size.height - 1))
        await press(app, pilot, "escape")
        assert header(app)[:4] == ["history", "question", "gold", "setting"]


async def test_the_last_column_stays() -> None:
    async with opened() as (app, pilot):
        app.column_store.choose("questions", ("gold",))
        await press(app, pilot, "L", "c", "space", "escape")
        assert header(app) == ["gold"]


async def test_a_column_that_is_sorted_by_and_not_shown_is_said() -> None:
    async with opened() as (app, pilot):
        app.column_store.choose("questions", ("question", "recall of A"))
        await press(app, pilot, "L")
        rows = app.screen.query_one(VirtualList)
        await pilot.click(rows, offset=(app.size.width - 6, 0))
        await press(app, pilot)
        assert "by recall of A ↑" in screen_text(app)
        assert "(hidden)" not in screen_text(app)
        app.column_store.choose("questions", ("question",))
        await press(app, pilot, "L")
        await press(app, pilot, "1")
        assert "by recall of A ↑ (hidden)" in screen_text(app)


async def test_chosen_columns_that_do_not_fit_are_counted_in_the_header() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "L")
        assert "too many for the width" not in screen_text(app)
        names = [one.name for one in app.opened_desk.columns]
        app.column_store.choose("questions", tuple(names))
        await press(app, pilot, "1")
        assert "columns too many for the width" in screen_text(app)
        assert header(app)[0] == "id"


async def test_hiding_a_column_takes_no_answer_off_a_narrow_screen() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "L", "c", "space", "escape")
        assert screen_text(app).splitlines()[3].split()[0] == "question"
        assert "B BM25" in screen_text(app).splitlines()[3]


async def test_an_unusable_choice_is_one_note_and_the_usual_columns(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "columns.json").write_text('{"questions": ["colour"]}')
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "1")
        assert header(app)[:2] == ["history", "question"]
        notes = [note.message for note in app._notifications if note.title == "Columns"]
        assert len(notes) == 1
        assert "there is no column 'colour'" in notes[0]


async def test_the_list_of_the_comparison_has_columns_of_its_own() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "C", "c", "down", "space", "escape")
        differing = app.screen.query_one("#differing", VirtualList)
        assert [one.title for one in differing.source.columns] == ["A B", "task"]
        await press(app, pilot, "L")
        assert header(app)[:2] == ["history", "question"]


async def test_the_copied_command_prints_the_same_list() -> None:
    async with opened() as (app, pilot):
        app.column_store.choose("questions", ("id", "gold"))
        await press(app, pilot, "L", "2")
        commands = dict(app.screen.copies())  # type: ignore[attr-defined]
        assert "matrix" in commands["command"]
        assert "--columns=id,gold" in commands["command"]
        assert "--filter=sys:A.wrong !sys:A.unparsed|error" in commands["command"].replace("'", "")


async def test_an_export_asks_for_the_columns_shown_or_everything(tmp_path: Path) -> None:
    async with opened() as (app, pilot):
        app.column_store.choose("questions", ("gold",))
        await press(app, pilot, "L", "2", "E")
        assert "the key, then gold" in screen_text(app)
        for keys, name in ((("enter",), "shown.json"), (("E", "down", "enter"), "all.json")):
            await press(app, pilot, *keys)
            for char in str(tmp_path / name):
                await pilot.press(char)
            await press(app, pilot, "enter")
    shown, everything = (
        json.loads((tmp_path / name).read_text(encoding="utf-8"))[0]
        for name in ("shown.json", "all.json")
    )
    assert list(shown) == ["key", "gold"]
    assert everything.keys() >= {"key", "question", "LTMemory answer", "BM25RecencyMemory k"}


async def test_presets_show_their_counts_and_can_be_clicked() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        line = screen_text(app).splitlines()[2]
        assert "2 failures 24" in line
        assert "6 errors 1" in line
        await pilot.click(offset=(line.index("errors"), 2))
        await press(app, pilot)
        assert "1 of 59" in screen_text(app)
        assert "A LTMemory 0 ✓ 0 ✗ 1 ~" in screen_text(app)


async def test_a_saved_filter_shows_both_runs_and_can_be_forgotten() -> None:
    SavedFilters().try_save("mine", "sys:A.unparsed|error")
    SavedFilters().try_save("theirs", "task:nothing_like_it")
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "w")
        text = screen_text(app)
        assert "0 ✓ 0 ✗ 1 ~" in text
        assert "does not fit here" in text
        await press(app, pilot, "down", "delete")
        assert "theirs" not in screen_text(app).split("Saved filters")[1].split("forgotten")[0]
        assert dict(SavedFilters().load()) == {"mine": "sys:A.unparsed|error"}
