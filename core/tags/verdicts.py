"""What people say of answers, over rule and judge: read together, and put in the rule's place."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mnemoscope.core.model import RecordStatus, Value
from mnemoscope.core.outcomes import FAILED
from mnemoscope.core.scoring.judging import Judgement
from mnemoscope.core.tags.events import is_automatic
from mnemoscope.core.tags.fingerprint import answer_hash
from mnemoscope.core.tags.workspace_tags import WorkspaceTags
from mnemoscope.core.workspace import Entry, JoinedRun, PeopleCounts, Workspace

__all__ = ["PersonalVerdict", "current_verdicts", "decided_by_people", "most", "personal_verdicts"]


@dataclass(frozen=True, slots=True)
class PersonalVerdict:
    """What one person says of an answer."""

    annotator: str
    value: Value
    reason: str = ""
    outdated: bool = False
    """Whether it was said of another answer, which has been replaced since."""


def personal_verdicts(
    tags: WorkspaceTags, run: JoinedRun, entry: Entry
) -> tuple[PersonalVerdict, ...]:
    """What people say of one answer; rules and models are not people."""
    hash, repeat = tags.run_hashes[run.name], entry.record.repeat
    found = []
    for one in tags.about(entry.question.key):
        marks, target = one.marks, one.target
        about = target.run == hash and target.repeat == repeat
        if about and marks.verdict is not None and not is_automatic(one.annotator):
            outdated = marks.answer not in ("", answer_hash(entry.record))
            found.append(PersonalVerdict(one.annotator, marks.verdict, marks.reason, outdated))
    return tuple(found)


def current_verdicts(
    tags: WorkspaceTags, run: JoinedRun
) -> Iterator[tuple[Entry, Mapping[str, Value]]]:
    """The answers of a run that people have judged as they stand, with who says what."""
    for entry in run.entries:
        said = personal_verdicts(tags, run, entry)
        current = {one.annotator: one.value for one in said if not one.outdated}
        if current:
            yield entry, current


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
    tags = workspace.tags
    assert tags is not None
    return replace(workspace, runs=tuple(_decided(run, tags) for run in workspace.runs))


def _decided(run: JoinedRun, tags: WorkspaceTags) -> JoinedRun:
    counts: Counter[str] = Counter()
    entries = [_entry(entry, run, tags, counts) for entry in run.entries]
    return replace(run, entries=tuple(entries), people=PeopleCounts(**counts))


def _entry(entry: Entry, run: JoinedRun, tags: WorkspaceTags, counts: Counter[str]) -> Entry:
    said = personal_verdicts(tags, run, entry)
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
