"""What the help of a pane says; every screen has one for each of its panes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["DETAIL", "OUTCOMES", "RETRIEVED", "PaneHelp"]


@dataclass(frozen=True, slots=True)
class PaneHelp:
    """What a pane means. Columns explain themselves, and keys come from the action registry.

    ``{scope.action}`` in a text stands for the key of that action.
    """

    about: str
    """What the pane shows."""
    marks: Sequence[str] = ()
    """Names of the signs in it."""
    figures: Mapping[str, str] = field(default_factory=dict)
    """What its figures are, by the words that stand beside them: n, and what is estimated."""
    cannot: str = ""
    """What it cannot show."""


OUTCOMES = ("right", "wrong", "error", "unparsed", "unjudged", "none")
"""Signs of what became of a question."""
RETRIEVED = ("hit", "missed", "extra", "unresolved")
"""Signs of what was retrieved."""
DETAIL = PaneHelp("All of the row under the cursor of the list, where the list cuts it short.")
