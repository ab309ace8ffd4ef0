"""What the tally shows, worked out where nothing waits for it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polars import DataFrame

from mnemoscope.analyses.tag_frame import decided, tag_frame
from mnemoscope.analyses.tag_review import Decision, TagReview, is_review, review
from mnemoscope.analyses.tag_tally import TaggedRow, Tally, tagged_rows, tally
from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import parse
from mnemoscope.core.outcomes import count_outcomes
from mnemoscope.core.tags.catalogue import kind_of
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.taxonomy import TargetKind, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Workspace
from mnemoscope.viewers.outcomes import counts_text
from mnemoscope.viewers.tally_view import Group

__all__ = ["Asked", "Counted", "count", "labels", "title_of"]


@dataclass(frozen=True)
class Asked:
    """What is to be counted."""

    # Compared by identity: what they hold is much.
    workspace: Workspace = field(compare=False)
    tags: WorkspaceTags = field(compare=False)
    changes: int
    """What ``tags.changes`` was: with another value it is to be counted again."""
    taxonomy: str
    """Its name; the usual one, or one that is used, when empty."""
    down: str
    across: str
    only: tuple[tuple[str, str], ...]
    adjudicator: str
    filters: tuple[tuple[str, str], ...]
    """Saved filters: name and text."""

    def is_same(self, other: "Asked") -> bool:
        """Whether the same is asked of the same."""
        return self == other and self.workspace is other.workspace and self.tags is other.tags


@dataclass(frozen=True)
class Counted:
    """What was counted."""

    asked: Asked
    everything: DataFrame
    """Every tag on what is open."""
    tally: Tally
    groups: Sequence[tuple[Group, Sequence[TaggedRow] | None]]
    """Groups with the rows behind them; None behind one that is a filter."""
    review: TagReview | None
    """Of a review taxonomy: what it came to."""


def count(asked: Asked, frame: DataFrame | None) -> Counted:
    """Count.

    Args:
        asked: What.
        frame: Every tag, if it has been put together since the last change.
    """
    tags = asked.tags
    everything = tag_frame(asked.workspace, tags) if frame is None else frame
    name = asked.taxonomy or _first_choice(everything, tags, asked.workspace)
    asked = replace(asked, taxonomy=name)
    taxonomy = tags.catalogue.named(name)
    counting = decided(everything, asked.adjudicator)
    found = tally(counting, taxonomy, asked.down, asked.across, dict(asked.only))
    came_to = review(tags, taxonomy, asked.adjudicator) if is_review(taxonomy) else None
    groups = [*_decisions(came_to, found), *_saved(asked, found)]
    return Counted(asked, everything, found, groups, came_to)


def _first_choice(frame: DataFrame, tags: WorkspaceTags, workspace: Workspace) -> str:
    """The usual taxonomy, unless nothing is tagged with it and something with another."""
    known = Counter(name for name in frame["taxonomy"] if name in tags.catalogue.taxonomies)
    usual = tags.catalogue.usual(kind_of(workspace.release)).name
    return usual if usual in known or not known else known.most_common(1)[0][0]


def _decisions(
    found: TagReview | None, counted: Tally
) -> Iterator[tuple[Group, Sequence[TaggedRow]]]:
    if found is None or not found.reviewed:
        return
    by_target = {_place(row): row for row in tagged_rows(counted)}
    for decision in Decision:
        targets = found.of(decision)
        rows = [by_target[place] for place in map(_place_of, targets) if place in by_target]
        yield Group(decision.value, "", f"{len(targets):,}", (), ""), rows


def _place(row: TaggedRow) -> tuple[str, str, str]:
    return ("", row.history, row.session) if row.session else (row.key, "", "")


def _place_of(target: Target) -> tuple[str, str, str]:
    if target.kind is TargetKind.SESSION:
        return "", target.history, target.session
    return target.question, "", ""


def _saved(asked: Asked, found: Tally) -> Iterator[tuple[Group, None]]:
    workspace = asked.workspace
    rows = tagged_rows(found)
    for name, text in (("all questions", ""), *asked.filters):
        try:
            keys = parse(text).select(workspace)
        except UsageError:
            outcomes = ["does not fit here" for _ in workspace.runs[:2]]
            yield Group(name, text, "–", outcomes, ""), None
            continue
        outcomes = [counts_text(count_outcomes(run, keys)) for run in workspace.runs[:2]]
        yield (
            Group(name, text, f"{len(keys):,}", outcomes, _tagged(rows, keys, found.taxonomy)),
            None,
        )


def _tagged(rows: Iterable[TaggedRow], keys: Sequence[str], taxonomy: Taxonomy) -> str:
    """How many targets of questions are reviewed, and the tag that is most frequent on them."""
    chosen = set(keys)
    there = [row for row in rows if row.key in chosen]
    often = Counter(slug for row in there for slug in row.tags).most_common(1)
    if not often:
        return f"{len(there):,}"
    ((slug, n),) = often
    return f"{len(there):,}  {title_of(taxonomy, slug)} {n:,}"


def title_of(taxonomy: Taxonomy, slug: str) -> str:
    """What people read for a tag of a taxonomy, for none of them, and for a former one."""
    if slug == "none":
        return "none of these"
    tag = taxonomy.by_slug.get(slug)
    return taxonomy.full_title(tag) if tag is not None else f"{slug} (former)"


def labels(taxonomy: Taxonomy, axis: str, values: Iterable[str]) -> Mapping[str, str]:
    """What people read for the values of an axis."""
    stages = {stage.slug: stage.title for stage in taxonomy.stages}
    found = {}
    for value in values:
        if axis == "tag":
            said = title_of(taxonomy, value)
        elif axis == "stage":
            said = stages.get(value, value) or "no stage"
        else:
            said = value.replace("_", " ") if axis == "task" else value
        found[value] = said or "–"
    return found
