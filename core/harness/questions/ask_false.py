"""Questions that state a number as the accepted one that is not, and go on from there."""

from collections.abc import Callable, Sequence

from mnemoscope.core.harness.dialogue.speech import quoted
from mnemoscope.core.harness.questions.category import Category
from mnemoscope.core.harness.questions.desk import Desk, Draft
from mnemoscope.core.harness.questions.plan import At, Gap, Numbers, Swing, Total
from mnemoscope.core.harness.questions.plan_premise import (
    FalseInput,
)
from mnemoscope.core.model.values import value
from mnemoscope.core.scoring.typed_gold import PremiseProblem
from mnemoscope.core.state.component import Component
from mnemoscope.core.state.values import Number

__all__ = ["displayed", "foreign", "number_or_none", "superseded", "withdrawn"]


@value
class _Claim:
    """A number that is stated of a cell as the accepted one, and is not."""

    where: Component
    claimed: Number
    source: str
    """Where it comes from, in words."""
    why: str
    """Why it is not accepted, in words."""


def number_or_none(content: object) -> Number | None:
    """A content that is a number."""
    if isinstance(content, bool) or not isinstance(content, int | float):
        return None
    return content


def _computed(desk: Desk, claim: _Claim) -> tuple[Numbers, int, str] | None:
    """A computation with the claimed number, which one it is in it, and what is asked."""
    where = claim.where
    field = desk.schema.field_by_key[where.field]
    others = [one for one in desk.some_cells(4, [field], once=True) if one.entity != where.entity]
    way = desk.chance.pick(("since", "other", "together", "combined"))
    chosen = {"since": [], "other": others[:1], "together": others[: desk.chance.whole(1, 3)]}.get(
        way, others[:2]
    )
    mine = [] if way in ("other", "together") else [where]
    moment = desk.moment(one.entity for one in (*mine, *chosen))
    if moment is None or (way != "since" and not chosen):
        return None
    now = At(where, desk.last)
    then = tuple(At(one, moment.place) for one in (*mine, *chosen))
    asked = desk.say(
        f"asked_{way}",
        field=desk.column(field.key),
        moment=moment.words,
        names=desk.labels(one.entity for one in (*mine, *chosen)),
    )
    asked = asked[:1].lower() + asked[1:]
    match way:
        case "since" | "other":
            return Gap((*then, now)), 1, asked
        case "together":
            return Total((*then, now)), len(then), asked
    later = tuple(At(one.where, desk.last) for one in then)
    return Swing((*then, *later)), len(then), asked


def _false_input(
    desk: Desk,
    family: str,
    problem: PremiseProblem,
    claims: Callable[[Desk], Sequence[_Claim]],
) -> Draft | None:
    options = desk.once(family, lambda: claims(desk))
    if not options:
        return None
    claim = desk.chance.pick(options)
    made = _computed(desk, claim)
    if made is None:
        return None
    numbers, at, asked = made
    where, field = claim.where, claim.where.field
    said = desk.amount(where, claim.claimed)
    text = desk.say(
        "false_input",
        thing=desk.thing(where),
        said=said,
        source=claim.source,
        asked=asked,
    )
    right = desk.amount(where, desk.accepted(where, desk.last))
    what = f"{desk.column(field)} of {desk.label(where.entity)}"
    premise = f"The accepted {what} is {right}, not {said}: {claim.why}."
    plan = FalseInput(problem, numbers, at, claim.claimed)
    return Draft(Category.CONFLICT_REFUSAL, family, text, plan, premise)


def _is_other(desk: Desk, where: Component, content: object) -> bool:
    now = desk.accepted(where, desk.last)
    return (
        number_or_none(content) is not None and number_or_none(now) is not None and content != now
    )


def _withdrawn_claims(desk: Desk) -> list[_Claim]:
    records = desk.scenario.truth.trajectory.record_by_id
    statuses = desk.truths.moments[desk.last].statuses
    found = []
    for key, status in statuses.items():
        update = records[key]
        image = update.transition.artifact
        if status != "withdrawn" or not image:
            continue
        for change in update.changes:
            where = change.component
            value = number_or_none(change.after)
            shown = desk.scenario.artifact_by_id[image].shows.get(where)
            if where not in desk.heat or value is None or shown != value:
                continue
            if _is_other(desk, where, value):
                revision = desk.revision(image)
                why = f"that figure came with {revision}, whose changes were withdrawn"
                found.append(_Claim(where, value, revision, why))
    return found


def withdrawn(desk: Desk) -> Draft | None:
    """A number that came with an update that was withdrawn."""
    return _false_input(desk, "withdrawn_value", PremiseProblem.WITHDRAWN, _withdrawn_claims)


def _superseded_claims(desk: Desk) -> list[_Claim]:
    found = []
    for item in desk.reader.items:
        if item.context or item.image is None or item.shows is None:
            continue
        revision = desk.revision(item.image.id)
        for where in desk.heat:
            value = number_or_none(item.shows.get(where))
            if value is None or value != desk.accepted(where, item.place):
                continue
            if _is_other(desk, where, value):
                why = f"what {revision} shows was accepted then and has changed since"
                found.append(_Claim(where, value, revision, why))
    return found


def superseded(desk: Desk) -> Draft | None:
    """A number that was accepted once."""
    return _false_input(desk, "superseded_value", PremiseProblem.SUPERSEDED, _superseded_claims)


def _displayed_claims(desk: Desk) -> list[_Claim]:
    now = desk.truths.moments[desk.last]
    images = [one for one in desk.reader.items if one.image is not None and not one.context]
    found = []
    for where in desk.heat:
        last = next((one for one in reversed(images) if where in (one.shows or {})), None)
        if last is None or last.image is None or last.shows is None:
            continue
        value = number_or_none(last.shows[where])
        ever = {desk.accepted(where, at) for at in range(desk.last)}
        if value is None or value in ever or now.visual.get(where) != value:
            continue
        if _is_other(desk, where, value):
            revision = desk.revision(last.image.id)
            why = f"{revision} displays it, but what was stated in writing holds"
            found.append(_Claim(where, value, revision, why))
    return found


def displayed(desk: Desk) -> Draft | None:
    """A number that the newest image displays, while a text governs."""
    return _false_input(desk, "displayed_value", PremiseProblem.NOT_ACCEPTED, _displayed_claims)


def _foreign_claims(desk: Desk) -> list[_Claim]:
    found = []
    for item in desk.reader.items:
        if not item.context or item.image is None or item.shows is None:
            continue
        for where in desk.heat:
            value = number_or_none(item.shows.get(where))
            if value is not None and _is_other(desk, where, value):
                why = "that figure belongs to another context"
                source = f"the upload for {quoted(item.context)}"
                found.append(_Claim(where, value, source, why))
    return found


def foreign(desk: Desk) -> Draft | None:
    """A number from an artifact of another context."""
    return _false_input(desk, "foreign_value", PremiseProblem.WRONG_CONTEXT, _foreign_claims)
