"""Rules: thresholds, predicates and priorities that consequences follow from."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.values import Scalar, is_number, same_scalar

__all__ = ["Clause", "Comparison", "Priority", "Rule", "RuleKind", "holds"]


class Comparison(StrEnum):
    """How a value is compared; a blank one fulfils none of them but ``is_not``."""

    IS = "is"
    IS_NOT = "is_not"
    LESS = "less"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    GREATER = "greater"


_ORDERED: Mapping[Comparison, Callable[[float, float], bool]] = {
    Comparison.LESS: lambda one, other: one < other,
    Comparison.AT_MOST: lambda one, other: one <= other,
    Comparison.AT_LEAST: lambda one, other: one >= other,
    Comparison.GREATER: lambda one, other: one > other,
}


@value
class Clause:
    """One condition of a predicate or of a dependency's scope."""

    field: str
    """A field, or a dependency of entities."""
    comparison: Comparison
    value: Scalar


@value
class Priority:
    """A priority rule: the field that entities are ordered by."""

    field: str
    descending: bool = True


class RuleKind(StrEnum):
    """What a rule's content is."""

    THRESHOLD = "threshold"
    """A number."""
    PREDICATE = "predicate"
    """Clauses that must all hold."""
    PRIORITY = "priority"
    """A field and a direction."""


@value
class Rule:
    """The declaration of a rule; its content is part of the state."""

    key: str
    kind: RuleKind
    name: str = ""
    unit: str = ""
    """Of a threshold."""


def holds(value: Scalar, comparison: Comparison, other: Scalar) -> bool:
    """Whether a comparison holds; one of size never holds unless both sides are numbers."""
    if comparison is Comparison.IS:
        return same_scalar(value, other)
    if comparison is Comparison.IS_NOT:
        return not same_scalar(value, other)
    if not (is_number(value) and is_number(other)):
        return False
    assert isinstance(value, int | float) and isinstance(other, int | float)
    return _ORDERED[comparison](value, other)
