"""How far annotators agree: percent, Cohen's and Fleiss' kappa, Krippendorff's alpha.

All are for nominal labels. A table of ratings has a row per unit and a column per annotator; None
stands for a unit that an annotator has not rated.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from mnemoscope.analyses.figure import Figure, FigureStatus

__all__ = [
    "Agreement",
    "cohen_kappa",
    "fleiss_kappa",
    "krippendorff_alpha",
    "majority",
    "measure",
    "percent_agreement",
    "unanimity",
]

Ratings = Sequence[Sequence[Hashable | None]]

_ONE_LABEL = "only one label was used, so agreement by chance is complete"


@dataclass(frozen=True, slots=True)
class Agreement:
    """The figures for one question put to several annotators."""

    what: str
    """What was labelled: ``overall``, a tag or a stage."""
    annotators: int
    percent: Figure
    unanimous: Figure
    cohen: Figure
    """Of two annotators; with more, the mean over their pairs."""
    fleiss: Figure
    alpha: Figure

    @property
    def figures(self) -> dict[str, Figure]:
        """The figures by name."""
        return {
            "percent": self.percent,
            "unanimous": self.unanimous,
            "cohen_kappa": self.cohen,
            "fleiss_kappa": self.fleiss,
            "krippendorff_alpha": self.alpha,
        }


def measure(what: str, ratings: Ratings) -> Agreement:
    """Every figure for one table of ratings."""
    width = max((len(row) for row in ratings), default=0)
    return Agreement(
        what,
        width,
        percent_agreement(ratings),
        unanimity(ratings),
        _mean_cohen(ratings, width),
        fleiss_kappa(ratings),
        krippendorff_alpha(ratings),
    )


def percent_agreement(ratings: Ratings) -> Figure:
    """The mean over units, rated by two or more, of the share of their pairs that agree."""
    estimand = "pairs of annotators that agree, mean over units rated by two or more"
    shares = []
    for row in _rated(ratings, 2):
        pairs = len(row) * (len(row) - 1) / 2
        agreeing = sum(count * (count - 1) / 2 for count in Counter(row).values())
        shares.append(agreeing / pairs)
    if not shares:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    return Figure(fmean(shares), len(shares), estimand)


def unanimity(ratings: Ratings) -> Figure:
    """The share of units, rated by two or more, on which all who rated agree."""
    rows = _rated(ratings, 2)
    agreed = sum(len(set(row)) == 1 for row in rows)
    return Figure.share(agreed, len(rows), "units on which all agree / units rated by two or more")


def cohen_kappa(first: Sequence[Hashable | None], second: Sequence[Hashable | None]) -> Figure:
    """Agreement of two annotators beyond chance, over the units that both rated (Cohen 1960).

    ``(p_o - p_e) / (1 - p_e)``, where ``p_e`` comes from each annotator's own label shares.
    """
    estimand = "Cohen's kappa over units that both rated"
    rows = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not rows:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    n = len(rows)
    of_first, of_second = Counter(a for a, _ in rows), Counter(b for _, b in rows)
    observed = sum(a == b for a, b in rows) / n
    chance = sum(count * of_second[label] for label, count in of_first.items()) / n**2
    return _beyond(observed, chance, n, estimand)


def fleiss_kappa(ratings: Ratings) -> Figure:
    """Agreement of a fixed number of annotators beyond chance (Fleiss 1971).

    Over the units that all annotators rated; the figure is defined for equally many ratings a unit.
    """
    estimand = "Fleiss' kappa over units that all rated"
    width = max((len(row) for row in ratings), default=0)
    rows = _rated(ratings, max(width, 2))
    if width < 2 or not rows:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    shares = Counter(label for row in rows for label in row)
    total = len(rows) * width
    chance = sum((count / total) ** 2 for count in shares.values())
    pairs = width * (width - 1)
    agreeing = (sum(count * (count - 1) for count in Counter(row).values()) for row in rows)
    observed = fmean(count / pairs for count in agreeing)
    return _beyond(observed, chance, len(rows), estimand)


def krippendorff_alpha(ratings: Ratings) -> Figure:
    """Krippendorff's alpha for nominal labels; takes units that only some annotators rated.

    ``1 - D_o / D_e`` from the coincidences of labels within units rated by two or more
    (Krippendorff, Content Analysis, chapter on reliability).
    """
    estimand = "Krippendorff's alpha (nominal) over units rated by two or more"
    rows = _rated(ratings, 2)
    if not rows:
        return Figure.absent(FigureStatus.EMPTY, estimand)
    shares = Counter(label for row in rows for label in row)
    values = sum(shares.values())
    # The disagreeing ordered pairs of a unit of m ratings weigh 1 / (m - 1) each.
    observed = sum(
        (len(row) ** 2 - sum(count**2 for count in Counter(row).values())) / (len(row) - 1)
        for row in rows
    )
    expected = (values**2 - sum(count**2 for count in shares.values())) / (values - 1)
    if not expected:
        return Figure.absent(FigureStatus.NOT_MEASURABLE, estimand, _ONE_LABEL, len(rows))
    return Figure(1 - observed / expected, len(rows), estimand)


def majority(labels: Iterable[Hashable | None]) -> Hashable | None:
    """The label of more than half of those who gave one; None when there is no such label."""
    given = [label for label in labels if label is not None]
    if not given:
        return None
    ((label, count),) = Counter(given).most_common(1)
    return label if count * 2 > len(given) else None


def _mean_cohen(ratings: Ratings, width: int) -> Figure:
    columns = [[row[place] for row in ratings] for place in range(width)]
    found = [cohen_kappa(first, second) for first, second in combinations(columns, 2)]
    measured = [one for one in found if one.value is not None]
    if len(found) <= 1 or not measured:
        nothing = Figure.absent(FigureStatus.EMPTY, "Cohen's kappa")
        return max(found, key=lambda one: one.n, default=nothing)
    estimand = "Cohen's kappa, mean over pairs of annotators; n is of the smallest pair"
    note = "" if len(measured) == len(found) else f"{len(measured)} of {len(found)} pairs"
    status = FigureStatus.PARTIAL if note else FigureStatus.MEASURED
    value = fmean(one.value for one in measured if one.value is not None)
    return Figure(value, min(one.n for one in measured), estimand, status, note)


def _rated(ratings: Ratings, least: int) -> list[list[Hashable]]:
    """The labels given to each unit, for units with at least so many."""
    rows = ([label for label in row if label is not None] for row in ratings)
    return [row for row in rows if len(row) >= least]


def _beyond(observed: float, chance: float, n: int, estimand: str) -> Figure:
    if chance == 1:
        return Figure.absent(FigureStatus.NOT_MEASURABLE, estimand, _ONE_LABEL, n)
    return Figure((observed - chance) / (1 - chance), n, estimand)
