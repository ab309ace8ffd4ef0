"""Run files of CUE-Mem's oracles, which are handed the sessions that hold the evidence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, Textualisation
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.companions import accuracy_metrics, is_accuracy, numbers
from mnemoscope.core.runs.cue_mem.paths import (
    group_of,
    history_in,
    read_data_name,
    tree_place,
)
from mnemoscope.core.runs.cue_mem.rows import (
    any_row_has,
    question_ref,
    read_answer,
    row_nodes,
    session_retrieval,
    stored_verdict,
    text_list,
)
from mnemoscope.core.runs.cue_mem.rq1 import ROW_KEYS as RQ1_KEYS
from mnemoscope.core.runs.cue_mem.rq3 import ROW_KEYS as RQ3_KEYS
from mnemoscope.core.runs.cue_mem.rq3 import read_response
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.runs.rows import answer_times
from mnemoscope.core.scoring.parsing import parse_rq1
from mnemoscope.core.sources import SourceFile

__all__ = ["Rq1OracleRuns", "Rq3OracleRuns"]

_TEXT = "oracle text"
_MULTIMODAL = "oracle multimodal"
_GOLD_SCENES = Textualisation("oracle", "oracle")
_HANDED_NOTE = (
    "The oracle was handed the gold sessions: its sessions were looked up, not retrieved, so "
    "recall says nothing of it."
)
_SCENE_NOTE = "The sessions were rendered with construction annotations that can state the answer."
_RESUME_NOTE = (
    "A resumed run of this form is keyed by qa_id alone: of questions that share an id, one may "
    "be missing or carry the other's answer."
)
_TURN_NOTE = "Of the sessions listed, only the rounds that the clues name were handed over."
_MODE = "oracle_input_mode"
_META = (
    _MODE,
    "oracle_scope",
    "eval_provider",
    "llm_name",
    "sample",
    "max_workers",
    "max_audio_per_request",
    "max_images_per_request",
)


class Rq1OracleRuns:
    """Answers over rendered evidence sessions, by RQ1's runner."""

    name = "cue-mem-rq1-oracle"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The rows of a ``…_results.json`` with evidence sessions, or the accuracies beside it."""
        if file.is_lines:
            return None
        data = file.data
        log = DefectLog(file.name)
        name = read_data_name(file.stem)
        if is_accuracy(data) and "oracle" in tree_place(file, tail=1).root.lower():
            metrics = accuracy_metrics(data, name.history, log)
            return [RunPart(self._identity(file), (), {}, tuple(metrics), tuple(log.items))]
        if not any_row_has(data, RQ1_KEYS | {"evidence_session_ids"}):
            return None
        place = tree_place(file, tail=1)
        said = {"result_root": place.root, "config": place.config, "qa_category": name.category}
        rows = row_nodes(data, "$", log)
        records = [_rq1_record(row, name.history, file.name) for row in rows]
        parameters: dict[str, Any] = {key: value for key, value in said.items() if value}
        return [
            RunPart(
                self._identity(file),
                tuple(record for record in records if record is not None),
                {**parameters, **answer_times(data)},
                defects=tuple(log.items),
                notes=(_HANDED_NOTE, _SCENE_NOTE, _RESUME_NOTE),
            )
        ]

    def _identity(self, file: SourceFile) -> RunIdentity:
        place = tree_place(file, tail=1)
        name = read_data_name(file.stem)
        backbone = place.tail[-1] if place.tail else ""
        return RunIdentity(
            self.name,
            group_of(file, name.suffix),
            _TEXT,
            backbone,
            _GOLD_SCENES,
            rule="rq1",
            names=tuple(filter(None, (_TEXT, place.config, backbone, *name.words))),
        )


def _rq1_record(row: Node, history: str, file: str) -> Record | None:
    name = history or row.text("sample_id")
    ref = question_ref(row, name, form="category", gold="original_answer")
    if ref is None:
        return None
    answer = row.text("system_answer")
    status, detail, parsed = read_answer(answer, parse_rq1)
    sent = row.data.get("related_history_text") is not None
    return Record(
        ref,
        status,
        answer,
        file,
        row.place,
        detail=detail,
        parsed=parsed,
        reasoning=row.text("reasoning"),
        cited=text_list(row, "reasoning_sessions"),
        retrieval=session_retrieval(text_list(row, "evidence_session_ids")),
        context_place=row.at("related_history_text") if sent else "",
    )


class Rq3OracleRuns:
    """Answers over evidence sessions as text or with their media, by RQ3's runner."""

    name = "cue-mem-rq3-oracle"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The ``results`` of an object whose ``meta`` names an oracle mode, or such rows alone."""
        if file.is_lines:
            return None
        data = file.data
        rows: Any = data.get("results") if type(data) is dict else data
        meta = data.get("meta") if type(data) is dict else None
        place = "$" if rows is data else "$.results"
        log = DefectLog(file.name)
        if type(meta) is dict and _MODE in meta and type(rows) is list:
            return [self._part(file, rows, place, Node(meta, "$.meta", log))]
        if not any_row_has(rows, RQ3_KEYS | {_MODE}):
            return None
        first = next(row for row in row_nodes(rows, place, DefectLog()) if _MODE in row.data)
        return [self._part(file, rows, place, Node(first.data, first.place, log))]

    def _part(self, file: SourceFile, rows: list[Any], place: str, meta: Node) -> RunPart:
        name = read_data_name(file.stem)
        nodes = list(row_nodes(rows, place, meta.log))
        records = [_rq3_record(row, name.history, file.name) for row in nodes]
        mode = meta.text(_MODE)
        parameters = {key: meta.data[key] for key in _META if meta.data.get(key) is not None}
        media = _media_by_status(nodes)
        if media:
            parameters[f"related_media_refs {name.history or file.stem}"] = media
        notes = (_HANDED_NOTE, *((_SCENE_NOTE,) if mode == "text" else ()))
        if meta.text("oracle_scope") == "clue_turn":
            notes += (_TURN_NOTE,)
        return RunPart(
            self._identity(file, mode, meta),
            tuple(record for record in records if record is not None),
            parameters,
            tuple(numbers(meta, ("accuracy", "total"), name.history)),
            tuple(meta.log.items),
            notes,
        )

    def _identity(self, file: SourceFile, mode: str, meta: Node) -> RunIdentity:
        system = {"text": _TEXT, "multimodal": _MULTIMODAL}.get(mode, f"oracle {mode}".strip())
        name = read_data_name(file.stem)
        folder = PurePosixPath(file.name).parent.name
        backbone = meta.text("llm_name") or folder
        return RunIdentity(
            self.name,
            group_of(file, name.suffix),
            system,
            backbone,
            _GOLD_SCENES if mode == "text" else None,
            rule="rq3",
            names=tuple(filter(None, (system, backbone, *name.words))),
        )


def _rq3_record(row: Node, history: str, file: str) -> Record | None:
    name = history or history_in(row.text("qa_uid").split(":", 1)[0])
    ref = question_ref(row, name, form="point", gold="answer", category="category")
    if ref is None:
        return None
    answer, status, detail, parsed, reasoning, cited = read_response(row)
    return Record(
        ref,
        status,
        answer,
        file,
        row.place,
        detail=detail,
        parsed=parsed,
        reasoning=reasoning,
        cited=cited,
        verdicts=stored_verdict(row, status),
        retrieval=session_retrieval(text_list(row, "evidence_session_ids")),
    )


def _media_by_status(rows: Iterable[Node]) -> dict[str, int]:
    """How many media were included, missing, or left out because of a limit."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(
            media.text("status") or "no status" for media in row.nodes("related_media_refs")
        )
    return dict(sorted(counts.items()))
