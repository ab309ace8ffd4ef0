"""Something a person can do: its key, its words, and where it belongs."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Action", "key_label"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do."""

    id: str
    keys: tuple[str, ...]
    """Keys as Textual names them; the first is shown."""
    label: str
    """Two or three words, for the footer and the palette."""
    help: str
    """One sentence, for the key list and the docs."""
    footer: int = 0
    """Its place in the footer, 1 first; 0 keeps it out. What does not fit is left out."""
    priority: bool = False
    """Whether it comes before what has the focus: also from dialogs and while typing."""

    @property
    def scope(self) -> str:
        """What it belongs to."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """What it is called in its scope."""
        return self.id.partition(".")[2]

    @property
    def method(self) -> str:
        """The method's name without ``action_``: panes move a cursor."""
        is_move = self.scope in ("list", "page") and self.name != "open"
        return f"cursor_{self.name}" if is_move else self.name


_SIGNS = {
    "question_mark": "?",
    "slash": "/",
    "full_stop": ".",
    "comma": ",",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
    "delete": "del",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "backspace": "⌫",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "number_sign": "#",
    "greater_than_sign": ">",
    "less_than_sign": "<",
}


def key_label(keys: Sequence[str]) -> str:
    """Keys as a person reads them."""
    return " ".join(_SIGNS.get(key, key) for key in keys)
