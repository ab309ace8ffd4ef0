"""A path that may be a release or run output: its content says which."""

from pathlib import Path

from mnemoscope.core.errors import UnknownFormatError, UsageError
from mnemoscope.core.extensions import Group, known_names
from mnemoscope.core.mapping.choice import MAPPING
from mnemoscope.core.model import Release
from mnemoscope.core.releases.added import named_reader
from mnemoscope.core.releases.reader import ReadOptions, recognising
from mnemoscope.core.releases.registry import open_release, release_readers
from mnemoscope.core.runs.registry import OpenedRuns, open_runs, run_readers
from mnemoscope.core.sources import Source
from mnemoscope.tui import console
from mnemoscope.tui.verbs.options import Flags

__all__ = ["open_either"]


def open_either(path: Path, flags: Flags, *, alone: bool = True) -> Release | OpenedRuns:
    """Open a release or, where there is none, the runs below a path.

    Args:
        path: A file or a folder.
        flags: ``format`` may name a format of either; it then decides.
        alone: Whether no run is named beside it, so that ``run_format`` is about it.

    Raises:
        UsageError: No reader has the name.
        InputError: It is neither, or cannot be read.
    """
    source = Source(path)
    console.progress(f"reading {path.name}")
    options = ReadOptions(tuple(flags.media_root))
    releases = release_readers()
    names = [reader.name for reader in run_readers()]
    formats = flags.formats
    if formats.release == MAPPING:
        media_roots = flags.media_root
        return open_release(path, format=MAPPING, media_roots=media_roots, map=formats.release_map)
    if flags.format in names:
        return open_runs(path, format=flags.format)
    if (formats.run is not None or formats.run_map is not None) and alone:
        return open_runs(path, format=formats.run, map=formats.run_map)
    if source.is_archive and formats.release is None:
        return open_runs(path)
    known = known_names(dict.fromkeys(one.name for one in releases), Group.READERS)
    if formats.release is not None:
        own = next((one for one in releases if one.name == formats.release), None)
        named = own or named_reader(formats.release)
        if named is None:
            raise UsageError(
                f"no format named {flags.format!r}; releases: {known}; runs: {', '.join(names)}"
            )
        return named.read(source, options)
    found = recognising(releases, source)
    if found is not None:
        return found.read(source, options)
    try:
        return open_runs(path)
    except UnknownFormatError:
        raise UnknownFormatError(
            f"{path}: neither a release nor run output of a known format",
            hint=f"releases: {known}; run output: {', '.join(names)}",
        ) from None
