"""Turns: what one of the two says, and what may be wrong in it."""

from enum import StrEnum

from mnemoscope.core.model.history import Role
from mnemoscope.core.model.values import value

__all__ = ["Finding", "Slip", "Turn"]


@value
class Turn:
    """What one of the two says at once; a round of its own."""

    round: str
    role: Role
    text: str
    picture: str = ""
    """The id of the image that comes with it."""


class Slip(StrEnum):
    """What can be wrong in a turn."""

    VALUE = "value"
    """It says a value that only the picture is to show."""
    NUMBER = "number"
    """It says a number that no text of this turn has to say."""
    NAME = "name"
    """It names an entity that it is not to name."""
    INTERNAL = "internal"
    """It says a key, an id or a slug that nobody in the conversation knows."""
    MISSING = "missing"
    """It leaves out what it has to state."""
    MORE = "more"
    """It states more than the update changes."""
    REFERENCE = "reference"
    """It refers to an earlier update in a way that fits none, another, or several."""
    STRUCTURE = "structure"
    """It is not the turn that the scenario has at this place."""
    REPEATED = "repeated"
    """It was said before in the same words."""


@value
class Finding:
    """One thing that is wrong in one turn."""

    round: str
    slip: Slip
    found: str
    expected: str

    def __str__(self) -> str:
        return f"round {self.round}: {self.slip}: found {self.found}, expected {self.expected}"
