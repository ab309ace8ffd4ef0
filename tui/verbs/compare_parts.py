"""What every comparison of two runs holds, as JSON, whatever it compares them by."""

from collections.abc import Collection

from mnemoscope.analyses.configuration import compare_configurations
from mnemoscope.analyses.paired_retrieval import compare_retrieval
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.verbs.people_info import people_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["both_runs", "config_diff", "retrieval_info"]


def both_runs(workspace: Workspace, keys: Collection[str] | None) -> list[Json]:
    """The two runs that are compared, on some questions or on all when None."""
    return [
        {
            "name": run.name,
            "letter": run.letter,
            "system": run.run.system,
            "backbone": run.run.backbone,
            **people_info(run, keys),
        }
        for run in workspace.runs
    ]


def retrieval_info(workspace: Workspace, keys: Collection[str] | None) -> Json:
    """How much of the gold evidence each brought back, at a grain that both allow."""
    a, b = workspace.runs
    chosen = None if keys is None else frozenset(keys)
    found = compare_retrieval(a, b, workspace.release, keys=chosen)
    return {
        "grain": found.grain.value,
        "n": found.n,
        "recall_a": found.recall_a.value,
        "recall_b": found.recall_b.value,
        "difference": found.difference.value,
        "status": found.difference.status.value,
        "not_measured": found.not_measured,
        "note": found.note,
    }


def config_diff(workspace: Workspace) -> list[Json]:
    """The settings in which the two differ."""
    return [
        {"name": one.name, "relation": one.relation.value, "a": one.full_a, "b": one.full_b}
        | {"shown_a": one.a, "shown_b": one.b}
        for one in compare_configurations(*workspace.runs).differing
    ]
