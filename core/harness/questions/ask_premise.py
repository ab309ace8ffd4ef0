"""Questions that take something false for granted: to be corrected, or declined."""

from mnemoscope.core.harness.dialogue.speech import quoted
from mnemoscope.core.harness.questions.ask_false import number_or_none
from mnemoscope.core.harness.questions.ask_history import window
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.plan import At, Plan
from mnemoscope.core.harness.questions.plan_history import Successive
from mnemoscope.core.harness.questions.plan_premise import (
    Direction,
    Gone,
    OneEntity,
    Unshown,
    WrongCount,
)
from mnemoscope.core.state.component import cell

__all__ = [
    *("declined_context", "gone", "one_entity", "wrong_count", "wrong_direction"),
]


def _draft(family: str, text: str, plan: Plan, premise: str) -> Draft:
    return Draft(Category.CONFLICT_REFUSAL, family, text, plan, premise)


def gone(desk: Desk) -> Draft | None:
    """A value now of an entity that was removed."""
    removed = [one for one in desk.entities if one not in desk.present]
    if not removed:
        return None
    entity = desk.chance.pick(removed)
    field = desk.chance.pick(desk.numeric)
    others = desk.some_cells(2, [field], once=True)
    if not others:
        return None
    text = desk.say(
        "gone",
        field=desk.column(field.key),
        name=desk.label(entity),
        other=desk.label(others[0].entity),
    )
    there = f"among the accepted {desk.pack.plural}"
    premise = f"{desk.label(entity)} was removed and is not {there} any more."
    plan = Gone(entity, desk.since(entity), desk.last)
    return _draft("removed_entity", text, plan, premise)


def one_entity(desk: Desk) -> Draft | None:
    """Two names of one entity, taken for two."""
    options = [one for one in desk.present if desk.names.former(one) and desk.since(one) == 0]
    if not options:
        return None
    entity = desk.chance.pick(options)
    former = desk.chance.pick(desk.names.former(entity))
    field = desk.chance.pick(desk.numeric)
    names = desk.schema.name_field
    assert names is not None
    text = desk.say(
        "one_entity",
        former=former,
        name=desk.label(entity),
        field=desk.column(field.key),
    )
    premise = f"{former} and {desk.label(entity)} are one {desk.pack.entity}: it was renamed."
    plan = OneEntity(cell(entity, names.key), former, desk.last)
    return _draft("renamed_entity", text, plan, premise)


def wrong_direction(desk: Desk) -> Draft | None:
    """A rise that was a fall, or the reverse."""
    options = desk.changed_cells(1, desk.numeric)
    if not options:
        return None
    where = desk.chance.pick(options)
    moment = desk.moment([where.entity])
    if moment is None:
        return None
    then, now = (number_or_none(desk.accepted(where, at)) for at in (moment.place, desk.last))
    if then is None or now is None or then == now:
        return None
    rise = now < then
    text = desk.say(
        "wrong_direction",
        thing=desk.thing(where),
        way="up" if rise else "down",
        more="higher" if rise else "lower",
        moment=moment.words,
        point=moment.point,
    )
    pair = f"from {desk.amount(where, then)} to {desk.amount(where, now)}"
    what = f"{desk.column(where.field)} of {desk.label(where.entity)}"
    premise = f"The accepted {what} went {'down' if rise else 'up'}, {pair}."
    plan = Direction(At(where, moment.place), At(where, desk.last), rise)
    return _draft("wrong_direction", text, plan, premise)


def wrong_count(desk: Desk) -> Draft | None:
    """One change is spoken of where there were several."""
    options = desk.changed_cells(2, desk.numeric)
    if not options:
        return None
    where = desk.chance.weighted(options, [desk.heat[one] for one in options])
    time = window(desk, [where], 2)
    if time is None:
        return None
    text = desk.say("wrong_count", thing=desk.thing(where), since=time.since, until=time.until)
    inside = [one for one in desk.truths.changes[where] if time.first < one[0] <= time.last]
    values = [desk.accepted(where, time.first), *(content for _, content in inside)]
    told = ", then ".join(desk.amount(where, one) for one in values)
    what = f"{desk.column(where.field)} of {desk.label(where.entity)}"
    premise = f"The accepted {what} changed {len(inside)} times in that time: {told}."
    plan = WrongCount(Successive(where, time.first, time.last), 1)
    return _draft("wrong_count", text, plan, premise)


def declined_context(desk: Desk) -> Draft | None:
    """A value in a context that there has been no artifact of."""
    seen = {one.context for one in desk.scenario.truth.artifacts}
    missing = [one for one in desk.pack.contexts if one not in seen]
    cells = desk.some_cells(1, desk.numeric)
    if not missing or not cells:
        return None
    where, context = cells[0], desk.chance.pick(missing)
    text = desk.say(
        "declined_context",
        thing=desk.thing(where),
        field=desk.column(where.field),
        name=desk.label(where.entity),
        context=quoted(context),
    )
    premise = f"Nothing in the conversation shows {quoted(context)}."
    return _draft("never_shown", text, Unshown(where, context), premise)
