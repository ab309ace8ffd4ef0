"""A release or runs in counts, for people."""

from collections.abc import Iterator

from mnemoscope.tui.verbs.overlay_info import overlay_lines, table_lines
from mnemoscope.tui.verbs.tables import Json, counted, line, table

__all__ = ["lines"]

_TOLD = 20
"""How many things that could not be read are named one by one."""


def lines(data: Json) -> Iterator[str]:
    """The lines of what ``info`` collects."""
    yield from line(f"{data['kind']}  {data['name']}  ({data['format']})")
    yield ""
    if data["kind"] == "release":
        yield from _release_lines(data)
    else:
        yield from _runs_lines(data)


def _release_lines(data: Json) -> Iterator[str]:
    yield from table(["<what", "n"], data["counts"].items())
    yield ""
    settings = list(dict.fromkeys(name for row in data["tasks"] for name in row["settings"]))
    settings = settings if settings != [""] else []
    expected = any(row["expected"] is not None for row in data["tasks"])
    columns = ["<task", "<number", "n", *(["published"] if expected else [])]
    yield from table(
        [*columns, *(name or "no setting" for name in settings)],
        [
            [
                row["task"],
                row["number"],
                row["n"],
                *([row["expected"]] if expected else []),
                *(row["settings"][name] for name in settings),
            ]
            for row in data["tasks"]
        ],
    )
    yield ""
    for kind, names in data["variants"].items():
        if names:
            yield from line(f"{kind} captions: {', '.join(names)}")
    for kind, states in data["media"].items():
        if states:
            yield from line(f"{kind} files: {counted(states)}")
    if data["licence"]:
        yield from line(f"licence: {data['licence']}")
    yield from line(_defects(data))
    overlay = data.get("overlay")
    if overlay:
        yield ""
        yield from overlay_lines(overlay)
        yield from line(_defects(overlay))
        yield ""
        yield from table_lines(overlay)


def _runs_lines(data: Json) -> Iterator[str]:
    columns = ["<run", "<form", "<backbone", "<captions", "<rule", "records", "<by status"]
    yield from table(columns, [_run_row(row) for row in data["runs"]])
    yield ""
    notes: dict[str, list[str]] = {}
    for run in data["runs"]:
        for note in run["notes"]:
            notes.setdefault(note, []).append(run["name"])
    for note, names in notes.items():
        whose = names[0] if len(names) == 1 else f"{len(names)} runs"
        yield from line(f"note, {whose}: {note}")
    for name in data["skipped"]:
        yield from line(f"skipped: {name} is no run output of a known form")
    for problem in data["unreadable"][:_TOLD]:
        yield from line(problem)
    if len(data["unreadable"]) > _TOLD:
        yield f"{len(data['unreadable']) - _TOLD} more such"
    yield from line(_defects(data))


def _run_row(row: Json) -> list[object]:
    counts = row["counts"]
    return [
        row["name"],
        row["format"],
        row["backbone"],
        row["textualisation"],
        row["rule"],
        counts["records"],
        counted(counts["by_status"]),
    ]


def _defects(data: Json) -> str:
    hint = "  (mnemoscope validate lists them)" if any(data["defects"].values()) else ""
    return f"defects: {counted(data['defects'])}{hint}"
