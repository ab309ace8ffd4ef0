"""Questions about what is accepted now, and what was accepted at a moment."""

from mnemoscope.core.harness.dialogue.speech import joined, quoted
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.plan import At, Orders, Values
from mnemoscope.core.harness.questions.plan_columns import Best, Hop
from mnemoscope.core.harness.questions.plan_history import Renamed
from mnemoscope.core.harness.questions.plan_sets import Chosen, Members
from mnemoscope.core.state.component import cell, order
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.rule import Clause, Comparison, RuleKind
from mnemoscope.core.state.schema import Axis

__all__ = [
    *("hop_back", "hop_now", "listed_now", "listed_then", "order_twice", "renamed_now"),
    *("rule_then", "two_moments", "values_now", "values_then"),
]

_NOW, _PAST = Category.CURRENT_STATE, Category.PAST_STATE
_KINDS = (FieldKind.NUMBER, FieldKind.CHOICE, FieldKind.TEXT)


def values_now(desk: Desk) -> Draft | None:
    """Two or three values, of several entities or of one."""
    fields = [one for one in desk.fields(*_KINDS) if one.role is not FieldRole.NAME]
    cells = desk.some_cells(desk.chance.whole(2, 3), fields)
    if len(cells) < 2:
        return None
    things = joined(map(desk.thing, cells))
    text = desk.say(
        "values_now",
        things=things,
    )
    return Draft(_NOW, "values_now", text, Values(tuple(At(one, desk.last) for one in cells)))


def hop_now(desk: Desk) -> Draft | None:
    """A value now of whichever entity was first in something at a moment."""
    moment, field = desk.moment(), desk.chance.pick(desk.numeric)
    others = [one for one in desk.fields(*_KINDS) if one.role is not FieldRole.NAME]
    asked = desk.chance.pick([one for one in others if one is not field])
    if moment is None:
        return None
    descending = desk.chance.share() < 0.6
    best = Best(Members(desk.every, moment.place), field.key, moment.place, descending)
    text = desk.say(
        "hop_now",
        way="highest" if descending else "lowest",
        field=desk.column(field.key),
        asked=desk.column(asked.key),
        moment=moment.words,
    )
    return Draft(_NOW, "hop_now", text, Hop(best, asked.key, desk.last))


def renamed_now(desk: Desk) -> Draft | None:
    """What an entity that went by another name once is called now, with one of its values."""
    options = [one for one in desk.present if desk.names.former(one)]
    if not options:
        return None
    entity = desk.chance.pick(options)
    former = desk.chance.pick(desk.names.former(entity))
    asked = desk.chance.pick(desk.numeric)
    names = desk.schema.name_field
    assert names is not None
    text = desk.say(
        "renamed_now",
        former=quoted(former),
        asked=desk.column(asked.key),
    )
    plan = Renamed(cell(entity, names.key), former, cell(entity, asked.key), desk.last)
    return Draft(_NOW, "renamed_now", text, plan)


def _listed(desk: Desk, place: int) -> tuple[str, Chosen] | None:
    """Which of some named entities have one value of a choice."""
    fields = [one for one in desk.fields(FieldKind.CHOICE) if one.choices]
    field = desk.chance.pick(fields)
    there = [one for one in desk.present if desk.is_there(one, place)]
    chosen = desk.chance.sample(there, desk.chance.whole(4, 6))
    wanted = [desk.accepted(cell(one, field.key), place) for one in chosen]
    value = desk.chance.pick([one for one in wanted if isinstance(one, str)] or [""])
    if not value or all(one == value for one in wanted):
        return None
    clause = Clause(field.key, Comparison.IS, value)
    plan = Chosen(Members(tuple(chosen), place, named=True, clauses=(clause,)))
    words = f"{desk.column(field.key)} {quoted(value)}"
    return words, plan


def listed_now(desk: Desk) -> Draft | None:
    """Which of some entities have a status, group or marker now."""
    found = _listed(desk, desk.last)
    if found is None:
        return None
    words, plan = found
    text = desk.say(
        "listed_now",
        names=desk.labels(plan.members.entities),
        words=words,
    )
    return Draft(_NOW, "listed_now", text, plan)


def listed_then(desk: Desk) -> Draft | None:
    """Which of some entities had a status, group or marker at a moment."""
    moment = desk.moment()
    found = None if moment is None else _listed(desk, moment.place)
    if moment is None or found is None:
        return None
    words, plan = found
    text = desk.say(
        "listed_then",
        names=desk.labels(plan.members.entities),
        words=words,
        moment=moment.words,
    )
    return Draft(_PAST, "listed_then", text, plan)


def values_then(desk: Desk) -> Draft | None:
    """Two or three values at one moment."""
    fields = [one for one in desk.fields(*_KINDS) if one.role is not FieldRole.NAME]
    cells = desk.some_cells(desk.chance.whole(2, 3), fields)
    moment = desk.moment(one.entity for one in cells)
    if len(cells) < 2 or moment is None:
        return None
    text = desk.say(
        "values_then",
        things=joined(map(desk.thing, cells)),
        moment=moment.words,
    )
    plan = Values(tuple(At(one, moment.place) for one in cells))
    return Draft(_PAST, "values_then", text, plan)


def two_moments(desk: Desk) -> Draft | None:
    """One value at two moments."""
    fields = [one for one in desk.fields(*_KINDS) if one.role is not FieldRole.NAME]
    cells = desk.some_cells(1, fields)
    pair = desk.two_moments([one.entity for one in cells])
    if not cells or pair is None:
        return None
    first, then = pair
    if desk.accepted(cells[0], first.place) == desk.accepted(cells[0], then.place):
        return None
    text = desk.say(
        "two_moments",
        thing=desk.thing(cells[0]),
        first=first.words,
        then=then.words,
    )
    plan = Values((At(cells[0], first.place), At(cells[0], then.place)))
    return Draft(_PAST, "two_moments", text, plan)


def hop_back(desk: Desk) -> Draft | None:
    """A value at a moment of whichever entity is first in something now, or at another moment."""
    field = desk.chance.pick(desk.numeric)
    others = [one for one in desk.fields(*_KINDS) if one.role is not FieldRole.NAME]
    asked = desk.chance.pick(others)
    moment = desk.moment()
    if moment is None:
        return None
    descending = desk.chance.share() < 0.6
    best = Best(Members(desk.every, desk.last), field.key, desk.last, descending)
    text = desk.say(
        "hop_back",
        way="highest" if descending else "lowest",
        field=desk.column(field.key),
        asked=desk.column(asked.key),
        moment=moment.words,
    )
    return Draft(_PAST, "hop_back", text, Hop(best, asked.key, moment.place))


def rule_then(desk: Desk) -> Draft | None:
    """Which entities met a rule at a moment, with the rule as it was worded then."""
    rules = [one.key for one in desk.pack.rules if one.kind is RuleKind.PREDICATE]
    moment = desk.moment()
    if not rules or moment is None:
        return None
    key = desk.chance.pick(rules)
    text = desk.say(
        "rule_then",
        rule=quoted(desk.schema.heading(key)),
        moment=moment.words,
    )
    plan = Chosen(Members(desk.every, moment.place, rule=key))
    return Draft(_PAST, "rule_then", text, plan)


def order_twice(desk: Desk) -> Draft | None:
    """The order of groups at two moments."""
    orders = [
        one
        for one in desk.schema.orderings
        if one.axis is Axis.GROUPS and desk.truths.changes.get(order(one.key))
    ]
    pair = desk.two_moments(())
    if not orders or pair is None:
        return None
    one, (first, then) = desk.chance.pick(orders), pair
    what = f"the groups of {quoted(desk.schema.heading(one.field))}"
    text = desk.say("order_twice", what=what, first=first.words, then=then.words)
    return Draft(_PAST, "order_twice", text, Orders(one.key, (first.place, then.place)))
