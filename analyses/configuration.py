"""What runs' configurations have in common, and where they differ: two runs', or many runs'."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any  # settings are JSON values

from mnemoscope.core.workspace import JoinedRun

__all__ = [
    *("ConfigurationDifference", "Relation", "Setting", "SettingSpread", "ValueGroup"),
    *("compare_configurations", "flatten", "spread_configurations"),
]

_SHOWN = 60
_LEVELS = 8
_OTHER_KIND = re.compile(r"|true|false|null|[\[{].*|-?[0-9.]+(?:e[+-]?[0-9]+)?", re.I | re.S)


class Relation(StrEnum):
    """How a setting of two runs compares."""

    EQUAL = "equal"
    DIFFERENT = "different"
    ONLY_A = "only_a"
    ONLY_B = "only_b"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of two runs."""

    name: str
    """``system``, ``backbone``, …, or a parameter's name; parts of nested ones joined by dots."""
    a: str
    """A's value, shortened; empty when A does not state it."""
    b: str
    relation: Relation
    full_a: Any = None
    """A's value as JSON; None when A does not state it."""
    full_b: Any = None


@dataclass(frozen=True, slots=True)
class ConfigurationDifference:
    """All settings that at least one of two runs states."""

    settings: tuple[Setting, ...]
    """The design's own settings first, then parameters as A lists them, then those only B has."""

    @property
    def differing(self) -> tuple[Setting, ...]:
        """Settings that are not equal."""
        return tuple(one for one in self.settings if one.relation is not Relation.EQUAL)

    @property
    def counts(self) -> Mapping[Relation, int]:
        """Settings by relation."""
        found = Counter(one.relation for one in self.settings)
        return {relation: found[relation] for relation in Relation}


def compare_configurations(a: JoinedRun, b: JoinedRun) -> ConfigurationDifference:
    """Compare everything that two runs say about their configuration."""
    stated_a, stated_b = _stated(a), _stated(b)
    names = dict.fromkeys([*stated_a, *stated_b])
    # Both list the design's own settings first; a name that only B has must not end up among them.
    own = [name for name in _OWN if name in names]
    rest = [name for name in names if name not in _OWN]
    return ConfigurationDifference(tuple(_setting(name, stated_a, stated_b) for name in own + rest))


@dataclass(frozen=True, slots=True)
class ValueGroup:
    """A value of a setting, and the runs that have it."""

    text: str
    """The value, shortened; empty for the runs that do not state one."""
    runs: tuple[JoinedRun, ...]
    value: Any = None
    """The value as JSON; None when these runs do not state one."""
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class SettingSpread:
    """One setting over many runs."""

    name: str
    groups: tuple[ValueGroup, ...]
    """Its values in the order in which the runs come; what states none is last."""

    @property
    def differs(self) -> bool:
        """Whether not all runs say the same."""
        return len(self.groups) > 1


def spread_configurations(runs: Sequence[JoinedRun]) -> tuple[SettingSpread, ...]:
    """Every setting that at least one run states, with who has which value."""
    stated = [_stated(run) for run in runs]
    names = dict.fromkeys(name for one in stated for name in one)
    own = [name for name in _OWN if name in names]
    rest = [name for name in names if name not in _OWN]
    return tuple(SettingSpread(name, _groups(name, runs, stated)) for name in own + rest)


def _groups(
    name: str, runs: Sequence[JoinedRun], stated: Sequence[Mapping[str, Any]]
) -> tuple[ValueGroup, ...]:
    values: list[tuple[Any, list[JoinedRun]]] = []
    silent: list[JoinedRun] = []
    for run, settings in zip(runs, stated, strict=True):
        if name not in settings:
            silent.append(run)
            continue
        same = next((having for value, having in values if _same(value, settings[name])), None)
        if same is None:
            values.append((settings[name], [run]))
        else:
            same.append(run)
    groups = [ValueGroup(_shorten(value), tuple(having), value) for value, having in values]
    if silent:
        groups.append(ValueGroup("", tuple(silent), is_stated=False))
    return tuple(groups)


def flatten(value: Mapping[str, Any], prefix: str = "", *, levels: int = _LEVELS) -> dict[str, Any]:
    """A nested mapping as one level, keys joined by dots.

    A mapping that is empty, or deeper than so many levels, is a value itself.
    """
    flat: dict[str, Any] = {}
    for key, inner in value.items():
        name = f"{prefix}{key}"
        if isinstance(inner, Mapping) and inner and levels > 1:
            flat.update(flatten(inner, f"{name}.", levels=levels - 1))
        else:
            flat[name] = inner
    return flat


_OWN = ("system", "backbone", "image captions", "audio captions", "rule", "k used", "format")


def _stated(run: JoinedRun) -> dict[str, Any]:
    """What a run says of itself; what it leaves open is not in it."""
    told = run.run
    texts = told.textualisation
    own = (
        told.system or None,
        told.backbone or None,
        texts.image if texts else None,
        texts.audio if texts else None,
        run.deciding.name if run.deciding else run.rule,
        told.used_depth,
        told.format,
    )
    stated = {name: value for name, value in zip(_OWN, own, strict=True) if value is not None}
    for name, value in flatten(told.parameters).items():
        stated[f"parameters.{name}" if name in _OWN else name] = value
    return stated


def _setting(name: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Setting:
    if name not in b:
        return Setting(name, _shorten(a[name]), "", Relation.ONLY_A, full_a=a[name])
    if name not in a:
        return Setting(name, "", _shorten(b[name]), Relation.ONLY_B, full_b=b[name])
    relation = Relation.EQUAL if _same(a[name], b[name]) else Relation.DIFFERENT
    return Setting(name, _shorten(a[name]), _shorten(b[name]), relation, a[name], b[name])


def _same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal; unlike in Python, true is not 1, while 0 is still 0.0."""
    pairs = [(a, b)]
    # Not by recursion: data may be nested as deep as Python reads it.
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            pairs += zip(a, b, strict=True)
        elif isinstance(a, Mapping) and isinstance(b, Mapping):
            if a.keys() != b.keys():
                return False
            pairs += ((a[key], b[key]) for key in a)
        elif a != b or isinstance(a, bool) is not isinstance(b, bool):
            return False
    return True


def _shorten(value: Any) -> str:
    """The value as text, its middle left out when it is long: both ends tell values apart."""
    text = " ".join(_text(value).split())
    if len(text) <= _SHOWN:
        return text
    half = (_SHOWN - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def _text(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False, default=str)
    # A text needs its quotes only where it could be taken for another kind of value.
    return value if isinstance(value, str) and not _OTHER_KIND.fullmatch(value) else written
