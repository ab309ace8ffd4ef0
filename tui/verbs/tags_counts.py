"""``mnemoscope tags counts``: how often each tag stands, and against what."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.tui import console
from mnemoscope.tui.verbs import tags_lines
from mnemoscope.tui.verbs.options import PATH, Flags, chosen_keys, json_flag, reading
from mnemoscope.tui.verbs.tables import Json
from mnemoscope.tui.verbs.tags_parts import (
    ADJUDICATOR,
    SHARED,
    check_names,
    frame_of,
    tags_of,
    taxonomies_of,
    taxonomy_option,
)

if TYPE_CHECKING:
    from mnemoscope.analyses.tag_tally import Tally
    from mnemoscope.core.workspace import Workspace

__all__ = ["command"]


@click.command("counts")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option("--down", default="stage", show_default=True, help="What the pivot has as rows.")
@click.option("--across", default="task", show_default=True, help="What it has as columns.")
@click.option(
    "--only",
    metavar="AXIS=VALUE",
    multiple=True,
    help="Only tags with this stage, tag, task, setting, category, history, run or annotator; may "
    "be repeated.",
)
@click.option("--annotator", metavar="NAME", default="", help="Short for --only annotator=NAME.")
@ADJUDICATOR
@taxonomy_option("Only this taxonomy; every one that was used otherwise.")
@reading(*SHARED)
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    down: str,
    across: str,
    only: tuple[str, ...],
    annotator: str,
    adjudicator: str,
    of: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """Count tags, and set them against task, system or any other column of the export."""
    from mnemoscope.analyses.tag_frame import decided
    from mnemoscope.analyses.tag_tally import tally

    workspace = flags.with_tags(flags.open(release, runs))
    tags = tags_of(workspace)
    check_names(tags, (annotator, adjudicator))
    narrowed = _narrowed(only) | ({"annotator": annotator} if annotator else {})
    frame = decided(frame_of(workspace, flags), adjudicator)
    used = set(frame["taxonomy"].to_list())
    try:
        found = [
            tally(frame, one, down, across, narrowed)
            for one in taxonomies_of(tags, of)
            if of or one.name in used
        ]
    except ValueError as error:
        raise UsageError(str(error)) from None
    data: Json = {
        "release": workspace.release.name,
        "filter": flags.filter,
        "only": narrowed,
        "adjudicator": adjudicator,
        "annotators": sorted({name for one in found for name in one.frame["annotator"]}),
        "outcomes": _outcomes(workspace, chosen_keys(flags, workspace)),
        "taxonomies": [_counted(one) for one in found if of or one.reviewed],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(tags_lines.counts(data))


def _narrowed(only: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for one in only:
        axis, equals, value = one.partition("=")
        if not equals:
            raise UsageError(f"--only {one!r}: write it as AXIS=VALUE, such as task=long_pattern")
        found[axis] = value
    return found


def _outcomes(workspace: "Workspace", keys: Sequence[str] | None) -> Json:
    """What is right and wrong in each run beside what is tagged."""
    from mnemoscope.core.outcomes import count_outcomes

    chosen = list(workspace.release.questions) if keys is None else keys
    return {
        "questions": len(chosen),
        "runs": [
            {"letter": run.letter, "name": run.name, **count_outcomes(run, chosen)}
            for run in workspace.runs
        ],
    }


def _counted(found: "Tally") -> Json:
    taxonomy, table = found.taxonomy, found.pivot
    titles = {tag.slug: taxonomy.full_title(tag) for tag in taxonomy.tags}
    titles["none"] = "none of these"
    return {
        "name": taxonomy.name,
        "tags": [
            {"tag": slug, "title": titles.get(slug, f"{slug} (former)"), "n": n}
            | {"of": found.reviewed}
            for slug, n in found.tags
        ],
        "since_new": found.since_new,
        "pivot": {
            "down": table.down,
            "across": table.across,
            "rows": table.rows,
            "columns": table.columns,
            "counts": table.counts,
            "row_totals": table.row_totals,
            "column_totals": table.column_totals,
            "n": table.n,
        },
    }
