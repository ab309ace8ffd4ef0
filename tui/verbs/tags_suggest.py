"""``mnemoscope tags suggest``: what the rules would tag, and how good they are."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line, percent, table

if TYPE_CHECKING:
    from mnemoscope.analyses.suggestion_check import SuggestionCheck
    from mnemoscope.core.workspace import Workspace

__all__ = ["collect", "command", "lines"]


@click.command("suggest")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@click.option("--run", "only", metavar="NAME", help="Only this run; the others help to judge it.")
@click.option("--rules", is_flag=True, help="Also what each rule looks at and cannot see.")
@click.option(
    "--check",
    is_flag=True,
    help="Also precision and recall, on runs that differ in captions or in being handed the "
    "evidence alone, and on runs of trackers.",
)
@reading("filter", "format", "run_format", "media_root", "rule", "overlay")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    only: str | None,
    rules: bool,
    check: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Suggest tags by rules, each with what it saw. Nothing is tagged."""
    workspace = flags.open(release, runs)
    data = collect(workspace, flags, only=only, rules=rules, check=check)
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))


def collect(
    workspace: "Workspace",
    flags: Flags,
    *,
    only: str | None = None,
    rules: bool = False,
    check: bool = False,
) -> Json:
    """The suggestions as JSON."""
    from mnemoscope.core.suggestions.rules import RULES, suggest_all

    keys = chosen_keys(flags, workspace)
    chosen = [workspace.run(only)] if only is not None else workspace.runs
    data: Json = {"release": workspace.release.name, "filter": flags.filter, "runs": []}
    for run in chosen:
        suggested = list(suggest_all(workspace, run, keys))
        records = [
            {
                "key": entry.question.key,
                "repeat": entry.record.repeat,
                "suggestions": [
                    {"tag": one.tag, "rule": one.rule, "evidence": one.evidence} for one in found
                ],
            }
            for entry, found in suggested
        ]
        wrong = [
            entry
            for entry in run.entries
            if entry.judgement.judged
            and not entry.judgement.right
            and (keys is None or entry.question.key in keys)
        ]
        counts = Counter(tag for one in suggested for tag in {each.tag for each in one[1]})
        data["runs"].append(
            {
                "name": run.name,
                "letter": run.letter,
                "wrong": len(wrong),
                "with_suggestions": len(records),
                "counts": dict(counts.most_common()),
                "records": records,
            }
        )
    if rules:
        data["rules"] = [
            {
                "rule": one.name,
                "tags": one.tags,
                "looks_at": one.looks_at,
                "cannot_see": one.cannot_see,
            }
            for one in RULES
        ]
    if check:
        from mnemoscope.analyses.suggestion_check import check_suggestions

        data["check"] = [_checked(one) for one in check_suggestions(workspace)]
        data["causes"] = list(_causes(workspace))
    return data


def _causes(workspace: "Workspace") -> Iterator[Json]:
    """Suggestions by replay against the causes of trackers' mistakes."""
    if not any(run.run.system == "tracker" for run in workspace.runs):
        return  # the harness takes a moment to import
    from mnemoscope.analyses.cause_check import check_causes

    for one in check_causes(workspace):
        yield {
            "run": one.run.label,
            "tag": one.tag,
            "wrong": one.wrong,
            "declined": one.declined,
            "suggested": one.suggested,
            "tied": one.tied,
            "both": one.both,
            "precision": one.precision.as_json(),
            "recall": one.recall.as_json(),
        }


def _checked(one: "SuggestionCheck") -> Json:
    return {
        "poorer": one.control.poorer.label,
        "richer": one.control.richer.label,
        "tag": one.control.tag,
        "change": one.control.change,
        "wrong": one.wrong,
        "mended": one.mended,
        "suggested": one.suggested,
        "both": one.both,
        "precision": one.precision.as_json(),
        "recall": one.recall.as_json(),
        "base_rate": one.base_rate.as_json(),
    }


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    yield from line(f"release  {data['release']}")
    if data["filter"]:
        yield from line(f"filter   {data['filter']}")
    for run in data["runs"]:
        yield ""
        said = f"{run['wrong']} wrong, {run['with_suggestions']} records with suggestions"
        yield from line(f"{run['letter']} {run['name']}: {said}")
        yield ""
        yield from table(["<tag", "records"], run["counts"].items(), indent=2)
        yield ""
        rows = [
            [record["key"], one["tag"], one["evidence"]]
            for record in run["records"]
            for one in record["suggestions"]
        ]
        yield from table(["<question", "<tag", "<what the rule saw"], rows, indent=2)
    for one in data.get("rules", ()):
        yield ""
        yield from line(f"{one['rule']}: {', '.join(one['tags'])}")
        yield from line(f"  looks at    {one['looks_at']}")
        yield from line(f"  cannot see  {one['cannot_see']}")
    if "check" in data:
        if data["check"] or not data["causes"]:
            yield ""
            yield from _check_lines(data["check"])
        if data["causes"]:
            yield ""
            yield from _cause_lines(data["causes"])


def _cause_lines(causes: list[Json]) -> Iterator[str]:
    yield "suggested by replay for trackers, against the causes of their mistakes"
    yield ""
    keys = ("tag", "run", "wrong", "declined", "suggested", "tied", "both")
    rows = [
        [
            *(one[key] for key in keys),
            percent(one["precision"]["value"]),
            percent(one["recall"]["value"]),
        ]
        for one in causes
    ]
    heads = ["<tag", "<run", "wrong", "declined", "suggested", "tied", "both"]
    yield from table([*heads, "precision", "recall"], rows)


def _check_lines(check: list[Json]) -> Iterator[str]:
    if not check:
        yield "no two of these runs differ in captions, or in being handed the evidence, alone"
        return
    yield "suggested for the poorer run, against what the richer run gets right"
    yield ""
    heads = ["<tag", "<poorer", "<richer", "<change", "wrong", "mended", "suggested", "both"]
    rows = [
        [
            *(one[key] for key in ("tag", "poorer", "richer", "change")),
            *(one[key] for key in ("wrong", "mended", "suggested", "both")),
            *(percent(one[key]["value"]) for key in ("precision", "recall", "base_rate")),
        ]
        for one in check
    ]
    yield from table([*heads, "precision", "recall", "base rate"], rows)
