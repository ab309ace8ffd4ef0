"""Changing one field of a truth file at a time, for tests of the audit."""

import copy
from collections.abc import Iterator
from typing import Any

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.model import History
from mnemoscope.core.schemas import checked
from mnemoscope.core.truth.audit import audit
from mnemoscope.core.truth.reading import truth_of
from mnemoscope.core.truth.schema import TruthFile

MAPS = {"entities", "orders", "rules", "cues", "dependents", "values", "inventory"}
"""Objects whose keys are ids: one key stands for all."""
Keys = tuple[str | int, ...]
"""The way to a value in a JSON document."""


def places(data: Any, path: Keys = ()) -> Iterator[Keys]:
    """The path of everything in a document."""
    if path:
        yield path
    if isinstance(data, dict):
        for key, one in data.items():
            yield from places(one, (*path, key))
    elif isinstance(data, list):
        for at, one in enumerate(data):
            yield from places(one, (*path, at))


def kind(path: Keys) -> str:
    """A path with indexes, and keys that are ids, left open; operators tell mutations apart."""
    steps: list[str] = []
    for at, step in enumerate(path):
        above = path[at - 1] if at else ""
        deeper = path[at - 2] if at > 1 else ""
        is_id = above in MAPS or (deeper in ("entities", "cues", "dependents") and at > 1)
        steps.append("*" if isinstance(step, int) or is_id else step)
    return ".".join(steps)


def kinds(data: Any) -> dict[str, list[Keys]]:
    """The paths of a document by kind."""
    found: dict[str, list[Keys]] = {}
    for path in places(data):
        found.setdefault(kind(path), []).append(path)
    return found


def changed(data: Any, path: Keys) -> Any:
    """The document with another value at a path."""
    data = copy.deepcopy(data)
    above = at(data, path[:-1])
    above[path[-1]] = other(above[path[-1]], path[-1])
    return data


def audited(data: Any, history: History, file: str) -> list[Defect]:
    """The defects of a document beside its history."""
    log = DefectLog(file)
    form = checked(TruthFile, data, log)
    if form is not None:
        audit(truth_of(form, file), history if form.history_id == history.id else None, log)
    return log.items


def at(data: Any, path: Keys) -> Any:
    for step in path:
        data = data[step]
    return data


def other(value: Any, key: str | int) -> Any:
    """Another value of the same type, one that is allowed where the choices are fixed."""
    choices: dict[str | int, tuple[str, ...]] = {
        "sheet": ("accepted", "visual"),
        "cause": ("direct", "dependent"),
        "event": ("disregard", "reinstate"),
        "part": ("member", "order"),
        "operator": ("visual_reorder", "text_reorder"),
        "wraps": ("text_cell_edit", "visual_entity_remove"),
        "role": ("value", "status"),
        "transform": ("shift", "set"),
        "comparison": ("less", "is_not"),
        "axis": ("fields", "entities"),
        "cue": ("italic", "bold"),
    }
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str() if key in choices:
            return next(one for one in choices[key] if one != value)
        case str() if value in ("text_backed", "visual", "visual_declared"):
            return "visual" if value != "visual" else "text_backed"
        case str() if value in ("number", "text", "flag", "choice"):
            return "text" if value != "text" else "number"
        case str():
            return f"{value}~"
        case None:
            return "~"
        case list():
            return value[:-1]
        case dict():
            return dict(list(value.items())[1:])
    raise AssertionError(value)


UNBOUND = {
    "fields.*.name",
    "fields.*.required",
    "fields.*.decimals",
    "fields.*.minimum",
    "fields.*.maximum",
    "rules.*.name",
    "dependencies.*.name",
    "dependencies.*.decimals",
    "transitions.*.mutation.reason",
}
"""Words for people, and limits that may be wider: no other part of the file depends on them."""
