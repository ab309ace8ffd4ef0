"""What a reader of run files makes of one file, and how parts become runs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from mnemoscope.core.defects import Defect, DefectLog, Described
from mnemoscope.core.model import Record, RecordStatus, Run, StoredMetric, Textualisation
from mnemoscope.core.sources import SourceFile

__all__ = ["RunIdentity", "RunPart", "RunReader", "assemble"]


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """Which run a file belongs to: files with equal identities are one run."""

    format: str
    """The reader's name."""
    group: str
    """What tells this run from others of the same place: a folder path, or a shared file stem."""
    system: str
    backbone: str = ""
    textualisation: Textualisation | None = None
    rule: str = "stored"
    """What decides right and wrong: ``rq1``, ``rq3`` or ``stored``."""
    used_depth: int | None = None
    names: tuple[str, ...] = ()
    """Pieces of a name for people, the most telling first."""


@dataclass(frozen=True, slots=True)
class RunPart:
    """What one file adds to a run; a companion file adds no records."""

    identity: RunIdentity
    records: tuple[Record, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What the file says about the configuration, as JSON."""
    metrics: tuple[StoredMetric, ...] = ()
    defects: tuple[Defect, ...] = ()
    notes: tuple[str, ...] = ()
    row_metrics: Mapping[str, Sequence[tuple[StoredMetric, ...]]] = field(default_factory=dict)
    """By history what a companion file claims for each of its rows, in their order."""
    place: str = "$"
    """JSON path of what ``row_metrics`` was read from."""


class RunReader(Protocol):
    """Reads one form of run output, file by file."""

    name: str
    """The form's name, as ``--format`` takes it."""

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """The parts that the file adds to runs; None when its content is not of this form.

        Raises:
            InputError: The file is of this form and cannot be used.
        """
        ...


def assemble(parts: Iterable[tuple[str, RunPart]], root: Path) -> list[Run]:
    """Put the parts of each run together.

    Args:
        parts: Pairs of file name (relative to ``root``) and part, in file order.
        root: The folder that the files are below.

    Records of different files about the same row (same history, form, question and position) are
    halves of one record, such as an answer and its grade.
    """
    groups: dict[RunIdentity, list[tuple[str, RunPart]]] = {}
    for file, part in parts:
        groups.setdefault(part.identity, []).append((file, part))
    return [_assemble_one(identity, group, root) for identity, group in groups.items()]


def _assemble_one(identity: RunIdentity, parts: list[tuple[str, RunPart]], root: Path) -> Run:
    parameters: dict[str, Any] = {}
    for _, part in parts:
        for key, value in part.parameters.items():
            # Files of one run agree on most facts; those that differ by file are listed once each.
            if key in parameters and parameters[key] != value:
                seen = parameters[key] if isinstance(parameters[key], _Several) else None
                seen = seen if seen is not None else _Several([parameters[key]])
                if value not in seen:
                    seen.append(value)
                parameters[key] = seen
            else:
                parameters[key] = value
    records, defects = _merge_records(parts)
    records = _with_row_metrics(records, parts, defects)
    return Run(
        name=" ".join(identity.names) or identity.system,
        format=identity.format,
        root=root,
        files=tuple(dict.fromkeys(file for file, _ in parts)),
        records=records,
        system=identity.system,
        backbone=identity.backbone,
        textualisation=identity.textualisation,
        parameters={k: list(v) if isinstance(v, _Several) else v for k, v in parameters.items()},
        rule=identity.rule,
        used_depth=identity.used_depth,
        metrics=tuple(metric for _, part in parts for metric in part.metrics),
        defects=tuple(defect for _, part in parts for defect in part.defects) + tuple(defects),
        notes=tuple(dict.fromkeys(note for _, part in parts for note in part.notes)),
    )


class _Several(list[Any]):
    """Values of one parameter that differ between files."""


def _merge_records(
    parts: list[tuple[str, RunPart]],
) -> tuple[tuple[Record, ...], list[Defect]]:
    with_records = [part for _, part in parts if part.records]
    if len(with_records) == 1:
        return with_records[0].records, []
    merged: dict[object, Record] = {}
    log = DefectLog()
    for part in with_records:
        # Rows that repeat inside one file are separate rows; only other files' rows are halves.
        occurrences: dict[object, int] = {}
        for record in part.records:
            ref = record.ref
            row = (ref.history, ref.form, ref.question, ref.position, record.repeat)
            occurrences[row] = occurrences.get(row, 0) + 1
            key = (row, occurrences[row])
            merged[key] = _combine(merged[key], record, log) if key in merged else record
    return tuple(merged.values()), log.items


def _with_row_metrics(
    records: tuple[Record, ...], parts: list[tuple[str, RunPart]], defects: list[Defect]
) -> tuple[Record, ...]:
    """Hand the figures of companion files to the records that stand at their places."""
    claimed: dict[tuple[str, int], tuple[StoredMetric, ...]] = {}
    rows_of = Counter(record.ref.history for record in records)
    for file, part in parts:
        log = DefectLog(file)
        for history, rows in part.row_metrics.items():
            if history in rows_of and len(rows) != rows_of[history]:
                found = Described(f"figures of {len(rows)} rows")
                expected = f"{rows_of[history]}, as many as were answered"
                log.warning("row_metrics_unmatched", part.place, found, expected)
                continue
            for position, metrics in enumerate(rows):
                claimed[history, position] = claimed.get((history, position), ()) + metrics
        defects += log.items
    if not claimed:
        return records
    return tuple(
        replace(record, metrics=record.metrics + claimed.get(_row_of(record), ()))
        for record in records
    )


def _row_of(record: Record) -> tuple[str, int]:
    position = record.ref.position
    return record.ref.history, -1 if position is None else position


def _combine(first: Record, second: Record, log: DefectLog) -> Record:
    if first.answer != second.answer:
        log.file = second.file
        log.warning("answers_differ", second.place, second.answer, f"the answer of {first.file}")
    status = first.status if first.status is not RecordStatus.OK else second.status
    return replace(
        first,
        status=status,
        verdicts=first.verdicts + second.verdicts,
        metrics=first.metrics + second.metrics,
        usage={**first.usage, **second.usage},
        reasoning=first.reasoning or second.reasoning,
        retrieval=first.retrieval if first.retrieval.items else second.retrieval,
    )
