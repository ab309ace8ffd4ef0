"""Pareto fronts."""

from collections.abc import Sequence

from mnemoscope.core.state.values import is_number

__all__ = ["pareto_front"]


def pareto_front(points: Sequence[Sequence[object]], lower: Sequence[bool]) -> list[int]:
    """Which points no other point beats.

    Args:
        points: Their coordinates; a point with a blank one is on no front.
        lower: For each axis whether less is better.

    Returns:
        The indices of those that no other point equals or betters on every axis while it betters it
        on one, in the order of the first axis.
    """
    signed: dict[int, tuple[float, ...]] = {}
    for at, point in enumerate(points):
        numbers = [one for one in point if isinstance(one, int | float) and is_number(one)]
        if len(numbers) == len(point):
            signed[at] = tuple(
                -one if less else one for one, less in zip(numbers, lower, strict=True)
            )
    front = [
        at
        for at, one in signed.items()
        if not any(
            other != one and all(a >= b for a, b in zip(other, one, strict=True))
            for other in signed.values()
        )
    ]
    return sorted(front, key=lambda at: (points[at][0], at))
