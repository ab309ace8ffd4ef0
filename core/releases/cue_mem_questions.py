"""The questions of a CUE-Mem history file, their options, gold and clues."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mnemoscope.core.model import (
    Clue,
    ClueProblem,
    ClueTarget,
    Gold,
    GoldKind,
    History,
    Kind,
    Option,
    Question,
    TaskLabel,
)
from mnemoscope.core.model.media import AttachmentState
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem_history import MEDIA_EXTENSIONS, HistoryReading
from mnemoscope.core.releases.cue_mem_text import split_question

__all__ = ["QUESTION_KEYS", "TASKS", "VariantQuestions", "read_questions", "resolve_clue"]

TASKS = (
    TaskLabel("entity_recall", "Entity recall", expected=1128, in_average=True),
    TaskLabel("long_pattern", "Long pattern", expected=363, in_average=True),
    TaskLabel("personalized_rec", "Personalized recommendation", expected=364, in_average=True),
    TaskLabel("answer_refusal", "Answer refusal", expected=819),
)
"""The four tasks of the paper; Memory Avg. is over the first three (paper, section 4)."""
QUESTION_KEYS = ("human-annotated QAs", "human_annotated_QAs")
_TASK_OF_PREFIX = {
    "entity": "entity_recall",
    "pref": "long_pattern",
    "rec": "personalized_rec",
    "adversarial": "answer_refusal",
    "refusal": "answer_refusal",
    "overthinking": "answer_refusal",
}
_LETTERS = ("A", "B", "C", "D")
_SETTINGS = ("explicit", "implicit")
_EVALUATOR_ONLY = (
    "question_image_descriptions",
    "rationale",
    "adversarial_answer",
    "adversarial_type",
    "entity_name",
    "entity_anchor_lookup_name",
    "entity_source_refs",
    "preference",
    "evidence_sources",
    "matched_session_ids",
    "trap_reason",
    "reasonable_answer",
)
_ROUND_FORM = re.compile(r"[^:\s]+:\d+")
_MEDIA_FORM = re.compile(r"(\S+)\.(\w+)")

VariantQuestions = tuple[str, str, Mapping[tuple[str, str, int], dict[str, Any]]]
"""Another variant's questions: its name, its image level, and rows by (point, id, occurrence)."""


def read_questions(
    root: Node,
    history: History,
    reading: HistoryReading,
    variants: Sequence[VariantQuestions],
    notes: dict[str, Mapping[str, Any]],
) -> list[Question]:
    """Read all questions of a history file.

    Args:
        root: The file.
        history: The history they are about.
        reading: What was gathered while reading the history.
        variants: The same questions in other caption variants.
        notes: Takes what only the evaluator may see, by question key.
    """
    key = next((name for name in QUESTION_KEYS if name in root.data), QUESTION_KEYS[0])
    if key not in root.data:
        root.wrong(key, "a list of questions")
    questions: list[Question] = []
    occurrences: dict[tuple[str, str], int] = {}
    for index, node in enumerate(root.nodes(key)):
        question_id, point = node.required_text("qa_id"), node.required_text("point")
        if question_id is None or point is None:
            continue
        nth = occurrences[point, question_id] = occurrences.get((point, question_id), 0) + 1
        question_key = f"{history.id}/{point}/{question_id}"
        if nth > 1:
            question_key += f"#{nth}"
            node.log.warning(
                "duplicate_question", node.at("qa_id"), question_id, f"one {point} with this id"
            )
        others = [
            (name, level, rows[point, question_id, nth])
            for name, level, rows in variants
            if (point, question_id, nth) in rows
        ]
        questions.append(
            _read_question(node, question_key, question_id, point, index, history, reading, others)
        )
        notes[question_key] = {
            name: node.data[name] for name in _EVALUATOR_ONLY if name in node.data
        }
    return questions


def _read_question(
    node: Node,
    key: str,
    question_id: str,
    point: str,
    index: int,
    history: History,
    reading: HistoryReading,
    others: Sequence[tuple[str, str, dict[str, Any]]],
) -> Question:
    text = node.required_text("question") or ""
    stem, option_texts = split_question(text)
    kind = node.text("qa_type")
    task = _TASK_OF_PREFIX.get(point.partition("_")[0], point)
    if task == point:
        node.log.warning("unknown_point", node.at("point"), point, "a point of the benchmark")
    options = _read_options(node, option_texts, reading, others)
    for name, _, other in others:
        _check_same_question(node, name, other)
    gold = node.required_text("answer") or ""
    if gold not in option_texts and gold not in _LETTERS:
        node.log.error("gold_not_an_option", node.at("answer"), gold, "one of the options")
    labels = {"qa_type": kind, "subcategory": node.text("subcategory")}
    labels["dimension"] = node.text("dimension")
    return Question(
        key=key,
        id=question_id,
        history_id=history.id,
        index=index,
        task=task,
        setting=_setting(task, kind, node),
        text=text,
        stem=stem,
        gold=Gold(GoldKind.OPTION, option=gold) if gold else Gold.none(),
        clues=_read_clues(node, history),
        place=node.place,
        form=point,
        category=node.text("category"),
        labels={name: label for name, label in labels.items() if label},
        options=options,
        answerable=task != "answer_refusal",
    )


def _setting(task: str, kind: str, node: Node) -> str:
    """Explicit or implicit, by the rules of cue-mem.md 2.5; empty where the release leaves it open.

    People and pets are always explicit; items follow ``entity_explicitness``.
    """
    if task == "entity_recall":
        kind = node.text("entity_explicitness") if kind == "Items" else "explicit"
    return kind if kind in _SETTINGS else ""


def _read_options(
    node: Node,
    texts: Mapping[str, str],
    reading: HistoryReading,
    others: Sequence[tuple[str, str, dict[str, Any]]],
) -> tuple[Option, ...]:
    if "option_images" not in node.data and "option_captions" not in node.data:
        labels = dict.fromkeys((*texts, *_LETTERS)) if texts else {}
        return tuple(Option(label, texts.get(label, "")) for label in labels)
    paths, captions = node.mapping("option_images"), node.mapping("option_captions")
    options = []
    for label in dict.fromkeys((*_LETTERS, *paths, *captions)):
        by_level: dict[str, str] = {}
        sources = [(reading.levels.image, captions)]
        sources += [(level, other.get("option_captions") or {}) for _, level, other in others]
        for level, mapping in sources:
            caption = mapping.get(label) if isinstance(mapping, dict) else None
            if isinstance(caption, str):
                by_level.setdefault(level, caption)
        path = paths.get(label, "")
        if not isinstance(path, str):
            place = f"{node.place}.option_images.{label}"
            node.log.error("wrong_type", place, path, "a path")
            path = ""
        place = f"{node.place}.option_images.{label}"
        attachment = reading.attachment(Kind.IMAGE, label, path, by_level, place)
        options.append(Option(label, texts.get(label, ""), attachment))
    return tuple(options)


def _check_same_question(node: Node, variant: str, other: dict[str, Any]) -> None:
    for name in ("question", "answer", "clue"):
        if node.data.get(name) != other.get(name):
            expected = f"what {variant} has: {str(other.get(name))[:60]!r}"
            node.log.warning("variants_differ", node.at(name), node.data.get(name), expected)


def _read_clues(node: Node, history: History) -> tuple[Clue, ...]:
    base = node.at("clue")
    clues = []
    for index, written in enumerate(node.texts("clue")):
        clue = resolve_clue(written, history, f"{base}[{index}]")
        if not clue.resolved:
            expected = "an id of this history"
            if clue.problem is ClueProblem.MALFORMED:
                expected = "a round, an image or an audio id"
            node.log.warning(f"clue_{clue.problem}", clue.place, written, expected)
        elif clue.written != clue.id and clue.target is not ClueTarget.ROUND and "." not in written:
            node.log.repaired(
                "bare_media_id", clue.place, written, "an id with its extension", clue.target
            )
        clues.append(clue)
    return tuple(clues)


def resolve_clue(written: str, history: History, place: str = "") -> Clue:
    """Resolve a clue in one of the three forms of cue-mem.md 2.7, or as a session id.

    A bare media id is read only when one kind of attachment alone has it.
    """
    if _ROUND_FORM.fullmatch(written):
        found = history.round_by_id.get(written)
        if found is None:
            return Clue(
                written, ClueTarget.ROUND, written, problem=ClueProblem.UNKNOWN_ID, place=place
            )
        return Clue(written, ClueTarget.ROUND, written, found.id, found.session_id, place=place)
    media = _MEDIA_FORM.fullmatch(written)
    kind = MEDIA_EXTENSIONS.get(media[2].lower()) if media else None
    if media and kind:
        return _media_clue(written, kind, media[1], history, place)
    kinds = [kind for kind in Kind if (kind, written) in history.round_of_attachment]
    if len(kinds) == 1:
        return _media_clue(written, kinds[0], written, history, place)
    if not kinds and written in history.session_by_id:
        return Clue(written, ClueTarget.SESSION, written, session_id=written, place=place)
    return Clue(written, ClueTarget.UNKNOWN, written, problem=ClueProblem.MALFORMED, place=place)


def _media_clue(written: str, kind: Kind, media_id: str, history: History, place: str) -> Clue:
    target = ClueTarget.IMAGE if kind is Kind.IMAGE else ClueTarget.AUDIO
    found = history.round_of_attachment.get((kind, media_id))
    if found is None:
        return Clue(written, target, media_id, problem=ClueProblem.UNKNOWN_ID, place=place)
    attachment = history.attachment(kind, media_id)
    missing = attachment is None or attachment.state is not AttachmentState.PRESENT
    problem = ClueProblem.FILE_MISSING if missing else ClueProblem.NONE
    return Clue(written, target, media_id, found.id, found.session_id, problem, place)
