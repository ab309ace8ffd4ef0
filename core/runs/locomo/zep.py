"""Zep's LoCoMo runs: grades and responses, two files about the same rows."""

import re
from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
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
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["ZepRuns"]

_HALF = re.compile(r"[ ._-]*(?:grades|responses)$", re.IGNORECASE)
_NOTE = "`answer` is the system's answer here; the mem0 form uses the same key for the gold"


class ZepRuns:
    """Reads Zep's form (other-releases.md 3.1): conversations mapped to rows."""

    name = "zep"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """One half of a run, or a whole one when nothing stands beside it."""
        if file.is_lines or not _is_zep(file.data):
            return None
        log = DefectLog(file.name)
        records = [
            record
            for rows in grouped_rows(Node(file.data, "$", log))
            for position, row in rows.nodes(log)
            if (record := _read_row(row, rows.history, position, log.file))
        ]
        stem = _HALF.sub("", file.stem)
        identity, notes = identity_of(file, self.name, stem=stem)
        return [RunPart(identity, tuple(records), defects=tuple(log.items), notes=(_NOTE, *notes))]


def _is_zep(data: Any) -> bool:
    return any(
        any_row_has(rows, "question", "answer", "golden_answer", half)
        for rows in first_groups(data)
        for half in ("grade", "duration_ms")
    )


def _read_row(row: Node, history: str, position: int, file: str) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "answer")
    duration = row.number("duration_ms")
    # A response row has no verdict to give, which is not the same as "not judged".
    judged = "grade" in row.data or "duration_ms" not in row.data
    return Record(
        ref=QuestionRef(
            history=history,
            position=position,
            text=text,
            category=read_category(row),
            gold=read_gold(row, "golden_answer"),
        ),
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "grade"),) if judged else (),
        usage={} if duration is None else {"duration_ms": duration},
    )
