"""Rounds of a dialogue as blocks of a page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rich.text import Text

from mnemoscope.core.model import (
    Attachment,
    AttachmentState,
    Kind,
    Message,
    Role,
    Round,
    Textualisation,
)
from mnemoscope.core.text import clean, one_line
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.matches import Words, marked
from mnemoscope.viewers.page_blocks import Block, Paragraph, Picture, Target
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = [
    "DialogueLook",
    "attachment_blocks",
    "caption_paragraph",
    "clue_label",
    "highlighted",
    "round_blocks",
    "voice_text",
]

_ROLE_LOOKS = {
    Role.USER: "speaker_user",
    Role.ASSISTANT: "speaker_assistant",
    Role.OTHER: "speaker_other",
}
_REPEATED = 60
_NO_VARIANT = "none"
_LONGEST = 20_000
"""Characters of one message that are laid out; the rest is counted, not drawn."""


@dataclass(frozen=True, slots=True)
class DialogueLook:
    """How a dialogue is drawn."""

    palette: Palette
    textualisation: Textualisation = field(default_factory=Textualisation)
    """Which captions stand for images and audio."""
    picture_columns: int = 30
    picture_rows: int = 12
    """The most that a picture takes; 0 rows draw none."""
    captions: bool = True
    """Whether captions are shown beside attachments."""
    files: bool = True
    """Whether attachments themselves are shown; else only captions stand for them."""
    option_cells: int = 400
    """The most cells of an option's text."""
    words: Words = ()
    """What is marked in texts from data."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Evaluator-only text by round id, shown marked as such."""
    repeats: Mapping[str, str] = field(default_factory=dict)
    """Rounds whose long text is that of an earlier one, by id; it is not drawn in full again."""


def round_blocks(
    one: Round, look: DialogueLook, *, cited_by: int = 0, target: Target | None = None
) -> Iterator[Block]:
    """The blocks of one round: a head line, then each speaker with text and attachments.

    Args:
        one: The round.
        look: How it is drawn.
        cited_by: How many questions have a clue that leads here.
        target: What standing on the round means; its id by default.
    """
    palette = look.palette
    target = one.id if target is None else target
    head = styled(clean(one.id, keep_newlines=False), style("dim", palette))
    for attachment in one.attachments:
        mark = MARKS[attachment.kind]
        head.append(f"  {mark.glyph} {one_line(attachment.id)}", style("dim", palette))
    if cited_by:
        head.append("  ").append_text(clue_label(cited_by, palette))
    yield Paragraph(head, target=target)
    earlier = "" if look.words else look.repeats.get(one.id, "")
    for message in one.messages:
        yield from _message_blocks(message, look, target, earlier)
    note = look.notes.get(one.id)
    if note:
        yield Paragraph(
            styled(f"{MARKS['evaluator'].glyph} {clean(note)}", style("evaluator", palette)),
            indent=2,
            target=target,
        )
    yield Paragraph(Text(""))


def clue_label(questions: int, palette: Palette) -> Text:
    """That something is a clue of so many questions."""
    word = f"clue of {questions} question{'s' if questions > 1 else ''}"
    return MARKS["clue"].label(palette, word=word)


def _message_blocks(
    message: Message, look: DialogueLook, target: Target, earlier: str
) -> Iterator[Block]:
    palette = look.palette
    speaker = styled(one_line(message.speaker), style(_ROLE_LOOKS[message.role], palette))
    if message.time is not None:
        speaker.append(f"  {message.time:%H:%M}", style("dim", palette))
    yield Paragraph(speaker, indent=1, target=target)
    if message.text and earlier:
        begins = styled(shorten(one_line(message.text), _REPEATED), style("dim", palette))
        yield Paragraph(begins, indent=3, target=target)
        said = f"the same {len(message.text):,} characters as in {one_line(earlier)}"
        yield Paragraph(styled(said, style("dim", palette)), indent=3, target=target)
    elif message.text:
        yield Paragraph(highlighted(_capped(message.text), look), indent=3, target=target)
    for attachment in message.attachments:
        if attachment.kind is Kind.IMAGE:
            yield from _image_blocks(attachment, look, target)
        else:
            text = voice_text(message, attachment, look.textualisation.audio)
            yield from _audio_blocks(attachment, text, look, target)


def attachment_blocks(attachment: Attachment, look: DialogueLook) -> Iterator[Block]:
    """A picture or clip that stands by itself, with its caption."""
    if attachment.kind is Kind.IMAGE:
        yield from _image_blocks(attachment, look, None)
    else:
        text = attachment.caption(look.textualisation.audio)
        yield from _audio_blocks(attachment, text, look, None)


def voice_text(message: Message, attachment: Attachment, variant: str) -> str | None:
    """What an audio variant says of a clip: the message's own spoken text, else the caption."""
    return message.spoken.get(variant) or attachment.caption(variant)


def _image_blocks(image: Attachment, look: DialogueLook, target: Target | None) -> Iterator[Block]:
    if not look.files:
        pass
    elif image.state is AttachmentState.PRESENT and look.picture_rows:
        yield Picture(image.file, look.picture_columns, look.picture_rows, 3, target)
    else:
        yield Paragraph(_state_line(image, look.palette), indent=3, target=target)
    variant = look.textualisation.image
    # A release without captions has no variant of them either.
    if look.captions and (image.captions or variant != _NO_VARIANT):
        yield caption_paragraph(image, variant, image.caption(variant), look, target)


def _audio_blocks(
    clip: Attachment, text: str | None, look: DialogueLook, target: Target | None
) -> Iterator[Block]:
    if look.files and (clip.state is not AttachmentState.PRESENT or not look.captions):
        yield Paragraph(_state_line(clip, look.palette), indent=3, target=target)
    if look.captions:
        yield caption_paragraph(clip, look.textualisation.audio, text, look, target)


def _state_line(attachment: Attachment, palette: Palette) -> Text:
    mark = MARKS[attachment.kind]
    line = styled(f"{mark.glyph} {one_line(attachment.id)}  ", style("dim", palette))
    if attachment.state is AttachmentState.PRESENT:
        return line.append(attachment.kind.value)
    line.append_text(MARKS["missing"].label(palette, word=attachment.state.value))
    return line.append(f"  {one_line(attachment.note)}")


def caption_paragraph(
    attachment: Attachment,
    variant: str,
    text: str | None,
    look: DialogueLook,
    target: Target | None = None,
) -> Paragraph:
    """A caption under the name of its variant; an absent and an empty one are both said."""
    palette = look.palette
    sign = MARKS[attachment.kind].glyph
    line = styled(f"{sign} {variant}  ", style("dim", palette))
    if text:
        line.append_text(highlighted(_capped(text), look))
    else:
        said = "no caption in this variant" if text is None else "empty caption"
        line.append(said, style("rest", palette))
    return Paragraph(line, indent=3, target=target)


def highlighted(text: str, look: DialogueLook) -> Text:
    """Text from data, cleaned, with what is searched for marked."""
    return marked(Text(clean(text)), look.words, look.palette)


def _capped(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}\n… {len(text) - _LONGEST:,} more characters"
