"""The mouse reaches what the keys reach, and every empty place says why it is empty."""

from collections.abc import Sequence

import pytest

from mnemoscope.core.audio import Phase, Playback
from mnemoscope.core.model import Question, Value
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import Action
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.bars import FooterBar, PaneBar
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.base import PaneScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.pane_help import PaneHelpScreen
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import (
    WALK,
    WIDE,
    AppPilot,
    act,
    notices,
    opened,
    press,
    request_for,
    screen_text,
    settled,
)
from tests.workspace_data import a_question, a_record, a_release, a_run, a_workspace


@pytest.mark.parametrize("where", WALK)
async def test_every_key_in_the_footer_can_be_clicked(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(request_for(where), size=(200, 40)) as (app, pilot):
        await act(app, pilot, *WALK[where])
        ran: list[Action] = []

        async def run(action: Action) -> None:
            ran.append(action)

        monkeypatch.setattr(app, "run_registered", run)
        spans = app.screen.query_one(FooterBar)._spans
        assert spans
        for start, _, action in spans:
            await pilot.click(offset=(start, 39))
            await pilot.pause()
            assert ran[-1:] == [action]


PANED = ["history", "question", "compare", "joins", "configuration", "ledger", "ledger beside"]


@pytest.mark.parametrize("where", PANED)
async def test_every_pane_can_be_gone_to_by_its_name_and_by_key(where: str) -> None:
    async with opened(request_for(where), size=(200, 40)) as (app, pilot):
        await act(app, pilot, *WALK[where])
        screen = app.screen
        assert isinstance(screen, PaneScreen)
        spans = screen.query_one(PaneBar)._spans
        for start, _, pane in spans:
            await pilot.click(PaneBar, offset=(start, 0))
            await settled(app, pilot)
            assert screen.focused is not None
            assert screen.focused.id == pane
        seen = set()
        for _ in spans:
            await press(app, pilot, "tab")
            seen.add(screen.focused.id if screen.focused is not None else "")
        assert seen == {pane for _, _, pane in spans}


async def click_twice(app: MnemoscopeApp, pilot: AppPilot, page: Page, target: object) -> None:
    """Click a part of a page, and again once it cannot be a double click."""
    stop = next(one for one in page._stops if one.target == target)
    for _ in range(2):
        await pilot.click(page, offset=(10, stop.first - page.scroll_offset.y))
        await pilot.pause(0.6)
    await settled(app, pilot)


async def test_a_clue_leads_to_its_round_by_mouse() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        page = app.screen.query_one("#question", Page)
        target = next(one for one in page.targets if isinstance(one, tuple) and one[0] == "round")
        await click_twice(app, pilot, page, target)
        assert isinstance(app.screen, HistoryScreen)
        assert app.opened_desk.round_id == target[1]


@pytest.mark.parametrize("keys", [("L", "A"), ("ctrl+g",), ("f1",), ("question_mark",)])
async def test_a_click_beside_a_dialog_leaves_it(keys: Sequence[str]) -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, *keys)
        assert isinstance(app.screen, Chooser | Prompt | PaneHelpScreen)
        dialog = app.screen
        await pilot.click(".dialog", offset=(3, 0))
        await settled(app, pilot)
        assert app.screen is dialog
        await pilot.click(offset=(1, 1))
        await settled(app, pilot)
        assert app.screen is not dialog


async def test_a_sound_is_played_and_sought_by_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened() as (app, pilot):
        history, one = next(
            (history, one)
            for history in app.opened_desk.workspace.release.histories.values()
            for one in history.rounds
            if any(item.kind == "audio" for item in one.attachments)
        )
        app.show_round(history.id, one.id)
        await settled(app, pilot)
        bar = app.screen.query_one(ClipBar)
        assert bar.clip is not None
        toggled: list[str] = []
        monkeypatch.setattr(app, "toggle_sound", lambda clip, _: toggled.append(clip.file))
        await pilot.click(ClipBar, offset=(10, 1))
        assert toggled == [bar.clip.file]
        playing = Playback(Phase.PLAYING, bar.clip.file, position=1.0, seconds=10.0)
        monkeypatch.setattr(MnemoscopeApp, "playback", playing)
        sought: list[float] = []
        monkeypatch.setattr(app.player, "seek", lambda by: sought.append(by))
        width = bar.size.width
        await pilot.click(ClipBar, offset=(1 + (width - 2) // 2, 0))
        assert sought == [pytest.approx(4.0, abs=0.2)]
        assert toggled == [bar.clip.file]


async def with_questions(
    app: MnemoscopeApp, questions: Sequence[Question], *values: Value | bool | None
) -> None:
    """Put an invented release on the desk, with a run for each value."""
    release = a_release(questions)
    runs = [
        a_run(f"run{n}", [a_record(one.key, value) for one in questions])
        for n, value in enumerate(values)
    ]
    app.opened_desk.workspace = a_workspace(release, *runs)
    app.opened_desk.selection.keys = tuple(release.questions)


async def test_a_list_that_is_empty_for_another_reason_says_which() -> None:
    async with opened() as (app, pilot):
        await with_questions(app, [a_question("p0/q")], None, None)
        await press(app, pilot, "M")
        rows = app.screen.query_one("#rows", VirtualList)
        assert "No answer of any run is judged" in rows.empty_text
        await press(app, pilot, "escape")
        await with_questions(app, [a_question("p0/q")], None, True)
        await press(app, pilot, "M")
        assert "set aside A: nothing judged" in screen_text(app)
        assert "1/1  question p0/q" in screen_text(app)
        await press(app, pilot, "C")
        assert "no answer is judged" in app.screen.query_one(VirtualList).empty_text
        assert "No question is listed. p shows" in screen_text(app)


async def test_a_release_without_questions_or_histories_says_so() -> None:
    async with opened() as (app, pilot):
        await with_questions(app, [], True, True)
        await press(app, pilot, "H")
        assert "The release has no histories." in notices(app)
        await press(app, pilot, "L")
        assert "The release has no questions." in screen_text(app)


async def test_a_release_without_runs_says_how_to_open_some() -> None:
    async with opened(OpenRequest(sample_request().release), size=WIDE) as (app, _):
        said = " ".join(screen_text(app).split())
        assert "esc leads to the start screen, where o opens a release with runs" in said
