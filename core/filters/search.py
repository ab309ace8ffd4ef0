"""Searching the texts of a question: what is asked, what is right, what was answered, its clues."""

import re
from collections.abc import Callable, Iterator

from mnemoscope.core.clue_text import clue_text, message_texts
from mnemoscope.core.model import Clue, ClueTarget, Question
from mnemoscope.core.workspace import Workspace

__all__ = ["searched_texts", "text_search"]


def text_search(pattern: re.Pattern[str], workspace: Workspace) -> Callable[[Question], bool]:
    """Whether a pattern is in a question, its options, its gold, an answer or a clue's text.

    Answers are those of all runs and repeats, with their reasoning; captions are those of the
    release's usual textualisation. Each text is searched by itself, so no pattern spans two.
    """
    search = pattern.search
    in_clue = _clue_search(pattern, workspace)
    variant = workspace.release.textualisation.image
    answers = [run.by_question.get for run in workspace.runs]

    # Plain loops: over 100,000 questions, generators take as long again as the search itself.
    def holds(question: Question) -> bool:
        if search(question.text):
            return True
        for option in question.options:
            if search(option.text or option.describe(variant)):
                return True
        for text in question.gold.texts:
            if search(text):
                return True
        if question.gold.value is not None and search(str(question.gold.value)):
            return True
        for answer in answers:
            for entry in answer(question.key, ()):
                if search(entry.record.answer) or search(entry.record.reasoning):
                    return True
        return any(in_clue(question, clue) for clue in question.clues)

    return holds


def searched_texts(question: Question, workspace: Workspace) -> Iterator[tuple[str, str]]:
    """The texts of one question that ``text_search`` looks into, each with where it stands.

    The question as written comes last: some releases write the options into it once more.
    """
    release = workspace.release
    variant = release.textualisation.image
    for option in question.options:
        yield f"option {option.label}", option.text or option.describe(variant)
    for text in question.gold.texts:
        yield "gold", text
    if question.gold.value is not None:
        yield "gold", str(question.gold.value)
    for run in workspace.runs:
        for entry in run.by_question.get(question.key, ()):
            yield f"answer of {run.letter}", entry.record.answer
            yield f"reasoning of {run.letter}", entry.record.reasoning
    for clue in question.clues:
        yield f"clue {clue.written}", clue_text(release, question, clue, release.textualisation)
    yield "question", question.text


def _clue_search(
    pattern: re.Pattern[str], workspace: Workspace
) -> Callable[[Question, Clue], bool]:
    """The same for one clue. A history is searched once, however many clues lead into it."""
    release, search = workspace.release, pattern.search
    levels = release.textualisation
    rounds: dict[str, frozenset[str]] = {}
    captions: dict[tuple[str, ClueTarget, str], bool] = {}

    def rounds_with_it(history_id: str) -> frozenset[str]:
        history = release.histories.get(history_id)
        return frozenset(
            one.id
            for one in (history.rounds if history else ())
            for message in one.messages
            for text in message_texts(message, levels)
            if search(text)
        )

    def holds(question: Question, clue: Clue) -> bool:
        if clue.target is ClueTarget.IMAGE or clue.target is ClueTarget.AUDIO:
            place = (question.history_id, clue.target, clue.id)
            if place not in captions:
                text = clue_text(release, question, clue, levels)
                captions[place] = search(text) is not None
            return captions[place]
        if question.history_id not in rounds:
            rounds[question.history_id] = rounds_with_it(question.history_id)
        found = rounds[question.history_id]
        if clue.round_id or not found:
            return clue.round_id in found
        session = release.histories[question.history_id].session_by_id.get(clue.session_id)
        return any(one.id in found for one in (session.rounds if session else ()))

    return holds
