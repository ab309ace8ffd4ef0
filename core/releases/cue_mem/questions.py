"""The questions of a CUE-Mem history file, their options and gold."""

from collections.abc import Iterator, Mapping, Sequence

from mnemoscope.core.defects import Described
from mnemoscope.core.model import (
    Attachment,
    Gold,
    GoldKind,
    History,
    Kind,
    Option,
    Question,
    TaskLabel,
)
from mnemoscope.core.reading import Node
from mnemoscope.core.releases.cue_mem.attachments import HistoryReading
from mnemoscope.core.releases.cue_mem.clues import ClueResolver
from mnemoscope.core.releases.cue_mem.text import REFUSAL_OPTION, split_question
from mnemoscope.core.releases.cue_mem.variants import (
    Counterpart,
    QuestionKeys,
    counterparts,
    question_nodes,
    report_caption,
)

__all__ = ["TASKS", "read_questions"]

TASKS = (
    TaskLabel("entity_recall", "Entity recall", expected=1128, in_average=True),
    TaskLabel("long_pattern", "Long pattern", expected=363, in_average=True),
    TaskLabel("personalized_rec", "Personalized recommendation", expected=364, in_average=True),
    TaskLabel("answer_refusal", "Answer refusal", expected=819),
)
"""The four tasks of the paper; Memory Avg. is over the first three (paper, section 4)."""
# By what stands before the first underscore of a point; the longer names are older.
_TASK_OF_PREFIX = {
    "entity": "entity_recall",
    "pref": "long_pattern",
    "preference": "long_pattern",
    "rec": "personalized_rec",
    "recommendation": "personalized_rec",
    "adversarial": "answer_refusal",
    "refusal": "answer_refusal",
    "overthinking": "answer_refusal",
}
_LETTERS = ("A", "B", "C", "D")
_GOLD = {letter: Gold(GoldKind.OPTION, option=letter) for letter in _LETTERS}
_SETTINGS = ("explicit", "implicit")
_LABELS = ("qa_type", "subcategory", "dimension", "entity_explicitness")
_MEDIA = (
    ("question_image", Kind.IMAGE, "image_caption"),
    ("question_voice_message", Kind.AUDIO, "question_voice_message_caption"),
    ("question_audio", Kind.AUDIO, "question_audio_caption"),
)
_MEDIA_KEYS = frozenset(key for key, _, _ in _MEDIA)
_READ = frozenset(
    ("qa_id", "point", "question", "answer", "clue", "category", "option_images", "option_captions")
).union(_LABELS, *((key, caption) for key, _, caption in _MEDIA))
"""What a question shows; everything else in it is for the evaluator only."""
_SAME_IN_VARIANTS = ("question", "answer", "clue", "option_images")


def read_questions(root: Node, history: History, reading: HistoryReading) -> dict[str, Question]:
    """Read all questions of a history file, by key.

    Args:
        root: The file.
        history: The history they are about.
        reading: What was gathered while reading the history. It takes what only the evaluator
            may see of the questions.
    """
    reader = _QuestionReader(history, reading)
    keys = QuestionKeys(history.id)
    questions = {}
    for index, node in question_nodes(root):
        question_id, point = node.required_text("qa_id"), node.required_text("point")
        if question_id is None or point is None:
            continue
        key, first = keys.new(point, question_id)
        if not first:
            expected = f"one {point} question with this id"
            node.log.warning("duplicate_question", node.at("qa_id"), question_id, expected)
        questions[key] = reader.question(node, key, question_id, point, index)
    return questions


class _QuestionReader:
    """Reads the questions of one history."""

    def __init__(self, history: History, reading: HistoryReading) -> None:
        self.history = history
        self.reading = reading
        self.resolver = ClueResolver(history)
        # Questions are missed only in variants that have any; else one defect says it all.
        self.variants = [variant for variant in reading.variants if variant.questions]

    def question(self, node: Node, key: str, question_id: str, point: str, index: int) -> Question:
        data = node.data
        others: Sequence[Counterpart] = ()
        if self.variants:
            found = [(variant, variant.questions.get(key)) for variant in self.variants]
            others = counterparts(node, found, f"question {key}", _SAME_IN_VARIANTS)
        text = node.required_text("question") or ""
        stem, option_texts = split_question(text)
        task = _TASK_OF_PREFIX.get(point.partition("_")[0])
        if task is None:
            node.log.warning("unknown_point", node.at("point"), point, "a point of the benchmark")
        options = self._options(node, option_texts, others)
        gold = _gold(node)
        if point == "adversarial_text":
            _check_refusal(node, option_texts.get(gold.option, ""))
        labels = {name: node.text(name) for name in _LABELS if name in data}
        self.reading.question_notes[key] = {
            name: value for name, value in data.items() if name not in _READ
        }
        return Question(
            key=key,
            id=question_id,
            history_id=self.history.id,
            index=index,
            task=task or point,
            setting=_setting(task, labels, node),
            text=text,
            stem=stem,
            gold=gold,
            clues=self.resolver.clues(node),
            place=node.place,
            form=point,
            category=node.text("category"),
            labels=labels,
            options=options,
            attachments=() if _MEDIA_KEYS.isdisjoint(data) else self._attachments(node),
            answerable=task != "answer_refusal",
        )

    def _options(
        self, node: Node, texts: Mapping[str, str], others: Sequence[Counterpart]
    ) -> tuple[Option, ...]:
        if "option_images" in node.data or "option_captions" in node.data:
            return tuple(self._pictured_options(node, texts, others))
        if len(texts) == len(_LETTERS):
            return tuple([Option(label, text) for label, text in texts.items()])
        lacking = ", ".join(label for label in _LETTERS if label not in texts)
        found = Described(f"no option {lacking}")
        node.log.warning("empty_option", node.at("question"), found, "a line for each option")
        return tuple(Option(label, texts.get(label, "")) for label in _LETTERS) if texts else ()

    def _pictured_options(
        self, node: Node, texts: Mapping[str, str], others: Sequence[Counterpart]
    ) -> Iterator[Option]:
        images, captions = _inner(node, "option_images"), _inner(node, "option_captions")
        levels = [(self.reading.levels.image, captions)]
        levels += [(v.levels.image, _inner(other, "option_captions")) for v, other in others]
        for label in dict.fromkeys((*_LETTERS, *images.data, *captions.data)):
            by_level: dict[str, str] = {}
            for level, inner in levels:
                if label in inner.data:
                    text = inner.text(label)
                    known = by_level.setdefault(level, text)
                    if known != text:
                        report_caption(inner.log, inner.at(label), level, text, known)
            path, text = images.text(label), texts.get(label, "")
            picture = self.reading.attachment(Kind.IMAGE, label, path, by_level, images, label)
            option = Option(label, text, picture)
            if not path and not option.describe(""):
                found, expected = images.found(label), "a picture or a caption"
                node.log.warning("empty_option", images.at(label), found, expected)
            yield option

    def _attachments(self, node: Node) -> tuple[Attachment, ...]:
        """What is shown or played with the question; the benchmark's runner allows for it."""
        attachments = []
        for key, kind, caption in _MEDIA:
            if key in node.data:
                captions = {self.reading.levels.of(kind): node.text(caption)}
                path = node.text(key)
                attachments.append(self.reading.attachment(kind, key, path, captions, node, key))
        return tuple(attachments)


def _inner(node: Node, key: str) -> Node:
    """The object at a key; an empty one when there is none."""
    return Node(node.mapping(key), node.at(key), node.log)


def _setting(task: str | None, labels: Mapping[str, str], node: Node) -> str:
    """Explicit or implicit (cue-mem.md 2.5); empty where the release leaves it open.

    People and pets are always explicit; items follow ``entity_explicitness``.
    """
    key = "qa_type"
    if task == "entity_recall":
        if labels.get(key) in ("Relationship", "Pets"):
            return "explicit"
        if labels.get(key) != "Items":
            node.log.warning("unlabelled", node.at(key), node.found(key), "a kind of entity")
            return ""
        key = "entity_explicitness"
    setting = labels.get(key, "")
    if setting in _SETTINGS:
        return setting
    if task is not None:
        node.log.warning("unlabelled", node.at(key), node.found(key), "explicit or implicit")
    return ""


def _gold(node: Node) -> Gold:
    answer = node.required_text("answer")
    if answer is None:
        return Gold.none()
    gold = _GOLD.get(answer)
    if gold is None:
        expected = f"one of {', '.join(_LETTERS)}"
        node.log.error("gold_not_an_option", node.at("answer"), answer, expected)
    return gold or Gold.none()


def _check_refusal(node: Node, answer: str) -> None:
    """Record an Answer Refusal question whose right answer does not decline (cue-mem.md 2.6)."""
    if answer and answer.strip().rstrip("。.") != REFUSAL_OPTION:
        node.log.warning("gold_not_refusal", node.at("answer"), answer, f"{REFUSAL_OPTION!r}")
