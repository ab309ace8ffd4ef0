"""Questions, their options, their gold and the clues that gold rests on."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from mnemoscope.core.model.history import Session
from mnemoscope.core.model.media import Attachment
from mnemoscope.core.model.values import value

__all__ = ["Clue", "ClueProblem", "ClueTarget", "Gold", "GoldKind", "Option", "Question"]


class GoldKind(StrEnum):
    """What the right answer is."""

    OPTION = "option"
    TEXTS = "texts"
    VALUE = "value"
    NONE = "none"


@value
class Gold:
    """The right answer."""

    kind: GoldKind
    option: str = ""
    """The right option's label."""
    texts: tuple[str, ...] = ()
    """Accepted answers; beside a typed value, the value in words."""
    value: Any = None
    """A typed value: any JSON value, since each scenario declares its own types."""

    @classmethod
    def none(cls) -> "Gold":
        """No gold: the release states no right answer."""
        return cls(GoldKind.NONE)

    def __str__(self) -> str:
        match self.kind:
            case GoldKind.OPTION:
                return self.option
            case GoldKind.TEXTS:
                return " | ".join(self.texts)
            case GoldKind.VALUE:
                return " | ".join(self.texts) or str(self.value)
        return "no gold"


class ClueTarget(StrEnum):
    """What a clue points at."""

    ROUND = "round"
    SESSION = "session"
    IMAGE = "image"
    AUDIO = "audio"
    UNKNOWN = "unknown"


class ClueProblem(StrEnum):
    """Why a clue does not lead all the way to what it names."""

    NONE = "none"
    UNKNOWN_ID = "unknown_id"
    MALFORMED = "malformed"
    FILE_MISSING = "file_missing"
    """The id is known and leads to its round; only the file behind it is missing."""
    HISTORY_ABSENT = "history_absent"


@value
class Clue:
    """A gold pointer as written, and what it resolves to."""

    written: str
    """The string in the release. Several clues share it when it named several things."""
    target: ClueTarget
    id: str
    """The id it resolves to, or what was left of the string when it does not."""
    round_id: str = ""
    """The round it leads to; empty for a session clue and for an unresolved one."""
    session_id: str = ""
    problem: ClueProblem = ClueProblem.NONE
    place: str = ""
    """JSON path of the string."""

    @property
    def named_session(self) -> str:
        """The session that it leads to, or names in a history that the release does not have."""
        absent = self.problem is ClueProblem.HISTORY_ABSENT and self.target is ClueTarget.SESSION
        return self.session_id or (self.id if absent else "")

    @property
    def resolved(self) -> bool:
        """Whether it leads to a round or a session of the history."""
        return bool(self.round_id or self.session_id)


@value
class Option:
    """One answer to choose from."""

    label: str
    text: str = ""
    attachment: Attachment | None = None
    """An image option's picture; its captions say what it shows."""

    def describe(self, variant: str) -> str:
        """The option's text, else its picture's caption of a variant or of any other."""
        if self.text or self.attachment is None:
            return self.text
        captions = self.attachment.captions
        return captions.get(variant) or next(filter(None, captions.values()), "")


@value
class Question:
    """What is asked of a system about one history."""

    key: str
    """Unique in the release, such as ``p0/entity_img/0-Items-6-img_identify`` or ``conv-26/4``."""
    id: str
    """The id as written, or the index; not unique in some releases."""
    history_id: str
    index: int
    """Position in the history's question list, from 0."""
    task: str
    """A task slug of the release's label table."""
    setting: str
    """Evidence setting, ``explicit`` or ``implicit``; empty when the release has none or it is
    unlabelled."""
    text: str
    """The question as written, options included where the release writes them into it."""
    stem: str
    """The question without options."""
    gold: Gold
    clues: tuple[Clue, ...]
    place: str
    """JSON path in the history's file."""
    form: str = ""
    """The release's own name for the kind of question; ``point`` in CUE-Mem."""
    category: str = ""
    """The release's category: a number in LoCoMo, a domain of life in CUE-Mem."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Further labels that describe the question without giving the answer away."""
    options: tuple[Option, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    asked_at: datetime | None = None
    visible_until: str = ""
    """The session or round up to which the history may be used; empty for all of it."""
    answerable: bool = True
    """False when the right behaviour is to decline."""
    file: str = ""
    """The file it was read from, where that is not the history's file."""

    @property
    def has_false_premise(self) -> bool:
        """Whether its typed gold says that it takes for granted what the history says is not so."""
        found = self.gold.value
        is_refusal = isinstance(found, Mapping) and found.get("type") == "refusal"
        return is_refusal and found.get("problem") != "never_shown"

    @property
    def evidence_rounds(self) -> tuple[str, ...]:
        """Distinct rounds that the clues lead to, in clue order."""
        return tuple(dict.fromkeys(clue.round_id for clue in self.clues if clue.round_id))

    @property
    def evidence_sessions(self) -> tuple[str, ...]:
        """Distinct sessions that the clues lead to, in clue order.

        Ids can be held against ids also where the release does not have the history.
        """
        return tuple(dict.fromkeys(filter(None, (clue.named_session for clue in self.clues))))

    def before(self, session: Session) -> bool:
        """Whether it is asked before a session of its history takes place."""
        return bool(self.asked_at and session.date and self.asked_at < session.date)

    def option(self, label: str) -> Option | None:
        """The option with a label, if there is one."""
        return next((option for option in self.options if option.label == label), None)
