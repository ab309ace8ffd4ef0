"""Mining: proposing questions over a scenario, and keeping those that pass every check."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from mnemoscope.core.harness.chance import Chance
from mnemoscope.core.harness.questions import (
    ask_derived,
    ask_false,
    ask_history,
    ask_premise,
    ask_state,
)
from mnemoscope.core.harness.questions.category import COUNTS, Category
from mnemoscope.core.harness.questions.checking import Checker
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.mined import MinedQuestion
from mnemoscope.core.harness.scenario import Scenario

__all__ = ["mine"]

Family = Callable[[Desk], Draft | None]
_FAMILIES: Mapping[Category, Sequence[Family]] = {
    Category.CURRENT_STATE: (
        ask_state.values_now,
        ask_state.hop_now,
        ask_state.renamed_now,
        ask_state.listed_now,
    ),
    Category.PAST_STATE: (
        ask_state.two_moments,
        ask_state.hop_back,
        ask_state.values_then,
        ask_state.listed_then,
        ask_state.rule_then,
        ask_state.order_twice,
    ),
    Category.DERIVED_STATE: (
        ask_derived.gap_over_time,
        ask_derived.figure_of_group,
        ask_derived.ranked,
        ask_derived.swing,
        ask_derived.risen,
        ask_derived.total_now,
        ask_derived.percent,
        ask_derived.counted_now,
        ask_derived.best_by_group,
        ask_derived.mean_now,
        ask_derived.turned,
        ask_derived.computed_twice,
        ask_derived.share,
        ask_derived.gap_now,
        ask_derived.across_contexts,
    ),
    Category.CHANGE_HISTORY: (
        ask_history.successive,
        ask_history.counted,
        ask_history.nth_step,
        ask_history.most_changed,
        ask_history.lifecycle,
        ask_history.moved,
        ask_history.largest_step,
        ask_history.last_changed,
        ask_history.net_change,
        ask_history.count_of_several,
        ask_history.disputed_then,
        ask_history.extreme,
        ask_history.names_in_turn,
        ask_history.restyled,
    ),
    Category.CONFLICT_REFUSAL: (
        ask_false.withdrawn,
        ask_false.superseded,
        ask_false.displayed,
        ask_premise.wrong_direction,
        ask_premise.one_entity,
        ask_premise.wrong_count,
        ask_false.foreign,
        ask_premise.gone,
        ask_premise.declined_context,
    ),
}
_TRIES = 60
"""Proposals for each question that is wanted."""
_POOL = 3
"""How many questions are kept to choose from, for each that is wanted."""

_MANY = 6
"""Beyond so many images in its evidence a question is taken less gladly."""


def mine(
    scenario: Scenario, counts: Mapping[Category, int] = COUNTS, seed: int = 0
) -> tuple[MinedQuestion, ...]:
    """Questions over a scenario, category by category; the same for the same seed.

    Args:
        scenario: The scenario.
        counts: How many of each category.
        seed: Any number.

    Returns:
        As many as are wanted, or as many as the scenario has where those are fewer.
    """
    found: list[MinedQuestion] = []
    desk = Desk(scenario)
    for category in Category:
        wanted = counts.get(category, 0)
        desk.chance = Chance(scenario.pack.name, scenario.seed, "questions", category, seed)
        found += _chosen(_pool(desk, category, wanted), wanted)
    return tuple(found)


def _pool(desk: Desk, category: Category, wanted: int) -> list[MinedQuestion]:
    """Questions to choose from, each family in turn."""
    checker = Checker(desk)
    families = _FAMILIES[category]
    found: list[MinedQuestion] = []
    seen: set[object] = set()
    counts: Counter[str] = Counter()
    for nth in range(_TRIES * wanted):
        draft = families[nth % len(families)](desk)
        if draft is None or draft.text in seen or draft.plan in seen:
            continue
        seen |= {draft.text, draft.plan}
        if counts[draft.family] >= max(_POOL * wanted // len(families), 2):
            continue
        question = checker.question(draft)
        if question is not None:
            found.append(question)
            counts[draft.family] += 1
        if len(found) >= _POOL * wanted:
            break
    return found


def _chosen(pool: Sequence[MinedQuestion], wanted: int) -> list[MinedQuestion]:
    """Questions of many families, about many operators and cells, that naive readings miss."""
    left, found = list(pool), list[MinedQuestion]()
    families: Counter[str] = Counter()
    operators: Counter[str] = Counter()
    cells: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    starts: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    while left and len(found) < wanted:

        def cost(one: MinedQuestion) -> float:
            known = [operators[each] for each in one.governing.operators]
            rarest = min(known) if known else wanted
            return (
                4 * families[one.family]
                + 5 * bool(one.naive)
                + 2 * min(rarest, 6)
                + 3 * cells[str(one.main_cell)]
                + fields[one.main_cell.field]
                + fields[one.main_cell.entity]
                + 2 * answers[str(one.gold)]
                + 2 * starts[_start(one)]
                + max(len(one.images) - _MANY, 0) / 4
            )

        best = min(left, key=cost)
        left.remove(best)
        found.append(best)
        families[best.family] += 1
        operators.update(best.governing.operators)
        cells[str(best.main_cell)] += 1
        fields.update(filter(None, (best.main_cell.field, best.main_cell.entity)))
        answers[str(best.gold)] += 1
        starts[_start(best)] += 1
    return found


def _start(one: MinedQuestion) -> str:
    """How a question begins, which is where its form shows."""
    return " ".join(one.text.split()[:3])
