"""Who agrees with whom about the tags of a taxonomy."""

from collections import Counter
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from mnemoscope.analyses.agreement import Agreement, cohen_kappa, majority, measure, unanimity
from mnemoscope.analyses.figure import Figure
from mnemoscope.core.tags.book import Marks
from mnemoscope.core.tags.events import Target, is_automatic, model_name
from mnemoscope.core.tags.taxonomy import Labels, Taxonomy
from mnemoscope.core.tags.workspace_tags import WorkspaceTags

__all__ = [
    *("NONE_FITS", "Majority", "TagAgreement"),
    *("disagreements", "reviews", "tag_agreement"),
]

NONE_FITS = "none"
"""The label of a target that was said to fit no tag of the taxonomy."""


@dataclass(frozen=True, slots=True)
class Majority:
    """What most people, and most models, say of a target."""

    target: Target
    people: tuple[str, ...] | None
    """Slugs, or ``none`` where none fits; None where they have no majority."""
    n_people: int
    models: tuple[str, ...] | None
    n_models: int
    models_agree: bool
    """Whether two or more models reviewed it and all say the same."""


@dataclass(frozen=True)
class TagAgreement:
    """Agreement over one taxonomy."""

    taxonomy: str
    annotators: tuple[str, ...]
    reviewed: Mapping[str, int]
    """Targets reviewed, by annotator."""
    overall: Agreement
    """Of the label, or of the whole set of labels where several may hold."""
    by_tag: tuple[Agreement, ...]
    """Of whether a tag is set, by slug; of the choice, by stage, where each stage has one."""
    pairs: tuple[tuple[str, str, Figure], ...]
    """Cohen's kappa of every two annotators over the overall label."""
    people_unanimous: Figure
    """Targets on which all people who reviewed them agree."""
    models_unanimous: Figure
    """Targets on which all models that reviewed them agree."""
    people_and_models: Figure
    """Targets on which the majority of people and that of models agree."""
    majority_kappa: Figure
    """Cohen's kappa of the two majorities."""
    majorities: tuple[Majority, ...]
    """What most people and most models say, for every target that one of them reviewed."""
    disagreements: tuple[Target, ...]
    """Targets on which those who reviewed them differ and the adjudicator has not spoken: the
    adjudication queue."""
    adjudicated: int = 0
    """Targets on which they differ and the adjudicator has spoken."""


def tag_agreement(
    tags: WorkspaceTags,
    taxonomy: Taxonomy,
    annotators: Sequence[str] = (),
    adjudicator: str = "",
    within: Container[tuple[str, str, str]] | None = None,
) -> TagAgreement:
    """Measure agreement over the targets that annotators reviewed under a taxonomy.

    A target counts for an annotator once it carries a tag of the taxonomy or was said to fit none;
    what was skipped, flagged or noted does not count.

    Args:
        tags: Everybody's tags.
        taxonomy: The taxonomy.
        annotators: Whose; all who reviewed anything when empty.
        adjudicator: Whose word decides; it is no part of the agreement.
        within: Question (or history), session and name of the run of the targets that count; all
            when None.
    """
    found = reviews(tags, taxonomy)
    if within is not None:
        found = {name: _within(marks, within, tags) for name, marks in found.items()}
    decided = found.pop(adjudicator, {})
    chosen = tuple(annotators) or tuple(found)
    targets = list(dict.fromkeys(target for name in chosen for target in found.get(name, ())))
    rows = [[found.get(name, {}).get(target) for name in chosen] for target in targets]
    labels = [[None if one is None else _label(one, taxonomy) for one in row] for row in rows]
    columns = {name: [row[place] for row in labels] for place, name in enumerate(chosen)}
    people = [place for place, name in enumerate(chosen) if not is_automatic(name)]
    models = [place for place, name in enumerate(chosen) if model_name(name)]
    majorities = tuple(
        _of_both(
            [row[place] for place in people], [row[place] for place in models], target, taxonomy
        )
        for target, row in zip(targets, rows, strict=True)
        if any(row[place] is not None for place in (*people, *models))
    )
    differing = _differing([found.get(name, {}) for name in chosen], taxonomy)
    open_ = _open(differing, decided, taxonomy)
    return TagAgreement(
        taxonomy.name,
        chosen,
        {name: len(found.get(name, ())) for name in chosen},
        measure("overall", labels),
        tuple(_by_tag(rows, taxonomy)),
        tuple((a, b, cohen_kappa(columns[a], columns[b])) for a, b in combinations(chosen, 2)),
        unanimity([[row[place] for place in people] for row in labels]),
        unanimity([[row[place] for place in models] for row in labels]),
        _people_and_models(majorities),
        cohen_kappa([one.people for one in majorities], [one.models for one in majorities]),
        majorities,
        open_,
        len(differing) - len(open_),
    )


def disagreements(
    tags: WorkspaceTags, taxonomy: Taxonomy, annotators: Sequence[str], adjudicator: str = ""
) -> tuple[Target, ...]:
    """Targets on which some annotators differ and the adjudicator has not spoken.

    Args:
        tags: Everybody's tags.
        taxonomy: The taxonomy.
        annotators: Whose statements.
        adjudicator: Whose word decides; it is no part of the dispute.
    """
    found = reviews(tags, taxonomy)
    said = [found[name] for name in annotators if name in found and name != adjudicator]
    return _open(_differing(said, taxonomy), found.get(adjudicator, {}), taxonomy)


def _differing(
    said: Iterable[Mapping[Target, Marks]], taxonomy: Taxonomy
) -> dict[Target, tuple[str, ...]]:
    """Targets on which those who reviewed them differ, with what of them they differ on."""
    labels: dict[Target, dict[str, set[Hashable]]] = {}
    for marks in said:
        for target, one in marks.items():
            for part, label in _parts(one, taxonomy):
                labels.setdefault(target, {}).setdefault(part, set()).add(label)
    differing = {
        target: tuple(part for part, values in of.items() if len(values) > 1)
        for target, of in labels.items()
    }
    return {target: parts for target, parts in differing.items() if parts}


def _open(
    differing: Mapping[Target, Sequence[str]], decided: Mapping[Target, Marks], taxonomy: Taxonomy
) -> tuple[Target, ...]:
    """Those of them with a part on which the adjudicator has not spoken."""
    found = []
    for target, parts in differing.items():
        spoken = (
            {part for part, _ in _parts(decided[target], taxonomy)} if target in decided else ()
        )
        if any(part not in spoken for part in parts):
            found.append(target)
    return tuple(found)


def _parts(marks: Marks, taxonomy: Taxonomy) -> Iterator[tuple[str, Hashable]]:
    """What can be differed on, with what is said of it: each stage that is a choice, or all.

    A stage left open says nothing: who has not got so far does not contradict.
    """
    if taxonomy.labels is not Labels.ONE_PER_STAGE:
        yield "", _label(marks, taxonomy)
        return
    yield "", taxonomy.name in marks.none_of
    for slug in marks.slugs(taxonomy.name):
        tag = taxonomy.by_slug.get(slug)
        if tag is not None:
            yield tag.stage, slug


def reviews(tags: WorkspaceTags, taxonomy: Taxonomy) -> dict[str, dict[Target, Marks]]:
    """What each annotator says about the targets that they reviewed under a taxonomy."""
    found: dict[str, dict[Target, Marks]] = {}
    for one in tags.statements():
        if one.marks.reviewed(taxonomy.name):
            found.setdefault(one.annotator, {})[one.target] = one.marks
    return found


def _within(
    marks: Mapping[Target, Marks], within: Container[tuple[str, str, str]], tags: WorkspaceTags
) -> dict[Target, Marks]:
    return {
        target: one
        for target, one in marks.items()
        if (target.question or target.history, target.session, tags.run_name(target)) in within
    }


def _label(marks: Marks, taxonomy: Taxonomy) -> Hashable:
    slugs = marks.slugs(taxonomy.name)
    if taxonomy.labels is Labels.ONE:
        return slugs[-1] if slugs else NONE_FITS
    return frozenset(slugs) or NONE_FITS


def _by_tag(rows: Sequence[Sequence[Marks | None]], taxonomy: Taxonomy) -> Iterator[Agreement]:
    if taxonomy.labels is Labels.ONE_PER_STAGE:
        for stage in taxonomy.stages:
            of_stage = {tag.slug for tag in taxonomy.tags if tag.stage == stage.slug}
            yield measure(
                stage.slug, [[_choice(one, taxonomy, of_stage) for one in row] for row in rows]
            )
        return
    used = {
        slug
        for row in rows
        for one in row
        if one is not None
        for set_slug in one.slugs(taxonomy.name)
        for slug in taxonomy.lineage(set_slug)
    }
    for slug in (*(tag.slug for tag in taxonomy.tags), *sorted(used - taxonomy.by_slug.keys())):
        if slug in used:
            yield measure(slug, [[_carries(one, taxonomy, slug) for one in row] for row in rows])


def _carries(marks: Marks | None, taxonomy: Taxonomy, slug: str) -> bool | None:
    if marks is None:
        return None
    return any(slug in taxonomy.lineage(one) for one in marks.slugs(taxonomy.name))


def _choice(marks: Marks | None, taxonomy: Taxonomy, of_stage: set[str]) -> str | None:
    """The choice made at a stage; None for one that was left open."""
    slugs = marks.slugs(taxonomy.name) if marks is not None else ()
    return next((slug for slug in slugs if slug in of_stage), None)


def _of_both(
    people: Sequence[Marks | None],
    models: Sequence[Marks | None],
    target: Target,
    taxonomy: Taxonomy,
) -> Majority:
    """The majorities of both on one target."""
    by_people = [one for one in people if one is not None]
    by_models = [one for one in models if one is not None]
    labels = {_label(one, taxonomy) for one in by_models}
    return Majority(
        target,
        _most(by_people, taxonomy),
        len(by_people),
        _most(by_models, taxonomy),
        len(by_models),
        len(by_models) > 1 and len(labels) == 1,
    )


def _most(marks: Sequence[Marks], taxonomy: Taxonomy) -> tuple[str, ...] | None:
    """What more than half say; of several labels, those that more than half set.

    None where there is no majority: with several labels, where exactly half set one of them.
    """
    if not marks:
        return None
    if taxonomy.labels is Labels.ONE:
        label = majority(_label(one, taxonomy) for one in marks)
        return None if label is None else (str(label),)
    counts = Counter(slug for one in marks for slug in set(one.slugs(taxonomy.name)))
    if any(count * 2 == len(marks) for count in counts.values()):
        return None
    order = {tag.slug: place for place, tag in enumerate(taxonomy.tags)}
    found = [slug for slug, count in counts.items() if count * 2 > len(marks)]
    found.sort(key=lambda slug: (order.get(slug, len(order)), slug))
    return tuple(found) or (NONE_FITS,)


def _people_and_models(majorities: Sequence[Majority]) -> Figure:
    estimand = "targets on which the majority of people and of models agree / those with both"
    both = [one for one in majorities if one.people is not None and one.models is not None]
    return Figure.share(sum(one.people == one.models for one in both), len(both), estimand)
