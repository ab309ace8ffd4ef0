"""The sessions and rounds of a CUE-Mem history file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from mnemoscope.core.model import Attachment, Kind, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem.attachments import (
    ATTACHMENT_KEYS,
    HistoryReading,
    read_attachments,
    read_media_keys,
)
from mnemoscope.core.releases.cue_mem.variants import (
    Counterpart,
    counterparts,
    report_caption,
    round_nodes,
    session_nodes,
)

__all__ = ["read_sessions"]

_SESSION_KEYS = frozenset(("session_id", "date", "dialogues", "dialog_list"))
_VOICE_TEXT = "user_voice_message_caption"
_TEXT_KEYS = frozenset(("round", "user", "assistant"))
_ROUND_KEYS = _TEXT_KEYS | ATTACHMENT_KEYS | {_VOICE_TEXT}
_SAME_IN_VARIANTS = (
    "user",
    "assistant",
    "input_image",
    "image_id",
    "input_voice_message",
    "voice_id",
)
_NOT_SPOKEN: Mapping[str, str] = {}
_DATE = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)


def read_sessions(root: Node, reading: HistoryReading) -> tuple[Session, ...]:
    """Read all sessions of a history file."""
    return _SessionReader(reading).sessions(root)


class _SessionReader:
    """Reads a history's sessions in order."""

    def __init__(self, reading: HistoryReading) -> None:
        self.reading = reading
        self.log = reading.log
        # Rounds are missed only in variants that have any; else one defect says it all.
        self.variants = [variant for variant in reading.variants if variant.rounds]
        self.session_ids: set[str] = set()
        self.round_ids: set[str] = set()
        self.count = 0
        self.last_dated: Session | None = None

    def sessions(self, root: Node) -> tuple[Session, ...]:
        return tuple(filter(None, map(self._session, session_nodes(root))))

    def _session(self, node: Node) -> Session | None:
        session_id = node.required_text("session_id")
        if session_id is None:
            return None
        if session_id in self.session_ids:
            self.log.error("duplicate_session_id", node.at("session_id"), session_id, "a new id")
        self.session_ids.add(session_id)
        rounds = tuple(self._rounds(node, session_id))
        date_text = node.text("date")
        date = self._date(date_text, node)
        session = Session(session_id, date, date_text, rounds, node.place)
        if date is not None:
            self.last_dated = session
        notes = {key: value for key, value in node.data.items() if key not in _SESSION_KEYS}
        if notes:
            self.reading.session_notes.setdefault((self.reading.history_id, session_id), notes)
        return session

    def _date(self, text: str, node: Node) -> datetime | None:
        match = _DATE.fullmatch(text)
        try:
            date = datetime(int(match[3]), int(match[1]), int(match[2])) if match else None
        except ValueError:
            date = None
        last = self.last_dated
        if date is None:
            # A date that is no text is an error already.
            if text or not node.data.get("date"):
                self.log.warning("bad_date", node.at("date"), node.found("date"), "MM/DD/YYYY")
        elif last is not None and last.date is not None and date < last.date:
            expected = f"a date not before {last.date_text}, that of {last.place}"
            self.log.warning("date_order", node.at("date"), text, expected)
        return date

    def _rounds(self, session: Node, session_id: str) -> Iterator[Round]:
        log, seen = self.log, self.round_ids
        prefix = f"{session_id}:"
        for node in round_nodes(session):
            round_id = node.required_text("round")
            if round_id is None:
                continue
            if round_id in seen:
                log.error("duplicate_round_id", node.at("round"), round_id, "a new id")
            seen.add(round_id)
            if not round_id.startswith(prefix):
                log.warning(
                    "foreign_round_id", node.at("round"), round_id, "its session's id first"
                )
            yield Round(
                round_id, session_id, self.count, self._messages(node, round_id), node.place
            )
            self.count += 1

    def _messages(self, node: Node, round_id: str) -> tuple[Message, ...]:
        data = node.data
        others: Sequence[Counterpart] = ()
        if self.variants:
            found = [(variant, variant.rounds.get(round_id)) for variant in self.variants]
            others = counterparts(node, found, f"round {round_id}", _SAME_IN_VARIANTS)
        text = node.text("user")
        attachments: list[Attachment] = []
        spoken = _NOT_SPOKEN
        if not _TEXT_KEYS.issuperset(data):
            attachments = self._attachments(node, round_id, others)
            if _VOICE_TEXT in data:
                spoken = self._spoken(node, others, attachments)
            if text and data.get(_VOICE_TEXT):
                expected = "no user text beside a voice caption"
                self.log.warning("two_user_texts", node.at("user"), text, expected)
        messages = []
        if text or attachments or spoken:
            messages.append(Message("user", Role.USER, text or None, tuple(attachments), spoken))
        reply = node.text("assistant")
        if reply:
            messages.append(Message("assistant", Role.ASSISTANT, reply, (), _NOT_SPOKEN))
        if not messages:
            self.log.warning("empty_round", node.place, data, "text or media")
        return tuple(messages)

    def _attachments(
        self, node: Node, round_id: str, others: Sequence[Counterpart]
    ) -> list[Attachment]:
        reading = self.reading
        attachments = read_attachments(node, round_id, others, reading)
        if not _ROUND_KEYS.issuperset(node.data):
            rest = {key: value for key, value in node.data.items() if key not in _ROUND_KEYS}
            attachments += read_media_keys(node, rest, attachments, others, reading)
            if rest:
                reading.round_notes.setdefault((reading.history_id, round_id), rest)
        return attachments

    def _spoken(
        self, node: Node, others: Sequence[Counterpart], attachments: Sequence[Attachment]
    ) -> Mapping[str, str]:
        """The voiced user text by audio level, where it is not just the clips' captions joined."""
        texts = {self.reading.levels.audio: node.text(_VOICE_TEXT)}
        for variant, other in others:
            text = other.text(_VOICE_TEXT)
            known = texts.setdefault(variant.levels.audio, text)
            if text != known:
                place = other.at(_VOICE_TEXT)
                report_caption(other.log, place, variant.levels.audio, text, known)
        clips = [item.captions for item in attachments if item.kind is Kind.AUDIO]
        spoken = {}
        for level, text in texts.items():
            joined = "\n".join(filter(None, [captions.get(level) for captions in clips]))
            if text and text != joined:
                spoken[level] = text
        if clips and self.reading.levels.audio in spoken:
            place, text = node.at(_VOICE_TEXT), spoken[self.reading.levels.audio]
            self.log.warning("voice_text_differs", place, text, "the clips' captions, joined")
        return spoken
