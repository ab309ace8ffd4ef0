"""Phrasebooks: forms of sentences, combined until something new comes out."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.toml_files import read_toml

__all__ = ["Phrasebook", "UnsaidError", "forms"]

Forms = Mapping[str, tuple[str, ...]]
_FOLDER = Path(__file__).parent / "phrases"
_SLOT = re.compile(r"\{(\w+)\}")
_DEEPEST = 12
_START = re.compile(r"(^|[.!?]\s+|\n+(?:- )?)([a-z]|\ue000\d+\ue001)")
_PLAIN_WORDS = frozenset(
    (
        "revision",
        "reference",
        "picture",
        "columns",
        "about",
        "plural",
        "entity",
        "cover",
        "body",
        "asked",
        "answered",
    )
)
"""Slots whose content is words: at the start of a sentence they take a capital."""
_HELD = "\ue000{}\ue001"
_HELD_AGAIN = re.compile("\ue000(\\d+)\ue001")


class UnsaidError(LookupError):
    """No form of a list can be filled with what there is to say."""


@cache
def forms() -> Forms:
    """Every list of forms that comes along, by name."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(_FOLDER.glob("*.toml")):
        for name, lines in read_toml(path).items():
            found[name] = (*found.get(name, ()), *lines)
    return found


class Phrasebook:
    """Says things; each form of a list comes up before any of them comes up again."""

    def __init__(self, chance: Chance, more: Forms | None = None) -> None:
        self._chance = chance
        self._forms = {**forms(), **(more or {})}
        self._decks: dict[str, list[str]] = {}

    def draw(self, name: str) -> str:
        """The next form of a list, as it is written: for what is said several times alike."""
        return self._next(name, None)

    def say_one(self, lines: Sequence[str], slots: Mapping[str, str]) -> str:
        """A text of one of some forms that are in no list."""
        name = "\0".join(lines)
        self._forms.setdefault(name, tuple(lines))
        return self.say(name, slots)

    def say(self, name: str, slots: Mapping[str, str], *, capital: bool = True) -> str:
        """A text of a list, its slots filled.

        Args:
            name: The list.
            slots: What to fill in; other names in braces are lists themselves. A form that needs a
                slot which is not there, or empty, is passed over.
            capital: Whether sentences begin with a capital.

        Raises:
            UnsaidError: None of its forms can be filled.
        """
        held: list[tuple[str, str]] = []
        text = self._expanded(name, slots, held, 0)
        # Starts are capitalised while what is filled in is held back: it stays as it is.
        text = re.sub(r"[ \t]+", " ", text).strip()
        if capital:
            text = _START.sub(lambda found: found[1] + _capital(found[2], held), text)
        return _HELD_AGAIN.sub(lambda found: held[int(found[1])][1], text)

    def _expanded(
        self, name: str, slots: Mapping[str, str], held: list[tuple[str, str]], depth: int
    ) -> str:
        if depth > _DEEPEST:
            raise UnsaidError(f"{name}: too deep")

        def filled(found: re.Match[str]) -> str:
            key = found[1]
            if key not in slots and key in self._forms:
                return self._expanded(key, slots, held, depth + 1)
            held.append((key, slots[key]))
            return _HELD.format(len(held) - 1)

        return _SLOT.sub(filled, self._next(name, slots))

    def _next(self, name: str, slots: Mapping[str, str] | None) -> str:
        if name not in self._forms:
            raise UnsaidError(name)
        lines = self._forms[name]
        fitting = [one for one in lines if slots is None or self._fits(one, slots)]
        if not fitting:
            raise UnsaidError(name)
        deck = self._decks.setdefault(name, [])
        found = next((one for one in deck if one in fitting), None)
        if found is None:
            deck[:0] = self._shuffled(fitting)
            found = deck[0]
        deck.remove(found)
        return found

    def _shuffled(self, lines: Sequence[str]) -> list[str]:
        return self._chance.sample(lines, len(lines))

    def _fits(self, form: str, slots: Mapping[str, str]) -> bool:
        return all(
            any(self._fits(one, slots) for one in self._forms[key])
            if key not in slots and key in self._forms
            else bool(slots.get(key))
            for key in _SLOT.findall(form)
        )


def _capital(start: str, held: list[tuple[str, str]]) -> str:
    """The start of a sentence; names and columns are left as they are written."""
    slot = _HELD_AGAIN.fullmatch(start)
    if slot is None:
        return start.upper()
    at = int(slot[1])
    key, text = held[at]
    if key in _PLAIN_WORDS:
        held[at] = key, text[:1].upper() + text[1:]
    return start
