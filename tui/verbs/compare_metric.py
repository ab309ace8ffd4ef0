"""Two runs by a figure stored for each record, as JSON."""

from collections.abc import Sequence

from mnemoscope.analyses.paired_metric import (
    TEST,
    MetricComparison,
    MetricRow,
    Order,
    compare_by_metric,
)
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.verbs.compare_parts import both_runs, config_diff, retrieval_info
from mnemoscope.tui.verbs.options import Flags, chosen_keys
from mnemoscope.tui.verbs.overlay_info import overlay_info
from mnemoscope.tui.verbs.tables import Json

__all__ = ["collect"]


def collect(workspace: Workspace, flags: Flags, metric: str) -> Json:
    """The comparison of a workspace's two runs by a stored figure.

    Raises:
        UsageError: Their records have no such figure in common.
    """
    keys = chosen_keys(flags, workspace)
    data = _compared(workspace, flags, metric, keys)
    if workspace.overlay is not None and workspace.overlaid is not None:
        # A stored figure, too, is about the published answer.
        listed = workspace.release.questions if keys is None else keys
        left = [key for key in listed if key not in workspace.overlay.answer_changed]
        data["overlay"] = overlay_info(workspace.overlay)
        data["overlaid"] = _compared(workspace.overlaid, flags, metric, left)
        data["overlaid"]["taken_out"] = len(listed) - len(left)
    return data


def _compared(workspace: Workspace, flags: Flags, metric: str, keys: Sequence[str] | None) -> Json:
    a, b = workspace.runs
    chosen = None if keys is None else frozenset(keys)
    found = compare_by_metric(a, b, workspace.release, metric, keys=chosen)
    interval = found.interval
    return {
        "a": a.name,
        "b": b.name,
        "runs": both_runs(workspace, keys),
        "release": workspace.release.name,
        "filter": flags.filter,
        "by": found.metric,
        "pairing": found.pairing,
        **_row(found.total),
        "test": TEST,
        "interval": None
        if interval is None
        else {"low": interval.low, "high": interval.high, "method": interval.method},
        "unpaired": found.only_in_a + found.only_in_b + found.without_figure,
        "unpaired_by_reason": {
            "only_in_a": found.only_in_a,
            "only_in_b": found.only_in_b,
            "without_figure": found.without_figure,
        },
        "by_task": [{"task": row.name} | _row(row) for row in found.by_task],
        "questions": {order.value: list(found.questions[order]) for order in Order},
        "differing": _differing(found, workspace),
        "retrieval": retrieval_info(workspace, keys),
        "config_diff": config_diff(workspace),
        "notes": list(found.notes),
    }


def _row(row: MetricRow) -> Json:
    return {
        "n": row.n,
        "mean_a": row.mean_a.value,
        "mean_b": row.mean_b.value,
        "difference": row.difference.value,
        "higher_a": row.higher_a,
        "higher_b": row.higher_b,
        "equal": row.equal,
        "p_sign": row.p_sign.value,
    }


def _differing(found: MetricComparison, workspace: Workspace) -> list[Json]:
    """The questions whose figures differ, the largest difference first."""
    differing = [key for key, (a, b) in found.values.items() if a != b]
    order = {key: place for place, key in enumerate(workspace.release.questions)}
    differing.sort(key=lambda key: (-abs(found.values[key][1] - found.values[key][0]), order[key]))
    questions = workspace.release.questions
    return [
        {
            "key": key,
            "task": questions[key].task,
            "setting": questions[key].setting,
            "stem": questions[key].stem,
            "a": found.values[key][0],
            "b": found.values[key][1],
        }
        for key in differing
    ]
