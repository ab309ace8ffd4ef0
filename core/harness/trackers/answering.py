"""What a tracker says to a question."""

from collections.abc import Callable

from mnemoscope.core.harness.questions.plan import Plan
from mnemoscope.core.harness.questions.plan_history import Successive
from mnemoscope.core.harness.questions.plan_premise import Direction, FalseInput, WrongCount
from mnemoscope.core.harness.questions.reading import UnreadError
from mnemoscope.core.harness.questions.view import View
from mnemoscope.core.scoring.typed_gold import ListGold, RefusalGold, TypedGold, in_words
from mnemoscope.core.state.values import exact

__all__ = ["CANNOT_TELL", "answer_of", "in_answer", "typed_answer"]

CANNOT_TELL = "I cannot tell from what I have kept."


def answer_of(plan: Plan, view: View) -> str:
    """The answer to a plan's question by what a view tells, in words."""
    found = typed_answer(plan, view)
    return CANNOT_TELL if found is None else in_answer(found)


def in_answer(found: TypedGold) -> str:
    """A typed answer in words."""
    if not isinstance(found, RefusalGold):
        return in_words(found)
    if found.actual is None:
        return "That premise is mistaken, so there is no answer to give."
    return f"That premise is mistaken. In fact it is {in_words(found.actual)}."


def typed_answer(plan: Plan, view: View) -> TypedGold | None:
    """The answer by what a view tells; None where it does not tell.

    Where the view has nothing against what a question takes for granted, it goes along.
    """
    for way in (_by_plan, _along):
        found = _told(way, plan, view)
        if found is not None:
            return found
    return None


def _told(
    way: Callable[[Plan, View], TypedGold | None], plan: Plan, view: View
) -> TypedGold | None:
    try:
        return way(plan, view)
    except UnreadError:
        return None


def _by_plan(plan: Plan, view: View) -> TypedGold:
    for entity in plan.entities():
        view.name(entity)
    return plan.answer(view)


def _along(plan: Plan, view: View) -> TypedGold | None:
    match plan:
        case FalseInput():
            numbers = plan.inner.numbers(view)
            numbers[plan.at] = exact(plan.claimed)
            return plan.inner.of(view.schema, numbers)
        case WrongCount(inner=Successive() as inner):
            return inner.answer(view)
        case Direction():
            return ListGold(ordered=True, items=(plan.first.read(view), plan.then.read(view)))
    return None
