"""What the forms of run output share: rows, answers, verdicts, figures, and which run it is."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import RecordStatus, StoredMetric, Value, Verdict
from mnemoscope.core.reading import Node, json_lines
from mnemoscope.core.runs.part import RunIdentity
from mnemoscope.core.sources import SourceFile

__all__ = [
    "Answer",
    "Rows",
    "answer_times",
    "any_row_has",
    "check_totals",
    "first_rows",
    "identity_of",
    "read_answer",
    "read_gold",
    "read_metrics",
    "read_verdict",
    "row_nodes",
]

_LOOKED_AT = 10
_GENERIC_FOLDERS = frozenset(
    (
        *("data", "dataset", "download", "downloads", "eval", "evals", "evaluation", "files"),
        *("fixture", "fixtures", "json", "locomo", "locomo-runs", "locomo_eval", "log", "logs"),
        *("longmemeval", "longmemeval-runs", "mem-gallery-runs", "memlens", "memlens-runs"),
        *("out", "output", "outputs", "personamem", "personamem-runs", "prefeval"),
        *("prefeval-runs", "result", "results", "run", "runs", "temp", "tmp"),
    )
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one conversation, or of a whole file."""

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


def first_rows(file: SourceFile) -> list[Any]:
    """The first rows of a file that is a list of rows, or of one that has a row a line."""
    if file.is_lines:
        return list(file.first_lines)
    data = file.data
    return data[:_LOOKED_AT] if type(data) is list else []


def row_nodes(file: SourceFile, log: DefectLog) -> Iterator[tuple[int, Node]]:
    """The rows of such a file that are objects, with their places; others are recorded as errors.

    Lines are read one at a time, and the last may be one that was never finished.
    """
    if not file.is_lines:
        yield from Rows("", "$", file.data).nodes(log)
        return
    for position, (place, row) in enumerate(json_lines(file.path, log, may_be_torn=True)):
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


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer, or why there is none."""

    text: str
    status: RecordStatus = RecordStatus.OK
    detail: str = ""


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


def check_totals(header: Node, counted: Mapping[str, float]) -> None:
    """Record the figures of a header that its rows deny."""
    for key, number in counted.items():
        stored = header.number(key)
        if stored is not None and abs(stored - number) > 1e-6:
            expected = f"{number:.6g}, as the rows say"
            header.log.warning("stored_total_differs", header.at(key), header.data[key], expected)


def read_metrics(row: Node, names: Mapping[str, str]) -> tuple[StoredMetric, ...]:
    """The figures at the keys of ``names``, under the names they go by here."""
    found = ((name, row.number(key)) for key, name in names.items())
    return tuple(StoredMetric(name, value) for name, value in found if value is not None)


def answer_times(rows: Iterable[Any]) -> dict[str, str]:
    """The first and the last local time at which an answer came."""
    times = [
        time
        for row in rows
        if type(row) is dict and type(time := row.get("timestamp")) is str and time
    ]
    return {"first_answer_at": min(times), "last_answer_at": max(times)} if times else {}


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
