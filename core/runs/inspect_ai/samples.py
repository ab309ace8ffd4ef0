"""The samples of an inspect_ai log: which question each answers, and what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mnemoscope.core.model import QuestionRef, Record, RecordStatus
from mnemoscope.core.reading import Node
from mnemoscope.core.runs.contexts import message_text
from mnemoscope.core.runs.inspect_ai.scores import read_scores
from mnemoscope.core.runs.rows import Answer

__all__ = ["SampleReading"]

_QUESTION_KEYS = ("question_key", "question_id", "qa_id", "query_id")
_HISTORY_KEYS = ("history_id", "conversation_id", "user_id")
_LONGEST_PROMPT = 4_000
_ATTACHED = "attachment://"
_LIMITS = {
    "time": RecordStatus.TIMEOUT,
    "working": RecordStatus.TIMEOUT,
    "token": RecordStatus.BUDGET,
    "cost": RecordStatus.BUDGET,
    "message": RecordStatus.BUDGET,
    "turn": RecordStatus.BUDGET,
    "context": RecordStatus.BUDGET,
}
_TOKENS = ("input_tokens", "output_tokens", "total_tokens", "reasoning_tokens")
_CACHED = {"input_tokens_cache_read": "cached_tokens"}
_TIMES = {"total_time": "seconds", "working_time": "working_seconds"}


@dataclass(slots=True)
class SampleReading:
    """Turns samples into records."""

    file: str
    model: str
    """The model that the log is about; others only graded."""
    scorers: Sequence[str]
    notes: dict[str, None] = field(default_factory=dict)

    def record(self, sample: Node, place: str) -> Record | None:
        """The record of a sample; None, with an error recorded, when it does not say whose it is.

        Args:
            sample: The sample.
            place: Its JSON path in the file, from where it can be read again.
        """
        ref = _ref(sample)
        if ref is None:
            return None
        scores = read_scores(sample, self.scorers)
        self.notes.update(dict.fromkeys(scores.notes))
        answer = _answer(sample)
        return Record(
            ref=ref,
            status=answer.status,
            answer=answer.text,
            file=self.file,
            place=place,
            repeat=_repeat(sample),
            detail=answer.detail,
            parsed=scores.answer if len(scores.answer) == 1 else "",
            reasoning=_reasoning(sample),
            verdicts=scores.verdicts,
            metrics=scores.metrics,
            context_place=f"{place}.input" if sample.data.get("input") else "",
            usage=_usage(sample, self.model),
        )


def _ref(sample: Node) -> QuestionRef | None:
    sample_id = sample.data.get("id")
    if type(sample_id) not in (int, str) or sample_id == "":
        sample.wrong("id", "a number or non-empty text")
        return None
    metadata = Node(sample.mapping("metadata"), sample.at("metadata"), sample.log)
    named = _first(metadata, _QUESTION_KEYS)
    question = named or str(sample_id)
    # A number tells a question only together with its history, or with the question's text:
    # samples without ids of their own are numbered, too.
    numbered = question.isdecimal()
    history = _first(metadata, _HISTORY_KEYS) if numbered and named else ""
    said = metadata.data.get("question")
    text = said if type(said) is str else _prompt(sample) if numbered and not history else ""
    return QuestionRef(
        history=history,
        question=question,
        text=text,
        gold=_gold(sample),
    )


def _first(metadata: Node, keys: Sequence[str]) -> str:
    for key in keys:
        value = metadata.data.get(key)
        if (type(value) is str and value) or type(value) is int:
            return str(value)
    return ""


def _prompt(sample: Node) -> str:
    """The end of what was asked last: there, if anywhere, stands the question."""
    asked = sample.data.get("input")
    if type(asked) is list:
        contents = [
            message_text(one["content"])
            for one in asked
            if type(one) is dict and one.get("role") == "user" and "content" in one
        ]
        asked = contents[-1] if contents else ""
    text = asked if type(asked) is str else ""
    return _attached(sample, text)[-_LONGEST_PROMPT:]


def _gold(sample: Node) -> str | None:
    target = sample.data.get("target")
    if type(target) is list:
        return " | ".join(one for one in target if type(one) is str) or None
    return target if type(target) is str and target else None


def _repeat(sample: Node) -> int:
    """Epochs count from 1, repeats from 0."""
    epoch = sample.integer("epoch")
    if epoch is not None and epoch < 1:
        sample.wrong("epoch", "a number from 1")
    return max((epoch or 1) - 1, 0)


def _answer(sample: Node) -> Answer:
    output = Node(sample.mapping("output"), sample.at("output"), sample.log)
    choices = list(output.nodes("choices"))
    choice = choices[0] if choices else None
    text = _attached(sample, _completion(output, choice))
    error = sample.data.get("error")
    if error:
        message = error.get("message") if type(error) is dict else None
        said = message if type(message) is str and message else "error without a message"
        return Answer(text or said, RecordStatus.ERROR, said.split("\n", 1)[0][:200])
    limit = Node(sample.mapping("limit"), sample.at("limit"), sample.log)
    stopped = limit.text("type")
    if choice is not None and choice.data.get("stop_reason") == "content_filter":
        return Answer(text, RecordStatus.REFUSED, "stopped by the provider's content filter")
    if text.strip():
        return Answer(text, detail=f"stopped by its {stopped} limit" if stopped else "")
    if stopped:
        status = _LIMITS.get(stopped, RecordStatus.BUDGET)
        return Answer(text, status, f"stopped by its {stopped} limit")
    return Answer(text, RecordStatus.ERROR, "blank answer")


def _completion(output: Node, choice: Node | None) -> str:
    written = output.data.get("completion")
    if type(written) is str and written:
        return written
    message = choice.mapping("message") if choice is not None else {}
    content = message.get("content")
    return content if type(content) is str else "\n".join(_parts(content, "text"))


def _attached(sample: Node, text: str) -> str:
    """A long text may be kept once beside the sample and only referred to."""
    if not text.startswith(_ATTACHED):
        return text
    kept = sample.mapping("attachments").get(text.removeprefix(_ATTACHED))
    return kept if type(kept) is str else text


def _reasoning(sample: Node) -> str:
    """What the model wrote as its reasoning, where the log keeps it."""
    output = sample.data.get("output")
    choices = output.get("choices") if type(output) is dict else None
    first = choices[0] if type(choices) is list and choices else None
    message = first.get("message") if type(first) is dict else None
    return "\n".join(_parts(message.get("content") if type(message) is dict else None, "reasoning"))


def _parts(content: Any, kind: str) -> list[str]:
    """The texts of a message's parts of a kind, which is also the key of the text."""
    parts = content if type(content) is list else []
    return [part[kind] for part in parts if type(part) is dict and type(part.get(kind)) is str]


def _usage(sample: Node, model: str) -> Mapping[str, float]:
    usage: dict[str, Any] = {}
    models = Node(sample.mapping("model_usage"), sample.at("model_usage"), sample.log)
    if model in models.data:
        node = Node(models.mapping(model), models.at(model), models.log)
        for key, name in {**{key: key for key in _TOKENS}, **_CACHED}.items():
            usage[name] = node.number(key)
    for key, name in _TIMES.items():
        usage[name] = sample.number(key)
    return {name: value for name, value in usage.items() if value is not None}
