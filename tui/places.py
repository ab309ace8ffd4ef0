"""Finding what an id names: a question, a round, a session, a history."""

from dataclasses import dataclass

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import History
from mnemoscope.tui.desk import Desk

__all__ = ["Place", "find_place"]


@dataclass(frozen=True, slots=True)
class Place:
    """A question, or a round of a history."""

    history_id: str
    round_id: str = ""
    question: str = ""
    """The question's key; empty for a round."""


def find_place(desk: Desk, text: str) -> Place:
    """What a text names, looked for in the history in focus first.

    ``D02:03`` and ``D02`` are looked for there; ``p1 D02:03`` and ``p1`` name the history too; all
    else is a question's key, or a part of one that only one question has.

    Raises:
        UsageError: Nothing, or more than one thing, goes by it.
    """
    release = desk.workspace.release
    words = text.split(maxsplit=1)
    if words and words[0] in release.histories:
        history = release.histories[words[0]]
        rest = words[1] if len(words) > 1 else ""
        return _in_history(history, rest, text)
    current = release.histories.get(desk.history_id)
    if current is not None and (text in current.round_by_id or text in current.session_by_id):
        return _in_history(current, text, text)
    question = desk.workspace.question(text)
    return Place(question.history_id, question=question.key)


def _in_history(history: History, name: str, written: str) -> Place:
    if name in history.round_by_id:
        return Place(history.id, name)
    session = history.session_by_id.get(name)
    rounds = history.rounds if not name else session.rounds if session is not None else ()
    if not rounds:
        raise UsageError(f"{written!r}: {history.id} has no round or session {name!r}")
    return Place(history.id, rounds[0].id)
