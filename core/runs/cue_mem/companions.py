"""Files that CUE-Mem writes beside its results: accuracies, timings, summaries, caches."""

from collections.abc import Iterator, Mapping
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import StoredMetric
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.rows import as_number, number_at, opens_with

__all__ = [
    "accuracy_metrics",
    "efficiency_facts",
    "full_metrics",
    "is_accuracy",
    "is_efficiency",
    "is_full_metrics",
    "is_unused",
    "numbers",
]

_OVERALL = "__overall__"
_EFFICIENCY = frozenset(("llm_name", "memory_name", "qa_count", "memory_time_seconds"))
_CONFIGURATION = ("llm_name", "memory_name", "is_multimodal", "max_workers")
_MEASURED = (
    "conversation_turns",
    "qa_count",
    "qa_completed",
    "memory_time_seconds",
    "qa_time_seconds",
    "total_time_seconds",
)
_UNUSED = (
    frozenset(("model", "memory", "category_filter")),
    frozenset(("truth_answer_distribution", "model_answer_distribution")),
    frozenset(("model", "memory", "memory_display")),
    frozenset(("compare_key", "per_run")),
    frozenset(("total_runs", "run_labels", "total_qas")),
    frozenset(("cross_compare_dir", "retention_sets")),
    frozenset(("index_mode", "embedding_provider")),
)
"""Aggregates over systems, comparisons, retention reports, and descriptions of embeddings."""


def is_unused(data: object) -> bool:
    """Whether this is a file of the benchmark that adds nothing to any run."""
    if type(data) is dict and data.keys() >= {"notes", "rows"}:
        return opens_with(data["rows"], {"Backbone", "Memory"})
    return any(opens_with(data, keys) for keys in _UNUSED)


def is_accuracy(data: object) -> bool:
    """Whether this is an ``_accuracy.json``."""
    return type(data) is dict and opens_with(data.get(_OVERALL), {"overall"}, depth=1)


def accuracy_metrics(data: dict[str, Any], history: str, log: DefectLog) -> list[StoredMetric]:
    """Counts and percentages as stored, such as ``p0 pref_text explicit correct``."""
    metrics = []
    root = Node(data, "$", log)
    for point in data:
        splits = root.mapping(point)
        for split in splits:
            cell = Node(splits, root.at(point), log).mapping(split)
            node = Node(cell, f"{root.at(point)}.{split}", log)
            words = (history, point, split)
            name = " ".join(word for word in words if word not in ("", _OVERALL, "overall"))
            metrics += numbers(node, ("correct", "total"), name)
            metrics += numbers(node, ("accuracy",), name, unit="%")
    return metrics


def is_efficiency(data: object) -> bool:
    """Whether this is an ``_efficiency.json``."""
    return type(data) is dict and data.keys() >= _EFFICIENCY


def efficiency_facts(
    data: dict[str, Any], history: str, log: DefectLog
) -> tuple[dict[str, Any], list[StoredMetric]]:
    """The configuration that the file states, and what it measured for one history."""
    parameters = {key: data[key] for key in _CONFIGURATION if key in data}
    measured = numbers(Node(data, "$", log), _MEASURED, history or str(data.get("sample_id", "")))
    return parameters, measured


def numbers(
    node: Node, keys: tuple[str, ...], prefix: str, *, unit: str = ""
) -> list[StoredMetric]:
    """Figures as stored, named ``PREFIX KEY UNIT``."""
    found = ((key, number_at(node, key)) for key in keys)
    return [
        StoredMetric(f"{prefix} {key} {unit}".strip(), value)
        for key, value in found
        if value is not None
    ]


def is_full_metrics(data: object) -> bool:
    """Whether this is RQ3's ``full_metrics.json``: figures by variant."""
    if type(data) is not dict or not data:
        return False
    keys = {"accuracy", "retrieval", "num_results"}
    return all(type(one) is dict and keys <= one.keys() for one in data.values())


def full_metrics(figures: Mapping[str, Any], place: str, log: DefectLog) -> list[StoredMetric]:
    """Every figure of one variant, such as ``pref_img accuracy`` or ``explicit recall@5``."""
    return list(_flattened(figures, (), place, log))


_DEEPEST = 6
# Words of the path that only group: what is left still names the figure in full.
_GROUPING = frozenset(("overall", "by_point", "by_expression", "by_modality", "by_category"))


def _flattened(
    value: object, path: tuple[str, ...], place: str, log: DefectLog
) -> Iterator[StoredMetric]:
    if type(value) is dict and len(path) < _DEEPEST:
        parent = Node(value, place, log)
        for key, child in value.items():
            yield from _flattened(child, (*path, key), parent.at(key), log)
    elif (number := as_number(value)) is not None:
        yield StoredMetric(_figure_name(path), number)
    elif value is not None:
        log.error("wrong_type", place, value, "a number")


def _figure_name(path: tuple[str, ...]) -> str:
    """``retrieval, overall, recall@k, 5`` is ``recall@5``."""
    words = [word for word in path if word not in _GROUPING]
    if path[0] in ("accuracy", "retrieval") and len(words) > 1 and words[-1] != "count":
        words = words[1:]
    if len(words) > 1 and words[-2].endswith("@k"):
        words[-2:] = [words[-2].removesuffix("k") + words[-1]]
    return " ".join(words)
