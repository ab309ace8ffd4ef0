"""AutoMem's LongMemEval runs: answers, verdicts and the sessions that were recalled."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Record, StoredMetric, Value
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.longmemeval.rows import question_ref, session_items
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["AutomemLongMemEvalRuns", "automem_identity"]

_ROW_KEYS = ("question_id", "hypothesis", "is_correct", "recalled_count")
_HIT = "recall_hit_at_5"
_NOTES = (
    "the best five sessions are stored of all that was recalled; recalled_count counts memories",
    "a stored hit says that one of the answer's sessions is among the five",
)


class AutomemLongMemEvalRuns:
    """Reads AutoMem's LongMemEval form (other-releases.md 3.11): totals, configuration, details."""

    name = "automem-longmemeval"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data: Any = None if file.is_lines or file.is_archive else file.data
        if not _is_automem(data):
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        rows = Rows("", root.at("details"), root.items("details")).nodes(log)
        records = [record for _, row in rows if (record := _read_row(row, log.file))]
        _check(root, records)
        identity, notes = _identity(file, root)
        return [
            RunPart(
                identity,
                tuple(records),
                parameters=_parameters(root),
                metrics=tuple(_figures(root)),
                defects=tuple(log.items),
                notes=(*_NOTES, *notes),
            )
        ]


def automem_identity(file: SourceFile) -> tuple[RunIdentity, tuple[str, ...]] | None:
    """The run of AutoMem's that a file of answers stands beside, by its name; None for no such."""
    path = file.path.with_name(f"{file.stem}.json")
    if not file.is_lines or not path.is_file():
        return None
    results = SourceFile(path, file.root)
    try:
        if not _is_automem(results.data):
            return None
    except InputError:
        return None
    return _identity(results, Node(results.data, "$", DefectLog()))


def _is_automem(data: Any) -> bool:
    return type(data) is dict and any_row_has(data.get("details"), *_ROW_KEYS)


def _identity(file: SourceFile, root: Node) -> tuple[RunIdentity, tuple[str, ...]]:
    config = Node(root.mapping("config"), root.at("config"), root.log)
    return identity_of(
        file,
        AutomemLongMemEvalRuns.name,
        system=root.text("backend"),
        backbone=config.text("llm_model"),
    )


def _read_row(row: Node, file: str) -> Record | None:
    ref = question_ref(row, "reference")
    if ref is None:
        return None
    answer = read_answer(row, "hypothesis")
    hit = row.boolean(_HIT)
    ids = row.texts("retrieved_session_ids")
    metrics = read_metrics(row, {"confidence": "judge's confidence"})
    return Record(
        ref=ref,
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "is_correct", reason=row.text("explanation")),),
        retrieval=session_items(ids),
        metrics=metrics if hit is None else (*metrics, StoredMetric("hit@5 session", float(hit))),
        usage={
            metric.name: metric.value
            for metric in read_metrics(
                row, {"recalled_count": "recalled_memories", "memories_stored": "stored_memories"}
            )
        },
    )


def _check(root: Node, records: Sequence[Record]) -> None:
    right = sum(record.verdicts[0].value is Value.RIGHT for record in records)
    hits = sum(StoredMetric("hit@5 session", 1.0) in record.metrics for record in records)
    for key, counted in (
        ("overall", {"correct": right, "total": len(records)}),
        ("retrieval", {"hits": hits, "total": len(records)}),
    ):
        check_totals(Node(root.mapping(key), root.at(key), root.log), counted)


def _parameters(root: Node) -> Mapping[str, Any]:
    config = root.mapping("config")
    left_out = ("llm_model", "backend")
    return {key: value for key, value in config.items() if key not in left_out}


def _figures(root: Node) -> Iterator[StoredMetric]:
    names = {"accuracy": "accuracy", "recall_any_at_5": "recall_any@5 session"}
    for key in ("overall", "retrieval"):
        yield from read_metrics(Node(root.mapping(key), root.at(key), root.log), names)
    for group, key in (("by_type", "accuracy"), ("retrieval_by_type", "recall_any_at_5")):
        types = Node(root.mapping(group), root.at(group), root.log)
        for one in types.data:
            node = Node(types.mapping(one), types.at(one), root.log)
            yield from read_metrics(node, {key: f"{names[key]}, {one}"})
    yield from read_metrics(root, {"elapsed_time": "seconds in all"})
    failures = {"memory_ingest_failures": "memories that could not be stored"}
    yield from read_metrics(root, failures)
