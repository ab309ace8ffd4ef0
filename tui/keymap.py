"""Names of keys, and which keys an action has once some have been remapped.

Names are Textual's: ``n``, ``N``, ``full_stop``, ``ctrl+g``, ``shift+tab``. A person may also write
what the key list shows: ``.``, ``esc``, ``pgup``, ``↑``. The names are known here without Textual,
so that a configuration can be checked without it.
"""

import string
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mnemoscope.tui.actions import Action

__all__ = ["RESERVED", "Clash", "EffectiveKeys", "is_typed", "parse_key", "settle", "shown_key"]

RESERVED = frozenset({"ctrl+c"})
"""Keys that always mean the same: copy the selection, or say how to quit."""

_MODIFIERS = frozenset({"alt", "ctrl", "hyper", "meta", "shift", "super"})
_NAMED = frozenset(
    "backspace delete down end enter escape home insert left pagedown pageup right space tab "
    "up".split()
) | {f"f{number}" for number in range(1, 25)}
_ALIASES = {
    **{"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", " ": "space"},
    **{"pgup": "pageup", "page_up": "pageup", "pgdn": "pagedown", "page_down": "pagedown"},
    **{"↑": "up", "↓": "down", "←": "left", "→": "right"},
}
# What a terminal sends for these is one and the same.
_SAME = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
    "ctrl+space": "ctrl+at",
}
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
    *before, base = text[:-1].split("+") if text.endswith("+") else text.split("+")
    if text.endswith("+"):
        base = "+"
        before = before if text == "+" or before else []
        before = [one for one in text[:-2].split("+") if one]
    modifiers = {one.strip().lower() for one in before}
    name = _base_name(base if base == " " else base.strip())
    if name is None or not modifiers <= _MODIFIERS:
        return None
    if len(name) == 1 and name.isalpha():
        if modifiers == {"shift"}:
            return name.upper()
        name = name.lower() if modifiers else name
    joined = "+".join([*sorted(modifiers), name])
    return _SAME.get(joined, joined)
