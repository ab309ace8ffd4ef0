"""Pictures of every screen on the bundled sample; look at the report before accepting a change."""

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.sample import sample_request
from mnemoscope.viewers.themes import MNEMOSCOPE_LIGHT
from tests.app_driver import SMALL, WIDE, press, settled

SCREENS = {
    "overview": (),
    "history": ("H", "right_curly_bracket", "right_curly_bracket", "full_stop"),
    "inspector": ("H", "right_curly_bracket", "full_stop", "shift+tab", "shift+tab"),
    "questions": ("L", "3"),
    "question": ("L", "3", "enter"),
    "diff": ("L", "3", "enter", "x"),
    "compare": ("C", "down"),
    "configuration": ("C", "d"),
    "tag": ("L", "2", "home", "t", "a", "n", "n", "enter", "3"),
    "keys": ("H", "question_mark"),
    "choose": ("L", "A"),
}
SIZES = {"80x24": SMALL, "120x36": WIDE}

Snap = Callable[..., bool]


def sample_app() -> MnemoscopeApp:
    return MnemoscopeApp(sample_request(), remember=False)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_looks_as_accepted(screen: str, size: str, snap_compare: Snap) -> None:
    async def go(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, MnemoscopeApp)
        await settled(app, pilot)
        await press(app, pilot, *SCREENS[screen])

    assert snap_compare(sample_app(), terminal_size=SIZES[size], run_before=go)


@pytest.mark.parametrize("screen", ["question", "compare"])
def test_the_light_theme_looks_as_accepted(screen: str, snap_compare: Snap) -> None:
    async def go(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, MnemoscopeApp)
        app.theme = MNEMOSCOPE_LIGHT.name
        await settled(app, pilot)
        await press(app, pilot, *SCREENS[screen])

    assert snap_compare(sample_app(), terminal_size=WIDE, run_before=go)


@pytest.mark.parametrize("size", SIZES)
def test_the_start_screen_looks_as_accepted(size: str, snap_compare: Snap) -> None:
    assert snap_compare(MnemoscopeApp(remember=False), terminal_size=SIZES[size])
