"""Captions laid over a release: a variant more, and everything else as it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mnemoscope.core.captions.book import CaptionBook
from mnemoscope.core.captions.media import MediaHashes, attachments
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import (
    Attachment,
    History,
    Kind,
    Message,
    Option,
    Question,
    Release,
    Round,
)

__all__ = ["CaptionCount", "add_captions"]


@dataclass(frozen=True, slots=True)
class CaptionCount:
    """How far a file of captions goes."""

    name: str
    kind: Kind
    captioned: int
    """How many attachments got a caption."""
    of: int
    """How many attachments of the kind there are."""

    def __str__(self) -> str:
        noun = "pictures" if self.kind is Kind.IMAGE else "clips"
        return f"captions {self.name}: {self.captioned:,} of {self.of:,} {noun}"


def add_captions(
    release: Release, books: Sequence[CaptionBook]
) -> tuple[Release, tuple[CaptionCount, ...]]:
    """The release with made captions as variants of their own, and how far each goes.

    A caption belongs to every file with its hash, wherever it lies and whatever it is called.

    Raises:
        UsageError: The release has such a variant already, or a file of captions is of other media.
    """
    sizes = frozenset(size for book in books for size in book.sizes)
    adding = _Adding(books, MediaHashes(sizes))
    for book in books:
        kind, name = book.head.medium, book.head.name
        taken = ("none", *release.variants(kind))
        if name in taken or sum(one.head.name == name for one in books) > 1:
            raise UsageError(f"{book.path}: there are captions named {name!r} already")
        of = [one for one in attachments(release) if one.kind is kind]
        count = sum(adding.caption(book, one) is not None for one in of)
        if not count:
            raise UsageError(f"{book.path}: none of its captions is of a file of {release.name}")
        adding.counts.append(CaptionCount(name, kind, count, len(of)))
    images, audio = (
        tuple(one.head.name for one in books if one.head.medium is kind) for kind in Kind
    )
    return replace(
        release,
        histories={key: adding.history(one) for key, one in release.histories.items()},
        questions={key: adding.question(one) for key, one in release.questions.items()},
        image_variants=(*release.image_variants, *images),
        audio_variants=(*release.audio_variants, *audio),
    ), tuple(adding.counts)


class _Adding:
    """Makes values again that hold an attachment with a new caption; all others stay the same."""

    def __init__(self, books: Sequence[CaptionBook], hashes: MediaHashes) -> None:
        self._books = books
        self._hashes = hashes
        self.counts: list[CaptionCount] = []

    def caption(self, book: CaptionBook, item: Attachment) -> str | None:
        if book.head.medium is not item.kind:
            return None
        file = self._hashes.of(item)
        return book.captions.get(file.sha256) if file is not None else None

    def history(self, history: History) -> History:
        sessions = tuple(
            replace(session, rounds=tuple(map(self._round, session.rounds)))
            for session in history.sessions
        )
        return replace(history, sessions=sessions)

    def question(self, question: Question) -> Question:
        if not question.attachments and not any(one.attachment for one in question.options):
            return question
        return replace(
            question,
            attachments=tuple(map(self._attachment, question.attachments)),
            options=tuple(map(self._option, question.options)),
        )

    def _round(self, one: Round) -> Round:
        if not any(message.attachments for message in one.messages):
            return one
        return replace(one, messages=tuple(map(self._message, one.messages)))

    def _message(self, message: Message) -> Message:
        return replace(message, attachments=tuple(map(self._attachment, message.attachments)))

    def _option(self, option: Option) -> Option:
        picture = option.attachment
        return option if picture is None else replace(option, attachment=self._attachment(picture))

    def _attachment(self, item: Attachment) -> Attachment:
        made: Mapping[str, str] = {
            book.head.name: text
            for book in self._books
            if (text := self.caption(book, item)) is not None
        }
        return replace(item, captions={**item.captions, **made}) if made else item
