"""Sentences that name a key name the one that the action really has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import ACTIONS
from mnemoscope.tui.app import MnemoscopeApp
from mnemoscope.tui.config import Config
from mnemoscope.tui.keymap import EffectiveKeys, shown_key
from mnemoscope.tui.sample import sample_request
from mnemoscope.viewers.virtual_list import VirtualList
from tests.app_driver import WALK, WIDE, act, request_for, screen_text, settled

ROOT = Path(__file__).parents[1]
ELSEWHERE = Config(
    annotator="ann", keys={one.id: (f"f{100 + place}",) for place, one in enumerate(ACTIONS)}
)
"""Every action on a key that none has by itself."""


def _sentences_with_keys() -> re.Pattern[str]:
    """A default key followed by what it does, such as ``o opens``; longer names in any place."""
    labels = {shown_key(key) for action in ACTIONS for key in action.keys}
    verbs = {action.help.split()[0].lower().strip(".,") for action in ACTIONS}
    done = {f"{verb}es" if verb.endswith(("s", "o", "h")) else f"{verb}s" for verb in verbs}
    said = "|".join(sorted(done | {"all keys", "the bundled", "the demo", "sets", "leaves"}))
    # Words that mean something else too are keys only where something is done.
    words = {"end", "home", "space", "f1"}
    short = "|".join(re.escape(one) for one in labels if len(one) == 1 or one in words)
    long = "|".join(re.escape(one) for one in labels if len(one) > 1 and one not in words)
    return re.compile(rf"(?:^|(?<=[\s:;,(]))(?:(?:{short})\s+(?:{said})\b|(?:{long})(?=[\s,;.]|$))")


KEYS = _sentences_with_keys()


def test_an_action_named_in_a_sentence_stands_there_by_its_key() -> None:
    text = "{app.reload} reads, {start.demo} demo, {no thing}"
    assert EffectiveKeys().fill(text) == "ctrl+r reads, d demo, {no thing}"
    remapped = EffectiveKeys({"app.reload": ("left_square_bracket", "f5")})
    assert remapped.fill(text) == "[ reads, d demo, {no thing}"


def _texts(file: Path) -> Iterator[tuple[int, str]]:
    """Strings of a module that are more than one word, without its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.lineno, node.value if " " in node.value.strip() else ""


def test_no_sentence_in_the_source_names_a_key_that_can_be_another() -> None:
    # The dialogs' own keys cannot be remapped, and the keys page is about the registry.
    fixed = {"answer_summary.py", "chooser.py", "keys_page.py", "pane_help.py", "prompt.py"}
    folders = (ROOT / "tui", ROOT / "viewers")
    files = [file for folder in folders for file in folder.rglob("*.py") if file.name not in fixed]
    found = [
        f"{file.relative_to(ROOT)}:{line}: {text}"
        for file in files
        if "verbs" not in file.parts
        for line, text in _texts(file)
        if KEYS.search(text)
    ]
    assert not found


@pytest.mark.parametrize("where", WALK)
async def test_no_default_key_is_named_where_every_action_has_another(where: str) -> None:
    app = MnemoscopeApp(request_for(where), remember=False, config=ELSEWHERE)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        await act(app, pilot, *WALK[where])
        text = screen_text(app)
        assert "f1" in text.splitlines()[-1]
        for one in app.screen.query(VirtualList):
            text += f"\n{one.empty_text}"
        assert not KEYS.search(text), KEYS.search(text)


async def test_the_first_screens_name_the_keys_there_are() -> None:
    for request in (None, OpenRequest(Path("no/such/place"))):
        app = MnemoscopeApp(request, remember=False, config=ELSEWHERE)
        async with app.run_test(size=WIDE) as pilot:
            await pilot.pause(0.2)
            text = screen_text(app)
            assert not KEYS.search(text), KEYS.search(text)
            app.action_overview()
            await pilot.pause()
            assert not any(KEYS.search(str(one.message)) for one in app._notifications)


async def test_the_bar_of_a_sound_names_the_keys_there_are() -> None:
    app = MnemoscopeApp(sample_request(), remember=False, config=ELSEWHERE)
    async with app.run_test(size=WIDE) as pilot:
        await settled(app, pilot)
        histories = app.opened_desk.workspace.release.histories.values()
        spoken = next(
            (history.id, one.id)
            for history in histories
            for one in history.rounds
            if any(item.kind == "audio" for item in one.attachments)
        )
        app.show_round(*spoken)
        await settled(app, pilot)
        play = app.effective_keys.fill("{history.play}")
        assert f"{play} play" in screen_text(app)
        assert "space play" not in screen_text(app)
