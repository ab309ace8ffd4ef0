"""Dependencies: quantities that follow from others and are recomputed, never edited."""

from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.rule import Clause, Comparison
from mnemoscope.core.state.values import Scalar

__all__ = ["AGGREGATES", "SOURCES", "Dependency", "DependencyKind"]


class DependencyKind(StrEnum):
    """How a quantity follows from its sources. Blank cells are left out of aggregates."""

    SUM = "sum"
    COUNT = "count"
    """How many entities there are, or with a source how many have a value there."""
    MEAN = "mean"
    MINIMUM = "min"
    MAXIMUM = "max"
    RANK = "rank"
    """The place among the entities, from 1; equal values share the better place."""
    DIFFERENCE = "difference"
    """The first source less the second."""
    RATIO = "ratio"
    """The first source divided by the second; blank when that is zero."""
    THRESHOLD = "threshold"
    """Which outcome a source has against a rule that is a threshold."""
    STATUS = "status"
    """Which outcome an entity has under a rule that is a predicate."""
    ORDERING = "ordering"
    """The entities sorted by a rule that is a priority; equal ones keep their order."""


AGGREGATES = frozenset(
    (
        DependencyKind.SUM,
        DependencyKind.COUNT,
        DependencyKind.MEAN,
        DependencyKind.MINIMUM,
        DependencyKind.MAXIMUM,
    )
)
"""Kinds with one value for the whole, or one per group."""

SOURCES = {
    DependencyKind.COUNT: (0, 1),
    DependencyKind.DIFFERENCE: (2, 2),
    DependencyKind.RATIO: (2, 2),
    DependencyKind.STATUS: (0, 0),
    DependencyKind.ORDERING: (0, 0),
}
"""The least and the most sources of kinds that do not have exactly one."""


@value
class Dependency:
    """The declaration of a dependent quantity."""

    key: str
    kind: DependencyKind
    of: tuple[str, ...] = ()
    """Its sources: fields, or dependencies declared before it."""
    by: str = ""
    """A field of groups: one value per group instead of one for the whole."""
    where: tuple[Clause, ...] = ()
    """Which entities it is about; the others are left out or blank."""
    rule: str = ""
    """The rule of a threshold, status or ordering."""
    comparison: Comparison = Comparison.AT_LEAST
    """Of a threshold: how the source is compared with it."""
    outcomes: tuple[Scalar, Scalar] = (True, False)
    """Of a threshold or status: when it holds, and when it does not."""
    descending: bool = True
    """Of a rank: whether the largest value is first."""
    name: str = ""
    """The heading; the key when it is empty."""
    unit: str = ""
    decimals: int | None = None
    """To how many digits after the point it is rounded."""
