"""The value that every number shown to a person is, and the counts that accuracies come from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mnemoscope.core.model import RecordStatus, Value

__all__ = ["Figure", "FigureStatus", "Tally"]


class FigureStatus(StrEnum):
    """Whether a figure has a value, and why not."""

    MEASURED = "measured"
    PARTIAL = "partial"
    """A mean over a part of what it is defined over; the note says which part."""
    EMPTY = "empty"
    """There is nothing to measure it on."""
    NOT_JUDGED = "not judged"
    NO_GOLD_EVIDENCE = "no gold evidence"
    NOT_MEASURABLE = "not measurable"


_WITH_VALUE = (FigureStatus.MEASURED, FigureStatus.PARTIAL)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it counts and how far it can be trusted.

    A figure has a value exactly when its status is ``measured`` or ``partial``.
    """

    value: float | None
    """The value: a fraction from 0 to 1 unless the estimand says otherwise."""
    n: int
    """How many things it rests on; the estimand says which."""
    estimand: str
    """What it estimates, in words."""
    status: FigureStatus = FigureStatus.MEASURED
    note: str = ""
    """What a reader should know about this very figure; usually empty."""

    def __post_init__(self) -> None:
        if (self.value is not None) != (self.status in _WITH_VALUE):
            raise ValueError(f"a figure that is {self.status} cannot have the value {self.value}")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.estimand}: {self.value} is no figure")

    @classmethod
    def share(
        cls, part: int, whole: int, estimand: str, absent: FigureStatus = FigureStatus.EMPTY
    ) -> "Figure":
        """``part / whole``; a figure without a value when there is no whole.

        Args:
            part: How many count.
            whole: How many there are: the figure's n.
            estimand: What it estimates.
            absent: The status when ``whole`` is 0.
        """
        if not whole:
            return cls.absent(absent, estimand)
        return cls(part / whole, whole, estimand)

    @classmethod
    def absent(cls, status: FigureStatus, estimand: str, note: str = "", n: int = 0) -> "Figure":
        """A figure without a value, and the reason."""
        return cls(None, n, estimand, status, note)

    @property
    def measured(self) -> bool:
        """Whether it has a value."""
        return self.value is not None

    def as_json(self) -> dict[str, float | int | str | None]:
        """The figure as a JSON object; the note only where there is one."""
        fields: dict[str, float | int | str | None] = {
            "value": self.value,
            "n": self.n,
            "estimand": self.estimand,
            "status": self.status.value,
        }
        return {**fields, "note": self.note} if self.note else fields


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a group of records."""

    joined: int = 0
    """Records that join to the release."""
    n: int = 0
    """Those that are judged right or wrong: the denominator of accuracy."""
    n_ok: int = 0
    """Those of them whose status is ok: the denominator of ``accuracy_ok``."""
    correct: int = 0
    correct_ok: int = 0
    """Correct records whose status is ok."""
    statuses: Mapping[RecordStatus, int] = field(default_factory=dict)
    """Joined records by status under the rule."""
    values: Mapping[Value, int] = field(default_factory=dict)
    """Joined records by verdict; all but right and wrong are in no mean."""
    stored_right_on_failure: int = 0
    """Failed records that the run file calls right. They count as wrong."""

    @property
    def not_judged(self) -> int:
        """Records that nobody judged."""
        return self.values.get(Value.NOT_JUDGED, 0)

    @property
    def judge_failed(self) -> int:
        """Records whose judge gave no usable verdict."""
        return self.values.get(Value.JUDGE_FAILED, 0)

    @property
    def no_gold(self) -> int:
        """Records whose question has no gold that the rule can use."""
        return self.values.get(Value.NO_GOLD, 0)

    @property
    def accuracy(self) -> Figure:
        """Correct / judged records."""
        return self._share(self.correct, self.n, "correct / judged records")

    @property
    def accuracy_ok(self) -> Figure:
        """Correct / judged records with status ok."""
        return self._share(self.correct_ok, self.n_ok, "correct / judged records with status ok")

    def _share(self, part: int, whole: int, estimand: str) -> Figure:
        unjudged = self.joined and not self.n
        absent = FigureStatus.NOT_JUDGED if unjudged else FigureStatus.EMPTY
        return Figure.share(part, whole, estimand, absent)
