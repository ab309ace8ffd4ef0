"""What the forms of LoCoMo run output share: conversations of rows, answers, verdicts, names.

Nobody's files name the questions alike, but all keep the release's order: a row is known by its
conversation and its place there, and its text checks that.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import RecordStatus, SourceRef, StoredMetric, Value, Verdict
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.part import RunIdentity
from mnemoscope.core.sources import SourceFile

__all__ = [
    "ADVERSARIAL",
    "Answer",
    "Rows",
    "any_row_has",
    "check_totals",
    "conversation_of",
    "first_groups",
    "grouped_rows",
    "identity_of",
    "match_id",
    "read_answer",
    "read_category",
    "read_gold",
    "read_metrics",
    "read_verdict",
    "source_of_id",
]

ADVERSARIAL = "5"
"""The category whose "gold" in run files is the adversarial answer: a lure, not the gold."""

_LOOKED_AT = 10
_TURN = re.compile(r"D[0-9]+:[0-9]+")
_LONGEST_TURN = 20
_CONVERSATION = re.compile(r"(?:[a-z_]*_user_)?([0-9]{1,6})", re.IGNORECASE)
_GENERIC_FOLDERS = frozenset(
    (
        *("data", "dataset", "download", "downloads", "eval", "evals", "evaluation", "files"),
        *("fixture", "fixtures", "json", "locomo", "locomo-runs", "locomo_eval", "log", "logs"),
        *("out", "output", "outputs", "result", "results", "run", "runs", "temp", "tmp"),
    )
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one conversation."""

    history: str
    """The conversation as joining knows it: ``#0`` for the first, else the key as written."""
    place: str
    """JSON path of the list."""
    rows: list[Any]

    def nodes(self, log: DefectLog) -> Iterator[tuple[int, Node]]:
        """Rows that are objects, with their places; others are recorded as errors."""
        for position, row in enumerate(self.rows):
            place = f"{self.place}[{position}]"
            if type(row) is dict:
                yield position, Node(row, place, log)
            else:
                log.error("wrong_type", place, row, "an object")


def any_row_has(rows: Any, *keys: str) -> bool:
    """Whether ``rows`` is a list and one of its first rows is an object with all these keys."""
    if type(rows) is not list:
        return False
    wanted = frozenset(keys)
    return any(type(row) is dict and wanted <= row.keys() for row in rows[:_LOOKED_AT])


def first_groups(data: Any) -> list[Any]:
    """The first values of an object, where rows are to be looked for."""
    return list(islice(data.values(), _LOOKED_AT)) if type(data) is dict else []


def conversation_of(key: str) -> str:
    """The conversation as joining knows it: ``#0`` for a key that ends in its number, else the key.

    Such keys are ``0`` and ``locomo_user_0``.
    """
    match = _CONVERSATION.fullmatch(key)
    return f"#{int(match[1])}" if match else key


def source_of_id(written: str) -> SourceRef:
    """Where a retrieved id points: a turn when it looks like ``D1:2``, otherwise a session."""
    # Very long texts are not matched: an id of megabytes is no turn.
    is_turn = len(written) < _LONGEST_TURN and _TURN.fullmatch(written)
    return SourceRef(round_id=written) if is_turn else SourceRef(session_id=written)


def grouped_rows(groups: Node) -> list[Rows]:
    """The conversations of an object that maps each to its rows, by number."""
    found = []
    for key in groups.data:
        match = _CONVERSATION.fullmatch(key)
        # Keys come in any order ("1", "5", "6", …); a row's place counts in the release's.
        order = int(match[1]) if match else math.inf
        found.append((order, Rows(conversation_of(key), groups.at(key), groups.items(key))))
    return [rows for _, rows in sorted(found, key=lambda pair: pair[0])]


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer, or why there is none."""

    text: str
    status: RecordStatus = RecordStatus.OK
    detail: str = ""


def match_id(
    row: Node, pattern: re.Pattern[str], example: str, key: str = "question_id"
) -> re.Match[str] | None:
    """Match the row's id of its question; one of another form is recorded as odd."""
    value = row.found(key)
    match = pattern.fullmatch(value) if type(value) is str else None
    if match is None:
        row.log.warning("question_id_odd", row.at(key), value, f"an id like {example}")
    return match


def read_answer(row: Node, key: str) -> Answer:
    """The answer at ``key``; a missing, null or blank one is an error of the run."""
    value = row.data.get(key)
    if type(value) is str:
        if value.strip():
            return Answer(value)
        return Answer(value, RecordStatus.ERROR, "blank answer")
    if type(value) is int or type(value) is float:
        row.log.repaired("number_for_text", row.at(key), value, "text", str(value))
        return Answer(str(value))
    if value is not None or key not in row.data:
        row.wrong(key, "text")
    detail = "blank answer" if value is None else "the answer is not text"
    return Answer("", RecordStatus.ERROR, detail)


def read_category(row: Node, key: str = "category") -> str:
    """LoCoMo's integer as text, written as a number or as text; names are not trusted."""
    value = row.data.get(key)
    if type(value) is int:
        return str(value)
    if type(value) is str and value.isascii() and value.isdecimal():
        return value
    if value is not None:
        row.wrong(key, "LoCoMo's number of the category")
    return ""


def read_gold(row: Node, key: str) -> str | None:
    """The gold as the run writes it."""
    value = row.data.get(key)
    if value is None or type(value) is str:
        return value
    if type(value) is int or type(value) is float:
        return str(value)
    row.wrong(key, "text")
    return None


def read_verdict(row: Node, key: str, *, stage: str = "", reason: str = "") -> Verdict:
    """The stored verdict: true, false, 1, 0, or null for an answer that was not judged.

    Args:
        row: The row.
        key: Where its verdict stands.
        stage: Which of several votes it is.
        reason: Why the judge says so, as the row says elsewhere.
    """
    value = row.data.get(key)
    if value is None:
        if key not in row.data:
            expected = "true, false, 1, 0 or null"
            row.log.warning("verdict_missing", row.at(key), row.found(key), expected)
        return Verdict("stored", Value.NOT_JUDGED, stage, reason)
    if type(value) in (bool, int, float) and value in (0, 1):
        score = None if type(value) is bool else float(value)
        return Verdict("stored", Value.RIGHT if value else Value.WRONG, stage, reason, score)
    row.wrong(key, "true, false, 1, 0 or null")
    return Verdict("stored", Value.JUDGE_FAILED, stage, "the stored verdict cannot be read")


def check_totals(header: Node, counted: Mapping[str, int]) -> None:
    """Record the counts of a header that its rows deny."""
    for key, number in counted.items():
        stored = header.number(key)
        if stored is not None and stored != number:
            expected = f"{number}, as the rows say"
            header.log.warning("stored_total_differs", header.at(key), header.data[key], expected)


def read_metrics(row: Node, names: Mapping[str, str]) -> tuple[StoredMetric, ...]:
    """The figures at the keys of ``names``, under the names they go by here."""
    found = ((name, row.number(key)) for key, name in names.items())
    return tuple(StoredMetric(name, value) for name, value in found if value is not None)


def identity_of(
    file: SourceFile, format: str, *, stem: str | None = None, system: str = "", backbone: str = ""
) -> tuple[RunIdentity, tuple[str, ...]]:
    """Which run a file belongs to, and a note where its system is taken from a name.

    Args:
        file: The file.
        format: The reader's name.
        stem: What files of one run share in their names; the file's own stem when None.
        system: The system as the file names it, if it does.
        backbone: The model that answers, if the file names one.
    """
    stem = file.stem if stem is None else stem
    folder = file.path.parent.name
    notes: tuple[str, ...] = ()
    if not system:
        from_folder = bool(folder) and folder.lower() not in _GENERIC_FOLDERS
        system = folder if from_folder else stem or format
        origin = "the name of its folder" if from_folder else "the name of the file"
        notes = (f"the file names no system; {system!r} is {origin}",)
    group = file.path.parent.relative_to(file.root).as_posix()
    identity = RunIdentity(
        format=format,
        group=f"{group}/{stem}",
        system=system,
        backbone=backbone,
        names=tuple(filter(None, (folder, stem))),
    )
    return identity, notes
