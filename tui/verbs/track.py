"""``mnemoscope track``: runs over a generated release whose mistakes have known causes."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line, table

if TYPE_CHECKING:
    from mnemoscope.core.model import Release

__all__ = ["collect", "command", "lines"]


@click.command("track")
@click.argument("release", type=PATH)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    required=True,
    help="Where the runs go, each in a folder of its name.",
)
@click.option(
    "--tracker",
    "names",
    metavar="NAME",
    multiple=True,
    help="Only this tracker; may be repeated. All of them without it.",
)
@reading("format")
@json_flag
def command(release: Path, out: Path, names: tuple[str, ...], flags: Flags, as_json: bool) -> None:
    """Answer a generated release by trackers, each with one known fault.

    They are instruments, not contestants: each is handed what messages mean and what questions
    read, which only the evaluator knows.
    """
    data = collect(flags.open(release).release, out, names)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))


def collect(release: "Release", out: Path, names: tuple[str, ...] = ()) -> Json:
    """Write the runs, and say which they are.

    Raises:
        UsageError: There is no such tracker, nothing in the release to track, or no room for runs.
        InputError: A file cannot be written.
    """
    from mnemoscope.core.harness.trackers.runs import plan_of, write_tracker_run
    from mnemoscope.core.harness.trackers.tracker import TRACKERS

    unknown = [one for one in names if one not in TRACKERS]
    if unknown:
        raise UsageError(f"no tracker {unknown[0]!r}; there are: {', '.join(TRACKERS)}")
    if not any(plan_of(release, one) for one in release.questions.values()):
        raise UsageError(f"{release.name} says of no question how its answer comes about")
    runs = []
    for name in names or tuple(TRACKERS):
        folder = out / name
        count = write_tracker_run(release, TRACKERS[name], folder)
        runs.append(
            {
                "tracker": name,
                "fault": TRACKERS[name].fault,
                "folder": str(folder),
                "records": count,
            }
        )
    return {"release": release.name, "runs": runs}


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    yield from line(f"release  {data['release']}")
    yield ""
    rows = [[one["tracker"], one["records"], one["fault"], one["folder"]] for one in data["runs"]]
    yield from table(["<tracker", "records", "<what it gets wrong", "<folder"], rows)
