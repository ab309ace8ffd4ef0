"""``mnemoscope score``: accuracy by task and setting, averages, retrieval."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from mnemoscope.analyses.accuracy import Dimension, RunScore, Tally, has_clue
from mnemoscope.analyses.accuracy import score as score_run
from mnemoscope.analyses.averages import Averages
from mnemoscope.analyses.refusal import RefusalScore, refusal
from mnemoscope.analyses.retrieval import RetrievalRow, RetrievalScore, retrieval
from mnemoscope.core.model import Kind
from mnemoscope.core.scoring.parsing import PARSES
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs import score_lines
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import counts_info, overlay_info
from mnemoscope.tui.verbs.people_info import people_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command"]


@click.command("score")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@reading("rule", "verdicts", "filter", "overlay", "format", "run_format", "media_root", "repair")
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
    wrong. Where it differs, accuracy_ok, which leaves them out, stands beside it. With --overlay,
    figures as the overlay has it stand beside those as published: records whose published answer
    is wrong are left out of the former until somebody judges them anew.
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
    """Scores of all runs as JSON; with overlays also what they make of each."""
    keys = chosen_keys(flags, workspace)
    runs = [_run(run, workspace, keys, by, subset) for run in workspace.runs]
    data: Json = {
        "release": workspace.release.name,
        "filter": flags.filter,
        "subset": subset.value if subset else None,
        "runs": runs,
    }
    overlaid = workspace.overlaid
    if overlaid is not None:
        data["overlay"] = overlay_info(workspace.overlay)
        of_runs = workspace.overlaid_counts(_scope(workspace, keys, subset))
        for one, run, counts in zip(runs, overlaid.runs, of_runs, strict=True):
            one["overlaid"] = _run(run, overlaid, keys, by, subset) | counts_info(counts)
    return data


def _scope(
    workspace: Workspace, keys: Sequence[str] | None, subset: Kind | None
) -> frozenset[str] | None:
    """The questions that filter and subset leave; None for all."""
    if subset is None:
        return None if keys is None else frozenset(keys)
    questions = workspace.release.questions
    listed = questions if keys is None else keys
    return frozenset(key for key in listed if has_clue(questions[key], subset))


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
    found = retrieval(run, release, keys=_scope(workspace, keys, subset))
    told = run.run
    return {
        "name": run.name,
        "letter": run.letter,
        "system": told.system,
        "backbone": told.backbone,
        "textualisation": str(told.textualisation) if told.textualisation else None,
        **people_info(run, _scope(workspace, keys, subset)),
        "rows": len(told.records),
        "rows_joined": run.join.matched,
        "n_release": scored.n_release,
        "without_record": scored.without_record,
        "n_total": scored.tally.joined,
        **_tally(scored.tally),
        "cells": [
            {"task": cell.task, "setting": cell.setting, "n_release": cell.n_release}
            | _tally(cell.tally)
            for cell in scored.cells
        ],
        "by": _groups(scored, by) if by else None,
        "averages": _averages(scored.averages),
        "parse": _parse(run, chosen, subset),
        "refusal": _refusal(refusal(run, release, keys=_scope(workspace, keys, subset))),
        "repeats": {str(repeat): one.as_json() for repeat, one in scored.repeats.items()},
        "repeat_sd": scored.repeat_sd.as_json() if scored.repeat_sd else None,
        **_retrieval(found),
        "notes": list(told.notes),
    }


def _refusal(found: RefusalScore | None) -> Json | None:
    if found is None:
        return None
    figures = ("recall", "false_refusals", "precision", "balanced", "always", "never")
    return {name: getattr(found, name).as_json() for name in figures} | {"failed": found.failed}


def _parse(run: JoinedRun, chosen: Collection[str] | None, subset: Kind | None) -> dict[str, int]:
    """How often each way of reading an option led to one, where a rule read options."""
    found = Counter(
        entry.judgement.parse
        for entry in run.entries
        if entry.judgement.parse
        and (chosen is None or entry.question.key in chosen)
        and (subset is None or has_clue(entry.question, subset))
    )
    return {name: found[name] for name in PARSES if found[name]}


def _groups(scored: RunScore, dimension: str) -> Json:
    groups = [
        {"name": group.name, "n_release": group.n_release} | _tally(group.tally)
        for group in scored.by(dimension)
    ]
    return {"dimension": dimension, "groups": groups}


def _tally(tally: Tally) -> Json:
    return {
        "n": tally.n,
        "n_ok": tally.n_ok,
        "correct": tally.correct,
        "accuracy": tally.accuracy.value,
        "accuracy_ok": tally.accuracy_ok.value,
        "accuracy_status": tally.accuracy.status.value,
        "statuses": {status.value: n for status, n in tally.statuses.items()},
        "not_judged": tally.not_judged,
        "judge_failed": tally.judge_failed,
        "no_gold": tally.no_gold,
        "stored_right_on_failure": tally.stored_right_on_failure,
    }


def _averages(means: Averages) -> Json:
    return {
        "micro": means.micro.as_json(),
        "macro": means.macro.as_json(),
        "memory": {setting: one.as_json() for setting, one in means.memory.items()},
        "gap": means.gap.as_json() if means.gap else None,
        "gaps": {task: one.as_json() for task, one in means.gaps.items()},
    }


def _retrieval(found: RetrievalScore) -> Json:
    return {
        "retrieval": [_row(row) for row in found.rows],
        "retrieval_as_in_paper": [_row(row) for row in found.as_in_paper],
        "retrieval_as_stored": [
            {"name": one.name, "value": one.figure.value, "n": one.figure.n}
            for one in found.as_stored
        ],
        "retrieval_state": found.state.value,
        "retrieval_grain": found.grain.value if found.grain else None,
        "retrieval_states": {state.value: n for state, n in found.states.items()},
        "retrieval_depth": found.depth,
        "retrieval_used_depth": found.used_depth,
        "retrieval_unsourced": found.unsourced,
    }


def _row(row: RetrievalRow) -> Json:
    return {
        "metric": row.metric,
        "grain": row.grain.value,
        "k": row.k,
        "value": row.figure.value,
        "n": row.figure.n,
    }
