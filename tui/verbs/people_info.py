"""How far people or judges decide in a run, as JSON and in words."""

from collections.abc import Collection, Iterator
from dataclasses import asdict

from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.verbs.tables import Json, line, percent

__all__ = ["people_info", "verified_lines"]


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
