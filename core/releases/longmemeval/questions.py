"""The question of an instance, its gold, and the sessions and turns that the gold rests on."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from mnemoscope.core.defects import Described
from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    History,
    Question,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.answers import text_gold
from mnemoscope.core.releases.longmemeval.history import HistoryReading

__all__ = ["ABSTENTION", "read_question", "task_of_type"]

ABSTENTION = "_abs"
"""How the id of a question ends that is to be declined, whatever its type."""
_UNKNOWN_TASK = "unknown"
_EVIDENCE = "answer_session_ids"


def read_question(
    node: Node, history: History, reading: HistoryReading, asked_at: datetime | None
) -> Question | None:
    """Read an instance's question; None, with an error recorded, when it has no text."""
    text = node.data.get("question")
    if type(text) is not str or not text.strip():
        node.wrong("question", "non-empty text")
        return None
    question_type = node.text("question_type")
    written = node.data.get("question_id")
    question_id = written if type(written) is str and written else history.id
    refused = bool(question_type) and question_type == reading.dialect.refusal
    return Question(
        key=f"{history.id}/0",
        id=question_id,
        history_id=history.id,
        index=0,
        task=task_of_type(node, reading.dialect.types),
        setting="",
        text=text,
        stem=text,
        gold=text_gold(node.found("answer"), node.at("answer"), node.log),
        clues=tuple(_read_clues(node, history, reading)),
        place=node.place,
        form=node.text("question_subtype"),
        category=question_type,
        asked_at=asked_at,
        answerable=not (question_id.endswith(ABSTENTION) or refused),
    )


def task_of_type(node: Node, types: Mapping[str, TaskLabel]) -> str:
    """The task of a question type, recorded when it is none of the benchmark's."""
    written = node.data.get("question_type")
    label = types.get(written) if type(written) is str else None
    if label is None:
        found = node.found("question_type")
        node.log.warning("unknown_type", node.at("question_type"), found, "a known question type")
    return label.task if label else _UNKNOWN_TASK


def _read_clues(node: Node, history: History, reading: HistoryReading) -> Iterator[Clue]:
    """The sessions that the answer rests on, each followed by its turns that hold the answer.

    A turn is named by no string; its mark stands for one.
    """
    log = node.log
    listed = node.texts(_EVIDENCE)
    if _EVIDENCE not in node.data and reading.dialect.names_sessions:
        expected = "a list of session ids"
        log.warning("evidence_missing", node.at(_EVIDENCE), Described("nothing"), expected)
    turns: dict[str, list[Clue]] = {}
    for one in reading.answers:
        place = f"{one.place}.has_answer"
        clue = Clue(one.id, ClueTarget.ROUND, one.id, one.id, one.session_id, place=place)
        turns.setdefault(one.session_id, []).append(clue)
    for at, written in enumerate(listed):
        place = node.at_item(_EVIDENCE, at)
        if written in history.session_by_id:
            yield Clue(written, ClueTarget.SESSION, written, "", written, place=place)
            yield from turns.pop(written, ())
        elif written:
            problem = ClueProblem.UNKNOWN_ID if history.sessions else ClueProblem.HISTORY_ABSENT
            yield Clue(written, ClueTarget.SESSION, written, problem=problem, place=place)
            log.warning(f"clue_{problem}", place, written, "the id of a session of this history")
    for session_id, clues in turns.items():
        if listed:
            found = Described(f"true in session {session_id!r:.60}")
            expected = f"a session of {_EVIDENCE}"
            log.warning("mark_outside_evidence", clues[0].place, found, expected)
        yield from clues
