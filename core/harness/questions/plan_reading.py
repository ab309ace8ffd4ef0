"""Plans from the JSON that a release keeps of them."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from mnemoscope.core.harness.questions import (
    plan,
    plan_columns,
    plan_history,
    plan_premise,
    plan_sets,
)
from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.state.component import Component, Part

__all__ = ["read_plan"]

_MODULES = (plan, plan_columns, plan_history, plan_premise, plan_sets)


def _plans() -> Iterator[type[Plan]]:
    for module in _MODULES:
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, Plan) and "slug" in vars(found):
                yield found


_PLANS: Mapping[str, type[Plan]] = {one.slug: one for one in _plans()}


def read_plan(data: object) -> Plan | None:
    """The plan that a JSON value is; None when it is none that this version knows."""
    try:
        found = _plan(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return found


def _plan(data: Any) -> Plan:
    # Any: JSON that is checked by being read.
    cls = _PLANS[data["operation"]]
    found = _read(cls, data)
    assert isinstance(found, Plan)
    return found


def _read(wanted: Any, data: Any) -> Any:
    """A value of a declared type. Any: types are looked at, and JSON is read."""
    if wanted is Component:
        return Component(Part(data["part"]), str(data["entity"]), str(data["field"]))
    if get_origin(wanted) is tuple:
        inner = get_args(wanted)[0]
        return tuple(_read(inner, one) for one in data)
    if get_origin(wanted) in (Union, UnionType):
        return data
    if isinstance(wanted, type) and issubclass(wanted, StrEnum):
        return wanted(data)
    if is_dataclass(wanted):
        if isinstance(data, dict) and "operation" in data:
            wanted = _PLANS[data["operation"]]
        hints = get_type_hints(wanted)
        made: Any = wanted
        return made(**{one.name: _read(hints[one.name], data[one.name]) for one in fields(made)})
    return data
