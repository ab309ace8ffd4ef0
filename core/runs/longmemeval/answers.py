"""LongMemEval's official answers, and the log of the judge that went through them."""

from collections.abc import Sequence

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, Value, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.longmemeval.automem import automem_identity
from mnemoscope.core.runs.longmemeval.rows import bare_stem, judge_log_model, question_ref
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import any_row_has, first_rows, identity_of, read_answer, row_nodes
from mnemoscope.core.sources import SourceFile

__all__ = ["LongMemEvalAnswers"]

_LABEL = "autoeval_label"
_NOTE = "answers by question id; whether they are right is said by the judge's log beside them"
_FAILED = "the judge's label cannot be read"


class LongMemEvalAnswers:
    """Reads official answers (other-releases.md 3.11): ``question_id`` and ``hypothesis``.

    The judge's log repeats the answers with its labels; both files are halves of one run.
    """

    name = "longmemeval"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The answers, or the labels of a judge."""
        if file.is_archive or not any_row_has(first_rows(file), "question_id", "hypothesis"):
            return None
        log = DefectLog(file.name)
        judged = any_row_has(first_rows(file), _LABEL)
        records = []
        judges: dict[str, None] = {}
        for _, row in row_nodes(file, log):
            record = _read_row(row, file.name, judged)
            if record is not None:
                records.append(record)
                judges[_judge_of(row)] = None
        # Answers that AutoMem writes beside its results are a half of that run.
        beside = automem_identity(file)
        identity, notes = beside or identity_of(file, self.name, stem=bare_stem(file))
        models = ", ".join(filter(None, judges)) or judge_log_model(file)
        return [
            RunPart(
                identity,
                tuple(records),
                parameters={"judge_model": models} if models else {},
                defects=tuple(log.items),
                notes=notes if beside else (_NOTE, *notes),
            )
        ]


def _read_row(row: Node, file: str, judged: bool) -> Record | None:
    ref = question_ref(row)
    if ref is None:
        return None
    answer = read_answer(row, "hypothesis")
    return Record(
        ref=ref,
        status=answer.status,
        answer=answer.text,
        file=file,
        place=row.place,
        detail=answer.detail,
        # Answers alone have no verdict to give, which is not the same as "not judged".
        verdicts=(_read_label(row),) if judged else (),
    )


def _judge_of(row: Node) -> str:
    label = row.data.get(_LABEL)
    model = label.get("model") if type(label) is dict else None
    return model if type(model) is str else ""


def _read_label(row: Node) -> Verdict:
    """Right or wrong as the judge labelled it; a label that is absent or odd is no "wrong"."""
    if _LABEL not in row.data:
        row.log.warning("verdict_missing", row.at(_LABEL), row.found(_LABEL), "the judge's label")
        return Verdict("stored", Value.NOT_JUDGED)
    found = row.data[_LABEL]
    if type(found) is dict:
        holder, key = Node(found, row.at(_LABEL), row.log), "label"
    else:
        holder, key = row, _LABEL
    label = holder.data.get(key)
    if type(label) is bool:
        return Verdict("stored", Value.RIGHT if label else Value.WRONG)
    if label is None:
        holder.log.warning("judge_failed", holder.at(key), holder.found(key), "true or false")
    else:
        holder.wrong(key, "true or false")
    return Verdict("stored", Value.JUDGE_FAILED, reason=_FAILED)
