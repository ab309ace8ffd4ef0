"""Names of keys, and which keys an action has once some have been remapped.

Names are Textual's: ``n``, ``N``, ``full_stop``, ``ctrl+g``, ``shift+tab``. A person may also write
what the key list shows: ``.``, ``esc``, ``pgup``, ``↑``. The names are known here without Textual,
so that a configuration can be checked without it.
"""

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mnemoscope.tui.actions import Action

__all__ = ["RESERVED", "Clash", "EffectiveKeys", "is_typed", "parse_key", "settle", "shown_key"]

RESERVED = frozenset({"ctrl+c"})
"""Keys that always mean the same: copy the selection, or say how to quit."""

_MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
_NAMED = frozenset(
    {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"}
    | {"enter", "escape", "tab", "space", "backspace"}
    | {f"f{number}" for number in range(1, 25)}
)
_ALIASES = {
    **{"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", " ": "space"},
    **{"pgup": "pageup", "page_up": "pageup", "pgdn": "pagedown", "page_down": "pagedown"},
    **{"↑": "up", "↓": "down", "←": "left", "→": "right", "⌫": "backspace", "⏎": "enter"},
}
# What a terminal sends for these is one and the same.
_SAME = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
}
# Terminals disagree on what these are called.
_UNSURE = frozenset({"ctrl+space", "ctrl+at"})
_NAMED_ACTION = re.compile(r"\{([a-z]+\.[a-z_]+)\}")
_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}


def _character_name(character: str) -> str:
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name)


_PUNCTUATION = {_character_name(one): one for one in string.punctuation}


def parse_key(text: str) -> str | None:
    """The name that Textual has for a key; None when there is no such key.

    What a terminal cannot tell apart gets one name: ``ctrl+i`` is ``tab``, ``shift+n`` is ``N``.
    """
    before, base = (text[:-1], "+") if text.endswith("+") else text.rpartition("+")[::2]
    modifiers = {one.strip().lower() for one in before.split("+") if one.strip()}
    name = _base_name(base)
    if name is None or not modifiers <= _MODIFIERS:
        return None
    if len(name) == 1 and modifiers == {"shift"}:
        return name.upper()
    if modifiers:
        name = name.lower()
    joined = "+".join([*sorted(modifiers), name])
    return None if joined in _UNSURE else _SAME.get(joined, joined)


def _base_name(text: str) -> str | None:
    if len(text) == 1 and text not in _ALIASES:
        return _character_name(text) if text.isprintable() else None
    name = _ALIASES.get(text, text).strip().lower()
    name = _ALIASES.get(name, name)
    return name if name in _NAMED or name in _PUNCTUATION else None


def shown_key(key: str) -> str:
    """A key, by Textual's name, as a person reads it: ``ctrl+]``, ``esc``, ``.``."""
    from mnemoscope.tui.actions import key_label

    modifiers, plus, base = key.rpartition("+")
    return f"{modifiers}{plus}{_PUNCTUATION.get(base) or key_label([base])}"


def is_typed(key: str) -> bool:
    """Whether a key writes something where one types, or deletes what was written."""
    return len(key) == 1 or key in _PUNCTUATION or key in ("space", "backspace", "delete")


@dataclass(frozen=True, slots=True)
class EffectiveKeys:
    """The keys that actions have: those of the registry, or what the user put in their place."""

    remapped: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Keys by action id, of remapped actions only."""

    def of(self, action: "Action") -> Sequence[str]:
        """The keys of an action; the first is the one to show where one must do."""
        return self.remapped.get(action.id, action.keys)

    def label(self, action: "Action", *, first: bool = False) -> str:
        """The keys of an action, or only the first, as a person reads them."""
        keys = self.of(action)
        return " ".join(shown_key(key) for key in (keys[:1] if first else keys))

    def fill(self, sentence: str) -> str:
        """A sentence with the key of each action that it names, such as ``{app.reload}``."""
        from mnemoscope.tui.actions import action_by_id

        def key(found: re.Match[str]) -> str:
            return self.label(action_by_id(found[1]), first=True)

        return _NAMED_ACTION.sub(key, sentence)

    def keymap(self) -> dict[str, str]:
        """What ``App.set_keymap`` takes."""
        return {action: ",".join(keys) for action, keys in self.remapped.items()}


class Clash(NamedTuple):
    """Two actions that would have the same key in the same place."""

    action: str
    """The action that was to be remapped."""
    key: str
    other: str
    """The action that has the key."""


def settle(wanted: Mapping[str, Sequence[str]]) -> tuple[dict[str, Sequence[str]], list[Clash]]:
    """Decide which remappings can hold together.

    The later of two that clash gives way, and one that takes a key from an action that keeps it.
    Two actions can exchange their keys.

    Args:
        wanted: Keys by action id, in the order in which they were asked for.

    Returns:
        The remappings that hold, and why the others do not.
    """
    kept, refused = dict(wanted), []
    # The registry has no clash, so this ends at the latest when nothing is remapped.
    while (clash := _first_clash(kept)) is not None:
        del kept[clash.action]
        refused.append(clash)
    return kept, refused


def _first_clash(remapped: Mapping[str, Sequence[str]]) -> Clash | None:
    from mnemoscope.tui.actions import ACTIONS, action_by_id

    keys = EffectiveKeys(remapped)
    for action in reversed(list(remapped)):
        for other in ACTIONS:
            if other.id != action and _meet(action_by_id(action), other):
                shared = [key for key in remapped[action] if key in keys.of(other)]
                if shared:
                    return Clash(action, shared[0], other.id)
    return None


def _meet(one: "Action", other: "Action") -> bool:
    """Whether two actions can be reached at the same time."""
    from mnemoscope.tui.actions import DIALOGS, SCREENS

    scopes = {one.scope, other.scope}
    if scopes & DIALOGS.keys():
        # Of the app's actions only these work over a screen.
        works = [a for a in (one, other) if a.priority or a.id == "app.pane_help"]
        return len(scopes) == 1 or bool(works)
    if len(scopes) == 1 or "app" in scopes:
        return True
    # A screen is there together with whatever pane has the focus, but not with another screen.
    return (one.scope in SCREENS) != (other.scope in SCREENS)
