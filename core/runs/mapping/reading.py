"""From mapped rows to records and runs."""

import json
import math
from collections.abc import Mapping

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.mapping.cells import Cells, word
from mnemoscope.core.mapping.paths import MISSING
from mnemoscope.core.mapping.rows import read_rows
from mnemoscope.core.mapping.schema import ConstantForm, MapFile, VerdictMap, Words
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
    StoredMetric,
    Textualisation,
    Value,
    Verdict,
)
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.sources import DATA_SUFFIXES, SourceFile
from mnemoscope.core.tables import TABLE_SUFFIXES

__all__ = ["Reading"]

_RIGHT: Words = (True, 1, "yes", "right", "correct")
_WRONG: Words = (False, 0, "no", "wrong", "incorrect")
_NOT_JUDGED: Words = (None,)
_NOTE = "read by a map; what no column is named for is not in the run"


class Reading:
    """One file while it is being read."""

    def __init__(self, form: MapFile, file: SourceFile) -> None:
        self.map = form
        self.file = file
        self.log = DefectLog(file.name)
        self.statuses = _status_words(form)
        self.verdicts = {} if form.verdict is None else _verdict_words(form.verdict)
        self.positions: dict[tuple[RunIdentity, str, int], int] = {}
        stem = file.name
        for suffix in (*TABLE_SUFFIXES, *DATA_SUFFIXES):
            stem = stem.removesuffix(suffix)
        self.stem = stem

    def parts(self, *, alone: bool) -> list[RunPart] | None:
        """The runs of the file; None when it holds no rows of the map, see ``read_rows``."""
        rows = read_rows(self.file, self.map, self.log, alone=alone)
        if rows is None:
            return None
        runs: dict[RunIdentity, list[Record]] = {}
        for row in rows:
            cells = Cells(row, self.log)
            identity = self._identity(cells)
            runs.setdefault(identity, []).append(self._record(cells, identity))
        parameters = dict(self.map.run.parameters)
        parts = [
            RunPart(identity, tuple(records), parameters, notes=(_NOTE,))
            for identity, records in runs.items()
        ]
        first = parts[0]
        defects = tuple(self.log.items)
        parts[0] = RunPart(first.identity, first.records, parameters, (), defects, first.notes)
        return parts

    def _identity(self, cells: Cells) -> RunIdentity:
        run = self.map.run
        stem = self.stem

        def said(source: str | ConstantForm | None) -> str:
            return source.value if isinstance(source, ConstantForm) else cells.text(source)

        system, backbone, name = said(run.system), said(run.backbone), said(run.name)
        variants = run.textualisation
        names = (name,) if name else tuple(filter(None, (system or stem, backbone)))
        return RunIdentity(
            format="mapping",
            group="" if run.together else stem,
            system=system or stem,
            backbone=backbone,
            textualisation=None if variants is None else Textualisation(**vars(variants)),
            rule=run.rule,
            used_depth=run.used_depth,
            names=names,
        )

    def _record(self, cells: Cells, identity: RunIdentity) -> Record:
        form = self.map
        repeat = cells.integer(form.run.repeat) or 0
        status, detail = self._status(cells)
        answer = cells.text(form.answer.text) or self._error(cells)
        return Record(
            ref=self._ref(cells, identity, repeat),
            status=status,
            answer=answer,
            file=self.file.name,
            place=cells.row.place,
            repeat=repeat,
            detail=detail,
            parsed=cells.text(form.answer.parsed),
            reasoning=cells.text(form.answer.reasoning),
            verdicts=self._verdict(cells),
            retrieval=self._retrieval(cells),
            metrics=tuple(
                StoredMetric(name, value)
                for name, column in form.metrics.items()
                if (value := cells.number(column)) is not None
            ),
            usage={
                name: value
                for name, column in form.usage.items()
                if (value := cells.number(column)) is not None
            },
        )

    def _ref(self, cells: Cells, identity: RunIdentity, repeat: int) -> QuestionRef:
        asked = self.map.question
        history = cells.text(asked.history)
        if asked.history_from is not None:
            place = cells.integer(asked.history)
            history = "" if place is None else f"#{place - asked.history_from}"
        question = cells.text(asked.id)
        if not question and asked.index is not None:
            index = cells.integer(asked.index)
            question = "" if index is None else f"#{index - asked.index_from}"
        row = (identity, history, repeat)
        position = self.positions.get(row, 0)
        self.positions[row] = position + 1
        return QuestionRef(
            key=cells.text(asked.key),
            history=history,
            question=question,
            form=cells.text(asked.form),
            position=position if history else None,
            text=cells.text(asked.text),
            category=cells.text(asked.category),
            gold=self._gold(cells),
        )

    def _gold(self, cells: Cells) -> str | None:
        path = self.map.question.gold
        if type(cells.value(path)) is list:
            return " | ".join(cells.texts(path, "") or ())
        return cells.optional_text(path)

    def _status(self, cells: Cells) -> tuple[RecordStatus, str]:
        answer = self.map.answer
        if self._error(cells):
            return RecordStatus.ERROR, "the row has an error"
        if answer.status is not None:
            status: RecordStatus | None = cells.one_of(answer.status, self.statuses)
            if status is None:
                return RecordStatus.ERROR, "the status cannot be read"
            if status is not RecordStatus.OK:
                return status, ""
        if answer.text is not None and not cells.text(answer.text).strip():
            return RecordStatus.ERROR, "blank answer"
        return RecordStatus.OK, ""

    def _error(self, cells: Cells) -> str:
        """The error of the row in words; empty where there is none, however that is written."""
        value = cells.value(self.map.answer.error)
        if value is MISSING or not value:
            return ""
        return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    def _verdict(self, cells: Cells) -> tuple[Verdict, ...]:
        form = self.map.verdict
        if form is None:
            return ()
        reason = cells.text(form.reason)
        if form.right_from is not None:
            score = cells.number(form.value)
            if score is None:
                value = cells.value(form.value)
                absent = value is None or value == ""
                judged = Value.NOT_JUDGED if absent else Value.JUDGE_FAILED
                return (Verdict("stored", judged, reason=reason),)
            right = score >= form.right_from
            return (Verdict("stored", Value.RIGHT if right else Value.WRONG, "", reason, score),)
        value = cells.one_of(form.value, self.verdicts)
        if value is None:
            reason = "the stored verdict cannot be read"
        return (Verdict("stored", value or Value.JUDGE_FAILED, reason=reason),)

    def _retrieval(self, cells: Cells) -> Retrieval:
        form = self.map.retrieved
        if form is None:
            return Retrieval()
        ids = cells.texts(form.ids, form.separator)
        texts = cells.texts(form.texts, form.separator)
        if ids is None and texts is None:
            return Retrieval()
        n = len(ids if ids is not None else texts or ())
        scores = self._scores(cells, n)
        if texts is not None and len(texts) != n:
            cells.wrong(str(form.texts), f"{n} texts, as there are ids")
            texts = None
        items = []
        for place in range(n):
            sources: tuple[SourceRef, ...] = ()
            if ids is not None and ids[place]:
                named = ids[place]
                is_round = form.grain == "round"
                sources = (SourceRef(round_id=named) if is_round else SourceRef(named),)
            text = texts[place] if texts is not None else ""
            items.append(RetrievedItem(place + 1, sources, scores[place], "", text))
        state = RetrievalState.TEXT if ids is None else RetrievalState.IDS
        return Retrieval(state, form.grain if ids is not None else "", tuple(items))

    def _scores(self, cells: Cells, n: int) -> list[float | None]:
        form = self.map.retrieved
        path = form.scores if form else None
        found = cells.items(path, form.separator if form else "")
        if found is None or path is None:
            return [None] * n
        scores: list[float | None] = []
        for one in found:
            try:
                score = float(one) if type(one) in (int, float, str) else math.nan
            except (ValueError, OverflowError):
                score = math.nan
            scores.append(score if math.isfinite(score) else None)
        if len(scores) != n or None in scores:
            cells.wrong(path, f"{n} numbers, as there are ids")
            return [None] * n
        return scores


def _status_words(form: MapFile) -> Mapping[str, RecordStatus]:
    words = {status.value: status for status in RecordStatus}
    for status, of in form.answer.status_words.items():
        words |= {word(one): status for one in of}
    return words


def _verdict_words(form: VerdictMap) -> Mapping[str, Value]:
    words: dict[str, Value] = {}
    for value, of, usual in (
        (Value.RIGHT, form.right, _RIGHT),
        (Value.WRONG, form.wrong, _WRONG),
        (Value.NOT_JUDGED, form.not_judged, _NOT_JUDGED),
        (Value.JUDGE_FAILED, form.judge_failed, ()),
    ):
        words |= {word(one): value for one in (usual if of is None else of)}
    return words
