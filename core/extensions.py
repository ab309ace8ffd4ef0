"""What installed packages add: readers, systems, backbones, embedders, judges, taxonomies.

A package declares what it adds as entry points. Their names are listed without importing anything;
a package is imported when what it adds is used. One that is broken is warned of where everything is
looked through, and is an error where it is named.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.text import one_line

__all__ = [
    "Extension",
    "Group",
    "extensions",
    "known_names",
    "load_named",
    "loaded",
    "take_warnings",
    "warn",
]


class Group(StrEnum):
    """What can be added; the entry-point group is ``mnemoscope.`` and this."""

    READERS = "readers"
    SYSTEMS = "systems"
    BACKBONES = "backbones"
    EMBEDDERS = "embedders"
    JUDGES = "judges"
    TAXONOMIES = "taxonomies"


@dataclass(frozen=True, slots=True)
class Extension:
    """One thing that a package adds."""

    group: Group
    name: str
    package: str
    """Name and version of the package."""
    entry: EntryPoint

    def load(self) -> Any:
        """The object, imported now.

        Raises:
            UsageError: It cannot be imported.
        """
        try:
            return self.entry.load()
        # A package of somebody else can fail in any way while it is imported.
        except Exception as error:
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def call(self, function: Any, *arguments: Any) -> Any:
        """What a function of the package gives back.

        Raises:
            MnemoscopeError: The function says so.
            UsageError: It fails in any other way.
        """
        try:
            return function(*arguments)
        except MnemoscopeError:
            raise
        except Exception as error:
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def broken(self, why: str) -> UsageError:
        """The error that says that it cannot be used."""
        return UsageError(
            f"{self.group} {self.name!r} of {self.package} cannot be used: {one_line(why)}",
            hint=f"it is no part of mnemoscope; update or remove {self.package.split()[0]}",
        )


_WARNINGS: dict[str, None] = {}


def extensions(group: Group) -> Mapping[str, Extension]:
    """What packages add of a kind, by name, in order; nothing is imported."""
    return _extensions(group, tuple(sys.path))


@cache
def _extensions(group: Group, places: tuple[str, ...]) -> Mapping[str, Extension]:
    # Looking through what is installed takes milliseconds, and rules are asked for every record.
    found: dict[str, Extension] = {}
    for one in sorted(entry_points(group=f"mnemoscope.{group}"), key=_order):
        package = f"{one.dist.name} {one.dist.version}" if one.dist is not None else "a package"
        found.setdefault(one.name, Extension(group, one.name, package, one))
    return found


def _order(one: EntryPoint) -> tuple[str, str]:
    return one.name, one.dist.name if one.dist is not None else ""


def known_names(own: Mapping[str, Any], group: Group) -> str:
    """All names of a kind for a message: our own, then those that packages add."""
    return ", ".join(dict.fromkeys([*own, *extensions(group)]))


def load_named(group: Group, name: str) -> tuple[Extension, Any] | None:
    """What a package adds under a name, imported now; None when nobody adds it.

    Raises:
        UsageError: It cannot be imported.
    """
    found = extensions(group).get(name)
    return None if found is None else (found, found.load())


def loaded(group: Group) -> Iterator[tuple[Extension, Any]]:
    """Everything of a kind, imported now; what cannot be is warned of and left out."""
    for one in extensions(group).values():
        try:
            yield one, one.load()
        except UsageError as error:
            warn(str(error))


def warn(text: str) -> None:
    """Keep a warning until somebody tells it; the same one is told once."""
    _WARNINGS[text] = None


def take_warnings() -> list[str]:
    """The warnings since the last time."""
    found = list(_WARNINGS)
    _WARNINGS.clear()
    return found
