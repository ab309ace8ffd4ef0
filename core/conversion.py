"""Converting releases and runs to our own format, each read again to see what came of it."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import count_by_severity, describe
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueProblem,
    Record,
    Release,
    Run,
)
from mnemoscope.core.releases.native.reader import MediaMode, write_release
from mnemoscope.core.releases.registry import open_release
from mnemoscope.core.runs.join import join
from mnemoscope.core.runs.native.writer import own_folder, write_run
from mnemoscope.core.runs.registry import open_runs
from mnemoscope.core.writing import new_folder, slug

__all__ = ["Conversion", "Difference", "NotKept", "convert_release", "convert_runs"]

_OF_THE_DISK = frozenset(
    ("place", "context_place", "file", "files", "defects", "root", "media_roots")
)
"""Fields that say where a thing was read, or what is wrong at that place."""
_ORDERED = ("histories", "questions")
"""Mappings whose order means something: the release's."""
_BESIDE = ("events.jsonl", "snapshots", "states", "tags")
"""What stands in the folder of a run of ours beside what the model holds."""
_RAW = "keys of the source files that no field of the model holds; the source has them"


@dataclass(frozen=True, slots=True)
class Difference:
    """A kind of thing that reads differently from the native files."""

    what: str
    """Its path in the model, indexes as ``*``."""
    n: int
    """How many such things differ."""
    example: str
    """The path of the first."""
    source: str
    native: str


@dataclass(frozen=True, slots=True)
class NotKept:
    """Something that the native format has no place for."""

    what: str
    n: int | None = None
    """How many there are; None where they are not counted."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a conversion wrote."""

    kind: str
    """``release``, ``run`` or ``runs``."""
    name: str
    format: str
    """The format of the source."""
    out: Path
    folders: tuple[str, ...]
    """The folder of each release or run, relative to ``out``."""
    counts: Mapping[str, int]
    differences: tuple[Difference, ...]
    """What reads differently; none when the native files read equal to the source."""
    not_kept: tuple[NotKept, ...]


def convert_release(
    release: Release, out: Path, *, media: MediaMode = MediaMode.COPY
) -> Conversion:
    """Write a release in our own format, and read it again.

    Args:
        release: The release.
        out: A new or empty folder.
        media: What becomes of media files.

    Raises:
        UsageError: ``out`` is occupied.
        InputError: A file cannot be written, linked or read.
    """
    write_release(release, out, media=media)
    native = open_release(out, format="native")
    found = _Differences(ignore_media=media is MediaMode.NONE)
    found.compare(release, native)
    lost = [*_defects_of(release), NotKept(_RAW)]
    if found.left_out:
        lost.insert(0, NotKept("media files, found again with --media-root", found.left_out))
    counts = dict(release.counts)
    return Conversion(
        "release", release.name, release.format, out, (".",), counts, found.items, tuple(lost)
    )


def convert_runs(runs: Sequence[Run], out: Path, *, release: Release | None = None) -> Conversion:
    """Write runs in our own format, one folder each where there are several, and read them again.

    Args:
        runs: The runs.
        out: A new or empty folder.
        release: What they answer: records that join to it get the keys of their questions. Without
            it they keep what their rows say.

    Raises:
        UsageError: ``out`` is occupied.
        InputError: A file cannot be written, or a context can no longer be read.
    """
    taken: set[str] = set()
    single = len(runs) == 1
    names = ["." if single else slug(run.name, taken, fallback="run") for run in runs]
    keys = [_keys(run, release) for run in runs]
    if single:
        write_run(runs[0], keys[0], out, release=release)
    else:
        with new_folder(out) as folder:
            for run, of_run, name in zip(runs, keys, names, strict=True):
                write_run(run, of_run, folder / name, release=release)
    found = _Differences()
    for run, of_run, name in zip(runs, keys, names, strict=True):
        (native,) = open_runs(out / name, format="native-run").runs
        found.compare(_keyed(run, of_run), native, "" if single else name)
    formats = ", ".join(dict.fromkeys(run.format for run in runs))
    records = sum(len(run.records) for run in runs)
    joined = sum(key is not None for of_run in keys for key in of_run)
    lost = [one for run in runs for one in (*_beside(run), *_defects_of(run))]
    lost.append(NotKept(_RAW))
    return Conversion(
        "run" if single else "runs",
        runs[0].name if single else "",
        formats,
        out,
        tuple(names),
        {"runs": len(runs), "records": records, "with_key": joined},
        found.items,
        tuple(lost),
    )


def _keys(run: Run, release: Release | None) -> tuple[str | None, ...]:
    if release is not None:
        return join(release, run).keys
    # Of two rows with the same key and repeat a reader takes the later for the earlier tried again.
    seen: set[tuple[str, int]] = set()
    keys: list[str | None] = []
    for record in run.records:
        row = (record.ref.key, record.repeat)
        keys.append(record.ref.key if record.ref.key and row not in seen else None)
        seen.add(row)
    return tuple(keys)


def _keyed(run: Run, keys: Sequence[str | None]) -> Run:
    """The run as it is to be read again: a key that was found stands in its record."""
    records = tuple(
        replace(record, ref=replace(record.ref, key=key)) if key else record
        for record, key in zip(run.records, keys, strict=True)
    )
    return replace(run, records=records)


def _defects_of(source: Release | Run) -> Iterator[NotKept]:
    counts = count_by_severity(source.defects)
    total = sum(counts.values())
    if total:
        yield NotKept(f"defects of {source.name}, which are about its source files", total)


def _beside(run: Run) -> Iterator[NotKept]:
    folder = own_folder(run)
    for path in () if folder is None else map(folder.joinpath, _BESIDE):
        files = sum(one.is_file() for one in (path, *path.rglob("*")))
        if files:
            yield NotKept(f"{path.name} of {run.name}: files beside what was answered", files)


class _Differences:
    """Compares what was read from the source with what is read from our files."""

    def __init__(self, *, ignore_media: bool = False) -> None:
        self.ignore_media = ignore_media
        self.left_out = 0
        self._found: dict[str, Difference] = {}

    @property
    def items(self) -> tuple[Difference, ...]:
        """The differences by kind."""
        return tuple(self._found.values())

    def compare(self, source: Any, native: Any, path: str = "") -> None:
        """Compare two values of the model, all that they hold included."""
        if source is native:
            return
        if is_dataclass(source) and type(source) is type(native):
            self._compare_fields(source, native, path)
        elif isinstance(source, Mapping) and isinstance(native, Mapping):
            self._compare_items(source, native, path)
        elif isinstance(source, list | tuple) and isinstance(native, list | tuple):
            if len(source) != len(native):
                self._add(path, f"{len(source)} items", f"{len(native)} items")
            for index, (one, other) in enumerate(zip(source, native, strict=False)):
                self.compare(one, other, f"{path}[{index}]")
        elif source != native and not (_is_nan(source) and _is_nan(native)):
            self._add(path, describe(source), describe(native))

    def _compare_fields(self, source: Any, native: Any, path: str) -> None:
        skipped: frozenset[str] = _OF_THE_DISK
        if isinstance(source, Attachment):
            left_out = self.ignore_media and source.state is AttachmentState.PRESENT
            self.left_out += left_out
            skipped = skipped | {"state", "note"} if left_out else skipped
        elif isinstance(source, Clue) and self.ignore_media:
            follows = (source.problem, native.problem) == (
                ClueProblem.NONE,
                ClueProblem.FILE_MISSING,
            )
            skipped = skipped | {"problem"} if follows else skipped
        elif isinstance(source, Record):
            # Where a context stands differs; whether there is one must not.
            there, here = bool(source.context_place), bool(native.context_place)
            self.compare(there, here, f"{path}.context")
        for name in _field_names(type(source)):
            if name not in skipped:
                self.compare(
                    getattr(source, name), getattr(native, name), f"{path}.{name}".lstrip(".")
                )

    def _compare_items(
        self, source: Mapping[Any, Any], native: Mapping[Any, Any], path: str
    ) -> None:
        for key in {**source, **native}:
            place = f"{path}[{key!r}]"
            if key not in native:
                self._add(place, "a value", "nothing")
            elif key not in source:
                self._add(place, "nothing", "a value")
            else:
                self.compare(source[key], native[key], place)
        if path in _ORDERED and list(source) != list(native) and source.keys() == native.keys():
            self._add(path, "this order", "another order")

    def _add(self, path: str, source: str, native: str) -> None:
        what = _INDEX.sub("[*]", path)
        first = self._found.get(what)
        if first is None:
            self._found[what] = Difference(what, 1, path, source, native)
        else:
            self._found[what] = replace(first, n=first.n + 1)


_INDEX = re.compile(r"\[(?:\d+|'[^']*'|\"[^\"]*\"|\([^()]*\))\]")
_field_cache: dict[type, tuple[str, ...]] = {}


def _field_names(kind: type) -> tuple[str, ...]:
    if kind not in _field_cache:
        _field_cache[kind] = tuple(field.name for field in fields(kind))
    return _field_cache[kind]


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
