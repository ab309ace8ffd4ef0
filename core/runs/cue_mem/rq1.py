"""Run files of CUE-Mem's first two research questions: a text memory, or no memory at all."""

import re
from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, Retrieval, RetrievalState
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.companions import (
    accuracy_metrics,
    efficiency_facts,
    is_accuracy,
    is_efficiency,
    is_unused,
)
from mnemoscope.core.runs.cue_mem.paths import (
    DataName,
    TreePlace,
    group_of,
    read_data_name,
    tree_place,
)
from mnemoscope.core.runs.cue_mem.rows import (
    RankedRounds,
    any_row_has,
    question_ref,
    read_answer,
    row_nodes,
    text_list,
)
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.runs.rows import answer_times
from mnemoscope.core.scoring.parsing import parse_rq1, split_reasoning
from mnemoscope.core.sources import SourceFile

__all__ = ["ROW_KEYS", "QuestionOnlyRuns", "Rq1Runs"]

ROW_KEYS = frozenset(
    ("qa_id", "sample_id", "system_answer", "original_answer", "category", "qa_type")
)
"""What the rows of all three RQ1 runners have."""
_MEMORY_KEYS = ROW_KEYS | {"session_id", "speaker_a"}
_WHOLE_HISTORY = frozenset(("FUMemory", "RFMemory", "MGMemory"))
_RUN_FOLDER = re.compile(r"run\d+|final")
_ALL = Retrieval(RetrievalState.WHOLE_HISTORY)
_NONE = Retrieval()
_CONTEXT_ONLY = Retrieval(RetrievalState.TEXT)

_WHOLE_HISTORY_NOTE = (
    "{system} retrieves nothing: it sends the whole history, so an empty list of retrieved rounds "
    "is not a miss."
)
_QUESTION_ONLY_NOTES = (
    "No history was shown: the answers rest on the question and its options alone.",
    "Captions of option pictures come from the base variant, whichever folder the run is in.",
)


class Rq1Runs:
    """Answers of one memory system over text."""

    name = "cue-mem-rq1"

    def __init__(self) -> None:
        self._ranked = RankedRounds()

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The rows of ``…_results.json``, or what its companions add to the same run."""
        if file.is_lines:
            return None
        data = file.data
        if any_row_has(data, _MEMORY_KEYS):
            return None if any_row_has(data, {"evidence_session_ids"}) else [self._part(file, data)]
        if is_accuracy(data):
            return self._accuracy(file, data)
        if is_efficiency(data):
            log = DefectLog(file.name)
            parameters, metrics = efficiency_facts(data, read_data_name(file.stem).history, log)
            return [RunPart(self._identity(file), (), parameters, tuple(metrics), tuple(log.items))]
        return [] if is_unused(data) else None

    def _part(self, file: SourceFile, data: list[Any]) -> RunPart:
        identity = self._identity(file)
        name = read_data_name(file.stem)
        log = DefectLog(file.name)
        whole = identity.system in _WHOLE_HISTORY
        reading = _RowReading(name.history, file.name, whole, self._ranked)
        records = [reading.record(row) for row in row_nodes(data, "$", log)]
        place = tree_place(file, tail=2)
        return RunPart(
            identity,
            tuple(record for record in records if record is not None),
            {**_configuration(place, name), **answer_times(data)},
            defects=tuple(log.items),
            notes=(_WHOLE_HISTORY_NOTE.format(system=identity.system),) if whole else (),
        )

    def _accuracy(self, file: SourceFile, data: dict[str, Any]) -> Sequence[RunPart] | None:
        # The runners write the same form of file; only the result root tells whose it is.
        root = tree_place(file, tail=2).root.lower()
        if "oracle" in root or "question_only" in root:
            return None
        log = DefectLog(file.name)
        metrics = accuracy_metrics(data, read_data_name(file.stem).history, log)
        return [RunPart(self._identity(file), metrics=tuple(metrics), defects=tuple(log.items))]

    def _identity(self, file: SourceFile) -> RunIdentity:
        place = tree_place(file, tail=2)
        name = read_data_name(file.stem)
        memory = place.tail[-1] if place.tail else ""
        if not memory and file.folders[-1].endswith("Memory"):
            memory = file.folders[-1]
        backbone = place.tail[-2] if len(place.tail) > 1 else ""
        return RunIdentity(
            self.name,
            group_of(file, name.suffix),
            memory,
            backbone,
            place.textualisation,
            rule="rq1",
            names=tuple(filter(None, (memory or "memory", *place.words, backbone, *name.words))),
        )


class _RowReading:
    """Turns the rows of one file into records."""

    def __init__(self, history: str, file: str, whole_history: bool, ranked: RankedRounds) -> None:
        self.history = history
        self.file = file
        self.ranked = ranked
        self.unsaid = _ALL if whole_history else _NONE
        self.empty = _ALL if whole_history else Retrieval(RetrievalState.IDS, "round")

    def record(self, row: Node) -> Record | None:
        history = self.history or row.text("sample_id")
        ref = question_ref(row, history, form="category", gold="original_answer")
        if ref is None:
            return None
        answer = row.text("system_answer")
        status, detail, parsed = read_answer(answer, parse_rq1)
        context = row.data.get("memory_context") is not None
        return Record(
            ref,
            status,
            answer,
            self.file,
            row.place,
            detail=detail,
            parsed=parsed,
            reasoning=row.text("reasoning"),
            cited=text_list(row, "reasoning_sessions"),
            retrieval=self._retrieval(row, context),
            context_place=row.at("memory_context") if context else "",
        )

    def _retrieval(self, row: Node, context: bool) -> Retrieval:
        if row.data.get("retrieved_ids") is None:
            return _CONTEXT_ONLY if context and self.unsaid is _NONE else self.unsaid
        ids = row.texts("retrieved_ids")
        if not ids:
            return self.empty
        ranked = self.ranked
        items = [ranked[pair] for pair in enumerate(ids, start=1) if pair[1]]
        return Retrieval(RetrievalState.IDS, "round", tuple(items))


class QuestionOnlyRuns:
    """Answers without any history, which show what the options alone give away."""

    name = "cue-mem-question-only"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The rows of a ``…_results.json`` without sessions, or the accuracies beside it."""
        if file.is_lines:
            return None
        data = file.data
        name = read_data_name(file.stem)
        log = DefectLog(file.name)
        if is_accuracy(data) and "question_only" in tree_place(file, tail=2).root.lower():
            metrics = accuracy_metrics(data, name.history, log)
            identity, parameters = self._identity(file, name)
            return [RunPart(identity, (), parameters, tuple(metrics), tuple(log.items))]
        if not any_row_has(data, ROW_KEYS) or any_row_has(data, {"session_id"}):
            return None
        if any_row_has(data, {"evidence_session_ids"}):
            return None
        identity, parameters = self._identity(file, name)
        rows = row_nodes(data, "$", log)
        records = [_question_only_record(row, name.history, file.name) for row in rows]
        return [
            RunPart(
                identity,
                tuple(record for record in records if record is not None),
                {**parameters, **answer_times(data)},
                defects=tuple(log.items),
                notes=_QUESTION_ONLY_NOTES,
            )
        ]

    def _identity(self, file: SourceFile, name: DataName) -> tuple[RunIdentity, dict[str, Any]]:
        in_run = _RUN_FOLDER.fullmatch(file.folders[-1]) is not None
        place = tree_place(file, tail=2 if in_run else 1)
        backbone, *run = place.tail or ("",)
        names = ("question-only", *place.words, backbone, *run, *name.words)
        identity = RunIdentity(
            self.name,
            group_of(file, name.suffix),
            "question-only",
            backbone,
            place.textualisation,
            rule="rq1",
            names=tuple(filter(None, names)),
        )
        parameters = _configuration(place, name)
        return identity, {**parameters, "run": "/".join(run)} if run else parameters


def _question_only_record(row: Node, history: str, file: str) -> Record | None:
    name = history or row.text("sample_id")
    ref = question_ref(row, name, form="category", gold="original_answer")
    if ref is None:
        return None
    answer = row.text("system_answer")
    status, detail, parsed = read_answer(answer, parse_rq1)
    reasons = split_reasoning(row.text("raw_response"))
    return Record(
        ref,
        status,
        answer,
        file,
        row.place,
        detail=detail,
        parsed=parsed,
        reasoning=row.text("reasoning") or reasons.reasoning,
        cited=text_list(row, "reasoning_sessions") or reasons.cited,
    )


def _configuration(place: TreePlace, name: DataName) -> dict[str, Any]:
    """What folders and file name say, as parameters; absent facts are left out."""
    said = {
        "result_root": place.root,
        "config": place.config,
        "sample": name.sample,
        "qa_category": name.category,
    }
    return {key: value for key, value in said.items() if value not in ("", None)}
