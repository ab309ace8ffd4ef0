"""What a memory system is handed of a history: its own types, without anything evaluator-only.

Ids are neutral (see `core.blind`), captions are those of one textualisation, and paths of files are
not there: a system that may look at media asks its `SystemContext` for them.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from mnemoscope.core.blind import blind
from mnemoscope.core.clue_text import round_text
from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import (
    Attachment,
    History,
    Kind,
    Message,
    Question,
    Role,
    Round,
    Session,
    Textualisation,
)
from mnemoscope.core.model.values import value
from mnemoscope.core.writing import json_bytes

__all__ = ["HandedHistory", "HistoryView", "MediumView", "MessageView", "RoundView", "hand_over"]


@value
class MediumView:
    """An image or audio clip as a system sees it."""

    kind: Kind
    id: str
    caption: str
    """The text that stands for it in the chosen textualisation; empty when none does."""


@value
class MessageView:
    """What one speaker says in a round."""

    speaker: str
    role: Role
    text: str
    """What is said, for voice messages as the chosen audio variant writes it."""
    voiced: bool = False
    """Whether the text stands for speech."""
    media: tuple[MediumView, ...] = ()
    time: datetime | None = None


@value
class RoundView:
    """A round as a system sees it."""

    id: str
    session_id: str
    index: int
    """Position in the history, from 0."""
    observed_at: datetime | None
    """When its session took place; None when the release does not say."""
    date: str
    """The same as the release writes it."""
    messages: tuple[MessageView, ...]
    text: str
    """The messages, each after its speaker's name, with their captions, one a line."""

    def as_json(self) -> dict[str, Any]:
        """Everything that a system can know of the round, as JSON."""
        return {
            "id": self.id,
            "date": self.date,
            "observed_at": self.observed_at and self.observed_at.isoformat(),
            "messages": [
                {
                    "speaker": message.speaker,
                    "role": message.role.value,
                    "text": message.text,
                    "voiced": message.voiced,
                    "time": message.time and message.time.isoformat(),
                    "media": [[one.kind.value, one.id, one.caption] for one in message.media],
                }
                for message in self.messages
            ],
            "text": self.text,
        }


@dataclass(frozen=True)
class HistoryView:
    """The rounds that a system is shown, in order."""

    rounds: tuple[RoundView, ...]
    textualisation: Textualisation

    def first(self, count: int) -> "HistoryView":
        """The view of a prefix."""
        return HistoryView(self.rounds[:count], self.textualisation)

    @cached_property
    def chain(self) -> Sequence[str]:
        """A hash for every prefix: ``chain[n]`` is that of the first n rounds.

        It depends on what the rounds say and on nothing else, so histories that begin alike share
        the hashes of what they share.
        """
        found = [hashlib.sha256(b"mnemoscope history 1").hexdigest()]
        for one in self.rounds:
            found.append(hashlib.sha256(found[-1].encode() + json_bytes(one.as_json())).hexdigest())
        return found


@dataclass(frozen=True)
class HandedHistory:
    """A view, and what only the evaluator keeps: the way back from neutral ids, and the files."""

    view: HistoryView
    history: History
    round_ids: Mapping[str, str]
    """The release's id of each round, by neutral id."""
    session_ids: Mapping[str, str]
    """The release's id of each session, by neutral id."""
    media_ids: Mapping[tuple[Kind, str], str]
    """The release's id of each attachment, by kind and neutral id."""
    files: Mapping[tuple[Kind, str], str]
    """The file of each attachment that can be shown, by kind and neutral id."""

    @cached_property
    def neutral_round(self) -> Mapping[str, str]:
        """The neutral id of each round id; the first round where the release repeats an id."""
        return {own: neutral for neutral, own in reversed(list(self.round_ids.items()))}

    def visible_rounds(self, question: Question) -> int:
        """How many rounds may be used for a question: those up to its ``visible_until``.

        Raises:
            UsageError: It names neither a session nor a round of the history.
        """
        until = question.visible_until
        if not until:
            return len(self.view.rounds)
        one = self.history.round_by_id.get(until)
        if one is not None:
            return one.index + 1
        session = self.history.session_by_id.get(until)
        if session is None:
            raise UsageError(
                f"{question.key}: visible_until {until!r} is no session or round of its history"
            )
        # An empty session shows what came before it.
        place = next(i for i, other in enumerate(self.history.sessions) if other is session)
        return sum(len(one.rounds) for one in self.history.sessions[: place + 1])


def hand_over(history: History, textualisation: Textualisation) -> HandedHistory:
    """Make the view of a history that systems are handed.

    Args:
        history: The history.
        textualisation: Which captions stand for images and audio.
    """
    hidden = blind(history)
    names = _Names()
    rounds = [
        _round(session, one, textualisation, names)
        for session in hidden.history.sessions
        for one in session.rounds
    ]
    view = HistoryView(tuple(rounds), textualisation)
    return HandedHistory(
        view, history, hidden.round_ids, hidden.session_ids, names.media, names.files
    )


class _Names:
    """Numbers attachments in the order in which they come: their own ids can say too much."""

    def __init__(self) -> None:
        self.media: dict[tuple[Kind, str], str] = {}
        self.files: dict[tuple[Kind, str], str] = {}
        self._counts = dict.fromkeys(Kind, 0)

    def of(self, item: Attachment) -> str:
        self._counts[item.kind] += 1
        name = f"{item.kind} {self._counts[item.kind]}"
        self.media[item.kind, name] = item.id
        if item.file:
            self.files[item.kind, name] = item.file
        return name


def _round(
    session: Session, one: Round, textualisation: Textualisation, names: _Names
) -> RoundView:
    messages = tuple(_message(message, textualisation, names) for message in one.messages)
    text = round_text(one, textualisation)
    return RoundView(one.id, session.id, one.index, session.date, session.date_text, messages, text)


def _message(message: Message, textualisation: Textualisation, names: _Names) -> MessageView:
    spoken = message.spoken.get(textualisation.audio)
    media = tuple(
        MediumView(item.kind, names.of(item), item.caption(textualisation.of(item.kind)) or "")
        for item in message.attachments
    )
    text = spoken or message.text or ""
    return MessageView(message.speaker, message.role, text, bool(spoken), media, message.time)
