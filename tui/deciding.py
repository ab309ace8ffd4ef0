"""Who decides what is right: what there is to choose from, and how far they do."""

from dataclasses import dataclass

from mnemoscope.core.judges.deciders import deciders_of
from mnemoscope.core.judges.deciding import PERSON, RULE
from mnemoscope.core.tags.verdicts import current_verdicts
from mnemoscope.core.workspace import Deciding, JoinedRun, Workspace

__all__ = ["DeciderRow", "decider_rows", "deciding_note"]


@dataclass(frozen=True, slots=True)
class DeciderRow:
    """Somebody who can decide."""

    name: str
    """As ``--verdicts`` takes it."""
    words: str
    """How they decide."""
    answers: int | None
    """How many answers they have judged; None where that is not counted."""


def decider_rows(workspace: Workspace) -> list[DeciderRow]:
    """Everybody who can decide: the rule, people, and judges that have judged an answer."""
    people = None
    if workspace.tags is not None:
        tags = workspace.tags
        people = sum(1 for run in workspace.runs for _ in current_verdicts(tags, run))
    rows = [
        DeciderRow(RULE, "each run's own rule", None),
        DeciderRow(PERSON, "people, else each run's rule", people),
    ]
    return rows + [DeciderRow(one.name, one.words, n) for one, n in deciders_of(workspace)]


def deciding_note(run: JoinedRun) -> str:
    """How far people or judges decide in a run, in a sentence; empty where the rule does."""
    if run.deciding is not None:
        return _judges_note(run, run.deciding)
    counts = run.people
    if counts is None:
        return ""
    said = [
        f"people decide {counts.decided} of {len(run.entries)} records, {counts.changed} of them "
        f"otherwise than {run.rule}"
    ]
    if counts.tied:
        said.append(f"{counts.tied} are not judged, for people disagree")
    if counts.on_failed:
        said.append(f"{counts.on_failed} failed and stay wrong")
    if counts.outdated:
        said.append(f"{counts.outdated} verdicts are about an answer that was replaced since")
    return f"{run.label}: {'; '.join(said)}"


def _judges_note(run: JoinedRun, one: Deciding) -> str:
    said = [
        f"{one} decides {one.decided} of {len(run.entries)} records, {one.changed} of them "
        f"otherwise than {run.rule}"
    ]
    if one.silent:
        said.append(f"{one.silent} are not judged by it, and in no mean")
    if one.failed:
        said.append(f"on {one.failed} the judge failed; they are in no mean")
    return f"{run.label}: {'; '.join(said)}"
