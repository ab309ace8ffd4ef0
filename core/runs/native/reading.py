"""From the files of a run in our own format to parts of a run."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mnemoscope.core.backbones.names import shown_name
from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.errors import InputError, ReadError
from mnemoscope.core.files import read_bytes
from mnemoscope.core.line_file import is_being_written
from mnemoscope.core.model import (
    QueryPart,
    QuestionRef,
    Reached,
    Record,
    Retrieval,
    RetrievedItem,
    SourceRef,
    StoredMetric,
    Textualisation,
    Verdict,
)
from mnemoscope.core.reading import json_lines
from mnemoscope.core.runs.native.reader import BLOBS, MANIFEST, REACHED, SCHEMA_VERSION, VERDICTS
from mnemoscope.core.runs.native.schema import Manifest, RecordLine, RefForm, VerdictLine
from mnemoscope.core.runs.part import RunIdentity, RunPart
from mnemoscope.core.schemas import checked, required
from mnemoscope.core.sources import SourceFile
from mnemoscope.core.writing import json_bytes

__all__ = ["Reading", "context_of", "key_ref", "manifest_of", "verdict_of"]

_CONFIGURATION = ("tool_version", "git", "prompts", "judges", "tokenizer", "seeds", "budgets")


def manifest_of(data: Any, path: Path) -> Manifest:
    """The manifest with a file's content.

    Raises:
        ReadError: It is none of ours, or of another version.
    """
    version = data.get("schema_version") if isinstance(data, dict) else None
    if type(version) is int and version != SCHEMA_VERSION:
        hint = "written by a newer mnemoscope"
        expected = f"version {SCHEMA_VERSION}"
        raise ReadError(path, "$.schema_version", describe(version), expected, hint=hint)
    return required(Manifest, data, path)


def key_ref(key: str) -> QuestionRef:
    """What a record says about its question when all it has is the key."""
    return QuestionRef(key=key, history=key.partition("/")[0], question=key)


class Reading:
    """One file of a run while it is being read."""

    def __init__(self, folder: Path, manifest: Any, file: SourceFile) -> None:
        self.folder = folder
        self.file = file
        self.manifest = manifest_of(manifest, folder / MANIFEST)
        self.log = DefectLog(file.name)

    @property
    def identity(self) -> RunIdentity:
        """What all files of the run share."""
        manifest = self.manifest
        variants = manifest.textualisation
        return RunIdentity(
            format=manifest.format,
            group=self.folder.as_posix(),
            system=manifest.system.id,
            backbone=shown_name(manifest.backbone.id),
            textualisation=None if variants is None else Textualisation(**vars(variants)),
            rule=manifest.rule,
            used_depth=manifest.used_depth,
            names=(manifest.name or self.folder.name,),
        )

    def configuration(self) -> RunPart:
        """What the manifest adds."""
        metrics = tuple(StoredMetric(**vars(one)) for one in self.manifest.metrics)
        notes = self.manifest.notes
        return RunPart(self.identity, (), _configuration(self.manifest), metrics, (), notes)

    def companion(self) -> RunPart:
        """A file that is read with the records."""
        return RunPart(self.identity)

    def records(self) -> RunPart:
        """The records with all their verdicts; of lines with the same key and repeat the last."""
        found: dict[object, Record] = {}
        lines = 0
        for place, data in json_lines(self.file.path, self.log, may_be_torn=True):
            line = checked(RecordLine, data, self.log, place)
            if line is not None:
                row: object = (line.key, line.repeat) if line.key else place
                found[row] = _record(line, self.file.name, place)
                lines += 1
        retried = lines - len(found)
        notes = [f"{retried} records were tried again; the last line of each counts"] * bool(
            retried
        )
        notes += self._progress(len(found))
        for row, verdicts in self._verdicts(found).items():
            record = found[row]
            found[row] = replace(record, verdicts=(*record.verdicts, *verdicts))
        records = tuple(found.values())
        self._compare_counts(records)
        defects = tuple(self.log.items)
        return RunPart(self.identity, records, defects=defects, notes=tuple(notes))

    def _progress(self, done: int) -> list[str]:
        """How far a run has come that has begun and not ended."""
        manifest = self.manifest
        if manifest.format != "native" or manifest.started_at is None or manifest.ended_at:
            return []
        of = ""
        if manifest.questions is not None:
            of = f" of {len(manifest.questions) * max(1, len(manifest.seeds)):,}"
        if is_being_written(self.folder):
            return [f"still running: {done:,}{of} records so far"]
        return [
            f"stopped before its end: {done:,}{of} records; the same command goes on from there"
        ]

    def _verdicts(self, rows: Collection[object]) -> Mapping[object, list[Verdict]]:
        """The verdicts in the files of judges about each of the rows."""
        found: dict[object, list[Verdict]] = {}
        for path in sorted((self.folder / VERDICTS).glob("*.jsonl")):
            log = DefectLog(path.relative_to(self.file.root).as_posix())
            try:
                for place, data in json_lines(path, log, may_be_torn=True):
                    line = checked(VerdictLine, data, log, place)
                    if line is None:
                        continue
                    if (line.key, line.repeat) not in rows:
                        expected = "question and repeat of a record"
                        log.warning("verdict_without_record", f"{place}.key", line.key, expected)
                        continue
                    found.setdefault((line.key, line.repeat), []).append(verdict_of(line))
            except InputError as error:
                log.unreadable(error, path)
            self.log.items += log.items
        return found

    def _compare_counts(self, records: tuple[Record, ...]) -> None:
        counts = Counter(record.status for record in records)
        if self.manifest.counts and dict(counts) != self.manifest.counts:
            found = ", ".join(f"{counts[status]} {status}" for status in sorted(counts))
            listed = self.manifest.counts
            expected = ", ".join(f"{listed[status]} {status}" for status in sorted(listed))
            self.log.warning(
                "counts_differ", "$", Described(found or "no record"), f"{expected} ({MANIFEST})"
            )


def _configuration(manifest: Manifest) -> dict[str, Any]:
    """The configuration as JSON, beyond what a run has a field for.

    A converted run has only what its files said: versions and hashes here are the converter's.
    """
    if manifest.format != "native":
        return manifest.parameters
    stored = json.loads(json_bytes(manifest.as_json()))
    found = {key: stored[key] for key in _CONFIGURATION if key in stored}
    for part in ("system", "backbone"):
        values = stored.get(part, {}).items()
        found.update({f"{part}.{key}": value for key, value in values if key != "id"})
    return {**found, **manifest.parameters}


def _record(line: RecordLine, file: str, place: str) -> Record:
    fields = vars(line).copy()
    for key in ("key", "ref", "context", "extra"):
        del fields[key]
    ref = key_ref(line.key) if line.ref is None else _ref(line.ref, line.key)
    fields |= {
        "verdicts": tuple(Verdict(**vars(one)) for one in line.verdicts),
        "metrics": tuple(StoredMetric(**vars(one)) for one in line.metrics),
        "retrieval": Retrieval(
            line.retrieval.state,
            line.retrieval.grain,
            tuple(
                RetrievedItem(
                    item.rank,
                    tuple(SourceRef(**vars(one)) for one in item.sources),
                    item.score,
                    item.score_kind,
                    item.text,
                    item.used,
                    tuple(QueryPart(**vars(one)) for one in item.parts),
                )
                for item in line.retrieval.items
            ),
            line.retrieval.note,
        ),
        "context_place": f"{place}.context" if line.context else "",
        "reached": Reached.from_json(line.extra.get(REACHED)),
    }
    return Record(**fields, ref=ref, file=file, place=place)


def _ref(form: RefForm, key: str) -> QuestionRef:
    return QuestionRef(**vars(form), key=key)


def verdict_of(line: VerdictLine) -> Verdict:
    """The verdict that a line holds."""
    return Verdict(line.judge, line.value, line.stage, line.reason, line.score, line.answer)


def context_of(path: Path, place: str, lines: Sequence[bytes] | None = None) -> str:
    """The text whose hash stands at a place of a file of records.

    Args:
        path: The file.
        place: Such as ``$[3].context``.
        lines: The file's lines, when they have been read before.

    Raises:
        InputError: A file cannot be read, or there is no such hash.
    """
    index, _, key = place.removeprefix("$[").partition("].")
    try:
        line = (read_bytes(path).split(b"\n") if lines is None else lines)[int(index)]
        digest = json.loads(line)[key]
    except (ValueError, LookupError, TypeError):
        digest = None
    if not isinstance(digest, str) or not digest.isalnum():
        raise InputError(f"{path}: {place}: no context there")
    blob = path.parent / BLOBS / digest
    text = read_bytes(blob)
    if hashlib.sha256(text).hexdigest() != digest:
        raise InputError(f"{blob}: found another text than its name says")
    return text.decode("utf-8", "surrogatepass")
