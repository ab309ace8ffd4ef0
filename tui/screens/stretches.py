"""Parts of a long session: as much as is laid out at a time.

A session can be one text of millions of characters. To lay all of it out takes tens of seconds, to
lay out a stretch of it as long as a key press may take.
"""

from collections.abc import Sequence

from mnemoscope.core.model import Round, Session

__all__ = ["Stretch", "stretch_around"]

_MOST = 60_000
"""Characters of a stretch; more only where a single round has more."""
_OF_ATTACHMENT = 300
"""Characters that an attachment counts for, with its state and caption."""


class Stretch:
    """Neighbouring rounds of a session."""

    __slots__ = ("first", "rounds", "session")

    def __init__(self, session: Session, first: int, rounds: Sequence[Round]) -> None:
        self.session = session
        self.first = first
        """The place of its first round in the session, from 0."""
        self.rounds = rounds

    def __contains__(self, one: Round) -> bool:
        return one.session_id == self.session.id and any(one is other for other in self.rounds)

    @property
    def whole(self) -> bool:
        """Whether it is the whole session."""
        return len(self.rounds) == len(self.session.rounds)

    @property
    def label(self) -> str:
        """Which rounds of the session it holds."""
        return f"rounds {self.first + 1:,} to {self.first + len(self.rounds):,}"

    def beside(self, step: int) -> Round | None:
        """The round of the session after its last, or before its first."""
        place = self.first + len(self.rounds) if step > 0 else self.first - 1
        rounds = self.session.rounds
        return rounds[place] if 0 <= place < len(rounds) else None


def stretch_around(session: Session, one: Round) -> Stretch:
    """The stretch of a session that holds a round; where stretches end does not depend on it."""
    first, size, held = 0, 0, False
    for place, other in enumerate(session.rounds):
        length = _length(other)
        if size and size + length > _MOST:
            if held:
                return Stretch(session, first, session.rounds[first:place])
            first, size = place, 0
        size += length
        held = held or other is one
    return Stretch(session, first, session.rounds[first:])


def _length(one: Round) -> int:
    texts = sum(len(message.text or "") for message in one.messages)
    return texts + _OF_ATTACHMENT * sum(1 for _ in one.attachments)
