"""Attachments, and which text stands for them."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model.values import value

__all__ = ["Attachment", "AttachmentState", "Kind", "Textualisation"]


class Kind(StrEnum):
    """What an attachment is."""

    IMAGE = "image"
    AUDIO = "audio"


class AttachmentState(StrEnum):
    """Whether the file behind an attachment can be shown."""

    PRESENT = "present"
    MISSING = "missing"
    UNREADABLE = "unreadable"


@value
class Attachment:
    """An image or audio clip, identified by kind and id: ``D02-001`` can be both."""

    kind: Kind
    id: str
    written: str
    """The path or address as the release writes it; empty when it names none."""
    captions: Mapping[str, str] = field(default_factory=dict)
    """Text by variant, such as ``{"brief": …, "detailed": …}``; absent and empty differ."""
    state: AttachmentState = AttachmentState.MISSING
    file: str = ""
    """The full path of the file, when it is present."""
    note: str = ""
    """Why the file cannot be shown; empty when it can."""

    def caption(self, variant: str) -> str | None:
        """The text of a variant; None when the release has none."""
        return self.captions.get(variant)


@value
class Textualisation:
    """Which caption variant stands for images and which for audio, independent of each other.

    ``none`` means that no text stands for them.
    """

    image: str = "none"
    audio: str = "none"

    @classmethod
    def parse(cls, text: str, default: "Textualisation | None" = None) -> "Textualisation":
        """Read ``image=medium,audio=hint``; a part left out keeps the default's value.

        Raises:
            UsageError: A part is not ``image=NAME`` or ``audio=NAME``.
        """
        chosen = {"image": default.image, "audio": default.audio} if default else {}
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            key, _, value = part.partition("=")
            if key not in ("image", "audio") or not value:
                raise UsageError(
                    f"textualisation {part!r}: expected image=NAME or audio=NAME, such as "
                    "image=medium,audio=hint"
                )
            chosen[key] = value
        return cls(**chosen)

    def of(self, kind: Kind) -> str:
        """The variant that stands for attachments of a kind."""
        return self.image if kind is Kind.IMAGE else self.audio

    def __str__(self) -> str:
        return f"image={self.image},audio={self.audio}"
