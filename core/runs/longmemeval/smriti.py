"""smriti's LongMemEval runs: answers with verdicts, nothing of what was retrieved."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, Value
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.longmemeval.rows import question_ref
from mnemoscope.core.runs.part import RunPart
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

__all__ = ["SmritiLongMemEvalRuns"]

_ROW_KEYS = ("question_id", "prediction", "accuracy")
_FIGURES = {"accuracy": "accuracy", "latency": "seconds, mean over the rows"}
_NOTE = "the rows repeat no question: they are known by its id alone"


class SmritiLongMemEvalRuns:
    """Reads smriti's LongMemEval form (other-releases.md 3.11): a summary and cases."""

    name = "smriti-longmemeval"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data: Any = None if file.is_lines or file.is_archive else file.data
        if type(data) is not dict or not any_row_has(data.get("cases"), *_ROW_KEYS):
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        rows = Rows("", root.at("cases"), root.items("cases")).nodes(log)
        records = [record for _, row in rows if (record := _read_row(row, log.file))]
        summary = Node(root.mapping("summary"), root.at("summary"), log)
        counted: dict[str, float] = {"total_cases": len(records)}
        if records:
            right = sum(record.verdicts[0].value is Value.RIGHT for record in records)
            counted["accuracy"] = right / len(records)
        check_totals(summary, counted)
        identity, notes = identity_of(file, self.name, system=summary.text("method"))
        return [
            RunPart(
                identity,
                tuple(records),
                metrics=read_metrics(summary, _FIGURES),
                defects=tuple(log.items),
                notes=(_NOTE, *notes),
            )
        ]


def _read_row(row: Node, file: str) -> Record | None:
    ref = question_ref(row, "ground_truth")
    if ref is None:
        return None
    answer = read_answer(row, "prediction")
    seconds = row.number("latency")
    return Record(
        ref=ref,
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        verdicts=(read_verdict(row, "accuracy"),),
        usage={} if seconds is None else {"seconds": seconds},
    )
