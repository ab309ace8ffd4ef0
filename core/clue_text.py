"""What a clue says: the text of the round, or of the attachment, that it leads to."""

from mnemoscope.core.model import (
    Clue,
    ClueTarget,
    Kind,
    Message,
    Question,
    Release,
    Round,
    Textualisation,
)

__all__ = ["clue_text", "message_text", "round_text"]

_KINDS = {ClueTarget.IMAGE: Kind.IMAGE, ClueTarget.AUDIO: Kind.AUDIO}


def clue_text(
    release: Release, question: Question, clue: Clue, textualisation: Textualisation
) -> str:
    """The text that stands for a clue.

    Args:
        release: The release of the question.
        question: The question that the clue belongs to.
        clue: The clue.
        textualisation: Which captions stand for images and audio.

    Returns:
        The caption of an image or audio clue (for audio without one, what is said in its message);
        the messages and captions of a round or session clue, one a line. Empty for a clue that
        leads nowhere, and for an attachment that no text stands for in this textualisation.
    """
    history = release.histories.get(question.history_id)
    if history is None:
        return ""
    kind = _KINDS.get(clue.target)
    if kind is not None:
        return _attachment_text(history.round_by_id.get(clue.round_id), kind, clue, textualisation)
    if clue.round_id:
        found = history.round_by_id.get(clue.round_id)
        return round_text(found, textualisation) if found else ""
    session = history.session_by_id.get(clue.session_id)
    if session is None:
        return ""
    return "\n".join(filter(None, (round_text(one, textualisation) for one in session.rounds)))


def round_text(one: Round, textualisation: Textualisation) -> str:
    """The messages of a round, each after its speaker's name, and their captions, one a line."""
    texts = (message_text(message, textualisation) for message in one.messages)
    return "\n".join(filter(None, texts))


def message_text(message: Message, textualisation: Textualisation) -> str:
    """One message with the captions of its attachments; empty when no text stands for it."""
    lines = [message.spoken.get(textualisation.audio) or message.text or ""]
    for attachment in message.attachments:
        # What a clip says is the message itself where the release writes it out.
        if attachment.kind is Kind.AUDIO and lines[0]:
            continue
        lines.append(attachment.caption(textualisation.of(attachment.kind)) or "")
    said = "\n".join(filter(None, lines))
    return f"{message.speaker}: {said}" if said else ""


def _attachment_text(
    one: Round | None, kind: Kind, clue: Clue, textualisation: Textualisation
) -> str:
    for message in one.messages if one else ():
        for attachment in message.attachments:
            if attachment.kind is kind and attachment.id == clue.id:
                caption = attachment.caption(textualisation.of(kind))
                if caption or kind is Kind.IMAGE:
                    return caption or ""
                return message.spoken.get(textualisation.audio) or message.text or ""
    return ""
