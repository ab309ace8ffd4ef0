"""The questions of a dialogue: pictures, options, gold, and the rounds that gold rests on."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.defects import DefectLog, Described, describe
from mnemoscope.core.model import (
    Attachment,
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    Kind,
    Option,
    Question,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.mem_gallery.history import CAPTION, HistoryReading, element
from mnemoscope.core.releases.mem_gallery.labels import read_point
from mnemoscope.core.releases.mem_gallery.layout import QUESTION_KEYS

__all__ = ["QuestionReading", "read_questions"]

_READ = frozenset(
    ("point", "question", "answer", "clue", "image_caption", "question_image", "question_images")
)
"""What a question shows, or what its gold is. Everything else is for the evaluator: ``session_id``
names the sessions of the clues, of several sets of options only the first is shown."""
_IMAGE_KEYS = ("question_image", "question_images")
_IMAGE_ID = re.compile(r"D[0-9]{1,6}:IMG_[0-9]{1,6}")
_ROUND_ID = re.compile(r"[^:\s]{1,40}:[0-9]{1,6}")
_REFUSAL, _REFUSED = "answer_refusal", "Not mentioned."
_SEARCH = "visual_centric_search"
_NO_GOLD = Gold.none()
_NO_LABELS: Mapping[str, str] = {}
_NO_PROBLEM = ClueProblem.NONE
_ROUND, _TEXTS = ClueTarget.ROUND, GoldKind.TEXTS


@dataclass(slots=True)
class QuestionReading:
    """Questions by key, and what only the evaluator may see of them."""

    questions: dict[str, Question] = field(default_factory=dict)
    notes: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def read_questions(root: Node, history: HistoryReading, reading: QuestionReading) -> None:
    """Read the questions of one file.

    Args:
        root: The file.
        history: What was gathered while reading its dialogue.
        reading: Takes the questions.

    A question has no id: it goes by its place, so that one that cannot be used moves no other.
    """
    present = [key for key in QUESTION_KEYS if key in root.data]
    if not present:
        root.wrong(QUESTION_KEYS[0], "a list of questions")
    for extra in present[1:]:
        found = Described(f"{extra!r} beside {present[0]!r}, which is read")
        root.log.warning("several_question_lists", root.at(extra), found, "one list of questions")
    for index, node in root.numbered_nodes(present[0]) if present else ():
        question = _read_question(node, index, history)
        if question is None:
            continue
        reading.questions[question.key] = question
        notes = {key: value for key, value in node.data.items() if key not in _READ}
        if question.options and type(notes.get("options")) is dict:
            del notes["options"]
        if notes:
            reading.notes[question.key] = notes


def _read_question(node: Node, index: int, history: HistoryReading) -> Question | None:
    data = node.data
    text = data.get("question")
    if type(text) is not str or not text.strip():
        node.wrong("question", "non-empty text")
        return None
    point = read_point(node)
    options = _read_options(node) if "options" in data else ()
    clues = _read_clues(node, history)
    _check_sessions(node, clues, history)
    pictured = "question_image" in data or "question_images" in data
    gold = _read_gold(node, options)
    if point.task == _SEARCH:
        _check_images(node, gold, history)
    elif point.task == _REFUSAL and gold.texts != (_REFUSED,):
        node.log.warning("gold_not_refusal", node.at("answer"), node.found("answer"), _REFUSED)
    return Question(
        key=f"{history.history_id}/{index}",
        id=str(index),
        history_id=history.history_id,
        index=index,
        task=point.task,
        setting=point.setting,
        text=text,
        stem=text,
        gold=gold,
        clues=clues,
        place=node.place,
        category=point.category,
        labels=_NO_LABELS,
        options=options,
        attachments=tuple(_read_pictures(node, history)) if pictured else (),
        answerable=point.task != _REFUSAL,
    )


def _read_pictures(node: Node, history: HistoryReading) -> Iterator[Attachment]:
    """The pictures that a question shows; each of its two keys may be a text or a list."""
    caption = node.data.get("image_caption")
    captions = [caption] if type(caption) is str else node.texts("image_caption")
    count = 0
    for key in _IMAGE_KEYS:
        held = node.data.get(key)
        for at, written in enumerate([held] if type(held) is str else node.texts(key)):
            text = {CAPTION: captions[count]} if count < len(captions) else {}
            count += 1
            image_id = "question_image" if count == 1 else f"question_image#{count}"
            place = element(node, key, at)
            yield history.media.attachment(Kind.IMAGE, image_id, written, text, place, history.log)


def _read_options(node: Node) -> tuple[Option, ...]:
    """The options; of several sets, which say the same in rotated order, those of the first.

    The answer is a letter of the first set.
    """
    held, place = node.data["options"], node.at("options")
    if type(held) is not list:
        return _option_set(Node(node.mapping("options"), place, node.log))
    sets = [one for _, one in node.numbered_nodes("options")]
    read = [_option_set(one) for one in sets]
    texts = [sorted(option.text for option in options) for options in read]
    for one, said in zip(sets[1:], texts[1:], strict=True):
        if said != texts[0]:
            found = Described("other texts than in the first set")
            node.log.warning("options_differ", one.place, found, "the same options, rotated")
    return read[0] if read else ()


def _option_set(node: Node) -> tuple[Option, ...]:
    return tuple([Option(label, node.text(label)) for label in node.data])


def _read_gold(node: Node, options: tuple[Option, ...]) -> Gold:
    answer = node.data.get("answer")
    if type(answer) is int or type(answer) is float:
        text = str(answer)
        node.log.repaired("number_for_text", node.at("answer"), answer, "text", text)
        answer = text
    if answer is not None and type(answer) is not str:
        node.wrong("answer", "text")
        return _NO_GOLD
    if not answer or not answer.strip():
        node.log.warning("gold_missing", node.at("answer"), node.found("answer"), "an answer")
        return _NO_GOLD
    if not options:
        return Gold(_TEXTS, "", (answer,))
    if any(option.label == answer for option in options):
        return Gold(GoldKind.OPTION, answer)
    expected = f"one of {', '.join(option.label[:20] for option in options[:26])}"
    node.log.error("gold_not_an_option", node.at("answer"), answer, expected)
    return _NO_GOLD


def _check_images(node: Node, gold: Gold, history: HistoryReading) -> None:
    """Record image ids in the answer of a search that no picture of the dialogue has."""
    for text in gold.texts:
        for image_id in _IMAGE_ID.findall(text):
            if image_id not in history.round_of_image:
                expected = "the id of a picture of this dialogue"
                node.log.warning("gold_unknown_image", node.at("answer"), image_id, expected)


def _read_clues(node: Node, history: HistoryReading) -> tuple[Clue, ...]:
    base = f"{node.place}.clue"
    written = node.data.get("clue")
    if type(written) is str:
        return (_read_clue(node.texts("clue")[0], base, history),)
    if written is None:
        expected = "a list of round ids, empty for none"
        node.log.warning("evidence_missing", base, node.found("clue"), expected)
    session_of = history.session_of
    clues = []
    for at, one in enumerate(node.items("clue")):
        place = f"{base}[{at}]"
        try:
            session_id = session_of[one]
        except (KeyError, TypeError):
            clues.append(_read_clue(one, place, history))
        else:
            clues.append(Clue(one, _ROUND, one, one, session_id, _NO_PROBLEM, place))
    return tuple(clues)


def _read_clue(written: Any, place: str, history: HistoryReading) -> Clue:
    """A clue that is no element of a list, or no round of the dialogue."""
    log = history.log
    if type(written) is not str:
        return _unresolved(describe(written), ClueProblem.MALFORMED, place, log)
    round_id = history.round_of_image.get(written, written)
    session_id = history.session_of.get(round_id)
    if session_id is not None:
        if round_id == written:
            return Clue(written, _ROUND, written, round_id, session_id, _NO_PROBLEM, place)
        problem = ClueProblem.FILE_MISSING if written in history.missing else _NO_PROBLEM
        return Clue(written, ClueTarget.IMAGE, written, round_id, session_id, problem, place)
    if not history.session_of:
        return _unresolved(written, ClueProblem.HISTORY_ABSENT, place, log)
    well_formed = _ROUND_ID.fullmatch(written) is not None
    problem = ClueProblem.UNKNOWN_ID if well_formed else ClueProblem.MALFORMED
    return _unresolved(written, problem, place, log)


def _unresolved(written: str, problem: ClueProblem, place: str, log: DefectLog) -> Clue:
    log.warning(f"clue_{problem}", place, written, "the id of a round of this dialogue")
    target = _ROUND if problem is ClueProblem.UNKNOWN_ID else ClueTarget.UNKNOWN
    return Clue(written, target, written, problem=problem, place=place)


def _check_sessions(node: Node, clues: tuple[Clue, ...], history: HistoryReading) -> None:
    """Compare the sessions that a question names with those of its clues, where it has any."""
    named = node.data.get("session_id")
    if named is None or not clues:
        return
    found = {clue.session_id for clue in clues if clue.session_id}
    if named == [*found]:
        return
    listed = node.texts("session_id")
    if found != {*listed} and history.session_of:
        shown = Described(", ".join(sorted(repr(one[:20]) for one in listed)) or "none")
        expected = f"the sessions of its clues: {', '.join(sorted(one[:20] for one in found))}"
        node.log.warning("sessions_differ", node.at("session_id"), shown, expected)
