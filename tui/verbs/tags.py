"""``mnemoscope tags``: tags on questions and answers, out, in, counted and compared."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.tui import console
from mnemoscope.tui.verbs import tags_lines, tags_suggest, tags_undo, tags_verdicts, tags_vote
from mnemoscope.tui.verbs.options import PATH, Flags, Verb, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from polars import DataFrame

    from mnemoscope.analyses.agreement import Agreement
    from mnemoscope.analyses.tag_agreement import Majority
    from mnemoscope.core.tags.taxonomy import Taxonomy
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags
    from mnemoscope.core.workspace import Workspace

__all__ = ["agree", "command", "counts", "export", "take_in"]

_FORMS = ("jsonl", "csv", "markdown")
_SUFFIXES = {".jsonl": "jsonl", ".csv": "csv", ".md": "markdown"}
_SHARED = ("filter", "format", "run_format", "media_root", "rule")


def _taxonomy_option(help: str) -> Callable[[Verb], Verb]:
    return click.option("--of", metavar="NAME", default="", help=help)


@click.group("tags")
def command() -> None:
    """Tags and verdicts of people, rules and models: out, in, counted, compared, suggested."""


command.add_command(tags_suggest.command)
command.add_command(tags_undo.command)
command.add_command(tags_verdicts.command)
command.add_command(tags_vote.command)


@command.command("export")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option("--as", "form", type=click.Choice(_FORMS), help="jsonl unless --out says otherwise.")
@click.option("--out", type=PATH, help="A new file; the form follows .jsonl, .csv or .md.")
@reading(*_SHARED)
@json_flag
def export(
    release: Path, runs: tuple[Path, ...], form: str, out: Path | None, flags: Flags, as_json: bool
) -> None:
    """Write all tags: a line per tag, or a summary with counts and example questions."""
    from mnemoscope.analyses.tag_report import as_csv, as_jsonl, as_markdown

    workspace = flags.with_tags(flags.open(release, runs))
    frame = _frame(workspace, flags)
    if as_json:
        console.print_json({"release": workspace.release.name, "rows": frame.to_dicts()})
        return
    form = form or _form_of(out)
    if form == "markdown":
        text = as_markdown(workspace, _tags(workspace), frame)
    else:
        text = as_csv(frame) if form == "csv" else as_jsonl(frame)
    if out is None:
        console.print_lines(text.splitlines())
    else:
        _write(out, text)
        console.talk(f"{frame.height} rows written to {out}")


def _form_of(out: Path | None) -> str:
    if out is None:
        return "jsonl"
    if out.suffix not in _SUFFIXES:
        raise UsageError(f"{out}: end the name in .jsonl, .csv or .md, or say --as")
    return _SUFFIXES[out.suffix]


def _write(out: Path, text: str) -> None:
    from mnemoscope.core.writing import replace_file

    if out.exists():
        raise UsageError(f"{out}: is there already; it is not overwritten")
    replace_file(out, text.encode("utf-8", "replace"))


@command.command("import")
@click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
@click.option("--into", "release", metavar="RELEASE", type=PATH, required=True)
@click.option("--run", "runs", metavar="RUN", type=PATH, multiple=True, help="May be repeated.")
@reading("tags", "taxonomy", "format", "run_format")
@json_flag
def take_in(
    files: tuple[Path, ...], release: Path, runs: tuple[Path, ...], flags: Flags, as_json: bool
) -> None:
    """Take over tag files (tags/ANNOTATOR.jsonl) that others wrote on their machines.

    Events that are here already are left alone, and so are those about another release.
    """
    workspace = flags.with_tags(flags.open(release, runs))
    data = {"files": [_taken(path, _tags(workspace)) for path in files]}
    _tags(workspace).close()
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(tags_lines.imported(data))


def _taken(path: Path, tags: "WorkspaceTags") -> Json:
    from mnemoscope.core.tags.events import read_events

    events, defects = read_events(path)
    for defect in defects:
        console.talk(defect.line())
    if not events:
        raise InputError(f"{path}: found no tagging event, expected a file of tags")
    ours = [event for event in events if event.release == tags.release]
    new = 0
    for annotator in dict.fromkeys(event.annotator for event in ours):
        new += tags.journal(annotator).copy(one for one in ours if one.annotator == annotator)
    return {
        "file": str(path),
        "new": new,
        "known": len(ours) - new,
        "of_another_release": len(events) - len(ours),
        "unreadable": len(defects),
    }


@command.command("agree")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option(
    "--annotator", "annotators", metavar="NAME", multiple=True, help="Only these; may be repeated."
)
@_taxonomy_option("Only this taxonomy; every one that two annotators used otherwise.")
@click.option(
    "--majorities",
    is_flag=True,
    help="Also what most people and most models say, target by target.",
)
@reading("tags", "taxonomy", "format", "run_format", "rule")
@json_flag
def agree(
    release: Path,
    runs: tuple[Path, ...],
    annotators: tuple[str, ...],
    of: str,
    majorities: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Measure how far annotators agree: percent, Cohen, Fleiss, Krippendorff; per tag and overall.

    A target counts for an annotator once it carries a tag of the taxonomy or was said to fit none.
    Models are annotators too; how far they agree among themselves and with people stands apart.
    """
    from mnemoscope.analyses.tag_agreement import tag_agreement

    workspace = flags.with_tags(flags.open(release, runs))
    tags = _tags(workspace)
    for name in annotators:
        if name not in tags.tags.books:
            known = ", ".join(tags.tags.books) or "nobody"
            raise UsageError(f"{name!r} has tagged nothing here; {known} has")
    found = [tag_agreement(tags, one, annotators) for one in _taxonomies(tags, of)]
    data: Json = {
        "release": workspace.release.name,
        "taxonomies": [
            {
                "name": one.taxonomy,
                "reviewed": one.reviewed,
                "overall": _figures(one.overall),
                "by_tag": [{"tag": row.what} | _figures(row) for row in one.by_tag],
                "pairs": [
                    {"a": a, "b": b, "cohen_kappa": figure.as_json()} for a, b, figure in one.pairs
                ],
                "people_unanimous": one.people_unanimous.as_json(),
                "models_unanimous": one.models_unanimous.as_json(),
                "people_and_models": one.people_and_models.as_json(),
                "majority_kappa": one.majority_kappa.as_json(),
                "majorities": [_majority(row, tags) for row in one.majorities],
                "disagreements": [
                    {"target": target.kind.value, "id": str(target), "run": tags.run_name(target)}
                    for target in one.disagreements
                ],
            }
            for one in found
            if of or len(one.annotators) > 1
        ],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(tags_lines.agreement(data, majorities=majorities))


def _majority(one: "Majority", tags: "WorkspaceTags") -> Json:
    return {
        "target": one.target.kind.value,
        "id": str(one.target),
        "run": tags.run_name(one.target),
        "repeat": one.target.repeat,
        "people": one.people,
        "n_people": one.n_people,
        "models": one.models,
        "n_models": one.n_models,
        "models_agree": one.models_agree,
    }


def _figures(agreement: "Agreement") -> Json:
    return {name: figure.as_json() for name, figure in agreement.figures.items()}


@command.command("counts")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option("--annotator", metavar="NAME", default="", help="Only what this annotator says.")
@click.option("--down", default="stage", show_default=True, help="What the pivot has as rows.")
@click.option("--across", default="task", show_default=True, help="What it has as columns.")
@_taxonomy_option("Only this taxonomy; every one that was used otherwise.")
@reading(*_SHARED)
@json_flag
def counts(
    release: Path,
    runs: tuple[Path, ...],
    annotator: str,
    down: str,
    across: str,
    of: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Count tags, and set them against task, system or any other column of the export."""
    import polars as pl

    workspace = flags.with_tags(flags.open(release, runs))
    tags = _tags(workspace)
    frame = _frame(workspace, flags)
    if annotator:
        frame = frame.filter(pl.col("annotator") == annotator)
    used = set(frame["taxonomy"].to_list())
    taxonomies = [one for one in _taxonomies(tags, of) if of or one.name in used]
    data: Json = {
        "release": workspace.release.name,
        "filter": flags.filter,
        "annotators": sorted(set(frame["annotator"].to_list())),
        "taxonomies": [_counted(frame, one, down, across) for one in taxonomies],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(tags_lines.counts(data))


def _counted(frame: "DataFrame", taxonomy: "Taxonomy", down: str, across: str) -> Json:
    import polars as pl

    from mnemoscope.analyses.tag_frame import frequencies, pivot, since_new

    of = frame.filter(pl.col("taxonomy") == taxonomy.name)
    try:
        table = pivot(of, down, across, [stage.slug for stage in taxonomy.stages])
    except ValueError as error:
        raise UsageError(str(error)) from None
    titles = {tag.slug: tag.title for tag in taxonomy.tags} | {"none": "none of these"}
    return {
        "name": taxonomy.name,
        "tags": [
            {"tag": slug, "title": titles.get(slug, f"{slug} (former)"), "n": n, "of": reviewed}
            for slug, n, reviewed in frequencies(of, taxonomy)
        ],
        "since_new": since_new(of, taxonomy.name),
        "pivot": {
            "down": down,
            "across": across,
            "rows": table.rows,
            "columns": table.columns,
            "counts": table.counts,
            "row_totals": table.row_totals,
            "column_totals": table.column_totals,
            "n": table.n,
        },
    }


def _frame(workspace: "Workspace", flags: Flags) -> "DataFrame":
    import polars as pl

    from mnemoscope.analyses.tag_frame import tag_frame

    frame = tag_frame(workspace, _tags(workspace))
    keys = chosen_keys(flags, workspace)
    return frame if keys is None else frame.filter(pl.col("key").is_in(keys))


def _tags(workspace: "Workspace") -> "WorkspaceTags":
    assert workspace.tags is not None
    return workspace.tags


def _taxonomies(tags: "WorkspaceTags", name: str) -> Iterable["Taxonomy"]:
    return [tags.catalogue.named(name)] if name else list(tags.catalogue)
