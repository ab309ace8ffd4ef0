"""``mnemoscope memory``: what runs' memories held after a round of a history."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.defects import count_by_severity
from mnemoscope.core.model import History, Round
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.places import history_of, round_of
from mnemoscope.tui.verbs.tables import Json, block, line

if TYPE_CHECKING:
    from mnemoscope.core.runs.native.schema import HeldItemForm
    from mnemoscope.core.runs.native.states import HeldStates

__all__ = ["collect", "command", "lines"]


@click.command("memory")
@click.argument("release", type=PATH)
@click.argument("history")
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@click.option(
    "--at", metavar="ROUND", default="", help="The round's id; the history's last otherwise."
)
@click.option("--items", is_flag=True, help="Also print everything that was held, not only counts.")
@reading("format", "run_format", "media_root")
@json_flag
def command(
    release: Path,
    history: str,
    runs: tuple[Path, ...],
    at: str,
    items: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Show what runs' memories held after a round of a history.

    Also what that round added, changed and removed. HISTORY is the id of a history. Runs in the
    native format that keep `states/` say what their memory held; any other run says that it is not
    stored.
    """
    workspace = flags.open(release, runs)
    data = collect(workspace, history, at)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data, items=items))


def collect(workspace: Workspace, history_id: str, round_id: str = "") -> Json:
    """What the memories of a workspace's runs held after a round, as JSON.

    Raises:
        UsageError: There is no such history, or no such round in it.
        InputError: A file of a run cannot be read.
    """
    history = history_of(workspace.release, history_id)
    one = round_of(history, round_id)
    return {
        "history": history.id,
        "round": one.id,
        "index": one.index,
        "runs": [_run_info(run, history, one) for run in workspace.runs],
    }


def _run_info(run: JoinedRun, history: History, one: Round) -> Json:
    from mnemoscope.core.runs.native.states import states_of

    states = states_of(run.run, history.id)
    found: Json = {"run": run.name, "letter": run.letter, "stored": states is not None}
    if states is None:
        return found
    for defect in states.defects:
        console.talk(defect.line())
    return found | _held_info(states, history, one)


def _held_info(states: "HeldStates", history: History, one: Round) -> Json:
    held = states.after(one.index)
    last = states.last
    return {
        "last_round": history.rounds[last].id if 0 <= last < len(history.rounds) else None,
        "said": held.step is not None,
        "absorbed": held.step is not None and held.step.absorbed,
        "added": [_item_info(item) for item in held.added],
        "changed": [
            _item_info(item)
            | {"was": held.before[item.id].text if item.id in held.before else None}
            for item in held.changed
        ],
        "removed": [_item_info(item) for item in held.removed],
        "warnings": list(held.step.warnings) if held.step else [],
        "held": len(held.items),
        "items": [_item_info(item) for item in held.items.values()],
        "defects": count_by_severity(states.defects),
    }


def _item_info(item: "HeldItemForm") -> Json:
    return {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "rounds": list(item.rounds),
        "date": item.date,
        "provenance": item.provenance,
        "attributes": item.attributes,
    }


def lines(data: Json, *, items: bool = False) -> Iterator[str]:
    """The lines of what ``memory`` collects."""
    yield from line(f"{data['history']} · after round {data['round']} ({data['index'] + 1:,})")
    for run in data["runs"]:
        yield ""
        yield from _run_lines(run, data["round"], items=items)


def _run_lines(run: Json, round_id: str, *, items: bool) -> Iterator[str]:
    name = f"{run['letter']} {run['run']}"
    if not run["stored"]:
        yield from line(f"{name}: what its memory held is not stored")
        return
    counts = f"+{len(run['added'])} ~{len(run['changed'])} −{len(run['removed'])}"
    said = counts if run["said"] else "nothing said of this round"
    yield from line(f"{name}: {run['held']:,} held  {said}{' absorbed' * run['absorbed']}")
    if not run["said"] and run["last_round"] not in (None, round_id):
        yield from line(f"the last round that it was handed is {run['last_round']}", indent=2)
    for sign, what in (("+", "added"), ("~", "changed"), ("−", "removed")):
        for item in run[what]:
            yield from _item_lines(sign, item)
            if item.get("was") not in (None, item["text"]):
                yield from line("was", indent=4)
                yield from block(item["was"], indent=6)
    for warning in run["warnings"]:
        yield from line(f"! {warning}", indent=2)
    if items:
        yield from line("all it held", indent=2)
        for item in run["items"]:
            yield from _item_lines("·", item)


def _item_lines(sign: str, item: Json) -> Iterator[str]:
    sources = ", ".join(item["rounds"]) or "source unknown"
    yield from line(f"{sign} {item['kind']} {sources}", indent=2)
    yield from block(item["text"], indent=4)
