"""LoCoMo's questions, and the turns that their gold rests on."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog, Described
from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Question,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.locomo.parts import written_ids

__all__ = ["TASKS", "QuestionReading", "read_questions"]

# The integer is the category; others give the same integers other names.
TASKS = (
    TaskLabel("multi_hop", "Multi-hop", number="1", expected=282),
    TaskLabel("temporal", "Temporal", number="2", expected=321),
    TaskLabel("open_domain", "Open domain", number="3", expected=96),
    TaskLabel("single_hop", "Single-hop", number="4", expected=841),
    TaskLabel("adversarial", "Adversarial", number="5", expected=446),
)

_TASK_OF = {int(label.number): label.task for label in TASKS}
_UNKNOWN_TASK = "unknown"
_ADVERSARIAL = 5
_NO_LABELS: Mapping[str, str] = {}
_NO_GOLD = Gold.none()
_TEXTS = GoldKind.TEXTS
_ROUND = ClueTarget.ROUND
_NO_PROBLEM = ClueProblem.NONE


@dataclass(slots=True)
class QuestionReading:
    """Questions by key, and what only the evaluator may see of them."""

    questions: dict[str, Question] = field(default_factory=dict)
    lures: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Adversarial answers by question key."""


def read_questions(
    root: Node, history_id: str, session_of: Mapping[str, str], reading: QuestionReading
) -> None:
    """Read the questions of one conversation.

    Args:
        root: The conversation's object.
        history_id: The history they ask about.
        session_of: The session of each round id of the history.
        reading: Takes the questions.

    A question's id is its place in the list, so that one that cannot be used moves no other.
    """
    if root.data.get("qa") is None:
        root.wrong("qa", "a list of questions")
    base = root.at("qa")
    log = root.log
    for index, qa in enumerate(root.items("qa")):
        place = f"{base}[{index}]"
        if type(qa) is not dict:
            log.error("wrong_type", place, qa, "an object")
            continue
        text = qa.get("question")
        if type(text) is not str or not text.strip():
            found = qa.get("question", Described("nothing"))
            log.error("wrong_type", f"{place}.question", found, "non-empty text")
            continue
        category = qa.get("category")
        task = _TASK_OF.get(category) if type(category) is int else None
        if task is None:
            category, task = _odd_category(Node(qa, place, log))
        key = f"{history_id}/{index}"
        if "adversarial_answer" in qa:
            reading.lures[key] = {"adversarial_answer": qa["adversarial_answer"]}
        reading.questions[key] = Question(
            key=key,
            id=str(index),
            history_id=history_id,
            index=index,
            task=task,
            setting="",
            text=text,
            stem=text,
            gold=_read_gold(qa, place, category == _ADVERSARIAL, log),
            clues=_read_clues(qa, place, session_of, log),
            place=place,
            category="" if category is None else str(category),
            labels=_NO_LABELS,
            answerable=category != _ADVERSARIAL,
        )


def _odd_category(qa: Node) -> tuple[int | None, str]:
    """The number and the task of a category that is not one of the known integers."""
    category = qa.data.get("category")
    if type(category) is str and category in map(str, _TASK_OF):
        number = int(category)
        qa.log.repaired("text_for_number", qa.at("category"), category, "an integer", number)
        return number, _TASK_OF[number]
    if type(category) is int:
        qa.log.warning("unknown_category", qa.at("category"), category, "a category from 1 to 5")
        return category, _UNKNOWN_TASK
    qa.wrong("category", "an integer from 1 to 5")
    return None, _UNKNOWN_TASK


def _read_gold(qa: dict[str, Any], place: str, adversarial: bool, log: DefectLog) -> Gold:
    """The answer, where there is one; the adversarial answer is a lure and never the gold."""
    answer = qa.get("answer")
    if type(answer) is str and answer.strip():
        return Gold(_TEXTS, "", (answer,))
    if type(answer) is int or type(answer) is float:
        log.repaired("number_for_text", f"{place}.answer", answer, "text", str(answer))
        return Gold(_TEXTS, "", (str(answer),))
    if answer is not None and type(answer) is not str:
        log.error("wrong_type", f"{place}.answer", answer, "text")
    elif not adversarial:
        found = qa.get("answer", Described("nothing"))
        log.warning("gold_missing", f"{place}.answer", found, "an answer")
    elif type(qa.get("adversarial_answer")) is not str:
        found = qa.get("adversarial_answer", Described("nothing"))
        log.warning("lure_missing", f"{place}.adversarial_answer", found, "text")
    return _NO_GOLD


def _read_clues(
    qa: dict[str, Any], place: str, session_of: Mapping[str, str], log: DefectLog
) -> tuple[Clue, ...]:
    evidence: Any = qa.get("evidence")
    listed = type(evidence) is list
    if not listed:
        if evidence is None:
            found = qa.get("evidence", Described("nothing"))
            log.warning("evidence_missing", f"{place}.evidence", found, "a list of turn ids")
            return ()
        evidence = Node(qa, place, log).texts("evidence")
    clues: list[Clue] = []
    for at, written in enumerate(evidence):
        where = f"{place}.evidence[{at}]" if listed else f"{place}.evidence"
        try:
            session_id = session_of[written]
        except (KeyError, TypeError):
            clues.extend(_taken_apart(written, where, session_of, log))
        else:
            clues.append(Clue(written, _ROUND, written, written, session_id, _NO_PROBLEM, where))
    if len(clues) > 1 and len({clue.id for clue in clues}) < len(clues):
        found = Described(", ".join(_repeated(clues)[:5]))
        log.warning("clue_repeated", f"{place}.evidence", found, "each id once")
    return tuple(clues)


def _repeated(clues: list[Clue]) -> list[str]:
    counts = Counter(clue.id for clue in clues)
    return [repr(one[:40]) for one, count in counts.items() if count > 1]


def _taken_apart(
    written: Any, place: str, session_of: Mapping[str, str], log: DefectLog
) -> list[Clue]:
    """The clues in a value that is no turn id: several ids in one string, or a padded one."""
    if type(written) is not str:
        log.error("wrong_type", place, written, "a turn id")
        return []
    clues = []
    for piece, well_formed in written_ids(written):
        session_id = session_of.get(piece, "")
        if session_id:
            clues.append(Clue(written, _ROUND, piece, piece, session_id, _NO_PROBLEM, place))
            continue
        problem = ClueProblem.UNKNOWN_ID if well_formed else ClueProblem.MALFORMED
        if not session_of:
            problem = ClueProblem.HISTORY_ABSENT
        target = _ROUND if well_formed else ClueTarget.UNKNOWN
        clues.append(Clue(written, target, piece, problem=problem, place=place))
        log.warning(f"clue_{problem}", place, piece, "the id of a turn of this conversation")
    resolved = [clue.id for clue in clues if clue.resolved]
    if resolved:
        read_as = Described(", ".join(resolved))
        log.repaired("clue_taken_apart", place, written, "one turn id", read_as)
    return clues
