"""The reader of MemLens: LongMemEval's instances with pictures."""

from dataclasses import replace

from mnemoscope.core.model import Release
from mnemoscope.core.releases.longmemeval.dialects import MEMLENS
from mnemoscope.core.releases.longmemeval.reading import holds_instances, read_instances
from mnemoscope.core.releases.media import ReleaseMedia
from mnemoscope.core.releases.memlens.images import TurnImages
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

__all__ = ["MemLensReader"]


class MemLensReader:
    """Reads MemLens (other-releases.md 2.6): one file such as ``dataset_32k.json``."""

    name = MEMLENS.name

    def recognises(self, source: Source) -> bool:
        """Whether the path is a file of MemLens instances, or a folder with at least one."""
        return holds_instances(source, MEMLENS)

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: There is no instance in it, or a folder holds several releases.
        """
        media = ReleaseMedia(source.root, options.media_roots)
        release = read_instances(source, MEMLENS, options, TurnImages(media))
        defects = (*release.defects, *media.defects())
        return replace(release, defects=defects, media_roots=media.files.roots)
