"""What is written down while somebody answers: one event a line."""

from enum import StrEnum
from pathlib import Path

from mnemoscope import __version__
from mnemoscope.core.answers.views import View
from mnemoscope.core.defects import Defect, DefectLog
from mnemoscope.core.reading import json_lines
from mnemoscope.core.schemas import (
    Form,
    Moment,
    Number,
    Sha256,
    Text,
    TextualisationForm,
    checked,
)

__all__ = ["AnswerAction", "AnswerEvent", "read_answers"]


class AnswerAction(StrEnum):
    """What somebody did."""

    ANSWER = "answer"
    """Chose an option or typed an answer, which replaces the one before; empty takes it back."""
    LEAVE = "leave"
    """Turned to another question without saying anything new."""
    FINISH = "finish"
    """Ended the questions of a history in a view; nothing is taken after it."""


class AnswerEvent(Form):
    """A line of ``answers/<participant>.jsonl``: one thing that one person did."""

    id: Text
    """Its name."""
    time: Moment
    """When; later than the event before it by the same person."""
    participant: Text
    """Who."""
    release: Sha256
    """Hash of the release that is answered."""
    action: AnswerAction
    """What was done."""
    view: View
    """What was shown."""
    history: Text
    """The history that the question is about, or that is finished."""
    question: Text = ""
    """The question's key; empty when a history is finished."""
    answer: Text = ""
    """The option's label, or what was typed."""
    seconds: Number = 0.0
    """How long the question was shown since the event before."""
    textualisation: TextualisationForm | None = None
    """The captions shown, in a text view."""
    tool: Text = __version__
    """Version of mnemoscope."""

    def as_json(self) -> dict[str, object]:
        """The event as it goes into a file; the version is always written."""
        return {**super().as_json(), "tool": self.tool}


def read_answers(path: Path) -> tuple[list[AnswerEvent], list[Defect]]:
    """The events of one file in the order written, and the lines that are none.

    A torn last line, which a writer that was killed leaves, is a warning; any other line that is
    not an event is an error. Neither is taken out of the file.

    Raises:
        InputError: The file cannot be read.
    """
    log = DefectLog(file=str(path))
    events = []
    for place, data in json_lines(path, log, may_be_torn=True):
        event = checked(AnswerEvent, data, log, place)
        if event is not None:
            events.append(event)
    return events, log.items
