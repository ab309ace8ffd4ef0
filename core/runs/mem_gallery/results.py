"""Mem-Gallery's runs: a folder per memory, in it a results file per scenario and its companions."""

from collections.abc import Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.cue_mem.companions import efficiency_facts, is_efficiency
from mnemoscope.core.runs.cue_mem.paths import group_of, history_in, read_data_name
from mnemoscope.core.runs.mem_gallery.companions import (
    is_figures,
    is_sum,
    read_averages,
    read_row_figures,
)
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.runs.rows import Rows, answer_times, any_row_has, identity_of, read_answer
from mnemoscope.core.sources import SourceFile

__all__ = ["MemGalleryRuns"]

_ROW_KEYS = ("sample_id", "speaker_a", "question", "system_answer", "original_answer", "category")
_ENDINGS = ("_results", "_evaluate_result", "_retrieval_metrics", "_efficiency")
# Its rows are MemEngine's: CUE-Mem's runner is a descendant and adds ids of questions.
_DESCENDANT = ("qa_id",)
_WHOLE_HISTORY = frozenset(("FUMemory", "RFMemory"))
_NOT_JUDGED_NOTE = (
    "no answer was judged right or wrong: F1, BLEU and exact match are stored by row where the "
    "evaluation file stands beside the results"
)
_WHOLE_NOTE = (
    "{system} retrieves nothing: it sends the whole history, so an empty list of retrieved rounds "
    "is not a miss"
)
_PREFIX_NOTE = (
    "ids such as 'D1:D1:4' name their session twice and lead to no round: they are kept as written"
)


class MemGalleryRuns:
    """Reads Mem-Gallery's form (other-releases.md 3.13); the files of a folder are one run.

    A row does not say which scenario it is about, since characters share names: the name of its
    file does. Its place is the place of its question.
    """

    name = "mem-gallery"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The rows of ``…_results.json``, or what a companion adds to the same run."""
        data: Any = None if file.is_lines or file.is_archive else file.data
        if any_row_has(data, *_ROW_KEYS) and not any_row_has(data, *_DESCENDANT):
            return [_results(file, data)]
        if is_figures(data):
            return [_figures(file, data)]
        if is_sum(data):
            log = DefectLog(file.name)
            root = Node(data, "$", log)
            overall = Node(root.mapping("overall_statistics"), root.at("overall_statistics"), log)
            metrics = tuple(read_averages(overall, "all", by_point=True))
            return [RunPart(_identity(file), metrics=metrics, defects=tuple(log.items))]
        return _efficiency(file, data)


def _results(file: SourceFile, data: list[Any]) -> RunPart:
    log = DefectLog(file.name)
    identity = _identity(file)
    whole = identity.system in _WHOLE_HISTORY
    history = _scenario(file)
    records = []
    for position, row in Rows(history, "$", data).nodes(log):
        text = row.required_text("question")
        if text is not None:
            records.append(_record(row, history, position, text, whole))
    doubled = any(
        source.round_id.count(":") > 1
        for record in records
        for item in record.retrieval.items
        for source in item.sources
    )
    notes = (
        _NOT_JUDGED_NOTE,
        *((_WHOLE_NOTE.format(system=identity.system),) if whole else ()),
        *((_PREFIX_NOTE,) if doubled else ()),
        *_named(file)[1],
    )
    return RunPart(
        identity, tuple(records), answer_times(data), defects=tuple(log.items), notes=notes
    )


def _record(row: Node, history: str, position: int, text: str, whole: bool) -> Record:
    answer = read_answer(row, "system_answer")
    return Record(
        ref=QuestionRef(
            history=history,
            position=position,
            text=text,
            category=_category(row),
            gold=row.text("original_answer") or None,
        ),
        status=answer.status,
        answer=answer.text,
        file=row.log.file,
        place=row.place,
        detail=answer.detail,
        retrieval=_retrieval(row, whole),
    )


def _category(row: Node) -> str:
    """The point of the question; MemEye's runs write it as lists, which tell nothing more."""
    return "" if type(row.data.get("category")) is list else row.text("category")


def _retrieval(row: Node, whole: bool) -> Retrieval:
    """What was retrieved, ids as written: an id that names its session twice leads nowhere."""
    if row.data.get("retrieved_ids") is None:
        return Retrieval(RetrievalState.WHOLE_HISTORY if whole else RetrievalState.NOT_STORED)
    ids = row.texts("retrieved_ids")
    if whole and not ids:
        return Retrieval(RetrievalState.WHOLE_HISTORY)
    items = [
        RetrievedItem(rank, (SourceRef(round_id=one),))
        for rank, one in enumerate(ids, start=1)
        if one
    ]
    return Retrieval(RetrievalState.IDS, "round", tuple(items))


def _figures(file: SourceFile, data: dict[str, Any]) -> RunPart:
    log = DefectLog(file.name)
    root = Node(data, "$", log)
    history = _scenario(file)
    rows = read_row_figures(root)
    return RunPart(
        _identity(file),
        metrics=tuple(read_averages(root, history)),
        defects=tuple(log.items),
        row_metrics={history: rows} if rows else {},
    )


def _efficiency(file: SourceFile, data: Any) -> Sequence[RunPart] | None:
    if not is_efficiency(data) or _is_descendant(file, data):
        return None
    log = DefectLog(file.name)
    parameters, metrics = efficiency_facts(data, _scenario(file), log)
    return [RunPart(_identity(file), (), parameters, tuple(metrics), tuple(log.items))]


def _is_descendant(file: SourceFile, data: dict[str, Any]) -> bool:
    """Whether times are about a user of CUE-Mem, whose runner writes the same form of file."""
    user = data.get("sample_id")
    named = history_in(user) if type(user) is str else ""
    return bool(read_data_name(file.stem).history or named)


def _scenario(file: SourceFile) -> str:
    stem = file.stem
    for ending in _ENDINGS:
        stem = stem.removesuffix(ending)
    return stem


def _named(file: SourceFile) -> tuple[RunIdentity, tuple[str, ...]]:
    """A run named after the folders above a file: ``…/BACKBONE/MEMORY/``."""
    memory = file.folders[-1] if file.folders else ""
    if not memory.endswith("Memory"):
        return identity_of(file, MemGalleryRuns.name, stem="")
    backbone = file.folders[-2] if len(file.folders) > 2 else ""
    names = tuple(filter(None, (memory, backbone)))
    identity = RunIdentity(MemGalleryRuns.name, group_of(file), memory, backbone, names=names)
    return identity, ()


def _identity(file: SourceFile) -> RunIdentity:
    return _named(file)[0]
