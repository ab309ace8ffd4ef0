"""The model: the words of the design as frozen values."""

from mnemoscope.core.model.history import History, Message, Role, Round, RoundKind, Session
from mnemoscope.core.model.media import Attachment, AttachmentState, Kind, Textualisation
from mnemoscope.core.model.question import (
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Option,
    Question,
)
from mnemoscope.core.model.release import EvaluatorData, Release, TaskLabel
from mnemoscope.core.model.run import (
    QueryPart,
    QuestionRef,
    Record,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    Run,
    SourceRef,
    StoredMetric,
    Value,
    Verdict,
)

__all__ = [
    "Attachment",
    "AttachmentState",
    "Clue",
    "ClueProblem",
    "ClueTarget",
    "EvaluatorData",
    "Gold",
    "GoldKind",
    "History",
    "Kind",
    "Message",
    "Option",
    "QueryPart",
    "Question",
    "QuestionRef",
    "Record",
    "RecordStatus",
    "Release",
    "Retrieval",
    "RetrievalState",
    "RetrievedItem",
    "Role",
    "Round",
    "RoundKind",
    "Run",
    "Session",
    "SourceRef",
    "StoredMetric",
    "TaskLabel",
    "Textualisation",
    "Value",
    "Verdict",
]
