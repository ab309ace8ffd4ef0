"""What the verbs below ``mnemoscope tags`` share."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.tui.verbs.options import Flags, Verb, chosen_keys
from mnemoscope.tui.verbs.tables import Json

if TYPE_CHECKING:
    from polars import DataFrame

    from mnemoscope.core.tags.events import Target
    from mnemoscope.core.tags.taxonomy import Taxonomy
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags
    from mnemoscope.core.workspace import Workspace

SHARED = ("filter", "format", "run_format", "media_root", "rule")
"""The flags of all that reads tags."""


def taxonomy_option(help: str) -> Callable[[Verb], Verb]:
    return click.option("--of", metavar="NAME", default="", help=help)


ADJUDICATOR = click.option(
    "--adjudicator", metavar="NAME", default="", help="Whose word decides where others differ."
)


def check_names(tags: "WorkspaceTags", names: Iterable[str]) -> None:
    for name in names:
        if name and name not in tags.tags.books:
            known = ", ".join(tags.tags.books) or "nobody"
            raise UsageError(f"{name!r} has tagged nothing here; {known} has")


def target_json(tags: "WorkspaceTags", target: "Target") -> Json:
    return {"target": target.kind.value, "id": str(target), "run": tags.run_name(target)}


def frame_of(workspace: "Workspace", flags: Flags) -> "DataFrame":
    import polars as pl

    from mnemoscope.analyses.tag_frame import tag_frame

    frame = tag_frame(workspace, tags_of(workspace))
    keys = chosen_keys(flags, workspace)
    return frame if keys is None else frame.filter(pl.col("key").is_in(keys))


def tags_of(workspace: "Workspace") -> "WorkspaceTags":
    assert workspace.tags is not None
    return workspace.tags


def taxonomies_of(tags: "WorkspaceTags", name: str) -> Iterable["Taxonomy"]:
    return [tags.catalogue.named(name)] if name else list(tags.catalogue)
