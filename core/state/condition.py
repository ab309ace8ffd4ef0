"""The conditions that a transition has to meet, and the error that names the one it fails."""

from enum import Enum, StrEnum

from mnemoscope.core.defects import describe
from mnemoscope.core.errors import MnemoscopeError

__all__ = ["Condition", "TransitionError", "require"]


class Condition(StrEnum):
    """What is checked of every transition; the values are stable."""

    PARENT = "parent"
    """The parent is the state that the transition before led to."""
    SHAPE = "shape"
    """The mutation holds what its operator changes, and nothing else."""
    BUDGET = "budget"
    """It changes no more, and no fewer, things than its operator may."""
    TARGET_EXISTS = "target_exists"
    """What is changed or removed is there."""
    TARGET_ABSENT = "target_absent"
    """What is added is not there yet."""
    TARGET_ROLE = "target_role"
    """The field is one that the operator may change."""
    TARGET_ONCE = "target_once"
    """Nothing is named twice."""
    VALUE_FITS = "value_fits"
    """A value fits its field or rule."""
    VALUE_CHANGES = "value_changes"
    """A value differs from the one before."""
    NAME_UNIQUE = "name_unique"
    """No two entities have the same name: merging is not renaming."""
    PERMUTATION = "permutation"
    """An ordering has the same members as before."""
    SHARED_REASON = "shared_reason"
    """Several things changed at once share a block or a reason."""
    BLOCK = "block"
    """A block is coherent and overlaps no other."""
    CONTEXT = "context"
    """The artifact belongs to the context that its operator says."""
    UPLOAD = "upload"
    """A visual update comes with an artifact, a text update without."""
    ARTIFACT = "artifact"
    """The artifact before shows the visual state in force."""
    LIFECYCLE = "lifecycle"
    """Apply, disregard and reinstate come in this order and concern a recorded update."""
    OVERLAP = "overlap"
    """Nothing else has changed what a withdrawn or reinstated update concerns."""
    COMPOSITION = "composition"
    """A composite holds the operators, and as many of them, as it may."""
    PROTECTED = "protected"
    """Within a composite nothing is touched twice."""
    FRAME = "frame"
    """Nothing outside the scope and its dependents changes."""


class TransitionError(MnemoscopeError):
    """A transition is not defined on a state.

    Attributes:
        condition: The condition that failed.
        where: What it failed for, such as a cell.
        found: What is the case.
        expected: What should be.
    """

    def __init__(self, condition: Condition, where: object, found: object, expected: str) -> None:
        self.condition = condition
        self.where = str(where)
        self.found = str(found) if isinstance(found, Enum) else describe(found)
        self.expected = expected
        super().__init__(f"{condition}: {self.where}: found {self.found}, expected {self.expected}")


def require(met: bool, condition: Condition, where: object, found: object, expected: str) -> None:
    """Raise the error of a condition unless it is met.

    Raises:
        TransitionError: It is not.
    """
    if not met:
        raise TransitionError(condition, where, found, expected)
