"""Quantities: the dependents of one entity, computed from what a view tells, and typed values."""

from collections.abc import Iterable

from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.scoring.typed_gold import (
    FlagGold,
    NameGold,
    NumberGold,
    SimpleGold,
    TextGold,
)
from mnemoscope.core.state.component import ABSENT, Maybe, cell, rule
from mnemoscope.core.state.dependency import DependencyKind
from mnemoscope.core.state.field import FieldRole
from mnemoscope.core.state.rule import Clause, Priority, holds
from mnemoscope.core.state.schema import Schema
from mnemoscope.core.state.values import Scalar, divide, exact, rounded, subtract

__all__ = ["COMPUTED", "POINTS", "fulfils", "number", "quantity", "typed"]

POINTS = "percentage points"
"""The unit of a difference between percentages, which many write as %."""
COMPUTED = frozenset(
    (
        DependencyKind.DIFFERENCE,
        DependencyKind.RATIO,
        DependencyKind.THRESHOLD,
        DependencyKind.STATUS,
    )
)
"""Kinds of dependents that follow from one entity's own cells, and rules."""


def quantity(view: View, entity: str, key: str, place: int) -> Scalar:
    """A field of an entity, or what follows from its fields, as accepted after a place.

    Raises:
        UnreadError: The sources do not tell, or the entity is not there.
    """
    if key in view.schema.field_by_key:
        found = view.accepted(cell(entity, key), place)
        if found is ABSENT or isinstance(found, tuple | Priority):
            raise UnreadError(f"{entity}.{key}")
        return found
    one = view.schema.dependency_by_key[key]
    if one.kind not in COMPUTED or one.where:
        raise UnreadError(key)
    if one.kind is DependencyKind.STATUS:
        met = fulfils(view, entity, clauses_of(view, one.rule, place), place)
        return one.outcomes[0 if met else 1]
    sources = [quantity(view, entity, source, place) for source in one.of]
    if one.kind is DependencyKind.THRESHOLD:
        limit = view.accepted(rule(one.rule), place)
        if isinstance(limit, tuple | Priority) or limit is ABSENT:
            raise UnreadError(one.rule)
        return one.outcomes[0 if holds(sources[0], one.comparison, limit) else 1]
    numbers = [exact(number(source)) for source in sources]
    if one.kind is DependencyKind.DIFFERENCE:
        return rounded(subtract(*numbers), one.decimals)
    ratio = divide(*numbers)
    if ratio is None:
        raise UnreadError(key)
    return rounded(ratio, one.decimals)


def clauses_of(view: View, key: str, place: int) -> tuple[Clause, ...]:
    """The clauses of a rule that is a predicate."""
    found = view.accepted(rule(key), place)
    if not isinstance(found, tuple):
        raise UnreadError(key)
    return tuple(one for one in found if isinstance(one, Clause))


def fulfils(view: View, entity: str, clauses: Iterable[Clause], place: int) -> bool:
    """Whether an entity fulfils all clauses; a blank cell leaves that open.

    Raises:
        UnreadError: The sources do not tell, or a cell is blank.
    """
    return all(
        holds(known(quantity(view, entity, one.field, place)), one.comparison, one.value)
        for one in clauses
    )


def known(content: Scalar) -> Scalar:
    """A content that is not blank.

    Raises:
        UnreadError: It is.
    """
    if content is None:
        raise UnreadError("a blank cell")
    return content


def number(content: Maybe) -> int | float:
    """A content that is a number.

    Raises:
        UnreadError: It is not.
    """
    if isinstance(content, bool) or not isinstance(content, int | float):
        raise UnreadError("no number")
    return content


def typed(schema: Schema, key: str, content: Maybe) -> SimpleGold:
    """A content of a field, dependency or rule as typed gold.

    Raises:
        UnreadError: There is none: the cell is blank or absent, or holds no single value.
    """
    if content is None or content is ABSENT or isinstance(content, tuple | Priority):
        raise UnreadError(key)
    field = schema.field_by_key.get(key)
    if isinstance(content, bool):
        return FlagGold(yes=content)
    if isinstance(content, str):
        is_name = field is not None and field.role is FieldRole.NAME
        return NameGold(name=content) if is_name else TextGold(text=content)
    assert isinstance(content, int | float)
    decimals = field.decimals if field is not None else None
    dependency = schema.dependency_by_key.get(key)
    if dependency is not None:
        decimals = dependency.decimals
    unit = schema.unit(key)
    also: tuple[str, ...] = ()
    if dependency is not None and dependency.kind is DependencyKind.DIFFERENCE and unit == "%":
        also = (POINTS,)
    return NumberGold(number=content, unit=unit, also_units=also, decimals=decimals)
