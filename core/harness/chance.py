"""Seeded choices that are the same on every version of Python."""

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeVar

from mnemoscope.core.state.values import Number, exact, rounded

__all__ = ["Chance"]

T = TypeVar("T")


class Chance:
    """A stream of choices.

    Only ``random()`` of Python's generator is promised to give the same numbers in every version,
    so that everything here is made from it.
    """

    def __init__(self, *seed: object) -> None:
        """Start a stream; streams of different seeds are independent."""
        self._random = random.Random("/".join(map(str, seed)))

    def share(self) -> float:
        """A number from 0 up to 1, without 1."""
        return self._random.random()

    def whole(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self.share() * (most - least + 1))

    def pick(self, options: Sequence[T]) -> T:
        """One of some options, all equally likely."""
        return options[self.whole(0, len(options) - 1)]

    def weighted(self, options: Sequence[T], weights: Sequence[Number]) -> T:
        """One of some options; a weight of 2 is twice as likely as 1."""
        left = self.share() * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            left -= weight
            if left < 0:
                return option
        return options[-1]  # what rounding has left over

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Some of the options, each at most once, in a random order."""
        left = list(options)
        return [left.pop(self.whole(0, len(left) - 1)) for _ in range(min(count, len(left)))]

    def number(self, low: Number, high: Number, decimals: int | None = None) -> Number:
        """A number between two ends, both included, to some digits after the point."""
        span = exact(high) - exact(low)
        return rounded(exact(low) + Decimal(repr(self.share())) * span, decimals)
