"""A person answers in the app."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mnemoscope.core.answers.book import AnswerBook
from mnemoscope.core.answers.store import load_answers
from mnemoscope.core.answers.views import View
from mnemoscope.core.model import Option
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import actions_of
from mnemoscope.tui.answering import Answering, option_keys
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.recent import RecentStore
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.answer import AnswerScreen
from mnemoscope.tui.screens.answer_summary import AnswerSummaryScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.viewers.page import Page
from tests.answer_data import CAPTION, HIDDEN, joined, marked_release
from tests.app_driver import WIDE, AppPilot, act, notices, press, screen_text, settled
from tests.cli_data import write_release
from tests.workspace_data import SHARED, a_question

VIEWS = {view: ["down"] * place for place, view in enumerate(View)}
NEXT, BACK = "right_square_bracket", "left_square_bracket"


@asynccontextmanager
async def app_on(
    folder: Path, request: OpenRequest, *keys: str, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[MnemoscopeApp, AppPilot]]:
    """An app that remembers, after some keys."""
    app = MnemoscopeApp(
        request, recent=RecentStore(folder / "state"), answers_folder=folder / "answers"
    )
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        await press(app, pilot, *keys)
        yield app, pilot


def marked(folder: Path) -> OpenRequest:
    """The release in which all that is hidden says so."""
    path = folder / "release"
    return OpenRequest(path if path.exists() else marked_release(path))


def work_of(app: MnemoscopeApp) -> Answering:
    assert app.answering is not None
    return app.answering


def book_of(app: MnemoscopeApp, folder: Path) -> AnswerBook:
    """What is on the disk."""
    release = app.opened_desk.workspace.release
    return load_answers(release, folder / "answers").books["ann"]


def begin(view: View) -> list[str]:
    """Keys by which somebody new begins to answer in a view, about the first or only history."""
    return ["R", *"ann", "enter", *VIEWS[view], "enter"]


@pytest.mark.parametrize(
    ("view", "size"), [*((view, WIDE) for view in View), (View.FULL_MULTIMODAL, (64, 20))]
)
async def test_nothing_that_is_drawn_tells_the_answer_before_the_end(
    tmp_path: Path, view: View, size: tuple[int, int]
) -> None:
    seen: list[str] = []

    async with app_on(tmp_path, marked(tmp_path), *begin(view), size=size) as (app, pilot):

        async def look(keys: str) -> None:
            for key in keys.split():
                await press(app, pilot, key)
                seen.append(screen_text(app) + notices(app))
                while not isinstance(app.screen, AnswerScreen):
                    await press(app, pilot, "escape")

        assert work_of(app).view is view
        for _ in range(3):
            await look("w tab end right_curly_bracket s tab end b J y z p f1")
            await look(NEXT)
        await look("question_mark ctrl+p O H L C M t P ctrl+g left_parenthesis h V F I")
        await look("number_sign D")
        assert isinstance(app.screen, AnswerScreen)
    text = "\n".join(seen)
    assert not [word for word in HIDDEN if word in text.replace("ZZname", "")]
    assert (CAPTION in text) == view.is_text
    assert "What goes with it?" in text


async def test_no_action_leads_away_from_where_one_answers_unless_it_is_known_to_show_nothing(
    tmp_path: Path,
) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, pilot):
        works = {one.name for one in actions_of("app") if not app.why_not(one.name)}
        assert works == {
            *("help", "pane_help", "command_palette", "back", "leave", "quit", "next_theme"),
            *("copy_menu", "reload"),
        }
        await act(app, pilot, "app.tally")
        assert "must not see that" in notices(app)
        assert isinstance(app.screen, AnswerScreen)


async def test_letters_and_clicks_choose_options_and_each_answer_is_on_the_disk_at_once(
    tmp_path: Path,
) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, pilot):
        work = work_of(app)
        for key, label in (("b", "B"), ("C", "C"), ("a", "A"), ("D", "D")):
            await press(app, pilot, key)
            given = book_of(app, tmp_path).given(View.FULL_TEXT, work.question.key)
            assert given.answer == label
        page = app.screen.query_one("#question", Page)
        lines = [line.strip() for line in screen_text(app).splitlines()]
        row = next(i for i, line in enumerate(lines) if "YYoption B" in line)
        await pilot.click(page, offset=(6, row - page.region.y))
        await settled(app, pilot)
        assert work.answer_here == "B"
        assert "■ B chosen" in screen_text(app)
        await press(app, pilot, "x")
        assert book_of(app, tmp_path).given(View.FULL_TEXT, work.question.key).answer == ""


async def test_a_click_on_a_picture_chooses_it(tmp_path: Path) -> None:
    keys = [*begin(View.FULL_MULTIMODAL), "enter"]
    async with app_on(tmp_path, sample_request(), *keys) as (app, pilot):
        page = app.screen.query_one("#question", Page)
        assert work_of(app).question.options[0].attachment is not None
        rows = [i for i, line in enumerate(screen_text(app).splitlines()) if "▀" in line[-20:]]
        for row, column, label in (
            (rows[1], 5, "A"),
            (rows[1], page.size.width - 6, "B"),
            (rows[-1], 5, "C"),
            (rows[-1], page.size.width - 6, "D"),
        ):
            await pilot.click(page, offset=(column, row - page.region.y))
            await settled(app, pilot)
            assert work_of(app).answer_here == label


async def test_one_goes_on_at_the_question_where_one_left_off(tmp_path: Path) -> None:
    request = marked(tmp_path)
    async with app_on(tmp_path, request, *begin(View.ORACLE_TEXT)) as (app, pilot):
        await press(app, pilot, "a", NEXT, "b", NEXT, BACK)
    async with app_on(tmp_path, request, "R") as (app, pilot):
        work = work_of(app)
        assert (work.participant, work.view) == ("ann", View.ORACLE_TEXT)
        assert (work.cursor, work.count) == (2, 2)
        await press(app, pilot, BACK)
        assert work.answer_here == "B"


async def test_clues_are_folded_until_they_are_opened(tmp_path: Path) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.ORACLE_TEXT)) as (app, pilot):
        text = screen_text(app)
        assert "2 clues" in text
        assert "YYdesk" not in text
        await press(app, pilot, "tab", "enter")
        assert "YYdesk" in screen_text(app)
        assert "YYgood night" not in screen_text(app)
        await press(app, pilot, "w")
        assert "YYgood night" in screen_text(app)
        await press(app, pilot, NEXT, NEXT)
        assert "No evidence is given" in screen_text(app)
        await press(app, pilot, "slash")
        assert "An oracle view has only what the clues name." in notices(app)


async def test_the_dialogue_stays_where_it_was_read_while_questions_change(tmp_path: Path) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, pilot):
        await press(app, pilot, "right_curly_bracket", "full_stop")
        assert "Tea, please." in screen_text(app)
        dialogue = app.screen.query_one("#dialogue", Page)
        places = [dialogue.target]
        await press(app, pilot, NEXT)
        places.append(dialogue.target)
        await press(app, pilot, "slash", *"ferns", "enter")
        assert [*places, dialogue.target] == ["S2:2", "S2:2", "S1:1"]


async def test_at_the_end_accuracy_is_shown_and_a_submission_opens_as_a_run(tmp_path: Path) -> None:
    keys = begin(View.FULL_TEXT)
    async with app_on(tmp_path, marked(tmp_path), *keys) as (app, pilot):
        await press(app, pilot, "c", "p")
        assert "1 of 3 answered" in screen_text(app)
        assert "Long pattern" not in screen_text(app)
        await press(app, pilot, "escape", NEXT, "b", NEXT, "c")
        assert "All are answered" in notices(app)
        await press(app, pilot, "F")
        assert isinstance(app.screen, Chooser)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, AnswerSummaryScreen)
        text = screen_text(app)
        assert "3 of 3 answered" in text
        assert "66.7 %" in text
        assert "Answer refusal" in text
        await press(app, pilot, "escape", "a")
        assert "finished here" in notices(app)
        assert work_of(app).answer_here == "C"
        (run,) = joined(app.opened_desk.workspace.release, tmp_path / "answers" / "submissions")
        assert [entry.judgement.right for entry in run.entries] == [True, True, False]
        await press(app, pilot, "O")
        assert isinstance(app.screen, OverviewScreen)


async def test_an_end_before_all_is_answered_has_to_be_meant(tmp_path: Path) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, pilot):
        await press(app, pilot, "c", "F", "enter")
        assert not work_of(app).finished
        await press(app, pilot, "F", "up", "enter")
        assert work_of(app).finished
        assert "2 questions without an answer" in screen_text(app)


async def test_a_question_without_options_takes_typed_text(tmp_path: Path) -> None:
    path = SHARED / "data/locomo/locomo10.json"
    if not path.exists():
        pytest.skip("needs the shared LoCoMo data")
    async with app_on(tmp_path, OpenRequest(path), "R", *"ann", "enter") as (app, pilot):
        assert "none of the 1,226 pictures" in screen_text(app)
        await press(app, pilot, "enter", "enter")
        assert work_of(app).view is View.FULL_TEXT
        await press(app, pilot, "i", *"7 May", "enter")
        key = work_of(app).question.key
        assert book_of(app, tmp_path).given(View.FULL_TEXT, key).answer == "7 May"
        await press(app, pilot, "i", *" 2023", "escape")
        assert work_of(app).answer_here == "7 May"
        await press(app, pilot, "u", BACK)
        assert "■  7 May" in screen_text(app)


async def test_a_view_that_makes_no_sense_says_why_and_another_is_asked_for(tmp_path: Path) -> None:
    from tests.cli_data import release

    data = release()
    for asked in data["human-annotated QAs"]:
        asked["clue"] = []
    path = write_release(tmp_path / "bare", data)
    keys = ["R", *"ann", "enter", *VIEWS[View.ORACLE_TEXT], "enter"]
    async with app_on(tmp_path, OpenRequest(path), *keys) as (app, pilot):
        assert "no clue of these questions leads anywhere" in notices(app)
        assert isinstance(app.screen, Chooser)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, OverviewScreen)
        assert app.answering is None


async def test_an_answer_that_cannot_be_written_is_kept_and_another_folder_offered(
    tmp_path: Path,
) -> None:
    (tmp_path / "answers").write_text("a file")
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, pilot):
        await press(app, pilot, "b")
        assert isinstance(app.screen, Prompt)
        assert work_of(app).answer_here == "B"
        await press(app, pilot, *str(tmp_path / "other"), "enter")
        assert not work_of(app).journal.pending
        release = app.opened_desk.workspace.release
        book = load_answers(release, tmp_path / "other").books["ann"]
        assert book.given(View.FULL_TEXT, work_of(app).question.key).answer == "B"


async def test_the_copied_command_lists_the_answers(tmp_path: Path) -> None:
    async with app_on(tmp_path, marked(tmp_path), *begin(View.FULL_TEXT)) as (app, _):
        assert isinstance(app.screen, AnswerScreen)
        ((name, command),) = app.screen.copies()
        assert name == "command"
        assert command == f"mnemoscope answers list {tmp_path / 'release'}"


def test_time_counts_while_a_question_is_seen(tmp_path: Path) -> None:
    from tests.answer_data import opened_release

    release = opened_release(tmp_path / "release")
    now = [0.0]
    journal = load_answers(release, tmp_path / "answers").journal("ann")
    view = View.FULL_TEXT
    work = Answering(release, journal, view, ["p0"], release.textualisation, clock=lambda: now[0])
    first, second, _ = work.questions
    work.begin()
    now[0] = 10
    work.answer("A")
    now[0] = 13
    work.go_to(1)
    now[0] = 50  # Nobody looks: a dialog is in front.
    work.begin()
    now[0] = 54
    work.pause()
    journal.close()
    assert journal.book.given(view, first.key).seconds == 13
    assert journal.book.given(view, second.key).seconds == 4


def test_a_letter_means_the_option_that_it_labels() -> None:
    lettered = replace(a_question("q"), options=(Option("A"), Option("C")))
    assert option_keys(lettered) == {"a": "A", "c": "C"}
    numbered = replace(a_question("q"), options=(Option("1"), Option("(b)")))
    assert option_keys(numbered) == {"a": "1", "b": "(b)"}


def test_a_submission_is_json_that_any_strict_reader_takes(tmp_path: Path) -> None:
    from tests.answer_data import opened_release

    release = opened_release(tmp_path / "release")
    journal = load_answers(release, tmp_path / "answers").journal("a\ud83d")
    work = Answering(release, journal, View.FULL_TEXT, ["p0"], release.textualisation)
    work.answer("A")
    (written,) = work.finish()
    journal.close()
    assert json.loads(written.path.read_text(encoding="utf-8"))["total"] == 3
