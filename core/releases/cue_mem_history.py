"""The sessions, rounds and attachments of a CUE-Mem history file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.media_files import MediaFiles
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Kind,
    Message,
    Role,
    Round,
    Session,
    Textualisation,
)
from mnemoscope.core.reading import Node

__all__ = ["MEDIA_EXTENSIONS", "HistoryReading", "VariantRounds", "read_sessions"]

MEDIA_EXTENSIONS: Mapping[str, Kind] = {
    **dict.fromkeys(("png", "jpg", "jpeg", "webp", "bmp", "gif"), Kind.IMAGE),
    **dict.fromkeys(("wav", "mp3", "flac", "m4a", "ogg", "aac"), Kind.AUDIO),
}
"""What a file extension in a clue or a key stands for."""
_FIELDS = {
    Kind.IMAGE: ("input_image", "image_caption", "image_id"),
    Kind.AUDIO: ("input_voice_message", "voice_caption", "voice_id"),
}
_READ = frozenset(name for names in _FIELDS.values() for name in names) | {
    "round",
    "user",
    "assistant",
    "user_voice_message_caption",
}
_MEDIA_KEY = re.compile(r"(.+)\.(\w+)$")


@dataclass(frozen=True, slots=True)
class VariantRounds:
    """The rounds of another caption variant of the same history, by round id."""

    name: str
    levels: Textualisation
    rounds: Mapping[str, dict[str, Any]]

    def level(self, kind: Kind) -> str:
        """The caption level that this variant gives attachments of a kind."""
        return self.levels.of(kind)


@dataclass(slots=True)
class HistoryReading:
    """What reading one history needs and gathers."""

    history_id: str
    levels: Textualisation
    """The caption levels of the file that is read first."""
    media: MediaFiles
    log: DefectLog
    variants: tuple[VariantRounds, ...] = ()
    missing: list[tuple[str, str, str, str]] = field(default_factory=list)
    """(file, JSON path, path as written, note) of every media path that leads to no file."""
    session_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)

    def attachment(
        self, kind: Kind, attachment_id: str, written: str, captions: dict[str, str], place: str
    ) -> Attachment:
        """An attachment with the file that its path leads to."""
        found = self.media.find(written)
        if found.state is not AttachmentState.PRESENT and written:
            self.missing.append((self.log.file, place, written, found.note))
        return Attachment(
            kind, attachment_id, written, captions, found.state, found.file, found.note
        )


def read_sessions(root: Node, reading: HistoryReading) -> tuple[Session, ...]:
    """Read all sessions of a history file."""
    sessions: list[Session] = []
    seen_rounds: set[str] = set()
    seen_sessions: set[str] = set()
    log = reading.log
    count = 0
    for node in root.nodes("multi_session_dialogues"):
        session_id = node.required_text("session_id")
        if session_id is None:
            continue
        if session_id in seen_sessions:
            log.error("duplicate_session_id", node.at("session_id"), session_id, "a new id")
        seen_sessions.add(session_id)
        rounds = _read_rounds(node, session_id, count, seen_rounds, reading)
        count += len(rounds)
        date_text = node.text("date")
        date = _read_date(date_text, node, sessions[-1] if sessions else None)
        sessions.append(Session(session_id, date, date_text, rounds, node.place))
        notes = {
            key: value
            for key, value in node.data.items()
            if key not in ("session_id", "date", "dialogues", "dialog_list")
        }
        if notes:
            reading.session_notes[reading.history_id, session_id] = notes
    return tuple(sessions)


def _read_date(text: str, node: Node, previous: Session | None) -> datetime | None:
    try:
        date = datetime.strptime(text, "%m/%d/%Y")
    except ValueError:
        node.log.warning("bad_date", node.at("date"), node.data.get("date"), "a date MM/DD/YYYY")
        return None
    if previous is not None and previous.date is not None and date < previous.date:
        expected = f"a date not before that of {previous.id}, {previous.date_text}"
        node.log.warning("date_order", node.at("date"), text, expected)
    return date


def _read_rounds(
    session: Node, session_id: str, first: int, seen: set[str], reading: HistoryReading
) -> tuple[Round, ...]:
    key = "dialogues" if "dialogues" in session.data else "dialog_list"
    if key not in session.data:
        session.wrong("dialogues", "a list of rounds")
    rounds: list[Round] = []
    prefix = f"{session_id}:"
    for node in session.nodes(key):
        round_id = node.required_text("round")
        if round_id is None:
            continue
        if round_id in seen:
            node.log.error("duplicate_round_id", node.at("round"), round_id, "a new id")
        seen.add(round_id)
        if not round_id.startswith(prefix):
            node.log.warning("foreign_round_id", node.at("round"), round_id, f"{prefix}NN")
        messages = _read_messages(node, round_id, reading)
        rounds.append(Round(round_id, session_id, first + len(rounds), messages, node.place))
    return tuple(rounds)


def _read_messages(node: Node, round_id: str, reading: HistoryReading) -> tuple[Message, ...]:
    data = node.data
    others = _other_rounds(node, round_id, reading) if reading.variants else ()
    attachments: tuple[Attachment, ...] = ()
    if "input_image" in data or "image_id" in data:
        attachments = _read_attachments(node, Kind.IMAGE, round_id, others, reading)
    if "input_voice_message" in data or "voice_id" in data:
        attachments += _read_attachments(node, Kind.AUDIO, round_id, others, reading)
    if len(data.keys() - _READ):
        attachments += _read_unusual_keys(node, round_id, reading)
    text: str | None = node.text("user")
    spoken: dict[str, str] = {}
    if "user_voice_message_caption" in data:
        spoken = _spoken(node, others, attachments, reading)
        if text:
            node.log.warning(
                "two_user_texts", node.at("user"), text, "no user text beside a voice caption"
            )
    elif "user" not in data:
        text = None
    messages = [Message("user", Role.USER, text or None, attachments, spoken)]
    if not text and not attachments:
        messages = []
    reply = node.text("assistant")
    if reply:
        messages.append(Message("assistant", Role.ASSISTANT, reply))
    if not messages:
        node.log.warning("empty_round", node.place, data, "text or media")
    return tuple(messages)


def _other_rounds(
    node: Node, round_id: str, reading: HistoryReading
) -> tuple[tuple[VariantRounds, dict[str, Any]], ...]:
    """The same round in the other variants, where it differs from this one."""
    different = []
    for variant in reading.variants:
        other = variant.rounds.get(round_id)
        if other is None:
            node.log.warning(
                "variant_lacks_round", node.place, round_id, f"the round in {variant.name} too"
            )
        elif other != node.data:
            _check_same_dialogue(node, variant, other)
            different.append((variant, other))
        else:
            different.append((variant, node.data))
    return tuple(different)


def _check_same_dialogue(node: Node, variant: VariantRounds, other: dict[str, Any]) -> None:
    for key in ("user", "assistant", "input_image", "image_id", "input_voice_message", "voice_id"):
        if node.data.get(key) != other.get(key):
            expected = f"what {variant.name} has: {str(other.get(key))[:60]!r}"
            node.log.warning("variants_differ", node.at(key), node.data.get(key), expected)


def _read_attachments(
    node: Node,
    kind: Kind,
    round_id: str,
    others: tuple[tuple[VariantRounds, dict[str, Any]], ...],
    reading: HistoryReading,
) -> tuple[Attachment, ...]:
    path_key, caption_key, id_key = _FIELDS[kind]
    paths, captions, ids = node.texts(path_key), node.texts(caption_key), node.texts(id_key)
    count = max(len(paths), len(ids))
    if len(paths) != len(ids) or (captions and len(captions) != count):
        found = {path_key: len(paths), caption_key: len(captions), id_key: len(ids)}
        lengths = ", ".join(f"{length} in {name}" for name, length in found.items())
        node.log.error("parallel_lists", node.place, lengths, "lists of equal length")
    level = reading.levels.of(kind)
    result = []
    for index in range(count):
        texts = {level: captions[index]} if index < len(captions) else {}
        for variant, other in others:
            _add_caption(texts, variant, kind, other.get(caption_key), index, node)
        written = paths[index] if index < len(paths) else ""
        attachment_id = ids[index] if index < len(ids) else ""
        place = f"{node.place}.{path_key}[{index}]"
        if not attachment_id:
            attachment_id = f"{round_id}#{kind}{index + 1}"
        result.append(reading.attachment(kind, attachment_id, written, texts, place))
    return tuple(result)


def _add_caption(
    texts: dict[str, str],
    variant: VariantRounds,
    kind: Kind,
    written: object,
    index: int,
    node: Node,
) -> None:
    if type(written) is str:
        caption: object = written if index == 0 else None
    else:
        caption = written[index] if type(written) is list and index < len(written) else None
    if type(caption) is not str:
        return
    known = texts.setdefault(variant.level(kind), caption)
    if known != caption:
        key = _FIELDS[kind][1]
        expected = f"the {variant.level(kind)} caption of {variant.name}: {caption[:60]!r}"
        node.log.warning("captions_differ", f"{node.place}.{key}[{index}]", known, expected)


def _spoken(
    node: Node,
    others: tuple[tuple[VariantRounds, dict[str, Any]], ...],
    attachments: tuple[Attachment, ...],
    reading: HistoryReading,
) -> dict[str, str]:
    """The voiced user text by audio level, where it is not just the clips' captions joined."""
    clips = [item for item in attachments if item.kind is Kind.AUDIO]
    written = {reading.levels.audio: node.text("user_voice_message_caption")}
    for variant, other in others:
        text = other.get("user_voice_message_caption")
        if type(text) is str:
            written.setdefault(variant.levels.audio, text)
    spoken = {}
    for level, text in written.items():
        joined = "\n".join(filter(None, (clip.captions.get(level, "") for clip in clips)))
        if text and text != joined:
            spoken[level] = text
            if clips and level == reading.levels.audio:
                node.log.warning(
                    "voice_text_differs",
                    node.at("user_voice_message_caption"),
                    text,
                    "the clips' captions, joined",
                )
    return spoken


def _read_unusual_keys(
    node: Node, round_id: str, reading: HistoryReading
) -> tuple[Attachment, ...]:
    """Media under their own file names (an older dialect); the rest is kept for the evaluator."""
    attachments = []
    notes = {}
    for key, value in node.data.items():
        if key in _READ:
            continue
        name = _MEDIA_KEY.fullmatch(key)
        kind = MEDIA_EXTENSIONS.get(name[2].lower()) if name else None
        if name is None or kind is None:
            notes[key] = value
            continue
        text = value if isinstance(value, str) else ""
        is_path = "/" in text and text.rpartition(".")[2].lower() in MEDIA_EXTENSIONS
        captions = {} if is_path else {reading.levels.of(kind): text}
        written = text if is_path else key
        attachments.append(reading.attachment(kind, name[1], written, captions, node.at(key)))
    if notes:
        reading.round_notes[reading.history_id, round_id] = notes
    return tuple(attachments)
