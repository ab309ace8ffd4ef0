"""What people say of answers, over rule and judge: read together, and put in the rule's place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from mnemoscope.core.model import RecordStatus, Value
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.scoring.judging import Judgement
from mnemoscope.core.tags.events import is_automatic
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Entry, JoinedRun, PeopleCounts, Workspace

__all__ = ["PersonalVerdict", "PersonalVerdicts", "decided_by_people", "most"]


@dataclass(frozen=True, slots=True)
class PersonalVerdict:
    """What one person says of an answer."""

    annotator: str
    value: Value
    reason: str = ""
    outdated: bool = False
    """Whether it was said of another answer, which has been replaced since."""


@dataclass(frozen=True)
class PersonalVerdicts:
    """What people say of the answers of the open runs; rules and models are not people."""

    tags: WorkspaceTags
    _said: dict[tuple[str, str, int], list[tuple[str, Value, str, str]]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        for one in self.tags.statements():
            marks, target = one.marks, one.target
            if marks.verdict is not None and not is_automatic(one.annotator):
                place = (target.run, target.question, target.repeat)
                said = (one.annotator, marks.verdict, marks.reason, marks.answer)
                self._said.setdefault(place, []).append(said)

    def of(self, run: JoinedRun, entry: Entry) -> tuple[PersonalVerdict, ...]:
        """What people say of one answer, by annotator."""
        place = (self.tags.run_hashes[run.name], entry.question.key, entry.record.repeat)
        found = self._said.get(place, ())
        now = answer_hash(entry.record) if found else ""
        return tuple(
            PersonalVerdict(annotator, value, reason, bool(seen) and seen != now)
            for annotator, value, reason, seen in found
        )

    def current(self, run: JoinedRun) -> Iterator[tuple[Entry, Mapping[str, Value]]]:
        """The answers of a run that people have judged as they stand, with who says what."""
        for entry in run.entries:
            said = {one.annotator: one.value for one in self.of(run, entry) if not one.outdated}
            if said:
                yield entry, said


def most(values: Mapping[str, Value]) -> Value | None:
    """What more than half say of an answer; None where as many say right as wrong."""
    counts = Counter(values.values())
    return next((value for value, n in counts.items() if n * 2 > len(values)), None)


def decided_by_people(workspace: Workspace) -> Workspace:
    """The workspace with people's verdicts in the place of what rule or judge says.

    The majority of those who judged an answer decides; where there is none, the answer counts as
    not judged. A failed record stays wrong, whatever people say of it. Everything else is left to
    the run's rule. How many are decided by people stands with each run.

    Args:
        workspace: A workspace whose tags have been read.
    """
    assert workspace.tags is not None
    verdicts = PersonalVerdicts(workspace.tags)
    return replace(workspace, runs=tuple(_decided(run, verdicts) for run in workspace.runs))


def _decided(run: JoinedRun, verdicts: PersonalVerdicts) -> JoinedRun:
    counts: Counter[str] = Counter()
    entries = [_entry(entry, run, verdicts, counts) for entry in run.entries]
    return replace(run, entries=tuple(entries), people=PeopleCounts(**counts))


def _entry(entry: Entry, run: JoinedRun, verdicts: PersonalVerdicts, counts: Counter[str]) -> Entry:
    said = verdicts.of(run, entry)
    current = {one.annotator: one.value for one in said if not one.outdated}
    if not current:
        counts["outdated"] += bool(said)
        return entry
    before = entry.judgement
    if before.status in FAILED:
        counts["on_failed"] += 1
        return entry
    value = most(current)
    counts["tied" if value is None else "decided"] += 1
    if value is None:
        return replace(entry, judgement=replace(before, value=Value.NOT_JUDGED))
    counts["changed"] += value is not before.value
    # Whoever judged the answer has read it, also where no option could be read from it.
    return replace(entry, judgement=Judgement(RecordStatus.OK, before.parsed, value))
