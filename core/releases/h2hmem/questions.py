"""The questions about a session, or across sessions, and the sessions that gold rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import Described, describe
from mnemoscope.core.model import (
    Attachment,
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Question,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.h2hmem.history import HistoryReading

__all__ = ["TASKS", "QuestionReading", "read_questions"]

TASKS = (
    TaskLabel("unimodal_precise_recall", "Unimodal precise recall", number="UPR"),
    TaskLabel("cross_modal_related_retrieval", "Cross-modal related retrieval", number="CRR"),
    TaskLabel("knowledge_resolution", "Knowledge resolution", number="KR"),
    TaskLabel("temporal_reasoning", "Temporal reasoning", number="TR"),
    TaskLabel("multimodal_causal_inference", "Multimodal causal inference", number="MCR"),
    TaskLabel("reference_evolution_tracking", "Reference & evolution tracking", number="RET"),
    TaskLabel("test_time_learning", "Test-time learning", number="TTL"),
    TaskLabel("conflict_detection", "Conflict detection", number="CD"),
    TaskLabel("answer_refusal", "Answer refusal", number="AR"),
)
_TASK_OF: Mapping[str, str] = {label.title.casefold(): label.task for label in TASKS}
_REFUSAL = "answer_refusal"
_UNKNOWN = "unknown"
_SHOWN = frozenset(("question", "original_answer", "answer_session", "question_type", "difficulty"))
_SESSION = ClueTarget.SESSION


@dataclass(slots=True)
class QuestionReading:
    """Questions by key, and what only the evaluator may see of them."""

    questions: dict[str, Question] = field(default_factory=dict)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """How many questions each history has so far."""


def read_questions(
    root: Node, scene: str, file: str, history: HistoryReading, reading: QuestionReading
) -> None:
    """Read the questions of one scene.

    Args:
        root: The file.
        scene: The folder's name.
        file: The file's name.
        history: What was gathered while reading the sessions of the dialogue.
        reading: Takes the questions.

    A scene without a session holds questions across sessions. They name the scene itself, so that
    they have no gold evidence; that is said once.
    """
    if root.data.get("questions") is None:
        root.wrong("questions", "a list of questions")
    known = {session.id for session in history.sessions}
    across = 0
    for index, node in root.numbered_nodes("questions"):
        question = _read_question(node, index, scene, file, known, history, reading)
        across += question is not None and any(one.id == scene for one in question.clues)
    if across and scene not in known and known:
        found = Described(f"{across} questions that name {scene!r}, a folder without a session")
        expected = "the sessions that the answers rest on"
        root.log.warning("across_sessions", root.at("questions"), found, expected)


def _read_question(
    node: Node,
    index: int,
    scene: str,
    file: str,
    known: set[str],
    history: HistoryReading,
    reading: QuestionReading,
) -> Question | None:
    held = node.data.get("question")
    if type(held) is not dict:
        node.wrong("question", "an object with a text")
        return None
    asked = Node(held, f"{node.place}.question", node.log)
    text = asked.required_text("text")
    if text is None:
        return None
    history_id = history.dialogue.history_id
    task, category = _read_kind(node)
    key = f"{history_id}/{scene}/{index}"
    difficulty = node.text("difficulty")
    place = reading.asked.get(history_id, 0)
    reading.asked[history_id] = place + 1
    question = Question(
        key=key,
        id=f"{scene}/{index}",
        history_id=history_id,
        index=place,
        task=task,
        setting="",
        text=text,
        stem=text,
        gold=_read_gold(node),
        clues=_read_clues(node, scene, known, history),
        place=node.place,
        category=category,
        labels={"difficulty": difficulty} if difficulty else {},
        attachments=_read_picture(asked, scene, known, history),
        answerable=task != _REFUSAL,
        file=file,
    )
    reading.questions[key] = question
    reading.notes[key] = {name: one for name, one in node.data.items() if name not in _SHOWN}
    return question


def _read_kind(node: Node) -> tuple[str, str]:
    """Task and category of a question: its sub-type and its main type."""
    held = node.data.get("question_type")
    if type(held) is not dict:
        node.wrong("question_type", "an object with main_type and sub_type")
        return _UNKNOWN, ""
    kind = Node(held, f"{node.place}.question_type", node.log)
    task = _TASK_OF.get(kind.text("sub_type").casefold())
    if task is None:
        expected = "a kind of question of the benchmark"
        kind.log.warning("unknown_task", kind.at("sub_type"), kind.found("sub_type"), expected)
    return task or _UNKNOWN, kind.text("main_type")


def _read_gold(node: Node) -> Gold:
    answer = node.data.get("original_answer")
    if type(answer) is int or type(answer) is float:
        text, place = str(answer), node.at("original_answer")
        node.log.repaired("number_for_text", place, answer, "text", text)
        answer = text
    if type(answer) is str and answer.strip():
        return Gold(GoldKind.TEXTS, "", (answer,))
    if answer is None or type(answer) is str:
        found = node.found("original_answer")
        node.log.warning("gold_missing", node.at("original_answer"), found, "an answer")
    else:
        node.wrong("original_answer", "text")
    return Gold.none()


def _read_picture(
    asked: Node, scene: str, known: set[str], history: HistoryReading
) -> tuple[Attachment, ...]:
    """The picture that a question shows: one of its own session, or ``session1/2.jpg``."""
    name = asked.text("image")
    if not name:
        return ()
    place = asked.at("image")
    picture = history.picture(scene, name, place, asked.log, of_question=True)
    if picture.id.rpartition("/")[0] in known and picture.id not in history.images:
        expected = "a picture that a turn of that session shows"
        asked.log.warning("unknown_image", place, name, expected)
    return (picture,)


def _read_clues(
    node: Node, scene: str, known: set[str], history: HistoryReading
) -> tuple[Clue, ...]:
    if "answer_session" not in node.data:
        found = node.found("answer_session")
        node.log.warning("evidence_missing", node.at("answer_session"), found, "a list of folders")
    dialogue = node.text("answer_dialogue")
    if dialogue and dialogue != history.dialogue.history_id.rpartition("/")[2]:
        expected = f"the dialogue's own folder, of {history.dialogue.history_id}"
        node.log.warning("foreign_dialogue", node.at("answer_dialogue"), dialogue, expected)
    held = node.data.get("answer_session")
    listed = node.texts("answer_session") if type(held) is str else node.items("answer_session")
    clues = []
    base = f"{node.place}.answer_session"
    for at, written in enumerate(listed):
        place = f"{base}[{at}]" if type(held) is list else base
        clues.append(_read_clue(written, place, scene, known, history, node))
    return tuple(clues)


def _read_clue(
    written: Any, place: str, scene: str, known: set[str], history: HistoryReading, node: Node
) -> Clue:
    if type(written) is not str or not written:
        node.log.warning("clue_malformed", place, written, "the name of a session's folder")
        target, problem = ClueTarget.UNKNOWN, ClueProblem.MALFORMED
        return Clue(describe(written), target, "", problem=problem, place=place)
    if written in known:
        return Clue(written, _SESSION, written, "", written, ClueProblem.NONE, place)
    folder = history.folder_of.get(written)
    if folder is not None:
        expected = "the name of a session's folder"
        node.log.repaired("clue_by_session_id", place, written, expected, folder)
        return Clue(written, _SESSION, folder, "", folder, ClueProblem.NONE, place)
    problem = ClueProblem.UNKNOWN_ID if known else ClueProblem.HISTORY_ABSENT
    if written != scene or not known:
        node.log.warning(f"clue_{problem}", place, written, "the name of a session's folder")
    return Clue(written, _SESSION, written, problem=problem, place=place)
