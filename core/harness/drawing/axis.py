"""Axes: round ticks over a range, and where a value stands between two ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

__all__ = ["Axis"]

_STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis."""

    least: Decimal
    step: Decimal
    count: int
    """Of steps."""

    @classmethod
    def over(cls, values: Sequence[float], most: int, *, zero: bool = False) -> "Axis":
        """An axis that holds some values.

        Args:
            values: What it has to hold; none make an axis from 0 to 1.
            most: How many steps it may have.
            zero: Whether it has to begin at zero or below.
        """
        numbers = [Decimal(repr(one)) for one in values] or [Decimal(0), Decimal(1)]
        low, high = min(numbers), max(numbers)
        if zero:
            low, high = min(low, Decimal(0)), max(high, Decimal(0))
        if low == high:
            high = low + max(abs(low), Decimal(1))
        magnitude = Decimal(1).scaleb(((high - low) / most).adjusted())
        for step in (magnitude * one for one in _STEPS):
            first = (low / step).to_integral_value(ROUND_FLOOR)
            last = (high / step).to_integral_value(ROUND_CEILING)
            if last - first <= most:
                break
        else:
            first = (low / step).to_integral_value(ROUND_FLOOR)
            last = (high / step).to_integral_value(ROUND_CEILING)
        return cls(first * step, step, int(last - first))

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Values and texts of its ticks."""
        found = [self.least + self.step * at for at in range(self.count + 1)]
        exponent = self.step.normalize().as_tuple().exponent
        digits = max(-exponent, 0) if isinstance(exponent, int) else 0
        return [(float(one), f"{one:,.{digits}f}") for one in found]

    def place(self, value: float, start: float, end: float) -> float:
        """Where a value stands when the axis goes from ``start`` to ``end``."""
        share = (value - float(self.least)) / float(self.step * self.count)
        return start + share * (end - start)
