"""Tags on paper: lines of JSON, CSV, and a Markdown summary with example questions."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from mnemoscope.analyses.tag_agreement import tag_agreement
from mnemoscope.analyses.tag_frame import frequencies, pivot, since_new
from mnemoscope.core.errors import UsageError
from mnemoscope.core.tags.taxonomy import Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Workspace
from mnemoscope.core.writing import replace_file

__all__ = ["as_csv", "as_form", "as_jsonl", "as_markdown", "export_tags"]

_SUFFIXES = {".jsonl": "jsonl", ".csv": "csv", ".md": "markdown"}
_FORMULA = r"^[=+\-@\t\r]"
_EXAMPLES = 3
_LONGEST = 160
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~$&])")


def as_jsonl(frame: pl.DataFrame) -> str:
    """A JSON object per row; empty values are left out."""
    rows = (
        {name: value for name, value in row.items() if value not in ("", None, False)}
        for row in frame.iter_rows(named=True)
    )
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def as_csv(frame: pl.DataFrame) -> str:
    """CSV with a heading; text that a spreadsheet would take for a formula is marked as text."""
    out = io.StringIO()
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    frame.with_columns(
        pl.when(pl.col(name).str.contains(_FORMULA))
        .then(pl.lit("'") + pl.col(name))
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    ).write_csv(out)
    return out.getvalue()


def export_tags(
    workspace: Workspace, tags: WorkspaceTags, frame: pl.DataFrame, path: Path, form: str = ""
) -> None:
    """Write tags to a new file.

    Args:
        workspace: The release and its runs.
        tags: Everybody's tags.
        frame: The tags to write.
        path: The file.
        form: ``jsonl``, ``csv`` or ``markdown``; what its suffix says when empty.

    Raises:
        UsageError: The suffix says nothing, or the file is there already.
        InputError: It cannot be written.
    """
    text = as_form(workspace, tags, frame, form or _form_of(path))
    if path.exists():
        raise UsageError(f"{path}: is there already; it is not overwritten")
    replace_file(path, text.encode("utf-8", "replace"))


def _form_of(path: Path) -> str:
    if path.suffix not in _SUFFIXES:
        raise UsageError(f"{path}: end the name in .jsonl, .csv or .md")
    return _SUFFIXES[path.suffix]


def as_form(workspace: Workspace, tags: WorkspaceTags, frame: pl.DataFrame, form: str) -> str:
    """Tags as ``jsonl``, ``csv`` or ``markdown``."""
    if form == "markdown":
        return as_markdown(workspace, tags, frame)
    return as_csv(frame) if form == "csv" else as_jsonl(frame)


def as_markdown(workspace: Workspace, tags: WorkspaceTags, frame: pl.DataFrame) -> str:
    """A summary: counts, stages against tasks, agreement, and examples of every tag."""
    return "\n".join(_lines(workspace, tags, frame)) + "\n"


def _lines(workspace: Workspace, tags: WorkspaceTags, frame: pl.DataFrame) -> Iterator[str]:
    people = sorted(set(frame["annotator"].to_list()))
    yield f"# Tags: {_plain(workspace.release.name)}"
    yield ""
    runs = ", ".join(_plain(run.name) for run in workspace.runs) or "none"
    yield f"Runs: {runs}. Annotators: {', '.join(map(_plain, people)) or 'none'}."
    used = set(frame["taxonomy"].to_list())
    for taxonomy in tags.catalogue:
        if taxonomy.name in used:
            yield from _taxonomy(workspace, tags, frame, taxonomy)


def _taxonomy(
    workspace: Workspace, tags: WorkspaceTags, frame: pl.DataFrame, taxonomy: Taxonomy
) -> Iterator[str]:
    of = frame.filter(pl.col("taxonomy") == taxonomy.name)
    counted = [row for row in frequencies(of, taxonomy) if row[1]]
    n = counted[0][2] if counted else 0
    yield ""
    yield f"## {_plain(taxonomy.title)}"
    yield ""
    new = since_new(of, taxonomy.name)
    yield f"{n} targets reviewed, {new} since a tag came up for the first time."
    yield ""
    yield from _table(
        ["tag", "targets", f"of {n}"],
        [
            [_title(tags, taxonomy, slug), str(count), f"{count / n:.1%}"]
            for slug, count, _ in counted
        ],
    )
    yield ""
    table = pivot(of, "stage", "task", [stage.slug for stage in taxonomy.stages])
    rows = [
        [row or "–", *map(str, line), str(total)]
        for row, line, total in zip(table.rows, table.counts, table.row_totals, strict=True)
    ]
    heads = ["stage", *(column or "–" for column in table.columns), "all"]
    yield from _table(heads, [*rows, ["all", *map(str, table.column_totals), str(table.n)]])
    yield from _agreement(tags, taxonomy, of)
    for slug, _, _ in counted:
        yield from _examples(workspace, of.filter(pl.col("tag") == slug), tags, taxonomy, slug)


def _agreement(tags: WorkspaceTags, taxonomy: Taxonomy, of: pl.DataFrame) -> Iterator[str]:
    """How far those agree who are written about, on what is written about."""
    people = sorted(set(of["annotator"]))
    within = {
        (key or history, session, run)
        for key, history, session, run in of.select("key", "history", "session", "run").iter_rows()
    }
    found = tag_agreement(tags, taxonomy, people, within=within)
    if len(found.annotators) < 2:
        return
    yield ""
    yield "### Agreement"
    yield ""
    rows = [
        [
            _plain(one.what),
            str(one.percent.n),
            *("–" if f.value is None else f"{f.value:.2f}" for f in one.figures.values()),
        ]
        for one in (found.overall, *found.by_tag)
    ]
    yield from _table(["", "n", *(name.replace("_", " ") for name in found.overall.figures)], rows)


def _examples(
    workspace: Workspace,
    rows: pl.DataFrame,
    tags: WorkspaceTags,
    taxonomy: Taxonomy,
    slug: str,
) -> Iterator[str]:
    if not rows.height:
        return
    yield ""
    yield f"### {_title(tags, taxonomy, slug)}"
    yield ""
    for row in rows.head(_EXAMPLES).iter_rows(named=True):
        question = workspace.release.questions.get(row["key"])
        said = _plain(question.stem) if question else _plain(row["session"])
        where = " ".join(filter(None, (row["key"] or row["history"], row["run"])))
        note = row["reason"] or row["note"]
        yield f"- {_plain(where)}: {said}{' — ' + _plain(note) if note else ''}"


def _title(tags: WorkspaceTags, taxonomy: Taxonomy, slug: str) -> str:
    return "none of these" if slug == "none" else _plain(tags.catalogue.title(taxonomy.name, slug))


def _plain(text: str) -> str:
    """Text that Markdown draws as it is, on one line and not too long."""
    text = one_line(text)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return _MARKUP.sub(r"\\\1", text)


def _table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
