"""Histories: what a user and an agent said and showed each other.

Nothing here is evaluator-only. A system under test can be handed a History as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from mnemoscope.core.model.media import Attachment, Kind
from mnemoscope.core.model.values import value

__all__ = ["History", "Message", "Role", "Round", "RoundKind", "Session"]


class Role(StrEnum):
    """Who speaks: a user, the assistant, or neither of them."""

    USER = "user"
    ASSISTANT = "assistant"
    OTHER = "other"


class RoundKind(StrEnum):
    """What the smallest unit that evidence points at is in a release."""

    EXCHANGE = "exchange"
    """A user message with the assistant's reply (CUE-Mem)."""
    UTTERANCE = "utterance"
    """One message (LoCoMo)."""


@value
class Message:
    """What one speaker says in a round."""

    speaker: str
    role: Role
    text: str | None
    """None when the message is only its attachments, such as a voice message."""
    attachments: tuple[Attachment, ...] = ()
    spoken: Mapping[str, str] = field(default_factory=dict)
    """Text by audio variant, where a release writes one that differs from the clip's captions."""
    time: datetime | None = None
    """When it was sent, in releases that say so of each message."""


@value
class Round:
    """The smallest unit that evidence points at."""

    id: str
    session_id: str
    index: int
    """Position in the history, from 0."""
    messages: tuple[Message, ...]
    place: str
    """JSON path in its session's file."""

    @property
    def attachments(self) -> Iterator[Attachment]:
        """The attachments of all its messages, in order."""
        for message in self.messages:
            yield from message.attachments

    @property
    def speakers(self) -> str:
        """The speakers' names, each once, in order of appearance."""
        return ", ".join(dict.fromkeys(message.speaker for message in self.messages))


@value
class Session:
    """Rounds that happened together."""

    id: str
    date: datetime | None
    """When it took place; None when no date is given or it cannot be parsed."""
    date_text: str
    """The date as written."""
    rounds: tuple[Round, ...]
    place: str
    """JSON path in the session's file."""
    group: str = ""
    """The group it belongs to, in releases that have several at a time."""
    file: str = ""
    """The file it was read from, where that is not the history's file."""


@dataclass(frozen=True)
class History:
    """One user's or one scenario's whole conversation, sessions in the release's order."""

    id: str
    name: str
    """Who it is about, for people to read."""
    sessions: tuple[Session, ...]
    file: str
    """The file it was read from, relative to the release's root; of several files the first."""
    place: str = "$"
    """JSON path of the history in that file."""

    @cached_property
    def rounds(self) -> Sequence[Round]:
        """All rounds in order; ``rounds[i].index == i``."""
        return [one for session in self.sessions for one in session.rounds]

    @cached_property
    def round_by_id(self) -> Mapping[str, Round]:
        """Rounds by id; the first one wins where a release repeats an id."""
        return {one.id: one for one in reversed(self.rounds)}

    @cached_property
    def session_by_id(self) -> Mapping[str, Session]:
        """Sessions by id; the first one wins where a release repeats an id."""
        return {session.id: session for session in reversed(self.sessions)}

    @cached_property
    def round_of_attachment(self) -> Mapping[tuple[Kind, str], Round]:
        """The first round that carries an attachment, by kind and id."""
        return {
            (item.kind, item.id): one for one in reversed(self.rounds) for item in one.attachments
        }

    def attachment(self, kind: Kind, attachment_id: str) -> Attachment | None:
        """The attachment with this kind and id, if there is one."""
        one = self.round_of_attachment.get((kind, attachment_id))
        if one is None:
            return None
        return next(i for i in one.attachments if i.kind is kind and i.id == attachment_id)
