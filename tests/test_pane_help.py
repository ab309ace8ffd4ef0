"""F1: what the focused pane means, on every screen."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.text import one_line
from mnemoscope.tui import screens
from mnemoscope.tui.actions import actions_of
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.keymap import EffectiveKeys
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.base import DeskScreen, PaneScreen, WorkScreen
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.pane_help import PaneHelpScreen, pane_name
from mnemoscope.tui.screens.questions import QuestionsScreen
from mnemoscope.viewers.mark_help import MARK_HELP
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.styles import MARKS
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import (
    SMALL,
    WALK,
    WIDE,
    AppPilot,
    act,
    opened,
    press,
    request_for,
    screen_text,
    settled,
)

WAYS = {**WALK, "columns": ("app.questions", "questions.columns")}


def _kinds(kind: type[WorkScreen]) -> Iterator[type[WorkScreen]]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)


def all_screens() -> list[type[WorkScreen]]:
    """Every screen there is, whether a test goes there or not."""
    for module in pkgutil.iter_modules(screens.__path__):
        importlib.import_module(f"{screens.__name__}.{module.name}")
    found = {one for one in _kinds(WorkScreen) if one.SCOPE and one.__module__.startswith("mnem")}
    return sorted(found, key=lambda one: one.SCOPE)


@pytest.mark.parametrize("screen", all_screens(), ids=lambda one: one.SCOPE)
def test_every_screen_has_help_for_its_panes(screen: type[WorkScreen]) -> None:
    assert screen.PANE_HELP
    if issubclass(screen, PaneScreen):
        assert screen.PANE_HELP.keys() >= screen.PANES.keys()
    for told in screen.PANE_HELP.values():
        assert told.about.endswith(".")
        assert set(told.marks) <= MARKS.keys()
        texts = [told.about, told.cannot, *told.figures.values()]
        # Every action that is named is one, and a key stands in its place.
        assert not any(re.search(r"[{}]", EffectiveKeys().fill(text)) for text in texts)


def test_every_sign_has_a_meaning() -> None:
    assert MARK_HELP.keys() == MARKS.keys()


async def explained(app: MnemoscopeApp, pilot: AppPilot, screen: WorkScreen) -> None:
    """Ask for the help of each pane of a screen, and look at what it says."""
    panes = [one for one in screen.query("*") if isinstance(one, Page | VirtualList)]
    assert panes
    for pane in panes:
        told = screen.PANE_HELP[pane_name(pane)]
        if isinstance(pane, VirtualList):
            assert all(column.help for column in pane.source.columns), screen.SCOPE
        if not pane.display or not pane.region:
            continue
        pane.focus()
        await press(app, pilot, "f1")
        shown = app.screen
        assert isinstance(shown, PaneHelpScreen)
        text = " ".join(re.sub(r"[│╭╮╰╯─▌▎]|[▁-█]", " ", screen_text(app)).split())
        assert app.sentence(told.about)[:40] in text
        page = shown.query_one(Page)
        said = "\n".join(str(getattr(block, "text", "")) for block in page._plain)
        for word in (
            *told.figures,
            *(MARK_HELP[name] for name in told.marks),
            one_line(screen.twin()),
        ):
            assert word in said
        assert ("What it cannot show" in said) == bool(told.cannot)
        if any(not screen.why_not(action.name) for action in actions_of(screen.SCOPE)):
            assert page.targets
        await press(app, pilot, "escape")
        assert app.screen is screen


@pytest.mark.parametrize("where", WAYS)
@pytest.mark.parametrize("size", [SMALL, WIDE], ids=["small", "wide"])
async def test_every_pane_of_every_screen_explains_itself(
    where: str, size: tuple[int, int]
) -> None:
    async with opened(request_for(where), size=size) as (app, pilot):
        await act(app, pilot, *WAYS[where])
        screen = app.screen
        assert isinstance(screen, WorkScreen)
        await explained(app, pilot, screen)


async def test_the_screens_before_anything_is_open_explain_themselves() -> None:
    for request in (None, OpenRequest(Path("no/such/place"))):
        app = MnemoscopeApp(request, remember=False)
        async with app.run_test(size=WIDE) as pilot:
            await settled(app, pilot)
            assert isinstance(app.screen, WorkScreen)
            assert not isinstance(app.screen, DeskScreen)
            await explained(app, pilot, app.screen)


async def test_a_key_in_the_help_can_be_run_from_it() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "K")
        page = app.screen.query_one(Page)
        page.move_to(("action", "questions.failures"))
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionsScreen)
        assert "24 of 59" in screen_text(app)


async def test_help_is_reached_from_the_palette_and_by_mouse() -> None:
    async with opened(size=(160, 40)) as (app, pilot):
        titles = [one.title for one in app.get_system_commands(app.screen)]
        assert "app: about this pane" in titles
        await press(app, pilot, "J", "question_mark")
        for char in "means":
            await pilot.press(char)
        await settled(app, pilot)
        rows = app.screen.query_one(VirtualList)
        await pilot.click(rows, offset=(5, 1))
        await pilot.pause(0.6)
        await pilot.click(rows, offset=(5, 1))
        await settled(app, pilot)
        assert isinstance(app.screen, PaneHelpScreen)


async def test_help_names_only_keys_that_work_now() -> None:
    async with opened(OpenRequest(sample_request().release)) as (app, pilot):
        await press(app, pilot, "L", "f1")
        targets = app.screen.query_one(Page).targets
        assert ("action", "questions.filter") in targets
        assert ("action", "questions.failures") not in targets


async def test_escape_leaves_the_help_and_the_focus_is_where_it_was() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "tab", "f1", "f1")
        assert isinstance(app.screen, HistoryScreen)
        assert app.screen.focused is app.screen.query_one("#inspector")


async def test_a_preset_chosen_in_the_key_list_holds() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "question_mark")
        for char in "answered wrong":
            await pilot.press("space" if char == " " else char)
        await press(app, pilot, "enter")
        assert isinstance(app.screen, QuestionsScreen)
        assert "24 of 59" in screen_text(app)
