"""Sounds on the screens: seen, played, paused, left."""

import asyncio

import pytest

from mnemoscope.core.audio import Phase
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.clip_bar import ClipBar
from tests.app_driver import SMALL, opened, press, screen_text, settled

pytest.importorskip("miniaudio", reason="the audio extra is not installed")


@pytest.fixture(autouse=True)
def null_sink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMOSCOPE_AUDIO_SINK", "null")


async def _reached(app: MnemoscopeApp, phase: Phase) -> bool:
    for _ in range(100):
        if app.playback.phase is phase:
            return True
        await asyncio.sleep(0.05)
    return False


async def test_a_sound_is_shown_played_paused_and_stopped_by_leaving_it() -> None:
    async with opened() as (app, pilot):
        desk = app.opened_desk
        history = desk.workspace.release.histories["p0"]
        voiced = next(
            one for one in history.rounds if any(a.kind == "audio" for a in one.attachments)
        )
        app.show_round("p0", voiced.id)
        await settled(app, pilot)
        bar = app.screen.query_one(ClipBar)
        assert bar.clip is not None
        assert "0:0" in screen_text(app)
        await pilot.press("space")
        assert await _reached(app, Phase.PLAYING)
        await pilot.press("space")
        assert await _reached(app, Phase.PAUSED)
        await press(app, pilot, "right_curly_bracket")
        assert not app.playback.is_active


async def test_a_round_without_a_sound_says_so_and_shows_no_bar() -> None:
    async with opened() as (app, pilot):
        await press(app, pilot, "H", "space")
        assert not app.screen.query_one(ClipBar).display
        assert any("no sound" in str(one.message) for one in app._notifications)


async def test_a_question_with_a_sound_starts_at_its_text_also_on_a_low_terminal() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "L", "3", "enter")
        assert app.screen.query_one(ClipBar).clip is not None
        key = app.opened_desk.walk.key
        assert key is not None
        question = app.opened_desk.workspace.release.questions[key]
        assert question.text[:12] in screen_text(app)
        assert "answer  " in screen_text(app)
