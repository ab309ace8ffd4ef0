"""The pictures and clips of a release, each file once, by the hash of what is in it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemoscope.core.model import Attachment, Kind, Release
from mnemoscope.core.writing import sha256_of

__all__ = ["MediaFile", "MediaHashes", "attachments", "distinct", "text_language"]

_SAMPLE = 200


def attachments(release: Release) -> Iterator[Attachment]:
    """Every attachment of histories, then of questions and their options, in order."""
    for history in release.histories.values():
        for one in history.rounds:
            yield from one.attachments
    for question in release.questions.values():
        yield from question.attachments
        yield from (one.attachment for one in question.options if one.attachment is not None)


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file of a release."""

    sha256: str
    size: int
    file: str


class MediaHashes:
    """Hashes files, each once."""

    def __init__(self, sizes: Collection[int] | None = None) -> None:
        """Start with none.

        Args:
            sizes: The sizes in bytes that matter: files of other sizes are not read. All when None.
        """
        self._sizes = sizes
        self._found: dict[str, MediaFile | None] = {}

    def of(self, item: Attachment) -> MediaFile | None:
        """The file of an attachment; None where there is none that can be read and matters."""
        if not item.file:
            return None
        if item.file not in self._found:
            self._found[item.file] = self._hash(item.file)
        return self._found[item.file]

    def _hash(self, file: str) -> MediaFile | None:
        path = Path(file)
        try:
            size = path.stat().st_size
            if self._sizes is not None and size not in self._sizes:
                return None
            return MediaFile(sha256_of(path), size, file)
        except OSError:
            return None


def distinct(
    release: Release, kind: Kind, progress: Callable[[int], None] = lambda _: None
) -> list[MediaFile]:
    """The files of a kind, each content once, in the release's order.

    Args:
        release: The release.
        kind: Pictures or clips.
        progress: Called with how many attachments have been looked at.
    """
    hashes = MediaHashes()
    found: dict[str, MediaFile] = {}
    for count, item in enumerate((one for one in attachments(release) if one.kind is kind), 1):
        progress(count)
        one = hashes.of(item)
        if one is not None:
            found.setdefault(one.sha256, one)
    return list(found.values())


def text_language(release: Release) -> str:
    """The language that a release is written in: English or Chinese."""
    stems = [
        question.stem
        for _, question in zip(range(_SAMPLE), release.questions.values(), strict=False)
    ]
    texts = "".join(stems)
    chinese = sum("\u4e00" <= sign <= "\u9fff" for sign in texts)
    letters = sum(sign.isascii() and sign.isalpha() for sign in texts)
    # A Chinese character says about as much as three letters.
    return "Chinese" if 3 * chinese > letters else "English"
