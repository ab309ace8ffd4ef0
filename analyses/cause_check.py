"""How good suggestions by replay are, measured on runs whose mistakes have known causes.

A tracker goes wrong in one way. What its wrong answers are called follows from that way and from
what a question does with what it reads; the suggestions are held against it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mnemoscope.analyses.figure import Figure
from mnemoscope.core.harness.trackers.runs import plan_of, tracker_of
from mnemoscope.core.harness.trackers.tracker import Tracker, sort_of
from mnemoscope.core.scoring.declining import declines
from mnemoscope.core.suggestions.replay import replay_of
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["CauseCheck", "check_causes"]


@dataclass(frozen=True, slots=True)
class CauseCheck:
    """One tag's suggestions for one tracker's run."""

    run: JoinedRun
    tag: str
    wrong: int
    """Wrong answers of which it is the cause."""
    declined: int
    """Those of them that decline: replay has no answer to look at."""
    suggested: int
    """Wrong answers for which it is suggested, whatever their cause."""
    tied: int
    """Those of them for which another tag is suggested as well."""
    both: int

    @property
    def precision(self) -> Figure:
        """Share of the suggestions that name the cause."""
        return Figure.share(self.both, self.suggested, "cause / suggested")

    @property
    def recall(self) -> Figure:
        """Share of the wrong answers whose cause is suggested."""
        return Figure.share(self.both, self.wrong, "suggested / wrong")


def check_causes(workspace: Workspace) -> list[CauseCheck]:
    """Hold the suggestions against the causes, for every open run of a tracker that has a fault."""
    found: list[CauseCheck] = []
    for run in workspace.runs:
        tracker = tracker_of(run.run)
        if tracker is not None and tracker.causes:
            found += _checks(workspace, run, tracker)
    return found


def _checks(workspace: Workspace, run: JoinedRun, tracker: Tracker) -> Iterator[CauseCheck]:
    wrong, declined = Counter[str](), Counter[str]()
    suggested, tied, both = Counter[str](), Counter[str](), Counter[str]()
    replay = replay_of(workspace.release)
    for entry, cause in _wrong(workspace, run, tracker):
        answer = entry.record.answer
        tags = [one.tag for one in replay.explanations(entry.question, answer)]
        wrong[cause] += 1
        declined[cause] += declines(answer)
        suggested.update(tags)
        tied.update(tags if len(tags) > 1 else ())
        both[cause] += cause in tags
    for tag in dict.fromkeys((*wrong, *suggested)):
        counts = wrong[tag], declined[tag], suggested[tag], tied[tag], both[tag]
        yield CauseCheck(run, str(tag), *counts)


def _wrong(workspace: Workspace, run: JoinedRun, tracker: Tracker) -> Iterator[tuple[Entry, str]]:
    """The wrong answers of a run, with their causes."""
    for entry in run.entries:
        plan = plan_of(workspace.release, entry.question)
        if plan is not None and entry.judgement.judged and not entry.judgement.right:
            yield entry, tracker.causes[sort_of(plan)]
