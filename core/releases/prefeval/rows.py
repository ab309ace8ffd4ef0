"""A row of PrefEval: what was said of a preference, and the question that should keep to it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.defects import Described
from mnemoscope.core.model import (
    Gold,
    GoldKind,
    History,
    Message,
    Option,
    Question,
    Role,
    Round,
    Session,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.prefeval.forms import FORMS, Form

__all__ = ["Row", "evaluator_part", "read_history", "read_question"]

_SESSION = "conversation"
_OPTIONS = "classification_task_options"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TURNS = (
    ("query", "assistant_options"),
    ("user_selection", "assistant_acknowledgment"),
)
_SIDES = (("user", Role.USER), ("assistant", Role.ASSISTANT))


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file."""

    node: Node
    topic: str
    """The file's name."""
    form: Form
    index: int
    history_id: str
    """Rows of one place differ in the form alone, such as ``travel_hotel-12-mcq``."""


def read_history(row: Row) -> History:
    """What was said before the question: one session without a date."""
    node, form = row.node, row.form
    key = FORMS[form].told
    place = node.at(key)
    rounds: list[Round] = []
    if key == "preference":
        text = node.required_text(key)
        if text is not None:
            message = Message("user", Role.USER, text)
            rounds.append(Round("0", _SESSION, 0, (message,), place))
    else:
        talk = node.inner(key)
        pairs = _choice_pairs if form is Form.CHOICE else _persona_pairs
        rounds += _rounds(pairs(talk)) if talk else ()
    session = Session(_SESSION, None, "", tuple(rounds), place)
    return History(row.history_id, row.history_id, (session,), node.log.file, node.place)


def _choice_pairs(talk: Node) -> Iterator[tuple[str, Node, Sequence[str]]]:
    """The two exchanges of a choice: an id, where they stand, and the keys of the two sides."""
    for index, keys in enumerate(_TURNS):
        yield str(index), talk, keys


def _persona_pairs(talk: Node) -> Iterator[tuple[str, Node, Sequence[str]]]:
    """Numbered exchanges, by their numbers and not by their order in the file."""
    numbers = [key for key in talk.data if key.isdecimal() and key.isascii() and len(key) < 7]
    for key in talk.data:
        if key not in numbers:
            talk.log.warning("unknown_key", talk.at(key), Described("a key"), "a number from 0")
    for key in sorted(numbers, key=int):
        pair = talk.inner(key)
        if pair is not None:
            yield key, pair, ("user", "assistant")


def _rounds(exchanges: Iterable[tuple[str, Node, Sequence[str]]]) -> Iterator[Round]:
    index = 0
    for round_id, node, keys in exchanges:
        messages = [
            Message(speaker, role, text)
            for key, (speaker, role) in zip(keys, _SIDES, strict=True)
            for text in [node.required_text(key)]
            if text is not None
        ]
        if messages:
            place = node.place if keys[0] == "user" else node.at(keys[0])
            yield Round(round_id, _SESSION, index, tuple(messages), place)
            index += 1


def read_question(row: Row) -> Question | None:
    """The question of a row; None, with an error recorded, when it has no text."""
    node, form = row.node, row.form
    text = node.required_text("question")
    if text is None:
        return None
    options = _read_options(node) if form is Form.MCQ else ()
    return Question(
        key=f"{row.history_id}/0",
        id=str(row.index),
        history_id=row.history_id,
        index=0,
        task=FORMS[form].label.task,
        setting=FORMS[form].setting,
        text=text,
        stem=text,
        # The other forms are answered in free text, which a judge holds against the preference.
        gold=Gold(GoldKind.OPTION, option=options[0].label) if options else Gold.none(),
        clues=(),
        place=node.place,
        category=row.topic,
        options=options,
    )


def _read_options(node: Node) -> tuple[Option, ...]:
    texts = node.texts(_OPTIONS)
    if not texts:
        node.wrong(_OPTIONS, "a list of options")
    elif len(texts) > len(_LETTERS):
        found = Described(f"{len(texts)} options")
        node.log.error("too_many_options", node.at(_OPTIONS), found, f"at most {len(_LETTERS)}")
    return tuple(Option(label, text) for label, text in zip(_LETTERS, texts, strict=False))


def evaluator_part(row: Row) -> Mapping[str, Any]:
    """What of a row only the evaluator may see.

    That is an implicit form's preference, its persona and its aligned option, and explanations.
    """
    shown = {"question", FORMS[row.form].told, *([_OPTIONS] if row.form is Form.MCQ else ())}
    return {key: value for key, value in row.node.data.items() if key not in shown}
