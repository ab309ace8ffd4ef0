"""Opening run outputs: every run below a path, each file by the reader that knows its content."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.defects import Defect, DefectLog, Severity
from mnemoscope.core.errors import InputError, UnknownFormatError, UsageError
from mnemoscope.core.model import Run
from mnemoscope.core.runs.mapping.reader import NAME, MappedRuns
from mnemoscope.core.runs.native.reader import MANIFEST, RECORDS, NativeRuns
from mnemoscope.core.runs.part import RunPart, RunReader, assemble
from mnemoscope.core.sources import (
    Source,
    SourceFile,
    unreadable_folders,
)
from mnemoscope.core.tables import is_table

__all__ = ["OpenedRuns", "is_run_output", "open_runs", "run_readers"]

_MOST_LOOKED_AT = 20
_FILES_A_STEP = 20
"""How many files are read between two words on the progress."""


def run_readers() -> Sequence[RunReader]:
    """All readers of run outputs, in the order in which they are asked."""
    from mnemoscope.core.runs.amb.reader import AmbLocomoRuns, AmbRuns
    from mnemoscope.core.runs.cue_mem import human, oracle, rq1, rq3
    from mnemoscope.core.runs.inspect_ai.reader import InspectRuns
    from mnemoscope.core.runs.locomo import (
        automem,
        full_context,
        ironmem,
        mem0,
        memorylake,
        mempalace,
        openclaw,
        smriti,
        zep,
    )
    from mnemoscope.core.runs.longmemeval.answers import LongMemEvalAnswers
    from mnemoscope.core.runs.longmemeval.automem import AutomemLongMemEvalRuns
    from mnemoscope.core.runs.longmemeval.retrieval_log import LongMemEvalRetrieval
    from mnemoscope.core.runs.longmemeval.smriti import SmritiLongMemEvalRuns
    from mnemoscope.core.runs.mem_gallery.results import MemGalleryRuns
    from mnemoscope.core.runs.memlens.rows import MemLensRuns
    from mnemoscope.core.runs.personamem.hyperbinder import HyperBinderRuns
    from mnemoscope.core.runs.prefeval.responses import PrefEvalOutputs

    return [
        NativeRuns(),
        # The only one that knows archives: those after it would take them for broken JSON.
        InspectRuns(),
        # Before CUE-Mem's, whose readers would take its files of times for their own.
        MemGalleryRuns(),
        rq1.Rq1Runs(),
        rq1.QuestionOnlyRuns(),
        rq3.Rq3Runs(),
        oracle.Rq1OracleRuns(),
        oracle.Rq3OracleRuns(),
        human.HumanRuns(),
        zep.ZepRuns(),
        mem0.Mem0Runs(),
        full_context.FullContextRuns(),
        mempalace.MempalaceRuns(),
        ironmem.IronmemRuns(),
        memorylake.MemorylakeRuns(),
        openclaw.OpenclawRuns(),
        smriti.SmritiRuns(),
        automem.AutomemRuns(),
        AmbLocomoRuns(),
        AmbRuns(),
        LongMemEvalAnswers(),
        LongMemEvalRetrieval(),
        AutomemLongMemEvalRuns(),
        SmritiLongMemEvalRuns(),
        HyperBinderRuns(),
        PrefEvalOutputs(),
        MemLensRuns(),
    ]


@dataclass(frozen=True, slots=True)
class OpenedRuns:
    """The runs below one path."""

    path: Path
    runs: tuple[Run, ...]
    skipped: tuple[str, ...]
    """Data files that no reader knows, relative to the path."""
    defects: tuple[Defect, ...]
    """What is wrong with files that could not be read, or none of whose rows can be used."""


def open_runs(
    path: Path,
    *,
    format: str | None = None,
    map: Path | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> OpenedRuns:
    """Read every run below a path; a result tree becomes one run per system and variant.

    Args:
        path: A file or a folder.
        format: The name of the only reader to use.
        map: The file of a map: what no reader knows is read by it, or everything when ``format``
            is ``mapping``.
        progress: Called with a few words now and then.

    Raises:
        UsageError: No reader has the name.
        InputError: There is no run there, or the one file named cannot be read.
    """
    readers = _chosen(format, map, alone=path.is_file())
    source = Source(_whole(path), of_runs=True, tables=map is not None)
    with collector_paused():
        return _read_all(readers, source, progress)


def _whole(path: Path) -> Path:
    """A run of ours is a folder: one of its files stands for all of it."""
    ours = path.name in (MANIFEST, RECORDS) and path.is_file() and NativeRuns().is_run(path.parent)
    return path.parent if ours else path


def _read_all(
    readers: Sequence[RunReader], source: Source, progress: Callable[[str], None]
) -> OpenedRuns:
    parts: list[tuple[str, RunPart]] = []
    skipped: list[str] = []
    log = DefectLog()
    files = source.files
    log.items += unreadable_folders(source)
    for number, file in enumerate(files):
        if number % _FILES_A_STEP == 0:
            progress(f"reading runs in {source.path.name}, file {number + 1:,} of {len(files):,}")
        try:
            found = _read(readers, file)
        except InputError as error:
            if not source.is_folder:
                raise
            log.file = file.name
            log.unreadable(error, file.path)
            continue
        finally:
            file.release()
        if found is None:
            skipped.append(file.name)
        else:
            parts.extend((file.name, part) for part in found)
    assembled = assemble(parts, source.root)
    runs = [run for run in assembled if _is_run(run)]
    for run in assembled:
        if not _is_run(run):
            # What only accompanies records adds up to no run where the records are of an unknown
            # form; of records that are all broken the defects are kept.
            broken = any(one.severity is Severity.ERROR for one in run.defects)
            log.items += run.defects if broken else ()
            skipped += () if broken else run.files
    if not runs:
        raise _nothing_found(source.path, readers, log.items)
    return OpenedRuns(source.path, tuple(runs), tuple(skipped), tuple(log.items))


def _chosen(name: str | None, map: Path | None, *, alone: bool) -> Sequence[RunReader]:
    if name == NAME and map is None:
        raise UsageError("the form mapping needs a map; name its file with --map")
    mapped = None if map is None else MappedRuns(map, alone=alone)
    if mapped is not None:
        mapped.map  # noqa: B018 - a map that cannot be used is no matter of single files
    readers = [*run_readers(), *([mapped] if mapped else [])]
    if name is None:
        return readers
    chosen = [reader for reader in readers if reader.name == name]
    if not chosen:
        known = ", ".join(reader.name for reader in readers)
        raise UsageError(f"no run format named {name!r}; there are: {known}")
    return chosen


def _is_run(run: Run) -> bool:
    """Whether it has records, or is a run of ours, which has a manifest before its first record."""
    return bool(run.records) or any(PurePath(file).name == MANIFEST for file in run.files)


def _read(readers: Sequence[RunReader], file: SourceFile) -> Sequence[RunPart] | None:
    for reader in readers:
        if is_table(file.path) and reader.name != NAME:
            continue
        parts = reader.read_file(file)
        if parts is not None:
            return parts
    return None


def _nothing_found(
    path: Path, readers: Sequence[RunReader], defects: Sequence[Defect]
) -> InputError:
    if defects:
        one = next((one for one in defects if one.severity is Severity.ERROR), defects[0])
        where = f"{path / one.file if path.is_dir() else path}: {one.path}"
        more = f"{len(defects) - 1} more problems like this" if len(defects) > 1 else ""
        return InputError(f"{where}: found {one.found}, expected {one.expected}", hint=more)
    if len(readers) == 1:
        return UnknownFormatError(f"{path}: no run output of the form {readers[0].name}")
    known = ", ".join(reader.name for reader in readers)
    return UnknownFormatError(f"{path}: no run output of a known form ({known})")


def is_run_output(path: Path) -> bool:
    """Whether one of the first files of a path is run output of a known form."""
    readers = run_readers()
    for file in Source(path, of_runs=True).files[:_MOST_LOOKED_AT]:
        try:
            if any(part.records for part in _read(readers, file) or ()):
                return True
        except InputError:
            continue
    return False
