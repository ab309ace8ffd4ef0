"""Panes whose size the user chooses: by mouse, by key, remembered, never too small."""

from pathlib import Path

import pytest
from textual.widget import Widget

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.pane_sizes import PaneSizes
from mnemoscope.tui.recent import RecentStore
from mnemoscope.tui.sample import sample_request
from mnemoscope.viewers.splitter import Splitter
from tests.app_driver import AppPilot, opened, press, settled

SCREENS = {"history": ("H",), "question": ("L", "3", "enter"), "compare": ("C",)}
LEAST = 14


def widths(app: MnemoscopeApp, *panes: str) -> list[int]:
    return [app.screen.query_one(f"#{pane}").outer_size.width for pane in panes]


def region(app: MnemoscopeApp, id: str) -> Widget:
    return app.screen.query_one(f"#{id}")


async def drag(pilot: AppPilot, splitter: str, columns: int = 0, lines: int = 0) -> None:
    line = pilot.app.screen.query_one(f"#{splitter}").region
    x, y = line.x + (line.width // 2 if lines else 0), line.y + (0 if lines else line.height // 2)
    await pilot.mouse_down(offset=(x, y))
    for part in (1, 2):
        await pilot.hover(offset=(x + columns * part // 2, y + lines * part // 2))
    await pilot.mouse_up(offset=(x + columns, y + lines))
    await pilot.pause()


async def test_a_border_is_dragged_with_the_mouse() -> None:
    async with opened(size=(120, 36)) as (app, pilot):
        await press(app, pilot, "H")
        before = widths(app, "sessions", "dialogue", "inspector")
        await drag(pilot, "after-sessions", 9)
        after = widths(app, "sessions", "dialogue", "inspector")
        assert after == [before[0] + 9, before[1] - 9, before[2]]
        await drag(pilot, "before-inspector", 6)
        assert widths(app, "inspector") == [before[2] - 6]
        # Where the line was let go it stands.
        assert region(app, "after-sessions").region.x == before[0] + 9


async def test_a_border_between_upper_and_lower_panes_is_dragged_too() -> None:
    async with opened(size=(100, 36)) as (app, pilot):
        await press(app, pilot, *SCREENS["question"])
        before = region(app, "question").outer_size.height
        await drag(pilot, "before-runs", lines=-5)
        assert region(app, "question").outer_size.height == before - 5
        assert region(app, "runs").outer_size.width == 100


@pytest.mark.parametrize("columns", [-200, 200])
async def test_no_pane_is_dragged_out_of_sight(columns: int) -> None:
    async with opened(size=(120, 36)) as (app, pilot):
        await press(app, pilot, "H")
        for splitter in ("after-sessions", "before-inspector", "after-sessions"):
            for _ in range(3):
                app.screen.query_one(f"#{splitter}", Splitter).grow(columns)
                await pilot.pause()
        assert min(widths(app, "sessions", "dialogue", "inspector")) >= LEAST
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert min(widths(app, "sessions", "dialogue")) >= LEAST


@pytest.mark.parametrize("screen", SCREENS)
async def test_keys_do_what_the_mouse_does(screen: str) -> None:
    async with opened(size=(120, 36)) as (app, pilot):
        await press(app, pilot, *SCREENS[screen])
        for _ in type(app.screen).PANES:  # type: ignore[attr-defined]
            pane = app.focused
            assert pane is not None
            before = pane.outer_size.width
            await press(app, pilot, "plus", "plus")
            larger = pane.outer_size.width
            await press(app, pilot, "minus")
            smaller = pane.outer_size.width
            await press(app, pilot, "equals_sign")
            if pane.id == "totals":
                assert before == larger == smaller
            else:
                assert before == pane.outer_size.width < smaller < larger
            await press(app, pilot, "tab")


async def test_keys_move_the_border_of_a_low_terminal_though_no_line_is_drawn() -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        await press(app, pilot, *SCREENS["question"])
        before = region(app, "question").outer_size.height
        await press(app, pilot, "plus", "plus")
        assert region(app, "question").outer_size.height == before + 2


async def test_one_pane_alone_has_nothing_to_share() -> None:
    async with opened(size=(70, 24)) as (app, pilot):
        await press(app, pilot, "H", "plus")
        assert "Only one pane" in next(iter(app._notifications)).message
        assert widths(app, "dialogue") == [70]


async def test_a_double_click_puts_a_border_back() -> None:
    async with opened(size=(120, 36)) as (app, pilot):
        await press(app, pilot, "C")
        before = widths(app, "differing")
        await drag(pilot, "after-differing", 12)
        assert widths(app, "differing") != before
        await pilot.click("#after-differing", times=2)
        await pilot.pause()
        assert widths(app, "differing") == before


async def test_sizes_are_remembered_for_each_arrangement(tmp_path: Path) -> None:
    async def widths_after(*keys: str, size: tuple[int, int] = (120, 36)) -> list[int]:
        app = MnemoscopeApp(sample_request(), recent=RecentStore(tmp_path))
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot)
            await press(app, pilot, "H", *keys)
            return widths(app, "sessions", "dialogue")

    first = await widths_after()
    wider = await widths_after("shift+tab", "plus", "plus")
    assert wider == [first[0] + 8, first[1] - 8]
    assert await widths_after() == wider
    assert await widths_after(size=(100, 36)) == [27, 72]
    assert await widths_after("equals_sign") == first
    assert await widths_after() == first


@pytest.mark.parametrize("text", ["", "[]", '{"history.triple.sessions": "wide"}', "\x00", "{1}"])
def test_a_damaged_file_of_sizes_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "panes.json").write_text(text, encoding="utf-8")
    sizes = PaneSizes(tmp_path)
    assert sizes.get("history.triple.sessions") is None
    sizes.put("history.triple.sessions", 0.25)
    assert PaneSizes(tmp_path).get("history.triple.sessions") == 0.25


def test_a_folder_that_cannot_be_written_loses_the_sizes_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    sizes = PaneSizes(tmp_path / "file")
    sizes.put("compare.triple.differing", 0.5)
    assert sizes.get("compare.triple.differing") == 0.5
