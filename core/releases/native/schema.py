"""The files of a release in our own format, as pydantic models.

Keys are named as in the model, so that a form is checked straight from a model value. What the
model holds and no key here repeats follows from the place: a round's session and index, and the
history that a session is in.
"""

from collections.abc import Callable
from typing import Any, Literal, cast

from pydantic import Field, ValidationInfo, model_validator

from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    ClueProblem,
    ClueTarget,
    GoldKind,
    Kind,
    Role,
    RoundKind,
)
from mnemoscope.core.schemas import (
    Extra,
    Flag,
    Form,
    Moment,
    Sha256,
    Text,
    TextualisationForm,
    Whole,
)

__all__ = [
    "AttachmentForm",
    "ClueForm",
    "EvaluatorFile",
    "HistoryFile",
    "MediaStore",
    "QuestionLine",
    "ReleaseFile",
]

MediaStore = Callable[[Attachment], tuple[str, str]]
"""Takes the file behind an attachment: its path in the release, or none, and the note on it."""


class TaskForm(Form):
    """A row of the label table."""

    task: Text
    """The slug that questions name."""
    title: Text
    """The name for people."""
    number: Text = ""
    """The benchmark's own number or category for it."""
    expected: Whole | None = None
    """How many questions the whole published release has."""
    in_average: Flag = False
    """Whether the benchmark's own average over tasks counts it."""


class VariantsForm(Form):
    """Caption variants, poorest first."""

    image: tuple[Text, ...] = ()
    """Of images."""
    audio: tuple[Text, ...] = ()
    """Of audio clips."""


class ReleaseFile(Form):
    """``release.json``: what the release is and which files belong to it."""

    kind: Literal["mnemoscope-release"]
    """Marks the file as ours."""
    schema_version: Whole
    """Version of this format."""
    name: Text
    """The benchmark's name."""
    licence: Text = ""
    """Under which terms it is published."""
    format: Text = "native"
    """The format it was first published in; ``native`` when it is this one."""
    round_kind: RoundKind
    """What the smallest unit that evidence points at is."""
    tasks: tuple[TaskForm, ...] = ()
    """The label table, in display order."""
    settings: tuple[Text, ...] = ()
    """Evidence settings, in display order."""
    variants: VariantsForm = VariantsForm()
    """The caption variants that attachments have."""
    textualisation: TextualisationForm = TextualisationForm()
    """The variants that the release treats as usual."""
    histories: tuple[Text, ...]
    """History files relative to this one, in order."""
    evaluator: tuple[Text, ...] = ()
    """Files of evaluator-only data."""
    truth: tuple[Text, ...] = ()
    """Files of state trajectories, evaluator-only as well."""
    files: dict[Text, Sha256] = Field(default_factory=dict)
    """Hash of every file named here and of the questions; media carry theirs in their names."""
    extra: Extra
    """Anything else about the release."""


class AttachmentForm(Form):
    """An image or audio clip."""

    kind: Kind
    """What it is."""
    id: Text
    """Its id, unique among those of its kind in a history."""
    written: Text = ""
    """The path or address in the format of origin."""
    captions: dict[Text, Text] = Field(default_factory=dict)
    """Text by variant."""
    media: Text = ""
    """The file relative to ``release.json``; empty when it is missing."""
    unreadable: Flag = False
    """Whether the file is known to be damaged."""
    note: Text = ""
    """Why the file cannot be shown."""

    @model_validator(mode="before")
    @classmethod
    def _from_model(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(value, Attachment):
            return value
        media, note = cast(MediaStore, info.context)(value)
        return {
            "kind": value.kind,
            "id": value.id,
            "written": value.written,
            "captions": value.captions,
            "media": media,
            "unreadable": value.state is AttachmentState.UNREADABLE,
            "note": note,
        }


class MessageForm(Form):
    """What one speaker says."""

    speaker: Text
    """The name."""
    role: Role
    """Whose side it is."""
    text: Text | None = None
    """None when the message is only its attachments."""
    attachments: tuple[AttachmentForm, ...] = ()
    """What is shown or played with it."""
    spoken: dict[Text, Text] = Field(default_factory=dict)
    """Text by audio variant, where it differs from the clip's captions."""
    time: Moment | None = None
    """When it was sent."""


class RoundForm(Form):
    """The smallest unit that evidence points at."""

    id: Text
    """Unique in the history."""
    messages: tuple[MessageForm, ...]
    """In order."""


class SessionForm(Form):
    """Rounds that happened together."""

    id: Text
    """Unique in the history."""
    date: Moment | None = None
    """When it took place."""
    date_text: Text = ""
    """The date as the format of origin writes it."""
    group: Text = ""
    """The group it belongs to, where there are several at a time."""
    rounds: tuple[RoundForm, ...]
    """In order."""


class HistoryFile(Form):
    """``histories/NAME.json``: one whole conversation, and nothing evaluator-only."""

    id: Text
    """Unique in the release."""
    name: Text = ""
    """Who it is about, for people to read."""
    sessions: tuple[SessionForm, ...]
    """In the release's order, which need not be that of time."""
    extra: Extra
    """Anything else about the history."""


class OptionForm(Form):
    """One answer to choose from."""

    label: Text
    """Such as ``A``."""
    text: Text = ""
    """What it says."""
    attachment: AttachmentForm | None = None
    """What it shows."""


class GoldForm(Form):
    """The right answer."""

    kind: GoldKind
    """Which of the keys below holds it."""
    option: Text = ""
    """The right option's label."""
    texts: tuple[Text, ...] = ()
    """Accepted answers; beside a typed value, the value in words."""
    value: Any = None
    """A typed value: `typed_gold.schema.json` where it is from our harness, else any JSON value."""


class ClueForm(Form):
    """A gold pointer and what it resolves to."""

    written: Text
    """The pointer in the format of origin."""
    target: ClueTarget
    """What it points at."""
    id: Text
    """The id it names."""
    round_id: Text = ""
    """The round it leads to."""
    session_id: Text = ""
    """The session it leads to."""
    problem: ClueProblem = ClueProblem.NONE
    """Why it does not lead all the way."""


class QuestionLine(Form):
    """A line of ``questions.jsonl``."""

    key: Text
    """Unique in the release."""
    id: Text
    """The id in the format of origin."""
    history_id: Text
    """The history it is about."""
    index: Whole | None = None
    """Place among the history's questions; by order of lines when left out."""
    task: Text = ""
    """A slug of the label table."""
    setting: Text = ""
    """Evidence setting."""
    form: Text = ""
    """The benchmark's own name for the kind of question."""
    category: Text = ""
    """The benchmark's own category."""
    labels: dict[Text, Text] = Field(default_factory=dict)
    """Further labels that do not give the answer away."""
    stem: Text
    """The question without its options."""
    text: Text | None = None
    """The question with its options, where the format of origin writes them into it."""
    options: tuple[OptionForm, ...] = ()
    """What there is to choose from."""
    attachments: tuple[AttachmentForm, ...] = ()
    """What the question itself shows."""
    gold: GoldForm
    """The right answer."""
    clues: tuple[ClueForm, ...] = ()
    """What the gold rests on."""
    asked_at: Moment | None = None
    """When it is asked."""
    visible_until: Text = ""
    """Session or round up to which the history may be used; empty for all of it."""
    answerable: Flag = True
    """False when the right behaviour is to decline."""
    extra: Extra
    """Anything else about the question that does not give the answer away."""


class EvaluatorFile(Form):
    """``evaluator/NAME.json``: what only the evaluator may see of one history."""

    history_id: Text | None
    """The history; none for questions that belong to no history of the release."""
    history: dict[str, Any] | None = None
    """About the history as a whole."""
    sessions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By session id."""
    rounds: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By round id."""
    questions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By question key."""

    @model_validator(mode="after")
    def _names_its_history(self) -> "EvaluatorFile":
        if self.history_id is None and (self.history is not None or self.sessions or self.rounds):
            raise ValueError("a history_id beside history, sessions or rounds")
        return self
