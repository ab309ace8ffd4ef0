"""How far people's verdicts decide in a run, as JSON and in words."""

from dataclasses import asdict

from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.verbs.tables import Json

__all__ = ["people_info", "people_note"]


def people_info(run: JoinedRun) -> Json:
    """What decides in a run; with the counts where people are asked."""
    if run.people is None:
        return {"rule": run.rule}
    return {"rule": run.decided_by, "people": asdict(run.people)}


def people_note(run: JoinedRun) -> str:
    """How far people decide in a run, in a sentence; empty where they are not asked."""
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
