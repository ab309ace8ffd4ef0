"""The questions about a group chat, in the current and the older form."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import Described
from mnemoscope.core.model import Gold, GoldKind, Option, Question, TaskLabel
from mnemoscope.core.reading import Node

__all__ = ["TASKS", "QuestionReading", "read_questions"]

TASKS = (
    TaskLabel("fact", "Facts", number="F"),
    TaskLabel("memory_awareness", "Memory awareness", number="MA"),
    TaskLabel("profile", "Profiles", number="P"),
)
_TASK_OF: Mapping[str, str] = {label.number: label.task for label in TASKS}
_UNKNOWN = "unknown"
_KIND = re.compile(r"([A-Za-z]{1,12})_([A-Za-z]{1,20})_")
"""An id such as ``F_SH_Top004_001`` begins with its task and with the kind in the task."""
_LABELLED = re.compile(r"\s*([A-Za-z])\s*[.):：、]\s*(.*)", re.DOTALL)
_NO_LABELS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys of one form."""

    questions: str
    id: str
    text: str
    answer: str
    option: str = ""
    """The letter of the right option, where it does not stand for the answer."""

    @property
    def shown(self) -> frozenset[str]:
        """What a question shows, or what its gold is."""
        return frozenset((self.id, self.text, self.answer, self.option, "options"))


_FORMS = (
    _Keys("qars", "id", "Q", "A"),
    _Keys("questions", "question_id", "question", "answer", "correct_option"),
)


@dataclass(slots=True)
class QuestionReading:
    """Questions by key, and what only the evaluator may see of them."""

    questions: dict[str, Question] = field(default_factory=dict)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    """How many questions each history has so far."""


def read_questions(root: Node, history_id: str, file: str, reading: QuestionReading) -> None:
    """Read the questions of one file."""
    keys = next((one for one in _FORMS if one.questions in root.data), _FORMS[0])
    if root.data.get(keys.questions) is None:
        root.wrong(keys.questions, "a list of questions")
    shown = keys.shown
    for index, node in root.numbered_nodes(keys.questions):
        text = node.required_text(keys.text)
        if text is None:
            continue
        question_id = _read_id(node, keys, index)
        key = f"{history_id}/{question_id}"
        while key in reading.questions:
            if not key.endswith("#"):
                expected = "an id of its own"
                node.log.warning("duplicate_question", node.at(keys.id), question_id, expected)
            key += "#"
        place = reading.asked.get(history_id, 0)
        reading.asked[history_id] = place + 1
        options = _read_options(node)
        kind = _KIND.match(question_id)
        reading.questions[key] = Question(
            key=key,
            id=question_id,
            history_id=history_id,
            index=place,
            task=_TASK_OF.get(kind[1], kind[1].lower()) if kind else _UNKNOWN,
            setting="",
            text=text,
            stem=text,
            gold=_read_gold(node, keys, options),
            clues=(),
            place=node.place,
            form="multiple_choice" if options else "open_ended",
            category=f"{kind[1]}_{kind[2]}" if kind else "",
            labels=_NO_LABELS,
            options=options,
            file=file,
        )
        notes = {name: value for name, value in node.data.items() if name not in shown}
        if options and keys.option and node.data.get(keys.answer):
            notes[keys.answer] = node.data[keys.answer]
        if notes:
            reading.notes[key] = notes


def _read_id(node: Node, keys: _Keys, index: int) -> str:
    written = node.data.get(keys.id)
    if type(written) is str and written:
        return written
    made = str(index)
    found = node.found(keys.id)
    node.log.repaired("missing_id", node.at(keys.id), found, "the question's id", made)
    return made


def _read_options(node: Node) -> tuple[Option, ...]:
    """The options: an object by letter, or a list of texts that begin with their letters."""
    held = node.data.get("options")
    if held is None:
        return ()
    if type(held) is dict:
        inner = Node(held, node.at("options"), node.log)
        return tuple([Option(label, inner.text(label)) for label in held])
    options = []
    for at, text in enumerate(
        node.texts("options") if type(held) is list else node.items("options")
    ):
        match = _LABELLED.fullmatch(text)
        letter = chr(ord("A") + at % 26)
        options.append(Option(match[1].upper(), match[2]) if match else Option(letter, text))
    labels = [option.label for option in options]
    if len({*labels}) < len(labels):
        found = Described(", ".join(labels[:10]))
        node.log.warning("option_repeated", node.at("options"), found, "each letter once")
    return tuple(options)


def _read_gold(node: Node, keys: _Keys, options: Sequence[Option]) -> Gold:
    key = keys.option if options and node.data.get(keys.option) else keys.answer
    answer = node.data.get(key)
    if type(answer) is int or type(answer) is float:
        node.log.repaired("number_for_text", node.at(key), answer, "text", str(answer))
        answer = str(answer)
    if type(answer) is not str or not answer.strip():
        if answer is None or type(answer) is str:
            node.log.warning("gold_missing", node.at(key), node.found(key), "an answer")
        else:
            node.wrong(key, "text")
        return Gold.none()
    if not options:
        return Gold(GoldKind.TEXTS, "", (answer,))
    labels = [option.label for option in options]
    if answer in labels:
        return Gold(GoldKind.OPTION, answer)
    letter = _named_option(answer, options)
    if letter:
        node.log.repaired(
            "gold_spelt_otherwise", node.at(key), answer, "an option's letter", letter
        )
        return Gold(GoldKind.OPTION, letter)
    expected = f"one of {', '.join(label[:20] for label in labels[:26])}"
    node.log.error("gold_not_an_option", node.at(key), answer, expected)
    return Gold.none()


def _named_option(answer: str, options: Sequence[Option]) -> str:
    """The one option that an answer names by ``b``, ``B. text`` or its very text."""
    said = answer.strip()
    match = _LABELLED.fullmatch(said)
    found = [
        option.label
        for option in options
        if said.upper() == option.label
        or said == option.text
        or (match and match[1].upper() == option.label and match[2].strip() == option.text.strip())
    ]
    return found[0] if len(found) == 1 else ""
