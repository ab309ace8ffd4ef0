"""The configuration: read, checked, never in the way; and what it does to keys and looks."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.keys import _character_to_key
from textual.theme import BUILTIN_THEMES

from mnemoscope.tui.actions import ACTIONS, DIALOGS, Action
from mnemoscope.tui.audio import backends
from mnemoscope.tui.config import (
    OPTIONS,
    OUR_THEMES,
    Config,
    Problem,
    config_file,
    is_compact,
    keymap,
    load_config,
    option_rows,
)
from mnemoscope.tui.images import protocol
from mnemoscope.tui.keymap import EffectiveKeys, is_typed, parse_key, settle, shown_key
from mnemoscope.viewers.filters import ASCII_SIGNS
from mnemoscope.viewers.styles import MARKS
from mnemoscope.viewers.themes import CONTRAST, THEMES
from tests.app_driver import SMALL, opened, press
from tests.terminal import running

DOCS = Path(__file__).parents[1] / "docs" / "config.md"
BY_ID = {action.id: action for action in ACTIONS}


def loaded(folder: Path, text: str) -> tuple[Config, list[Problem]]:
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return load_config(file)


def said(folder: Path, text: str) -> list[tuple[int | None, str, str]]:
    """What is said of a file whose every setting is in vain."""
    config, problems = loaded(folder, text)
    assert config == Config()
    assert all(one.file == folder / "config.toml" for one in problems)
    return [(one.line, one.name, one.message) for one in problems]


# The file


def test_a_file_that_is_not_there_is_the_same_as_an_empty_one(tmp_path: Path) -> None:
    assert load_config(tmp_path / "nowhere" / "config.toml") == (Config(), [])
    assert loaded(tmp_path, "") == (Config(), [])


def test_every_option_can_be_set(tmp_path: Path) -> None:
    text = 'theme = "dracula"\ncompact = true\nimages = "half"\naudio = "off"\nascii = true\n'
    text += 'annotator = "ann"\nadjudicator = "eve"\n'
    config, problems = loaded(tmp_path, text + '[keys]\n"app.help" = "f2"\n')
    assert problems == []
    keys = {"app.help": ("f2",)}
    assert config == Config("dracula", True, "half", "off", True, "ann", "eve", keys)


def test_the_file_is_in_the_platforms_place_unless_a_variable_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MNEMOSCOPE_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_file().parts[-2:] == ("mnemoscope", "config.toml")
    monkeypatch.setenv("MNEMOSCOPE_CONFIG", str(tmp_path / "mine.toml"))
    assert config_file() == tmp_path / "mine.toml"


@pytest.mark.parametrize(
    ("text", "line", "name", "part"),
    [
        ('\ncolour = "red"', 2, "colour", "no such option"),
        ('thema = "x"', 1, "thema", "did you mean theme?"),
        ('theme = "mnemoscope-drak"', 1, "theme", "did you mean mnemoscope-dark?"),
        ("theme = 5", 1, "theme", "no theme named 5"),
        ('compact = "yes"', 1, "compact", 'found "yes", expected one of "auto", true, false'),
        ("ascii = 1", 1, "ascii", "found 1, expected one of false, true"),
        ("images = true", 1, "images", "found true, expected one of"),
        ("audio = ['auto']", 1, "audio", "expected one of"),
        ("keys = 3", 1, "keys", "expected a table"),
        ('[keys]\n"history.nxt_round" = "n"', 2, "keys.history.nxt_round", "no such action; did"),
        ("[keys.history]\nfly = 'n'", 2, "keys.history.fly", "no such action"),
        ("[keys]\nhistory.find = 'hyper'", 2, "keys.history.find", 'no key named "hyper"'),
        ("[keys]\n'history.find' = 'f,g'", 2, "keys.history.find", "several keys are a list"),
        ('[keys]\n"history.find" = []', 2, "keys.history.find", "expected a key or a list of"),
        ('[keys]\n"history.find" = ["f", 1]', 2, "keys.history.find", "expected a key or a list"),
        ('keys = {"history.find" = "ctrl+c"}', 1, "keys.history.find", "ctrl+c copies"),
        ('[keys]\n"app.quit" = "x"', 2, "keys.app.quit", "x would do this while one types"),
        ('[keys]\n"history.find" = "n"', 2, "keys.history.find", "the key of history.next_match"),
        ('[keys]\n"matrix.all" = "k"', 2, "keys.matrix.all", "k is the key of list.up"),
        ('[keys]\n"page.top" = "?"', 2, "keys.page.top", "? is the key of app.help"),
        ("theme = 'mnemoscope-dark", None, "", "(at end of document)"),
        ("compact = true\ncompact = true\n", 2, "", "is no TOML, nothing in it is used"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(
    text: str, line: int | None, name: str, part: str, tmp_path: Path
) -> None:
    [(at, about, message)] = said(tmp_path, text)
    assert (at, about) == (line, name)
    assert part in message


def test_the_rest_of_the_file_still_holds(tmp_path: Path) -> None:
    text = (
        'theme = "nothing"\ncompact = false\ncolour = 1\n'
        '[keys]\n"history.find" = "n"\n"history.choose" = "f9"\n"nobody.here" = "f8"\n'
    )
    config, problems = loaded(tmp_path, text)
    assert config == Config(compact=False, keys={"history.choose": ("f9",)})
    assert [one.line for one in problems] == [1, 3, 5, 7]
    assert str(problems[0]).startswith(f"{tmp_path / 'config.toml'}:1: theme: no theme named")


def test_a_file_that_cannot_be_read_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes").write_bytes(b'theme = "\xff"')
    for name in ("folder", "bytes"):
        config, problems = load_config(tmp_path / name)
        assert config == Config()
        assert ["cannot be read" in one.message for one in problems] == [True]


def test_a_message_holds_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    _, problems = loaded(tmp_path, 'theme = "\\u001b[31m\\n"\n"a\\u001bb" = 1')
    assert len(problems) == 2
    assert not [one for one in problems if not str(one).isprintable()]


@given(st.text(max_size=60))
def test_no_text_at_all_is_too_much_for_the_reader(text: str) -> None:
    class File:
        def read_text(self, encoding: str) -> str:
            return text

    config, _ = load_config(File())  # type: ignore[arg-type]
    assert isinstance(config, Config)


def test_pictures_and_sound_can_be_what_their_own_modules_say() -> None:
    choices = {option.name: option.choices for option in OPTIONS}
    assert choices["images"] == protocol.SETTINGS
    assert choices["audio"] == backends.SETTINGS


def test_a_configuration_without_keys_never_imports_textual(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('theme = "mnemoscope-light"\ncompact = 3')
    code = (
        "import sys; from pathlib import Path; from mnemoscope.tui.config import load_config;"
        "print(len(load_config(Path('config.toml'))[1]), 'textual' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1 False\n"


# Keys


def test_characters_have_the_names_that_textual_gives_them() -> None:
    for code in range(33, 127):
        character = chr(code)
        name = parse_key(character)
        assert name == _character_to_key(character)
        assert shown_key(name) == character


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("shift+n", "N"),
        ("ctrl+N", "ctrl+n"),
        ("ctrl + right_square_bracket", "ctrl+right_square_bracket"),
        ("Shift+Ctrl+Up", "ctrl+shift+up"),
        ("ctrl++", "ctrl+plus"),
        ("ctrl+i", "tab"),
        ("ctrl+[", "escape"),
        ("esc", "escape"),
        ("PgDn", "pagedown"),
        ("↑", "up"),
        (" ", "space"),
        ("F5", "f5"),
        ("full_stop", "full_stop"),
    ],
)
def test_a_key_is_known_by_what_people_write(written: str, name: str) -> None:
    assert parse_key(written) == name


@pytest.mark.parametrize("written", ["", "ctrl", "nn", "f25", "cmd+x", "ctrl+space", "\x01", "n,m"])
def test_what_is_no_key_is_none(written: str) -> None:
    assert parse_key(written) is None


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12))
def test_a_key_name_is_its_own_name(text: str) -> None:
    name = parse_key(text)
    assert name is None or parse_key(name) == name


def test_every_key_of_the_registry_can_be_written_in_a_configuration() -> None:
    for action in ACTIONS:
        for key in action.keys:
            assert parse_key(key) == key, action.id
            assert parse_key(shown_key(key)) == key


def test_two_actions_can_exchange_their_keys(tmp_path: Path) -> None:
    text = '[keys]\n"history.next_round" = ","\n"history.previous_round" = "."\n'
    config, problems = loaded(tmp_path, text)
    assert problems == []
    assert keymap(config) == {
        "history.next_round": "comma",
        "history.previous_round": "full_stop",
    }


def test_the_later_of_two_that_clash_gives_way() -> None:
    kept, refused = settle({"history.find": ("f9",), "history.choose": ("f8", "f9")})
    assert kept == {"history.find": ("f9",)}
    assert [tuple(one) for one in refused] == [("history.choose", "f9", "history.find")]


def test_a_remapping_that_rested_on_a_refused_one_is_refused_too() -> None:
    # choose would free h for find, but cannot have n.
    kept, refused = settle({"history.find": ("h",), "history.choose": ("n",)})
    assert kept == {}
    assert {one.action for one in refused} == {"history.find", "history.choose"}


def test_the_same_key_may_serve_on_two_screens_and_in_two_kinds_of_panes() -> None:
    wanted = {"history.find": ("f9",), "questions.filter": ("f9",)}
    panes = {"list.top": ("ctrl+home",), "page.top": ("ctrl+home",)}
    assert settle({**wanted, **panes}) == ({**wanted, **panes}, [])


@given(
    st.dictionaries(
        st.sampled_from(sorted(BY_ID)),
        st.lists(
            st.sampled_from(["n", "k", "question_mark", "z", "tab", "1", "f5"]),
            min_size=1,
            max_size=2,
            unique=True,
        ),
        max_size=5,
    )
)
def test_whatever_is_asked_for_no_key_means_two_things_in_one_place(
    wanted: dict[str, list[str]],
) -> None:
    kept, refused = settle(wanted)
    keys = EffectiveKeys(kept)
    assert len(kept) + len(refused) == len(wanted)
    for remapped in kept:
        scope = remapped.partition(".")[0]
        for other in ACTIONS:
            # In a dialog few of the app's keys work.
            off = scope in DIALOGS and not (other.priority or other.id == "app.pane_help")
            meets = other.scope == scope or (other.scope == "app" and not off)
            if meets and other.id != remapped:
                assert not set(kept[remapped]) & set(keys.of(other)), (remapped, other.id)


def test_what_writes_is_told_from_what_does_not() -> None:
    assert [key for key in ("n", "N", "full_stop", "space", "backspace") if not is_typed(key)] == []
    assert [key for key in ("ctrl+n", "f1", "escape", "tab", "up") if is_typed(key)] == []


def test_effective_keys_are_what_footer_and_key_list_show() -> None:
    keys = EffectiveKeys({"history.next_round": ("right_square_bracket", "ctrl+full_stop", "up")})
    action = BY_ID["history.next_round"]
    assert keys.label(action) == "] ctrl+. ↑"
    assert keys.label(action, first=True) == "]"
    assert keys.label(BY_ID["app.back"]) == "esc"
    assert EffectiveKeys().of(action) == action.keys


async def test_a_remapped_action_has_its_new_keys_and_no_old_one() -> None:
    keys = {"app.questions": ("z",), "questions.filter": ("ctrl+f",), "list.down": ("u", "e")}
    async with opened(size=SMALL) as (app, pilot):
        app.set_keymap(EffectiveKeys(keys).keymap())
        await press(app, pilot, "L")
        assert type(app.screen).__name__ == "OverviewScreen"
        await press(app, pilot, "z")
        assert type(app.screen).__name__ == "QuestionsScreen"
        questions = app.screen.query_one("VirtualList")
        await press(app, pilot, "j", "down")
        assert getattr(questions, "cursor", None) == 0
        await press(app, pilot, "u", "e")
        assert getattr(questions, "cursor", None) == 2
        await press(app, pilot, "slash")
        assert app.focused is questions
        await press(app, pilot, "ctrl+f", "u", "z")
        assert getattr(app.focused, "value", "") == "uz"


# Looks


def test_the_names_of_our_themes_are_known_without_textual() -> None:
    assert tuple(theme.name for theme in THEMES) == OUR_THEMES
    assert not set(OUR_THEMES) & set(BUILTIN_THEMES)


def test_a_low_terminal_is_compact_unless_told_otherwise() -> None:
    assert [is_compact("auto", lines) for lines in (15, 24, 29, 30, 36)] == [True] * 3 + [False] * 2
    assert is_compact(True, 60)
    assert not is_compact(False, 20)


async def test_compact_spends_no_row_on_lines() -> None:
    async with opened(size=SMALL) as (app, pilot):
        await press(app, pilot, "L")
        heights = []
        for compact in (False, True):
            app.set_class(compact, "-compact")
            await pilot.pause()
            heights.append(app.screen.query_one("VirtualList").size.height)
        assert heights[1] == heights[0] + 1
        await press(app, pilot, "question_mark")
        dialog = app.screen.query_one(".dialog")
        assert dialog.styles.border_top[0] == ""
        shown = app.screen.query_one(".dialog VirtualList")
        assert dialog.region.contains_region(shown.region)


@pytest.mark.parametrize("lines", [15, 18, 24, 29])
@pytest.mark.parametrize("theme", ["mnemoscope-dark", "mnemoscope-ansi"])
async def test_a_compact_dialog_shows_all_of_its_list(lines: int, theme: str) -> None:
    async with opened(size=(80, lines)) as (app, pilot):
        app.theme = theme
        app.add_class("-compact")
        await press(app, pilot, "question_mark", "end")
        dialog, shown = (app.screen.query_one(one) for one in (".dialog", ".dialog VirtualList"))
        assert dialog.content_region.contains_region(shown.region)


def test_signs_have_a_stand_in_of_one_ascii_cell() -> None:
    for sign, plain in ASCII_SIGNS.items():
        assert len(sign) == cell_len(sign) == len(plain) == 1
        assert plain.isascii() and plain.isprintable()
    assert {mark.glyph for mark in MARKS.values() if not mark.glyph.isascii()} <= set(ASCII_SIGNS)


async def test_ascii_draws_signs_lines_and_pointers_in_ascii_and_leaves_text() -> None:
    async with opened(size=SMALL) as (app, pilot):
        app.ascii_only = True
        await press(app, pilot, "L", "3")
        lines = app.screen._compositor.render_strips()
        text = "".join(line.text for line in lines)
        assert "x B" in text and "v D" in text
        foreign = {one for one in text if not one.isascii()}
        assert foreign
        assert not [one for one in foreign if not one.isalpha() and cell_len(one) == 1]


# The app


def test_the_app_does_what_the_file_says_and_names_what_it_cannot_do(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        'theme = "mnemoscope-contrast"\nascii = true\ncolour = "red"\n'
        '[keys]\n"app.questions" = "Z"\n"questions.filter" = "ctrl+f"\n',
        encoding="utf-8",
    )
    with running("demo", size=(100, 32), env=[("MNEMOSCOPE_CONFIG", str(file))]) as terminal:
        # The path before it is as long as it is, so the rest may be on the next line.
        terminal.wait_for("colour:")
        terminal.wait_for("Z questions")
        terminal.press("Z")
        terminal.wait_for("ctrl+f filter")
        terminal.wait_for("v C")
        terminal.press("?")
        terminal.wait_for("ctrl+f       Type a filter")
    background = CONTRAST.background.removeprefix("#")
    red, green, blue = (int(background[at : at + 2], 16) for at in (0, 2, 4))
    assert f"48;2;{red};{green};{blue}".encode() in terminal.written


# The manual


def test_the_manual_has_every_option_with_its_default_and_what_it_can_be() -> None:
    text = DOCS.read_text(encoding="utf-8")
    table = re.findall(r"^\| (`\w+`) \| (.+?) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    assert table == list(option_rows())
    tables = ("keys", "endpoint_url", "endpoint_key")
    assert [one.name for one in fields(Config)] == [*(one.name for one in OPTIONS), *tables]


def test_the_manual_has_every_theme_of_ours() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(mnemoscope-\w+)` \|", text, re.MULTILINE) == list(OUR_THEMES)


def test_the_example_of_the_manual_is_taken_as_it_stands(tmp_path: Path) -> None:
    example = DOCS.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    config, problems = loaded(tmp_path, example)
    assert problems == []
    assert config.theme == "mnemoscope-light"
    assert set(config.keys) == {"history.next_round", "history.next_match", "app.help"}


def test_an_action_is_found_by_what_it_is_called_in_the_manual() -> None:
    keys = (DOCS.parent / "keys.md").read_text(encoding="utf-8")
    action: Action = BY_ID["history.next_round"]
    assert f"`{action.id}`" in keys


def test_the_endpoint_is_read_and_what_stands_there_is_never_repeated(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[endpoint]\nurl = "http://h/v1"\nkey = " sk-0123456789 "\n')
    config, problems = load_config(file)
    assert (config.endpoint_url, config.endpoint_key) == ("http://h/v1", "sk-0123456789")
    assert not problems
    assert "sk-0123456789" not in repr(config)
    for text in (
        'endpoint = "sk-0123456789"',
        '[endpoint]\nkey = ["sk-0123456789"]',
        '[endpoint]\nkye = "sk-0123456789"',
        '[endpoint]\nkey = "sk-0123456789',
    ):
        file.write_text(text)
        config, problems = load_config(file)
        assert config.endpoint_key == ""
        assert problems
        assert not [one for one in problems if "sk-0123456789" in str(one)]
