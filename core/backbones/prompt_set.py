"""The prompts that answers are asked for with, from versioned files.

A set is a folder with a file for each form of question and language. A set that came along is never
changed: another one is added beside it.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.memory.query import Query
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.toml_files import read_toml

__all__ = ["DEFAULT", "Piece", "Prompt", "PromptSet", "read_prompts"]

DEFAULT = "plain-1"
_FOLDER = Path(__file__).parent / "prompts"
_LANGUAGES = ("en", "zh")
_NAMES = tuple(f"{form}-{language}" for form in ("choice", "open") for language in _LANGUAGES)
_KEYS = ("system", "turns", "nothing")
_SLOT = re.compile(r"\{(context|question|options|asked_at)\}")
_DATE = "{asked_at}"
_CHINESE = re.compile(r"[\u3400-\u9fff]")

Piece = str | MediumView
"""A part of what is sent: text, or a picture or clip."""


@dataclass(frozen=True)
class Prompt:
    """One file of a set."""

    name: str
    """The set and the file, such as ``plain-1/choice-en``."""
    sha256: str
    system: str
    """What the model is told of its task; empty to tell it nothing."""
    turns: tuple[str, ...]
    """What the user says, with slots for context, question, options and date. A line whose date
    nobody knows is left out."""
    nothing: str
    """What stands for a context in which there is nothing."""

    def fill(
        self, query: Query, context: Iterable[Piece], options: Iterable[Piece]
    ) -> tuple[tuple[Piece, ...], ...]:
        """The user's turns for one question: text and media in order."""
        values: dict[str, tuple[Piece, ...]] = {
            "context": _lines(context) or (self.nothing,),
            "question": _lines((query.stem, *query.media)),
            "options": tuple(options),
            "asked_at": (f"{query.asked_at:%Y-%m-%d}",) if query.asked_at else (),
        }
        return tuple(tuple(_filled(_dated(turn, query), values)) for turn in self.turns)


@dataclass(frozen=True)
class PromptSet:
    """The prompts of a folder."""

    name: str
    prompts: Mapping[str, Prompt]

    def of(self, query: Query) -> Prompt:
        """The prompt for a question: by whether it has options, and by its language."""
        form = "choice" if query.options else "open"
        language = "zh" if _CHINESE.search(query.stem) else "en"
        return self.prompts[f"{form}-{language}"]

    @property
    def hashes(self) -> dict[str, str]:
        """The hash of each prompt, by name."""
        return {one.name: one.sha256 for one in self.prompts.values()}


def _lines(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    return tuple(part for piece in pieces for part in ("\n", piece))[1:]


def _dated(turn: str, query: Query) -> str:
    if query.asked_at:
        return turn
    return "".join(line for line in turn.splitlines(keepends=True) if _DATE not in line)


def _filled(turn: str, values: Mapping[str, tuple[Piece, ...]]) -> Iterable[Piece]:
    # In one pass: what is filled in may look like a slot.
    for at, piece in enumerate(_SLOT.split(turn)):
        if at % 2:
            yield from values[piece]
        elif piece:
            yield piece


def read_prompts(name: str) -> PromptSet:
    """The set with a name, or in a folder.

    Args:
        name: A set that comes along, or the path of a folder with the same four files.

    Raises:
        UsageError: There is no such set.
        ReadError: A file of it cannot be used; names file, place, found and expected.
        InputError: A file cannot be read.
    """
    known = sorted(path.name for path in _FOLDER.iterdir() if path.is_dir())
    folder = _FOLDER / name if name in known else Path(name)
    if not name or not folder.is_dir():
        raise UsageError(
            f"no prompts {name!r}; there are: {', '.join(known)}",
            hint=f"or name a folder that holds {', '.join(f'{one}.toml' for one in _NAMES)}",
        )
    own = {one: _read(folder / f"{one}.toml", f"{folder.name}/{one}") for one in _NAMES}
    return PromptSet(folder.name, own)


def _read(path: Path, name: str) -> Prompt:
    data = read_toml(path)
    unknown = next((key for key in data if key not in _KEYS), None)
    if unknown is not None:
        raise ReadError(path, f"$.{unknown}", "an unknown key", f"one of {', '.join(_KEYS)}")
    system, nothing = (_text(path, data, key) for key in ("system", "nothing"))
    turns = data.get("turns")
    if not isinstance(turns, list) or not turns or not all(isinstance(one, str) for one in turns):
        raise ReadError(path, "$.turns", repr(turns)[:60], "texts, one for each turn of the user")
    whole = "".join(turns)
    for slot in ("{context}", "{question}", *(["{options}"] if "choice" in path.name else [])):
        if slot not in whole:
            raise ReadError(path, "$.turns", f"no {slot}", f"{slot} in one of the turns")
    stripped = tuple(one.strip() for one in turns)
    parts = "\n---\n".join((system, *stripped, nothing))
    digest = hashlib.sha256(parts.encode("utf-8", "replace")).hexdigest()
    return Prompt(name, digest, system, stripped, nothing)


# Any: the values of a TOML file.
def _text(path: Path, data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise ReadError(path, f"$.{key}", repr(value)[:60], "text")
    return value.strip()
