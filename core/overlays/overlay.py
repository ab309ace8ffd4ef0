"""What an overlay says, and what of a question it was made from."""

import hashlib
from dataclasses import dataclass

from mnemoscope.core.defects import Defect
from mnemoscope.core.model import Question
from mnemoscope.core.writing import json_bytes

__all__ = ["Overlay", "OverlayEntry", "Published", "question_hash", "written_evidence"]


@dataclass(frozen=True, slots=True)
class Published:
    """The question as the maker of an overlay had it; what is None was not written down."""

    hash: str | None = None
    """See ``question_hash``."""
    text: str | None = None
    answer: str | None = None
    category: str | None = None
    evidence: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class OverlayEntry:
    """What an overlay says about one question."""

    question: str
    """The question as the overlay names it."""
    published: Published
    place: str
    """Where the entry stands in the overlay's file."""
    key: str = ""
    """The question's key, where the overlay names it by that."""
    history: int | None = None
    """The place of the question's history in the release, where the overlay names it by that."""
    index: int | None = None
    """The question's place in that history."""
    error_type: str = ""
    answer_wrong: bool = False
    """Whether the published answer is wrong. The overlay may know no better one."""
    answer: tuple[str, ...] | None = None
    """The answers that are right (or the label of the right option); None where it gives none.
    Where the published answer is not wrong this is only another wording."""
    evidence: tuple[str, ...] | None = None
    """All that the right answer rests on, by id; None where the published evidence stands."""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A versioned set of corrections."""

    name: str
    version: str
    """The maker's own; the first digits of the file's hash where the maker gives none."""
    file: str
    sha256: str
    """Of the file's bytes."""
    entries: tuple[OverlayEntry, ...]
    source: str = ""
    """Where it comes from."""
    licence: str = ""
    defects: tuple[Defect, ...] = ()
    """Entries that cannot be used."""

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}".strip()


def written_evidence(question: Question) -> tuple[str, ...]:
    """The distinct gold pointers as the release writes them, in order."""
    return tuple(dict.fromkeys(clue.written for clue in question.clues))


def question_hash(question: Question) -> str:
    """The SHA-256 of what an overlay may correct: text, options, gold and gold pointers.

    It is the same for a release and for what it was converted to, since it does not depend on
    files, places, captions or on how a pointer was resolved.
    """
    gold = question.gold
    content = {
        "text": question.text,
        "options": [
            [option.label, option.text, option.attachment.written if option.attachment else None]
            for option in question.options
        ],
        "gold": [gold.kind.value, gold.option, list(gold.texts), gold.value],
        "evidence": list(written_evidence(question)),
    }
    return hashlib.sha256(json_bytes(content)).hexdigest()
