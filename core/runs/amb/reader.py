"""Runs of the agent memory benchmark (AMB), such as cognee's on LoCoMo: with the context sent."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
    Value,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.categories import read_named_category
from mnemoscope.core.runs.locomo.rows import match_id
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["AmbLocomoRuns", "AmbRuns", "split_memories"]

_ROW_KEYS = ("query_id", "query", "answer", "context", "gold_answers")
_QUERY_ID = re.compile(r"(.*)_q([0-9]{1,6})", re.DOTALL)
_BLOCK = re.compile(r"^## Memory ([0-9]{1,6})[ \t]*\n", re.MULTILINE)
_TURN = re.compile(r'"dia_id": "(D[0-9]{1,6}:[0-9]{1,6})"')
_MEASURED = {
    "accuracy": "accuracy",
    "ingestion_time_ms": "ingestion_time_ms",
    "ingested_docs": "ingested documents",
    "avg_retrieve_time_ms": "retrieve_time_ms, mean over the rows",
    "avg_context_tokens": "context_tokens, mean over the rows",
}
_NO_PARAMETERS = frozenset(
    (*_MEASURED, "results", "memory_provider", "answer_llm", "total_queries", "correct")
)
_USAGE = ("context_tokens", "retrieve_time_ms")
_CUT = (
    "turn ids are read back from the context, whose slices cut through turns: an id can be there "
    "without its text"
)


class AmbLocomoRuns:
    """Reads AMB's form (other-releases.md 3.10) where it is about LoCoMo."""

    name = "amb-locomo"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data = _results(file)
        if data is None or not _is_locomo(data):
            return None
        return [_part(file, self.name, data, _read_locomo_rows, (_CUT,))]


class AmbRuns:
    """Reads AMB's form about its other benchmarks, whose questions have ids of their own."""

    name = "amb"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data = _results(file)
        if data is None or _is_locomo(data):
            return None
        return [_part(file, self.name, data, _read_rows, ())]


def _results(file: SourceFile) -> dict[str, Any] | None:
    data = file.data if not file.is_lines else None
    return data if type(data) is dict and any_row_has(data.get("results"), *_ROW_KEYS) else None


def _part(
    file: SourceFile,
    form: str,
    data: dict[str, Any],
    read_rows: Callable[[Iterator[Node]], Iterator[Record]],
    notes: tuple[str, ...],
) -> RunPart:
    log = DefectLog(file.name)
    header = Node(data, "$", log)
    records = list(read_rows(header.nodes("results")))
    right = sum(record.verdicts[0].value is Value.RIGHT for record in records)
    check_totals(header, {"total_queries": len(records), "correct": right})
    identity, own_notes = identity_of(
        file,
        form,
        system=header.text("memory_provider"),
        backbone=header.text("answer_llm"),
    )
    return RunPart(
        identity,
        tuple(records),
        parameters={k: v for k, v in data.items() if k not in _NO_PARAMETERS},
        metrics=read_metrics(header, _MEASURED),
        defects=tuple(log.items),
        notes=(*notes, *own_notes),
    )


def _is_locomo(data: dict[str, Any]) -> bool:
    dataset = data.get("dataset")
    if type(dataset) is str:
        return dataset.casefold().startswith("locomo")
    ids = [row.get("query_id") for row in data["results"] if type(row) is dict]
    return any(type(one) is str and _QUERY_ID.fullmatch(one) for one in ids)


def _read_rows(rows: Iterator[Node]) -> Iterator[Record]:
    for row in rows:
        question = row.required_text("query_id")
        if question is not None:
            meta = Node(row.mapping("meta"), row.at("meta"), row.log)
            category, gold = meta.text("question_type"), _read_gold(row)
            ref = QuestionRef(
                question=question, text=row.text("query"), category=category, gold=gold
            )
            yield _read_row(row, ref)


def _read_locomo_rows(rows: Iterator[Node]) -> Iterator[Record]:
    rows_of: Counter[str] = Counter()
    for row in rows:
        meta = Node(row.mapping("meta"), row.at("meta"), row.log)
        ref = _read_ref(row, meta, rows_of)
        if ref is not None:
            yield _read_row(row, ref)


def _read_ref(row: Node, meta: Node, rows_of: Counter[str]) -> QuestionRef | None:
    match = match_id(row, _QUERY_ID, "conv-26_q0", "query_id")
    history = meta.text("sample_id") or (match[1] if match else "")
    position = rows_of[history]
    rows_of[history] += 1
    # Without an id the text has to tell which question it is.
    text = row.text("query") if match else row.required_text("query")
    if text is None:
        return None
    return QuestionRef(
        history=history,
        question=str(int(match[2])) if match else "",
        position=None if match else position,
        text=text,
        category=read_named_category(meta),
        gold=_read_gold(row),
    )


def _read_gold(row: Node) -> str | None:
    """The gold answers, some of which are numbers; none for an empty list."""
    golds = row.items("gold_answers")
    odd = [one for one in golds if type(one) not in (str, int, float)]
    if odd:
        row.log.warning("gold_odd", row.at("gold_answers"), odd[0], "texts and numbers")
    return " | ".join(str(one) for one in golds if type(one) in (str, int, float)) or None


def _read_row(row: Node, ref: QuestionRef) -> Record:
    answer = read_answer(row, "answer")
    usage = ((key, row.number(key)) for key in _USAGE)
    return Record(
        ref=ref,
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        reasoning=row.text("reasoning"),
        verdicts=(read_verdict(row, "correct", reason=row.text("judge_reason")),),
        retrieval=_read_retrieval(row),
        context_place=row.at("context") if row.data.get("context") else "",
        usage={key: value for key, value in usage if value is not None},
    )


def _read_retrieval(row: Node) -> Retrieval:
    context = row.text("context")
    if not context.strip():
        return Retrieval()
    memories = split_memories(context)
    if not memories:
        place = row.at("context")
        row.log.warning("context_not_itemised", place, context, "memories under '## Memory 1' …")
        memories = [context]
    items = tuple(
        RetrievedItem(
            rank,
            tuple(SourceRef(round_id=one) for one in dict.fromkeys(_TURN.findall(text))),
            text=text,
        )
        for rank, text in enumerate(memories, start=1)
    )
    if not any(item.sources for item in items):
        return Retrieval(RetrievalState.TEXT, items=items)
    return Retrieval(RetrievalState.IDS, "round", items, _CUT)


def split_memories(context: str) -> list[str]:
    """The memories of a context, each under a heading with its number; an odd one is text."""
    marks: list[re.Match[str]] = []
    for match in _BLOCK.finditer(context):
        if int(match[1]) == len(marks) + 1:
            marks.append(match)
    if not marks:
        return []
    ends = [match.start() for match in marks[1:]] + [len(context)]
    return [context[match.end() : end].rstrip("\n") for match, end in zip(marks, ends, strict=True)]
