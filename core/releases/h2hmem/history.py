"""The sessions of a dialogue: people's turns, some with a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import Attachment, Kind, Message, Role, Round, Session
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.dates import SessionDates
from mnemoscope.core.releases.h2hmem.layout import Dialogue
from mnemoscope.core.releases.media import ReleaseMedia

__all__ = ["HistoryReading", "read_session"]

_SHOWN = frozenset(("dialogue", "timeline_date", "group_id"))
_NO_TEXTS: Mapping[str, str] = {}


@dataclass(slots=True)
class HistoryReading:
    """One history while it is read, and what goes beside it."""

    dialogue: Dialogue
    media: ReleaseMedia
    sessions: list[Session] = field(default_factory=list)
    folder_of: dict[str, str] = field(default_factory=dict)
    """The folder's name of each session's own id."""
    images: dict[str, str] = field(default_factory=dict)
    """The session of each picture's id."""
    speakers: dict[str, Role] = field(default_factory=dict)
    notes: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    dates: SessionDates = field(default_factory=SessionDates)
    index: int = 0
    """How many rounds there are so far."""

    def picture(
        self, scene: str, name: str, place: str, log: DefectLog, *, of_question: bool = False
    ) -> Attachment:
        """A picture by its name in a scene's ``image`` folder, or by ``scene/name``.

        Its id is ``scene/name``, as questions across sessions call it: the names alone repeat in
        every session.
        """
        named, slash, file = name.rpartition("/")
        scene, file = (named, file) if slash else (scene, name)
        picture_id = f"{scene}/{file}"
        if not of_question:
            picture_id = self._unused(picture_id)
            self.images[picture_id] = scene
        known = self.dialogue.scenes.get(scene)
        folder = known.folder if known else f"{self.dialogue.folder}/{scene}"
        path = f"{folder}/image/{file}".removeprefix("/")
        return self.media.attachment(Kind.IMAGE, picture_id, name, _NO_TEXTS, place, log, path=path)

    def _unused(self, picture_id: str) -> str:
        made, number = picture_id, 2
        while made in self.images:
            made = f"{picture_id}#{number}"
            number += 1
        return made


def read_session(root: Node, scene: str, file: str, reading: HistoryReading) -> None:
    """Read one session; it goes by its folder's name, which is how answers refer to it."""
    date, date_text = reading.dates.read(root, "timeline_date")
    own_id = root.text("session_id")
    if own_id:
        reading.folder_of.setdefault(own_id, scene)
    if root.data.get("dialogue") is None:
        root.wrong("dialogue", "a list of turns")
    rounds = []
    base = root.at("dialogue")
    for number, turn in enumerate(root.items("dialogue")):
        place = f"{base}[{number}]"
        if type(turn) is not dict:
            root.log.error("wrong_type", place, turn, "an object")
            continue
        message = _read_turn(turn, place, scene, root.log, reading)
        rounds.append(Round(f"{scene}:{number + 1}", scene, reading.index, (message,), place))
        reading.index += 1
    group = root.text("group_id")
    session = Session(scene, date, date_text, tuple(rounds), root.place, group, file)
    reading.sessions.append(session)
    reading.notes[reading.dialogue.history_id, scene] = {
        key: value for key, value in root.data.items() if key not in _SHOWN
    }


def _read_turn(
    turn: dict[str, Any], place: str, scene: str, log: DefectLog, reading: HistoryReading
) -> Message:
    """A turn. The first who speaks is the user; nobody is an assistant."""
    try:
        speaker, content = turn["role"], turn["content"]
        text, image = content["text"], content["image"]
        regular = bool(speaker) and type(speaker) is type(text) is type(image) is str
    except (KeyError, TypeError):
        regular = False
    if not regular:
        node = Node(turn, place, log)
        speaker = node.required_text("role") or ""
        inner = Node(node.mapping("content"), node.at("content"), log)
        text, image = inner.text("text"), inner.text("image")
    role = reading.speakers.get(speaker)
    if role is None:
        role = Role.OTHER if reading.speakers else Role.USER
        reading.speakers[speaker] = role
    images: tuple[Attachment, ...] = ()
    if image:
        images = (reading.picture(scene, image, f"{place}.content.image", log),)
    elif not text:
        log.warning("empty_round", place, turn, "a text or a picture")
    return Message(speaker, role, text or None, images, _NO_TEXTS)
