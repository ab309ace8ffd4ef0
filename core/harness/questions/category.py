"""The five categories of questions, and how many of each a scenario has."""

from collections.abc import Mapping
from enum import StrEnum

__all__ = ["COUNTS", "Category", "counts_for"]


class Category(StrEnum):
    """What a question mainly asks for (DSV-Mem, C.1)."""

    CURRENT_STATE = "current_state"
    """What is accepted now."""
    PAST_STATE = "past_state"
    """What was accepted at a moment that is named."""
    DERIVED_STATE = "derived_state"
    """What follows from what is accepted: filtered, compared, computed."""
    CHANGE_HISTORY = "change_history"
    """How it came about: changes, their order, their number."""
    CONFLICT_REFUSAL = "conflict_refusal"
    """Something that the record does not support."""


COUNTS: Mapping[Category, int] = {
    Category.CURRENT_STATE: 10,
    Category.PAST_STATE: 10,
    Category.DERIVED_STATE: 20,
    Category.CHANGE_HISTORY: 35,
    Category.CONFLICT_REFUSAL: 25,
}
"""Questions of a full scenario."""


def counts_for(total: int) -> dict[Category, int]:
    """As many questions in all, in the shares of a full scenario.

    What is left over after rounding down goes to those with the largest remainders.
    """
    whole = sum(COUNTS.values())
    counts = {one: total * count // whole for one, count in COUNTS.items()}
    left = sorted(COUNTS, key=lambda one: -(total * COUNTS[one] % whole))
    for one in left[: total - sum(counts.values())]:
        counts[one] += 1
    return counts
