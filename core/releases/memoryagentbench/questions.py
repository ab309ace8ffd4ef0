"""The questions about a long text: lists of questions, answers and what is known of each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mnemoscope.core.defects import Described
from mnemoscope.core.model import Gold, GoldKind, Question, TaskLabel
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.longmemeval.dates import read_date

__all__ = ["TASKS", "QuestionReading", "read_questions", "source_of", "task_of"]

TASKS = (
    TaskLabel("accurate_retrieval", "Accurate retrieval", number="AR"),
    TaskLabel("test_time_learning", "Test-time learning", number="TTL"),
    TaskLabel("long_range_understanding", "Long-range understanding", number="LRU"),
    TaskLabel("conflict_resolution", "Conflict resolution", number="CR"),
)
_SOURCES: Mapping[str, str] = {
    **dict.fromkeys(("ruler", "longmemeval", "eventqa"), "accurate_retrieval"),
    **dict.fromkeys(("icl", "recsys"), "test_time_learning"),
    **dict.fromkeys(("infbench", "detective"), "long_range_understanding"),
    "factconsolidation": "conflict_resolution",
}
"""The split of a data set, by the first word of its name."""
_UNKNOWN = "unknown"
_WORD = re.compile(r"[a-z]+")
_PARALLEL = (
    *("qa_pair_ids", "question_ids", "question_types", "question_dates", "previous_events"),
)
"""The lists of the metadata that have an element per question."""
_NO_LABELS: Mapping[str, str] = {}


@dataclass(slots=True)
class QuestionReading:
    """Questions by key, and what only the evaluator may see of them."""

    questions: dict[str, Question] = field(default_factory=dict)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def source_of(row: Node) -> str:
    """The data set that a row was made from."""
    metadata = row.data.get("metadata")
    held = metadata if type(metadata) is dict and "source" in metadata else row.data
    source = held.get("source")
    return source if type(source) is str else ""


def task_of(stem: str, source: str) -> str:
    """The split that a row belongs to, by its file's name, else by the data set it comes from."""
    name = stem.casefold().replace("-", "_")
    named = next((label.task for label in TASKS if label.task in name), "")
    first = _WORD.match(source.casefold())
    return named or _SOURCES.get(first[0] if first else "", _UNKNOWN)


def read_questions(
    row: Node, history_id: str, task: str, file: str, reading: QuestionReading
) -> None:
    """Read the questions of a row; a question goes by its place in the row."""
    metadata = Node(row.mapping("metadata"), row.at("metadata"), row.log)
    source = source_of(row)
    asked, answers = row.items("questions"), row.items("answers")
    if row.data.get("questions") is None:
        row.wrong("questions", "a list of questions")
    if len(asked) != len(answers):
        found = Described(f"{len(asked)} questions and {len(answers)} answers")
        row.log.error("parallel_lists", row.place, found, "an answer for each question")
    lists = {key: _parallel(metadata, key, len(asked)) for key in _PARALLEL}
    for index, text in enumerate(asked):
        place = f"{row.at('questions')}[{index}]"
        if type(text) is not str or not text.strip():
            row.log.error("wrong_type", place, text, "non-empty text")
            continue
        known = {key: held[index] for key, held in lists.items() if index < len(held)}
        names = (known.get("qa_pair_ids"), known.get("question_ids"))
        key = f"{history_id}/{index}"
        reading.questions[key] = Question(
            key=key,
            id=next((name for name in names if type(name) is str and name), str(index)),
            history_id=history_id,
            index=index,
            task=task,
            setting="",
            text=text,
            stem=text,
            gold=_read_gold(row, index, answers),
            clues=(),
            place=place,
            form=_text(known.get("question_types")),
            category=source,
            labels=_NO_LABELS,
            asked_at=_asked_at(metadata, index, known.get("question_dates")),
            file=file,
        )
        if "previous_events" in known:
            reading.notes[key] = {"previous_events": known["previous_events"]}


def _parallel(metadata: Node, key: str, count: int) -> list[Any]:
    held = metadata.items(key)
    if held and len(held) != count:
        found = Described(f"{len(held)} elements")
        metadata.log.warning("parallel_lists", metadata.at(key), found, f"{count}, as questions")
    return held


def _text(value: Any) -> str:
    return value if type(value) is str else ""


def _asked_at(metadata: Node, index: int, written: Any) -> datetime | None:
    """When a question is asked; questions of LongMemEval's are dated as there."""
    if type(written) is not str:
        return None
    return read_date(written, f"{metadata.at('question_dates')}[{index}]", metadata.log)


def _read_gold(row: Node, index: int, answers: list[Any]) -> Gold:
    """The accepted answers: a text, or a list of texts."""
    place = f"{row.at('answers')}[{index}]"
    if index >= len(answers):
        return Gold.none()
    held = answers[index]
    texts = []
    for at, answer in enumerate(held if type(held) is list else [held]):
        where = f"{place}[{at}]" if type(held) is list else place
        if type(answer) is int or type(answer) is float:
            row.log.repaired("number_for_text", where, answer, "text", str(answer))
            answer = str(answer)
        if type(answer) is not str:
            row.log.error("wrong_type", where, answer, "text")
        elif answer.strip():
            texts.append(answer)
    if not texts:
        row.log.warning("gold_missing", place, held, "an answer")
        return Gold.none()
    return Gold(GoldKind.TEXTS, "", tuple(texts))
