"""``mnemoscope ledger``: the state of a scenario at a round, what changed, and who says so."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.model import Release
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.places import history_of, round_of
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.core.state.component import Component
    from mnemoscope.core.state.ledger import Ledger, LedgerCell
    from mnemoscope.core.state.transition import Change, Record
    from mnemoscope.core.truth.truth import Truth

__all__ = ["collect", "command"]


@click.command("ledger")
@click.argument("release", type=PATH)
@click.argument("history")
@click.option(
    "--at", metavar="ROUND", default="", help="The round's id; the history's last otherwise."
)
@click.option(
    "--context", metavar="NAME", default="", help="Another context whose artifact was uploaded."
)
@click.option("--changed", is_flag=True, help="Only what the round changed.")
@click.option("--entity", metavar="KEY", default="", help="Only one entity, by key or name.")
@reading("format", "media_root")
@json_flag
def command(
    release: Path,
    history: str,
    at: str,
    context: str,
    changed: bool,
    entity: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Show the state of a scenario at a round: shown, visual, accepted.

    Also what the round changed, and on whose authority a value is accepted. HISTORY is the id of
    a history with a truth file. All of it is evaluator-only.
    """
    opened = flags.open(release).release
    data = collect(opened, history, at, context)
    if changed:
        data["cells"] = [one for one in data["cells"] if one["changed"]]
    if entity:
        data["cells"] = _of_entity(data["cells"], entity)
    if as_json:
        console.print_json(data)
    else:
        from mnemoscope.tui.verbs.ledger_lines import lines

        console.print_lines(lines(data))


def collect(release: Release, history_id: str, round_id: str = "", context: str = "") -> Json:
    """The state at the end of a round, as JSON.

    Raises:
        UsageError: There is no such history, round or context, or no truth of the history.
        InputError: The truth's schema is unsound.
    """
    from mnemoscope.core.state.ledger import Scrubber
    from mnemoscope.core.state.timeline import Timeline

    history = history_of(release, history_id)
    truth = release.evaluator.truths.get(history.id)
    if truth is None:
        raise UsageError(
            f"history {history.id!r} has no truth file, so its state is not known",
            hint="native releases may hold truth/*.json; docs/formats.md says what is in one",
        )
    one = round_of(history, round_id)
    for place, found, expected in truth.trajectory.schema.problems():
        raise InputError(f"{truth.file}: ${place}: found {found}, expected {expected}")
    scrubber = Scrubber(Timeline(truth.trajectory), [each.id for each in history.rounds])
    try:
        ledger = scrubber.at(one.id, context)
    except KeyError:
        seen = ", ".join([truth.trajectory.initial.context, *scrubber.at(one.id).contexts])
        raise UsageError(
            f"no artifact of context {context!r} up to {one.id}; so far {seen}"
        ) from None
    return _info(truth, ledger) | {"index": one.index, "rounds": len(history.rounds)}


def _of_entity(cells: list[Json], entity: str) -> list[Json]:
    found = [one for one in cells if one["entity"] and entity in (one["entity"], one["name"])]
    if not found:
        known = ", ".join(dict.fromkeys(one["entity"] for one in cells if one["entity"]))
        raise UsageError(f"no entity {entity!r} here; there are {known or 'none'}")
    return found


def _info(truth: "Truth", ledger: "Ledger") -> Json:
    names = _names(truth, ledger)
    return {
        "history": truth.history_id,
        "round": ledger.round,
        "context": ledger.context,
        "contexts": [truth.trajectory.initial.context, *ledger.contexts],
        "upload": {
            "artifact": ledger.upload.artifact,
            "round": ledger.upload.round,
            "withdrawn": ledger.is_withdrawn,
        },
        "transitions": [_transition_info(one, truth) for one in ledger.records],
        "count": {"so_far": ledger.count, "all": len(truth.trajectory.records)},
        "updates": [
            {
                "transition": key,
                "operator": truth.trajectory.record_by_id[key].transition.operator,
                "wraps": truth.trajectory.record_by_id[key].transition.wraps,
                "round": truth.trajectory.record_by_id[key].transition.round,
                "status": status,
            }
            for key, status in ledger.statuses.items()
            if key in truth.trajectory.record_by_id
        ],
        "entities": names,
        "cells": [_cell_info(one, truth, names) for one in ledger.cells],
        "changes": [
            change
            for record in ledger.records
            for change in [
                *(_change_info(one, record, truth, names) for one in record.changes),
                *_assignment_infos(record, truth, names),
            ]
        ],
    }


def _names(truth: "Truth", ledger: "Ledger") -> dict[str, str]:
    """The displayed names of entities, the accepted one before the visual and the shown one."""
    from mnemoscope.core.state.component import Part

    field = truth.trajectory.schema.name_field
    found: dict[str, str] = {}
    for one in ledger.cells if field is not None else ():
        where = one.component
        if field is not None and where.part is Part.CELL and where.field == field.key:
            known = (one.accepted, one.visual, one.shown)
            name = next((each for each in known if isinstance(each, str)), where.entity)
            found[where.entity] = name
    return found


def _place(where: "Component", truth: "Truth", names: dict[str, str]) -> Json:
    schema = truth.trajectory.schema
    return {
        "part": where.part,
        "entity": where.entity,
        "name": names.get(where.entity, where.entity),
        "field": where.field,
        "heading": schema.heading(where.field),
        "unit": schema.unit(where.field),
    }


# Any: JSON values.
def _value(content: object) -> Any:
    from mnemoscope.core.state.component import Absent
    from mnemoscope.core.truth.schema import content_json

    return None if isinstance(content, Absent) else content_json(content)


def _cell_info(one: "LedgerCell", truth: "Truth", names: dict[str, str]) -> Json:
    from mnemoscope.core.state.component import Absent

    values = {"shown": one.shown, "visual": one.visual, "accepted": one.accepted}
    return {
        **_place(one.component, truth, names),
        **{name: _value(content) for name, content in values.items()},
        "absent": [name for name, content in values.items() if isinstance(content, Absent)],
        "authority": one.authority,
        "changed": one.effect,
        "source_round": one.source_round or None,
    }


def _transition_info(record: "Record", truth: "Truth") -> Json:
    from mnemoscope.core.state.operators import OPERATORS

    one = record.transition
    about = truth.trajectory.record_by_id.get(one.of)
    return {
        "id": one.id,
        "operator": one.operator,
        "number": OPERATORS[one.operator].number,
        "event": one.event,
        "wraps": one.wraps,
        "of": one.of or None,
        "of_round": about.transition.round if about else None,
        "artifact": one.artifact or None,
        "context": one.mutation.context or None,
        "reason": one.mutation.reason or None,
    }


def _change_info(one: "Change", record: "Record", truth: "Truth", names: dict[str, str]) -> Json:
    return {
        "transition": record.transition.id,
        "sheet": one.sheet,
        **_place(one.component, truth, names),
        "before": _value(one.before),
        "after": _value(one.after),
        "cause": one.cause,
    }


def _assignment_infos(record: "Record", truth: "Truth", names: dict[str, str]) -> list[Json]:
    return [
        {
            "transition": record.transition.id,
            "sheet": "authority",
            **_place(one.component, truth, names),
            "before": one.before.kind if one.before else None,
            "after": one.after.kind if one.after else None,
            "cause": "direct",
        }
        for one in record.assignments
    ]
