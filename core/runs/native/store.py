"""A run in our own format while it happens: one writer, record by record, and resumable."""

import threading
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mnemoscope.core.closing import Closes
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import UsageError
from mnemoscope.core.line_file import LineFile, WriterLock
from mnemoscope.core.model import Record, RecordStatus, Verdict
from mnemoscope.core.reading import json_lines, read_json
from mnemoscope.core.runs.native.differences import difference, differences
from mnemoscope.core.runs.native.reader import MANIFEST, RECORDS, VERDICTS
from mnemoscope.core.runs.native.reading import manifest_of
from mnemoscope.core.runs.native.schema import Manifest, RecordLine, VerdictLine
from mnemoscope.core.runs.native.writer import (
    canonical_bytes,
    keep_blob,
    record_line,
    release_form,
    verdict_line,
    write_manifest,
    write_run,
)
from mnemoscope.core.schemas import checked
from mnemoscope.core.writing import cannot_write, json_bytes, slug

__all__ = [
    "UNFINISHED",
    "RunStore",
    "canonical_bytes",
    "release_form",
    "statuses_of",
    "write_run",
]

UNFINISHED = frozenset({RecordStatus.BUDGET, RecordStatus.NOT_RUN})
"""Statuses of records that a resumed run tries again unless told otherwise."""


class RunStore(Closes):
    """A run folder with this process as its only writer. Its methods may be called from threads."""

    def __init__(
        self, folder: Path, manifest: Manifest, lock: WriterLock, *, durable: bool = True
    ) -> None:
        """Use ``create`` or ``resume``."""
        self.folder = folder
        self.manifest = manifest
        self._lock = lock
        self._guard = threading.Lock()
        self._durable = durable
        self._lines = LineFile(folder / RECORDS, durable=durable)
        self._statuses, self.usage = _earlier(folder / RECORDS)

    @classmethod
    def create(cls, folder: Path, manifest: Manifest, *, durable: bool = True) -> "RunStore":
        """Start a run: the folder, the lock and the manifest, in this order.

        Args:
            folder: A new or empty folder.
            manifest: What is going to be run.
            durable: Whether every record is forced to the disk when it is appended.

        Raises:
            UsageError: The folder holds something, or another process writes into it.
            InputError: The file system refuses.
        """
        _require_new(folder)
        lock = WriterLock(folder)
        try:
            _require_new(folder)
            write_manifest(folder, manifest)
            return cls(folder, manifest, lock, durable=durable)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def resume(
        cls, folder: Path, plan: Manifest | None = None, *, durable: bool = True
    ) -> "RunStore":
        """Go on with a run. A torn last line is cut off and kept aside.

        Args:
            folder: The run's folder.
            plan: What is going to be run; it must be what the folder's manifest says, budgets and
                judges aside.
            durable: Whether every record is forced to the disk when it is appended.

        Raises:
            UsageError: The plan is another one, or another process writes into the folder.
            InputError: There is no run of ours, or the file system refuses.
        """
        manifest = manifest_of(read_json(folder / MANIFEST), folder / MANIFEST)
        if plan is not None:
            differing = differences(manifest, plan)
            if differing:
                told = difference(manifest, plan)
                hint = "name another folder, or run what its manifest says with --from"
                error = f"{folder}: is a run of another plan: {told}"
                raise UsageError(error, hint=hint, details=differing)
        lock = WriterLock(folder)
        try:
            return cls(folder, manifest, lock, durable=durable)
        except BaseException:
            lock.release()
            raise

    def finished_keys(self, retry: Collection[RecordStatus] = UNFINISHED) -> set[tuple[str, int]]:
        """Question key and repeat of every record that need not be made again.

        Args:
            retry: Statuses of records that are to be made again; the later record then counts.
        """
        with self._guard:
            return {row for row, status in self._statuses.items() if status not in retry}

    @property
    def counts(self) -> dict[RecordStatus, int]:
        """How many records there are of each status; of those made again the last counts."""
        with self._guard:
            return dict(sorted(Counter(self._statuses.values()).items()))

    def restart(self, plan: Manifest) -> None:
        """Say in the manifest that the run goes on, under the budgets of a plan."""
        update = {"ended_at": None, "counts": {}, "budgets": plan.budgets}
        self.manifest = self.manifest.model_copy(update=update)
        write_manifest(self.folder, self.manifest)

    def append(
        self, record: Record, *, context: str | None = None, extra: Mapping[str, Any] | None = None
    ) -> None:
        """Store one finished record; it is in the file when this returns.

        Args:
            record: The record; its reference holds the question's key.
            context: What was sent to the backbone; equal ones are stored once.
            extra: What else is known of it, as JSON.

        Raises:
            InputError: The file system refuses; no half record is left.
        """
        self.append_all([(record, context, extra or {})])

    def append_all(self, finished: Iterable[tuple[Record, str | None, Mapping[str, Any]]]) -> None:
        """Store finished records together: forcing many to the disk takes as long as one.

        Args:
            finished: Each record with its context and what else is known of it; see ``append``.

        Raises:
            InputError: The file system refuses; none of them is left.
        """
        lines = [self._line(*one) for one in finished]
        self._lines.append(b"".join(json_bytes(line.as_json()) for line in lines))
        with self._guard:
            self._statuses.update({(line.key, line.repeat): line.status for line in lines})

    def _line(self, record: Record, context: str | None, extra: Mapping[str, Any]) -> RecordLine:
        if not record.ref.key:
            raise ValueError("a record of a run that is being made names its question by key")
        blob = None if context is None else self.keep_blob(context)
        line = record_line(record, record.ref.key, blob)
        return line.model_copy(update={"extra": dict(extra)}) if extra else line

    def keep_blob(self, text: str) -> str:
        """Store a text under its hash, which is returned.

        It is left to the system when it goes to the disk: forcing each text there would take longer
        than the answer that it was sent for. A text that a power cut spoils is known by its hash.
        """
        return keep_blob(self.folder, text, durable=False)

    def write_verdicts(self, judge: str, verdicts: Iterable[tuple[str, int, Verdict]]) -> Path:
        """Add a judge's verdicts beside all there are; the file they are in is returned.

        Args:
            judge: The judge's name.
            verdicts: Question key, repeat and verdict.

        Raises:
            InputError: The file system refuses.
        """
        folder = self.folder / VERDICTS
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from error
        path = _verdict_file(folder, judge)
        lines = LineFile(path, durable=False)
        try:
            for key, repeat, verdict in verdicts:
                if verdict.judge != judge:
                    raise ValueError(f"a verdict of {verdict.judge!r} among those of {judge!r}")
                lines.append(json_bytes(verdict_line(key, repeat, verdict).as_json()))
        finally:
            lines.close()
        return path

    def finish(self, ended_at: datetime | None = None) -> Manifest:
        """Write the end and the counts by status into the manifest, which is returned."""
        self._lines.sync()
        update = {"ended_at": ended_at or datetime.now(UTC), "counts": self.counts}
        self.manifest = self.manifest.model_copy(update=update)
        write_manifest(self.folder, self.manifest)
        return self.manifest

    def close(self) -> None:
        """Force everything to the disk and let others write."""
        self._lines.close()
        self._lock.release()


def _require_new(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # What was killed before it had a manifest leaves no more than these.
        empty = all(
            path.name == ".lock" or path.match(f".{MANIFEST}.*.part") for path in folder.iterdir()
        )
    except FileExistsError:
        raise UsageError(f"{folder}: is a file, expected a new folder") from None
    except OSError as error:
        raise cannot_write(folder, error) from error
    if not empty:
        hint = "resume the run, or name a new folder"
        raise UsageError(f"{folder}: is not empty; nothing is overwritten", hint=hint)


def statuses_of(folder: Path) -> Mapping[tuple[str, int], RecordStatus]:
    """The status of each question × repeat of a run, for somebody who does not write into it."""
    return _earlier(folder / RECORDS)[0] if (folder / RECORDS).exists() else {}


def _earlier(path: Path) -> tuple[dict[tuple[str, int], RecordStatus], Mapping[str, float]]:
    """The status of each question × repeat, by its last line, and the usage of all lines."""
    log = DefectLog()
    statuses = {}
    usage: dict[str, float] = {}
    for _, data in json_lines(path, log):
        line = checked(RecordLine, data, log)
        if line is not None and line.key:
            statuses[line.key, line.repeat] = line.status
            for name, number in line.usage.items():
                usage[name] = usage.get(name, 0) + number
    return statuses, usage


def _verdict_file(folder: Path, judge: str) -> Path:
    """The file that holds a judge's verdicts already, or a new name for it."""
    taken = set()
    for path in sorted(folder.glob("*.jsonl")):
        taken.add(path.stem)
        log = DefectLog()
        lines = (checked(VerdictLine, data, log) for _, data in json_lines(path, log))
        if next((line.judge for line in lines if line), None) == judge:
            return path
    return folder / f"{slug(judge, taken, fallback='judge')}.jsonl"
