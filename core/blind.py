"""A history whose ids say nothing: for systems, and for people who must not see the gold.

Ids can give the evidence away. LongMemEval calls the sessions that hold an answer ``answer_…`` and
ends the ids of questions to be declined in ``_abs``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mnemoscope.core.model import Attachment, History, Message, Round, Session

__all__ = ["BlindHistory", "blind"]


@dataclass(frozen=True)
class BlindHistory:
    """A history under neutral ids, and the way back from them."""

    history: History
    session_ids: Mapping[str, str]
    """The release's id of each session."""
    round_ids: Mapping[str, str]
    """The release's id of each round."""


def blind(history: History, history_id: str = "history") -> BlindHistory:
    """The same history with sessions named ``S1`` and so on, rounds ``S1:1``.

    Args:
        history: Any history.
        history_id: What it goes by instead of its own id and name.
    """
    session_ids: dict[str, str] = {}
    round_ids: dict[str, str] = {}
    sessions = []
    for number, session in enumerate(history.sessions, start=1):
        session_id = f"S{number}"
        session_ids[session_id] = session.id
        rounds = []
        for place, one in enumerate(session.rounds, start=1):
            round_id = f"{session_id}:{place}"
            round_ids[round_id] = one.id
            rounds.append(_blind_round(one, session_id, round_id))
        sessions.append(
            Session(session_id, session.date, session.date_text, tuple(rounds), "", session.group)
        )
    hidden = History(history_id, history_id, tuple(sessions), "", "")
    return BlindHistory(hidden, session_ids, round_ids)


def _blind_round(one: Round, session_id: str, round_id: str) -> Round:
    messages = [_blind_message(message, one.id, round_id) for message in one.messages]
    return Round(round_id, session_id, one.index, tuple(messages), "")


def _blind_message(message: Message, old: str, new: str) -> Message:
    # Attachments without an id of their own go by their round's.
    attachments = [_blind_attachment(item, old, new) for item in message.attachments]
    return replace(message, attachments=tuple(attachments))


def _blind_attachment(item: Attachment, old: str, new: str) -> Attachment:
    return replace(item, id=new + item.id.removeprefix(old)) if item.id.startswith(old) else item
