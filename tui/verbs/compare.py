"""``mnemoscope compare``: two runs question by question."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from mnemoscope.analyses.paired import Comparison, Pair, PairedCounts
from mnemoscope.analyses.paired import compare as compare_runs
from mnemoscope.analyses.paired_metric import shared_metrics
from mnemoscope.core.errors import UsageError
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs import compare_lines, compare_metric, compare_metric_lines
from mnemoscope.tui.verbs.compare_parts import both_runs, config_diff, retrieval_info
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import overlay_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command", "pair"]


@click.command("compare")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN_A [RUN_B]", type=PATH, nargs=-1, required=True)
@click.option("--a", "name_a", metavar="NAME", help="Which of the runs found is A.")
@click.option("--b", "name_b", metavar="NAME", help="Which of the runs found is B.")
@click.option(
    "--questions", "every", is_flag=True, help=f"List all differing, not {compare_lines.SHOWN}."
)
@click.option(
    "--by", metavar="METRIC", help="Compare a figure stored for each record, such as f1, instead."
)
@reading("rule", "verdicts", "filter", "overlay", "format", "run_format", "media_root", "repair")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    name_a: str | None,
    name_b: str | None,
    every: bool,
    by: str | None,
    flags: Flags,
    as_json: bool,
) -> None:
    """Compare two runs question by question.

    Counts questions that both, only A, only B or neither is right on, with the exact McNemar
    p-value. Paths that hold more than two runs need --a and --b: a name, a unique start of one, or
    the letter in the order found. In --filter the two are A and B.

    With --by METRIC the means of a stored figure are compared instead: the paired difference with a
    bootstrap interval, how often either is higher, and an exact sign test.
    """
    workspace = pair(flags.open(release, runs), name_a, name_b)
    a, b = workspace.runs
    if a.run is b.run:
        console.talk("note: A and B are the same run")
    if by is not None:
        if workspace.overlay is not None:
            console.talk("note: a stored figure rests on the release's own gold: no overlay counts")
        data = compare_metric.collect(workspace, flags, by)
    else:
        data = collect(workspace, flags)
        _point_to_figures(data, a, b)
    if as_json:
        console.print_json(data)
    elif by is not None:
        console.print_lines(compare_metric_lines.lines(data, every=every))
    else:
        console.print_lines(compare_lines.lines(data, every=every))


def _point_to_figures(data: Json, a: JoinedRun, b: JoinedRun) -> None:
    """Say what can be compared where nothing is judged."""
    shared = shared_metrics(a, b)
    if not data["n"] and shared:
        names = ", ".join(shared)
        console.talk(f"note: no pair is judged; --by compares what is stored: {names}")


def pair(workspace: Workspace, name_a: str | None, name_b: str | None) -> Workspace:
    """The same workspace with the two runs to compare, lettered A and B.

    Raises:
        UsageError: It is not clear which two are meant.
    """
    found = workspace.runs
    if name_a is not None and name_b is not None:
        chosen = [workspace.run(name_a), workspace.run(name_b)]
    elif len(found) == 2:
        chosen = list(found)
        if name_a is not None and workspace.run(name_a) is found[1]:
            chosen.reverse()
        if name_b is not None and workspace.run(name_b) is found[0]:
            chosen.reverse()
    else:
        names = ", ".join(run.label for run in found)
        is_or_are = "is" if len(found) == 1 else "are"
        raise UsageError(
            f"two runs are compared; there {is_or_are} {len(found)}: {names}",
            hint="choose with --a NAME --b NAME" if len(found) > 2 else "name a second run",
        )
    a, b = replace(chosen[0], letter="A"), replace(chosen[1], letter="B")
    return replace(workspace, runs=(a, b))


def collect(workspace: Workspace, flags: Flags) -> Json:
    """The comparison of a workspace's two runs as JSON."""
    keys = chosen_keys(flags, workspace)
    data = _compared(workspace, flags, keys)
    if workspace.overlaid is not None:
        data["overlay"] = overlay_info(workspace.overlay)
        data["overlaid"] = _compared(workspace.overlaid, flags, keys)
        scope = None if keys is None else frozenset(keys)
        of_runs = workspace.overlaid_counts(scope)
        data["overlaid"]["taken_out"] = {
            slot: counts.taken_out for slot, counts in zip("ab", of_runs, strict=True)
        }
    return data


def _compared(workspace: Workspace, flags: Flags, keys: Sequence[str] | None) -> Json:
    a, b = workspace.runs
    found = compare_runs(a, b, workspace.release, keys=None if keys is None else frozenset(keys))
    return {
        "a": a.name,
        "b": b.name,
        "runs": both_runs(workspace, keys),
        "release": workspace.release.name,
        "filter": flags.filter,
        "pairing": found.pairing,
        **_counts(found.counts),
        "unpaired": found.unpaired.total,
        "unpaired_by_reason": {
            "only_in_a": found.unpaired.only_in_a,
            "only_in_b": found.unpaired.only_in_b,
            "not_judged": found.unpaired.not_judged,
        },
        "by_task": [{"task": row.name} | _counts(row.counts) for row in found.by_task],
        "by_setting": [{"setting": row.name} | _counts(row.counts) for row in found.by_setting],
        "questions": {pair.value: list(found.questions[pair]) for pair in Pair},
        "differing": [_question(key, workspace) for key in _differing(found, workspace)],
        "retrieval": retrieval_info(workspace, keys),
        "config_diff": config_diff(workspace),
        "notes": list(found.notes),
    }


def _counts(counts: PairedCounts) -> Json:
    return {
        "n": counts.n,
        "both": counts.both,
        "only_a": counts.only_a,
        "only_b": counts.only_b,
        "neither": counts.neither,
        "accuracy_a": counts.accuracy_a.value,
        "accuracy_b": counts.accuracy_b.value,
        "difference": counts.difference.value,
        "p_mcnemar": counts.p_mcnemar.value,
    }


def _differing(found: Comparison, workspace: Workspace) -> list[str]:
    """Keys of questions that one of the two is right on, in release order."""
    wanted = {*found.questions[Pair.ONLY_A], *found.questions[Pair.ONLY_B]}
    return [key for key in workspace.release.questions if key in wanted]


def _question(key: str, workspace: Workspace) -> Json:
    question = workspace.release.questions[key]
    a, b = (run.entry(key) for run in workspace.runs)
    return {
        "key": key,
        "task": question.task,
        "setting": question.setting,
        "stem": question.stem,
        "a": outcome(a),
        "b": outcome(b),
    }
