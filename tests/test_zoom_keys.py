"""Zooming pictures and opening files outside, from the screens that show them."""

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.keymap import settle
from mnemoscope.tui.sample import sample_request
from mnemoscope.tui.screens.question import QuestionScreen
from mnemoscope.tui.screens.zoom import ZoomScreen
from tests.app_driver import WIDE, notices, opened, press, screen_text, settled


async def test_z_shows_the_picture_of_the_round_large_and_escape_comes_back() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "z")
        assert isinstance(app.screen, ZoomScreen)
        assert "D00-001" in screen_text(app)
        await press(app, pilot, "escape", "full_stop", "full_stop", "full_stop")


async def test_z_shows_all_option_pictures_one_after_the_other() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "L", "3", "enter", "z")
        assert isinstance(app.screen, ZoomScreen)
        first = app.screen.item.id
        await press(app, pilot, "right_square_bracket")
        assert app.screen.item.id != first


async def test_without_a_picture_or_a_display_the_reason_is_said() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "right_curly_bracket", "full_stop", "z", "o")
        said = [str(one.message) for one in app._notifications]
        assert any("no picture" in one for one in said)
        assert any("no file" in one or "Nothing was opened" in one for one in said)


async def test_the_keys_of_the_large_picture_can_be_remapped_and_are_shown() -> None:
    kept, refused = settle(
        {"zoom.next": ("n",), "zoom.close": ("escape", "x"), "zoom.outside": ("n",)}
    )
    assert set(kept) == {"zoom.next", "zoom.close"}
    assert [(clash.action, clash.other) for clash in refused] == [("zoom.outside", "zoom.next")]
    app = MnemoscopeApp(sample_request(), remember=False, config=Config(keys=kept))
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "L", "3", "enter", "z")
        assert isinstance(app.screen, ZoomScreen)
        first = app.screen.item.id
        assert "n next" in screen_text(app)
        await press(app, pilot, "n")
        assert app.screen.item.id != first
        await press(app, pilot, "x")
        assert isinstance(app.screen, QuestionScreen)


async def test_f1_says_what_one_can_do_in_a_dialog_and_in_the_large_picture() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "z", "f1")
        assert "o opens the file" in screen_text(app)
        await press(app, pilot, "escape", "h", "f1")
        assert "narrow the list" in notices(app)
        await press(app, pilot, "escape", "ctrl+g", "f1", *"K", "escape")
        assert "takes what is typed" in notices(app)
        assert notices(app).count("takes what is typed") == 1
