"""How good suggestions are, measured on controlled change.

Two runs of one system and backbone that differ in one thing show what that thing was worth: a
question that is wrong without the richer captions and right with them failed at the captions; one
that is wrong with what a memory brought back and right with the evidence handed over failed at
retrieval. What the rules suggest for the poorer run is held against that.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure
from mnemoscope.core.model import Kind, Release, Textualisation
from mnemoscope.core.suggestions.rules import Suggestion, suggest
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["Control", "SuggestionCheck", "check_suggestions", "controls"]


@dataclass(frozen=True, slots=True)
class Control:
    """Two runs that differ in one thing."""

    poorer: JoinedRun
    richer: JoinedRun
    tag: str
    """What a question that only the richer run gets right failed at."""
    change: str
    """What differs, in words."""
    kinds: frozenset[Kind] = frozenset()
    """The kinds of attachment whose captions differ; none where captions do not."""

    def covers(self, suggestion: Suggestion) -> bool:
        """Whether the change could mend what a suggestion says."""
        about = suggestion.about
        return suggestion.tag == self.tag and (about is None or about in self.kinds)


@dataclass(frozen=True, slots=True)
class SuggestionCheck:
    """One tag's suggestions against one controlled change."""

    control: Control
    wrong: int
    """Questions that the poorer run gets wrong and both runs have judged."""
    mended: int
    """Those that the richer run gets right."""
    suggested: int
    """Those for which the rules suggest the tag."""
    both: int

    @property
    def precision(self) -> Figure:
        """Share of the suggested questions that the change mended."""
        return Figure.share(self.both, self.suggested, "mended / suggested")

    @property
    def recall(self) -> Figure:
        """Share of the mended questions for which the tag was suggested."""
        return Figure.share(self.both, self.mended, "suggested / mended")

    @property
    def base_rate(self) -> Figure:
        """Share of the wrong questions that the change mended: the precision of guessing."""
        return Figure.share(self.mended, self.wrong, "mended / wrong")


def controls(workspace: Workspace) -> Iterator[Control]:
    """The pairs of open runs that differ in captions alone, or in being handed the evidence."""
    for poorer in workspace.runs:
        for richer in workspace.runs:
            if poorer is richer or poorer.run.backbone != richer.run.backbone:
                continue
            kinds = _richer_captions(workspace.release, poorer, richer)
            if kinds:
                change = _change(kinds, poorer.run.textualisation, richer.run.textualisation)
                yield Control(poorer, richer, "textualization_miss", change, kinds)
            elif _is_oracle(richer) and not _is_oracle(poorer):
                change = f"{richer.run.system} is handed the evidence"
                yield Control(poorer, richer, "retrieval_miss", change)


def check_suggestions(workspace: Workspace) -> list[SuggestionCheck]:
    """Hold the suggestions against every controlled change among the open runs."""
    return [_check(workspace, control) for control in controls(workspace)]


def _check(workspace: Workspace, control: Control) -> SuggestionCheck:
    wrong = mended = suggested = both = 0
    for entry in control.poorer.entries:
        other = control.richer.entry(entry.question.key, entry.record.repeat)
        # A question that is not to be answered has no evidence that could mend it.
        if other is None or not other.judgement.judged or not entry.question.answerable:
            continue
        if entry.judgement.right or not entry.judgement.judged:
            continue
        found = any(map(control.covers, suggest(workspace, control.poorer, entry)))
        wrong += 1
        mended += other.judgement.right
        suggested += found
        both += other.judgement.right and found
    return SuggestionCheck(control, wrong, mended, suggested, both)


def _is_oracle(run: JoinedRun) -> bool:
    return run.run.system.casefold().startswith("oracle")


def _richer_captions(release: Release, poorer: JoinedRun, richer: JoinedRun) -> frozenset[Kind]:
    """The kinds of which the second run is told more; none unless captions alone differ so."""
    first, second = poorer.run.textualisation, richer.run.textualisation
    if first is None or second is None or poorer.run.system != richer.run.system:
        return frozenset()
    steps = {kind: _step(release, kind, first, second) for kind in Kind}
    if any(step is None or step < 0 for step in steps.values()):
        return frozenset()
    return frozenset(kind for kind, step in steps.items() if step)


def _change(
    kinds: frozenset[Kind], first: Textualisation | None, second: Textualisation | None
) -> str:
    assert first is not None
    assert second is not None
    return " and ".join(
        f"{kind} captions {first.of(kind)} → {second.of(kind)}" for kind in Kind if kind in kinds
    )


def _step(
    release: Release, kind: Kind, first: Textualisation, second: Textualisation
) -> int | None:
    if first.of(kind) == second.of(kind):
        return 0
    order = ("none", *release.variants(kind))
    if first.of(kind) not in order or second.of(kind) not in order:
        return None
    return order.index(second.of(kind)) - order.index(first.of(kind))
