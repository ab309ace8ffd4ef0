"""LoCoMo runs in mem0's evaluated form, which memobase and others write too."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    any_row_has,
    first_groups,
    grouped_rows,
    identity_of,
    read_answer,
    read_category,
    read_gold,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.sources import SourceFile

__all__ = ["Mem0Runs"]

_METRICS = {"bleu_score": "bleu", "f1_score": "f1"}
_NOTE = "`response` is the system's answer; `answer` is the gold in this form"


class Mem0Runs:
    """Reads mem0's evaluated form (other-releases.md 3.2): ``"0"`` to ``"9"`` mapped to rows."""

    name = "mem0"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        if file.is_lines or not _is_mem0(file.data):
            return None
        log = DefectLog(file.name)
        records = [
            record
            for rows in grouped_rows(Node(file.data, "$", log))
            for position, row in rows.nodes(log)
            if (record := _read_row(row, rows.history, position, log.file))
        ]
        identity, notes = identity_of(file, self.name)
        return [RunPart(identity, tuple(records), defects=tuple(log.items), notes=(_NOTE, *notes))]


def _is_mem0(data: Any) -> bool:
    keys = ("question", "answer", "response", "llm_score")
    return any(any_row_has(rows, *keys) for rows in first_groups(data))


def _read_row(row: Node, history: str, position: int, file: str) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "response")
    return Record(
        ref=QuestionRef(
            history=history,
            position=position,
            text=text,
            category=read_category(row),
            gold=read_gold(row, "answer"),
        ),
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "llm_score"),),
        metrics=read_metrics(row, _METRICS),
    )
