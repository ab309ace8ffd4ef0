"""``mnemoscope tags verdicts``: what people say of answers against what rule and judges say."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.text import counted
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line, percent, table

if TYPE_CHECKING:
    from mnemoscope.analyses.verdict_agreement import JudgeAgreement, VerdictAgreement
    from mnemoscope.core.workspace import JoinedRun

__all__ = ["command"]

_CELLS = ("right_right", "right_wrong", "wrong_right", "wrong_wrong")
"""What people say, then what the judge says."""


@click.command("verdicts")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="RUN...", type=PATH, nargs=-1, required=True)
@reading("filter", "format", "run_format", "rule")
@json_flag
def command(release: Path, runs: tuple[Path, ...], flags: Flags, as_json: bool) -> None:
    """Measure how far people agree with the rule and with every judge: percent, Cohen's kappa.

    People are held against judges by their majority; records on which they are tied are counted
    apart. Verdicts are given on the tag screen of the app.
    """
    from mnemoscope.analyses.verdict_agreement import verdict_agreement

    workspace = flags.with_tags(flags.open(release, runs))
    tags = workspace.tags
    assert tags is not None
    keys = chosen_keys(flags, workspace)
    chosen = [_only(run, keys) for run in workspace.runs]
    data: Json = {
        "release": workspace.release.name,
        "filter": flags.filter,
        "runs": [
            {"name": run.name, "letter": run.letter} | _info(verdict_agreement([run], tags))
            for run in chosen
        ],
        "all": _info(verdict_agreement(chosen, tags)),
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(_lines(data))


def _only(run: "JoinedRun", keys: Sequence[str] | None) -> "JoinedRun":
    from dataclasses import replace

    if keys is None:
        return run
    wanted = frozenset(keys)
    return replace(run, entries=tuple(one for one in run.entries if one.question.key in wanted))


def _info(found: "VerdictAgreement") -> Json:
    return {
        "annotators": found.annotators,
        "records": found.records,
        "tied": found.tied,
        "people": {name: figure.as_json() for name, figure in found.people.figures.items()},
        "judges": [_judge(one) for one in found.judges],
    }


def _judge(one: "JudgeAgreement") -> Json:
    counts = {f"{person}_{judge}": n for (person, judge), n in one.counts.items()}
    return {
        "judge": one.judge,
        "agree": one.agree.as_json(),
        "cohen_kappa": one.kappa.as_json(),
        "counts": {name: counts.get(name, 0) for name in _CELLS},
        "silent": one.silent,
    }


def _lines(data: Json) -> Iterator[str]:
    yield from line(f"release  {data['release']}")
    if data["filter"]:
        yield from line(f"filter   {data['filter']}")
    if not data["all"]["records"]:
        yield ""
        yield "nobody has judged an answer of these runs; V on the tag screen does"
        return
    judged = [one for one in data["runs"] if one["records"]]
    for one in judged:
        yield ""
        yield from _of(f"{one['letter']} {one['name']}", one)
    if len(judged) > 1:
        yield ""
        yield from _of("all runs", data["all"])


def _of(title: str, one: Json) -> Iterator[str]:
    by = ", ".join(f"{name} {n}" for name, n in one["annotators"].items())
    tied = f", {one['tied']} of them tied" if one["tied"] else ""
    yield from line(f"{title}: {counted(one['records'], 'record')} judged by people{tied} ({by})")
    if len(one["annotators"]) > 1:
        alike = one["people"]["percent"]
        kappa = one["people"]["cohen_kappa"]
        said = f"{percent(alike['value'])}, Cohen {_value(kappa)}, n {alike['n']}"
        yield from line(f"people agree among themselves  {said}", indent=2)
    yield ""
    heads = ["<judge", "n", "agree", "Cohen", "both right", "only people", "only judge"]
    rows = [
        [
            row["judge"],
            row["agree"]["n"],
            percent(row["agree"]["value"]),
            _value(row["cohen_kappa"]),
            *(row["counts"][name] for name in _CELLS),
            row["silent"],
        ]
        for row in one["judges"]
    ]
    yield from table([*heads, "both wrong", "no verdict"], rows, indent=2)


def _value(figure: Json) -> str:
    return "–" if figure["value"] is None else f"{figure['value']:.2f}"
