"""``mnemoscope info``: what a release or a run is, in counts."""

from collections import Counter
from pathlib import Path

import click

from mnemoscope.core.defects import Defect, count_by_severity
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Kind, Release, Run
from mnemoscope.core.opening import lay_over
from mnemoscope.core.runs.registry import OpenedRuns
from mnemoscope.tui import console
from mnemoscope.tui.verbs import info_lines
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import overlay_info
from mnemoscope.tui.verbs.paths import open_either
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect", "command", "release_info"]


@click.command("info")
@click.argument("path", type=PATH)
@reading("format", "overlay", "media_root")
@json_flag
def command(path: Path, flags: Flags, as_json: bool) -> None:
    """Say what a release or a run is, in counts.

    PATH is a release, a run, or a folder of runs; its content says which. A folder that holds a
    release and runs is read as a release. --format takes the name of a release format or of a
    form of run output, and then decides.
    """
    data = collect(path, flags)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(info_lines.lines(data))


def collect(path: Path, flags: Flags) -> Json:
    """What a path is, as JSON."""
    opened = open_either(path, flags)
    if not isinstance(opened, Release):
        if flags.overlay:
            raise UsageError(f"{path}: is run output; an overlay corrects a release")
        return _runs_info(opened)
    data = release_info(opened)
    overlaid = lay_over(opened, flags.overlay)
    if overlaid is not None:
        data["overlay"] = overlay_info(overlaid)
        data["overlay"]["defects"] = count_by_severity(overlaid.defects)
    return data


def release_info(release: Release) -> Json:
    """What a release is, as JSON."""
    states = Counter(
        (item.kind, item.state)
        for history in release.histories.values()
        for one in history.rounds
        for item in one.attachments
    )
    truths = len(release.evaluator.truths)
    return {
        "kind": "release",
        "name": release.name,
        "format": release.format,
        "counts": release.counts | ({"truths": truths} if truths else {}),
        "defects": count_by_severity(release.defects),
        "root": str(release.root),
        "files": len(release.files),
        "licence": release.licence,
        "round_kind": release.round_kind,
        "tasks": _tasks(release),
        "settings": list(release.settings),
        "variants": {kind.value: list(release.variants(kind)) for kind in Kind},
        "textualisation": str(release.textualisation),
        "media": {
            kind.value: {state.value: n for (of, state), n in sorted(states.items()) if of is kind}
            for kind in Kind
        },
    }


def _tasks(release: Release) -> list[Json]:
    counts = Counter((one.task, one.setting) for one in release.questions.values())
    tasks = dict.fromkeys([label.task for label in release.tasks] + [task for task, _ in counts])
    settings = dict.fromkeys([*release.settings, *(setting for _, setting in counts)])
    rows = []
    for task in tasks:
        label = release.task_label(task)
        rows.append(
            {
                "task": task,
                "title": label.title,
                "number": label.number,
                "n": sum(counts[task, setting] for setting in settings),
                "expected": label.expected,
                "settings": {setting: counts[task, setting] for setting in settings},
            }
        )
    return rows


def _runs_info(opened: OpenedRuns) -> Json:
    statuses = Counter(record.status for run in opened.runs for record in run.records)
    defects: list[Defect] = [*opened.defects, *(one for run in opened.runs for one in run.defects)]
    formats = dict.fromkeys(run.format for run in opened.runs)
    single = len(opened.runs) == 1
    return {
        "kind": "run" if single else "runs",
        "name": opened.runs[0].name if single else opened.path.name,
        "format": ", ".join(formats),
        "counts": {
            "runs": len(opened.runs),
            "records": statuses.total(),
            "by_status": {status.value: n for status, n in statuses.items()},
        },
        "defects": count_by_severity(defects),
        "root": str(opened.path),
        "runs": [_run_info(run) for run in opened.runs],
        "skipped": list(opened.skipped),
        "unreadable": [defect.line() for defect in opened.defects],
    }


def _run_info(run: Run) -> Json:
    statuses = Counter(record.status for record in run.records)
    return {
        "name": run.name,
        "format": run.format,
        "system": run.system,
        "backbone": run.backbone,
        "textualisation": str(run.textualisation) if run.textualisation else None,
        "rule": run.rule,
        "used_depth": run.used_depth,
        "repeats": len({record.repeat for record in run.records}),
        "counts": {
            "records": len(run.records),
            "by_status": {status.value: n for status, n in statuses.items()},
        },
        "files": list(run.files),
        "parameters": dict(run.parameters),
        "metrics": [{"name": one.name, "value": one.value} for one in run.metrics],
        "defects": count_by_severity(run.defects),
        "notes": list(run.notes),
    }
