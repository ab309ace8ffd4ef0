import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Static

from mnemoscope.viewers.filters import AsciiSigns, Colourless, FaintText
from mnemoscope.viewers.styles import DARK, LIGHT, LOOKS, MARKS, Palette, style
from mnemoscope.viewers.themes import (
    CONTRAST,
    MNEMOSCOPE_ANSI,
    THEMES,
    ThemedApp,
    semantic_variables,
)

GROUNDS = ("background", "surface", "panel", "cursor_row")
ON_FILLS = {"match": "match_background", "diff": "diff_background"}
FILLS = {*GROUNDS, *ON_FILLS.values()}
COLOURFUL = [theme for theme in BUILTIN_THEMES.values() if not theme.ansi]
PALETTES = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}
each_palette = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)

# What eyes without one kind of cones make of linear RGB: Machado, Oliveira and Fernandes (2009),
# severity 1.
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanope": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanope": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = (
    (0.4124 / 0.95047, 0.3576 / 0.95047, 0.1805 / 0.95047),
    (0.2126, 0.7152, 0.0722),
    (0.0193 / 1.08883, 0.1192 / 1.08883, 0.9505 / 1.08883),
)
Matrix = tuple[tuple[float, float, float], ...]


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def times(matrix: Matrix, values: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix]


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """A colour in CIELAB as some eyes see it."""
    light = [min(1.0, max(0.0, part)) for part in times(EYES[eyes], linear(colour))]
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in times(XYZ, light)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, eyes: str) -> float:
    """How far apart two colours are; 2 can just be told apart side by side."""
    pairs = zip(seen(one, eyes), seen(other, eyes), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


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


@each_palette
def test_every_text_colour_can_be_read_on_every_background_it_stands_on(palette: Palette) -> None:
    assert [pair for pair in text_on_ground(palette) if pair[2] < 4.5] == []


def test_with_high_contrast_every_text_is_at_least_seven_to_one() -> None:
    assert [pair for pair in text_on_ground(CONTRAST) if pair[2] < 7.0] == []


@pytest.mark.parametrize("eyes", EYES)
@each_palette
def test_right_and_wrong_are_far_apart_for_every_kind_of_eyes(palette: Palette, eyes: str) -> None:
    assert distance(palette.right, palette.wrong, eyes) > 70
    for one, other in combinations(("right", "wrong", "failure", "unjudged"), 2):
        assert distance(getattr(palette, one), getattr(palette, other), eyes) > 9, (one, other)


@pytest.mark.parametrize("theme", COLOURFUL, ids=lambda theme: theme.name)
def test_our_colours_can_be_read_in_every_theme_of_textual(theme: Theme) -> None:
    palette = Palette.from_variables(variables(theme))
    too_faint = [p for p in text_on_ground(palette) if p[0] != "foreground" and p[2] < 4.5]
    assert too_faint == []


@pytest.mark.parametrize(
    ("theme", "palette"), zip(THEMES[:3], PALETTES.values(), strict=True), ids=PALETTES
)
def test_a_palette_survives_the_way_through_its_theme(theme: Theme, palette: Palette) -> None:
    assert Palette.from_variables(variables(theme)) == palette


def test_right_is_blue_and_wrong_is_orange_and_never_red_against_green() -> None:
    assert (DARK.right, DARK.wrong, DARK.background) == ("#56b4e9", "#e69f00", "#121212")
    assert LIGHT.right == "#0072b2"
    for palette in PALETTES.values():
        assert int(palette.right[5:], 16) > int(palette.right[1:3], 16)
        assert int(palette.wrong[1:3], 16) > int(palette.wrong[5:], 16)


@pytest.mark.parametrize(
    "theme",
    [BUILTIN_THEMES["ansi-dark"], BUILTIN_THEMES["ansi-light"], MNEMOSCOPE_ANSI],
    ids=lambda theme: theme.name,
)
def test_terminal_colours_become_names_that_rich_knows(theme: Theme) -> None:
    palette = Palette.from_variables(variables(theme))
    assert palette.background == "default"
    assert palette.right != palette.wrong != palette.failure
    for field in fields(palette):
        colour = Style(color=getattr(palette, field.name)).color
        assert colour is not None and (colour.number is None or colour.number < 16)


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
        for name in (*(theme.name for theme in THEMES), "dracula", "ansi-dark", "mnemoscope-dark"):
            app.theme = name
            await pilot.pause()
        assert app.palette == DARK


async def test_an_app_that_the_environment_gives_a_theme_of_ours_has_its_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Textual reads the variable once, when it is imported.
    monkeypatch.setenv("TEXTUAL_THEME", "mnemoscope-light")
    monkeypatch.setattr(ThemedApp.theme, "_default", "mnemoscope-light")
    app = EveryVariable()
    async with app.run_test():
        assert app.theme == "mnemoscope-light"
        assert app.palette == LIGHT
        assert app.screen.styles.background.hex.lower() == LIGHT.background


@pytest.mark.parametrize(
    ("asked", "theme"), [("mnemoscope-light", "mnemoscope-light"), ("nothing", "mnemoscope-dark")]
)
def test_the_environment_can_name_the_theme(
    monkeypatch: pytest.MonkeyPatch, asked: str, theme: str
) -> None:
    monkeypatch.setenv("TEXTUAL_THEME", asked)
    assert EveryVariable().theme == theme


def test_the_environment_comes_before_what_an_app_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TEXTUAL_THEME", raising=False)
    assert EveryVariable(theme="nord").theme == "nord"
    assert EveryVariable(theme="nothing").theme == "mnemoscope-dark"
    monkeypatch.setenv("TEXTUAL_THEME", "mnemoscope-light")
    assert EveryVariable(theme="nord").theme == "mnemoscope-light"


def filtered(one: Colourless | FaintText | AsciiSigns, text: str, style: str) -> tuple[str, str]:
    [segment] = one.apply([Segment(text, Style.parse(style))], Color(0, 0, 0))
    return segment.text, str(segment.style)


@pytest.mark.parametrize(
    ("style", "left"),
    [
        ("#ff0000 on #00ff00", "none"),
        ("bold italic underline #ff0000", "bold italic underline"),
        ("reverse red", "reverse"),
        ("dim green on default", "dim"),
        ("black on yellow", "reverse"),
        ("bright_black", "dim"),
    ],
)
def test_without_colours_the_attributes_stay_and_stand_in(style: str, left: str) -> None:
    assert filtered(Colourless(), "text", style) == ("text", left)


def test_faint_text_is_asked_for_as_such() -> None:
    # Some colour schemes draw bright black in the background's colour.
    assert filtered(FaintText(), "text", "bold bright_black") == ("text", "bold dim default")
    assert filtered(FaintText(), "text", "bold cyan") == ("text", "bold cyan")
    assert filtered(FaintText(), "text", "#808080") == ("text", "#808080")


def test_only_signs_are_put_into_ascii() -> None:
    assert filtered(AsciiSigns(), "✓ 你好 … naïve", "bold") == ("v 你好 ~ naïve", "bold")


@pytest.mark.parametrize(("value", "colourless"), [("1", True), ("", False), (None, False)])
async def test_no_color_counts_when_it_is_set_to_something(
    value: str | None, colourless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    app = EveryVariable(theme="mnemoscope-light")
    async with app.run_test():
        assert app.no_color is colourless
        assert app.theme == ("mnemoscope-ansi" if colourless else "mnemoscope-light")
        line = app.screen._compositor.render_strips()[0]
        styles = [segment.style for segment in line if segment.style]
        assert styles
        coloured = [one for one in styles if one.color or one.bgcolor]
        assert (coloured == []) is colourless
        app.theme = "dracula"
        assert app.theme == ("mnemoscope-ansi" if colourless else "dracula")


def test_styles_do_not_import_textual() -> None:
    code = "import sys, mnemoscope.viewers.styles; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
