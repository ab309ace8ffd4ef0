"""Terminals of every size: how panes are arranged, what is said where none fits, resize storms."""

import asyncio
import random

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Resize
from textual.geometry import Size
from textual.widget import Widget

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.screens.base import PaneScreen
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import AppPilot, opened, press, request_for, screen_text, settled

SCREENS = {
    "overview": ("down", "down"),
    "history": ("H", "right_curly_bracket", "full_stop"),
    "questions": ("L", "down", "down", "down"),
    "question": ("L", "3", "down", "enter"),
    "diff": ("L", "3", "enter", "x"),
    "compare": ("C", "down", "down"),
    "matrix": ("M", "down", "down"),
    "raw": ("L", "enter", "J"),
    "keys": ("H", "question_mark"),
    "choose": ("L", "A"),
    "zoom": ("H", "z"),
    "ledger": ("D", "less_than_sign", "right", "down"),
    "ledger pair": ("D", "w", "less_than_sign", "down"),
}
ARRANGED = {
    (120, 36): {
        "history": {"sessions", "dialogue", "inspector"},
        "question": {"question", "run-a", "run-b"},
        "compare": {"totals", "differing", "detail"},
        "ledger": {"table", "totals", "cell", "round", "systems"},
    },
    (80, 24): {
        "history": {"sessions", "dialogue"},
        "question": {"question", "run-a", "run-b"},
        "compare": {"totals", "differing", "detail"},
        "ledger": {"table", "cell"},
    },
    (60, 20): {
        "history": {"dialogue"},
        "question": {"question"},
        "compare": {"totals", "differing"},
        "ledger": {"table"},
    },
}


def seen(app: MnemoscopeApp) -> set[str]:
    panes = getattr(app.screen, "PANES", {})
    found = (app.screen.query_one(f"#{pane}") for pane in panes)
    return {str(one.id) for one in found if one.region.area and _is_displayed(one)}


def _is_displayed(widget: Widget) -> bool:
    return all(node.display for node in widget.ancestors_with_self)


def place(app: MnemoscopeApp) -> list[object]:
    """Where the user is: the pane with the focus, and what each pane's cursor stands on."""
    pages = [one.target for one in app.screen.query(Page)]
    focused = app.screen.focused
    return [
        type(app.screen),
        focused and focused.id,
        *pages,
        *(one.cursor for one in app.screen.query(VirtualList)),
    ]


async def storm(app: MnemoscopeApp, pilot: AppPilot, count: int, seed: int) -> None:
    """Many sizes, faster than they can be drawn."""
    chance = random.Random(seed)
    driver = app._driver
    assert isinstance(driver, HeadlessDriver)
    for _ in range(count):
        size = Size(chance.randint(20, 250), chance.randint(5, 80))
        driver._size = size
        app.post_message(Resize(size, size))
        if chance.random() < 0.2:
            await asyncio.sleep(chance.choice([0, 0.01, 0.03]))
    await settled(app, pilot)


@pytest.mark.parametrize("screen", SCREENS)
async def test_a_resize_storm_leaves_everything_as_it_was(screen: str) -> None:
    async with opened(request_for(screen)) as (app, pilot):
        await press(app, pilot, *SCREENS[screen])
        await pilot.resize_terminal(121, 36)
        await settled(app, pilot)
        where, drawn = place(app), screen_text(app)
        for seed in range(3):
            await storm(app, pilot, 40, seed)
            assert place(app) == where
        await pilot.resize_terminal(121, 36)
        await settled(app, pilot)
        assert place(app) == where
        # A screen below a dialog is drawn when nothing else is to do.
        for _ in range(100):
            if screen_text(app) == drawn:
                break
            await pilot.pause(0.02)
        assert screen_text(app) == drawn


async def test_a_screen_below_another_is_arranged_anew_too() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "L", "enter")
        for size, screen in (((70, 24), "dialogue"), ((100, 30), "sessions")):
            await pilot.resize_terminal(*size)
            await settled(app, pilot)
            await press(app, pilot, "H")
            assert screen in seen(app)
            assert (size[0] < 80) == (len(seen(app)) == 1)
            await press(app, pilot, "L", "enter")


@pytest.mark.parametrize("size", ARRANGED, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("screen", ["history", "question", "compare", "ledger"])
async def test_panes_are_arranged_by_width_and_all_within_reach(
    screen: str, size: tuple[int, int]
) -> None:
    async with opened(request_for(screen), size=size) as (app, pilot):
        await press(app, pilot, *SCREENS[screen])
        assert seen(app) == ARRANGED[size][screen]
        current = app.screen
        assert isinstance(current, PaneScreen)
        reached = set()
        for _ in current.PANES:
            await press(app, pilot, "tab")
            assert app.focused is not None
            assert app.focused.id in seen(app)
            reached.add(app.focused.id)
        assert reached == {pane for pane in current.PANES if current.pane_is_there(pane)}


@pytest.mark.parametrize("screen", ["history", "question", "compare", "ledger", "ledger pair"])
async def test_the_pane_that_is_gone_to_has_the_focus_at_once(screen: str) -> None:
    async with opened(request_for(screen), size=(60, 20)) as (app, pilot):
        await press(app, pilot, *SCREENS[screen])
        current = app.screen
        assert isinstance(current, PaneScreen)
        for pane in current.PANES:
            if current.pane_is_there(pane):
                current.go_to_pane(pane)
                assert app.focused is not None
                assert app.focused.id == pane
                await pilot.pause()
                assert app.focused.id == pane
                assert pane in seen(app)


@pytest.mark.parametrize("width", [60, 79, 80, 119, 120, 250])
@pytest.mark.parametrize("screen", SCREENS)
async def test_no_line_is_wider_than_the_terminal(screen: str, width: int) -> None:
    async with opened(request_for(screen), size=(width, 24)) as (app, pilot):
        await press(app, pilot, *SCREENS[screen])
        lines = app.screen._compositor.render_strips()
        assert {cell_width("".join(one.text for one in line)) for line in lines} == {width}


async def test_a_start_screen_too_small_shows_nothing_else() -> None:
    app = MnemoscopeApp(remember=False)
    async with app.run_test(size=(50, 8)) as pilot:
        await settled(app, pilot)
        said = " ".join(screen_text(app).split())
        assert said == "This needs 60 × 15 cells. Without a screen: mnemoscope --help"


@pytest.mark.parametrize("size", [(59, 24), (80, 14), (20, 5)])
async def test_a_terminal_too_small_says_the_size_and_the_command(size: tuple[int, int]) -> None:
    async with opened(size=size) as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        said = " ".join(screen_text(app).split())
        assert said.startswith("This needs 60 × 15 cells.")
        if size[1] > 5:
            key = app.opened_desk.walk.key
            assert key is not None
            command = said.replace(" ", "")
            assert "mnemoscopeshow" in command
            assert key in command
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        assert "60 × 15" not in screen_text(app)


def dialog_text(app: MnemoscopeApp) -> str:
    """What stands in the dialog, without what is beside it."""
    x, y, width, height = app.screen.query_one(".dialog").region
    lines = app.screen._compositor.render_strips()[y : y + height]
    return "\n".join(line.crop(x, x + width).text for line in lines)


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_what_a_dialog_cuts_is_said_in_full_below(width: int) -> None:
    async with opened(size=(width, 24)) as (app, pilot):
        await press(app, pilot, "L", "F")
        rows, seen_cut = app.screen.query_one(VirtualList), 0
        for _ in range(rows.source.row_count):
            cells = rows.source.cells(rows.cursor)
            text = " ".join(dialog_text(app).replace("│", " ").split())
            assert " ".join(str(cells[1]).split()) in text
            seen_cut += bool(rows.cut_cells(rows.cursor))
            await press(app, pilot, "down")
        assert seen_cut
