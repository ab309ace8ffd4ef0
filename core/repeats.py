"""Rounds that say at length what an earlier one said, such as a persona before every session."""

from collections.abc import Mapping

from mnemoscope.core.model import History

__all__ = ["repeated_rounds"]

_LEAST = 200
"""Characters from which on a text that is the same is no coincidence of small talk."""


def repeated_rounds(history: History) -> Mapping[str, str]:
    """By the id of a round that repeats one: the id of the first round with the same text."""
    first: dict[tuple[str | None, ...], str] = {}
    repeats = {}
    for one in history.rounds:
        texts = tuple(message.text for message in one.messages)
        if sum(len(text or "") for text in texts) < _LEAST or any(one.attachments):
            continue
        earlier = first.setdefault(texts, one.id)
        if earlier != one.id:
            repeats[one.id] = earlier
    return repeats
