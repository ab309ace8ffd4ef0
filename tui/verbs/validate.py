"""``mnemoscope validate``: every defect of a release and runs, and how they join."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from mnemoscope.analyses.suspicion import suspicions
from mnemoscope.core.defects import Defect, count_by_severity
from mnemoscope.core.errors import UsageError
from mnemoscope.core.exit_codes import ExitCode
from mnemoscope.core.model import Release
from mnemoscope.core.opening import lay_over, read_runs
from mnemoscope.core.runs.registry import OpenedRuns
from mnemoscope.core.runs.repair import repair_run
from mnemoscope.core.runs.unjoined import why_unjoined
from mnemoscope.core.text import counted
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs import tables
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import overlay_info, overlay_lines
from mnemoscope.tui.verbs.paths import open_either
from mnemoscope.tui.verbs.suspicion_lines import suspicion_info, suspicion_lines
from mnemoscope.tui.verbs.tables import Json, line, table

__all__ = ["collect", "command", "lines"]

_EXPLAINED = 200
"""Rows of a run beyond which questions of similar text are not looked for."""
_COMPARED = 5


@click.command("validate")
@click.argument("path", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@reading("format", "overlay", "run_format", "media_root", "repair")
@click.option(
    "--strict",
    is_flag=True,
    help="Fail on warnings, on rows that join to no question and on suspicions, too.",
)
@json_flag
def command(
    path: Path, runs: tuple[Path, ...], flags: Flags, strict: bool, as_json: bool
) -> ExitCode:
    """List every defect of a release and runs, how they join, and what looks wrong.

    PATH is a release, or run output that is checked alone. Exits 1 when there are errors; with
    --strict also when there are warnings, rows that join to no question, or suspicions: answers
    that are the gold throughout, retrieved ids that lead nowhere, stored figures that a recount
    denies, and the like.
    """
    data = collect(path, runs, flags)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))
    counts = data["counts"]
    unjoined = sum(join["unmatched"] + join["ambiguous"] for join in data["joins"])
    found = counts["warnings"] or unjoined or data["suspicions"]
    failed = counts["errors"] or (strict and found)
    return ExitCode.DEFECTS if failed else ExitCode.OK


def collect(path: Path, runs: Sequence[Path], flags: Flags) -> Json:
    """Defects and joins as JSON."""
    first = open_either(path, flags, alone=not runs)
    formats = flags.formats
    opened = [read_runs(one, format=formats.run, map=formats.run_map) for one in runs]
    workspace: Workspace | None = None
    overlaid = None
    if isinstance(first, Release):
        opened = [_repaired(first, one, flags) for one in opened]
        workspace = Workspace.build(first, [run for one in opened for run in one.runs])
        defects = [*first.defects, *_of_truths(first)]
        overlaid = lay_over(first, flags.overlay)
        defects += overlaid.defects if overlaid else ()
    elif flags.overlay:
        raise UsageError(f"{path}: is run output; an overlay corrects a release")
    elif flags.repair:
        raise UsageError(
            "a repair must lead to something in the release", hint="name it before the run"
        )
    else:
        opened = [first, *opened]
        defects = []
    for one in opened:
        defects += _of_runs(one, several=len(opened) > 1)
    return {
        # Not asdict, which takes six times as long: a damaged file has many thousands.
        "defects": [{name: getattr(one, name) for name in Defect.__slots__} for one in defects],
        "counts": count_by_severity(defects),
        "joins": [_join(run, workspace.release) for run in workspace.runs] if workspace else [],
        "suspicions": [suspicion_info(one) for one in suspicions(workspace)] if workspace else [],
        "skipped": [f"{one.path.name}/{name}" for one in opened for name in one.skipped],
        **({"overlay": overlay_info(overlaid)} if overlaid else {}),
    }


def _of_truths(release: Release) -> list[Defect]:
    """What the audit of state trajectories finds."""
    if not release.evaluator.truths:
        return []
    from mnemoscope.core.truth.audit import audit_release

    return audit_release(release)


def _repaired(release: Release, opened: OpenedRuns, flags: Flags) -> OpenedRuns:
    runs = [repair_run(release, run, flags.repair) for run in opened.runs]
    return replace(opened, runs=tuple(runs))


def _of_runs(opened: OpenedRuns, *, several: bool) -> list[Defect]:
    """The defects of the runs below a path; files of several paths may have the same name."""
    found = [*opened.defects, *(defect for run in opened.runs for defect in run.defects)]
    if not (several and opened.path.is_dir()):
        return found
    return [replace(one, file=f"{opened.path.name}/{one.file}") for one in found]


def _join(run: JoinedRun, release: Release) -> Json:
    report = run.join
    reasons = Counter(one.reason.value for one in report.unjoined)
    rows = []
    similar = len(report.unjoined) <= _EXPLAINED
    for one in report.unjoined:
        record = run.run.records[one.record]
        why = why_unjoined(release, run.run, report, one, similar=similar)
        rows.append(
            {
                "file": record.file,
                "path": record.place,
                "reason": one.reason.value,
                "detail": one.detail,
                "text": record.ref.text,
                "why": why.sentence,
                "compared_with": [question.key for question in why.compared[:_COMPARED]],
            }
        )
    return {
        "run": run.name,
        "rows": len(run.run.records),
        "matched": report.matched,
        "unmatched": report.unmatched,
        "ambiguous": report.ambiguous,
        "without_record": len(report.without_record),
        "reasons": dict(reasons),
        "unmatched_rows": rows,
        "without_record_keys": list(report.without_record),
    }


def lines(data: Json) -> Iterator[str]:
    """The same for people; a defect is never cut."""
    for defect in data["defects"]:
        yield Defect(**defect).line()
    for name in data["skipped"]:
        yield f"skipped: {name} is no run output of a known form"
    for join in data["joins"]:
        for row in join["unmatched_rows"]:
            detail = f" ({row['detail']})" if row["detail"] else ""
            yield (
                f"unjoined: {row['file']}: {row['path']}: of run {join['run']}: "
                f"{row['reason'].replace('_', ' ')}{detail}"
            )
    if data["defects"] or data["skipped"] or any(join["unmatched_rows"] for join in data["joins"]):
        yield ""
    for one in data["suspicions"]:
        yield from suspicion_lines(one)
    if data["suspicions"]:
        yield ""
    counts = data["counts"]
    errors, warnings = (counted(counts[f"{one}s"], one) for one in ("error", "warning"))
    suspected = len(data["suspicions"])
    more = f", {counted(suspected, 'suspicion')}" if suspected else ""
    yield f"{errors}, {warnings}, {counts['repaired']} repaired{more}"
    yield from overlay_lines(data.get("overlay"))
    if not data["joins"]:
        return
    yield ""
    columns = ["<run", "rows", "matched", "unmatched", "ambiguous", "without record", "<reasons"]
    yield from table(columns, [_join_row(join) for join in data["joins"]])
    yield from line("without record: questions of the release that no row of the run answers")


def _join_row(join: Json) -> list[object]:
    keys = ("run", "rows", "matched", "unmatched", "ambiguous", "without_record")
    return [
        *(join[key] for key in keys),
        tables.counted(join["reasons"]) if join["reasons"] else "",
    ]
