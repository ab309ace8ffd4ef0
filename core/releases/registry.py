"""Opening a release with the reader that knows its content."""

from collections.abc import Sequence
from pathlib import Path

from mnemoscope.core.collector import collector_paused
from mnemoscope.core.errors import InputError, UsageError
from mnemoscope.core.model import Release
from mnemoscope.core.releases.mapping.reader import NAME, MappedRelease
from mnemoscope.core.releases.reader import ReadOptions, ReleaseReader, choose_reader, recognising
from mnemoscope.core.sources import Source

__all__ = ["format_of", "open_release", "release_readers"]


def release_readers() -> Sequence[ReleaseReader]:
    """All readers of releases, in the order in which they are asked."""
    from mnemoscope.core.releases.cue_mem.reader import CueMemReader
    from mnemoscope.core.releases.evermembench.reader import EverMemBenchReader
    from mnemoscope.core.releases.h2hmem.reader import H2HMemReader
    from mnemoscope.core.releases.locomo.reader import LocomoReader
    from mnemoscope.core.releases.longmemeval.reader import LongMemEvalReader
    from mnemoscope.core.releases.mem_gallery.reader import MemEyeReader, MemGalleryReader
    from mnemoscope.core.releases.memlens.reader import MemLensReader
    from mnemoscope.core.releases.memoryagentbench.reader import MemoryAgentBenchReader
    from mnemoscope.core.releases.memorybank.reader import MemoryBankReader
    from mnemoscope.core.releases.native.reader import NativeReader
    from mnemoscope.core.releases.personamem.reader import PersonaMemReader
    from mnemoscope.core.releases.prefeval.reader import PrefEvalReader

    return [
        NativeReader(),
        CueMemReader(),
        LocomoReader(),
        MemGalleryReader(),
        MemEyeReader(),
        H2HMemReader(),
        EverMemBenchReader(),
        MemoryAgentBenchReader(),
        LongMemEvalReader(),
        MemLensReader(),
        PersonaMemReader(),
        PrefEvalReader(),
        MemoryBankReader(),
    ]


def format_of(path: Path) -> str:
    """The format of the release at a path; empty when it is none that can be read."""
    try:
        source = Source(path)
        if source.is_archive:
            return ""
        found = recognising(release_readers(), source)
        return found.name if found is not None else ""
    except InputError:
        return ""


def open_release(
    path: Path,
    *,
    format: str | None = None,
    media_roots: Sequence[Path] = (),
    map: Path | None = None,
) -> Release:
    """Read a release.

    Args:
        path: A file or a folder.
        format: The name of the reader to use; by content when None.
        media_roots: Folders outside the release that media may be read from.
        map: The file of a map by which a file of questions is read, when ``format`` is ``mapping``.

    Raises:
        UsageError: No reader has the name.
        InputError: The path is no release of a known format, or nothing of it can be used.
    """
    source = Source(path)
    with collector_paused():
        mapped = [] if map is None or format != NAME else [MappedRelease(map)]
        if format == NAME and not mapped:
            raise UsageError("the format mapping needs a map; name its file with --map")
        reader = choose_reader([*release_readers(), *mapped], source, format)
        return reader.read(source, ReadOptions(media_roots=tuple(media_roots)))
