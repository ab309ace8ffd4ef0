"""MemPalace's LoCoMo runs: retrieval only, no answers."""

from collections import Counter
from collections.abc import Sequence

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.locomo.rows import (
    ADVERSARIAL,
    read_category,
    source_of_id,
)
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.runs.rows import (
    Rows,
    any_row_has,
    identity_of,
    read_gold,
    read_metrics,
)
from mnemoscope.core.sources import SourceFile

__all__ = ["MempalaceRuns"]

_METRICS = {"recall": "recall"}
_UNJUDGED = (Verdict("stored", Value.NOT_JUDGED, reason="retrieval only: nothing was answered"),)
_NOTES = (
    "retrieval only: the rows hold no answer, so there is nothing to judge",
    "the stored recall is 1.0 where a question has no evidence, and reads only the first id of a "
    "string that holds several",
    "`answer` is the gold, but for category 5 the adversarial answer: it is left out there",
)


class MempalaceRuns:
    """Reads MemPalace's form (other-releases.md 3.6): a list of rows with retrieved ids."""

    name = "mempalace"

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The run that the file holds."""
        if file.is_lines or not any_row_has(
            file.data, "sample_id", "question", "retrieved_ids", "recall"
        ):
            return None
        log = DefectLog(file.name)
        records = []
        rows_of: Counter[str] = Counter()
        known = _Items()
        for _, row in Rows("", "$", file.data).nodes(log):
            history = row.required_text("sample_id")
            if history is None:
                continue
            record = _read_row(row, history, rows_of[history], known, log.file)
            rows_of[history] += 1
            if record is not None:
                records.append(record)
        identity, notes = identity_of(file, self.name)
        return [
            RunPart(identity, tuple(records), defects=tuple(log.items), notes=(*_NOTES, *notes))
        ]


class _Items(dict[tuple[int, str], RetrievedItem]):
    """Items by rank and id: rows bring the same few sessions at the same few ranks."""

    def __missing__(self, key: tuple[int, str]) -> RetrievedItem:
        rank, written = key
        item = self[key] = RetrievedItem(rank, (source_of_id(written),))
        return item


def _read_row(row: Node, history: str, position: int, known: _Items, file: str) -> Record | None:
    text = row.required_text("question")
    if text is None:
        return None
    category = read_category(row)
    gold = None if category == ADVERSARIAL else read_gold(row, "answer")
    return Record(
        ref=QuestionRef(
            history=history, position=position, text=text, category=category, gold=gold
        ),
        # The row did all that it was meant to do; that there is no answer is the verdict's matter.
        status=RecordStatus.OK,
        answer="",
        file=file,
        place=row.place,
        verdicts=_UNJUDGED,
        retrieval=_read_retrieval(row, known),
        metrics=read_metrics(row, _METRICS),
    )


def _read_retrieval(row: Node, known: _Items) -> Retrieval:
    if "retrieved_ids" not in row.data:
        row.wrong("retrieved_ids", "a list of session ids")
        return Retrieval()
    ids = row.texts("retrieved_ids")
    items = tuple([known[rank, one] for rank, one in enumerate(ids, start=1) if one])
    turns = sum(bool(item.sources[0].round_id) for item in items)
    grain = "round" if items and turns == len(items) else "session"
    return Retrieval(RetrievalState.IDS, grain, items)
