"""HyperBinder's PersonaMem runs: the stored answer of the nearest stored question."""

from collections.abc import Iterator, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QueryPart,
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    StoredMetric,
    Value,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_gold,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["HyperBinderRuns", "option_label"]

_ROW_KEYS = ("question_id", "ground_truth", "retrieved", "retrieved_question_id")
_LEAK = "rows bring back the very question that they ask"
_NOTES = (
    "nothing is generated: the answer is the one stored with the nearest stored question",
    "options are written with brackets, such as (c); the release may write them without",
)
_TOTALS = ("total", "total_questions", "num_questions")
_RIGHT = ("correct", "num_correct")


class HyperBinderRuns:
    """Reads HyperBinder's form (other-releases.md 3.14): ``results`` with details in each."""

    name = "hyperbinder-personamem"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """A run for each of the results."""
        data: Any = None if file.is_lines or file.is_archive else file.data
        results = data.get("results") if type(data) is dict else None
        if type(results) is not list or not any(map(_has_details, results)):
            return None
        header = {key: value for key, value in data.items() if key != "results"}
        parts = []
        for at, result in enumerate(results):
            log = DefectLog(file.name)
            place = f"$.results[{at}]"
            suffix = f"#{at + 1}" if len(results) > 1 else ""
            if type(result) is dict:
                parts.append(_part(file, Node(result, place, log), suffix, header))
            else:
                log.error("wrong_type", place, result, "an object")
                identity, _ = identity_of(file, self.name, stem=f"{file.stem}{suffix}")
                parts.append(RunPart(identity, defects=tuple(log.items)))
        return parts


def _has_details(result: Any) -> bool:
    return type(result) is dict and any_row_has(result.get("details"), *_ROW_KEYS)


def _part(file: SourceFile, result: Node, suffix: str, header: dict[str, Any]) -> RunPart:
    rows = list(result.nodes("details"))
    records = [record for row in rows if (record := _record(row))]
    right = sum(record.verdicts[0].value is Value.RIGHT for record in records)
    check_totals(result, {key: len(records) for key in _TOTALS} | dict.fromkeys(_RIGHT, right))
    identity, notes = identity_of(file, HyperBinderRuns.name, stem=f"{file.stem}{suffix}")
    own = {
        key: value
        for key, value in result.data.items()
        if key not in ("details", "accuracy", *_TOTALS, *_RIGHT)
    }
    return RunPart(
        identity,
        tuple(records),
        parameters={**header, **own},
        metrics=read_metrics(result, {"accuracy": "accuracy"}),
        defects=tuple(result.log.items),
        notes=(*_NOTES, *_leak(rows), *notes),
    )


def _leak(rows: Sequence[Node]) -> Iterator[str]:
    """Say that gold was in the store: a question that finds itself finds its own answer."""
    own = sum(
        row.data.get("retrieved_question_id") == row.data.get("question_id") is not None
        for row in rows
    )
    if own:
        yield f"gold leaked into the store: {own:,} of {len(rows):,} {_LEAK}"


def _record(row: Node) -> Record | None:
    question = row.required_text("question_id")
    if question is None:
        return None
    answer = read_answer(row, "retrieved")
    return Record(
        # The id is unique in the world; the question is written otherwise in each copy of the data.
        ref=QuestionRef(question=question, gold=read_gold(row, "ground_truth")),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        parsed=option_label(answer.text),
        verdicts=(read_verdict(row, "correct"),),
        retrieval=_retrieval(row),
        metrics=_metrics(row),
    )


def option_label(text: str) -> str:
    """The option that an answer names alone, with brackets or without; empty for other answers."""
    label = text.strip().removeprefix("(").removesuffix(")")
    return label.lower() if len(label) == 1 and label.isascii() and label.isalpha() else ""


def _retrieval(row: Node) -> Retrieval:
    """The stored question that was nearest: it is a text, and no round of any history."""
    text = row.text("retrieved_question") or row.text("retrieved")
    parts = (QueryPart(item_id=row.text("retrieved_question_id")),)
    items = (RetrievedItem(1, text=text, parts=parts),) if text else ()
    return Retrieval(RetrievalState.TEXT, items=items)


def _metrics(row: Node) -> tuple[StoredMetric, ...]:
    metrics = read_metrics(row, {"confidence": "confidence"})
    distance = row.data.get("distance_prop")
    if distance is None:
        return metrics
    share = _share(distance)
    if share is None:
        row.wrong("distance_prop", "a share such as 92.67%")
        return metrics
    return (*metrics, StoredMetric("place in the context", share))


def _share(value: Any) -> float | None:
    """``92.67%`` as 0.9267."""
    if type(value) is not str or not value.endswith("%") or len(value) > 20:
        return None
    try:
        share = float(value[:-1]) / 100
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
