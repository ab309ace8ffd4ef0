"""Smriti's LoCoMo runs: one file holds several systems, each of which is a run."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.categories import read_named_category
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    first_groups,
    match_id,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    check_totals,
    identity_of,
    read_answer,
    read_gold,
    read_metrics,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["SmritiRuns"]

_ROW_KEYS = ("question_id", "question", "prediction", "metrics")
_QUESTION_ID = re.compile(r"(.*)_q([0-9]{1,6})", re.DOTALL)
_METRICS = {"f1": "f1", "exact_match": "exact match"}
_USAGE = ("latency_ms", "tokens_used", "answer_length")
_FULL = re.compile(r"full[ _-]?(?:context|history)", re.IGNORECASE)
_UNJUDGED = (Verdict("stored", Value.NOT_JUDGED, reason="the file has word overlap, no verdict"),)
_NOTE = "the rows have f1 and exact match and no verdict: nothing is judged right or wrong"


class SmritiRuns:
    """Reads smriti's form (other-releases.md 3.8): ``systems`` mapped to their questions."""

    name = "smriti"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """A run for each system in the file."""
        data = file.data if not file.is_lines else None
        if type(data) is not dict or not any(
            type(one) is dict and any_row_has(one.get("questions"), *_ROW_KEYS)
            for one in first_groups(data.get("systems"))
        ):
            return None
        log = DefectLog(file.name)
        root = Node(data, "$", log)
        systems = Node(root.mapping("systems"), root.at("systems"), log)
        header = {key: value for key, value in data.items() if key not in ("systems", "comparison")}
        parts = []
        for system in systems.data:
            log.items = []
            of_system = Node(systems.mapping(system), systems.at(system), log)
            parts.append(self._read_system(file, system, of_system, header))
        return parts

    def _read_system(
        self, file: SourceFile, system: str, node: Node, header: Mapping[str, Any]
    ) -> RunPart:
        whole = _FULL.search(system) is not None
        retrieval = Retrieval(
            RetrievalState.WHOLE_HISTORY if whole else RetrievalState.NOT_STORED,
        )
        records = _read_rows(node, retrieval)
        aggregate = Node(node.mapping("aggregate"), node.at("aggregate"), node.log)
        check_totals(aggregate, {"total_questions": len(records)})
        identity, _ = identity_of(file, self.name, stem=f"{file.stem}/{system}", system=system)
        notes = [_NOTE]
        if whole:
            notes.append(
                f"the whole history was sent, by the name {system!r}; the file does not say"
            )
        return RunPart(
            identity,
            tuple(records),
            parameters=header,
            metrics=_totals(aggregate),
            defects=tuple(node.log.items),
            notes=tuple(notes),
        )


def _read_rows(node: Node, retrieval: Retrieval) -> list[Record]:
    rows_of: Counter[str] = Counter()
    records = []
    for _, row in Rows("", node.at("questions"), node.items("questions")).nodes(node.log):
        match = match_id(row, _QUESTION_ID, "conv-26_q0")
        history = match[1] if match else ""
        record = _read_row(row, match, rows_of[history], retrieval)
        rows_of[history] += 1
        if record is not None:
            records.append(record)
    return records


def _read_row(
    row: Node, match: re.Match[str] | None, position: int, retrieval: Retrieval
) -> Record | None:
    # Without an id the text has to tell which question it is.
    text = row.text("question") if match else row.required_text("question")
    if text is None:
        return None
    answer = read_answer(row, "prediction")
    category = read_named_category(row)
    metrics = Node(row.mapping("metrics"), row.at("metrics"), row.log)
    usage = ((key, metrics.number(key)) for key in _USAGE)
    return Record(
        ref=QuestionRef(
            history=match[1] if match else "",
            question=str(int(match[2])) if match else "",
            position=None if match else position,
            text=text,
            category=category,
            gold=None if category == ADVERSARIAL else read_gold(row, "reference"),
        ),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        verdicts=_UNJUDGED,
        retrieval=retrieval,
        metrics=(
            *read_metrics(metrics, _METRICS),
            *read_metrics(row, {"confidence": "confidence"}),
        ),
        usage={key: value for key, value in usage if value is not None},
    )


def _totals(aggregate: Node) -> tuple[StoredMetric, ...]:
    """The means, least and greatest values that the file gives of its rows' figures."""
    names = {}
    for key in aggregate.data:
        if key == "total_questions":
            continue
        name = re.sub(r"_(mean|min|max)$", r", \1 over the rows", key)
        names[key] = name.replace("exact_match", "exact match")
    return read_metrics(aggregate, names)
