"""Pictures of every screen on the bundled sample; look at the report before accepting a change."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import OUR_THEMES, Config
from mnemoscope.tui.images.protocol import Choice, Protocol
from mnemoscope.tui.sample import sample_request
from tests.app_driver import SMALL, WIDE, press, settled
from tests.cli_data import Mnemoscope
from tests.ledger_run_data import boards_request

QUESTION = ("L", "3", "enter")
SCREENS = {
    "overview": (),
    "history": ("H", "right_curly_bracket", "right_curly_bracket", "full_stop"),
    "inspector": ("H", "right_curly_bracket", "full_stop", "shift+tab", "shift+tab"),
    "answer": ("R", *"ann", "enter", "enter", "enter", "c", "right_curly_bracket"),
    "answer oracle": ("R", *"ann", "enter", "down", "down", "enter", "enter", "w"),
    "tag": ("L", "2", "home", "t", "a", "n", "n", "enter", "3"),
    "history-search": ("H", "h", "down", "enter", "slash", *"ink", "enter"),
    "choose-history": ("H", "h"),
    "zoom": ("H", "z"),
    "tally": ("number_sign", "tab", "down", "down", "right", "right"),
    "review": ("H", "right_curly_bracket", "t", "a", "n", "n", "enter", "1", "5"),
    "keys": ("H", "question_mark"),
    "questions": ("L", "3"),
    "filter-fields": ("L", "F"),
    "columns": ("L", "c"),
    "choose": ("L", "A"),
    "decide": ("Y",),
    "save": ("L", "3", "W"),
    "question": QUESTION,
    "diff": (*QUESTION, "x"),
    "context": (*QUESTION, "e"),
    "gallery": (*QUESTION, "z"),
    "raw": (*QUESTION, "J"),
    # Narrowed to what holds no path: that of the sample differs from place to place.
    "copy": ("H", "y", "i", "d"),
    "go-to": (*QUESTION, "ctrl+g"),
    "compare": ("C", "down"),
    "configuration": ("C", "p"),
    "matrix": ("M", "2", "down"),
    "defects": ("d",),
    "joins": ("u",),
}
SIZES = {"80x24": SMALL, "120x36": WIDE}
# Shown on a release with a truth, which the sample is none of.
LEDGERS = {
    "ledger": ("D", "less_than_sign", "right", "right"),
    "ledger pair": ("D", "less_than_sign", "w", *("less_than_sign",) * 3),
    "ledger system": ("D", "d", "v", "v", "v", "v", "tab", "tab", "tab", "tab"),
}
LOOKS = {
    **{theme.removeprefix("mnemoscope-"): Config(theme=theme) for theme in OUR_THEMES},
    "no-color": Config(),
    "ascii": Config(ascii=True),
}
HALF_BLOCKS = Choice(Protocol.HALF, "they work everywhere")
PLAIN = Choice(Protocol.OFF, "half blocks need colours and more than ASCII")

Snap = Callable[..., bool]
Go = Callable[[Pilot[None]], object]


def sample_app() -> MnemoscopeApp:
    return MnemoscopeApp(sample_request(), remember=False)


def going(*keys: str) -> Go:
    async def go(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, MnemoscopeApp)
        await settled(app, pilot)
        await press(app, pilot, *keys)
        # A cursor that blinks would be seen now and not the next time.
        for line in app.screen.query("Input"):
            line.cursor_blink = False  # type: ignore[attr-defined]

    return go


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_looks_as_accepted(screen: str, size: str, snap_compare: Snap) -> None:
    go = going(*SCREENS[screen])
    assert snap_compare(sample_app(), terminal_size=SIZES[size], run_before=go)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", LEDGERS)
def test_the_ledger_looks_as_accepted(screen: str, size: str, snap_compare: Snap) -> None:
    app = MnemoscopeApp(boards_request(), remember=False)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=going(*LEDGERS[screen]))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("screen", ["question", "compare"])
def test_a_theme_looks_as_accepted(
    screen: str, look: str, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch
) -> None:
    if look == "no-color":
        monkeypatch.setenv("NO_COLOR", "1")
    images = PLAIN if look in ("no-color", "ascii") else HALF_BLOCKS
    app = MnemoscopeApp(sample_request(), remember=False, config=LOOKS[look], images=images)
    assert snap_compare(app, terminal_size=WIDE, run_before=going(*SCREENS[screen]))


@pytest.mark.parametrize("size", SIZES)
def test_the_start_screen_looks_as_accepted(size: str, snap_compare: Snap) -> None:
    assert snap_compare(MnemoscopeApp(remember=False), terminal_size=SIZES[size])


@pytest.mark.parametrize("size", SIZES)
def test_an_opening_that_fails_looks_as_accepted(size: str, snap_compare: Snap) -> None:
    app = MnemoscopeApp(OpenRequest(Path("no-such-release")), remember=False)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=going())


def test_what_reached_the_model_looks_as_accepted(
    snap_compare: Snap, mnemoscope: Mnemoscope, tmp_path: Path
) -> None:
    release, out = sample_request().release, tmp_path / "one"
    made = ("--system", "oracle_multimodal", "--backbone", "embedded", "--out", out)
    assert mnemoscope("run", "--release", release, *made)[0] == 0
    app = MnemoscopeApp(OpenRequest(release, runs=(out,)), remember=False)
    assert snap_compare(app, terminal_size=WIDE, run_before=going("L", "enter"))


def test_one_pane_at_a_time_looks_as_accepted(snap_compare: Snap) -> None:
    go = going("H", "right_curly_bracket", "full_stop", "tab")
    assert snap_compare(sample_app(), terminal_size=(60, 20), run_before=go)


def test_a_terminal_too_small_looks_as_accepted(snap_compare: Snap) -> None:
    app = MnemoscopeApp(remember=False)
    assert snap_compare(app, terminal_size=(50, 12))
