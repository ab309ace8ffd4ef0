"""The files of a run in our own format, as pydantic models.

Keys are named as in the model, so that a line is checked straight from a model value.
"""

from typing import Any, Literal

from pydantic import Field, model_validator

from mnemoscope.core.model import Kind, RecordStatus, RetrievalState, Value
from mnemoscope.core.schemas import (
    Extra,
    Flag,
    Form,
    Moment,
    Number,
    Sha256,
    Text,
    TextualisationForm,
    Whole,
)

__all__ = [
    "EventLine",
    "HeldItemForm",
    "HeldLine",
    "Manifest",
    "RecordLine",
    "RefForm",
    "ReleaseForm",
    "SystemForm",
    "VerdictLine",
]


class GitForm(Form):
    """The checkout that a run was made from."""

    commit: Text
    """The commit's hash."""
    dirty: Flag = False
    """Whether files differed from it."""


class ReleaseForm(Form):
    """The release that a run answers."""

    name: Text
    """The benchmark's name."""
    files: dict[Text, Sha256] = Field(default_factory=dict)
    """Hash of every file that was read, by path below the release."""


class SystemForm(Form):
    """A memory system as configured."""

    id: Text = ""
    """Its slug or name."""
    profile: Text = ""
    """Which of its named configurations."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Its parameters."""
    config_hash: Text = ""
    """Hash of everything that shapes its snapshots."""


class ModelForm(Form):
    """A model with its parameters."""

    id: Text = ""
    """The model's name."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Temperature, limits, endpoint and the like."""


class JudgeForm(ModelForm):
    """A judge."""

    prompt_hash: Sha256 | None = None
    """Hash of its prompt."""


class TokenizerForm(Form):
    """What counted tokens."""

    name: Text
    """Such as ``cl100k_base``."""
    sha256: Sha256 | None = None
    """Hash of its vocabulary."""


class MetricForm(Form):
    """A stored figure."""

    name: Text
    """Metric, k and grain."""
    value: Number
    """Its value."""


class Manifest(Form):
    """``manifest.json``: what was run, written before the first record."""

    kind: Literal["mnemoscope-run"]
    """Marks the file as ours."""
    schema_version: Whole
    """Version of this format."""
    name: Text = ""
    """A name for people; the folder's when left out."""
    format: Text = "native"
    """The form it was first stored in; ``native`` when it is this one."""
    tool_version: Text = ""
    """Version of mnemoscope."""
    git: GitForm | None = None
    """The checkout, when the tool ran from one."""
    platform: Text = ""
    """Operating system, machine and Python."""
    argv: tuple[Text, ...] = ()
    """The command line."""
    release: ReleaseForm | None = None
    """What was answered."""
    questions: tuple[Text, ...] | None = None
    """Keys of the questions selected; none for all of the release."""
    system: SystemForm = SystemForm()
    """The memory system."""
    backbone: ModelForm = ModelForm()
    """The model that answers."""
    textualisation: TextualisationForm | None = None
    """What stood for images and audio; none when unknown."""
    prompts: dict[Text, Sha256] = Field(default_factory=dict)
    """Hash of each prompt by name."""
    judges: tuple[JudgeForm, ...] = ()
    """Who judged during the run."""
    tokenizer: TokenizerForm | None = None
    """What counted tokens."""
    seeds: tuple[Whole, ...] = ()
    """Seed of each repeat."""
    budgets: dict[Text, Number] = Field(default_factory=dict)
    """Limits by name, such as ``tokens`` or ``cost``."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    """Everything else about the configuration."""
    rule: Literal["stored", "rq1", "rq3", "open", "exact", "contains", "f1"] = "stored"
    """What decides right and wrong."""
    used_depth: Whole | None = None
    """How many retrieved items were sent to the backbone, when that is fixed."""
    metrics: tuple[MetricForm, ...] = ()
    """Figures for the whole run."""
    notes: tuple[Text, ...] = ()
    """What a reader of the figures should know."""
    started_at: Moment | None = None
    """When the run began."""
    ended_at: Moment | None = None
    """When it ended; none while it runs or after it was stopped."""
    counts: dict[RecordStatus, Whole] = Field(default_factory=dict)
    """Records by status at the end."""
    extra: Extra
    """Anything else about the run."""


class VerdictForm(Form):
    """A judge's statement about an answer."""

    judge: Text
    """Who: ``stored``, ``rule:NAME``, a judge model or a person."""
    value: Value
    """What it says."""
    stage: Text = ""
    """Which of several votes or steps."""
    reason: Text = ""
    """Why."""
    score: Number | None = None
    """A grade."""
    answer: Text = ""
    """The first 16 digits of the hash of the answer that it is about; empty when not said."""


class SourceForm(Form):
    """Where a retrieved item comes from."""

    session_id: Text = ""
    """The session."""
    round_id: Text = ""
    """The round."""
    kind: Kind | None = None
    """The attachment's kind."""
    attachment_id: Text = ""
    """The attachment."""


class PartForm(Form):
    """Which query brought an item."""

    item_id: Text = ""
    """The index's own id."""
    modality: Text = ""
    """What was compared."""
    option: Text = ""
    """The option that was asked with."""
    score: Number | None = None
    """Its own score."""
    rank: Whole | None = None
    """Its own rank."""
    fallback: Text = ""
    """What stood in for the query as meant."""
    method: Text = ""
    """How question and option were combined."""


class ItemForm(Form):
    """One thing that a memory brought back."""

    rank: Whole
    """From 1."""
    sources: tuple[SourceForm, ...] = ()
    """Where it comes from; empty when the system does not say."""
    score: Number | None = None
    """How well it matched."""
    score_kind: Text = ""
    """What the score is."""
    text: Text = ""
    """What the memory holds."""
    used: Flag | None = None
    """Whether it was sent to the backbone; none when unknown."""
    parts: tuple[PartForm, ...] = ()
    """Which queries brought it."""


class RetrievalForm(Form):
    """What was brought back for one question."""

    state: RetrievalState = RetrievalState.NOT_STORED
    """What is known of it."""
    grain: Text = ""
    """What the ids of sources name."""
    items: tuple[ItemForm, ...] = ()
    """By rank."""
    note: Text = ""
    """How the items were read, where that limits what they show."""


class RefForm(Form):
    """What a row of a foreign form says about its question."""

    history: Text = ""
    """The history's id, name or number."""
    question: Text = ""
    """The question's id or index."""
    form: Text = ""
    """The kind of question."""
    position: Whole | None = None
    """The row's place among those of its history."""
    text: Text = ""
    """The question's text."""
    category: Text = ""
    """Its category."""
    gold: Text | None = None
    """The gold; none when the row has none."""


class RecordLine(Form):
    """A line of ``records.jsonl``: one finished question × repeat."""

    key: Text = ""
    """The question's key; empty for a foreign row that joins to none."""
    repeat: Whole = 0
    """Which repeat."""
    status: RecordStatus
    """What became of the question."""
    detail: Text = ""
    """What kind of failure it is."""
    answer: Text = ""
    """The raw answer, or the error."""
    parsed: Text = ""
    """The option read from it."""
    reasoning: Text = ""
    """What the backbone wrote beside the answer."""
    cited: tuple[Text, ...] = ()
    """What the backbone says it relied on."""
    verdicts: tuple[VerdictForm, ...] = ()
    """Verdicts that came with the record."""
    retrieval: RetrievalForm = RetrievalForm()
    """What was brought back."""
    metrics: tuple[MetricForm, ...] = ()
    """Figures that came with the record."""
    usage: dict[Text, Number] = Field(default_factory=dict)
    """Tokens and the like; names that end in ``seconds`` or ``_ms`` are timings, ``attempts`` says
    how often an endpoint was asked."""
    context: Sha256 | None = None
    """What was sent to the backbone: the name of a file in ``blobs``."""
    ref: RefForm | None = None
    """What the row of a converted run says about its question."""
    extra: Extra
    """Anything else about the record."""

    @model_validator(mode="after")
    def _names_its_question(self) -> "RecordLine":
        if not self.key and self.ref is None:
            raise ValueError("a key or a ref")
        return self


class VerdictLine(VerdictForm):
    """A line of ``verdicts/NAME.jsonl``."""

    key: Text
    """The question's key."""
    repeat: Whole = 0
    """Which repeat."""
    prompt: Text = ""
    """Name and hash of the prompt that asked for it, or the rule's version."""
    served: Text = ""
    """The model's name as the endpoint has it."""
    at: Moment | None = None
    """When it was given."""
    extra: Extra
    """Anything else about the verdict."""


class HeldItemForm(Form):
    """One thing that a memory holds."""

    id: Text
    """Unique in the memory; a changed item keeps it."""
    kind: Text = "raw"
    """What it is: ``raw``, ``fact``, ``note``, ``summary`` and so on."""
    text: Text = ""
    """What it says."""
    rounds: tuple[Text, ...] = ()
    """The release's ids of the rounds it comes from; empty when the system does not say."""
    date: Text = ""
    """When that was said, as the release writes it."""
    provenance: Literal["exact", "window", "derived", "unknown"] = "exact"
    """How well the system knows where it comes from."""
    attributes: dict[str, Any] = Field(default_factory=dict)
    """What else the system knows of it."""


class HeldLine(Form):
    """A line of ``states/NAME.jsonl``: what one round did to what a memory held."""

    history: Text
    """The history's id; the same in every line of a file."""
    round: Text = ""
    """The round's id; empty for what was done after the last round."""
    index: Whole
    """The round's position in the history, from 0."""
    added: tuple[HeldItemForm, ...] = ()
    """Items that it did not hold before."""
    changed: tuple[HeldItemForm, ...] = ()
    """Items as they are now."""
    removed: tuple[Text, ...] = ()
    """Ids of items that it no longer holds."""
    absorbed: Flag = False
    """Whether the round was taken in without an item of its own."""
    warnings: tuple[Text, ...] = ()
    """What went wrong without stopping the system."""
    extra: Extra
    """Anything else about the step."""


class EventLine(Form):
    """A line of ``events.jsonl``: something that happened while the run was made."""

    at: Moment
    """When."""
    kind: Literal[
        "started",
        "resumed",
        "memory",
        "retried",
        "adapted",
        "failed",
        "budget",
        "provider",
        "interrupted",
        "finished",
    ]
    """What: a part of the run began, a memory is ready, an answer took several attempts, a request
    was changed for the endpoint to take it, there is no answer, a limit was reached, the endpoint
    cannot be used, somebody interrupted, or the run came to its end."""
    key: Text = ""
    """The question's key."""
    repeat: Whole = 0
    """Which repeat."""
    history: Text = ""
    """The history."""
    said: Text = ""
    """What there is to say, in a line."""
    extra: Extra
    """Figures about it."""
