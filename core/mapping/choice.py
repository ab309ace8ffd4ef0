"""Which of the maps that a user names is of what."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.errors import UsageError

__all__ = ["MAPPING", "Formats", "chosen_formats"]

MAPPING = "mapping"
"""The name of what is read by a map, for releases and for runs."""


@dataclass(frozen=True, slots=True)
class Formats:
    """How a release and runs are to be read."""

    release: str | None = None
    run: str | None = None
    release_map: Path | None = None
    run_map: Path | None = None


def chosen_formats(release: str | None, run: str | None, maps: Sequence[Path] = ()) -> Formats:
    """Put formats and maps together.

    A map of a release is used for the release. A map of runs is used for what is of no known form,
    or for all runs where the form ``mapping`` is asked for, by either name.

    Raises:
        UsageError: There are two maps of one kind, or the format asks for a map that is not there.
        InputError: A map cannot be used.
    """
    found: dict[str, Path] = {}
    if maps:
        from mnemoscope.core.mapping.reader import read_map

        for path in maps:
            reads = read_map(path).reads
            if reads in found:
                raise UsageError(f"{path}: a second map of a {reads}, after {found[reads]}")
            found[reads] = path
    release_map, run_map = found.get("release"), found.get("run")
    if MAPPING in (release, run) and not maps:
        raise UsageError("the format mapping needs a map; name its file with --map")
    if run == MAPPING and run_map is None:
        raise UsageError("--run-format mapping needs a map of runs; the map named is of a release")
    if release == MAPPING and release_map is None:
        release, run = None, MAPPING
    elif release_map is not None and release is None:
        release = MAPPING
    return Formats(release, run, release_map, run_map)
