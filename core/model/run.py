"""Runs: what a memory system answered, and what it brought back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import Defect
from mnemoscope.core.model.media import Kind, Textualisation
from mnemoscope.core.model.values import value

__all__ = [
    "QueryPart",
    "QuestionRef",
    "Record",
    "RecordStatus",
    "Retrieval",
    "RetrievalState",
    "RetrievedItem",
    "Run",
    "SourceRef",
    "StoredMetric",
    "Value",
    "Verdict",
]


class RecordStatus(StrEnum):
    """What became of one question in a run."""

    OK = "ok"
    UNPARSED = "unparsed"
    """There is an answer, and no option can be read from it."""
    REFUSED = "refused_by_provider"
    ERROR = "error"
    TIMEOUT = "timeout"
    BUDGET = "budget"
    NOT_RUN = "not_run"


class Value(StrEnum):
    """What a judge says of an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    NOT_JUDGED = "not_judged"
    JUDGE_FAILED = "judge_failed"
    NO_GOLD = "no_gold"


@value
class Verdict:
    """One judge's statement about one answer. Verdicts stand beside each other."""

    judge: str
    """``stored`` (the run file says so), ``rule:rq1``, a judge model, or a person."""
    value: Value
    stage: str = ""
    """Which of several votes or steps, such as ``judgment_2`` or ``majority``."""
    reason: str = ""
    score: float | None = None
    answer: str = ""
    """Hash of the answer that it is about; empty where that is not said."""


class RetrievalState(StrEnum):
    """What a record says of retrieval."""

    IDS = "ids"
    """Items with source ids."""
    TEXT = "text"
    """Items or a context of text without source ids."""
    WHOLE_HISTORY = "whole_history"
    """No retrieval: the whole history was sent. Empty does not mean missed."""
    NOT_STORED = "not_stored"


@value
class SourceRef:
    """Where a retrieved item comes from, as far as the run says."""

    session_id: str = ""
    round_id: str = ""
    kind: Kind | None = None
    attachment_id: str = ""


@value
class QueryPart:
    """Which query brought an item, and how: a multimodal index asks once per option."""

    item_id: str = ""
    modality: str = ""
    option: str = ""
    """The option's label whose query found it."""
    score: float | None = None
    rank: int | None = None
    fallback: str = ""
    """What stood in where the query could not be built as meant, such as a caption."""
    method: str = ""
    """How question and option were combined."""


@value
class RetrievedItem:
    """One thing that a memory brought back."""

    rank: int
    """From 1."""
    sources: tuple[SourceRef, ...] = ()
    """Empty when the run does not say where the item comes from."""
    score: float | None = None
    score_kind: str = ""
    text: str = ""
    used: bool | None = None
    """Whether it was sent to the backbone; None when unknown."""
    parts: tuple[QueryPart, ...] = ()


@value
class Retrieval:
    """What was brought back for one question."""

    state: RetrievalState = RetrievalState.NOT_STORED
    grain: str = ""
    """``round`` or ``session``: what the source ids name."""
    items: tuple[RetrievedItem, ...] = ()
    note: str = ""
    """How the items were read, where that limits what they show."""


@value
class QuestionRef:
    """What a run row says about which question it answers. Joining turns it into a key."""

    key: str = ""
    """The question's key itself, where the format writes it (native runs); wins when set."""
    history: str = ""
    """The history's id, name or number as the run writes it."""
    question: str = ""
    """The question's id or index as the run writes it."""
    form: str = ""
    """The kind of question, where the id alone is not enough (CUE-Mem's ``point``)."""
    position: int | None = None
    """The row's place among the rows of its history, where rows carry no question id."""
    text: str = ""
    category: str = ""
    gold: str | None = None
    """The gold as the run writes it; None when it does not."""


@value
class StoredMetric:
    """A figure that a run file claims for one record or for the whole run."""

    name: str
    value: float


@value
class Record:
    """One question × repeat in a run."""

    ref: QuestionRef
    status: RecordStatus
    answer: str
    """The raw answer, or the error text."""
    file: str
    """The file it was read from, relative to the run's root."""
    place: str
    """JSON path in that file."""
    repeat: int = 0
    detail: str = ""
    """What kind of failure it is, such as ``blank answer``."""
    parsed: str = ""
    """The option that the run itself read from the answer."""
    reasoning: str = ""
    cited: tuple[str, ...] = ()
    """Sessions or dates that the backbone says it relied on, as written."""
    verdicts: tuple[Verdict, ...] = ()
    retrieval: Retrieval = Retrieval()
    metrics: tuple[StoredMetric, ...] = ()
    context_place: str = ""
    """JSON path of the context that was sent; empty when it is not stored."""
    usage: Mapping[str, float] = field(default_factory=dict)
    """Tokens, seconds and the like, as stored."""


@dataclass(frozen=True)
class Run:
    """One configuration and its records."""

    name: str
    """A name for people, unique among the runs of one place."""
    format: str
    """The reader's name, such as ``cue-mem-rq1``."""
    root: Path
    """The folder that its files are below."""
    files: tuple[str, ...]
    """Every file that was read, relative to the root."""
    records: tuple[Record, ...]
    system: str = ""
    backbone: str = ""
    textualisation: Textualisation | None = None
    """None when the run does not say."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Everything else the files say about the configuration, as JSON."""
    rule: str = "stored"
    """What decides right and wrong: ``rq1``, ``rq3`` or ``stored``."""
    used_depth: int | None = None
    """How many retrieved items were sent to the backbone, when the format fixes it."""
    metrics: tuple[StoredMetric, ...] = ()
    """Figures that the files claim for the whole run."""
    defects: tuple[Defect, ...] = ()
    notes: tuple[str, ...] = ()
    """What a reader of the figures should know about this form of run."""
