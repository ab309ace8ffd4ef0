"""What the configuration changes in the app."""

from pathlib import Path

from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config, load_config
from mnemoscope.tui.sample import sample_request
from mnemoscope.viewers.themes import MNEMOSCOPE_LIGHT
from tests.app_driver import SMALL, WIDE, press, screen_text, settled


async def test_a_remapped_key_works_and_is_shown_in_footer_and_key_list() -> None:
    config = Config(keys={"history.next_round": ("n",), "history.next_match": ("ctrl+n",)})
    app = MnemoscopeApp(sample_request(), remember=False, config=config)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await press(app, pilot, "H", "n")
        assert app.opened_desk.round_id == "D00:01"
        await press(app, pilot, "full_stop")
        assert app.opened_desk.round_id == "D00:01"
        assert "n next round" in screen_text(app)
        await press(app, pilot, "question_mark")
        for char in "next round":
            await pilot.press("space" if char == " " else char)
        await settled(app, pilot)
        assert "▌ n            Go to the next round." in screen_text(app)


async def test_theme_signs_and_compact_follow_the_configuration() -> None:
    config = Config(theme=MNEMOSCOPE_LIGHT.name, ascii=True, compact=True)
    app = MnemoscopeApp(sample_request(), remember=False, config=config)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        assert app.theme == MNEMOSCOPE_LIGHT.name
        assert app.has_class("-compact")
        await press(app, pilot, "L")
        assert "x A" in screen_text(app)
        assert "✗ A" not in screen_text(app).split("\n", 3)[3].rpartition("\n")[0]
    MnemoscopeApp(remember=False)


async def test_what_cannot_be_used_is_said_when_the_app_starts(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('theem = "x"\n[keys]\n"history.nowhere" = "n"\n')
    config, problems = load_config(tmp_path / "c.toml")
    app = MnemoscopeApp(remember=False, config=config, problems=problems)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        said = " ".join(str(one.message) for one in app._notifications)
        assert "c.toml:1" in said
        assert "history.nowhere" in said
