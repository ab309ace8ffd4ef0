"""Tags as a polars frame, counted and set against task and system."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from mnemoscope.core.tags.book import Marks, PlacedTag
from mnemoscope.core.tags.catalogue import Catalogue
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.taxonomy import TargetKind, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Workspace

__all__ = ["COLUMNS", "Pivot", "decided", "frequencies", "pivot", "since_new", "tag_frame"]

COLUMNS = (
    *("annotator", "target", "key", "history", "session", "run", "repeat"),
    *("task", "setting", "category", "taxonomy", "version", "stage", "tag", "title", "reason"),
    *("suggested", "blind", "note", "flagged", "skipped", "verdict", "verdict_reason", "time"),
)
"""Columns of a tag frame, in order."""

_NUMBERS = {"repeat": pl.Int64, "version": pl.Int64}
_FLAGS = ("blind", "flagged", "skipped")
_Known = dict[tuple[str, str], tuple[str, str]]
"""Stage and title of tags met, by taxonomy and slug."""


def tag_frame(workspace: Workspace, tags: WorkspaceTags) -> pl.DataFrame:
    """One row per tag; one with an empty ``tag`` for a target that has other marks only.

    A target said to fit no tag of a taxonomy has a row whose ``tag`` is ``none``. ``title`` and
    ``stage`` are those of the taxonomy as it is today; ``run`` is the name it is open under.
    """
    known: _Known = {}
    rows = [
        (one.annotator, *_about(workspace, tags, one.target), *marked)
        for one in tags.statements()
        for marked in _marked(one.marks, tags, known)
    ]
    schema = {
        name: _NUMBERS.get(name, pl.Boolean if name in _FLAGS else pl.String) for name in COLUMNS
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _about(workspace: Workspace, tags: WorkspaceTags, target: Target) -> tuple[object, ...]:
    """The columns from ``target`` to ``category``."""
    question = workspace.release.questions.get(target.question)
    return (
        target.kind.value,
        target.question,
        question.history_id if question else target.history,
        target.session,
        tags.run_name(target),
        target.repeat if target.kind is TargetKind.RECORD else None,
        *((question.task, question.setting, question.category) if question else ("", "", "")),
    )


def _marked(marks: Marks, tags: WorkspaceTags, known: _Known) -> Iterator[tuple[object, ...]]:
    """The columns from ``taxonomy`` on, for every tag."""
    verdict = marks.verdict.value if marks.verdict else ""
    common = (marks.note, marks.flagged, marks.skipped, verdict, marks.reason)
    last = marks.time.isoformat() if marks.time else ""
    fitting_none = [PlacedTag(name, "none", time=marks.time) for name in sorted(marks.none_of)]
    for tag in (*marks.tags, *fitting_none):
        named = (tag.taxonomy, tag.slug)
        if named not in known:
            known[named] = _stage_and_title(tags.catalogue, *named)
        stage, title = known[named]
        what = (tag.taxonomy, tag.version or None, stage, tag.slug, title)
        time = tag.time.isoformat() if tag.time else last
        yield (*what, tag.reason, tag.suggested, tag.blind, *common, time)
    if not marks.tags and not fitting_none:
        yield ("", None, None, "", None, None, None, None, *common, last)


def _stage_and_title(catalogue: Catalogue, taxonomy: str, slug: str) -> tuple[str, str]:
    found = catalogue.tag(taxonomy, slug)
    title = "none of these" if slug == "none" else catalogue.title(taxonomy, slug)
    return found.stage if found else "", title


@dataclass(frozen=True, slots=True)
class Pivot:
    """Counts of targets by two columns of a tag frame."""

    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """By row, then column: distinct targets."""
    row_totals: tuple[int, ...]
    """Distinct targets of each row; one in several columns counts once."""
    column_totals: tuple[int, ...]
    n: int
    """Distinct targets in all."""


_TARGET = ("target", "key", "history", "session", "run", "repeat")


def frequencies(frame: pl.DataFrame, taxonomy: Taxonomy) -> list[tuple[str, int, int]]:
    """Slug, targets with the tag and targets reviewed, for every tag of a taxonomy.

    A target that several annotators tagged alike counts once; a kind counts for its parents too.
    The tags come in the taxonomy's order, then former ones, then ``none``.
    """
    of = frame.filter(pl.col("taxonomy") == taxonomy.name)
    reviewed = of.select(_TARGET).n_unique()
    carried: dict[str, set[tuple[object, ...]]] = {}
    for slug, *target in of.select("tag", *_TARGET).iter_rows():
        for one in taxonomy.lineage(slug):
            carried.setdefault(one, set()).add(tuple(target))
    known = [tag.slug for tag in taxonomy.tags]
    former = sorted(carried.keys() - {*known, "none"})
    order = [*known, *former, *(["none"] if "none" in carried else [])]
    return [(slug, len(carried.get(slug, ())), reviewed) for slug in order]


def pivot(
    frame: pl.DataFrame,
    down: str,
    across: str,
    order: Sequence[str] = (),
    order_across: Sequence[str] = (),
) -> Pivot:
    """Count distinct targets by two columns.

    Args:
        frame: A tag frame, filtered to what is to be counted.
        down: The column whose values are rows.
        across: The column whose values are columns.
        order: Rows to put first, in this order; the others follow by name.
        order_across: The same for columns.

    Raises:
        ValueError: There is no such column.
    """
    for name in (down, across):
        if name not in COLUMNS:
            raise ValueError(f"no column {name!r}; there are {', '.join(COLUMNS)}")
    cells = _distinct(frame, [down, across])
    by_row, by_column = _distinct(frame, [down]), _distinct(frame, [across])
    rows = _ordered((one for (one,) in by_row), order)
    columns = _ordered((one for (one,) in by_column), order_across)
    return Pivot(
        down,
        across,
        tuple(rows),
        tuple(columns),
        tuple(tuple(cells.get((row, column), 0) for column in columns) for row in rows),
        tuple(by_row[(row,)] for row in rows),
        tuple(by_column[(column,)] for column in columns),
        frame.select(_TARGET).n_unique(),
    )


def _ordered(values: Iterable[str], first: Sequence[str]) -> list[str]:
    place = {value: at for at, value in enumerate(first)}
    return sorted(values, key=lambda one: (place.get(one, len(place)), one))


def _distinct(frame: pl.DataFrame, by: list[str]) -> dict[tuple[str, ...], int]:
    keys = list(dict.fromkeys([*by, *_TARGET]))
    counted = frame.select(keys).unique().group_by(by).len()
    return {tuple(map(str, values)): count for *values, count in counted.iter_rows()}


def decided(frame: pl.DataFrame, adjudicator: str) -> pl.DataFrame:
    """The frame without what others say where the adjudicator has spoken under the same taxonomy.

    Args:
        frame: A tag frame.
        adjudicator: Whose word decides; the frame stays as it is when empty.
    """
    if not adjudicator:
        return frame
    by = [*_TARGET, "taxonomy"]
    of_adjudicator = frame.filter(pl.col("annotator") == adjudicator, pl.col("tag") != "")
    others = frame.filter(pl.col("annotator") != adjudicator)
    kept = others.join(of_adjudicator, on=by, how="anti", nulls_equal=True)
    return pl.concat([frame.filter(pl.col("annotator") == adjudicator), kept])


def since_new(frame: pl.DataFrame, taxonomy: str, annotator: str = "") -> int:
    """How many targets have been tagged since a tag came up for the first time.

    When about twenty go by without a new one, more reading is unlikely to find one.
    """
    of = frame.filter((pl.col("taxonomy") == taxonomy) & (pl.col("tag") != "none"))
    if annotator:
        of = of.filter(pl.col("annotator") == annotator)
    seen: set[str] = set()
    targets: dict[tuple[object, ...], None] = {}
    for tag, *target in of.sort("time").select("tag", *_TARGET).iter_rows():
        if tag not in seen:
            seen.add(tag)
            targets.clear()
        else:
            targets[tuple(target)] = None
    return len(targets)
