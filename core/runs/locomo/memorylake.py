"""MemoryLake's LoCoMo runs: one file per conversation."""

import re
from collections.abc import Sequence

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import QuestionRef, Record, RecordStatus
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    read_category,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Answer,
    Rows,
    any_row_has,
    identity_of,
    read_answer,
    read_gold,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["MemorylakeRuns"]

_ROW_KEYS = ("question_index", "question", "ground_truth", "predicted", "score")
_NUMBER = re.compile(r"[ ._-]*([0-9]{1,6})$")
_NOTES = (
    "each file is one conversation, the number in its name counted from 1",
    "`question_index` is the release's index, not the place in the file",
)


class MemorylakeRuns:
    """Reads MemoryLake's form (other-releases.md 3.3): a list of rows, a file per conversation."""

    name = "memorylake"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """What one conversation's file adds to the run."""
        if file.is_lines or not any_row_has(file.data, *_ROW_KEYS):
            return None
        log = DefectLog(file.name)
        number = _NUMBER.search(file.stem)
        if number is None or int(number[1]) == 0:
            found = Described(f"the file name {file.path.name!r}")
            expected = "one that ends in the number of its conversation, counted from 1"
            log.warning("conversation_unknown", "$", found, expected)
        history = f"#{int(number[1]) - 1}" if number else ""
        records = [
            record
            for position, row in Rows(history, "$", file.data).nodes(log)
            if (record := _read_row(row, history, position))
        ]
        identity, notes = identity_of(file, self.name, stem=_NUMBER.sub("", file.stem))
        return [
            RunPart(identity, tuple(records), defects=tuple(log.items), notes=(*_NOTES, *notes))
        ]


def _read_row(row: Node, history: str, position: int) -> Record | None:
    index = row.data.get("question_index")
    has_index = type(index) is int and index >= 0
    if not has_index:
        found, expected = row.found("question_index"), "the question's index in the release, from 0"
        row.log.warning("question_id_odd", row.at("question_index"), found, expected)
    # Without an index the text has to tell which question it is.
    text = row.text("question") if has_index else row.required_text("question")
    if text is None:
        return None
    category = read_category(row)
    answer = _read_answer(row)
    return Record(
        ref=QuestionRef(
            history=history,
            question=str(index) if has_index else "",
            position=None if has_index else position,
            text=text,
            category=category,
            gold=None if category == ADVERSARIAL else read_gold(row, "ground_truth"),
        ),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "score", reason=row.text("judge_reasoning")),),
    )


def _read_answer(row: Node) -> Answer:
    error = row.data.get("error")
    if not error:
        return read_answer(row, "predicted")
    text = row.text("predicted") or str(error)
    return Answer(text, RecordStatus.ERROR, "error reported by the run")
