"""A question as the messages of a chat request, and which of its media are in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mnemoscope.core.backbones.backbone import Ask
from mnemoscope.core.backbones.media_parts import MOST_TOGETHER, UnsendableError, part_of
from mnemoscope.core.backbones.prompt_set import Piece, Prompt, PromptSet
from mnemoscope.core.backbones.request import Message
from mnemoscope.core.memory.query import Query
from mnemoscope.core.memory.view import MediumView
from mnemoscope.core.model import Kind, Reached

__all__ = ["MEDIA", "Worded", "word"]

ATTACHED = "attached"
ALL = "all"
NONE = "none"
MEDIA = (ATTACHED, ALL, NONE)
"""Which media are sent as themselves: what the memory brings and what is attached to the question;
the pictures of options too; or none, so that captions stand for all."""


@dataclass(frozen=True)
class Worded:
    """What is sent for a question."""

    prompt: Prompt
    messages: tuple[Message, ...]
    reached: Reached

    @property
    def text(self) -> str:
        """All text that is sent."""
        return "\n\n".join(_texts(self.messages))


def word(
    ask: Ask, prompts: PromptSet, media: object, refused: frozenset[Kind] = frozenset()
) -> Worded:
    """Put a question into messages.

    Args:
        ask: The question with what was recalled.
        prompts: The prompts.
        media: One of ``MEDIA``.
        refused: Kinds of media that the model does not take: their captions go instead.
    """
    prompt = prompts.of(ask.query)
    turns = prompt.fill(ask.query, ask.recall.context, _options(ask.query, media))
    writer = _Writer(ask, media, refused)
    messages: list[Message] = []
    if prompt.system:
        messages.append({"role": "system", "content": _whole(prompt.system)})
    messages += [{"role": "user", "content": writer.content(turn)} for turn in turns]
    return Worded(prompt, tuple(messages), writer.reached)


def _options(query: Query, media: object) -> Iterator[Piece]:
    for number, one in enumerate(query.options):
        yield f"\n{one.label}. " if number else f"{one.label}. "
        yield one.text if one.picture is None or media != ALL else one.picture


class _Writer:
    """Writes pieces as content, and counts what becomes of media."""

    def __init__(self, ask: Ask, media: object, refused: frozenset[Kind]) -> None:
        self._ask = ask
        self._media = media
        self._refused = refused
        self._sent: Counter[Kind] = Counter()
        self._fallbacks: Counter[str] = Counter()
        self._bytes = 0

    @property
    def reached(self) -> Reached:
        return Reached(dict(self._sent), dict(self._fallbacks))

    def content(self, pieces: Iterable[Piece]) -> str | list[Any]:
        """The content of a turn: text alone, or a list of parts."""
        parts: list[Any] = []
        for piece in pieces:
            part = self._text(piece) if isinstance(piece, str) else self._medium(piece)
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part:
                parts.append(part)
        if all(isinstance(one, str) for one in parts):
            return "".join(parts).strip()
        trimmed = (one.strip("\n") if isinstance(one, str) else one for one in parts)
        return [_part(one) for one in trimmed if one]

    def _text(self, text: str) -> str:
        return _whole(text)

    def _medium(self, one: MediumView) -> Any:
        try:
            part, size = self._part(one)
        except UnsendableError as reason:
            self._fallbacks[f"{one.kind}: {reason}"] += 1
            return _whole(one.caption)
        self._sent[one.kind] += 1
        self._bytes += size
        return part

    def _part(self, one: MediumView) -> tuple[Any, int]:
        if self._media == NONE:
            raise UnsendableError("captions alone are sent")
        if one.kind in self._refused:
            raise UnsendableError("the model takes none")
        file = self._ask.files.get((one.kind, one.id))
        if file is None:
            raise UnsendableError("there is no file")
        part, size = part_of(one.kind, file, self._ask.roots)
        if self._bytes + size > MOST_TOGETHER:
            raise UnsendableError(f"more than {MOST_TOGETHER >> 20} MB in one question")
        return part, size


def _part(one: Any) -> Any:
    return {"type": "text", "text": one} if isinstance(one, str) else one


def _texts(messages: Sequence[Message]) -> Iterator[str]:
    for one in messages:
        content = one["content"]
        if isinstance(content, str):
            yield content
        else:
            yield from (part["text"] for part in content if part["type"] == "text")


def _whole(text: str) -> str:
    # Half a surrogate pair can be in no request.
    return text.encode("utf-8", "replace").decode()
