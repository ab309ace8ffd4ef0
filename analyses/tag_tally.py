"""One taxonomy's tags in one view: how often each stands, a pivot, and the rows behind a cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from mnemoscope.analyses.tag_frame import Pivot, frequencies, pivot, since_new
from mnemoscope.core.tags.taxonomy import Taxonomy

__all__ = ["AXES", "TaggedRow", "Tally", "tagged_rows", "tally"]

AXES = ("stage", "tag", "task", "setting", "category", "history", "run", "annotator")
"""Columns of a tag frame that a pivot can have as rows or columns, or be narrowed by."""

_TARGET = ("target", "key", "history", "session", "run", "repeat")


@dataclass(frozen=True, slots=True)
class TaggedRow:
    """What is said about one target, by everybody who is counted."""

    target: str
    """``record``, ``question`` or ``session``."""
    key: str
    """The question's key; empty for a session."""
    history: str
    session: str
    run: str
    """The run's name; empty unless the target is a record."""
    repeat: int
    tags: Mapping[str, tuple[str, ...]]
    """Who set each tag, by its slug."""
    notes: Mapping[str, str]
    """Notes by annotator."""


@dataclass(frozen=True)
class Tally:
    """The tags of one taxonomy, counted."""

    taxonomy: Taxonomy
    reviewed: int
    """Targets that carry a tag, or were said to fit none."""
    tags: tuple[tuple[str, int], ...]
    """Slug and targets that carry it, in the taxonomy's order; kinds count for parents too."""
    since_new: int
    """Targets tagged since a tag came up for the first time."""
    pivot: Pivot
    values: Mapping[str, Mapping[str, int]]
    """For each axis its values and how many targets have each, whatever is narrowed."""
    frame: pl.DataFrame
    """The rows that are counted."""


def tally(
    frame: pl.DataFrame,
    taxonomy: Taxonomy,
    down: str = "stage",
    across: str = "task",
    only: Mapping[str, str] | None = None,
) -> Tally:
    """Count the tags of a taxonomy.

    Args:
        frame: A tag frame.
        taxonomy: The taxonomy.
        down: The axis whose values are the pivot's rows.
        across: The axis whose values are its columns.
        only: Values that rows must have, by axis.

    Raises:
        ValueError: There is no such axis.
    """
    of = frame.filter(pl.col("taxonomy") == taxonomy.name)
    narrowed = _narrowed(of, only or {})
    order = {
        "stage": [stage.slug for stage in taxonomy.stages],
        "tag": [tag.slug for tag in taxonomy.tags],
    }
    counted = frequencies(narrowed, taxonomy)
    return Tally(
        taxonomy,
        counted[0][2],
        tuple((slug, n) for slug, n, _ in counted),
        since_new(narrowed, taxonomy.name),
        pivot(narrowed, down, across, order.get(down, ()), order.get(across, ())),
        {axis: dict(_values(of, axis)) for axis in AXES},
        narrowed,
    )


def _narrowed(frame: pl.DataFrame, only: Mapping[str, str]) -> pl.DataFrame:
    for axis, value in only.items():
        if axis not in AXES:
            raise ValueError(f"no axis {axis!r}; there are {', '.join(AXES)}")
        frame = frame.filter(pl.col(axis) == value)
    return frame


def _values(frame: pl.DataFrame, axis: str) -> Iterator[tuple[str, int]]:
    by = list(dict.fromkeys([axis, *_TARGET]))
    counted = frame.select(by).unique().group_by(axis).len().sort(axis)
    yield from counted.iter_rows()


def tagged_rows(
    found: Tally, where: Mapping[str, str] | None = None, slugs: Sequence[str] = ()
) -> list[TaggedRow]:
    """The targets behind a figure, in the order in which they were first tagged.

    Args:
        found: What was counted.
        where: Values that a target must have in one row, by axis: those of a cell.
        slugs: Tags of which a target must carry one; any when empty.
    """
    frame = _narrowed(found.frame, where or {})
    if slugs:
        frame = frame.filter(pl.col("tag").is_in(list(slugs)))
    chosen = frame.select(_TARGET).unique()
    of_chosen = found.frame.join(chosen, on=_TARGET, how="semi", nulls_equal=True).sort("time")
    targets: dict[tuple[object, ...], list[dict[str, object]]] = {}
    for row in of_chosen.iter_rows(named=True):
        targets.setdefault(tuple(row[name] for name in _TARGET), []).append(row)
    return [_tagged_row(rows) for rows in targets.values()]


def _tagged_row(rows: Sequence[Mapping[str, object]]) -> TaggedRow:
    first = rows[0]
    tags: dict[str, tuple[str, ...]] = {}
    for row in rows:
        slug, annotator = str(row["tag"]), str(row["annotator"])
        tags[slug] = (*tags.get(slug, ()), annotator)
    repeat = first["repeat"]
    return TaggedRow(
        target=str(first["target"]),
        key=str(first["key"]),
        history=str(first["history"]),
        session=str(first["session"]),
        run=str(first["run"]),
        repeat=repeat if isinstance(repeat, int) else 0,
        tags=tags,
        notes={str(row["annotator"]): str(row["note"]) for row in rows if row["note"]},
    )
