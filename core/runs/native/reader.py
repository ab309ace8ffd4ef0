"""Runs in our own format: a folder with ``manifest.json``.

Nothing here imports pydantic before a file is known to be ours, so that listing readers and
looking at foreign files stay cheap.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.model import Record
from mnemoscope.core.reading import read_json
from mnemoscope.core.runs.part import RunPart
from mnemoscope.core.sources import SourceFile

__all__ = [
    "BLOBS",
    "MANIFEST",
    "REACHED",
    "RECORDS",
    "RUN_KIND",
    "SCHEMA_VERSION",
    "VERDICTS",
    "NativeRuns",
    "read_context",
]

RUN_KIND = "mnemoscope-run"
SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
RECORDS = "records.jsonl"
VERDICTS = "verdicts"
BLOBS = "blobs"
REACHED = "reached"
"""The key of a record's ``extra`` that says which media reached the model."""
_ELSEWHERE = ("snapshots", "states", "tags")


class NativeRuns:
    """Reads runs in our own format.

    The verdicts of judges are read with the records they are about, so that one that is about no
    record is noticed.
    """

    name = "native-run"

    def __init__(self) -> None:
        self._manifests: dict[Path, Any] = {}

    def read_file(self, file: SourceFile) -> Sequence[RunPart] | None:
        """What the file adds to its run; None when it is in no run folder of ours.

        Raises:
            InputError: The file, or the manifest that says what it belongs to, cannot be used.
        """
        folder = _run_folder(file.path)
        if folder is None or not self.is_run(folder):
            return None
        from mnemoscope.core.runs.native.reading import Reading

        try:
            reading = Reading(folder, self._manifests[folder], file)
        except ReadError:
            # It is said once, of the manifest.
            if file.path.name == MANIFEST or not folder.is_relative_to(file.root):
                raise
            return []
        if file.path.name == MANIFEST:
            return [reading.configuration()]
        if file.path.name == RECORDS:
            return [reading.records()]
        return [reading.companion()] if file.path.parent.name == VERDICTS else []

    def is_run(self, folder: Path) -> bool:
        """Whether a folder holds a manifest of ours."""
        if folder not in self._manifests:
            path = folder / MANIFEST
            try:
                self._manifests[folder] = read_json(path) if path.is_file() else None
            except InputError:
                self._manifests[folder] = None
        data = self._manifests[folder]
        return isinstance(data, dict) and data.get("kind") == RUN_KIND


def _run_folder(path: Path) -> Path | None:
    """The folder that a file would be a run's from, by its name alone."""
    if path.name in (MANIFEST, RECORDS, "events.jsonl"):
        return path.parent
    for folder in path.parents[:2]:
        if folder.name == VERDICTS or folder.name in _ELSEWHERE:
            return folder.parent
    return None


def read_context(root: Path, record: Record) -> str | None:
    """The context that was sent for a record of a native run; None when it is not stored.

    Args:
        root: The run's root, which the record's file is relative to.
        record: The record.

    Raises:
        InputError: The file that holds it cannot be read.
    """
    if not record.context_place:
        return None
    from mnemoscope.core.runs.native.reading import context_of

    return context_of(root / record.file, record.context_place)
