"""What a clue says: the text of the round, or of the attachment, that it leads to."""

from mnemoscope.core.model import (
    Clue,
    ClueTarget,
    Kind,
    Message,
    Question,
    Release,
    Round,
    Session,
    Textualisation,
)

__all__ = ["clue_session", "clue_text", "message_texts", "round_text"]

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
        the messages of a round or session clue, each after its speaker's name, with their captions,
        one a line. Empty for a clue that leads nowhere, and for an attachment that no text stands
        for in this textualisation.
    """
    rounds = _rounds(release, question, clue)
    kind = _KINDS.get(clue.target)
    if kind is not None:
        texts = (_attachment_text(one, kind, clue.id, textualisation) for one in rounds)
    else:
        texts = (round_text(one, textualisation) for one in rounds)
    return "\n".join(filter(None, texts))


def clue_session(release: Release, question: Question, clue: Clue) -> Session | None:
    """The session that a clue leads to."""
    history = release.histories.get(question.history_id)
    return history.session_by_id.get(clue.session_id) if history else None


def round_text(one: Round, textualisation: Textualisation) -> str:
    """The messages of a round, each after its speaker's name, with their captions, one a line."""
    lines = []
    for message in one.messages:
        texts = message_texts(message, textualisation)
        if texts:
            lines += [f"{message.speaker}: {texts[0]}", *texts[1:]]
    return "\n".join(lines)


def message_texts(message: Message, textualisation: Textualisation) -> list[str]:
    """What a message says, then its captions; nothing for what no text stands for.

    A clip's caption is left out where the message writes out what is said in it.
    """
    said = message.spoken.get(textualisation.audio) or message.text
    texts = [said] if said else []
    for attachment in message.attachments:
        if attachment.kind is Kind.AUDIO and said:
            continue
        caption = attachment.caption(textualisation.of(attachment.kind))
        if caption:
            texts.append(caption)
    return texts


def _rounds(release: Release, question: Question, clue: Clue) -> tuple[Round, ...]:
    history = release.histories.get(question.history_id)
    if history is None:
        return ()
    if clue.round_id:
        found = history.round_by_id.get(clue.round_id)
        return (found,) if found else ()
    session = history.session_by_id.get(clue.session_id)
    return session.rounds if session else ()


def _attachment_text(
    one: Round, kind: Kind, attachment_id: str, textualisation: Textualisation
) -> str:
    for message in one.messages:
        for attachment in message.attachments:
            if attachment.kind is kind and attachment.id == attachment_id:
                caption = attachment.caption(textualisation.of(kind))
                if caption or kind is Kind.IMAGE:
                    return caption or ""
                return message.spoken.get(textualisation.audio) or message.text or ""
    return ""
