"""Back and forward through the places where one has been."""

import json
import shutil
from pathlib import Path

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.compare import CompareScreen
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.matrix import MatrixScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.tui.screens.start import StartScreen
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import SMALL, WIDE, AppPilot, notices, opened, press, screen_text, settled

BACK, ON = "left_parenthesis", "right_parenthesis"


def where(app: MnemoscopeApp) -> tuple[str, str]:
    """The kind of screen, and the round or the question on it."""
    desk, screen = app.opened_desk, app.screen
    if isinstance(screen, HistoryScreen):
        return "round", f"{desk.history_id} {desk.round_id}"
    if isinstance(screen, QuestionScreen):
        return "question", desk.walk.key or ""
    return type(screen).__name__, ""


async def jump_about(app: MnemoscopeApp, pilot: AppPilot) -> list[tuple[str, str]]:
    """From the overview to a question, to a round, to a question that rests on it, to an id."""
    places = [where(app)]
    await press(app, pilot, "L", "3")
    places.append(where(app))
    await press(app, pilot, "enter")
    places.append(where(app))
    page = app.screen.query_one("#question", Page)
    page.move_to(page.targets[0])
    await press(app, pilot, "enter")
    places.append(where(app))
    inspector = app.screen.query_one("#inspector", Page)
    inspector.move_to(inspector.targets[-1])
    inspector.focus()
    await press(app, pilot, "enter")
    places.append(where(app))
    await press(app, pilot, "ctrl+g", "p", "1", "space", "D", "0", "2", "enter")
    places.append(where(app))
    return places


async def test_one_goes_back_and_forward_through_every_place() -> None:
    async with opened() as (app, pilot):
        places = await jump_about(app, pilot)
        assert len(set(places)) == 6
        for place in places[-2::-1]:
            await press(app, pilot, BACK)
            assert where(app) == place
        for place in places[1:]:
            await press(app, pilot, ON)
            assert where(app) == place


async def test_the_ends_of_the_trail_are_said_and_change_nothing() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, BACK)
        assert "no place before" in notices(app)
        await press(app, pilot, "L", ON)
        assert "no place after" in notices(app)
        assert isinstance(app.screen, QuestionsScreen)


async def test_going_somewhere_else_after_going_back_forgets_what_was_ahead() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "H", BACK, "M", ON)
        assert isinstance(app.screen, MatrixScreen)
        await press(app, pilot, BACK, BACK)
        assert isinstance(app.screen, OverviewScreen)


async def test_stepping_about_in_one_place_is_no_place_of_its_own_and_is_kept() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "full_stop", "full_stop", "right_curly_bracket", "O")
        await press(app, pilot, BACK)
        assert where(app) == ("round", "p0 D01:00")
        await press(app, pilot, BACK)
        assert isinstance(app.screen, OverviewScreen)


async def test_escape_goes_back_in_the_trail_so_that_forward_undoes_it() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "enter", "escape", "escape")
        assert isinstance(app.screen, OverviewScreen)
        await press(app, pilot, ON)
        assert isinstance(app.screen, QuestionsScreen)
        await press(app, pilot, ON)
        assert isinstance(app.screen, QuestionScreen)


async def test_escape_after_going_back_leads_to_where_one_had_come_from() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "2", "down", "enter", "O", BACK)
        assert isinstance(app.screen, QuestionScreen)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, QuestionsScreen)
        assert "24 of 59" in screen_text(app)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, OverviewScreen)
        await press(app, pilot, ON)
        assert isinstance(app.screen, QuestionsScreen)
        await press(app, pilot, ON, "escape", "escape")
        assert isinstance(app.screen, OverviewScreen)


async def test_escape_leads_back_from_a_dialog_of_a_screen_the_trail_led_to() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "M", "enter", "H", "O", BACK)
        assert app.screen.SCOPE == "history"  # type: ignore[attr-defined]
        await press(app, pilot, "y", "escape", "J", "escape", "escape")
        assert isinstance(app.screen, QuestionScreen)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, MatrixScreen)
        await press(app, pilot, "escape")
        assert isinstance(app.screen, OverviewScreen)


async def test_coming_back_restores_where_every_pane_stood() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "L", "2", "enter", "tab", "j", "j", "j")
        page = app.screen.query_one("#run-a", Page)
        stood = page.standing
        assert stood != (None, 0)
        await press(app, pilot, "O", BACK)
        assert isinstance(app.screen, QuestionScreen)
        page = app.screen.query_one("#run-a", Page)
        target, line = page.standing
        assert target == stood[0]
        # The sound bar beneath takes its rows when the screen is there: a page may make room.
        assert abs(line - stood[1]) <= 2
        assert app.screen.focused is page


async def test_coming_back_to_a_list_restores_its_filter_and_its_row() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "2", "down", "down", "down", "H")
        app.opened_desk.selection.filter = ""
        await press(app, pilot, BACK)
        assert "24 of 59" in screen_text(app)
        assert app.screen.query_one(VirtualList).cursor == 3


async def test_coming_back_to_a_comparison_restores_runs_set_and_row() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "C", "4", "down", "down", "enter")
        question = where(app)
        await press(app, pilot, "s", "O", BACK, BACK)
        assert isinstance(app.screen, CompareScreen)
        text = screen_text(app)
        assert "8 only A right" in text
        assert text.startswith(" A LTMemory")
        assert app.screen.query_one("#differing", VirtualList).cursor == 2
        await press(app, pilot, ON)
        assert where(app) == question
        assert app.opened_desk.pair[0].name == "BM25RecencyMemory"


async def test_the_configuration_beside_a_comparison_is_there_again() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "C", "down", "p", "escape", ON)
        assert isinstance(app.screen, CompareScreen)
        assert "Configuration" in screen_text(app)
        assert app.screen.query_one("#differing", VirtualList).cursor == 1


async def test_a_question_reached_from_the_matrix_is_walked_through_its_own_list() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "M", "5", "down", "enter")
        place, keys = where(app), tuple(app.opened_desk.walk.keys)
        await press(app, pilot, "L", "1", BACK)
        assert where(app) == place
        assert tuple(app.opened_desk.walk.keys) == keys
        await press(app, pilot, BACK)
        assert isinstance(app.screen, MatrixScreen)
        assert app.screen.query_one("#rows", VirtualList).cursor == 1


async def test_another_history_chosen_is_another_place() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "full_stop", "h", "p", "1", "enter", BACK)
        assert where(app) == ("round", "p0 D00:01")
        await press(app, pilot, ON)
        assert where(app) == ("round", "p1 D00:00")


async def test_a_raw_view_is_no_place_and_the_place_below_it_is_kept() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "full_stop", "J", "O", BACK)
        assert where(app) == ("round", "p0 D00:01")


async def test_recent_places_are_listed_and_gone_to() -> None:
    async with opened() as (app, pilot):
        places = await jump_about(app, pilot)
        await press(app, pilot, "P")
        assert isinstance(app.screen, Chooser)
        text = screen_text(app)
        for said in (
            "Where you have been",
            "here",
            "Overview",
            "sys:A.wrong sys:B.right",
            "p1 D02",
        ):
            assert said in text
        await press(app, pilot, "down", "down", "enter")
        assert where(app) == places[-3]
        await press(app, pilot, ON)
        assert where(app) == places[-2]


async def test_the_start_screen_leads_back_to_where_one_was() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "O", "escape", "escape")
        assert isinstance(app.screen, StartScreen)
        await press(app, pilot, BACK)
        assert isinstance(app.screen, OverviewScreen)


async def test_without_a_place_the_keys_say_so() -> None:
    app = MnemoscopeApp(remember=False)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await press(app, pilot, "P")
        assert "nowhere yet" in notices(app)


def _without(release: Path, round_id: str) -> None:
    """Take a round out of the release's files."""
    for file in release.rglob("*.json"):
        text = file.read_text(encoding="utf-8")
        if round_id in text:
            data = json.loads(text)
            file.write_text(json.dumps(_pruned(data, round_id)), encoding="utf-8")


def _pruned(value: object, round_id: str) -> object:
    if isinstance(value, list):
        return [
            _pruned(one, round_id)
            for one in value
            if not (isinstance(one, dict) and one.get("round") == round_id)
        ]
    if isinstance(value, dict):
        return {name: _pruned(one, round_id) for name, one in value.items()}
    return value


async def test_a_place_that_is_gone_after_reading_again_is_skipped_with_a_word(
    tmp_path: Path,
) -> None:
    shutil.copytree(sample_request().release, tmp_path / "cue")
    async with opened(OpenRequest(tmp_path / "cue")) as (app, pilot):
        await press(app, pilot, "L", "H", "full_stop", "full_stop")
        gone = app.opened_desk.round_id
        _without(tmp_path / "cue", gone)
        await press(app, pilot, "ctrl+r")
        assert gone not in app.opened_desk.workspace.release.histories["p0"].round_by_id
        await press(app, pilot, BACK)
        assert isinstance(app.screen, QuestionsScreen)
        assert f"Not there any more: round {gone} of p0." in notices(app)
        await press(app, pilot, ON)
        assert isinstance(app.screen, OverviewScreen)


async def test_a_place_in_another_release_opens_it_again(tmp_path: Path) -> None:
    shutil.copytree(sample_request().release, tmp_path / "copy")
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "full_stop")
        app.open(OpenRequest(tmp_path / "copy"))
        await settled(app, pilot)
        assert not app.opened_desk.workspace.runs
        await press(app, pilot, "P")
        assert "cue" in screen_text(app)
        await press(app, pilot, "escape", BACK)
        assert where(app) == ("round", "p0 D00:01")
        assert len(app.opened_desk.workspace.runs) == 2
        await press(app, pilot, ON)
        assert isinstance(app.screen, OverviewScreen)
        assert not app.opened_desk.workspace.runs


async def test_the_keys_can_be_found_and_run_from_the_palette() -> None:
    async with opened() as (app, pilot):
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert "app: place before" not in titles
        await press(app, pilot, "L")
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert {"app: place before", "app: places …"} <= set(titles)
        assert "app: place after" not in titles


async def test_a_click_on_the_header_lists_where_one_has_been() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        await pilot.click(offset=(20, 0))
        await settled(app, pilot)
        assert "Where you have been" in screen_text(app)


async def test_a_report_in_the_list_of_places_says_which_run_it_is_about() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "u", "down", "O", "p", "P")
        text = screen_text(app)
        assert "Configuration" in text
        assert "Joins          BM25RecencyMemory" in text
