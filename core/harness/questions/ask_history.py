"""Questions about how what is accepted came about: changes, their order, their number."""

from collections.abc import Sequence

from mnemoscope.core.harness.dialogue.speech import joined
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.plan import At, Gap, Plan, Values
from mnemoscope.core.harness.questions.plan_history import (
    ChangeCount,
    Extreme,
    LargestStep,
    LastChanged,
    MostChanged,
    Moved,
    NthStep,
    Successive,
)
from mnemoscope.core.harness.questions.plan_sets import Disputed, Restyled
from mnemoscope.core.model.values import value
from mnemoscope.core.state.component import Component, Part, cell, cue
from mnemoscope.core.state.field import Field
from mnemoscope.core.state.operators import Event

__all__ = [
    *("count_of_several", "counted", "disputed_then", "extreme", "largest_step", "last_changed"),
    *("Window", "lifecycle", "most_changed", "moved", "names_in_turn", "net_change", "nth_step"),
    *("restyled", "successive", "window"),
]


def _draft(family: str, text: str, plan: Plan) -> Draft:
    return Draft(Category.CHANGE_HISTORY, family, text, plan)


@value
class Window:
    """A time that begins after one block and ends after another, with both in words."""

    first: int
    since: str
    last: int
    until: str


def window(desk: Desk, cells: Sequence[Component], least: int) -> Window | None:
    """A time in which each of some cells was there throughout, and changed so often."""
    born = max(desk.since(one.entity) for one in cells)
    start = desk.moment(one.entity for one in cells) if desk.chance.share() < 0.75 else None
    first = start.place if start else 0
    end = desk.moment(one.entity for one in cells) if desk.chance.share() < 0.5 else None
    last = end.place if end else desk.last
    if born > first or last <= first:
        return None
    for one in cells:
        inside = [at for at, _ in desk.truths.changes.get(one, ()) if first < at <= last]
        if len(inside) < least:
            return None
    since = start.point if start else "the very first version of the record"
    return Window(first, since, last, end.point if end else "now")


def _changed(desk: Desk, least: int, fields: Sequence[Field] | None = None) -> Component | None:
    options = desk.changed_cells(least, fields)
    return desk.chance.weighted(options, [desk.heat[one] for one in options]) if options else None


def successive(desk: Desk) -> Draft | None:
    """Every value of a cell in turn."""
    where = _changed(desk, 2)
    time = window(desk, [where], 2) if where else None
    if where is None or time is None:
        return None
    text = desk.say(
        "successive",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
    )
    return _draft("successive", text, Successive(where, time.first, time.last))


def counted(desk: Desk) -> Draft | None:
    """How often a cell has changed."""
    where = _changed(desk, 2)
    time = window(desk, [where], 2) if where else None
    if where is None or time is None:
        return None
    text = desk.say(
        "counted",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
    )
    return _draft("counted", text, ChangeCount((where,), time.first, time.last))


def count_of_several(desk: Desk) -> Draft | None:
    """How often several cells of one entity, or of one field, have changed in all."""
    options = desk.changed_cells(1)
    if len(options) < 3:
        return None
    where = desk.chance.pick(options)
    alike = [one for one in options if (one.entity == where.entity) != (one.field == where.field)]
    cells = [where, *desk.chance.sample(alike, desk.chance.whole(1, 2))]
    time = window(desk, cells, 1)
    if len(cells) < 2 or time is None:
        return None
    text = desk.say(
        "count_of_several",
        things=joined(map(desk.thing, cells)),
        since=time.since,
        until=time.until,
    )
    return _draft("count_of_several", text, ChangeCount(tuple(cells), time.first, time.last))


def nth_step(desk: Desk) -> Draft | None:
    """From what to what the first, second or last change led."""
    where = _changed(desk, 2)
    time = window(desk, [where], 2) if where else None
    if where is None or time is None:
        return None
    nth, word = desk.chance.pick(((1, "first"), (2, "second"), (-1, "last")))
    text = desk.say(
        "nth_step",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
        word=word,
    )
    return _draft("nth_step", text, NthStep(where, time.first, time.last, nth))


def largest_step(desk: Desk) -> Draft | None:
    """The largest change of a number."""
    where = _changed(desk, 2, desk.numeric)
    time = window(desk, [where], 2) if where else None
    if where is None or time is None:
        return None
    text = desk.say(
        "largest_step",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
    )
    return _draft("largest_step", text, LargestStep(where, time.first, time.last))


def extreme(desk: Desk) -> Draft | None:
    """The largest or least value that was ever accepted."""
    where = _changed(desk, 2, desk.numeric)
    time = window(desk, [where], 2) if where else None
    if where is None or time is None:
        return None
    largest = desk.chance.share() < 0.5
    text = desk.say(
        "extreme",
        way="highest" if largest else "lowest",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
    )
    return _draft("extreme", text, Extreme(where, time.first, time.last, largest))


def net_change(desk: Desk) -> Draft | None:
    """How far the first and the last value are apart."""
    where = _changed(desk, 1, desk.numeric)
    time = window(desk, [where], 1) if where else None
    if where is None or time is None:
        return None
    if desk.accepted(where, time.first) == desk.accepted(where, time.last):
        return None
    text = desk.say(
        "net_change",
        thing=desk.thing(where),
        since=time.since,
        until=time.until,
    )
    return _draft("net_change", text, Gap((At(where, time.first), At(where, time.last))))


def _rivals(desk: Desk) -> list[Component]:
    """Cells of one field of which at least two have changed."""
    options = desk.changed_cells(1)
    if not options:
        return []
    field = desk.chance.pick(options).field
    hot = [one for one in options if one.field == field]
    cold = [one for one in desk.heat if one.field == field and one not in hot]
    chosen = [*desk.chance.sample(hot, 3), *desk.chance.sample(cold, 1)]
    return desk.chance.sample(chosen, len(chosen)) if len(hot) > 1 else []


def most_changed(desk: Desk) -> Draft | None:
    """Whose value has changed most often."""
    cells = _rivals(desk)
    time = window(desk, cells, 0) if cells else None
    if time is None:
        return None
    text = desk.say(
        "most_changed",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
        since=time.since,
        until=time.until,
    )
    return _draft("most_changed", text, MostChanged(tuple(cells), time.first, time.last))


def last_changed(desk: Desk) -> Draft | None:
    """Whose value has changed last."""
    cells = _rivals(desk)
    time = window(desk, cells, 0) if cells else None
    if time is None:
        return None
    text = desk.say(
        "last_changed",
        names=desk.labels(one.entity for one in cells),
        field=desk.column(cells[0].field),
        since=time.since,
        until=time.until,
    )
    return _draft("last_changed", text, LastChanged(tuple(cells), time.first, time.last))


def moved(desk: Desk) -> Draft | None:
    """Which entities came, or went."""
    came = desk.chance.share() < 0.5
    pair = desk.two_moments(())
    if pair is None:
        return None
    first, then = pair
    last, until = then.place, then.words
    if desk.chance.share() < 0.6:
        last, until = desk.last, "now"
    text = desk.say(
        f"{'came' if came else 'went'}_{'now' if until == 'now' else 'then'}",
        since=first.words,
        until=until,
    )
    there, missing = (last, first.place) if came else (first.place, last)
    return _draft("came" if came else "went", text, Moved(desk.every, there, missing))


def names_in_turn(desk: Desk) -> Draft | None:
    """Every name that an entity has had."""
    names = desk.schema.name_field
    assert names is not None
    where = _changed(desk, 1, [names])
    if where is None or desk.since(where.entity) > 0:
        return None
    others = [
        one for one in desk.numeric if desk.is_numeric(cell(where.entity, one.key), desk.last)
    ]
    text = desk.say(
        "names_in_turn",
        name=desk.label(where.entity),
    )
    return _draft("names_in_turn", text, Successive(where, 0, desk.last)) if others else None


def lifecycle(desk: Desk) -> Draft | None:
    """What an image showed that was taken back, and what was accepted around it."""
    records, names = desk.scenario.truth.trajectory.record_by_id, desk.schema.name_field
    assert names is not None
    taken = {
        record.transition.of: at
        for at, block in enumerate(desk.scenario.blocks)
        if block.transition
        for record in [records[block.transition]]
        if record.transition.event is Event.DISREGARD
    }
    options = []
    for key, withdrawn in taken.items():
        update = records[key]
        if not update.transition.artifact:
            continue
        place = next(at for at, one in enumerate(desk.scenario.blocks) if one.transition == key)
        options += [
            (one.component, update.transition.artifact, place, withdrawn)
            for one in update.changes
            if one.component in desk.heat
            and one.component.field != names.key
            and desk.is_there(one.component.entity, place)
            and desk.is_there(one.component.entity, withdrawn)
        ]
    if not options:
        return None
    where, image, place, withdrawn = desk.chance.pick(options)
    text = desk.say(
        "withdrawn_update",
        revision=desk.revision(image),
        thing=desk.thing(where),
    )
    plan = Values((At(where, place, shown=True), At(where, withdrawn)))
    return _draft("withdrawn_update", text, plan)


def disputed_then(desk: Desk) -> Draft | None:
    """For which entities an image differs from what was accepted when it came."""
    names = desk.schema.name_field
    contested = [
        one
        for one in desk.heat
        if one.part == "cell" and names is not None and one.field != names.key
    ]
    if not contested:
        return None
    field = desk.chance.weighted(contested, [desk.heat[one] for one in contested]).field
    images = [one for one in desk.reader.images if one.place > 0]
    pick = desk.chance.pick(images)
    item = next(one for one in desk.reader.items if one.image == pick)
    shown = item.shows or {}
    there = [
        one
        for one in desk.present
        if not item.context and cell(one, field) in shown and desk.is_there(one, pick.place)
    ]
    apart = [
        one
        for one in there
        if shown[cell(one, field)] != desk.accepted(cell(one, field), pick.place)
    ]
    if not apart:
        return None
    same = [one for one in there if one not in apart]
    chosen = [*desk.chance.sample(apart, 3), *desk.chance.sample(same, 3)]
    chosen = desk.chance.sample(chosen, len(chosen))
    text = desk.say(
        "disputed",
        revision=desk.revision(pick.id),
        field=desk.column(field),
        names=desk.labels(chosen),
    )
    return _draft("disputed", text, Disputed(tuple(chosen), field, pick.place))


def restyled(desk: Desk) -> Draft | None:
    """For which entities an image sets a field in bold or italics, and another does not."""
    cues = [one for item in desk.reader.items for one in item.shows or () if one.part is Part.CUE]
    if not cues:
        return None
    field = desk.chance.pick(cues).field
    images = [
        one
        for one in desk.reader.items
        if not one.context and any(each.field == field for each in one.shows or ())
    ]
    pair = sorted(desk.chance.sample(images, 2), key=lambda one: one.place)
    if len(pair) < 2:
        return None
    first, later = pair
    assert first.image is not None and later.image is not None
    there = [
        one for one in desk.present if all(cell(one, field) in (item.shows or {}) for item in pair)
    ]
    styled = [one for one in there if any(cue(one, field) in (item.shows or {}) for item in pair)]
    plain = [one for one in there if one not in styled]
    chosen = [*desk.chance.sample(styled, 3), *desk.chance.sample(plain, 3)]
    chosen = desk.chance.sample(chosen, len(chosen))
    gained = desk.chance.share() < 0.7
    text = desk.say(
        "restyled" if gained else "unstyled",
        names=desk.labels(chosen),
        field=desk.column(field),
        first=desk.revision(first.image.id),
        later=desk.revision(later.image.id),
    )
    places = (later.place, first.place) if gained else (first.place, later.place)
    return _draft("restyled", text, Restyled(tuple(chosen), field, *places))
