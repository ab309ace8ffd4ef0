"""``mnemoscope tags``: tags on questions and answers, out, in, counted and compared."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import InputError
from mnemoscope.tui import console
from mnemoscope.tui.verbs import (
    tags_counts,
    tags_lines,
    tags_review,
    tags_suggest,
    tags_undo,
    tags_verdicts,
    tags_vote,
)
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.tables import Json
from mnemoscope.tui.verbs.tags_parts import (
    ADJUDICATOR,
    SHARED,
    check_names,
    frame_of,
    tags_of,
    target_json,
    taxonomies_of,
    taxonomy_option,
)

if TYPE_CHECKING:
    from mnemoscope.analyses.agreement import Agreement
    from mnemoscope.analyses.tag_agreement import Majority
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = ["agree", "command", "export", "take_in"]

_FORMS = ("jsonl", "csv", "markdown")


@click.group("tags")
def command() -> None:
    """Tags and verdicts of people, rules and models: out, in, counted, compared, suggested."""


for _verb in (tags_counts, tags_review, tags_suggest, tags_undo, tags_verdicts, tags_vote):
    command.add_command(_verb.command)


@command.command("export")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option("--as", "form", type=click.Choice(_FORMS), help="jsonl unless --out says otherwise.")
@click.option("--out", type=PATH, help="A new file; the form follows .jsonl, .csv or .md.")
@reading(*SHARED)
@json_flag
def export(
    release: Path,
    runs: tuple[Path, ...],
    form: str | None,
    out: Path | None,
    flags: Flags,
    as_json: bool,
) -> None:
    """Write all tags: a line per tag, or a summary with counts and example questions."""
    from mnemoscope.analyses.tag_report import as_form, export_tags

    workspace = flags.with_tags(flags.open(release, runs))
    frame = frame_of(workspace, flags)
    if as_json:
        console.print_json({"release": workspace.release.name, "rows": frame.to_dicts()})
        return
    if out is None:
        text = as_form(workspace, tags_of(workspace), frame, form or "jsonl")
        console.print_lines(text.splitlines())
    else:
        export_tags(workspace, tags_of(workspace), frame, out, form or "")
        console.talk(f"{frame.height} rows written to {out}")


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
    data = {"files": [_taken(path, tags_of(workspace)) for path in files]}
    tags_of(workspace).close()
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
@ADJUDICATOR
@taxonomy_option("Only this taxonomy; every one that two annotators used otherwise.")
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
    adjudicator: str,
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
    tags = tags_of(workspace)
    check_names(tags, (*annotators, adjudicator))
    found = [tag_agreement(tags, one, annotators, adjudicator) for one in taxonomies_of(tags, of)]
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
                "disagreements": [target_json(tags, target) for target in one.disagreements],
                "adjudicated": one.adjudicated,
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
