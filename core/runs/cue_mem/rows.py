"""Rows of CUE-Mem run files: telling the forms apart, and what all forms have in common."""

from collections.abc import Callable, Iterable, Iterator, Set
from typing import Any

from mnemoscope.core.defects import DefectLog
from mnemoscope.core.model import (
    QuestionRef,
    RecordStatus,
    Retrieval,
    RetrievalState,
    RetrievedItem,
    SourceRef,
    Value,
    Verdict,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem.text import split_question
from mnemoscope.core.scoring.parsing import LETTERS

__all__ = [
    "BLANK",
    "STORED_RIGHT",
    "STORED_WRONG",
    "RankedRounds",
    "any_row_has",
    "as_number",
    "number_at",
    "opens_with",
    "question_ref",
    "read_answer",
    "row_nodes",
    "session_retrieval",
    "stored_verdict",
    "text_list",
]

BLANK = "blank answer"
STORED_RIGHT = (Verdict("stored", Value.RIGHT),)
STORED_WRONG = (Verdict("stored", Value.WRONG),)
_ERROR_MARK = "[ERROR]"
_DETAIL = 200
_LOOKED_AT = 20


def any_row_has(rows: object, keys: Set[str]) -> bool:
    """Whether one of the first rows is an object with these keys; broken rows do not decide."""
    if type(rows) is not list:
        return False
    return any(type(row) is dict and keys <= row.keys() for row in rows[:_LOOKED_AT])


def opens_with(data: object, keys: Set[str], *, depth: int = 4) -> bool:
    """Whether the value, its first child, that one's first child … is an object with these keys."""
    for _ in range(depth):
        if type(data) is dict:
            if keys <= data.keys():
                return True
            data = next(iter(data.values()), None)
        elif type(data) is list:
            data = data[0] if data else None
        else:
            return False
    return False


def row_nodes(rows: list[Any], place: str, log: DefectLog) -> Iterator[Node]:
    """The rows that are objects; the others are recorded as errors."""
    for index, row in enumerate(rows):
        if type(row) is dict:
            yield Node(row, f"{place}[{index}]", log)
        else:
            log.error("wrong_type", f"{place}[{index}]", row, "an object")


def question_ref(
    row: Node, history: str, *, form: str, gold: str, category: str = ""
) -> QuestionRef | None:
    """Which question a row answers; None, with an error recorded, when it does not say.

    Args:
        row: The row.
        history: The history's id or name.
        form: The key that holds the question's ``point``.
        gold: The key that holds the right option.
        category: The key that holds the question's category, where the form has one.
    """
    question = row.required_text("qa_id")
    point = row.required_text(form)
    if question is None or point is None:
        return None
    return QuestionRef(
        history=history,
        question=question,
        form=point,
        text=split_question(row.text("question"))[0],
        category=row.text(category) if category else "",
        gold=row.text(gold) or None,
    )


def read_answer(text: str, parse: Callable[[str], str]) -> tuple[RecordStatus, str, str]:
    """The status of an answer, what failed, and the option that the form's rule reads."""
    stripped = text.strip()
    if not stripped:
        return RecordStatus.ERROR, BLANK, ""
    if stripped.startswith(_ERROR_MARK):
        message = stripped[len(_ERROR_MARK) :].lstrip()[:_DETAIL]
        return RecordStatus.ERROR, message or "error without a message", ""
    letter = parse(stripped)
    if letter in LETTERS:
        return RecordStatus.OK, "", letter
    return RecordStatus.UNPARSED, "no option can be read", ""


def stored_verdict(row: Node, status: RecordStatus) -> tuple[Verdict, ...]:
    """What the row itself says of right and wrong; a hit on an error is recorded as odd."""
    match row.boolean("correct"):
        case True:
            if status is RecordStatus.ERROR:
                expected = "false, since the answer is an error"
                row.log.warning("hit_on_error", row.at("correct"), True, expected)
            return STORED_RIGHT
        case False:
            return STORED_WRONG
    return ()


def as_number(value: object) -> float | None:
    """A JSON number as a float; None for any other value and for an integer beyond all floats."""
    if type(value) is float:
        return value
    if type(value) is not int:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def number_at(node: Node, key: str) -> float | None:
    """The number at a key; another value, null aside, is recorded as an error."""
    value = node.data.get(key)
    number = as_number(value)
    if number is None and value is not None:
        node.wrong(key, "a number")
    return number


def text_list(row: Node, key: str) -> tuple[str, ...]:
    """The non-empty texts of a list."""
    value = row.data.get(key)
    return tuple(filter(None, row.texts(key))) if value else ()


class RankedRounds(dict[tuple[int, str], RetrievedItem]):
    """Items by rank and round id, each built once: nothing else tells bare ids apart.

    All histories of a release name their rounds alike, so a few thousand items serve a whole tree.
    """

    def __missing__(self, ranked: tuple[int, str]) -> RetrievedItem:
        rank, round_id = ranked
        source = SourceRef(round_id.partition(":")[0], round_id)
        self[ranked] = item = RetrievedItem(rank, (source,))
        return item


def session_retrieval(session_ids: Iterable[str]) -> Retrieval:
    """The retrieval of an oracle, which is handed whole sessions."""
    items = tuple(
        RetrievedItem(rank, (SourceRef(session_id),), used=True)
        for rank, session_id in enumerate(session_ids, start=1)
    )
    return Retrieval(RetrievalState.IDS, "session", items)
