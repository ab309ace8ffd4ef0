"""``mnemoscope tags review``: what a review of the data came to."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line, table
from mnemoscope.tui.verbs.tags_parts import (
    ADJUDICATOR,
    check_names,
    tags_of,
    target_json,
    taxonomies_of,
    taxonomy_option,
)

if TYPE_CHECKING:
    from mnemoscope.analyses.tag_review import TagReview
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = ["command", "lines"]


@click.command("review")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@ADJUDICATOR
@click.option(
    "--least",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many annotators must have judged a sample; all who reviewed anything otherwise.",
)
@taxonomy_option("Only this taxonomy; every review that was used otherwise.")
@reading("tags", "taxonomy", "format", "run_format")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    adjudicator: str,
    least: int | None,
    of: str,
    flags: Flags,
    as_json: bool,
) -> None:
    """List which samples stand: accepted, to repair, rejected, to adjudicate; with kappas.

    A sample stands when all annotators accept it in every dimension. Where they differ on one, it
    goes to adjudication, and the adjudicator's choice decides.
    """
    from mnemoscope.analyses.tag_review import is_review, review

    workspace = flags.with_tags(flags.open(release, runs))
    tags = tags_of(workspace)
    check_names(tags, [adjudicator])
    reviews = [one for one in taxonomies_of(tags, of) if of or is_review(one)]
    found = [review(tags, one, adjudicator, least or 0) for one in reviews]
    data: Json = {
        "release": workspace.release.name,
        "adjudicator": adjudicator,
        "taxonomies": [_reviewed(one, tags) for one in found if of or one.reviewed],
    }
    if as_json:
        console.print_json(data)
    else:
        console.print_lines(lines(data))


def _reviewed(found: "TagReview", tags: "WorkspaceTags") -> Json:
    from mnemoscope.analyses.tag_review import Decision

    return {
        "name": found.taxonomy,
        "annotators": found.annotators,
        "least": found.least,
        "counts": {one.value.replace(" ", "_"): len(found.of(one)) for one in Decision},
        "kappas": [
            {"dimension": one.what, "fleiss_kappa": one.fleiss.as_json()}
            for one in found.by_dimension
        ],
        "mean_kappa": found.mean_kappa.as_json(),
        "samples": [
            {
                **target_json(tags, one.target),
                "decision": one.decision.value.replace(" ", "_"),
                "by_adjudicator": one.by_adjudicator,
                "choices": one.choices,
            }
            for one in found.reviewed
        ],
    }


def lines(data: Json) -> Iterator[str]:
    """The same for people."""
    if not data["taxonomies"]:
        yield "nobody has reviewed anything here"
    for place, one in enumerate(data["taxonomies"]):
        if place:
            yield ""
        said = ", ".join(one["annotators"]) or "nobody"
        yield from line(f"{one['name']}: by {said}; {one['least']} must have judged a sample")
        yield ""
        rows = [[name.replace("_", " "), count] for name, count in one["counts"].items()]
        yield from table(["<decision", "samples"], rows)
        yield ""
        kappas = [(row["dimension"], row["fleiss_kappa"]) for row in one["kappas"]]
        rows = [
            [name, figure["n"], "–" if figure["value"] is None else f"{figure['value']:.2f}"]
            for name, figure in (*kappas, ("mean", one["mean_kappa"]))
        ]
        yield from table(["<dimension", "n", "Fleiss"], rows)
        yield ""
        rows = [
            [row["decision"].replace("_", " "), row["id"], _said(row)] for row in one["samples"]
        ]
        yield from table(["<decision", "<sample", "<where they differ"], rows)


def _said(row: Json) -> str:
    """The choices in the dimensions on which annotators differ."""
    differing = [of for of in row["choices"].values() if len(set(of.values())) > 1]
    return "; ".join(", ".join(f"{who} {slug}" for who, slug in of.items()) for of in differing)
