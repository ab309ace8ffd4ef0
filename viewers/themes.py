"""Our themes, and semantic colours for every other theme of Textual.

Our widgets' stylesheets use variables such as ``$right``, which fail to parse under a theme that
does not define them. An app that shows our widgets is therefore a ``ThemedApp``.
"""

import os
from collections.abc import Sequence
from dataclasses import fields
from typing import Generic

from textual.app import App, ReturnType
from textual.color import BLACK, WHITE, Color
from textual.filter import ANSIToTruecolor, LineFilter, Monochrome, NoColor
from textual.theme import BUILTIN_THEMES, Theme

from mnemoscope.viewers.filters import AsciiSigns, Colourless, FaintText
from mnemoscope.viewers.styles import DARK, LIGHT, Palette, variable_name

READABLE = 4.5
"""The contrast that WCAG 2.2 asks of ordinary text (level AA)."""

# For text this reaches 7:1, which WCAG 2.2 asks at level AAA.
CONTRAST = Palette(
    background="#000000",
    surface="#0b0b0b",
    panel="#1c1c1c",
    cursor_row="#00335c",
    foreground="#ffffff",
    dim="#d0d0d0",
    focus="#dccbff",
    right="#7fd0ff",
    wrong="#ffb84d",
    failure="#ffa8dc",
    unjudged="#e0e0e0",
    clue="#fff176",
    extra="#d8d8d8",
    speaker_user="#8ff0cf",
    speaker_assistant="#dccbff",
    speaker_other="#f0d9a8",
    evaluator="#ffb8ae",
    match="#000000",
    match_background="#ffe14d",
    diff="#000000",
    diff_background="#c3b5ff",
)

# Palette fields that Textual derives from a theme's own colours.
_BUILT_IN = frozenset({"background", "surface", "panel", "foreground"})
# Fields that stand behind text, and which text stands on them.
_BEHIND = {"match": "match_background", "diff": "diff_background"}
_FILLS = frozenset({"cursor_row", *_BEHIND.values()})

# Bright black stands for faint text; ``viewers.filters`` turns it into that.
_ANSI = {
    "dim": "ansi_bright_black",
    "focus": "ansi_magenta",
    "right": "ansi_cyan",
    "wrong": "ansi_yellow",
    "failure": "ansi_magenta",
    "clue": "ansi_yellow",
    "speaker_user": "ansi_green",
    "speaker_assistant": "ansi_blue",
    "evaluator": "ansi_red",
    "match": "ansi_black",
    "match_background": "ansi_yellow",
    "diff": "ansi_black",
    "diff_background": "ansi_cyan",
}
# Yellow and cyan cannot be read on white.
_ANSI_ON_LIGHT = {**_ANSI, "right": "ansi_blue", "wrong": "ansi_red", "clue": "ansi_magenta"}


def contrast(one: Color, other: Color) -> float:
    """Return the WCAG contrast ratio of two opaque colours, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def semantic_variables(theme: Theme) -> dict[str, str]:
    """Return the variables that widgets use and Textual does not define, for any theme.

    Text colours start from our dark or light palette and move towards white or black until they
    can be read on each of the theme's backgrounds. A theme in the terminal's own colours gets
    ANSI names.
    """
    names = [field.name for field in fields(Palette) if field.name not in _BUILT_IN]
    if theme.ansi:
        chosen = _ANSI if theme.dark else _ANSI_ON_LIGHT
        return {variable_name(name): chosen.get(name, "ansi_default") for name in names}
    generated = theme.to_color_system().generate()
    grounds = [Color.parse(generated[name]) for name in ("background", "surface", "panel")]
    base = DARK if theme.dark else LIGHT
    tint = Color.parse(base.right)
    fills = {name: Color.parse(getattr(base, name)) for name in _FILLS}
    fills["cursor_row"] = grounds[0].blend(tint, 0.12, alpha=1.0)
    grounds.append(fills["cursor_row"])
    starts = {name: Color.parse(getattr(base, name)) for name in names}
    starts["focus"] = Color.parse(generated["accent"])
    colours = dict(fills)
    for name in names:
        if name not in _FILLS:
            behind = [fills[_BEHIND[name]]] if name in _BEHIND else grounds
            colours[name] = _readable(starts[name], behind, dark=theme.dark)
    return {variable_name(name): colours[name].hex6.lower() for name in names}


def _readable(colour: Color, grounds: list[Color], *, dark: bool) -> Color:
    end = WHITE if dark else BLACK
    for step in range(11):
        candidate = colour.blend(end, step / 10, alpha=1.0)
        if all(contrast(candidate, ground) >= READABLE for ground in grounds):
            return candidate
    return end


def _luminance(colour: Color) -> float:
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _theme(name: str, palette: Palette, *, dark: bool, edge: str, handle: str) -> Theme:
    own = {
        variable_name(field.name): getattr(palette, field.name)
        for field in fields(Palette)
        if field.name not in _BUILT_IN
    }
    return Theme(
        name=name,
        dark=dark,
        primary=palette.focus,
        secondary=handle,
        accent=palette.focus,
        success=palette.right,
        warning=palette.wrong,
        error=palette.failure,
        foreground=palette.foreground,
        background=palette.background,
        surface=palette.surface,
        panel=palette.panel,
        variables={
            **own,
            "block-cursor-background": palette.cursor_row,
            "block-cursor-foreground": palette.foreground,
            "block-cursor-blurred-background": palette.panel,
            "border": palette.focus,
            "border-blurred": edge,
            "footer-background": palette.panel,
            "footer-key-foreground": palette.focus,
            "footer-description-foreground": palette.foreground,
            "link-color": palette.right,
            "scrollbar": handle,
            "scrollbar-hover": palette.dim,
            "scrollbar-active": palette.focus,
            "scrollbar-background": palette.background,
            "text-muted": palette.dim,
            "input-selection-background": palette.diff_background,
            "screen-selection-background": palette.diff_background,
        },
    )


MNEMOSCOPE_DARK = _theme("mnemoscope-dark", DARK, dark=True, edge="#3d434a", handle="#5f6873")
MNEMOSCOPE_LIGHT = _theme("mnemoscope-light", LIGHT, dark=False, edge="#c4c8cc", handle="#868e96")
MNEMOSCOPE_CONTRAST = _theme(
    "mnemoscope-contrast", CONTRAST, dark=True, edge="#8a8a8a", handle="#b0b0b0"
)
MNEMOSCOPE_ANSI = Theme(
    name="mnemoscope-ansi",
    ansi=True,
    primary="ansi_magenta",
    secondary="ansi_cyan",
    accent="ansi_magenta",
    success="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    # Without colours a coloured background is drawn in reverse: only what must stand out has one.
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_cyan",
        "block-cursor-text-style": "none",
        "border-blurred": "ansi_default",
        "scrollbar": "ansi_default",
        "scrollbar-hover": "ansi_default",
        "scrollbar-active": "ansi_magenta",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "input-selection-foreground": "ansi_black",
        "input-selection-background": "ansi_cyan",
        "screen-selection-foreground": "ansi_black",
        "screen-selection-background": "ansi_cyan",
    },
)
"""The terminal's own colours, its background included."""
THEMES = (MNEMOSCOPE_DARK, MNEMOSCOPE_LIGHT, MNEMOSCOPE_CONTRAST, MNEMOSCOPE_ANSI)
"""Our themes, to be registered by an app. The first two are the colour-blind-safe pair."""


class ThemedApp(App[ReturnType], Generic[ReturnType]):
    """An app in which every theme has the semantic colours.

    Where ``NO_COLOR`` is set to anything but nothing, no colour is ever sent: not even grey, as
    Textual does.
    """

    def __init__(self, *, theme: str = "", ascii_only: bool = False) -> None:
        """Make the app.

        Args:
            theme: The theme to start in, unless ``TEXTUAL_THEME`` names one; ours for a dark
                screen when there is no such theme.
            ascii_only: Whether signs and lines are drawn in ASCII.
        """
        super().__init__()
        self.no_color = bool(os.environ.get("NO_COLOR"))
        self.ascii_only = ascii_only
        self._colourless, self._faint, self._signs = Colourless(), FaintText(), AsciiSigns()
        for one in THEMES:
            self.register_theme(one)
        asked = self.get_theme(os.environ.get("TEXTUAL_THEME") or theme)
        # Textual already has the theme that TEXTUAL_THEME names, but with the colours of its own,
        # for ours were not known: only a change makes it look again.
        self.set_reactive(App.theme, BUILTIN_THEMES["textual-dark"].name)
        self.theme = (asked or MNEMOSCOPE_DARK).name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return semantic_variables(self.current_theme)

    def validate_theme(self, name: str) -> str:
        # Only a theme of terminal colours marks what is faint or emphasised so that it can still
        # be told from the rest when its colours are gone.
        return MNEMOSCOPE_ANSI.name if self.no_color else name

    def get_line_filters(self) -> Sequence[LineFilter]:
        is_plain = self.no_color or self.native_ansi_color
        # Textual does not turn its translation off for a theme that the app starts in.
        unwanted = (Monochrome, NoColor, *([ANSIToTruecolor] if is_plain else []))
        kept = [one for one in super().get_line_filters() if not isinstance(one, unwanted)]
        if is_plain:
            kept.append(self._colourless if self.no_color else self._faint)
        if self.ascii_only:
            kept.append(self._signs)
        return kept

    @property
    def palette(self) -> Palette:
        """The colours of the current theme, for renderables."""
        return Palette.from_variables(self.theme_variables)
