"""Where judges' verdicts are kept: beside a native run, else in the user's data folder.

A file per judge, only appended to, is all there is of it. For foreign runs the folder is named by
the hashes of release and run, as tags are, so that a run keeps its verdicts wherever it lies.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Record, Verdict
from mnemoscope.core.person_files import PersonFiles
from mnemoscope.core.reading import json_lines
from mnemoscope.core.runs.native.reader import VERDICTS
from mnemoscope.core.tags.fingerprint import is_native, release_hash, run_hash
from mnemoscope.core.tags.store import data_folder
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = [
    *("JUDGE", "Row", "Shelf", "judged_folder", "kept_folders", "read_verdicts", "with_kept"),
    "with_verdicts",
]

JUDGE = "judge"
"""The key of a line that says whose it is."""
Row = tuple[str, int]
"""A question's key and a repeat."""
_DIGITS = 16


@dataclass(frozen=True)
class Shelf:
    """The folder of each run that verdicts are written to."""

    folders: Mapping[str, Path]
    """By the run's name."""

    @classmethod
    def of(cls, workspace: Workspace, chosen: Path | None = None) -> "Shelf":
        """The folders that are used unless somebody says otherwise.

        Args:
            workspace: The release and its runs.
            chosen: The one folder that the user named.

        Raises:
            InputError: The manifest of a native run cannot be read any more.
        """
        release = release_hash(workspace.release)[:_DIGITS]
        base = judged_folder(chosen) / release
        return cls(
            {
                run.name: (
                    run.run.root / VERDICTS
                    if chosen is None and is_native(run.run)
                    else base / run_hash(run.run)[:_DIGITS]
                )
                for run in workspace.runs
            }
        )

    def pen(self, judge: str) -> PersonFiles:
        """What writes a judge's verdicts; nobody else writes as the same judge meanwhile."""
        return PersonFiles(judge, JUDGE)


def judged_folder(chosen: Path | None = None) -> Path:
    """The folder below which verdicts on foreign runs are kept."""
    return chosen if chosen is not None else data_folder() / VERDICTS


def kept_folders(workspace: Workspace, chosen: Path | None = None) -> Mapping[str, Path]:
    """By run name the folders that hold verdicts which the run's reader has not read.

    Nothing is hashed where nothing is kept.
    """
    base = judged_folder(chosen)
    if not base.is_dir() or not workspace.runs or not any(base.iterdir()):
        return {}
    base /= release_hash(workspace.release)[:_DIGITS]
    if not base.is_dir():
        return {}
    folders = {run.name: base / run_hash(run.run)[:_DIGITS] for run in workspace.runs}
    return {name: folder for name, folder in folders.items() if folder.is_dir()}


def with_kept(workspace: Workspace, chosen: Path | None = None) -> Workspace:
    """The workspace with the verdicts that are kept elsewhere than beside its runs.

    What cannot be read is a defect of its own; nothing of it is lost.
    """
    defects: list[Defect] = []
    found: dict[str, Mapping[Row, Sequence[Verdict]]] = {}
    for name, folder in kept_folders(workspace, chosen).items():
        of_run: dict[Row, list[Verdict]] = {}
        for path in sorted(folder.glob("*.jsonl")):
            log = DefectLog(str(path))
            read_verdicts(path, of_run, log)
            defects += log.items
        found[name] = of_run
    if not found:
        return workspace
    return replace(with_verdicts(workspace, found), unreadable=(*workspace.unreadable, *defects))


def read_verdicts(path: Path, found: dict[Row, list[Verdict]], log: DefectLog) -> None:
    """Add the verdicts in a judge's file to those found; what cannot be read goes into the log."""
    from mnemoscope.core.runs.native.reading import verdict_of
    from mnemoscope.core.runs.native.schema import VerdictLine
    from mnemoscope.core.schemas import checked

    try:
        for place, data in json_lines(path, log, may_be_torn=True):
            line = checked(VerdictLine, data, log, place)
            if line is not None:
                found.setdefault((line.key, line.repeat), []).append(verdict_of(line))
    except InputError as error:
        log.unreadable(error, path)


def with_verdicts(
    workspace: Workspace, more: Mapping[str, Mapping[Row, Sequence[Verdict]]]
) -> Workspace:
    """The workspace with further verdicts beside those that its records have.

    Args:
        workspace: The workspace.
        more: By run name, question and repeat.
    """
    runs = (_enriched(run, more[run.name]) if run.name in more else run for run in workspace.runs)
    return replace(workspace, runs=tuple(runs))


def _enriched(run: JoinedRun, more: Mapping[Row, Sequence[Verdict]]) -> JoinedRun:
    fresh = {
        id(record): _added(record, more.get((key or "", record.repeat), ()))
        for record, key in zip(run.run.records, run.join.keys, strict=True)
    }
    records = tuple(fresh[id(record)] for record in run.run.records)
    entries = (replace(one, record=fresh.get(id(one.record), one.record)) for one in run.entries)
    return replace(run, run=replace(run.run, records=records), entries=tuple(entries))


def _added(record: Record, verdicts: Iterable[Verdict]) -> Record:
    added = tuple(verdicts)
    return replace(record, verdicts=(*record.verdicts, *added)) if added else record
