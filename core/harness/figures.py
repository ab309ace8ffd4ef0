"""Figures of generated scenarios beside the paper's averages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from mnemoscope.core.harness.dialogue.repetition import distinct_share
from mnemoscope.core.harness.dialogue.turn import Turn
from mnemoscope.core.harness.questions.category import COUNTS, Category
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.tokens import count_tokens

__all__ = ["PAPER", "Average", "Figures", "averages", "figures_of"]

PAPER: Mapping[str, float] = {
    "turns": 212,
    "visuals": 24,
    "operators": 27,
    "questions": 100,
    **{f"questions {one}": count for one, count in COUNTS.items()},
    "candidates": 7.78,
}
"""Averages per scenario of DSV-Mem (section 3, appendix C.2); candidates are 2^mean(H0) over all
questions of the benchmark."""
MOST_TOKENS = 50_000
"""Up to how many tokens a scenario of the paper has, pictures included."""


@dataclass(frozen=True)
class Figures:
    """What one scenario came to."""

    history_id: str
    turns: int
    """Messages of user and assistant."""
    visuals: int
    """Dense visuals: pictures of the task, the initial one included."""
    pictures: int
    """All pictures."""
    transitions: int
    """Transitions, later events of lifecycles included."""
    operators: int
    """How many of the 27 operators occur, each as a transition of its own."""
    tokens: int
    """Of the dialogue, as cl100k_base counts; pictures are left out."""
    distinct: float
    """Share of distinct sequences of three words in the dialogue."""
    questions: Mapping[Category, int]
    """Questions by category."""
    scores: Sequence[float]
    """H0 of each question, in bits."""

    @property
    def row(self) -> dict[str, float | None]:
        """Its figures by name; None for what there is nothing to measure on."""
        return {
            "turns": self.turns,
            "visuals": self.visuals,
            "pictures": self.pictures,
            "transitions": self.transitions,
            "operators": self.operators,
            "tokens": self.tokens,
            "distinct 3-grams": self.distinct,
            "questions": sum(self.questions.values()),
            **{f"questions {one}": self.questions.get(one, 0) for one in Category},
            "candidates": 2 ** fmean(self.scores) if self.scores else None,
        }


@dataclass(frozen=True, slots=True)
class Average:
    """One figure over some scenarios, beside the paper's."""

    name: str
    mean: float | None
    """The mean over scenarios; for candidates 2^mean(H0) over all questions."""
    n: int
    """How many scenarios, or for candidates questions, it rests on."""
    paper: float | None
    """None where the paper gives none."""


def figures_of(
    scenario: Scenario, turns: Sequence[Turn], questions: Sequence[MinedQuestion]
) -> Figures:
    """What a scenario with its dialogue and questions comes to."""
    return Figures(
        history_id=scenario.truth.history_id,
        turns=len(turns),
        visuals=len(scenario.truth.artifacts),
        pictures=len(scenario.pictures),
        transitions=len(scenario.truth.trajectory.records),
        operators=len(scenario.truth.inventory),
        tokens=sum(count_tokens(one.text) for one in turns),
        distinct=distinct_share(turns),
        questions={one: sum(each.category is one for each in questions) for one in Category},
        scores=tuple(one.hartley.score for one in questions),
    )


def averages(figures: Iterable[Figures]) -> list[Average]:
    """The figures of some scenarios, averaged; n is how many scenarios, or questions, there are."""
    every = list(figures)
    rows = [one.row for one in every]
    found = []
    for name in rows[0] if rows else ():
        if name == "candidates":
            scores = [score for one in every for score in one.scores]
            mean, n = (2 ** fmean(scores) if scores else None), len(scores)
        else:
            mean, n = fmean(float(row[name] or 0) for row in rows), len(rows)
        found.append(Average(name, mean, n, PAPER.get(name)))
    return found
