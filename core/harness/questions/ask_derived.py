"""Questions about what follows from accepted values: compared, computed, filtered, ordered."""

from mnemoscope.core.harness.dialogue.speech import quoted
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.moments import Moment
from mnemoscope.core.harness.questions.plan import At, Change, Gap, Mean, Plan, Swing, Total, Values
from mnemoscope.core.harness.questions.plan_columns import (
    Best,
    Combine,
    GroupFigure,
    Ranking,
    Risen,
)
from mnemoscope.core.harness.questions.plan_sets import Chosen, Members, Turned
from mnemoscope.core.harness.questions.quantity import COMPUTED
from mnemoscope.core.state.component import Component, Part, cell
from mnemoscope.core.state.dependency import DependencyKind
from mnemoscope.core.state.field import FieldKind, FieldRole
from mnemoscope.core.state.rule import Clause, Comparison, RuleKind

__all__ = [
    *(
        "best_by_group",
        "computed_twice",
        "counted_now",
        "figure_of_group",
        "gap_now",
        "gap_over_time",
    ),
    *("mean_now", "percent", "ranked", "risen", "share", "swing", "total_now", "turned"),
]

_DERIVED = Category.DERIVED_STATE


def _draft(family: str, text: str, plan: Plan) -> Draft:
    return Draft(_DERIVED, family, text, plan)


def _cells(desk: Desk, least: int, most: int) -> list[Component]:
    """Cells of one field of numbers, of different entities."""
    field = desk.chance.pick(desk.numeric)
    return desk.some_cells(desk.chance.whole(least, most), [field], once=True)


def gap_now(desk: Desk) -> Draft | None:
    """How far two entities are apart now."""
    cells = _cells(desk, 2, 2)
    if len(cells) < 2:
        return None
    text = desk.say(
        "gap_now",
        names=desk.labels(one.entity for one in cells),
        one=desk.label(cells[0].entity),
        other=desk.label(cells[1].entity),
        field=desk.column(cells[0].field),
    )
    return _draft("gap_now", text, Gap(tuple(At(one, desk.last) for one in cells)))


def gap_over_time(desk: Desk) -> Draft | None:
    """How far one entity at a moment and another now are apart."""
    cells = _cells(desk, 2, 2)
    moment = desk.moment(one.entity for one in cells)
    if len(cells) < 2 or moment is None:
        return None
    one, other = cells
    text = desk.say(
        "gap_over_time",
        one=desk.label(one.entity),
        other=desk.label(other.entity),
        field=desk.column(one.field),
        moment=moment.words,
    )
    return _draft("gap_over_time", text, Gap((At(one, moment.place), At(other, desk.last))))


def total_now(desk: Desk) -> Draft | None:
    """The sum of some entities' values now."""
    cells = _cells(desk, 3, 5)
    if len(cells) < 3:
        return None
    text = desk.say(
        "total_now",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
    )
    return _draft("total_now", text, Total(tuple(At(one, desk.last) for one in cells)))


def mean_now(desk: Desk) -> Draft | None:
    """The mean of some entities' values, at a moment or now."""
    cells = _cells(desk, 3, 4)
    moment = desk.moment(one.entity for one in cells) if desk.chance.share() < 0.4 else None
    if len(cells) < 3:
        return None
    text = desk.say(
        "mean_now",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
        when=moment.words if moment else "now",
    )
    place = moment.place if moment else desk.last
    return _draft("mean", text, Mean(tuple(At(one, place) for one in cells)))


def swing(desk: Desk) -> Draft | None:
    """By how much the total of some entities has changed since a moment."""
    cells = _cells(desk, 2, 4)
    moment = desk.moment(one.entity for one in cells)
    if len(cells) < 2 or moment is None:
        return None
    text = desk.say(
        "swing",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
        moment=moment.words,
    )
    reads = (*(At(one, moment.place) for one in cells), *(At(one, desk.last) for one in cells))
    return _draft("swing", text, Swing(reads))


def percent(desk: Desk) -> Draft | None:
    """By how many percent a value has changed."""
    cells = _cells(desk, 1, 1)
    moment = desk.moment(one.entity for one in cells)
    if not cells or moment is None:
        return None
    where = cells[0]
    if desk.accepted(where, moment.place) == desk.accepted(where, desk.last):
        return None
    text = desk.say(
        "percent",
        thing=desk.thing(where),
        moment=moment.words,
    )
    reads = At(where, moment.place), At(where, desk.last)
    return _draft("percent", text, Change(reads))


def risen(desk: Desk) -> Draft | None:
    """Which of some entities gained or lost most since a moment."""
    cells = _cells(desk, 3, 5)
    moment = desk.moment(one.entity for one in cells)
    if len(cells) < 3 or moment is None:
        return None
    rise = desk.chance.share() < 0.5
    text = desk.say(
        "risen",
        names=desk.labels((one.entity for one in cells), "and"),
        done="gained" if rise else "lost",
        field=desk.column(cells[0].field),
        since=moment.words,
        point=moment.point,
    )
    entities = tuple(one.entity for one in cells)
    plan = Risen(entities, cells[0].field, moment.place, desk.last, rise)
    return _draft("risen", text, plan)


def ranked(desk: Desk) -> Draft | None:
    """The order of some entities now, or at a moment."""
    cells = _cells(desk, 3, 5)
    moment = desk.moment(one.entity for one in cells) if desk.chance.share() < 0.5 else None
    if len(cells) < 3:
        return None
    descending = desk.chance.share() < 0.6
    text = desk.say(
        "ranked",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
        when=moment.words if moment else "now",
        way="highest" if descending else "lowest",
    )
    place = moment.place if moment else desk.last
    members = Members(tuple(one.entity for one in cells), place, named=True)
    return _draft("ranked", text, Ranking(members, cells[0].field, place, descending))


def _group(desk: Desk, place: int) -> tuple[str, Clause] | None:
    """A group and the clause that picks it."""
    fields = desk.fields(FieldKind.CHOICE, role=FieldRole.GROUP)
    field = desk.chance.pick(fields)
    found = [desk.accepted(cell(one, field.key), place) for one in desk.present]
    values = [one for one in dict.fromkeys(found) if isinstance(one, str) and found.count(one) > 1]
    if not values:
        return None
    value = desk.chance.pick(values)
    return f"{desk.column(field.key)} {quoted(value)}", Clause(field.key, Comparison.IS, value)


def _when(desk: Desk) -> tuple[int, str, Moment | None]:
    moment = desk.moment() if desk.chance.share() < 0.6 else None
    return (desk.last, "now", None) if moment is None else (moment.place, moment.words, moment)


def figure_of_group(desk: Desk) -> Draft | None:
    """The sum or mean over a group, as it was made up at a moment."""
    place, when, moment = _when(desk)
    group = _group(desk, place)
    if group is None:
        return None
    words, clause = group
    field = desk.chance.pick(desk.numeric)
    by = desk.chance.pick((Combine.SUM, Combine.MEAN))
    text = desk.say(
        "figure_of_group_then" if moment else "figure_of_group_now",
        by="total" if by is Combine.SUM else "mean",
        field=desk.column(field.key),
        words=words,
        group=desk.column(clause.field),
        group_value=quoted(str(clause.value)),
        when=when,
    )
    members = Members(desk.every, place, clauses=(clause,))
    return _draft("figure_of_group", text, GroupFigure(members, field.key, desk.last, by))


def share(desk: Desk) -> Draft | None:
    """What share one entity has in the total of some, at a moment or now."""
    cells = _cells(desk, 4, 5)
    moment = desk.moment(one.entity for one in cells) if desk.chance.share() < 0.6 else None
    if len(cells) < 4:
        return None
    entities = tuple(one.entity for one in cells)
    text = desk.say(
        "share",
        field=desk.column(cells[0].field),
        names=desk.labels(entities),
        own=desk.label(entities[0]),
        when=moment.words if moment else "now",
    )
    place = moment.place if moment else desk.last
    members = Members(entities, place, named=True)
    plan = GroupFigure(members, cells[0].field, place, share_of=entities[0])
    return _draft("share", text, plan)


def best_by_group(desk: Desk) -> Draft | None:
    """The best now among those that belonged to a group at a moment."""
    place, when, moment = _when(desk)
    group = _group(desk, place)
    if group is None:
        return None
    words, clause = group
    field = desk.chance.pick(desk.numeric)
    descending = desk.chance.share() < 0.6
    text = desk.say(
        "best_by_group_then" if moment else "best_by_group_now",
        words=words,
        group=desk.column(clause.field),
        group_value=quoted(str(clause.value)),
        when=when,
        way="highest" if descending else "lowest",
        field=desk.column(field.key),
    )
    members = Members(desk.every, place, clauses=(clause,))
    return _draft("best_by_group", text, Best(members, field.key, desk.last, descending))


def counted_now(desk: Desk) -> Draft | None:
    """How many meet the rule in force now, or met the one at a moment."""
    rules = [one.key for one in desk.pack.rules if one.kind is RuleKind.PREDICATE]
    if not rules:
        return None
    key = desk.chance.pick(rules)
    place, when, moment = _when(desk)
    text = desk.say(
        "counted_rule_then" if moment else "counted_rule_now",
        rule=quoted(desk.schema.heading(key)),
        when=when,
    )
    plan = Chosen(Members(desk.every, place, rule=key), counted=True)
    return _draft("counted_rule", text, plan)


def turned(desk: Desk) -> Draft | None:
    """Which met a rule at a moment and do not now, or the reverse."""
    rules = [one.key for one in desk.pack.rules if one.kind is RuleKind.PREDICATE]
    moment = desk.moment()
    if not rules or moment is None:
        return None
    key, lost = desk.chance.pick(rules), desk.chance.share() < 0.5
    text = desk.say(
        "turned_lost" if lost else "turned_won",
        rule=quoted(desk.schema.heading(key)),
        moment=moment.words,
    )
    plan = Turned(desk.every, key, moment.place, desk.last, lost)
    return _draft("turned", text, plan)


def computed_twice(desk: Desk) -> Draft | None:
    """A quantity that follows from an entity's values, at a moment and now."""
    keys = [
        one.key
        for one in desk.schema.dependencies
        if desk.schema.is_of_entities(one.key)
        and one.kind in COMPUTED - {DependencyKind.STATUS}
        and not one.where
    ]
    if not keys:
        return None
    key = desk.chance.pick(keys)
    sources = [desk.schema.field_by_key[one] for one in desk.schema.dependency_by_key[key].of]
    cells = desk.some_cells(1, sources)
    moment = desk.moment(one.entity for one in cells)
    if not cells or moment is None:
        return None
    where = Component(Part.DEPENDENT, cells[0].entity, key)
    text = desk.say(
        "computed_twice",
        thing=desk.thing(where),
        moment=moment.words,
    )
    pair = At(where, moment.place), At(where, desk.last)
    then, now = (desk.answer(Values((one,))) for one in pair)
    return _draft("computed_twice", text, Values(pair)) if then != now else None


def across_contexts(desk: Desk) -> Draft | None:
    """How far what an upload of another context shows and what is accepted here are apart."""
    fields = {one.key for one in desk.numeric}
    options = [
        (where, item.context)
        for item in desk.reader.items
        if item.context and sum(one.context == item.context for one in desk.reader.items) == 1
        for where in desk.heat
        if where in (item.shows or {}) and where.field in fields
    ]
    if not options:
        return None
    where, context = desk.chance.pick(options)
    text = desk.say(
        "across_contexts",
        name=desk.label(where.entity),
        field=desk.column(where.field),
        context=quoted(context),
    )
    reads = At(where, desk.last, shown=True, context=context), At(where, desk.last)
    return _draft("across_contexts", text, Gap(reads))
