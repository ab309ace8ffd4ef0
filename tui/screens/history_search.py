"""Finding text in a history."""

from collections.abc import Sequence

from mnemoscope.core.clue_text import round_text
from mnemoscope.core.model import History, Textualisation

__all__ = ["Finding", "find_in_history"]

Finding = str
"""The id of a round that holds the text."""


def find_in_history(
    history: History, text: str, textualisation: Textualisation
) -> Sequence[Finding]:
    """Rounds that hold a text in their messages or in the captions shown, in order."""
    needle = text.casefold()
    if not needle:
        return ()
    return [
        one.id for one in history.rounds if needle in round_text(one, textualisation).casefold()
    ]
