"""The configuration: one TOML file in which whatever cannot be used is named and left aside.

Nothing here is an error. An app with a broken configuration starts as if what is broken were not
there, and says so; ``mnemoscope doctor`` says it too.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from mnemoscope.core.text import one_line
from mnemoscope.tui.keymap import RESERVED, EffectiveKeys, is_typed, parse_key, settle, shown_key

__all__ = [
    *("CONFIG_VARIABLE", "OPTIONS", "OUR_THEMES", "Config", "Option", "Problem"),
    *("config_file", "is_compact", "keymap", "load_config", "option_rows", "taxonomy_folder"),
]

CONFIG_VARIABLE = "MNEMOSCOPE_CONFIG"
OUR_THEMES = ("mnemoscope-dark", "mnemoscope-light", "mnemoscope-contrast", "mnemoscope-ansi")
"""Our themes' names: those are known without importing Textual."""
_ENDPOINT = ("url", "key")
_LONGEST = 40
LOW = 30
"""A terminal of fewer lines is compact, unless the configuration says otherwise."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a person has chosen."""

    theme: str = OUR_THEMES[0]
    compact: bool | Literal["auto"] = "auto"
    images: str = "auto"
    audio: str = "auto"
    ascii: bool = False
    annotator: str = ""
    adjudicator: str = ""
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Keys by action id, by Textual's names; only of actions that have been remapped."""
    endpoint_url: str = ""
    """Where models are asked."""
    endpoint_key: str = field(default="", repr=False)
    """The key for that URL."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that cannot be used."""

    file: Path
    line: int | None
    """Where it stands, counted from 1, if that is known."""
    name: str
    """The option or the action; empty for the file as a whole."""
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else str(self.file)
        return one_line(": ".join(part for part in (place, self.name, self.message) if part))


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the file."""

    name: str
    choices: tuple[bool | str, ...]
    """What it can be; empty where that is a matter of its own."""
    help: str
    """What it decides, in a sentence."""


# What images and audio can be is repeated here, for importing what defines it takes too long at the
# start of the app. A test holds them together.
OPTIONS = (
    Option("theme", (), "The theme: one of ours, or one of Textual's."),
    Option("compact", ("auto", True, False), "Whether lines and blank lines give way to content."),
    Option("images", ("auto", "kitty", "sixel", "half", "off"), "How pictures are drawn."),
    Option("audio", ("auto", "miniaudio", "simpleaudio", "system", "off"), "What plays sound."),
    Option("ascii", (False, True), "Whether signs and lines are drawn in ASCII."),
    Option("annotator", (), "The name that stands with tags; asked for when there is none."),
    Option("adjudicator", (), "The annotator whose word decides where others differ."),
)


def config_file() -> Path:
    """Where the configuration is looked for; ``MNEMOSCOPE_CONFIG`` overrides it."""
    override = os.environ.get(CONFIG_VARIABLE)
    if override:
        return Path(override)
    from platformdirs import user_config_path

    return user_config_path("mnemoscope") / "config.toml"


def keymap(config: Config) -> dict[str, str]:
    """Keys by action id, as ``App.set_keymap`` takes them."""
    return EffectiveKeys(config.keys).keymap()


def taxonomy_folder() -> Path:
    """The folder of the user's own taxonomies, beside the configuration."""
    return config_file().parent / "taxonomies"


def is_compact(setting: bool | Literal["auto"], lines: int) -> bool:
    """Whether a terminal of so many lines is drawn without lines and blank lines."""
    return lines < LOW if setting == "auto" else setting


def option_rows() -> Iterator[tuple[str, str, str, str]]:
    """Name, default, choices and help of every option, as the docs show them."""
    defaults = {one.name: one.default for one in fields(Config)}
    for option in OPTIONS:
        choices = " ".join(f"`{_toml(one)}`" for one in option.choices) or "see below"
        yield f"`{option.name}`", f"`{_toml(defaults[option.name])}`", choices, option.help


def load_config(path: Path) -> tuple[Config, list[Problem]]:
    """Read a configuration.

    Args:
        path: The file; one that is not there is the same as an empty one.

    Returns:
        What the file says, with defaults for what it does not say or says in vain, and what was
        said in vain.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Config(), []
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        return Config(), [Problem(path, None, "", f"cannot be read: {reason}")]
    import tomllib

    from mnemoscope.core.toml_lines import toml_lines

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        found = re.search(r" \(at line (\d+), column \d+\)$", str(error))
        line = int(found[1]) if found else None
        message = str(error)[: found.start()] if found else str(error)
        return Config(), [Problem(path, line, "", f"is no TOML, nothing in it is used: {message}")]
    reading = _Reading(path, toml_lines(text))
    return reading.config(data), sorted(reading.problems, key=lambda one: one.line or 0)


class _Reading:
    """Takes from parsed TOML what can be used, and says what cannot."""

    def __init__(self, path: Path, lines: Mapping[str, int]) -> None:
        self.problems: list[Problem] = []
        self._path = path
        self._lines = lines

    def config(self, data: Mapping[str, Any]) -> Config:
        """The configuration that the data holds."""
        known = {option.name: option for option in OPTIONS}
        chosen: dict[str, Any] = {}
        for name, value in data.items():
            if name == "keys":
                chosen["keys"] = self._keys(value)
            elif name == "endpoint":
                chosen.update(self._endpoint(value))
            elif name not in known:
                self._refuse(
                    name, f"no such option{_suggestion(name, (*known, 'keys', 'endpoint'))}"
                )
            elif name == "theme":
                if self._is_theme(value):
                    chosen[name] = value
            elif name in ("annotator", "adjudicator"):
                if self._is_name(name, value):
                    chosen[name] = value
            elif self._is_choice(known[name], value):
                chosen[name] = value
        return Config(**chosen)

    def _refuse(self, name: str, message: str) -> None:
        place = name
        while place and place not in self._lines:
            place = place.rpartition(".")[0]
        self.problems.append(Problem(self._path, self._lines.get(place), name, message))

    def _is_choice(self, option: Option, value: object) -> bool:
        # 1 and 1.0 equal True, but are none of the choices.
        is_one = type(value) in (bool, str) and value in option.choices
        if not is_one:
            choices = ", ".join(_toml(one) for one in option.choices)
            self._refuse(option.name, f"found {_toml(value)}, expected one of {choices}")
        return is_one

    def _is_name(self, name: str, value: object) -> bool:
        if isinstance(value, str) and value.strip():
            return True
        self._refuse(name, f"found {_toml(value)}, expected a name")
        return False

    def _is_theme(self, value: object) -> bool:
        if value in OUR_THEMES:
            return True
        from textual.theme import BUILTIN_THEMES

        names = (*OUR_THEMES, *BUILTIN_THEMES)
        if isinstance(value, str) and value in names:
            return True
        close = _suggestion(value, names) if isinstance(value, str) else ""
        self._refuse("theme", f"no theme named {_toml(value)}{close or '; see docs/config.md'}")
        return False

    def _endpoint(self, table: object) -> Mapping[str, str]:
        """URL and key; what stands there is not repeated, for it may be a key."""
        if not isinstance(table, Mapping):
            self._refuse("endpoint", "expected a table with url and key")
            return {}
        found = {}
        for name, value in table.items():
            if name not in _ENDPOINT:
                self._refuse(f"endpoint.{name}", f"no such option{_suggestion(name, _ENDPOINT)}")
            elif not isinstance(value, str) or not value.strip():
                self._refuse(f"endpoint.{name}", "expected text")
            else:
                found[f"endpoint_{name}"] = value.strip()
        return found

    def _keys(self, table: object) -> Mapping[str, Sequence[str]]:
        """The keys of actions that can be remapped as is asked."""
        if not isinstance(table, Mapping):
            self._refuse("keys", f"found {_toml(table)}, expected a table")
            return {}
        if not table:
            return {}
        from mnemoscope.tui.actions import ACTIONS

        known = {action.id: action for action in ACTIONS}
        wanted: dict[str, Sequence[str]] = {}
        for name, value in _flat(table):
            place = f"keys.{name}"
            if name not in known:
                self._refuse(place, f"no such action{_suggestion(name, known)}")
            elif keys := self._key_names(place, value, priority=known[name].priority):
                wanted[name] = keys
        kept, refused = settle(wanted)
        for clash in refused:
            said = f"{shown_key(clash.key)} is the key of {clash.other}; left as it was"
            self._refuse(f"keys.{clash.action}", said)
        return kept

    def _key_names(self, place: str, value: object, *, priority: bool) -> Sequence[str]:
        """The keys by Textual's names; empty, after saying why, when one cannot be used."""
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
            self._refuse(place, f"found {_toml(value)}, expected a key or a list of keys")
            return ()
        names: list[str] = []
        for text in texts:
            name = parse_key(text)
            if name is None:
                several = "; several keys are a list" if "," in text else ""
                self._refuse(place, f"no key named {_toml(text)}{several}")
                return ()
            if name in RESERVED:
                self._refuse(place, f"{name} copies, and cannot mean anything else")
                return ()
            if priority and is_typed(name):
                self._refuse(place, f"{shown_key(name)} would do this while one types")
                return ()
            names.append(name)
        return tuple(dict.fromkeys(names))


def _flat(table: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Keys of a table with those of the tables in it: a dot needs no quotes."""
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            for inner, item in _flat(value):
                yield f"{name}.{inner}", item
        else:
            yield name, value


def _suggestion(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def _toml(value: object) -> str:
    """A value as TOML has it, cut short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return one_line(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
