"""The media of a release while it is read: where they are, and what is odd about their paths."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mnemoscope.core.defects import Defect, DefectLog, Described
from mnemoscope.core.media_files import FoundFile, MediaFiles, normalise
from mnemoscope.core.model import Attachment, AttachmentState, Kind

__all__ = ["OddMedia", "ReleaseMedia", "media_defects"]

_PRESENT = AttachmentState.PRESENT
_MOST_ROOTS = 3
_LONGEST_PATH = 4096
_FILE_SCHEME = "file://"


class OddMedia(NamedTuple):
    """A media path that does not lead to the very file it names."""

    file: str
    place: str
    written: str
    found: FoundFile


class ReleaseMedia:
    """Makes attachments, and gathers what their paths lead to."""

    __slots__ = ("_odd", "files")

    def __init__(self, root: Path, extra_roots: Sequence[Path] = ()) -> None:
        self.files = MediaFiles(root, extra_roots)
        self._odd: list[OddMedia] = []

    def attachment(
        self,
        kind: Kind,
        attachment_id: str,
        written: str,
        captions: Mapping[str, str],
        place: str,
        log: DefectLog,
        *,
        path: str = "",
    ) -> Attachment:
        """An attachment with the file that its path leads to.

        Args:
            kind: What it is.
            attachment_id: Its id.
            written: Its path; ``file://`` before a path of this machine is not part of it.
            captions: Its captions by level.
            place: JSON path of the path.
            log: Of the file that names it.
            path: Where the file is looked for, when what is written is only its name.
        """
        found = self.files.find(path or written.removeprefix(_FILE_SCHEME))
        if found.outside or (written and found.state is not _PRESENT):
            self._odd.append(OddMedia(log.file, place, written, found))
        if "\\" in written:
            log.repaired("backslash_path", place, written, "forward slashes", normalise(written))
        return Attachment(
            kind, attachment_id, written, captions, found.state, found.file, found.note
        )

    def defects(self) -> list[Defect]:
        """What is odd about the paths so far."""
        return media_defects(self._odd, self.files)


def media_defects(odd: Iterable[OddMedia], media: MediaFiles) -> list[Defect]:
    """One defect per file that is not there; a single one where all have the same cause."""
    # The first place that names a file stands for all of them.
    first: dict[str, OddMedia] = {}
    for item in odd:
        first.setdefault(item.written, item)
    present = [item for item in first.values() if item.found.state is _PRESENT]
    lacking = [item for item in first.values() if item.found.state is not _PRESENT]
    outside = [item for item in lacking if item.found.outside]
    absent = [item for item in lacking if not item.found.outside]
    log = DefectLog(".")
    if present:
        expected = "paths of this release"
        roots = ", ".join(map(str, media.roots))
        repair = Described(f"the same files below {roots}")
        log.repaired("media_relocated", "$", _outside_roots(present), expected, repair)
    if outside:
        expected = "paths below the release; name the folder with --media-root to read there"
        log.warning("media_outside", "$", _outside_roots(outside), expected)
    if len(absent) > 1 and not outside and not media.any_present:
        found = Described(f"none of {len(absent):,} media files")
        log.warning("media_absent", "$", found, "the media files beside the dialogue")
        return log.items
    for item in absent:
        log.file = item.file
        expected = f"a file that is there: {item.found.note}"
        # In full: a list of missing files is of use only with their whole names.
        written = Described(repr(item.written[:_LONGEST_PATH]))
        log.warning(f"media_{item.found.state}", item.place, written, expected)
    return log.items


def _outside_roots(items: Sequence[OddMedia]) -> Described:
    counts = Counter(item.found.outside for item in items).most_common()
    shown = ", ".join(f"{root} (files: {count:,})" for root, count in counts[:_MOST_ROOTS])
    more = f" and {len(counts) - _MOST_ROOTS} more" if len(counts) > _MOST_ROOTS else ""
    return Described(f"media paths that lead below {shown}{more}")
