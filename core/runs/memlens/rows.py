"""MemLens's runs: predictions with figures, and the judge's scores."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record, RecordStatus, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Answer,
    any_row_has,
    first_rows,
    identity_of,
    read_answer,
    read_gold,
    read_metrics,
    read_verdict,
    row_nodes,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["MemLensRuns"]

_ROW_KEYS = ("question_id", "prediction", "raw_prediction")
_DETAIL_KEYS = ("question_id", "task_key", "judge_score")
"""What the judge writes into a file of its own, without the answers."""
_METRICS = {"sub_em": "sub_em", "f1": "f1"}
_USAGE = {"input_len": "input_tokens", "output_len": "output_tokens"}
_MODEL = "model_name_or_path"
_UNJUDGED_NOTE = "not judged yet: F1 and sub-EM are stored, no verdict"
_ANSWER_NOTE = (
    "the answer is what was read from the model's output; the output itself is its reasoning here"
)


_DETAILS_NOTE = "the judge's file holds verdicts and no answers; those stand in the predictions"


class MemLensRuns:
    """Reads MemLens's rows (other-releases.md 2.6): a list, lines, or a list under ``data``."""

    name = "memlens"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        answered = not file.is_archive and _has(file, *_ROW_KEYS)
        if file.is_archive or not (answered or _is_details(file)):
            return None
        log = DefectLog(file.name)
        records = [record for row in _rows(file, log) if (record := _record(row))]
        arguments = _arguments(file)
        model = arguments.get(_MODEL)
        backbone = model.rsplit("/", 1)[-1] if type(model) is str else ""
        identity, notes = identity_of(file, self.name, backbone=backbone)
        judged = any(record.verdicts for record in records)
        own = (_ANSWER_NOTE,) if judged else (_ANSWER_NOTE, _UNJUDGED_NOTE)
        if not answered:
            own = (_DETAILS_NOTE,)
        return [
            RunPart(
                identity,
                tuple(records),
                parameters={key: one for key, one in arguments.items() if key != _MODEL},
                defects=tuple(log.items),
                notes=(*own, *notes),
            )
        ]


def _is_details(file: SourceFile) -> bool:
    # What the judge goes on from after a stop says the same again, by place.
    return _has(file, *_DETAIL_KEYS) and not _has(file, "idx")


def _has(file: SourceFile, *keys: str) -> bool:
    rows = file.data.get("data") if not file.is_lines and type(file.data) is dict else None
    return any_row_has(first_rows(file) if rows is None else rows, *keys)


def _rows(file: SourceFile, log: DefectLog) -> Iterator[Node]:
    if file.is_lines or type(file.data) is list:
        return (row for _, row in row_nodes(file, log))
    return Node(file.data, "$", log).nodes("data")


def _arguments(file: SourceFile) -> Mapping[str, Any]:
    found = None if file.is_lines or type(file.data) is not dict else file.data.get("args")
    return found if type(found) is dict else {}


def _record(row: Node) -> Record | None:
    question = row.required_text("question_id")
    if question is None:
        return None
    answer = _answer(row)
    raw = row.text("raw_prediction")
    return Record(
        ref=QuestionRef(
            question=question,
            text=row.text("question"),
            gold=read_gold(row, "reference_answer"),
        ),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        reasoning=raw if raw != answer.text else "",
        verdicts=_verdicts(row),
        metrics=read_metrics(row, _METRICS),
        usage={one.name: one.value for one in read_metrics(row, _USAGE)},
    )


def _answer(row: Node) -> Answer:
    """What was read from the output; where that is blank, nothing could be read."""
    if "prediction" not in row.data and "task_key" in row.data:
        return Answer("")
    answer = read_answer(row, "prediction")
    raw = row.data.get("raw_prediction")
    if answer.status is RecordStatus.ERROR and type(raw) is str and raw.strip():
        return Answer(raw, RecordStatus.UNPARSED, "no answer can be read from the output")
    return answer


def _verdicts(row: Node) -> tuple[Verdict, ...]:
    # Rows that no judge has seen have no score, which is not the same as "not judged".
    return (read_verdict(row, "judge_score"),) if "judge_score" in row.data else ()
