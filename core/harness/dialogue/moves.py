"""Moves: how one order becomes another with as few steps as possible."""

from bisect import bisect_left
from collections.abc import Sequence

__all__ = ["moved", "moves_between"]


def moves_between(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """The fewest moves that lead from one order to another of the same members.

    Returns:
        What is moved, and what it comes directly after; nothing when it comes first. Carried out
        one after the other they give the new order.
    """
    kept = _longest_in_order([old.index(one) for one in new])
    return [
        (one, new[at - 1] if at else "") for at, one in enumerate(new) if old.index(one) not in kept
    ]


def moved(order: Sequence[str], one: str, after: str) -> tuple[str, ...]:
    """An order with one member put directly after another, or first.

    Raises:
        ValueError: It has no such member.
    """
    rest = [other for other in order if other != one]
    if len(rest) == len(order):
        raise ValueError(one)
    rest.insert(rest.index(after) + 1 if after else 0, one)
    return tuple(rest)


def _longest_in_order(places: Sequence[int]) -> set[int]:
    """A longest increasing subsequence."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for place in places:
        at = bisect_left(tails, place)
        before[place] = tails[at - 1] if at else None
        tails[at:] = [place, *tails[at + 1 :]]
    found: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        found.add(last)
        last = before[last]
    return found
