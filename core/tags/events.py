"""What is written down when somebody tags: one event a line."""

import secrets
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from mnemoscope import __version__
from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.model import Value
from mnemoscope.core.reading import json_lines
from mnemoscope.core.schemas import Flag, Form, Moment, Sha256, Text, Whole, checked
from mnemoscope.core.tags.taxonomy import TargetKind

__all__ = [
    "Action",
    "TagEvent",
    "Target",
    "is_automatic",
    "model_name",
    "new_id",
    "read_events",
    "time_after",
]


class Action(StrEnum):
    """What somebody did."""

    ADD = "add"
    """Set a tag; the tags in ``replaces`` go."""
    REMOVE = "remove"
    """Took a tag away."""
    NONE = "none"
    """Said that no tag of a taxonomy fits; the tags in ``replaces`` go."""
    NOTE = "note"
    """Wrote a note, which replaces the one before; an empty one takes it away."""
    FLAG = "flag"
    """Marked the target to come back to."""
    UNFLAG = "unflag"
    """Took the mark away."""
    SKIP = "skip"
    """Went on without saying anything."""
    VERDICT = "verdict"
    """Called an answer right or wrong, over rule and judge."""
    UNDO = "undo"
    """Took back the event in ``of``."""
    REDO = "redo"
    """Did the event in ``of`` again after all."""


class Target(Form):
    """What an event is about."""

    kind: TargetKind
    """A record, a question or a session."""
    question: Text = ""
    """The question's key, of a record and of a question."""
    repeat: Whole = 0
    """The record's repeat."""
    history: Text = ""
    """The session's history."""
    session: Text = ""
    """The session's id."""
    run: Annotated[str, StringConstraints(strict=True, pattern="^([0-9a-f]{64})?$")] = ""
    """Hash of the record's run; empty for questions and sessions."""

    def __hash__(self) -> int:
        # The one that pydantic makes looks every field up by name.
        return hash((self.question, self.run, self.repeat, self.session))

    @classmethod
    def of_record(cls, question: str, run: str, repeat: int = 0) -> "Target":
        """The answer of a run, by its hash, to a question."""
        return cls(kind=TargetKind.RECORD, question=question, run=run, repeat=repeat)

    @classmethod
    def of_question(cls, question: str) -> "Target":
        """A question, whatever the run."""
        return cls(kind=TargetKind.QUESTION, question=question)

    @classmethod
    def of_session(cls, history: str, session: str) -> "Target":
        """A session of a history."""
        return cls(kind=TargetKind.SESSION, history=history, session=session)

    def __str__(self) -> str:
        if self.kind is TargetKind.SESSION:
            return f"{self.history} {self.session}"
        return self.question


def model_name(annotator: str) -> str:
    """The model that an annotator is; empty for a person and for a rule."""
    kind, _, name = annotator.partition(":")
    return name if kind == "model" else ""


def is_automatic(annotator: str) -> bool:
    """Whether an annotator is a rule or a model rather than a person."""
    return annotator.startswith(("rule:", "model:"))


def new_id() -> str:
    """A name for an event: 12 random hexadecimal digits."""
    return secrets.token_hex(6)


class TagEvent(Form):
    """A line of ``tags/<annotator>.jsonl``: one thing that one annotator did."""

    id: Text
    """Its name, which undo and redo refer to."""
    time: Moment
    """When; later than the event before it by the same annotator."""
    annotator: Text
    """Who: a person's name, ``rule:NAME`` or ``model:NAME``."""
    action: Action
    """What was done."""
    target: Target
    """What it is about."""
    release: Sha256
    """Hash of the release's questions and sessions."""
    taxonomy: Text = ""
    """The taxonomy that the tag is of."""
    version: Whole = 0
    """The version of it that the annotator saw."""
    tag: Text = ""
    """The tag's slug."""
    replaces: tuple[Text, ...] = ()
    """Slugs of the same taxonomy that this takes away from the target."""
    value: Value | None = None
    """Of a verdict: right or wrong."""
    text: Text = ""
    """The note, or the reason of a tag or verdict."""
    suggested: Text = ""
    """The rule that had suggested the tag; empty when none had."""
    blind: Flag = False
    """Whether gold, system and others' tags were hidden."""
    answer: Text = ""
    """Hash of the answer that was seen, to notice when it changes later."""
    prompt: Text = ""
    """Of a model's vote: name, version and hash of the prompt that asked for it."""
    of: Text = ""
    """The event that is undone or redone."""
    tool: Text = Field(default=__version__, validate_default=False)
    """Version of mnemoscope."""

    def as_json(self) -> dict[str, object]:
        """The event as it goes into a file; the version is always written."""
        return {**super().as_json(), "tool": self.tool}


def time_after(last: datetime | None) -> datetime:
    """Now, or just after ``last`` where the clock has gone back: events keep their order."""
    now = datetime.now(UTC)
    return now if last is None or now > last else last + timedelta(microseconds=1)


def read_events(path: Path) -> tuple[list[TagEvent], list[Defect]]:
    """The events of one file in the order written, and the lines that are none.

    A torn last line, which a writer that was killed leaves, is a warning; any other line that is
    not an event is an error. Neither is taken out of the file.

    Raises:
        InputError: The file cannot be read.
    """
    log = DefectLog(file=str(path))
    events = []
    for place, data in json_lines(path, log, may_be_torn=True):
        event = checked(TagEvent, data, log, place)
        if event is not None:
            events.append(event)
    return events, log.items
