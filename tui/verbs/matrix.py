"""``mnemoscope matrix``: all runs side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from mnemoscope.analyses.configuration import SettingSpread, spread_configurations
from mnemoscope.analyses.matrix import MatrixCounts
from mnemoscope.analyses.matrix import matrix as set_side_by_side
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.question_columns import QuestionColumn, chosen_columns, question_columns
from mnemoscope.core.sorting import RELEASE_ORDER, sort_questions
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui import console
from mnemoscope.tui.verbs.marks import LEGEND, sign
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.overlay_info import counts_info, overlay_info, overlay_lines
from mnemoscope.tui.verbs.people_info import people_info, verified_lines
from mnemoscope.tui.verbs.tables import Json, line, percent, table

__all__ = ["Listing", "collect", "command", "lines"]


@click.command("matrix")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@click.option("--rows", is_flag=True, help="Also what became of each question in each run.")
@click.option(
    "--columns",
    metavar="NAMES",
    default="",
    help="The columns of those rows, such as 'question,gold,recall of A'.",
)
@click.option("--sort", metavar="NAME", default="", help="The column that the rows are sorted by.")
@click.option("--reverse", is_flag=True, help="Turn the order of the rows round.")
@reading("rule", "verdicts", "filter", "overlay", "format", "run_format", "media_root", "repair")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    rows: bool,
    columns: str,
    sort: str,
    reverse: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Set all runs side by side: all right, all wrong, in between.

    Counts are over the questions that every run has a judged record of; a run with repeats stands
    with its first. --rows lists every question that some run has a record of; --columns, --sort and
    --reverse list them as the app's list of questions does.
    """
    workspace = flags.open(release, runs)
    listing = Listing.read(workspace, columns, sort, reverse=reverse)
    data = collect(workspace, flags, rows=listing if rows or listing.asked else None)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))


@dataclass(frozen=True, slots=True)
class Listing:
    """How questions are listed."""

    columns: tuple[QuestionColumn, ...] = ()
    """What is said of each beside its outcomes; nothing for the usual."""
    order: str = ""
    descending: bool = False

    @classmethod
    def read(cls, workspace: Workspace, columns: str, sort: str, *, reverse: bool) -> "Listing":
        """What the flags say.

        Raises:
            UsageError: They name a column that there is not.
        """
        known = question_columns(workspace)
        named = [name.strip() for name in columns.split(",") if name.strip()]
        if sort and sort != RELEASE_ORDER:
            chosen_columns(known, [sort])
        return cls(chosen_columns(known, named), sort, reverse)

    @property
    def asked(self) -> bool:
        """Whether anything but the usual was asked for."""
        return bool(self.columns or self.order or self.descending)


def collect(workspace: Workspace, flags: Flags, *, rows: Listing | None = None) -> Json:
    """The matrix as JSON, with rows if a listing says how; with overlays also their matrix."""
    keys = chosen_keys(flags, workspace)
    data = _matrix(workspace, flags, keys, rows=rows)
    if workspace.overlaid is not None:
        data["overlay"] = overlay_info(workspace.overlay)
        data["overlaid"] = _matrix(workspace.overlaid, flags, keys, rows=rows)
        of_runs = workspace.overlaid_counts(None if keys is None else frozenset(keys))
        for run, counts in zip(data["overlaid"]["runs"], of_runs, strict=True):
            run |= counts_info(counts)
    return data


def _matrix(
    workspace: Workspace, flags: Flags, keys: Sequence[str] | None, *, rows: Listing | None
) -> Json:
    found = set_side_by_side(workspace, keys=None if keys is None else frozenset(keys))
    counts = found.counts
    data: Json = {
        "release": workspace.release.name,
        "filter": flags.filter,
        "runs": [
            {
                "name": run.name,
                "letter": run.letter,
                **people_info(run, keys),
                "judged": found.judged[place],
                "right": counts.right[place],
                "only": counts.only[place],
                "accuracy": counts.accuracy(place).value,
            }
            for place, run in enumerate(workspace.runs)
        ],
        **_counts(counts),
        "union": counts.union.value,
        "left_out": found.left_out,
        "by_task": [{"task": group.name} | _counts(group.counts) for group in found.by_task],
        "configuration": [_setting(one) for one in spread_configurations(workspace.runs)],
    }
    if rows is not None:
        data["columns"] = [column.name for column in rows.columns]
        data["rows"] = list(_rows(workspace, keys, rows))
    return data


def _setting(spread: SettingSpread) -> Json:
    values = [
        {"stated": one.is_stated, "value": one.value, "runs": [run.name for run in one.runs]}
        for one in spread.groups
    ]
    return {"name": spread.name, "differs": spread.differs, "values": values}


def _counts(counts: MatrixCounts) -> Json:
    return {
        "n": counts.n,
        "all_right": counts.all_right,
        "all_wrong": counts.all_wrong,
        "any_right": counts.any_right,
        "histogram": list(counts.histogram),
    }


def _rows(workspace: Workspace, keys: Sequence[str] | None, listing: Listing) -> Iterator[Json]:
    questions = workspace.release.questions
    answered = [
        key
        for key in (questions if keys is None else keys)
        if any(run.entry(key) for run in workspace.runs)
    ]
    order, columns = listing.order, listing.columns
    for key in sort_questions(workspace, answered, order, descending=listing.descending):
        question = questions[key]
        row: Json = {
            "key": key,
            "task": question.task,
            "setting": question.setting,
            "outcomes": [outcome(run.entry(key)) for run in workspace.runs],
        }
        if columns:
            row["shown"] = [column.text(question) for column in columns]
            row["values"] = {
                name: value for column in columns for name, value in column.fields(question).items()
            }
        yield row


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    runs, n = data["runs"], data["n"]
    yield from line(f"release  {data['release']}")
    if data["filter"]:
        yield from line(f"filter   {data['filter']}")
    left = f" ({data['left_out']} that only some have are left out)" if data["left_out"] else ""
    aside = [f"{run['letter']} {run['name']}" for run in runs if not run["judged"]]
    every = "every run" if not aside else f"each of {len(runs) - len(aside)} judged runs"
    yield from line(f"{len(runs)} runs, {n} questions that {every} has a judged record of{left}")
    if aside:
        yield from line(f"nothing is judged in {', '.join(aside)}: set aside")
    yield ""
    rows: list[list[object]] = [
        [name, data[key], percent(data[key] / n if n else None)]
        for name, key in (("all right", "all_right"), ("all wrong", "all_wrong"))
    ]
    rows.append(["any right", data["any_right"], percent(data["union"])])
    yield from table(["<", "questions", f"of {n}"], rows)
    yield ""
    yield from table(
        ["<", "<run", "<rule", "right", "n", "accuracy", "only this run", "judged"],
        [
            [
                *(run[key] for key in ("letter", "name", "rule", "right")),
                n if run["judged"] else 0,
                percent(run["accuracy"]),
                run["only"],
                run["judged"],
            ]
            for run in runs
        ],
    )
    for run in runs:
        if run.get("verified"):
            yield from line(f"{run['letter']} {run['name']}")
            yield from verified_lines(run)
    yield ""
    yield from _histograms(data)
    if "overlaid" in data:
        yield ""
        yield from overlay_lines(data["overlay"])
        yield from _overlaid(data["overlaid"])
    if "rows" in data:
        yield ""
        yield from _row_lines(data)


def _overlaid(data: Json) -> Iterator[str]:
    n = data["n"]
    yield from line(f"as the overlay has it: {n} questions that every run has a judged record of")
    counts = [f"{name.replace('_', ' ')} {data[name]}" for name in _TOTALS]
    yield from line(", ".join(counts))
    yield from table(
        ["<", "<run", "right", "n", "accuracy", "only this run", "taken out"],
        [
            [
                *(run[key] for key in ("letter", "name", "right")),
                n,
                percent(run["accuracy"]),
                run["only"],
                run["taken_out"],
            ]
            for run in data["runs"]
        ],
    )


_TOTALS = ("all_right", "all_wrong", "any_right")


def _histograms(data: Json) -> Iterator[str]:
    yield "questions by how many runs are right"
    numbers = [str(number) for number in range(len(data["histogram"]))]
    rows = [[row["task"], row["n"], *row["histogram"]] for row in data["by_task"]]
    rows.append(["all", data["n"], *data["histogram"]])
    yield from table(["<task", "n", *numbers], rows)


def _row_lines(data: Json) -> Iterator[str]:
    yield from line(LEGEND)
    letters = [run["letter"] for run in data["runs"]]
    if data["columns"]:
        yield from table(
            [*(f"<{name}" for name in data["columns"]), *letters],
            [[*row["shown"], *map(sign, row["outcomes"])] for row in data["rows"]],
        )
        return
    yield from table(
        ["<question", "<task", "<setting", *letters],
        [
            [row["key"], row["task"], row["setting"], *map(sign, row["outcomes"])]
            for row in data["rows"]
        ],
    )
