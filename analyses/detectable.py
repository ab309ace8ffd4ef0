"""How large a difference between two systems must be for so many questions to show it."""

from math import sqrt
from statistics import NormalDist

from mnemoscope.analyses.figure import Figure, FigureStatus

__all__ = ["ALPHA", "DISCORDANT", "POWER", "detectable"]

ALPHA = 0.05
"""How often chance alone may look like a difference, both directions together."""
POWER = 0.8
"""How often a difference of that size is to be seen."""
DISCORDANT = 0.3
"""On which share of the questions just one of two systems is usually right."""


def detectable(n: int, discordant: float = DISCORDANT) -> Figure:
    """The smallest difference in accuracy that a paired comparison would show.

    McNemar's test by its normal approximation (Connor 1987): the difference d for which
    ``d·√n = z(α/2)·√ψ + z(power)·√(ψ - d²)``, where ψ is the discordant share. Questions about one
    history are alike, so that in truth a little less is seen.

    Args:
        n: How many questions both systems answer.
        discordant: On which share of them just one of the two is right, above 0 and at most 1.

    Returns:
        The difference as a fraction; empty where not even all discordant questions going one way
        would be enough.
    """
    estimand = (
        f"smallest difference seen {POWER:.0%} of the time, α {ALPHA:g}, "
        f"with one of two right on {discordant:.0%} of questions"
    )
    normal = NormalDist()
    alpha, power = normal.inv_cdf(1 - ALPHA / 2), normal.inv_cdf(POWER)

    def short(difference: float) -> float:
        spread = sqrt(max(0.0, discordant - difference**2))
        return alpha * sqrt(discordant) + power * spread - difference * sqrt(n)

    if n < 1 or short(discordant) > 0:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    low, high = 0.0, discordant
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if short(middle) > 0 else (low, middle)
    return Figure(high, n, estimand)
