"""Keys that come in one piece, as from a paste or over a slow line."""

import pytest
from textual.events import Key, Paste
from textual.keys import _character_to_key
from textual.widgets import Input

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.overview import OverviewScreen
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import AppPilot, opened, press, screen_text, settled


async def at_once(app: MnemoscopeApp, pilot: AppPilot, typed: str, *keys: str) -> None:
    """Send keys without waiting between them: characters, then named ones."""
    for char in typed:
        app.post_message(Key(char if char.isalnum() else _character_to_key(char), char))
    for key in keys:
        app.post_message(Key(key, None))
    await settled(app, pilot)


@pytest.mark.parametrize("way", ["H", "L", "C"])
async def test_what_is_typed_with_the_search_key_goes_to_the_line(way: str) -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, way)
        scope = app.screen.SCOPE  # type: ignore[attr-defined]
        await at_once(app, pilot, "/tJq tOH")
        assert scope == app.screen.SCOPE  # type: ignore[attr-defined]
        line = app.focused
        assert isinstance(line, Input)
        assert line.value == "tJq tOH"


async def test_keys_find_the_screen_that_the_key_before_led_to() -> None:
    async with opened() as (app, pilot):
        await at_once(app, pilot, "L/kettle", "enter")
        assert isinstance(app.screen, QuestionsScreen)
        assert app.opened_desk.selection.filter == "kettle"
        await at_once(app, pilot, "jj", "enter")
        assert isinstance(app.screen, QuestionScreen)
        assert app.opened_desk.walk.cursor == min(2, len(app.opened_desk.walk.keys) - 1)


async def test_keys_find_the_dialog_that_the_key_before_opened() -> None:
    async with opened() as (app, pilot):
        app.post_message(Key("ctrl+g", None))
        await at_once(app, pilot, "p1 D02", "enter")
        assert isinstance(app.screen, HistoryScreen)
        assert app.opened_desk.history_id == "p1"
        assert app.opened_desk.round_id == "D02:00"


async def test_a_paste_right_after_the_search_key_goes_to_the_line() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H")
        app.post_message(Key("slash", "/"))
        app.post_message(Paste("green tea"))
        await settled(app, pilot)
        assert app.screen.query_one("#search", Input).value == "green tea"


async def test_many_keys_at_once_are_all_done_in_order() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L")
        await at_once(app, pilot, "j" * 30 + "k" * 10)
        assert app.screen.query_one(VirtualList).cursor == 20
        await at_once(app, pilot, "", "escape", "escape")
        assert not isinstance(app.screen, OverviewScreen) or "cue" in screen_text(app)
