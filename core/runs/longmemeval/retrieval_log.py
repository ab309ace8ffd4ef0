"""LongMemEval's official log of retrieval: ranked sessions or turns, and no answers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
    StoredMetric,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.longmemeval.rows import bare_stem, question_ref
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import any_row_has, first_rows, identity_of, row_nodes
from mnemoscope.core.sources import SourceFile

__all__ = ["LongMemEvalRetrieval"]

_RESULTS = "retrieval_results"
_UNJUDGED = (Verdict("stored", Value.NOT_JUDGED, reason="retrieval only: nothing was answered"),)
_CUT_AT = 500
_NAMED_GRAIN = re.compile(r"(?:^|[^A-Za-z])(session|turn)(?:$|[^A-Za-z])")
_TURN = re.compile(r"(.+)_([1-9][0-9]{0,5})", re.DOTALL)
_NO_ANSWER = "noans"
_LIST_NOTE = (
    "retrieval only: the rows hold no answer, so there is nothing to judge; the whole ranking is "
    "stored, and not how much of it a reader would be given"
)
_CUT_NOTE = f"retrieved texts are cut at {_CUT_AT} characters, as stored"
_KEPT_NOTE = f"of retrieved texts the first {_CUT_AT} characters are shown; the raw view has all"
_RENAMED_NOTE = (
    "ids that begin with 'noans' are sessions whose id begins with 'answer': the official program "
    "renames those in which the user's turns hold no evidence, and they are read under their names "
    "in the release"
)


class LongMemEvalRetrieval:
    """Reads the official form (other-releases.md 3.11): ``retrieval_results`` of each question."""

    name = "longmemeval-retrieval"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        if file.is_archive or not _is_log(first_rows(file)):
            return None
        log = DefectLog(file.name)
        reading = _Reading(file)
        found = (reading.record(row) for _, row in row_nodes(file, log))
        records = tuple(record for record in found if record is not None)
        identity, notes = identity_of(file, self.name, stem=bare_stem(file))
        return [
            RunPart(
                identity,
                records,
                defects=tuple(log.items),
                notes=(_LIST_NOTE, *reading.notes, *notes),
            )
        ]


def _is_log(rows: list[Any]) -> bool:
    if not any_row_has(rows, "question_id", _RESULTS):
        return False
    found = [row.get(_RESULTS) for row in rows if type(row) is dict]
    return any(type(one) is dict and "ranked_items" in one for one in found)


class _Reading:
    """Turns the rows of one file into records."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file.name
        named = set(_NAMED_GRAIN.findall(file.path.name))
        self.named = next(iter(named)) if len(named) == 1 else ""
        self.notes: dict[str, None] = {}

    def record(self, row: Node) -> Record | None:
        ref = question_ref(row, "answer")
        if ref is None:
            return None
        results = Node(row.mapping(_RESULTS), row.at(_RESULTS), row.log)
        return Record(
            ref=ref,
            # The row did all that it was meant to do; the verdict says that there is no answer.
            status=RecordStatus.OK,
            answer="",
            file=self.file,
            place=row.place,
            verdicts=_UNJUDGED,
            retrieval=self._retrieval(row, results),
            metrics=tuple(_metrics(results)),
        )

    def _retrieval(self, row: Node, results: Node) -> Retrieval:
        if "ranked_items" not in results.data:
            if row.data.get(_RESULTS) is None:
                row.wrong(_RESULTS, "an object with ranked_items")
            else:
                results.wrong("ranked_items", "a list of retrieved items")
            return Retrieval()
        ranked = [
            (rank, self._session(written), self._text(item))
            for rank, item in enumerate(results.nodes("ranked_items"), start=1)
            if (written := item.required_text("corpus_id")) is not None
        ]
        turns = self._of_turns(row, {one for _, one, _ in ranked})
        source = _turn if turns else _session
        items = tuple(RetrievedItem(rank, (source(one),), text=text) for rank, one, text in ranked)
        return Retrieval(RetrievalState.IDS, "round" if turns else "session", items)

    def _session(self, written: str) -> str:
        if not written.startswith(_NO_ANSWER):
            return written
        self.notes[_RENAMED_NOTE] = None
        return written.replace(_NO_ANSWER, "answer")

    def _text(self, item: Node) -> str:
        text = item.text("text")
        if len(text) >= _CUT_AT:
            self.notes[_CUT_NOTE if len(text) == _CUT_AT else _KEPT_NOTE] = None
        return text[:_CUT_AT]

    def _of_turns(self, row: Node, ids: set[str]) -> bool:
        """Whether ids name turns: ``s_3`` may be a session of that name, or the third turn of s."""
        sessions = row.data.get("haystack_session_ids")
        if type(sessions) is list and sessions:
            return not any(one in ids for one in sessions if type(one) is str)
        return self.named == "turn"


def _session(written: str) -> SourceRef:
    return SourceRef(session_id=written)


def _turn(written: str) -> SourceRef:
    """The turn as the release names it; the log counts turns from 1, the release from 0."""
    match = _TURN.fullmatch(written) if len(written) < 1_000 else None
    if match is None:
        return SourceRef(round_id=written)
    return SourceRef(match[1], f"{match[1]}:{int(match[2]) - 1}")


def _metrics(results: Node) -> Iterator[StoredMetric]:
    """Figures such as ``recall_any@5 session``."""
    by_grain = Node(results.mapping("metrics"), results.at("metrics"), results.log)
    for grain in by_grain.data:
        figures: Mapping[str, Any] = by_grain.mapping(grain)
        node = Node(dict(figures), by_grain.at(grain), results.log)
        for name in figures:
            value = node.number(name)
            if value is not None:
                yield StoredMetric(f"{name} {grain}", value)
