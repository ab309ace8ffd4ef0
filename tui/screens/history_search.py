"""Finding text in a history."""

import re
from collections.abc import Sequence

from mnemoscope.core.clue_text import round_text
from mnemoscope.core.model import History, Textualisation

__all__ = ["Finding", "find_in_history"]

Finding = str
"""The id of a round that holds the text."""


def find_in_history(
    history: History, pattern: re.Pattern[str] | None, textualisation: Textualisation
) -> Sequence[Finding]:
    """Rounds that hold a text in their messages or in the captions shown, in order."""
    if pattern is None:
        return ()
    return [one.id for one in history.rounds if pattern.search(round_text(one, textualisation))]
