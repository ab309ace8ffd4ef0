"""``mnemoscope controls``: questions that need no memory, by runs that had none."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line, table

if TYPE_CHECKING:
    from mnemoscope.analyses.question_only import Leak

__all__ = ["command", "lines"]

_WITHOUT_HISTORY = ("no_context", "question-only")
"""Ours, and CUE-Mem's own question-only runs."""


@click.command("controls")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@click.option(
    "--least",
    type=click.IntRange(1),
    default=6,
    show_default=True,
    help="How many answers a question must have to be taken out.",
)
@click.option("--list", "listed", is_flag=True, help="Also every question that is taken out.")
@reading("rule", "filter", "format", "run_format", "media_root")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    least: int,
    listed: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Find questions that are answered right without a history.

    RUN are runs of the system no_context, which see questions alone. By CUE-Mem's filter a question
    is taken out if every answer of every run and repeat is right; where declining is right, it
    stays. CUE-Mem asks two backbones three times each.
    """
    from mnemoscope.analyses.question_only import question_only

    workspace = flags.open(release, runs)
    for run in workspace.runs:
        if run.run.system not in _WITHOUT_HISTORY:
            named = run.run.system or "unknown"
            console.talk(f"note: {run.label}: its system is {named}, not no_context")
    keys = chosen_keys(flags, workspace)
    found = question_only(
        workspace.release,
        workspace.runs,
        keys=None if keys is None else frozenset(keys),
        least=least,
    )
    data: Json = {
        "release": workspace.release.name,
        "runs": [
            {
                "name": run.name,
                "letter": run.letter,
                "backbone": run.run.backbone,
                "repeats": len({one.record.repeat for one in run.entries}),
                "rule": run.rule,
            }
            for run in workspace.runs
        ],
        "least": least,
        **_counts(found.leaks, least),
        "too_few": len(found.too_few),
        "cells": [
            {"task": task, "setting": setting, **_counts(group, least)}
            for task, setting, group in found.cells()
        ],
        "dropped_keys": [one.key for one in found.dropped],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data, listed=listed))


def _counts(leaks: "Sequence[Leak]", least: int) -> Json:
    dropped = sum(one.is_dropped(least) for one in leaks)
    return {
        "questions": len(leaks),
        "exempt": sum(one.exempt for one in leaks),
        "answers": sum(one.answers for one in leaks),
        "right": sum(one.right for one in leaks),
        "dropped": dropped,
        "kept": len(leaks) - dropped,
    }


def lines(data: Json, *, listed: bool = False) -> Iterator[str]:
    """The lines of what ``controls`` finds."""
    yield from line(f"release  {data['release']}")
    yield ""
    rows = [
        [run["letter"], run["name"], run["backbone"], run["repeats"], run["rule"]]
        for run in data["runs"]
    ]
    yield from table(["<", "<run", "<backbone", "repeats", "<rule"], rows)
    yield ""
    heads = ["<task", "<setting", "questions", "answers", "right", "taken out", "kept"]
    rows = [[one["task"], one["setting"], *_row(one)] for one in data["cells"]]
    yield from table(heads, [*rows, ["all", "", *_row(data)]])
    yield ""
    yield from line(
        f"taken out: right in every one of at least {data['least']} answers; "
        f"{data['exempt']:,} questions stay since declining is right"
    )
    if data["too_few"]:
        yield from line(f"{data['too_few']:,} questions have fewer answers and stay for that")
    if listed:
        yield ""
        for key in data["dropped_keys"]:
            yield from line(key)


def _row(counts: Json) -> list[str]:
    return [f"{counts[name]:,}" for name in ("questions", "answers", "right", "dropped", "kept")]
