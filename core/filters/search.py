"""Searching the texts of a question: what is asked, what is right, what was answered, its clues."""

import re
from collections.abc import Callable, Iterator

from mnemoscope.core.clue_text import clue_text
from mnemoscope.core.model import Clue, ClueTarget, Question
from mnemoscope.core.workspace import Workspace

__all__ = ["text_search"]


def text_search(pattern: re.Pattern[str], workspace: Workspace) -> Callable[[Question], bool]:
    """Whether a pattern is in a question, its options, its gold, an answer or a clue's text.

    Answers are those of all runs and repeats, with their reasoning; captions are those of the
    release's usual textualisation. The text of a clue is searched once, however many questions
    rest on it.
    """
    release = workspace.release
    searched: dict[tuple[str, ClueTarget, str, str], bool] = {}

    def in_clue(question: Question, clue: Clue) -> bool:
        place = (question.history_id, clue.target, clue.id, clue.round_id)
        found = searched.get(place)
        if found is None:
            text = clue_text(release, question, clue, release.textualisation)
            found = searched[place] = pattern.search(text) is not None
        return found

    def holds(question: Question) -> bool:
        if pattern.search(question.text):
            return True
        if any(map(pattern.search, _texts(question, workspace))):
            return True
        return any(in_clue(question, clue) for clue in question.clues)

    return holds


def _texts(question: Question, workspace: Workspace) -> Iterator[str]:
    for option in question.options:
        yield option.describe(workspace.release.textualisation.image)
    yield from question.gold.texts
    if question.gold.value is not None:
        yield str(question.gold.value)
    for run in workspace.runs:
        for entry in run.by_question.get(question.key, ()):
            yield entry.record.answer
            if entry.record.reasoning:
                yield entry.record.reasoning
