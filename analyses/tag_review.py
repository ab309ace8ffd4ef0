"""What a review of a benchmark's own data came to.

The rule is that of CUE-Mem's quality control: a sample stands when all annotators accept it in all
dimensions, and any disagreement goes to adjudication, where one person's choice decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from mnemoscope.analyses.agreement import Agreement
from mnemoscope.analyses.figure import Figure, FigureStatus
from mnemoscope.analyses.tag_agreement import reviews, tag_agreement
from mnemoscope.core.errors import UsageError
from mnemoscope.core.tags.book import Marks
from mnemoscope.core.tags.events import Target, is_automatic
from mnemoscope.core.tags.taxonomy import Labels, Outcome, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = ["Decision", "Reviewed", "TagReview", "is_review", "review"]


class Decision(StrEnum):
    """What became of a sample."""

    ACCEPTED = "accepted"
    """Everybody accepts every dimension."""
    REPAIR = "to repair"
    """Everybody agrees; some dimension is to be repaired and none is rejected."""
    REJECTED = "rejected"
    """Everybody agrees; some dimension is rejected."""
    ADJUDICATE = "to adjudicate"
    """They differ on a dimension, and the adjudicator has not decided it."""
    WAITING = "waiting"
    """Too few have judged every dimension yet."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A sample, what was said of it, and what it came to."""

    target: Target
    decision: Decision
    choices: Mapping[str, Mapping[str, str]]
    """By dimension: the slug that each annotator chose; the adjudicator's too."""
    by_adjudicator: bool = False
    """Whether the adjudicator's word was needed."""


@dataclass(frozen=True)
class TagReview:
    """Every sample reviewed under one taxonomy."""

    taxonomy: str
    annotators: tuple[str, ...]
    adjudicator: str
    least: int
    """How many annotators must have judged every dimension."""
    reviewed: tuple[Reviewed, ...]
    by_dimension: tuple[Agreement, ...]
    """Agreement on each dimension, before adjudication."""
    mean_kappa: Figure
    """Fleiss' kappa, mean over dimensions; n is that of the smallest."""

    def of(self, decision: Decision) -> tuple[Target, ...]:
        """The samples that came to a decision."""
        return tuple(one.target for one in self.reviewed if one.decision is decision)


def is_review(taxonomy: Taxonomy) -> bool:
    """Whether a taxonomy has dimensions, each with choices that say what becomes of a sample."""
    return taxonomy.labels is Labels.ONE_PER_STAGE and all(
        tag.outcome is not None for tag in taxonomy.tags
    )


def review(
    tags: WorkspaceTags, taxonomy: Taxonomy, adjudicator: str = "", least: int = 0
) -> TagReview:
    """Decide on every sample that somebody reviewed.

    Args:
        tags: Everybody's tags.
        taxonomy: A review taxonomy.
        adjudicator: Whose choice decides where others differ.
        least: How many annotators must have judged every dimension of a sample; 0 for all who
            reviewed anything under the taxonomy.

    Raises:
        UsageError: The taxonomy is no review.
    """
    if not is_review(taxonomy):
        raise UsageError(
            f"{taxonomy.name} is no review: every tag needs an outcome, and every target one tag "
            "per stage"
        )
    found = {name: marks for name, marks in reviews(tags, taxonomy).items() if _is_person(name)}
    annotators = tuple(name for name in found if name != adjudicator)
    needed = least or max(1, len(annotators))
    targets = dict.fromkeys(target for marks in found.values() for target in marks)
    reviewed = tuple(
        _decide(
            target,
            _choices(taxonomy, {name: marks.get(target) for name, marks in found.items()}),
            taxonomy,
            adjudicator,
            needed,
        )
        for target in targets
    )
    by_dimension = tag_agreement(tags, taxonomy, annotators, adjudicator).by_tag
    kappa = _mean([one.fleiss for one in by_dimension])
    return TagReview(taxonomy.name, annotators, adjudicator, needed, reviewed, by_dimension, kappa)


def _is_person(annotator: str) -> bool:
    return not is_automatic(annotator)


def _choices(
    taxonomy: Taxonomy, marks: Mapping[str, Marks | None]
) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {stage.slug: {} for stage in taxonomy.stages}
    for name, one in marks.items():
        for slug in one.slugs(taxonomy.name) if one is not None else ():
            tag = taxonomy.by_slug.get(slug)
            if tag is not None:
                found[tag.stage][name] = slug
    return found


def _decide(
    target: Target,
    choices: Mapping[str, Mapping[str, str]],
    taxonomy: Taxonomy,
    adjudicator: str,
    least: int,
) -> Reviewed:
    agreed: list[str] = []
    differ = missing = by_adjudicator = False
    for of in choices.values():
        said = [slug for name, slug in of.items() if name != adjudicator]
        if adjudicator in of:
            agreed.append(of[adjudicator])
            by_adjudicator = True
        elif len(set(said)) > 1:
            differ = True
        elif len(said) < least:
            missing = True
        else:
            agreed.append(said[0])
    if differ:
        return Reviewed(target, Decision.ADJUDICATE, choices)
    if missing:
        return Reviewed(target, Decision.WAITING, choices)
    outcomes = {taxonomy.by_slug[slug].outcome for slug in agreed}
    decision = Decision.ACCEPTED
    if Outcome.REJECT in outcomes:
        decision = Decision.REJECTED
    elif Outcome.REPAIR in outcomes:
        decision = Decision.REPAIR
    return Reviewed(target, decision, choices, by_adjudicator)


def _mean(kappas: Sequence[Figure]) -> Figure:
    estimand = "Fleiss' kappa, mean over dimensions; n is of the smallest"
    measured = [one for one in kappas if one.value is not None]
    if not measured:
        return Figure.absent(FigureStatus.NOT_MEASURABLE, estimand, "no dimension has a kappa")
    note = "" if len(measured) == len(kappas) else f"{len(measured)} of {len(kappas)} dimensions"
    status = FigureStatus.PARTIAL if note else FigureStatus.MEASURED
    value = fmean(one.value for one in measured if one.value is not None)
    return Figure(value, min(one.n for one in measured), estimand, status, note)
