"""What a round becomes in a memory, and what recalled items become for the backbone."""

from collections.abc import Iterable, Sequence

from mnemoscope.core.memory.items import MemoryItem
from mnemoscope.core.memory.system import Parameter
from mnemoscope.core.memory.view import MessageView, RoundView
from mnemoscope.core.model import Kind, Role

__all__ = ["FORM", "render", "stored_text"]

PLAIN = "plain"
PUBLISHED = "published"

FORM = Parameter(
    PLAIN,
    "How rounds are stored and contexts written: plainly, or as CUE-Mem's code does.",
    (PLAIN, PUBLISHED),
)


def stored_text(one: RoundView, form: object) -> str:
    """The text of a round as it is stored.

    Args:
        one: The round.
        form: ``plain``, or ``published``: user and assistant under their roles, then the first
            image and the first clip under labels, as CUE-Mem's code stores a round. Ids are the
            neutral ones.
    """
    return _published(one) if form == PUBLISHED else one.text


def _published(one: RoundView) -> str:
    lines = [line for message in one.messages for line in _published_message(message)]
    media = [item for message in one.messages for item in message.media]
    image = next((item for item in media if item.kind is Kind.IMAGE), None)
    if image is not None:
        lines += ["image:", f"image_id: {image.id}", f"image_caption: {image.caption}"]
    clip = next((item for item in media if item.kind is Kind.AUDIO), None)
    text = "\n".join(lines)
    if clip is not None and (not clip.caption or clip.caption not in text):
        lines += ["voice:", f"voice_id: {clip.id}", f"voice_caption: {clip.caption}"]
    return "\n".join(lines)


def _published_message(message: MessageView) -> Iterable[str]:
    clip = next((item for item in message.media if item.kind is Kind.AUDIO), None)
    if message.voiced or (not message.text and clip is not None and clip.caption):
        said = message.text or (clip.caption if clip is not None else "")
        yield f"user_voice_message_caption: {said}"
    elif message.text and message.role is Role.ASSISTANT:
        yield f"assistant: {message.text}"
    elif message.text:
        named = message.role is Role.USER and message.speaker.casefold() != "user"
        yield f"{f'user ({message.speaker})' if named else message.speaker}: {message.text}"


def render(items: Sequence[MemoryItem], form: object) -> tuple[str, list[tuple[int, int]]]:
    """The context that items make, and where the text of each begins and ends in it.

    Args:
        items: The items in the order in which they are to be read.
        form: ``plain``: each under its date, with a blank line between them; empty for no items.
            ``published``: numbered between a start and an end marker; ``None`` for no items.
    """
    if form != PUBLISHED:
        return _joined([(f"[{item.date}]\n" if item.date else "", item.text) for item in items])
    if not items:
        return "None", []
    start = "[Memory Start]\n"
    heads = [
        (f"[Memory {number}] timestamp: {item.date}\n", item.text)
        for number, item in enumerate(items, start=1)
    ]
    text, spans = _joined(heads, "\n")
    shifted = [(begin + len(start), end + len(start)) for begin, end in spans]
    return f"{start}{text}\n[Memory End]", shifted


def _joined(
    parts: Sequence[tuple[str, str]], between: str = "\n\n"
) -> tuple[str, list[tuple[int, int]]]:
    pieces: list[str] = []
    spans = []
    at = 0
    for head, body in parts:
        if pieces:
            pieces.append(between)
            at += len(between)
        pieces += [head, body]
        spans.append((at + len(head), at + len(head) + len(body)))
        at = spans[-1][1]
    return "".join(pieces), spans
