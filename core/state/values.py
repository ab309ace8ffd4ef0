"""What a cell holds, and arithmetic on it that gives the same digits everywhere."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

__all__ = ["Number", "Scalar", "exact", "rounded", "same_scalar"]

Number = int | float
Scalar = None | bool | int | float | str
"""What a cell can hold; None is a blank cell."""

_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)
"""Sums and products of table values are exact in it; quotients are, as far as anybody rounds."""


def exact(number: Number) -> Decimal:
    """A number as its decimal digits say, so that 0.1 + 0.2 is 0.3."""
    return Decimal(repr(number))


def rounded(number: Decimal, decimals: int | None) -> Number:
    """A result as a cell holds it.

    Args:
        number: The exact result.
        decimals: Digits after the point, halves away from zero; None keeps all, and so does a
            number of more than fifty digits.

    Returns:
        An integer where the result has no fraction and ``decimals`` is 0, else a float.
    """
    if decimals is not None and number.adjusted() + decimals < _EXACT.prec - 1:
        number = number.quantize(Decimal(1).scaleb(-decimals), context=_EXACT)
    if decimals == 0:
        return int(number)
    return float(number) + 0.0  # minus zero becomes zero


def same_scalar(one: object, other: object) -> bool:
    """Whether two contents are the same; a flag is never a number, and 70 is 70.0."""
    return one == other and (isinstance(one, bool) == isinstance(other, bool))


def is_number(value: object) -> bool:
    """Whether a value is a finite number; ``True`` is none."""
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def add(one: Decimal, other: Decimal) -> Decimal:
    """The exact sum."""
    return _EXACT.add(one, other)


def subtract(one: Decimal, other: Decimal) -> Decimal:
    """The exact difference."""
    return _EXACT.subtract(one, other)


def multiply(one: Decimal, other: Decimal) -> Decimal:
    """The exact product."""
    return _EXACT.multiply(one, other)


def divide(one: Decimal, other: Decimal) -> Decimal | None:
    """The quotient to 60 digits; None when the divisor is zero."""
    return _EXACT.divide(one, other) if other else None
