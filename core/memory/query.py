"""A question as a memory system is asked it: no gold, no task, no id."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from mnemoscope.core.memory.view import HandedHistory, MediumView
from mnemoscope.core.model import Attachment, Kind, Option, Question, Textualisation
from mnemoscope.core.model.values import value

__all__ = ["Evidence", "OptionView", "Query", "evidence_of", "query_of", "question_files"]

_MEDIUM = "question {}"
_PICTURE = "option {}"


@value
class OptionView:
    """One answer to choose from."""

    label: str
    text: str
    """Its text, or what its picture's caption says."""
    picture: MediumView | None = None


@value
class Query:
    """What is asked."""

    text: str
    """The question with its options, one a line."""
    stem: str
    """The question without options."""
    written: str
    """The question as the release writes it, options included where it writes them into it."""
    options: tuple[OptionView, ...] = ()
    media: tuple[MediumView, ...] = ()
    asked_at: datetime | None = None


@value
class Evidence:
    """What the gold of a question rests on. Only oracles are ever given it."""

    rounds: tuple[str, ...] = ()
    """Neutral ids of the rounds that clues lead to, for a clue to a session all of its rounds."""
    sessions: tuple[str, ...] = ()
    """Neutral ids of the sessions that clues lead to or into, in the history's order."""
    unresolved: int = 0
    """How many clues lead nowhere."""


def query_of(question: Question, textualisation: Textualisation) -> Query:
    """The question as a system is asked it.

    Args:
        question: The question.
        textualisation: Which captions stand for pictures of options and of the question.
    """
    options = tuple(_option(one, textualisation) for one in question.options)
    lines = [f"{one.label}. {one.text}" for one in options]
    numbered = enumerate(question.attachments, start=1)
    media = tuple(_medium(one, number, textualisation) for number, one in numbered)
    text = "\n".join([question.stem, *lines])
    return Query(text, question.stem, question.text, options, media, question.asked_at)


def evidence_of(question: Question, handed: HandedHistory) -> Evidence:
    """The evidence of a question under the ids that systems see."""
    own_rounds: list[str] = []
    for clue in question.clues:
        session = handed.history.session_by_id.get(clue.session_id)
        if clue.round_id:
            own_rounds.append(clue.round_id)
        elif session is not None:
            own_rounds += [one.id for one in session.rounds]
    named = set(question.evidence_sessions)
    rounds = (handed.neutral_round[one] for one in own_rounds if one in handed.neutral_round)
    sessions = (neutral for neutral, own in handed.session_ids.items() if own in named)
    unresolved = sum(not clue.resolved for clue in question.clues)
    return Evidence(tuple(dict.fromkeys(rounds)), tuple(sessions), unresolved)


def question_files(question: Question) -> Mapping[tuple[Kind, str], str]:
    """The files of a question's own media and of its options' pictures, by kind and neutral id."""
    return {(item.kind, name): item.file for name, item in _own_media(question) if item.file}


def _own_media(question: Question) -> Iterator[tuple[str, Attachment]]:
    for number, item in enumerate(question.attachments, start=1):
        yield _MEDIUM.format(number), item
    for option in question.options:
        if option.attachment is not None:
            yield _PICTURE.format(option.label), option.attachment


def _option(option: Option, textualisation: Textualisation) -> OptionView:
    picture = option.attachment
    view = None
    if picture is not None:
        caption = picture.caption(textualisation.of(picture.kind)) or ""
        view = MediumView(picture.kind, _PICTURE.format(option.label), caption)
    return OptionView(option.label, option.describe(textualisation.image), view)


def _medium(item: Attachment, number: int, textualisation: Textualisation) -> MediumView:
    caption = item.caption(textualisation.of(item.kind)) or ""
    return MediumView(item.kind, _MEDIUM.format(number), caption)
