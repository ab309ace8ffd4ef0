import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Static

from mnemoscope.viewers.styles import DARK, LIGHT, LOOKS, MARKS, Palette, style
from mnemoscope.viewers.themes import THEMES, ThemedApp, semantic_variables

GROUNDS = ("background", "surface", "panel", "cursor_row")
ON_FILLS = {"match": "match_background", "diff": "diff_background"}
FILLS = {*GROUNDS, *ON_FILLS.values()}
COLOURFUL = [theme for theme in BUILTIN_THEMES.values() if not theme.ansi]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def text_on_ground(palette: Palette) -> Iterator[tuple[str, str, float]]:
    for field in fields(palette):
        if field.name not in FILLS:
            grounds = (ON_FILLS[field.name],) if field.name in ON_FILLS else GROUNDS
            for ground in grounds:
                colours = getattr(palette, field.name), getattr(palette, ground)
                yield field.name, ground, contrast(*colours)


def variables(theme: Theme) -> dict[str, str]:
    generated = theme.to_color_system().generate()
    return {**semantic_variables(theme), **generated, **theme.variables}


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_every_text_colour_can_be_read_on_every_background_it_stands_on(palette: Palette) -> None:
    assert [pair for pair in text_on_ground(palette) if pair[2] < 4.5] == []


@pytest.mark.parametrize("theme", COLOURFUL, ids=lambda theme: theme.name)
def test_our_colours_can_be_read_in_every_theme_of_textual(theme: Theme) -> None:
    palette = Palette.from_variables(variables(theme))
    too_faint = [p for p in text_on_ground(palette) if p[0] != "foreground" and p[2] < 4.5]
    assert too_faint == []


@pytest.mark.parametrize(
    ("theme", "palette"), zip(THEMES, (DARK, LIGHT), strict=True), ids=["dark", "light"]
)
def test_a_palette_survives_the_way_through_its_theme(theme: Theme, palette: Palette) -> None:
    assert Palette.from_variables(variables(theme)) == palette


def test_right_is_blue_and_wrong_is_orange_and_never_red_against_green() -> None:
    assert (DARK.right, DARK.wrong, DARK.background) == ("#56b4e9", "#e69f00", "#121212")
    assert LIGHT.right == "#0072b2"
    for palette in (DARK, LIGHT):
        assert int(palette.right[5:], 16) > int(palette.right[1:3], 16)
        assert int(palette.wrong[1:3], 16) > int(palette.wrong[5:], 16)


def test_terminal_colours_become_names_that_rich_knows() -> None:
    palette = Palette.from_variables(variables(BUILTIN_THEMES["ansi-dark"]))
    assert palette.background == "default"
    for field in fields(palette):
        Style(color=getattr(palette, field.name))


def test_what_a_theme_leaves_out_comes_from_the_dark_palette() -> None:
    assert Palette.from_variables({"right": "auto 87%"}) == DARK
    assert Palette.from_variables({"right": "#ABCDEF"}).right == "#abcdef"


def test_every_mark_is_a_one_cell_glyph_and_a_word_and_its_colour() -> None:
    for name, mark in MARKS.items():
        label = mark.label(DARK)
        assert cell_len(mark.glyph) == cell_len(mark.ascii) == 1
        assert mark.ascii.isascii()
        assert label.plain == f"{mark.glyph} {mark.word}"
        assert [span.style for span in label.spans] == [Style(color=getattr(DARK, mark.colour))], (
            name
        )


def test_marks_that_share_a_sign_differ_in_their_word() -> None:
    for sign in ("glyph", "ascii"):
        said = {(getattr(mark, sign), mark.word) for mark in MARKS.values()}
        assert len(said) == len(MARKS)
    verdicts = ("right", "wrong", "error", "unjudged", "hit", "missed", "extra")
    assert len({MARKS[name].ascii for name in verdicts}) == len(verdicts)


def test_a_mark_can_say_the_answer_instead_of_its_word() -> None:
    assert MARKS["wrong"].label(DARK, word="D").plain == "✗ D"
    assert MARKS["wrong"].label(DARK, word="D", ascii_only=True).plain == "x D"
    assert MARKS["wrong"].label(DARK, word="").plain == "✗"


def test_matches_and_differences_are_underlined_as_well_as_coloured() -> None:
    assert style("match", DARK).underline
    assert style("diff", LIGHT).underline
    for name in (*LOOKS, *MARKS):
        assert style(name, DARK).color is not None
    with pytest.raises(KeyError):
        style("nothing", DARK)


class EveryVariable(ThemedApp[None]):
    CSS = "\n".join(
        f"#{field.name} {{ color: ${field.name.replace('_', '-')}; }}" for field in fields(Palette)
    )

    def compose(self) -> ComposeResult:
        yield Static("text", id="right")


async def test_stylesheets_can_use_our_variables_in_any_theme(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    app = EveryVariable()
    async with app.run_test() as pilot:
        assert app.theme == "mnemoscope-dark"
        assert app.palette == DARK
        assert app.query_one("#right").styles.color.hex.lower() == DARK.right
        for name in ("mnemoscope-light", "dracula", "ansi-dark", "mnemoscope-dark"):
            app.theme = name
            await pilot.pause()
        assert app.palette == DARK


@pytest.mark.parametrize(
    ("asked", "theme"), [("mnemoscope-light", "mnemoscope-light"), ("nothing", "mnemoscope-dark")]
)
def test_the_environment_can_name_the_theme(
    monkeypatch: pytest.MonkeyPatch, asked: str, theme: str
) -> None:
    monkeypatch.setenv("TEXTUAL_THEME", asked)
    assert EveryVariable().theme == theme


def test_styles_do_not_import_textual() -> None:
    code = "import sys, mnemoscope.viewers.styles; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
