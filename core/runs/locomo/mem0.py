"""LoCoMo runs in mem0's form, which memobase and others write too: evaluated or not yet."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record, Value, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.mem0_memories import (
    MEMORY_KEYS,
    has_memories,
    read_memories,
    read_times,
)
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    first_groups,
    grouped_rows,
    read_category,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    any_row_has,
    identity_of,
    read_answer,
    read_gold,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["Mem0Runs"]

_ROW_KEYS = ("question", "answer", "response")
_METRICS = {"bleu_score": "bleu", "f1_score": "f1"}
_NOTE = "`response` is the system's answer; `answer` is the gold in this form"
_UNJUDGED = Verdict("stored", Value.NOT_JUDGED, reason="the file is not evaluated yet")
_SEARCHED = (
    "memories are searched for each of the two speakers: the second speaker's follow the first's, "
    "so that ranks count through both"
)


class Mem0Runs:
    """Reads mem0's form (other-releases.md 3.2): ``"0"`` to ``"9"`` mapped to rows."""

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
        identity, names = identity_of(file, self.name)
        searched = any(record.retrieval.items for record in records)
        notes = (_NOTE, *((_SEARCHED,) if searched else ()), *names)
        return [RunPart(identity, tuple(records), defects=tuple(log.items), notes=notes)]


def _is_mem0(data: Any) -> bool:
    return any(
        any_row_has(rows, *_ROW_KEYS, further)
        for rows in first_groups(data)
        for further in ("llm_score", *MEMORY_KEYS)
    )


def _read_row(row: Node, history: str, position: int, file: str) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "response")
    category = read_category(row)
    evaluated = "llm_score" in row.data or not has_memories(row)
    return Record(
        ref=QuestionRef(
            history=history,
            position=position,
            text=text,
            category=category,
            # The unevaluated form writes an empty text where a question has no answer.
            gold=None if category == ADVERSARIAL else read_gold(row, "answer"),
        ),
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "llm_score") if evaluated else _UNJUDGED,),
        retrieval=read_memories(row),
        metrics=read_metrics(row, _METRICS),
        usage=read_times(row),
    )
