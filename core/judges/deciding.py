"""Putting somebody's verdicts in the place of what a run's rule says."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mnemoscope.core.judges.deciders import Decider, OneJudge, OneSided, decider_named
from mnemoscope.core.judges.said import current
from mnemoscope.core.model import GoldKind, RecordStatus, Value
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.scoring.judging import Judgement, is_judged, judge
from mnemoscope.core.workspace import Entry, JoinedRun, Workspace

__all__ = ["PERSON", "RULE", "BothSides", "both_sides", "decided", "decided_by", "undecided"]

RULE, PERSON = "rule", "person"
"""Names of who decides when no judge does: each run's rule; people, and the rule elsewhere."""


@dataclass(frozen=True, slots=True)
class BothSides:
    """What a judge and its verifier say, on the answers that both can be held to."""

    judged: int
    """Answers that the judge calls right or wrong; failed ones count as wrong."""
    first: int
    """Those that the judge calls right."""
    one_sided: int
    """Those that the judge, or else the verifier, calls right."""
    decided: int
    """Answers of which the one-sided rule says something."""
    second: int
    """Those of ``both`` that the verifier calls right."""
    both: int
    """Answers that judge and verifier judged, failed ones included."""
    first_of_both: int
    """Those of ``both`` that the judge calls right."""

    @property
    def symmetric(self) -> float | None:
        """The mean of the two judges' accuracies, from 0 to 1; None unless both judged all.

        Disagreement counts half whichever of the two says right.
        """
        if not self.judged or self.both < self.judged:
            return None
        return (self.first_of_both + self.second) / (2 * self.both)


def both_sides(decider: OneSided, entries: Iterable[Entry]) -> BothSides:
    """Count what a judge and its verifier say of some answers."""
    counts: Counter[str] = Counter()
    for entry in entries:
        if entry.judgement.status in FAILED:
            if entry.judgement.judged:
                counts.update(("judged", "both", "decided"))
            continue
        said = current(entry.record)
        first, second = (
            OneJudge(voice).value(said) for voice in ((decider.judge, ""), decider.second)
        )
        final = decider.value(said)
        judged, verified = (one in (Value.RIGHT, Value.WRONG) for one in (first, second))
        counts["judged"] += judged
        counts["first"] += first is Value.RIGHT
        counts["decided"] += final in (Value.RIGHT, Value.WRONG)
        counts["one_sided"] += final is Value.RIGHT
        if judged and verified:
            counts["both"] += 1
            counts["second"] += second is Value.RIGHT
            counts["first_of_both"] += first is Value.RIGHT
    names = ("judged", "first", "one_sided", "decided", "second", "both", "first_of_both")
    return BothSides(*(counts[name] for name in names))


def decided(workspace: Workspace, name: str) -> Workspace:
    """The workspace in which somebody decides what is right, by name.

    Args:
        workspace: The workspace; for people, one whose tags have been read.
        name: ``rule``, ``person``, or what ``decider_named`` takes.

    Raises:
        UsageError: Nobody of that name has judged an answer.
    """
    plain = undecided(workspace)
    if name == RULE:
        return plain
    if name == PERSON:
        from mnemoscope.core.tags.verdicts import decided_by_people

        return decided_by_people(plain)
    return decided_by(plain, decider_named(name, plain))


def undecided(workspace: Workspace) -> Workspace:
    """The workspace in which every run's own rule decides again."""
    return replace(workspace, runs=tuple(map(_undecided, workspace.runs)))


def _undecided(run: JoinedRun) -> JoinedRun:
    if run.people is None and run.deciding is None:
        return run
    judged = is_judged(run.run.records)
    entries = (
        replace(one, judgement=judge(one.record, one.question, run.rule, run_is_judged=judged))
        for one in run.entries
    )
    return replace(run, entries=tuple(entries), people=None, deciding=None)


def decided_by(workspace: Workspace, decider: Decider) -> Workspace:
    """The workspace with a judge's verdicts in the place of the rule's.

    An answer on which the judge says nothing is not judged, rather than left to the rule: two kinds
    of verdict in one figure would be no figure of either. A failed record stays wrong.
    """
    return replace(workspace, runs=tuple(_decided(run, decider) for run in workspace.runs))


def _decided(run: JoinedRun, decider: Decider) -> JoinedRun:
    from mnemoscope.core.workspace import Deciding

    entries = tuple(replace(one, judgement=_judgement(one, decider)) for one in run.entries)
    values = Counter(one.judgement.value for one in entries)
    changed = sum(
        after.judgement.judged and after.judgement.value is not before.judgement.value
        for before, after in zip(run.entries, entries, strict=True)
    )
    symmetric, both = None, 0
    if isinstance(decider, OneSided):
        counts = both_sides(decider, entries)
        symmetric, both = counts.symmetric, counts.both
    deciding = Deciding(
        name=decider.name,
        words=decider.words,
        decided=values[Value.RIGHT] + values[Value.WRONG],
        changed=changed,
        silent=values[Value.NOT_JUDGED],
        failed=values[Value.JUDGE_FAILED],
        one_sided=isinstance(decider, OneSided),
        symmetric=symmetric,
        both=both,
    )
    return replace(run, entries=entries, deciding=deciding)


def _judgement(entry: Entry, decider: Decider) -> Judgement:
    before, question = entry.judgement, entry.question
    if before.status in FAILED:
        # There is nothing to judge, and so nobody can call it right.
        usable = question.gold.kind is not GoldKind.NONE or not question.answerable
        return replace(before, value=Value.WRONG if usable else Value.NO_GOLD)
    said = current(entry.record)
    value = decider.value(said)
    reason = ""
    if isinstance(decider, OneJudge) and decider.voice in said:
        reason = said[decider.voice].reason
    # Whoever judged the answer has read it, also where no option could be read from it.
    read = value in (Value.RIGHT, Value.WRONG)
    status = RecordStatus.OK if read else before.status
    return Judgement(status, before.parsed, value, parse=before.parse, reason=reason)
