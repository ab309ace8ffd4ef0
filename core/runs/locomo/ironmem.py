"""IronMem's LoCoMo runs: answers, verdicts and the text that was retrieved."""

import re
from collections import Counter
from collections.abc import Sequence

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    StoredMetric,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    match_id,
    read_category,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Answer,
    Rows,
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_gold,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["IronmemRuns", "split_items"]

_QUESTION_ID = re.compile(r".*_q([0-9]{1,6})", re.DOTALL)
_ITEM = re.compile(r"^\[([0-9]{1,6})\] ", re.MULTILINE)
_ROW_KEYS = ("question_id", "question", "retrieved_context", "generated_answer", "score")
_NO_PARAMETERS = frozenset(
    (
        *("system", "answerer_model", "results", "per_question"),
        *("question_count", "error_count", "category_counts"),
    )
)
_NOTES = (
    "retrieved items are text without source ids, so no hit can be told",
    "the stored accuracies cover what the parameter overall_scope says",
    "for category 5 `ground_truth` is the adversarial answer: it is left out",
)


class IronmemRuns:
    """Reads IronMem's form (other-releases.md 3.7): a header and one list of rows."""

    name = "ironmem"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data = file.data if not file.is_lines else None
        if type(data) is not dict or not any_row_has(data.get("per_question"), *_ROW_KEYS):
            return None
        log = DefectLog(file.name)
        header = Node(data, "$", log)
        records = _read_rows(header, log.file)
        _check_counts(header, records)
        identity, notes = identity_of(
            file,
            self.name,
            system=header.text("system"),
            backbone=header.text("answerer_model"),
        )
        return [
            RunPart(
                identity,
                tuple(records),
                parameters={k: v for k, v in data.items() if k not in _NO_PARAMETERS},
                metrics=_read_results(header),
                defects=tuple(log.items),
                notes=(*_NOTES, *notes),
            )
        ]


def _read_rows(header: Node, file: str) -> list[Record]:
    records = []
    rows_of: Counter[str] = Counter()
    place = header.at("per_question")
    for _, row in Rows("", place, header.items("per_question")).nodes(header.log):
        history = row.required_text("conversation_id")
        if history is None:
            continue
        ref = _read_ref(row, history, rows_of[history])
        rows_of[history] += 1
        if ref is not None:
            records.append(_read_row(row, ref, file))
    return records


def _read_ref(row: Node, history: str, position: int) -> QuestionRef | None:
    match = match_id(row, _QUESTION_ID, "conv-26_q0")
    # Without an id the text has to tell which question it is.
    text = row.text("question") if match else row.required_text("question")
    if text is None:
        return None
    category = read_category(row, "category_int")
    return QuestionRef(
        history=history,
        question=str(int(match[1])) if match else "",
        position=None if match else position,
        text=text,
        category=category,
        gold=None if category == ADVERSARIAL else read_gold(row, "ground_truth"),
    )


def _read_row(row: Node, ref: QuestionRef, file: str) -> Record:
    error = row.data.get("error")
    if error:
        text = row.text("generated_answer") or str(error)
        answer = Answer(text, RecordStatus.ERROR, "error reported by the run")
    else:
        answer = read_answer(row, "generated_answer")
    return Record(
        ref=ref,
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "score"),),
        retrieval=_read_retrieval(row),
        context_place=row.at("retrieved_context") if row.data.get("retrieved_context") else "",
    )


def _read_retrieval(row: Node) -> Retrieval:
    context = row.text("retrieved_context")
    texts = split_items(context)
    if context.strip() and not texts:
        place = row.at("retrieved_context")
        row.log.warning("context_not_itemised", place, context, "items that begin with [1], [2] …")
        texts = [context]
    stored = row.number("num_retrieved")
    if stored is not None and stored != len(texts):
        found = row.data["num_retrieved"]
        expected = f"{len(texts)}, as many as the context holds"
        row.log.warning("retrieved_count_differs", row.at("num_retrieved"), found, expected)
    items = tuple(RetrievedItem(rank, text=text) for rank, text in enumerate(texts, start=1))
    return Retrieval(RetrievalState.TEXT, items=items)


def split_items(context: str) -> list[str]:
    """The items of a context, each of which begins with its number at the start of a line.

    A number out of turn is part of an item's text.
    """
    marks: list[re.Match[str]] = []
    for match in _ITEM.finditer(context):
        if int(match[1]) == len(marks) + 1:
            marks.append(match)
    if not marks:
        return []
    ends = [match.start() for match in marks[1:]] + [len(context)]
    return [context[match.end() : end].rstrip("\n") for match, end in zip(marks, ends, strict=True)]


def _check_counts(header: Node, records: Sequence[Record]) -> None:
    counted = {
        "question_count": len(records),
        "error_count": sum(one.detail == "error reported by the run" for one in records),
    }
    check_totals(header, counted)


def _read_results(header: Node) -> tuple[StoredMetric, ...]:
    results = Node(header.mapping("results"), header.at("results"), header.log)
    found = ((key, results.number(key)) for key in results.data)
    return tuple(StoredMetric(f"accuracy {key}", v) for key, v in found if v is not None)
