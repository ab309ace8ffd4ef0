"""``mnemoscope ledger``: the state of a scenario at a round, what changed, and who says so."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.defects import Severity
from mnemoscope.core.errors import ReadError, UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.places import history_of, round_of
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from mnemoscope.core.state.ledger import Ledger
    from mnemoscope.core.truth.book import Book
    from mnemoscope.tui.verbs.ledger_parts import Infos

__all__ = ["collect", "command"]


@click.command("ledger")
@click.argument("release", type=PATH)
@click.argument("history")
@click.argument("runs", metavar="[RUN...]", type=PATH, nargs=-1)
@click.option(
    "--at", metavar="ROUND", default="", help="The round's id; the history's last otherwise."
)
@click.option(
    "--context", metavar="NAME", default="", help="Another context whose artifact was uploaded."
)
@click.option("--changed", is_flag=True, help="Only what the round changed.")
@click.option("--entity", metavar="KEY", default="", help="Only one entity, by key or name.")
@click.option(
    "--cell",
    metavar="ENTITY.FIELD",
    default="",
    help="One cell with its history: each value, and which round said so.",
)
@click.option(
    "--beside", metavar="ROUND", default="", help="What differs from that round, side by side."
)
@reading("format", "run_format", "media_root")
@json_flag
def command(
    release: Path,
    history: str,
    runs: tuple[Path, ...],
    at: str,
    context: str,
    changed: bool,
    entity: str,
    cell: str,
    beside: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Show the state of a scenario at a round: shown, visual, accepted.

    Also what the round changed, and on whose authority a value is accepted. HISTORY is the id of
    a history with a truth file. A native RUN whose memory keeps cells is set beside the truth,
    with the first round and cell in which the two part. All of it is evaluator-only.
    """
    workspace = flags.open(release, runs)
    data = collect(workspace, history, at, context, cell=cell, beside=beside)
    if changed:
        data["cells"] = [one for one in data["cells"] if one["changed"]]
    if entity:
        data["cells"] = _of_entity(data["cells"], entity)
    if as_json:
        console.print_json(data)
    else:
        from mnemoscope.tui.verbs.ledger_lines import lines

        console.print_lines(lines(data))


def collect(
    workspace: Workspace,
    history_id: str,
    round_id: str = "",
    context: str = "",
    *,
    cell: str = "",
    beside: str = "",
) -> Json:
    """The state at the end of a round, as JSON.

    Args:
        workspace: The release, and runs whose cells are set beside the truth.
        history_id: The history.
        round_id: The round; the last one when empty.
        context: The context; the scenario's own when empty.
        cell: A cell whose history is wanted, as ``ENTITY.FIELD``.
        beside: Another round to set beside this one.

    Raises:
        UsageError: There is no such history, round, context or cell, or no truth of the history.
        InputError: The truth's schema is unsound, or a file of a run cannot be read.
    """
    from mnemoscope.tui.verbs.ledger_parts import Infos
    from mnemoscope.tui.verbs.ledger_runs import run_info

    book = _book(workspace.release, history_id)
    one = round_of(book.history, round_id)
    ledger = _at(book, one.id, context)
    infos = Infos(book, {**book.known_names, **book.names(ledger)})
    found = _info(book, ledger, infos)
    found |= {"index": one.index, "rounds": len(book.history.rounds)}
    if cell:
        found["cell"] = _cell(book, ledger, infos, cell)
        place = (found["cell"]["part"], found["cell"]["entity"], found["cell"]["field"])
        found["cells"] = [
            each
            for each in found["cells"]
            if (each["part"], each["entity"], each["field"]) == place
        ]
    if beside:
        found["beside"] = _pairs(book, ledger, infos, round_of(book.history, beside).id)
    if workspace.runs:
        found["runs"] = [run_info(run, book, one.index, infos) for run in workspace.runs]
    return found


def _book(release: Release, history_id: str) -> "Book":
    from mnemoscope.core.truth.book import Book

    history = history_of(release, history_id)
    truth = release.evaluator.truths.get(history.id)
    if truth is None:
        _require_truths(release)
        raise UsageError(
            f"history {history.id!r} has no truth file, so its state is not known",
            hint="native releases may hold truth/*.json; docs/formats.md says what is in one",
        )
    return Book(truth, history)


def _require_truths(release: Release) -> None:
    """Say what is wrong with a truth file that could not be used, if there is one."""
    broken = [
        one
        for one in release.defects
        if one.severity is Severity.ERROR and one.file.startswith("truth/")
    ]
    if broken:
        # Of a file that has been changed, another hash says the least.
        first = min(broken, key=lambda one: one.code == "checksum_differs")
        raise ReadError(
            *(release.root / first.file, first.path, first.found, first.expected),
            hint="its state is not known without it; mnemoscope validate lists every defect",
        )


def _at(book: "Book", round_id: str, context: str) -> "Ledger":
    try:
        return book.scrubber.at(round_id, context)
    except KeyError:
        seen = ", ".join([book.context, *book.scrubber.at(round_id).contexts])
        raise UsageError(
            f"no artifact of context {context!r} up to {round_id}; so far {seen}"
        ) from None


def _of_entity(cells: list[Json], entity: str) -> list[Json]:
    found = [one for one in cells if one["entity"] and entity in (one["entity"], one["name"])]
    if not found:
        known = ", ".join(dict.fromkeys(one["entity"] for one in cells if one["entity"]))
        raise UsageError(f"no entity {entity!r} here; there are {known or 'none'}")
    return found


def _cell(book: "Book", ledger: "Ledger", infos: "Infos", text: str) -> Json:
    where = book.find(text, ledger.count)
    if where is None:
        raise UsageError(
            f"no cell {text!r} up to {ledger.round}",
            hint="ENTITY.FIELD, each by key or name; a total by its name alone",
        )
    events = [infos.event(one) for one in book.events(where, ledger)]
    return {**infos.place(where), "history": events}


def _pairs(book: "Book", ledger: "Ledger", infos: "Infos", other: str) -> Json:
    from mnemoscope.core.state.ledger import differing

    before = _at(book, other, ledger.context)
    pairs = differing(before, ledger).items()
    cells = [infos.pair(where, *pair) for where, pair in pairs]
    return {"round": other, "index": book.history.round_by_id[other].index, "cells": cells}


def _info(book: "Book", ledger: "Ledger", infos: "Infos") -> Json:
    records = book.truth.trajectory.record_by_id
    return {
        "history": book.history.id,
        "round": ledger.round,
        "context": ledger.context,
        "contexts": [book.context, *ledger.contexts],
        "upload": {
            "artifact": ledger.upload.artifact,
            "round": ledger.upload.round,
            "withdrawn": ledger.is_withdrawn,
        },
        "transitions": [infos.transition(one) for one in ledger.records],
        "count": {"so_far": ledger.count, "all": len(book.truth.trajectory.records)},
        "updates": [
            {
                "transition": key,
                "operator": records[key].transition.operator,
                "wraps": records[key].transition.wraps,
                "round": records[key].transition.round,
                "status": status,
            }
            for key, status in ledger.statuses.items()
            if key in records
        ],
        "entities": dict(book.names(ledger)),
        "headings": dict(book.schema.headings),
        "cells": [infos.cell(one) for one in ledger.cells],
        "changes": [change for record in ledger.records for change in infos.changes(record)],
    }
