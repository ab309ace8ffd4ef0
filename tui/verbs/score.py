"""``mnemoscope score``: accuracy by task and setting, averages, retrieval."""

from collections.abc import Sequence
from pathlib import Path

import click

from mnemoscope.analyses.accuracy import Dimension
from mnemoscope.analyses.accuracy import score as score_run
from mnemoscope.analyses.retrieval import retrieval
from mnemoscope.core.model import Kind
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs import score_lines
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command"]


@click.command("score")
@click.argument("release", type=PATH)
@click.argument("runs", type=PATH, nargs=-1, required=True)
@reading("rule", "filter", "format", "run_format", "media_root")
@click.option(
    "--by",
    type=click.Choice([one.value for one in Dimension]),
    help="Accuracy by this instead of by task and setting.",
)
@click.option(
    "--subset",
    type=click.Choice([kind.value for kind in Kind]),
    help="Only questions with a clue of this kind: the subsets of CUE-Mem's RQ2.",
)
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    flags: Flags,
    by: str | None,
    subset: str | None,
    as_json: bool,
) -> None:
    """Score runs: accuracy by task and setting, averages, retrieval.

    Accuracy is correct / judged records that join to the release. Failed and unparsed records are
    wrong. Where it differs, accuracy_ok, which leaves them out, stands beside it.
    """
    workspace = flags.open(release, runs)
    data = collect(workspace, flags, by=by, subset=Kind(subset) if subset else None)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(score_lines.lines(data))


def collect(
    workspace: Workspace, flags: Flags, *, by: str | None = None, subset: Kind | None = None
) -> Json:
    """Scores of all runs as JSON."""
    keys = chosen_keys(flags, workspace)
    return {
        "release": workspace.release.name,
        "filter": flags.filter,
        "subset": subset.value if subset else None,
        "runs": [_run(run, workspace, keys, by, subset) for run in workspace.runs],
    }


def _run(
    run: JoinedRun,
    workspace: Workspace,
    keys: Sequence[str] | None,
    by: str | None,
    subset: Kind | None,
) -> Json:
    release = workspace.release
    chosen = None if keys is None else frozenset(keys)
    scored = score_run(run, release, with_clue=subset, keys=chosen)
    asked = scored_keys(scored)
    found = retrieval(run, release, keys=asked)
    told = run.run
    return {
        "name": run.name,
        "letter": run.letter,
        "system": told.system,
        "backbone": told.backbone,
        "textualisation": str(told.textualisation) if told.textualisation else None,
        "rule": run.rule,
        "n_release": scored.n_release,
        "without_record": scored.without_record,
        "rows": len(told.records),
        "rows_joined": run.join.matched,
        **_tally(scored.tally),
        "cells": [
            {
                "task": cell.task,
                "setting": cell.setting,
                "n_release": cell.n_release,
                **_tally(cell.tally),
            }
            for cell in scored.cells
        ],
        "by": by
        and {
            "dimension": by,
            "groups": [
                {"name": group.name, "n_release": group.n_release, **_tally(group.tally)}
                for group in scored.by(by)
            ],
        },
        "averages": _averages(scored.averages),
        "repeats": {str(repeat): one.as_json() for repeat, one in scored.repeats.items()},
        "repeat_sd": _figure(scored.repeat_sd),
        "retrieval": [_retrieval(row) for row in found.rows],
        "retrieval_as_in_paper": [_retrieval(row) for row in found.as_in_paper],
        "retrieval_as_stored": [
            {"name": one.name, **one.figure.as_json()} for one in found.as_stored
        ],
        "retrieval_state": found.state.value,
        "retrieval_states": {state.value: n for state, n in found.states.items()},
        "retrieval_depth": found.depth,
        "retrieval_unsourced": found.unsourced,
        "notes": list(told.notes),
    }
