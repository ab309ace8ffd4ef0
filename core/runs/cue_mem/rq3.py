"""Run files of CUE-Mem's third research question: an index and a use of text or of media."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Record, RecordStatus, StoredMetric
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.companions import full_metrics, is_full_metrics
from mnemoscope.core.runs.cue_mem.fusion import FusedRetrieval
from mnemoscope.core.runs.cue_mem.paths import group_of, history_in, profile_id, read_data_name
from mnemoscope.core.runs.cue_mem.rows import (
    any_row_has,
    as_number,
    question_ref,
    read_answer,
    row_nodes,
    stored_verdict,
    text_list,
)
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.scoring.parsing import parse_rq3, split_reasoning
from mnemoscope.core.sources import SourceFile

__all__ = ["ROW_KEYS", "Rq3Runs", "read_response"]

ROW_KEYS = frozenset(("qa_uid", "qa_id", "answer", "model_answer", "point"))
"""What the rows of both RQ3 runners have, failed ones included."""
_VARIANTS = {
    "TT": {"index": "text", "use": "text"},
    "TM": {"index": "text", "use": "media"},
    "MT": {"index": "media", "use": "text"},
    "MM": {"index": "media", "use": "media"},
}
_USED_DEPTH = 5
_DETAIL = 200
_DEPTH_NOTE = (
    "Stored recall and precision rest on the ten best rounds; "
    "the rows keep the five that were used."
)
_SUMMARY_NOTE = (
    "full_metrics.json: its explicit and implicit accuracies and its gap leave entity questions "
    "out and count refusal ones; its retrieval means count questions without evidence as 0."
)


class Rq3Runs:
    """Answers over a text or multimodal index, one run per backbone and variant."""

    name = "cue-mem-rq3"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The rows of ``pN_results.json``, or the figures of a summary, one part per variant."""
        if file.is_lines:
            return None
        data = file.data
        if is_full_metrics(data):
            return self._summary(file, data)
        rows: Any = data.get("results") if type(data) is dict else data
        if not any_row_has(rows, ROW_KEYS) or any_row_has(rows, {"oracle_input_mode"}):
            return None
        return [self._part(file, rows, "$" if rows is data else "$.results")]

    def _part(self, file: SourceFile, rows: list[Any], place: str) -> RunPart:
        log = DefectLog(file.name)
        name = read_data_name(file.stem)
        reading = _RowReading(name.history, file.name)
        records = [reading.record(row) for row in row_nodes(rows, place, log)]
        _check_profile(name.history, records, log)
        folders = file.folders
        group = group_of(file, name.suffix)
        parameters: dict[str, Any] = {} if name.sample is None else {"sample": name.sample}
        return RunPart(
            self._identity(folders, group, name.words),
            tuple(record for record in records if record is not None),
            {**_VARIANTS.get(folders[-1], {}), **parameters},
            defects=tuple(log.items),
            notes=(_DEPTH_NOTE,),
        )

    def _summary(self, file: SourceFile, data: dict[str, Any]) -> list[RunPart]:
        in_folder = file.path.parent.name == "summary"
        above = file.folders[:-1] if in_folder else file.folders
        base = PurePosixPath(group_of(file, up=1 if in_folder else 0))
        root = Node(data, "$", log := DefectLog(file.name))
        parts = []
        for variant, figures in data.items():
            log.items.clear()
            metrics = full_metrics(figures, root.at(variant), log)
            parts.append(
                RunPart(
                    self._identity((*above, variant), str(base / variant), ()),
                    (),
                    _VARIANTS.get(variant, {}),
                    tuple(metrics),
                    tuple(log.items),
                    (_SUMMARY_NOTE,),
                )
            )
        return parts

    def _identity(
        self, folders: tuple[str, ...], group: str, words: tuple[str, ...]
    ) -> RunIdentity:
        variant = folders[-1] if folders[-1] in _VARIANTS or "/" in group else ""
        above = folders[:-1]
        # results/BACKBONE[/FOLDER]/VARIANT
        if "results" in above[-3:]:
            backbone, *further = above[len(above) - above[::-1].index("results") :] or ("",)
        else:
            backbone, further = above[-1] if variant in _VARIANTS else "", []
        return RunIdentity(
            self.name,
            group,
            variant,
            backbone,
            rule="rq3",
            used_depth=_USED_DEPTH,
            names=tuple(filter(None, (variant or "RQ3", backbone, *further, *words))),
        )


class _RowReading:
    """Turns the rows of one file into records."""

    def __init__(self, history: str, file: str) -> None:
        self.history = history
        self.file = file
        self.fused = FusedRetrieval()
        self.known_metrics: dict[tuple[str, str, float], StoredMetric] = {}

    def record(self, row: Node) -> Record | None:
        history = self.history or history_in(row.text("qa_uid").split(":", 1)[0])
        ref = question_ref(row, history, form="point", gold="answer", category="category")
        if ref is None:
            return None
        answer, status, detail, parsed, reasoning, cited = read_response(row)
        return Record(
            ref,
            status,
            answer,
            self.file,
            row.place,
            detail=detail,
            parsed=parsed,
            reasoning=reasoning,
            cited=cited,
            verdicts=stored_verdict(row, status),
            retrieval=self.fused.retrieval(row),
            metrics=self._metrics(row),
        )

    def _metrics(self, row: Node) -> tuple[StoredMetric, ...]:
        """The row's own recall and precision; the few values they take are built once each."""
        metrics = []
        known = self.known_metrics
        for key in ("recall@k", "precision@k"):
            values = row.mapping(key)
            for k, value in values.items():
                number = as_number(value)
                if number is None:
                    Node(values, row.at(key), row.log).wrong(k, "a number")
                    continue
                metric = known.get((key, k, number))
                if metric is None:
                    metric = StoredMetric(key.removesuffix("k") + k, number)
                    known[key, k, number] = metric
                metrics.append(metric)
        return tuple(metrics)


def read_response(row: Node) -> tuple[str, RecordStatus, str, str, str, tuple[str, ...]]:
    """Answer, status, detail, parsed option, reasoning and cited sessions of a row."""
    failure = row.text("error")
    stored = row.text("model_answer")
    raw = row.text("raw_response", stored)
    if failure and not raw.strip():
        return failure, RecordStatus.ERROR, failure[:_DETAIL], "", "", ()
    answer, reasoning, cited = raw, row.text("reasoning"), text_list(row, "reasoning_sessions")
    if "reasoning" in row.data:
        # The rule is given the first line alone when the model was asked for its reasons.
        parts = split_reasoning(raw)
        answer, reasoning = parts.answer, reasoning or parts.reasoning
        cited = cited or parts.cited
    status, detail, parsed = read_answer(answer, parse_rq3)
    if "model_answer" in row.data and stored != parse_rq3(answer):
        expected = f"{parse_rq3(answer)!r}, which the rule reads from the response"
        row.log.warning("stored_answer_differs", row.at("model_answer"), stored, expected)
    return answer, status, detail, parsed, reasoning, cited


def _check_profile(history: str, records: list[Record | None], log: DefectLog) -> None:
    """Report a file named after the place of its profile in a list instead of the profile."""
    first = next((record for record in records if record is not None), None)
    number = first.ref.question.partition("-")[0] if first else ""
    if first and history and number.isdecimal() and profile_id(number) != history:
        found = first.ref.question
        expected = f"questions of {history}, as the file name says"
        log.warning("other_profile", f"{first.place}.qa_id", found, expected)
