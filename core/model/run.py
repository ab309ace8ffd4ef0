"""Runs: what a memory system answered, and what it brought back."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from mnemoscope.core.defects import Defect
from mnemoscope.core.model.media import Kind, Textualisation
from mnemoscope.core.model.values import value
from mnemoscope.core.text import counted

__all__ = [
    "NO_CAPTION",
    "QueryPart",
    "QuestionRef",
    "Reached",
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
class Reached:
    """Which of the media that were to be sent reached the model, and what stood in for the rest."""

    sent: Mapping[Kind, int] = field(default_factory=dict)
    """How many of each kind were sent as themselves."""
    fallbacks: Mapping[str, int] = field(default_factory=dict)
    """How many were replaced by their captions, by kind and reason, such as
    ``image: the model takes none``."""

    def as_json(self) -> dict[str, Any]:
        """The same as JSON, with a number for every kind."""
        return {
            "text": True,
            **{kind.value: self.sent.get(kind, 0) for kind in Kind},
            "fallbacks": dict(sorted(self.fallbacks.items())),
        }

    @classmethod
    def from_json(cls, data: Any) -> "Reached | None":
        """What ``as_json`` has written; None for anything else."""
        if not isinstance(data, dict) or not isinstance(data.get("fallbacks"), dict):
            return None
        sent = {kind: data.get(kind.value) for kind in Kind}
        numbers = (*sent.values(), *data["fallbacks"].values())
        if not all(type(one) is int and one >= 0 for one in numbers):
            return None
        return cls({kind: one for kind, one in sent.items() if one}, data["fallbacks"])

    def __str__(self) -> str:
        """One line, such as ``text, 2 images; 4 images as captions``."""
        sent = [_counted(kind, self.sent[kind]) for kind in Kind if self.sent.get(kind)]
        instead: Counter[tuple[str, str]] = Counter()
        for name, count in self.fallbacks.items():
            kind, _, reason = name.partition(": ")
            how = "without a caption" if reason == NO_CAPTION else "as captions"
            instead[kind, how] += count
        told = [
            f"{_counted(kind, instead[kind, how])} {how}"
            for kind in Kind
            for how in ("as captions", "without a caption")
            if instead[kind, how]
        ]
        return "; ".join([", ".join(["text", *sent]), *told])


NO_CAPTION = "no caption to read"
"""Why nothing at all stands in for a medium."""


def _counted(kind: Kind, count: int) -> str:
    return counted(count, "image" if kind is Kind.IMAGE else "clip")


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
    reached: Reached | None = None
    """Which media reached the model; None when the run does not say."""


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
