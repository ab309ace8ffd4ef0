"""Mined questions as a release holds them: what is visible, and what only the evaluator may see."""

import json
from collections.abc import Iterable
from typing import Any

from mnemoscope.core.harness.questions.category import COUNTS, Category
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.questions.plan import plain, plan_json
from mnemoscope.core.harness.questions.source import SourceKind
from mnemoscope.core.harness.scenario import Scenario
from mnemoscope.core.model import Clue, ClueTarget, Gold, GoldKind, Question, TaskLabel
from mnemoscope.core.scoring.typed_gold import RefusalGold

__all__ = ["TASKS", "evaluator_data", "geometric_mean_count", "model_questions"]

_TITLES = {
    Category.CURRENT_STATE: "Current state",
    Category.PAST_STATE: "Past state",
    Category.DERIVED_STATE: "Derived state",
    Category.CHANGE_HISTORY: "Change history",
    Category.CONFLICT_REFUSAL: "Conflict and refusal",
}
TASKS = tuple(TaskLabel(str(one), _TITLES[one], in_average=True) for one in COUNTS)
"""The label table of generated releases; the benchmark's average over categories has all five."""


def model_questions(
    history_id: str, mined: Iterable[MinedQuestion], scenario: Scenario
) -> tuple[Question, ...]:
    """Questions as a release holds them.

    Args:
        history_id: The history that they are about.
        mined: The questions, in order.
        scenario: What they were mined from; its blocks say in which session a round is.
    """
    return tuple(
        Question(
            key=_key(history_id, index),
            id=f"q{index + 1:03}",
            history_id=history_id,
            index=index,
            task=str(one.category),
            setting="",
            text=one.text,
            stem=one.text,
            gold=Gold(GoldKind.VALUE, texts=one.texts, value=_as_read(one.gold.as_json())),
            clues=tuple(_clues(one, scenario)),
            place="",
            labels={"family": one.family},
            answerable=not isinstance(one.gold, RefusalGold),
        )
        for index, one in enumerate(mined)
    )


def evaluator_data(
    history_id: str, mined: Iterable[MinedQuestion], scenario: Scenario
) -> dict[str, dict[str, Any]]:
    """What only the evaluator may see, by question key; JSON, hence Any."""
    return {
        _key(history_id, index): _as_read(
            {
                "derivation": {
                    "plan": plan_json(one.plan),
                    "steps": [
                        {
                            "how": str(step.look.how),
                            "where": plain(step.look.where),
                            "round": scenario.blocks[step.look.place].round,
                            "found": step.content,
                            "words": step.words,
                        }
                        for step in one.steps
                    ],
                },
                "hartley": {"candidates": one.hartley.candidates, "score": one.hartley.score},
                "governing_updates": {
                    "count": len(one.governing.transitions),
                    "transitions": one.governing.transitions,
                    "operators": [str(each) for each in one.governing.operators],
                    "turns_since": one.governing.turns_since,
                },
                "naive_readings": one.naive,
            }
        )
        for index, one in enumerate(mined)
    }


def geometric_mean_count(mined: Iterable[MinedQuestion]) -> float:
    """Two to the mean Hartley score: the paper has 7.78 for its whole benchmark.

    Raises:
        ValueError: There are no questions.
    """
    scores = [one.hartley.score for one in mined]
    if not scores:
        raise ValueError("no questions")
    return float(2 ** (sum(scores) / len(scores)))


def _key(history_id: str, index: int) -> str:
    return f"{history_id}/q{index + 1:03}"


def _as_read(data: dict[str, Any]) -> dict[str, Any]:
    """JSON as it is when it is read again: lists instead of tuples."""
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


def _clues(one: MinedQuestion, scenario: Scenario) -> Iterable[Clue]:
    for source in one.evidence:
        round_id = scenario.blocks[source.place].round
        target = ClueTarget.IMAGE if source.kind is SourceKind.IMAGE else ClueTarget.ROUND
        session_id = scenario.session_by_round[round_id]
        yield Clue(source.id, target, source.id, round_id, session_id)
