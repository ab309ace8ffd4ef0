"""How far people or judges decide in a run, as JSON and in words."""

from collections.abc import Collection, Iterator
from dataclasses import asdict

from mnemoscope.core.workspace import Deciding, JoinedRun
from mnemoscope.tui.verbs.tables import Json, line, percent

__all__ = ["deciding_note", "people_info", "verified_lines"]


def people_info(run: JoinedRun, keys: Collection[str] | None = None) -> Json:
    """What decides in a run; with the counts where people or judges are asked.

    Args:
        run: The run.
        keys: The questions that figures of judge and verifier are about; all when None.
    """
    if run.deciding is not None:
        return {
            "rule": run.decided_by,
            "deciding": asdict(run.deciding),
            "verified": _verified(run, keys),
        }
    if run.people is None:
        return {"rule": run.rule}
    return {"rule": run.decided_by, "people": asdict(run.people)}


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


def _verified(run: JoinedRun, keys: Collection[str] | None) -> Json | None:
    """The one-sided figure with the one that treats judge and verifier alike."""
    from mnemoscope.analyses.judges import verified_run

    found = verified_run(run, keys)
    if found is None:
        return None
    return {
        "judge_alone": found.judge.as_json(),
        "one_sided": found.one_sided.as_json(),
        "symmetric": found.symmetric.as_json(),
        "changed": found.changed,
        "unverified": found.unverified,
    }


def verified_lines(run: Json) -> Iterator[str]:
    """The same for people; nothing where no verifier decides."""
    found = run.get("verified")
    if not found:
        return
    said = [
        f"{name} {percent(found[key]['value'], found[key]['status'])}"
        for name, key in (
            ("judge alone", "judge_alone"),
            ("judge+verifier, one-sided", "one_sided"),
            ("symmetric", "symmetric"),
        )
    ]
    note = found["symmetric"].get("note", "")
    n = found["one_sided"]["n"]
    yield from line(f"{', '.join(said)} (n {n}){f': {note}' if note else ''}", indent=2)


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
