"""The sessions and rounds of a dialogue."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import Attachment, History, Kind, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.dates import SessionDates
from mnemoscope.core.releases.media import ReleaseMedia
from mnemoscope.core.releases.mem_gallery.layout import SESSIONS_KEY

__all__ = ["CAPTION", "HistoryReading", "element", "read_history"]

CAPTION = "caption"
"""The one caption variant there is."""
_IMAGE_LISTS = ("input_image", "image_id", "image_caption")
_ROUND_KEYS = frozenset(("round", "user", "assistant", *_IMAGE_LISTS))
_TEXT_KEYS = 3
_SESSION_KEYS = frozenset(("session_id", "date", "dialogues"))
_IMAGE = Kind.IMAGE
_USER, _ASSISTANT = Role.USER, Role.ASSISTANT
_NO_TEXTS: Mapping[str, str] = {}
_NOTHING: list[str] = []


@dataclass(slots=True)
class HistoryReading:
    """One history while it is read, and what goes beside it."""

    history_id: str
    media: ReleaseMedia
    log: DefectLog
    user: str = "user"
    session_of: dict[str, str] = field(default_factory=dict)
    """The session of each round id."""
    round_of_image: dict[str, str] = field(default_factory=dict)
    """The round of each image id."""
    missing: set[str] = field(default_factory=set)
    """Ids of images whose file is not there."""
    session_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    round_notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    index: int = 0
    """How many rounds there are so far."""


def read_history(root: Node, file: str, reading: HistoryReading) -> History:
    """Read the dialogue of one file."""
    name = Node(root.mapping("character_profile"), root.at("character_profile"), root.log)
    reading.user = name.text("name") or reading.user
    dates = SessionDates()
    ids: set[str] = set()
    sessions = []
    for number, node in root.numbered_nodes(SESSIONS_KEY):
        session_id = _session_id(node, number, ids)
        date, date_text = dates.read(node, "date")
        rounds = tuple(_read_rounds(node, session_id, reading))
        sessions.append(Session(session_id, date, date_text, rounds, node.place))
        notes = {key: value for key, value in node.data.items() if key not in _SESSION_KEYS}
        if notes:
            reading.session_notes.setdefault((reading.history_id, session_id), notes)
    named = name.text("name") or reading.history_id
    return History(reading.history_id, named, tuple(sessions), file)


def _session_id(node: Node, number: int, ids: set[str]) -> str:
    """The session's id; by its place where it has none that is its own."""
    written = node.data.get("session_id")
    session_id = written if type(written) is str and written else f"D{number + 1}"
    while session_id in ids:
        session_id += "#"
    if session_id != written:
        expected = "a session id of its own"
        found = node.found("session_id")
        node.log.repaired("odd_session_id", node.at("session_id"), found, expected, session_id)
    ids.add(session_id)
    return session_id


def _read_rounds(session: Node, session_id: str, reading: HistoryReading) -> list[Round]:
    log, user = reading.log, reading.user
    base = session.at("dialogues")
    prefix = f"{session_id}:"
    index = reading.index
    session_of = reading.session_of
    rounds = []
    for at, one in enumerate(session.items("dialogues")):
        place = f"{base}[{at}]"
        if type(one) is not dict:
            log.error("wrong_type", place, one, "an object")
            continue
        round_id = one.get("round")
        if type(round_id) is not str or not round_id.startswith(prefix):
            round_id = _odd_round_id(round_id, f"{prefix}{at + 1}", place, log)
        if round_id in session_of:
            log.error("duplicate_round_id", f"{place}.round", round_id, "a round id of its own")
        else:
            session_of[round_id] = session_id
        said, reply = one.get("user"), one.get("assistant")
        if type(said) is not str or type(reply) is not str:
            node = Node(one, place, log)
            said, reply = node.text("user"), node.text("assistant")
        images: tuple[Attachment, ...] = ()
        if len(one) > _TEXT_KEYS:
            images = _read_extras(one, place, round_id, reading)
        messages = []
        if said or images:
            messages.append(Message(user, _USER, said or None, images, _NO_TEXTS))
        if reply:
            messages.append(Message("assistant", _ASSISTANT, reply, (), _NO_TEXTS))
        if not messages:
            log.warning("empty_round", place, one, "text or pictures")
        rounds.append(Round(round_id, session_id, index, tuple(messages), place))
        index += 1
    reading.index = index
    return rounds


def _odd_round_id(written: Any, by_place: str, place: str, log: DefectLog) -> str:
    if type(written) is str and written:
        log.warning("foreign_round_id", f"{place}.round", written, f"{by_place}, by its place")
        return written
    found = Described("nothing") if written is None else written
    log.repaired("missing_id", f"{place}.round", found, "a round id", by_place)
    return by_place


def _read_extras(
    one: dict[str, Any], place: str, round_id: str, reading: HistoryReading
) -> tuple[Attachment, ...]:
    """The pictures of a round; what is not known is for the evaluator alone."""
    if not _ROUND_KEYS.issuperset(one):
        notes = {key: value for key, value in one.items() if key not in _ROUND_KEYS}
        reading.round_notes.setdefault((reading.history_id, round_id), notes)
    paths, ids, captions = (one.get(key, _NOTHING) for key in _IMAGE_LISTS)
    node = Node(one, place, reading.log)
    if not (_is_one_text(paths) and _is_one_text(ids) and _is_one_text(captions)):
        paths, ids, captions = (node.texts(key) for key in _IMAGE_LISTS)
        if not len(paths) == len(ids) == len(captions):
            _report_lists(node, (len(paths), len(ids), len(captions)))
    images = []
    for number in range(max(len(paths), len(ids))):
        written = paths[number] if number < len(paths) else ""
        image_id = ids[number] if number < len(ids) else ""
        # Without an id nothing can name it, but it must go by something.
        image_id = image_id or f"{round_id}#{number + 1}"
        if image_id in reading.round_of_image:
            at = element(node, "image_id", number)
            reading.log.error("duplicate_media_id", at, image_id, "an image id of its own")
        reading.round_of_image.setdefault(image_id, round_id)
        caption = {CAPTION: captions[number]} if number < len(captions) else _NO_TEXTS
        at = element(node, "input_image", number)
        image = reading.media.attachment(_IMAGE, image_id, written, caption, at, reading.log)
        if not image.file:
            reading.missing.add(image_id)
        images.append(image)
    return tuple(images)


def _is_one_text(value: Any) -> bool:
    return type(value) is list and len(value) == 1 and type(value[0]) is str


def _report_lists(node: Node, lengths: tuple[int, int, int]) -> None:
    paths, ids, captions = lengths
    parts = zip(_IMAGE_LISTS, lengths, strict=True)
    found = Described(", ".join(f"{length} in {key}" for key, length in parts))
    if paths and ids and paths != ids:
        # Nothing says which path belongs to which id.
        node.log.error("parallel_lists", node.place, found, "lists of equal length")
    elif paths != ids or captions not in (0, ids):
        node.log.warning("parallel_lists", node.place, found, "lists of equal length")


def element(node: Node, key: str, index: int) -> str:
    """The JSON path of a list's element, or of the bare text that stands for the list."""
    bare = type(node.data.get(key)) is not list
    return node.at(key) if bare else f"{node.at(key)}[{index}]"
