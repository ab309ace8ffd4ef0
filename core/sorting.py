"""Orders of a question list."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mnemoscope.core.model import Question
from mnemoscope.core.scoring.retrieval_hits import count_hits
from mnemoscope.core.workspace import JoinedRun, Workspace

__all__ = ["orders", "sort_questions"]

RELEASE_ORDER = "release order"
_OF_QUESTION: Mapping[str, Callable[[Question], Any]] = {
    "question": lambda question: question.stem,
    "task": lambda question: (question.task, question.setting),
    "setting": lambda question: question.setting,
    "gold": lambda question: str(question.gold),
    "number of clues": lambda question: len(question.clues),
}


def orders(workspace: Workspace) -> list[str]:
    """The names of all orders there are for what is open."""
    of_runs = [
        f"{what} of {run.letter}" for what in ("verdict", "recall") for run in workspace.runs
    ]
    return [RELEASE_ORDER, *_OF_QUESTION, *of_runs]


def sort_questions(
    workspace: Workspace, keys: Sequence[str], order: str, *, descending: bool = False
) -> list[str]:
    """Sort question keys; equal ones stay in release order.

    Args:
        workspace: What is open.
        keys: Keys in release order.
        order: A name that ``orders`` gives; an unknown one is the release's order.
        descending: Whether the greatest comes first. What has no value comes last either way.
    """
    value_of = _values(workspace, order)
    if value_of is None:
        return list(reversed(keys)) if descending else list(keys)
    valued = [(key, value_of(key)) for key in keys]
    with_value = [one for one in valued if one[1] is not None]
    with_value.sort(key=lambda one: one[1], reverse=descending)
    return [key for key, _ in with_value] + [key for key, value in valued if value is None]


def _values(workspace: Workspace, order: str) -> Callable[[str], Any] | None:
    questions = workspace.release.questions
    of_question = _OF_QUESTION.get(order)
    if of_question is not None:
        return lambda key: of_question(questions[key])
    what, _, letter = order.partition(" of ")
    run = next((one for one in workspace.runs if one.letter == letter), None)
    if run is None:
        return None
    return _verdict(run) if what == "verdict" else _recall(run, workspace)


def _verdict(run: JoinedRun) -> Callable[[str], str | None]:
    def value(key: str) -> str | None:
        entry = run.entry(key)
        return f"{entry.judgement.value} {entry.judgement.status}" if entry else None

    return value


def _recall(run: JoinedRun, workspace: Workspace) -> Callable[[str], float | None]:
    histories = workspace.release.histories

    def value(key: str) -> float | None:
        entry = run.entry(key)
        if entry is None:
            return None
        found = count_hits(
            entry.question,
            entry.record,
            used_depth=run.run.used_depth,
            history=histories[entry.question.history_id],
        )
        return found.recall

    return value
