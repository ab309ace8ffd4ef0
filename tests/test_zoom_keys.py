"""Zooming pictures and opening files outside, from the screens that show them."""

from mnemoscope.tui.screens.zoom import ZoomScreen
from tests.app_driver import opened, press, screen_text


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
