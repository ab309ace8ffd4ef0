"""From the model to the files of a run in our own format."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from mnemoscope import __version__
from mnemoscope.core.defects import DefectLog
from mnemoscope.core.errors import InputError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.model import Record, Release, Run, Verdict
from mnemoscope.core.raw import read_value
from mnemoscope.core.reading import at_path, json_lines, read_json
from mnemoscope.core.runs.contexts import context_text
from mnemoscope.core.runs.native.reader import (
    BLOBS,
    MANIFEST,
    REACHED,
    RECORDS,
    RUN_KIND,
    SCHEMA_VERSION,
    VERDICTS,
    NativeRuns,
)
from mnemoscope.core.runs.native.reading import context_of, key_ref, manifest_of
from mnemoscope.core.runs.native.schema import (
    Manifest,
    RecordLine,
    ReleaseForm,
    VerdictLine,
)
from mnemoscope.core.schemas import checked
from mnemoscope.core.sources import SourceFile
from mnemoscope.core.writing import cannot_write, json_bytes, new_folder, replace_file, sha256_of

__all__ = [
    "canonical_bytes",
    "keep_blob",
    "own_folder",
    "record_line",
    "release_form",
    "verdict_line",
    "write_manifest",
    "write_run",
]


def release_form(release: Release) -> ReleaseForm:
    """Name a release, with the hash of every file that was read.

    Raises:
        InputError: A file can no longer be read.
    """
    try:
        files = {name: sha256_of(release.root / name) for name in release.files}
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}") from error
    return ReleaseForm(name=release.name, files=files)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write a run's manifest, or replace it.

    Raises:
        InputError: The file system refuses.
    """
    replace_file(folder / MANIFEST, json_bytes(manifest.as_json(), indent=1))


def record_line(record: Record, key: str, context: str | None) -> RecordLine:
    """The line of a record.

    Args:
        record: The record.
        key: The key of its question; empty when that is unknown.
        context: The blob that holds what was sent.
    """
    line = RecordLine.model_validate(record, from_attributes=True)
    # A reference that says no more than the key is left out.
    redundant = key and replace(record.ref, key=key) == key_ref(key)
    ref = None if redundant else line.ref
    extra = {} if record.reached is None else {REACHED: record.reached.as_json()}
    return line.model_copy(update={"key": key, "context": context, "ref": ref, "extra": extra})


def verdict_line(key: str, repeat: int, verdict: Verdict) -> VerdictLine:
    """The line of a verdict about a question × repeat."""
    return VerdictLine.model_validate({**asdict(verdict), "key": key, "repeat": repeat})


def keep_blob(folder: Path, text: str, *, durable: bool) -> str:
    """Store a text under its hash, once; the hash is returned.

    Raises:
        InputError: The file system refuses.
    """
    data = text.encode("utf-8", "surrogatepass")
    name = hashlib.sha256(data).hexdigest()
    path = folder / BLOBS / name
    if not path.exists():
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_write(path.parent, error) from error
        replace_file(path, data, durable=durable)
    return name


def write_run(
    run: Run, keys: Sequence[str | None], out: Path, *, release: Release | None = None
) -> None:
    """Write a run of any form in our own, whole or not at all.

    Args:
        run: The run.
        keys: The question key of each record, None for one that joins to none: it is written
            with what its row says about its question.
        out: A new or empty folder.
        release: The release it was joined to.

    Raises:
        UsageError: ``out`` is a file, or a folder that holds something.
        InputError: A file cannot be written, or a context can no longer be read.
    """
    manifest = _manifest(run)
    if release is not None:
        manifest = manifest.model_copy(update={"release": release_form(release)})
    contexts = _Contexts(run)
    with new_folder(out) as folder:
        write_manifest(folder, manifest)
        with (folder / RECORDS).open("wb") as file:
            for record, key in zip(run.records, keys, strict=True):
                context = contexts.of(record)
                blob = None if context is None else keep_blob(folder, context, durable=False)
                file.write(json_bytes(record_line(record, key or record.ref.key, blob).as_json()))


def _manifest(run: Run) -> Manifest:
    """What was run, as the run says it; a run of ours keeps all that its own manifest says."""
    form = {
        "kind": RUN_KIND,
        "schema_version": SCHEMA_VERSION,
        "name": run.name,
        "format": run.format,
        "system": {"id": run.system},
        "backbone": {"id": run.backbone},
        "textualisation": run.textualisation,
        "parameters": run.parameters,
        "rule": run.rule,
        "used_depth": run.used_depth,
        "metrics": run.metrics,
        "notes": run.notes,
        "counts": Counter(record.status for record in run.records),
    }
    manifest = Manifest.model_validate(form, from_attributes=True)
    folder = own_folder(run)
    if folder is None:
        # A run of ours that was never in a folder has its own version among its parameters.
        version = "" if run.format == "native" else __version__
        return manifest.model_copy(update={"tool_version": version})
    own = manifest_of(read_json(folder / MANIFEST), folder / MANIFEST)
    changed = ("name", "metrics", "notes", *(("counts",) if own.counts else ()))
    return own.model_copy(update={key: getattr(manifest, key) for key in changed})


def own_folder(run: Run) -> Path | None:
    """The folder of a run that was read from our own format; None for any other."""
    for file in run.files:
        path = run.root / file
        if path.name == MANIFEST and NativeRuns().is_run(path.parent):
            return path.parent
    return None


class _Contexts:
    """Contexts of a run's records, from the files the run was read from, one file at a time."""

    def __init__(self, run: Run) -> None:
        self.root = run.root
        self.file = ""
        self.data: Any = None

    def of(self, record: Record) -> str | None:
        """What was sent for a record; None when it is not stored."""
        if not record.context_place:
            return None
        path = self.root / record.file
        is_ours = path.name == RECORDS and (path.parent / BLOBS).is_dir()
        is_archive = SourceFile(path, path.parent).is_archive
        if record.file != self.file and not is_archive:
            self.file = record.file
            self.data = read_bytes(path).split(b"\n") if is_ours else _values(path)
        if is_ours:
            return context_of(path, record.context_place, self.data)
        try:
            if is_archive:
                return context_text(read_value(path, record.context_place))
            return context_text(at_path(self.data, record.context_place))
        except KeyError:
            raise InputError(f"{path}: {record.context_place}: no context there") from None


def _values(path: Path) -> Any:
    """A file's JSON value; of a file of lines, the list of their values, None for blank ones."""
    if not SourceFile(path, path.parent).is_lines:
        return read_json(path)
    found = dict(json_lines(path, DefectLog(), may_be_torn=True))
    last = max(int(place[2:-1]) for place in found) if found else -1
    return [found.get(f"$[{index}]") for index in range(last + 1)]


def canonical_bytes(folder: Path) -> bytes:
    """What a plan decides, in an order that does not depend on how many workers carried it out.

    The lines of records and verdicts, sorted by question key and repeat, without timings, without
    how many attempts an answer took, and without records that were made again later.

    Raises:
        InputError: A file cannot be read.
    """
    log = DefectLog()
    records: dict[object, RecordLine] = {}
    for place, data in json_lines(folder / RECORDS, log, may_be_torn=True):
        record = checked(RecordLine, data, log)
        if record is not None:
            names = (key for key in sorted(record.usage) if not _is_incidental(key))
            usage = {key: record.usage[key] for key in names}
            row = (record.key, record.repeat) if record.key else place
            records[row] = record.model_copy(update={"usage": usage})
    parts = [_sorted(records.values())]
    for path in sorted((folder / VERDICTS).glob("*.jsonl")):
        lines = json_lines(path, log, may_be_torn=True)
        read = (_timeless(checked(VerdictLine, one, log)) for _, one in lines)
        parts.append(_sorted(filter(None, read)))
    return b"".join(parts)


def _timeless(line: VerdictLine | None) -> VerdictLine | None:
    return line.model_copy(update={"at": None}) if line is not None else None


def _sorted(lines: Iterable[RecordLine | VerdictLine]) -> bytes:
    rows = sorted((line.key, line.repeat, json_bytes(line.as_json())) for line in lines)
    return b"".join(text for _, _, text in rows)


def _is_incidental(name: str) -> bool:
    return name.endswith(("seconds", "_ms")) or name == "attempts"
