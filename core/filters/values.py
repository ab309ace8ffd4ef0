"""Fields of a question against the values that a release has."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import attrgetter
from typing import TypeVar

from mnemoscope.core.filters.terms import FieldTerm, fail
from mnemoscope.core.model import Question, Release

__all__ = ["chosen", "field_test"]

T = TypeVar("T", bound=Hashable)

_SHOWN = 12


def field_test(term: FieldTerm, release: Release) -> Callable[[Question], bool]:
    """Whether a question's field has one of the values of a term.

    Raises:
        UsageError: No history, task, setting, category or session goes by a value.
    """
    questions = release.questions.values()
    match term.field:
        case "history":
            histories = release.histories.values()
            wanted = chosen(term, {one.id: (one.id, one.name) for one in histories})
            return lambda question: question.history_id in wanted
        case "id":
            wanted = chosen(term, {one.key: (one.key, one.id) for one in questions}, closed=False)
            return lambda question: question.key in wanted
        case "session":
            sessions = (one.id for of in release.histories.values() for one in of.sessions)
            wanted = chosen(term, {one: (one,) for one in sessions})
            return lambda question: any(clue.session_id in wanted for clue in question.clues)
    value_of: Callable[[Question], str] = attrgetter(term.field)
    first: Iterable[str] = ()
    if term.field == "task":
        first = (label.task for label in release.tasks)
    elif term.field == "setting":
        first = release.settings
    known = dict.fromkeys([*first, *map(value_of, questions)])
    wanted = chosen(term, {value: (value or "none",) for value in known})
    return lambda question: value_of(question) in wanted


def chosen(
    term: FieldTerm, names: Mapping[T, tuple[str, ...]], *, closed: bool = True
) -> frozenset[T]:
    """The things that go by one of a term's values.

    A value that is a whole name means what has that name; otherwise, or with ``*`` after it, it is
    the beginning of a name. Upper and lower case are the same.

    Args:
        term: The term.
        names: What there is, each with its names.
        closed: Whether a value that nothing goes by is an error.

    Raises:
        UsageError: Nothing goes by a value, and ``closed``.
    """
    folded = [(thing, tuple(map(str.casefold, of))) for thing, of in names.items()]
    found: set[T] = set()
    for value in term.values:
        starred = value.signs.endswith("*")
        text = value.text[:-1].casefold() if starred else value.text.casefold()
        these = [] if starred else [thing for thing, of in folded if text in of]
        if not these:
            these = [t for t, of in folded if any(name.startswith(text) for name in of)]
        if closed and not these:
            listed = list(dict.fromkeys(of[0] for of in names.values()))
            known = ", ".join(listed[:_SHOWN]) + (", …" if len(listed) > _SHOWN else "")
            fail(value.column, f"no {term.field} {value.text!r}; there are: {known or 'none'}")
        found.update(these)
    return frozenset(found)
