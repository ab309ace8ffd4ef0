"""Files that Mem-Gallery writes beside its results: figures by row, retrieval, times, sums."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.model import StoredMetric
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.rows import as_number

__all__ = ["ROW_FIGURES", "is_figures", "is_sum", "read_averages", "read_row_figures"]

ROW_FIGURES = {
    "overall_f1": "f1",
    "overall_bleu": "bleu",
    "overall_bleu_1": "bleu_1",
    "overall_bleu_2": "bleu_2",
    "overall_em": "em",
}
"""Lists of an evaluation by row, and the names that their figures go by here."""

_AVERAGES = "avg_overall_metrics_final"
_BY_POINT = "avg_category_metrics_final"
_DEPTH = "Eval@K"


def is_figures(data: Any) -> bool:
    """Whether this is an ``_evaluate_result.json`` or a ``_retrieval_metrics.json``."""
    return type(data) is dict and type(data.get(_AVERAGES)) is dict and _BY_POINT in data


def is_sum(data: Any) -> bool:
    """Whether this is ``ALL_evaluate_result.json``, which repeats the evaluations of all files."""
    return type(data) is dict and "individual_results" in data and "overall_statistics" in data


def read_averages(node: Node, prefix: str, *, by_point: bool = False) -> Iterator[StoredMetric]:
    """Averages as stored, such as ``PREFIX recall@5`` or ``PREFIX f1, VS``.

    Args:
        node: What holds the averages.
        prefix: Which rows they are about: a scenario, or ``all``.
        by_point: Whether the averages of each point of the questions are wanted too.
    """
    overall = Node(node.mapping(_AVERAGES), node.at(_AVERAGES), node.log)
    depth = overall.number(_DEPTH)
    k = "k" if depth is None else f"{depth:g}"
    yield from _averages(overall, prefix, k, "")
    if not by_point:
        return
    points = Node(node.mapping(_BY_POINT), node.at(_BY_POINT), node.log)
    for point, figures in points.data.items():
        place = points.at(point)
        # Evaluations write a list of objects with one figure each, retrieval metrics an object.
        for at, one in enumerate(figures if type(figures) is list else [figures]):
            where = f"{place}[{at}]" if type(figures) is list else place
            if type(one) is dict:
                yield from _averages(Node(one, where, node.log), prefix, k, f", {point}")
            else:
                node.log.error("wrong_type", where, one, "an object")


def _averages(node: Node, prefix: str, k: str, suffix: str) -> Iterator[StoredMetric]:
    for key in node.data:
        value = None if key == _DEPTH else node.number(key)
        if value is not None:
            name = key.lower().replace("@k", f"@{k}")
            yield StoredMetric(f"{prefix} {name}{suffix}", value)


def read_row_figures(node: Node) -> Sequence[tuple[StoredMetric, ...]]:
    """Each row's figures in the order of the results; none when the lists differ in length."""
    lists: Mapping[str, list[Any]] = {
        key: node.items(key) for key in ROW_FIGURES if key in node.data
    }
    lengths = {len(values) for values in lists.values()}
    if len(lengths) > 1:
        found = ", ".join(f"{key} {len(values)}" for key, values in lists.items())
        node.log.warning("row_metrics_unmatched", node.place, found, "lists of equal length")
        return ()
    rows: list[list[StoredMetric]] = [[] for _ in range(max(lengths, default=0))]
    for key, values in lists.items():
        for at, (row, found) in enumerate(zip(rows, values, strict=True)):
            value = float(found) if type(found) is bool else as_number(found)
            if value is None or not math.isfinite(value):
                node.log.error("wrong_type", f"{node.at(key)}[{at}]", found, "a finite number")
            else:
                row.append(StoredMetric(ROW_FIGURES[key], value))
    return [tuple(row) for row in rows]
