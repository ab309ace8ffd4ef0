"""Text from data never reaches the terminal as anything but text."""

import json
import shutil
from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.sample import sample_folder
from tests.app_driver import SMALL, WIDE, opened, press, screen_text

HOSTILE = (
    "\x1b]0;owned\x07\x1b[31mred\x1b[2J [red]markup[/red] [@click=app.quit]x[/] "
    "\u202egnp\u2066 \r\ud800"
)
SHOWN = "[red]markup[/red]"


@pytest.fixture
def hostile_release(tmp_path: Path) -> OpenRequest:
    """The sample with hostile text in every string that is no id, path, date or label."""
    shutil.copytree(sample_folder() / "cue", tmp_path / "cue")
    shutil.copytree(sample_folder() / "runs", tmp_path / "runs")
    for file in [*tmp_path.rglob("history_with_qa_p*.json"), *tmp_path.rglob("*_results.json")]:
        data = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps(poisoned(data, "")), encoding="utf-8")
    return OpenRequest(tmp_path / "cue", (tmp_path / "runs",))


TEXTS = {"name", "user", "assistant", "image_caption", "voice_caption", "option_captions"}
TEXTS |= {"user_voice_message_caption", "scene_description", "rationale", "reasoning"}
TEXTS |= {"subcategory", "system_answer", "memory_context", "reasoning_sessions"}


def poisoned(value: object, key: str) -> object:
    if isinstance(value, dict):
        return {
            name: poisoned(one, name if key not in TEXTS else key) for name, one in value.items()
        }
    if isinstance(value, list):
        return [poisoned(one, key) for one in value]
    return HOSTILE + value if isinstance(value, str) and key in TEXTS else value


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_every_screen_draws_hostile_text_as_text(
    hostile_release: OpenRequest, size: tuple[int, int]
) -> None:
    async with opened(hostile_release, size=size) as (app, pilot):
        seen = ""
        walks = (
            ("H", "a", "tab"),
            ("L", "1", "enter", "x"),
            ("e",),
            ("C", "tab"),
            ("question_mark",),
        )
        for keys in walks:
            await press(app, pilot, *keys)
            text = screen_text(app)
            lines = text.splitlines()
            assert len(lines) == size[1]
            assert not set(text) & set("\x1b\x07\r\u202e\u2066\ud800")
            seen += text
        assert app.is_running
        assert SHOWN in seen
