"""Whether a system's value says what the truth says."""

import re

from mnemoscope.core.memory.cells import HeldValue
from mnemoscope.core.state.component import Component, Maybe, Part
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import exact, is_number, rounded, same_scalar
from mnemoscope.core.truth.naming import EntityNames, same_name

__all__ = ["says_same"]

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def says_same(
    schema: Schema, where: Component, truth: Maybe, said: HeldValue, names: EntityNames
) -> bool:
    """Whether a system's value of a component is the true one.

    A text that is a number, alone or with the field's unit, is that number; ``yes`` and ``no`` are
    flags; case and runs of spaces do not count. A quantity that follows from others may be said to
    more digits than are declared. An ordering is a list of names.

    Args:
        schema: What the scenario consists of.
        where: The component.
        truth: What it holds.
        said: What the system says.
        names: What it means by names.
    """
    if isinstance(truth, tuple):
        if not isinstance(said, tuple):
            return False
        return tuple(map(str, truth)) == tuple(names.key(one) or one for one in said)
    if isinstance(truth, bool) and isinstance(said, str):
        return _FLAGS.get(same_name(said)) is truth
    if is_number(truth) and isinstance(truth, int | float):
        number = _number(said, schema.unit(where.field))
        if number is None:
            return False
        dependency = schema.dependency_by_key.get(where.field)
        if where.part is Part.DEPENDENT and dependency is not None:
            number = rounded(exact(number), dependency.decimals)
        return number == truth
    if isinstance(truth, str) and isinstance(said, str):
        return same_name(truth) == same_name(said)
    return not isinstance(said, tuple) and same_scalar(truth, said)


def _number(said: HeldValue, unit: str) -> int | float | None:
    if isinstance(said, str):
        text = said.strip().removeprefix(unit).removesuffix(unit).strip()
        return float(text) if _NUMBER.fullmatch(text) else None
    return said if isinstance(said, int | float) and is_number(said) else None
