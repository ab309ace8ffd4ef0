"""What things look like, by what they mean.

A state is a glyph, a word and a colour, never a colour alone. Colours live in a ``Palette`` of
plain strings that renderables take as a value; ``viewers.themes`` turns palettes into Textual
themes, and a palette is read back from whichever theme an app runs. Only Rich is imported here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from rich.style import Style
from rich.text import Text

from mnemoscope.core.text import clean


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by meaning, as Rich takes them: ``#rrggbb``, or a name such as ``default``.

    Each field is a theme variable of the same name with dashes: ``cursor_row`` is ``$cursor-row``.
    """

    background: str
    """Behind everything."""
    surface: str
    """Behind a pane that stands out from the background."""
    panel: str
    """Behind header, footer and dialogs."""
    cursor_row: str
    """Behind the row or round under the cursor."""
    foreground: str
    """Ordinary text."""
    dim: str
    """Ids, times, and what is there for completeness."""
    focus: str
    """What has the focus, and nothing else."""
    right: str
    """A right answer, a clue that was found."""
    wrong: str
    """A wrong answer, a clue that was missed."""
    failure: str
    """Something that did not work: an error, a timeout, a file that is missing."""
    unjudged: str
    """Nobody or nothing decided."""
    clue: str
    """A place that the gold evidence points at."""
    extra: str
    """Retrieved, but no clue."""
    speaker_user: str
    """The name of the user who speaks."""
    speaker_assistant: str
    """The name of the assistant that speaks."""
    speaker_other: str
    """The name of anybody else who speaks."""
    evaluator: str
    """Evaluator-only data, once asked for."""
    match: str
    """Text that a search or filter matches."""
    match_background: str
    """Behind a match."""
    diff: str
    """Text that only one of two texts has."""
    diff_background: str
    """Behind such text."""

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> "Palette":
        """Read a palette from an app's ``theme_variables``.

        Args:
            variables: Values by variable name. What is missing, or is a value that only a
                stylesheet understands, is taken from the dark palette.
        """
        found: dict[str, str] = {}
        for field in fields(cls):
            value = variables.get(variable_name(field.name), "").strip()
            if value.startswith("#") and len(value) == 7:
                found[field.name] = value.lower()
            elif value == "transparent":
                found[field.name] = "default"
            elif value.startswith("ansi_") and " " not in value:
                found[field.name] = value.removeprefix("ansi_")
        return replace(DARK, **found)


def variable_name(field_name: str) -> str:
    """Return the theme variable that carries a field of the palette."""
    return field_name.replace("_", "-")


# Okabe and Ito's sky blue and orange carry right and wrong: they stay apart for every common kind
# of colour blindness. On white both are too pale for text; blue and a darkened vermilion stand in.
DARK = Palette(
    background="#121212",
    surface="#191b1e",
    panel="#22262b",
    cursor_row="#26333f",
    foreground="#e6e4df",
    dim="#a3a29c",
    focus="#c7b6f5",
    right="#56b4e9",
    wrong="#e69f00",
    failure="#e98fc4",
    unjudged="#b9b7ae",
    clue="#ebdd73",
    extra="#b4b2ab",
    speaker_user="#8ed6bf",
    speaker_assistant="#d3c3f0",
    speaker_other="#d9c7a6",
    evaluator="#f0a8a0",
    match="#fff6c2",
    match_background="#5a4f14",
    diff="#ffffff",
    diff_background="#443f66",
)

LIGHT = Palette(
    background="#ffffff",
    surface="#f8f8f6",
    panel="#f1f1ee",
    cursor_row="#e9f1f9",
    foreground="#1e1f21",
    dim="#5c5c58",
    focus="#5b3fa8",
    right="#0072b2",
    wrong="#a84300",
    failure="#9a2a74",
    unjudged="#5e5d57",
    clue="#6e5a00",
    extra="#5b5a54",
    speaker_user="#0b6b55",
    speaker_assistant="#6a35a0",
    speaker_other="#6b5426",
    evaluator="#a1342a",
    match="#1e1f21",
    match_background="#ffec99",
    diff="#1e1f21",
    diff_background="#ded7f4",
)


@dataclass(frozen=True, slots=True)
class Look:
    """How text of one meaning is set."""

    colour: str
    """The palette's field for the text."""
    background: str = ""
    """The palette's field behind the text; empty leaves what is there."""
    attributes: str = ""
    """Bold, underline and so on, as Rich writes them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A state as it is always shown: glyph, word and colour. Glyphs are one cell wide."""

    glyph: str
    """The sign before the word."""
    ascii: str
    """The sign where only ASCII can be drawn."""
    word: str
    """The state in words."""
    colour: str
    """The palette's field."""

    def label(self, palette: Palette, *, word: str | None = None, ascii_only: bool = False) -> Text:
        """Return the mark to draw.

        Args:
            palette: The colours.
            word: What stands after the glyph instead of the mark's own word, such as the letter
                that was answered; empty for the glyph alone.
            ascii_only: Whether to use the ASCII sign.
        """
        said = self.word if word is None else word
        sign = self.ascii if ascii_only else self.glyph
        return styled(f"{sign} {said}".rstrip(), _style(Look(self.colour), palette))


MARKS: Mapping[str, Mark] = {
    "right": Mark("✓", "v", "right", "right"),
    "wrong": Mark("✗", "x", "wrong", "wrong"),
    "error": Mark("!", "!", "error", "failure"),
    "timeout": Mark("!", "!", "timeout", "failure"),
    "refused": Mark("!", "!", "refused by provider", "failure"),
    "budget": Mark("!", "!", "budget stop", "failure"),
    "unparsed": Mark("~", "~", "unparsed", "failure"),
    "unjudged": Mark("?", "?", "not judged", "unjudged"),
    "not_run": Mark("–", "-", "not run", "dim"),
    "none": Mark("–", "-", "none", "dim"),
    "hit": Mark("●", "*", "hit", "right"),
    "missed": Mark("○", "o", "missed", "wrong"),
    "extra": Mark("+", "+", "extra", "extra"),
    "clue": Mark("●", "*", "clue", "clue"),
    "unresolved": Mark("◌", "?", "unresolved", "failure"),
    "gold": Mark("◆", "#", "gold", "clue"),
    "evaluator": Mark("◇", "%", "evaluator-only", "evaluator"),
    "flag": Mark("⚑", "F", "flagged", "clue"),
    "set": Mark("■", "#", "set", "focus"),
    "suggested": Mark("▸", ">", "suggested", "focus"),
    "missing": Mark("∅", "!", "missing", "failure"),
    "image": Mark("▣", "I", "image", "focus"),
    "audio": Mark("♪", "S", "sound", "focus"),
    "by_text": Mark("●", "*", "text", "speaker_user"),
    "by_image": Mark("■", "#", "visual", "speaker_other"),
    "by_both": Mark("▲", "^", "both", "speaker_assistant"),
    "no_change": Mark("○", "o", "no change", "dim"),
    "withdrawn": Mark("↶", "<", "withdrawn", "wrong"),
    "reinstated": Mark("↷", ">", "reinstated", "right"),
    "direct": Mark("Δ", "D", "changed", "clue"),
    "follows": Mark("δ", "d", "follows", "dim"),
    "on_record": Mark("~", "~", "on record", "unjudged"),
    "unequal": Mark("≠", "/", "not as accepted", "wrong"),
    "absent": Mark("∅", "!", "not there", "dim"),
}
"""Every state by name."""

LOOKS: Mapping[str, Look] = {
    "text": Look("foreground"),
    "dim": Look("dim"),
    "heading": Look("foreground", attributes="bold"),
    "focus": Look("focus", attributes="bold"),
    "speaker_user": Look("speaker_user", attributes="bold"),
    "speaker_assistant": Look("speaker_assistant", attributes="bold"),
    "speaker_other": Look("speaker_other", attributes="bold"),
    "evaluator": Look("evaluator", attributes="italic"),
    "match": Look("match", "match_background", "bold underline"),
    "match_current": Look("match", "match_background", "bold reverse not underline"),
    "diff": Look("diff", "diff_background", "bold underline"),
    "rest": Look("dim", attributes="italic"),
    "chosen": Look("focus", attributes="bold reverse"),
}
"""Text that is not a state, by meaning."""


def style(name: str, palette: Palette) -> Style:
    """Return the Rich style of a mark or a look.

    Args:
        name: A key of ``MARKS`` or ``LOOKS``; looks come first where both have it.
        palette: The colours.

    Raises:
        KeyError: There is no such name.
    """
    look = LOOKS.get(name) or Look(MARKS[name].colour)
    return _style(look, palette)


def styled(text: str, style: Style) -> Text:
    """Return text in a style that ends where the text does.

    A style given to ``Text`` itself also covers what is appended later, and ``Text.render`` forgets
    it when there is nothing else.
    """
    return Text().append(text, style)


def safe(text: Text) -> Text:
    """Return text that no terminal obeys: the same, or cleaned and without its styles.

    Widgets call it on all they draw, as the last of several lines of defence.
    """
    cleaned = clean(text.plain)
    return text if cleaned is text.plain or cleaned == text.plain else Text(cleaned)


@lru_cache(maxsize=256)
def _style(look: Look, palette: Palette) -> Style:
    colour: str = getattr(palette, look.colour)
    background: str | None = getattr(palette, look.background) if look.background else None
    return Style.parse(look.attributes) + Style(color=colour, bgcolor=background)
