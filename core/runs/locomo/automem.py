"""AutoMem's LoCoMo runs: whether the expected answer occurs in what was recalled."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import QuestionRef, Record, RecordStatus, StoredMetric, Value
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    read_category,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    check_totals,
    identity_of,
    read_gold,
    read_metrics,
    read_verdict,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["AutomemRuns"]

_ROW_KEYS = ("question", "expected_answer", "is_correct", "recalled_count")
_NOTES = (
    "nothing was answered: a row is right when the expected answer was found by words in what was "
    "recalled",
    "the expected answer of category 5 is empty, or the one lure: what is right there was compared "
    "with nothing",
)


class AutomemRuns:
    """Reads AutoMem's LoCoMo form (other-releases.md 3.9): conversations with their results."""

    name = "automem-locomo"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        data = file.data if not file.is_lines else None
        if type(data) is not dict or not _is_automem(data.get("conversations")):
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        records = [
            record
            for conversation in root.nodes("conversations")
            for record in _read_conversation(conversation)
        ]
        overall = Node(root.mapping("overall"), root.at("overall"), log)
        check_totals(overall, {"total": len(records), "correct": _right(records)})
        identity, notes = identity_of(file, self.name)
        return [
            RunPart(
                identity,
                tuple(records),
                metrics=(*_overall(overall), *_by_category(root, records)),
                defects=tuple(log.items),
                notes=(*_NOTES, *notes),
            )
        ]


def _is_automem(conversations: Any) -> bool:
    return type(conversations) is list and any(
        type(one) is dict and any_row_has(one.get("qa_results"), *_ROW_KEYS)
        for one in conversations
    )


def _read_conversation(node: Node) -> list[Record]:
    history = node.required_text("sample_id")
    if history is None:
        return []
    rows = Rows(history, node.at("qa_results"), node.items("qa_results"))
    records = [
        record
        for position, row in rows.nodes(node.log)
        if (record := _read_row(row, history, position))
    ]
    check_totals(node, {"total_questions": len(records), "correct": _right(records)})
    return records


def _read_row(row: Node, history: str, position: int) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    recalled = row.number("recalled_count")
    category = read_category(row)
    gold = None if category == ADVERSARIAL else read_gold(row, "expected_answer")
    explanation = row.text("explanation")
    return Record(
        ref=QuestionRef(
            history=history, position=position, text=text, category=category, gold=gold
        ),
        # The row did all that it was meant to do: the form stores no answer.
        status=RecordStatus.OK,
        answer="",
        file=row.log.file,
        place=row.place,
        verdicts=(read_verdict(row, "is_correct", reason=explanation),),
        metrics=read_metrics(row, {"confidence": "confidence"}),
        usage={} if recalled is None else {"recalled_count": recalled},
    )


def _right(records: Sequence[Record]) -> int:
    return sum(record.verdicts[0].value is Value.RIGHT for record in records)


def _overall(overall: Node) -> tuple[StoredMetric, ...]:
    return read_metrics(overall, {"accuracy": "accuracy", "elapsed_time": "elapsed seconds"})


def _by_category(root: Node, records: Sequence[Record]) -> tuple[StoredMetric, ...]:
    categories = Node(root.mapping("categories"), root.at("categories"), root.log)
    found: tuple[StoredMetric, ...] = ()
    for number in categories.data:
        figures = Node(categories.mapping(number), categories.at(number), root.log)
        of_category = [record for record in records if record.ref.category == number]
        check_totals(figures, {"total": len(of_category), "correct": _right(of_category)})
        found += read_metrics(figures, {"accuracy": f"accuracy of category {number}"})
    return found
