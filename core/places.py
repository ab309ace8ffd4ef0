"""Finding what an id names: a question, a round, a session, a history."""

from collections.abc import Iterator
from dataclasses import dataclass

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import History, Release
from mnemoscope.core.workspace import Workspace

__all__ = ["Place", "example_ids", "find_place"]

_NAMED = 4


@dataclass(frozen=True, slots=True)
class Place:
    """A question, or a history, a session of it, or a round of it."""

    history_id: str
    session_id: str = ""
    """Empty for a whole history."""
    round_id: str = ""
    """Empty for a whole session or history."""
    question: str = ""
    """The question's key; empty for all else."""


def find_place(
    workspace: Workspace, text: str, *, focus: str = "", dialogue_first: bool = True
) -> Place:
    """What a text names.

    ``p1`` names a history, ``p1 D02`` and ``p1/D02:03`` a session and a round of it. ``D02`` and
    ``D02:03`` alone are looked for in the history in focus, else in all. All else is a question's
    key, or a part of one that only one question has.

    Args:
        workspace: What is open.
        text: What is looked for.
        focus: The id of the history in focus, if there is one.
        dialogue_first: Whether a history goes before a question with the same id.

    Raises:
        UsageError: Nothing, or more than one thing, goes by it.
    """
    release, text = workspace.release, text.strip()
    asked = [one.key for one in release.questions.values() if text == one.id]
    if text in release.questions or (len(asked) == 1 and not dialogue_first):
        return _question(workspace, text)
    place = _of_history(workspace, text)
    if place is not None:
        return place
    current = release.histories.get(focus)
    found = [_within(current, text)] if current is not None else []
    if not any(found):
        found = [_within(history, text) for history in release.histories.values()]
    places = [one for one in found if one is not None]
    if len(places) == 1:
        return places[0]
    if places and not asked:
        names = [f"“{one.history_id} {text}”" for one in places[:_NAMED]]
        more = ", …" if len(places) > _NAMED else ""
        raise UsageError(f"{len(places)} histories have {text!r}: {', '.join(names)}{more}")
    return _question(workspace, text)


def example_ids(release: Release, focus: str = "") -> list[str]:
    """Ids of a release that ``find_place`` knows: a round's, a session's, a question's.

    Args:
        release: The release.
        focus: The id of the history in focus, if there is one.
    """
    histories = release.histories
    history = histories.get(focus) or next(iter(histories.values()), None)
    examples = []
    if history is not None and history.rounds:
        one = history.rounds[min(1, len(history.rounds) - 1)]
        examples = [one.id, f"{history.id} {one.session_id}"]
    return examples + list(release.questions)[:1]


def _question(workspace: Workspace, text: str) -> Place:
    question = workspace.question(text)
    return Place(question.history_id, question=question.key)


def _of_history(workspace: Workspace, text: str) -> Place | None:
    """The place that a text names together with its history."""
    for history, rest, sign in _splits(workspace, text):
        if not rest:
            return Place(history.id)
        place = _within(history, rest)
        if place is not None:
            return place
        # A key of a question goes on after a slash, too.
        if sign == " ":
            raise UsageError(f"{text!r}: {history.id} has no round or session {rest!r}")
    return None


def _splits(workspace: Workspace, text: str) -> Iterator[tuple[History, str, str]]:
    """Histories that a text begins with, and the rest of it; ids may hold slashes and spaces."""
    histories = workspace.release.histories
    if text in histories:
        yield histories[text], "", ""
    for at in range(len(text) - 1, 0, -1):
        if text[at] in " /" and text[:at] in histories and text[at + 1 :].strip():
            yield histories[text[:at]], text[at + 1 :].strip(), text[at]


def _within(history: History, name: str) -> Place | None:
    one = history.round_by_id.get(name)
    if one is not None:
        return Place(history.id, one.session_id, one.id)
    session = history.session_by_id.get(name)
    return Place(history.id, session.id) if session is not None else None
