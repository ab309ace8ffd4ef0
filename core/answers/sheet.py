"""What a person sees who answers: a history and a question without anything that tells the answer.

Everything here is made anew under neutral ids. Hidden in every view are gold, task, setting, labels
and ids of questions, for an id may end in ``_abs`` or ``-adv0``; evaluator-only data, such as scene
text and background sounds; and names of files. Multimodal views have no captions, text views no
files.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mnemoscope.core.answers.views import View
from mnemoscope.core.blind import BlindHistory, blind
from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Clue,
    ClueTarget,
    History,
    Kind,
    Message,
    Option,
    Question,
    Release,
    Round,
    Session,
    Textualisation,
)

__all__ = ["Asked", "Passage", "SheetMaker", "history_label", "sheet_json"]

_KINDS = {ClueTarget.IMAGE: Kind.IMAGE, ClueTarget.AUDIO: Kind.AUDIO}
_NAMES = {Kind.IMAGE: "picture", Kind.AUDIO: "sound"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put to a person."""

    stem: str
    asked_at: datetime | None
    attachments: tuple[Attachment, ...]
    options: tuple[Option, ...]
    """None for a question whose answer is typed."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What one clue names, in an oracle view."""

    title: str
    """The session and its date, and what it is when it is less than rounds."""
    rounds: tuple[Round, ...]


class SheetMaker:
    """Makes what a view shows of a release.

    A blind history is kept while questions about the same one are asked.
    """

    def __init__(self, release: Release, view: View, textualisation: Textualisation) -> None:
        """Choose what is shown.

        Args:
            release: The release.
            view: The view.
            textualisation: The captions that stand for pictures and sounds in a text view.
        """
        self.view = view
        self.textualisation = textualisation
        self._release = release
        self._blind: tuple[str, BlindHistory] | None = None

    def asked(self, question: Question) -> Asked:
        """The question; in a text view a caption stands for an option's picture."""
        attachments = self._renamed(question.attachments, "question ")
        options = tuple(map(self._option, question.options))
        return Asked(question.stem, question.asked_at, attachments, options)

    def history(self, question: Question) -> History:
        """The dialogue that the question is about, as far as it may be used for it.

        In an oracle view it has no sessions: ``clues`` has all there is to see.
        """
        whole = self._history(question.history_id)
        if self.view.is_oracle:
            return replace(whole.history, sessions=())
        return _until(whole, question.visible_until)

    def clues(self, question: Question) -> tuple[Passage, ...]:
        """What the clues of a question name, each thing once, in an oracle view; else nothing."""
        if not self.view.is_oracle:
            return ()
        whole = self._history(question.history_id)
        sessions = {real: whole.history.session_by_id[id] for id, real in whole.session_ids.items()}
        rounds = {real: whole.history.round_by_id[id] for id, real in whole.round_ids.items()}
        release = self._release.histories[question.history_id]
        found: dict[str, Passage] = {}
        for clue in question.clues:
            if not clue.resolved:
                continue
            if clue.round_id:
                one, original = rounds[clue.round_id], release.round_by_id[clue.round_id]
                shown = _part(one, original, clue)
            else:
                shown = sessions[clue.session_id].rounds
            session = sessions[clue.session_id or release.round_by_id[clue.round_id].session_id]
            parts = [shown[0].id if clue.round_id else session.id, session.date_text]
            if clue.target in _KINDS:
                parts += [item.id for one in shown for item in one.attachments][:1]
            title = " · ".join(filter(None, parts))
            found.setdefault(title, Passage(title, shown))
        return tuple(found.values())

    def _history(self, history_id: str) -> BlindHistory:
        if self._blind is None or self._blind[0] != history_id:
            plain = blind(self._release.histories[history_id])
            numbers = dict.fromkeys(Kind, 0)
            sessions = [
                replace(session, rounds=tuple(self._rounds(session, numbers)))
                for session in plain.history.sessions
            ]
            history = replace(plain.history, sessions=tuple(sessions))
            self._blind = history_id, replace(plain, history=history)
        return self._blind[1]

    def _rounds(self, session: Session, numbers: dict[Kind, int]) -> Iterator[Round]:
        for one in session.rounds:
            messages = []
            for message in one.messages:
                attachments = []
                for item in message.attachments:
                    numbers[item.kind] += 1
                    name = f"{_NAMES[item.kind]} {numbers[item.kind]}"
                    attachments.append(self._bare(item, name))
                spoken = message.spoken.get(self.textualisation.audio)
                shown = {self.textualisation.audio: spoken} if spoken and self.view.is_text else {}
                messages.append(replace(message, attachments=tuple(attachments), spoken=shown))
            yield replace(one, messages=tuple(messages))

    def _renamed(self, items: Iterable[Attachment], before: str) -> tuple[Attachment, ...]:
        numbers = dict.fromkeys(Kind, 0)
        found = []
        for item in items:
            numbers[item.kind] += 1
            name = f"{before}{_NAMES[item.kind]} {numbers[item.kind]}"
            found.append(self._bare(item, name))
        return tuple(found)

    def _bare(self, item: Attachment, name: str) -> Attachment:
        """An attachment of which only the file is left, or only the caption that stands for it."""
        if self.view.is_text:
            variant = self.textualisation.of(item.kind)
            caption = item.caption(variant)
            captions = {} if caption is None else {variant: caption}
            return Attachment(item.kind, name, "", captions, AttachmentState.MISSING)
        file = item.file if item.state is AttachmentState.PRESENT else ""
        return Attachment(item.kind, name, "", {}, item.state, file)

    def _option(self, option: Option) -> Option:
        if self.view.is_text:
            return Option(option.label, option.describe(self.textualisation.image))
        picture = option.attachment
        if picture is not None:
            picture = self._bare(picture, f"option {option.label}")
        return Option(option.label, option.text, picture)


def history_label(release: Release, history_id: str) -> str:
    """What a history is called before whoever answers: an id may give its questions away."""
    history = release.histories[history_id]
    number = list(release.histories).index(history_id) + 1
    return history.name if history.name not in ("", history.id) else f"history {number}"


def _until(whole: BlindHistory, last: str) -> History:
    """The history up to a session or round, by the release's id; all of it without one."""
    if not last:
        return whole.history
    sessions: list[Session] = []
    for session in whole.history.sessions:
        rounds: list[Round] = []
        for one in session.rounds:
            rounds.append(one)
            if whole.round_ids[one.id] == last:
                return replace(
                    whole.history, sessions=(*sessions, replace(session, rounds=tuple(rounds)))
                )
        sessions.append(session)
        if whole.session_ids[session.id] == last:
            return replace(whole.history, sessions=tuple(sessions))
    return whole.history


def _part(one: Round, original: Round, clue: Clue) -> tuple[Round, ...]:
    """What a clue names of a round: all of it, or the one picture or sound."""
    kind = _KINDS.get(clue.target)
    if kind is None:
        return (one,)
    for message, before in zip(one.messages, original.messages, strict=True):
        for item, written in zip(message.attachments, before.attachments, strict=True):
            if written.kind is kind and written.id == clue.id:
                alone = _alone(message, item)
                return (replace(one, messages=(alone,)),)
    return (one,)


def _alone(message: Message, item: Attachment) -> Message:
    """A message without its text, unless that is what is said in the sound."""
    keeps = item.kind is Kind.AUDIO and not item.captions and not message.spoken
    return replace(message, text=message.text if keeps else None, attachments=(item,))


def sheet_json(maker: SheetMaker, question: Question) -> dict[str, Any]:
    """All that a person sees of a question, as JSON.

    Files are not named: the name of a picture may say whose portrait it is.
    """
    asked = maker.asked(question)
    history = maker.history(question)
    return {
        "question": asked.stem,
        "asked_at": asked.asked_at.isoformat() if asked.asked_at else None,
        "attachments": [_attachment_json(item) for item in asked.attachments],
        "options": [
            {
                "label": option.label,
                "text": option.text,
                "attachment": option.attachment and _attachment_json(option.attachment),
            }
            for option in asked.options
        ],
        "sessions": [
            {
                "id": session.id,
                "date": session.date_text,
                "rounds": [_round_json(one) for one in session.rounds],
            }
            for session in history.sessions
        ],
        "clues": [
            {"title": clue.title, "rounds": [_round_json(one) for one in clue.rounds]}
            for clue in maker.clues(question)
        ],
    }


def _round_json(one: Round) -> dict[str, Any]:
    messages = [
        {
            "speaker": message.speaker,
            "text": message.text,
            "spoken": next(iter(message.spoken.values()), None),
            "attachments": [_attachment_json(item) for item in message.attachments],
        }
        for message in one.messages
    ]
    return {"id": one.id, "messages": messages}


def _attachment_json(item: Attachment) -> dict[str, Any]:
    caption = next(iter(item.captions.values()), None)
    return {"kind": item.kind.value, "name": item.id, "caption": caption, "state": item.state.value}
