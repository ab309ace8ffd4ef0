"""The two themes, and semantic colours for every other theme of Textual.

Our widgets' stylesheets use variables such as ``$right``, which fail to parse under a theme that
does not define them. An app that shows our widgets is therefore a ``ThemedApp``.
"""

import os
from dataclasses import fields
from typing import Generic

from textual.app import App, ReturnType
from textual.color import BLACK, WHITE, Color
from textual.theme import Theme

from mnemoscope.viewers.styles import DARK, LIGHT, Palette, variable_name

READABLE = 4.5
"""The contrast that WCAG 2.2 asks of ordinary text (level AA)."""

# Palette fields that Textual derives from a theme's own colours.
_BUILT_IN = frozenset({"background", "surface", "panel", "foreground"})
# Fields that stand behind text, and which text stands on them.
_BEHIND = {"match": "match_background", "diff": "diff_background"}
_FILLS = frozenset({"cursor_row", *_BEHIND.values()})

_ANSI = {
    "right": "ansi_cyan",
    "wrong": "ansi_yellow",
    "failure": "ansi_magenta",
    "speaker_user": "ansi_green",
    "speaker_assistant": "ansi_blue",
}


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
        return {variable_name(name): _ANSI.get(name, "ansi_default") for name in names}
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
THEMES = (MNEMOSCOPE_DARK, MNEMOSCOPE_LIGHT)
"""Both themes, to be registered by an app."""


class ThemedApp(App[ReturnType], Generic[ReturnType]):
    """An app in which every theme has the semantic colours.

    It starts in our dark theme, or in the one that ``TEXTUAL_THEME`` names.
    """

    def __init__(self) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        asked = self.get_theme(os.environ.get("TEXTUAL_THEME", ""))
        self.theme = (asked or MNEMOSCOPE_DARK).name

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return semantic_variables(self.current_theme)

    @property
    def palette(self) -> Palette:
        """The colours of the current theme, for renderables."""
        return Palette.from_variables(self.theme_variables)
