"""OpenClaw's LoCoMo runs: answers and verdicts of every question, adversarial ones included."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    conversation_of,
    source_of_id,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    identity_of,
    read_answer,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["OpenclawRuns"]

_ROW_KEYS = ("question", "user_id", "answer", "judge_result", "context_ids")
_LABELS = {"CORRECT": Value.RIGHT, "WRONG": Value.WRONG, "ERROR": Value.JUDGE_FAILED}
_NOTES = (
    "the rows hold neither gold nor category: both are the release's",
    "the label ERROR means that the judge's output could not be read: the judge failed, and the "
    "answer is not wrong",
    "for category 5 the judge was given an empty gold",
)


class OpenclawRuns:
    """Reads OpenClaw's form (other-releases.md 3.5): a list of rows of all conversations."""

    name = "openclaw"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        if file.is_lines or not any_row_has(file.data, *_ROW_KEYS):
            return None
        log = DefectLog(file.name)
        records = []
        rows_of: Counter[str] = Counter()
        for _, row in Rows("", "$", file.data).nodes(log):
            user = row.required_text("user_id")
            if user is None:
                continue
            history = conversation_of(user)
            record = _read_row(row, history, rows_of[history], log.file)
            rows_of[history] += 1
            if record is not None:
                records.append(record)
        identity, notes = identity_of(file, self.name)
        return [
            RunPart(identity, tuple(records), defects=tuple(log.items), notes=(*_NOTES, *notes))
        ]


def _read_row(row: Node, history: str, position: int, file: str) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "answer")
    return Record(
        ref=QuestionRef(history=history, position=position, text=text),
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(_read_verdict(row),),
        retrieval=_read_retrieval(row),
        context_place=row.at("context") if row.data.get("context") else "",
    )


def _read_verdict(row: Node) -> Verdict:
    result = row.mapping("judge_result")
    if not result:
        return Verdict("stored", Value.NOT_JUDGED)
    judged = Node(result, row.at("judge_result"), row.log)
    label: Any = result.get("label")
    reason, score = judged.text("reasoning"), judged.number("score")
    value = _LABELS.get(label) if type(label) is str else None
    if value is None:
        judged.wrong("label", f"one of {', '.join(_LABELS)}")
        return Verdict("stored", Value.JUDGE_FAILED, reason=reason, score=score)
    if value is Value.JUDGE_FAILED:
        # The score of a judge that failed is a default, not a judgement.
        return Verdict("stored", value, reason=reason)
    return Verdict("stored", value, reason=reason, score=score)


def _read_retrieval(row: Node) -> Retrieval:
    """An empty list says nothing: the form has it in every row."""
    sources = [source_of_id(one) for one in row.texts("context_ids") if one]
    if not sources:
        has_text = bool(row.text("context").strip())
        return Retrieval(RetrievalState.TEXT if has_text else RetrievalState.NOT_STORED)
    items = tuple(RetrievedItem(rank, (one,)) for rank, one in enumerate(sources, start=1))
    turns = all(source.round_id for source in sources)
    return Retrieval(RetrievalState.IDS, "round" if turns else "session", items)
