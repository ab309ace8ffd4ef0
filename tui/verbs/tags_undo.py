"""``mnemoscope tags undo``: take back what an annotator, such as a model, did last."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemoscope.core.errors import UsageError
from mnemoscope.core.text import counted
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import PATH, Flags, json_flag, reading
from mnemoscope.tui.verbs.tables import Json, line

if TYPE_CHECKING:
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = ["command"]


@click.command("undo")
@click.argument("release", type=PATH)
@click.argument("runs", metavar="[RUN]...", type=PATH, nargs=-1)
@click.option("--annotator", metavar="NAME", required=True, help="Whose, such as model:NAME.")
@click.option(
    "--last", type=click.IntRange(1), default=1, show_default=True, help="How many things done."
)
@click.option("--all", "everything", is_flag=True, help="Everything that still holds.")
@click.option("--redo", is_flag=True, help="Do again what was taken back last instead.")
@reading("tags", "taxonomy", "format", "run_format")
@json_flag
def command(
    release: Path,
    runs: tuple[Path, ...],
    annotator: str,
    last: int,
    everything: bool,
    redo: bool,
    flags: Flags,
    as_json: bool,
) -> None:
    """Take back what an annotator did last, newest first; nothing is taken out of the file.

    A label that a model gave is one thing done: a vote of three labels is three.
    """
    workspace = flags.with_tags(flags.open(release, runs))
    tags = workspace.tags
    assert tags is not None
    if annotator not in tags.tags.books:
        known = ", ".join(tags.tags.books) or "nobody"
        raise UsageError(f"{annotator!r} has said nothing here; {known} has")
    data = {
        "annotator": annotator,
        "what": "redo" if redo else "undo",
        **_walk(tags, annotator, None if everything else last, redo),
    }
    if as_json:
        console.print_json(data)
    else:
        said = ", ".join(f"{name} {n}" for name, n in data["actions"].items())
        word = "done again" if redo else "taken back"
        text = (
            f"{annotator}: {counted(data['count'], 'thing')} {word} {f'({said})' if said else ''}"
        )
        console.print_lines(line(text.rstrip()))


def _walk(tags: "WorkspaceTags", annotator: str, count: int | None, redo: bool) -> Json:
    journal = tags.journal(annotator)
    walk = journal.redo if redo else journal.undo
    actions: Counter[str] = Counter()
    try:
        while count is None or actions.total() < count:
            event = walk()
            if event is None:
                break
            actions[event.action.value] += 1
    finally:
        tags.close()
    return {"count": actions.total(), "actions": dict(actions)}
