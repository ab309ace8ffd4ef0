"""What the forms of LongMemEval run output share: names, and sessions that were retrieved."""

from collections.abc import Iterable

from mnemoscope.core.model import (
    QuestionRef,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.rows import read_gold
from mnemoscope.core.sources import DATA_SUFFIXES, SourceFile

__all__ = ["bare_stem", "judge_log_model", "question_ref", "session_items"]

_JUDGE_LOG = ".eval-results-"


def bare_stem(file: SourceFile) -> str:
    """The name that answers share with their judge's log, ``hyp.jsonl.eval-results-MODEL``."""
    stem = file.path.name.partition(_JUDGE_LOG)[0]
    for suffix in DATA_SUFFIXES:
        stem = stem.removesuffix(suffix)
    return stem


def judge_log_model(file: SourceFile) -> str:
    """The judge that the name of a judge's log says, in short; empty for other files."""
    return file.path.name.partition(_JUDGE_LOG)[2]


def question_ref(row: Node, gold: str = "") -> QuestionRef | None:
    """Which question a row answers; None, with an error recorded, when it does not say.

    Every question has a history of its own, so that its id alone tells which it is.

    Args:
        row: The row.
        gold: The key that holds the right answer, where the form has one.
    """
    question = row.required_text("question_id")
    if question is None:
        return None
    return QuestionRef(
        question=question,
        text=row.text("question"),
        gold=read_gold(row, gold) if gold else None,
    )


def session_items(ids: Iterable[str]) -> Retrieval:
    """Retrieved sessions, best first."""
    items = tuple(
        RetrievedItem(rank, (SourceRef(session_id=one),))
        for rank, one in enumerate(ids, start=1)
        if one
    )
    return Retrieval(RetrievalState.IDS, "session", items)
