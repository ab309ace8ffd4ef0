"""What can be said of a question in one column of a list: on screen, in a file, to sort by.

A column is chosen by name. The columns of a run end in its letter, such as ``recall of A``, so that
a choice of columns means the same for whatever runs are open.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import Question, RetrievalState
from mnemoscope.core.outcomes import outcome
from mnemoscope.core.scoring.retrieval_hits import HitCounts, count_hits, k_used
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["QuestionColumn", "chosen_columns", "is_column_name", "question_columns"]

# Any: values are of whatever type a column holds, and are only compared within it or written out.
Value = Callable[[Question], Any]
Fields = Callable[[Question], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class QuestionColumn:
    """One column of a list of questions. Nothing is worked out before a question is asked about."""

    name: str
    """By which it is chosen."""
    help: str
    """What it holds, in a few words."""
    kind: str
    """Its name without the run, or ``metric`` for a figure that a run stores."""
    value: Value
    """What to sort by; None for nothing."""
    text: Callable[[Question], str]
    """What it says in a few words."""
    fields: Fields
    """What it is in a file: values by the names of their fields."""
    run: JoinedRun | None = None
    """The run that it is about, if any."""


_GENERAL: Mapping[str, tuple[str, str, Value]] = {
    "id": ("the question's key", "key", lambda question: question.key),
    "history": ("the history it is about", "history", lambda question: question.history_id),
    "question": ("what is asked", "question", lambda question: question.stem),
    "task": ("the task", "task", lambda question: question.task),
    "setting": ("the evidence setting", "setting", lambda question: question.setting),
    "category": ("the release's category", "category", lambda question: question.category),
    "gold": ("the right answer", "gold", lambda question: str(question.gold)),
    "clues": ("how many clues there are", "number of clues", lambda q: len(q.clues)),
    "asked": (
        "when it is asked",
        "asked at",
        lambda question: question.asked_at.isoformat(" ") if question.asked_at else None,
    ),
}
_MARKS, _RIGHT = "A and B", "runs right"
_ANSWER = 200
"""Characters of an answer that are of use in a column."""
_OF_RUN = re.compile(r"(.+) of ([A-Z]+)", re.DOTALL)


def is_column_name(name: str) -> bool:
    """Whether a column can have the name in some release with some runs."""
    return name in _GENERAL or name in (_MARKS, _RIGHT) or _OF_RUN.fullmatch(name) is not None


def question_columns(workspace: Workspace) -> tuple[QuestionColumn, ...]:
    """Every column that has something to say for what is open."""
    runs = workspace.runs
    found = [_general(name) for name in _GENERAL if _is_there(name, workspace)]
    if len(runs) > 1:
        found += [_marks(runs[:2]), _runs_right(runs)]
    found += [_answer(run) for run in runs]
    for run in runs:
        if run.retrieval_states & {RetrievalState.IDS}:
            found.append(_recall(run, workspace))
        if run.retrieval_states & {RetrievalState.IDS, RetrievalState.TEXT}:
            found.append(_k(run))
    for run in runs:
        found += [_metric(run, metric) for metric in run.metric_names]
    return tuple(found)


def chosen_columns(
    columns: Sequence[QuestionColumn], names: Sequence[str]
) -> tuple[QuestionColumn, ...]:
    """The columns with some names, in the order of the names.

    Raises:
        UsageError: A name is none of them.
    """
    by_name = {column.name: column for column in columns}
    for name in names:
        if name not in by_name:
            raise UsageError(f"no column {name!r}; there are: {', '.join(by_name)}")
    return tuple(by_name[name] for name in dict.fromkeys(names))


def _is_there(name: str, workspace: Workspace) -> bool:
    release = workspace.release
    questions = release.questions.values()
    match name:
        case "setting":
            return bool(release.settings)
        case "category":
            return any(question.category for question in questions)
        case "asked":
            return any(question.asked_at for question in questions)
    return True


def _general(name: str) -> QuestionColumn:
    help_text, field, value = _GENERAL[name]

    def text(question: Question) -> str:
        found = value(question)
        return "" if found is None else str(found)

    def fields(question: Question) -> Mapping[str, Any]:
        written = " ".join(clue.written for clue in question.clues)
        clues = {"clues": written} if name == "clues" else {}
        return clues | {field: value(question)}

    return QuestionColumn(name, help_text, name, value, text, fields)


def _marks(runs: Sequence[JoinedRun]) -> QuestionColumn:
    def text(question: Question) -> str:
        return " ".join(outcome(run.entry(question.key)) for run in runs)

    def fields(question: Question) -> Mapping[str, Any]:
        return {f"{run.name} outcome": outcome(run.entry(question.key)) for run in runs}

    help_text = "the outcomes of A and B"
    return QuestionColumn(_MARKS, help_text, _MARKS, text, text, fields)


def _runs_right(runs: Sequence[JoinedRun]) -> QuestionColumn:
    def counted(question: Question) -> tuple[int, int]:
        entries = [run.entry(question.key) for run in runs]
        judged = [entry.judgement for entry in entries if entry and entry.judgement.judged]
        return sum(judgement.right for judgement in judged), len(judged)

    def value(question: Question) -> int | None:
        right, judged = counted(question)
        return right if judged else None

    def text(question: Question) -> str:
        right, judged = counted(question)
        return f"{right}/{judged}" if judged else "–"

    def fields(question: Question) -> Mapping[str, Any]:
        right, judged = counted(question)
        return {"runs right": right, "runs judged": judged}

    help_text = "runs that are right, of those judged"
    return QuestionColumn(_RIGHT, help_text, _RIGHT, value, text, fields)


def _answer(run: JoinedRun) -> QuestionColumn:
    def text(question: Question) -> str:
        entry = run.entry(question.key)
        said = outcome(entry).replace("_", " ")
        if entry is None:
            return said
        # Where there are options, the one read from the answer says it all.
        answer = entry.record.answer[:_ANSWER] if not question.options else ""
        return f"{said} {entry.judgement.parsed or answer}".strip()

    def value(question: Question) -> str | None:
        entry = run.entry(question.key)
        return f"{entry.judgement.value} {text(question)}" if entry else None

    def fields(question: Question) -> Mapping[str, Any]:
        entry = run.entry(question.key)
        return {
            f"{run.name} answer": entry.record.answer if entry else "",
            f"{run.name} status": entry.judgement.status.value if entry else "no record",
            f"{run.name} verdict": entry.judgement.value.value if entry else "",
        }

    help_text = f"{run.name}: the answer and its outcome"
    return QuestionColumn(f"answer of {run.letter}", help_text, "answer", value, text, fields, run)


def _recall(run: JoinedRun, workspace: Workspace) -> QuestionColumn:
    histories, depth = workspace.release.histories, run.run.used_depth

    def counts(question: Question) -> HitCounts | None:
        entry = run.entry(question.key)
        if entry is None:
            return None
        history = histories[question.history_id]
        grain = workspace.common_grain
        found = count_hits(question, entry.record, used_depth=depth, history=history, grain=grain)
        return found if found.recall is not None else None

    def value(question: Question) -> float | None:
        found = counts(question)
        return None if found is None else found.recall

    def text(question: Question) -> str:
        found = counts(question)
        return "–" if found is None else f"{found.found}/{found.gold} @{found.k}"

    def fields(question: Question) -> Mapping[str, Any]:
        return {f"{run.name} recall": value(question)}

    name = f"recall of {run.letter}"
    help_text = f"{run.name}: gold evidence sent, @k"
    return QuestionColumn(name, help_text, "recall", value, text, fields, run)


def _k(run: JoinedRun) -> QuestionColumn:
    def value(question: Question) -> int | None:
        entry = run.entry(question.key)
        return None if entry is None else k_used(entry.record.retrieval, run.run.used_depth)

    help_text = f"{run.name}: how many items were sent"
    return _of_run("k", "k", run, help_text, value, str)


def _metric(run: JoinedRun, metric: str) -> QuestionColumn:
    def value(question: Question) -> float | None:
        entry = run.entry(question.key)
        found = (one.value for one in (entry.record.metrics if entry else ()) if one.name == metric)
        return next(found, None)

    help_text = f"{run.name}: {metric}, as stored"
    return _of_run(metric, "metric", run, help_text, value, lambda number: f"{number:.4g}")


def _of_run(
    what: str, kind: str, run: JoinedRun, help_text: str, value: Value, said: Callable[[Any], str]
) -> QuestionColumn:
    """A column of one number of a run."""

    def text(question: Question) -> str:
        number = value(question)
        return "–" if number is None else said(number)

    def fields(question: Question) -> Mapping[str, Any]:
        return {f"{run.name} {what}": value(question)}

    return QuestionColumn(f"{what} of {run.letter}", help_text, kind, value, text, fields, run)
