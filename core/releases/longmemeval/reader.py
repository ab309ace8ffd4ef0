"""The reader of LongMemEval: a file of instances, or AMB's queries."""

from dataclasses import replace

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.model import Release
from mnemoscope.core.releases.amb.files import AmbFiles, choose_amb, find_amb
from mnemoscope.core.releases.amb.reading import read_amb
from mnemoscope.core.releases.longmemeval.amb import LONGMEMEVAL_AMB
from mnemoscope.core.releases.longmemeval.dialects import LONGMEMEVAL
from mnemoscope.core.releases.longmemeval.reading import holds_instances, read_instances
from mnemoscope.core.releases.reader import ReadOptions
from mnemoscope.core.sources import Source

__all__ = ["LongMemEvalReader"]


class LongMemEvalReader:
    """Reads LongMemEval (other-releases.md 2.3): instances, or AMB's form of all questions."""

    name = LONGMEMEVAL.name

    def recognises(self, source: Source) -> bool:
        """Whether the path is a file of either form, or a folder with at least one."""
        if holds_instances(source, LONGMEMEVAL):
            return True
        return any(True for _ in find_amb(source, LONGMEMEVAL.types))

    def read(self, source: Source, options: ReadOptions) -> Release:
        """Read the whole release.

        Raises:
            InputError: Nothing of it can be used, or several files hold a release each.
        """
        if holds_instances(source, LONGMEMEVAL):
            release = read_instances(source, LONGMEMEVAL, options)
            beside = find_amb(source, LONGMEMEVAL.types) if source.is_folder else ()
            return replace(release, defects=(*release.defects, *map(_left_out, beside)))
        files = choose_amb(source, LONGMEMEVAL.types, LONGMEMEVAL.title)
        if files is not None:
            return read_amb(source, files, LONGMEMEVAL_AMB, options)
        return read_instances(source, LONGMEMEVAL, options)


def _left_out(files: AmbFiles) -> Defect:
    found, expected = "queries beside the instances; they are not read", "a file of the release"
    return Defect(Severity.WARNING, "file_left_out", files.queries.name, "$", found, expected)
