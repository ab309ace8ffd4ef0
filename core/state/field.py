"""Fields: what a column of a scenario's table may hold."""

from enum import StrEnum

from mnemoscope.core.model.values import value
from mnemoscope.core.state.values import Number, exact, is_number

__all__ = ["Field", "FieldKind", "FieldRole"]


class FieldKind(StrEnum):
    """The type of a field's values."""

    NUMBER = "number"
    TEXT = "text"
    CHOICE = "choice"
    FLAG = "flag"


class FieldRole(StrEnum):
    """What a field says about an entity, and so which operators may change it."""

    NAME = "name"
    """The displayed name: changed by renames alone, while the entity's key stays."""
    VALUE = "value"
    """Substantive content: cell and block edits."""
    GROUP = "group"
    """A classification: group reassignments."""
    STATUS = "status"
    """A status: status changes."""
    ANNOTATION = "annotation"
    """A marker or note: visual status edits."""


@value
class Field:
    """A typed field with its unit."""

    key: str
    kind: FieldKind
    role: FieldRole = FieldRole.VALUE
    name: str = ""
    """The heading; the key when it is empty."""
    unit: str = ""
    """Of a number."""
    decimals: int | None = None
    """How many digits after the point a number may have; None for any."""
    minimum: Number | None = None
    maximum: Number | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    """Whether no entity may leave it blank."""

    def problem(self, content: object) -> str:
        """What a cell of this field should hold instead of a value; empty when it fits."""
        if content is None:
            return f"a value; {self.key} is required" if self.required else ""
        match self.kind:
            case FieldKind.NUMBER:
                fits = self._fits_number(content)
            case FieldKind.TEXT:
                fits = isinstance(content, str) and (
                    self.role is not FieldRole.NAME or bool(content.strip())
                )
            case FieldKind.CHOICE:
                fits = isinstance(content, str) and content in self.choices
            case FieldKind.FLAG:
                fits = isinstance(content, bool)
        return "" if fits else self.expected

    def _fits_number(self, content: object) -> bool:
        if not is_number(content):
            return False
        assert isinstance(content, int | float)
        if self.minimum is not None and content < self.minimum:
            return False
        if self.maximum is not None and content > self.maximum:
            return False
        if self.decimals is None:
            return True
        exponent = exact(content).normalize().as_tuple().exponent
        return isinstance(exponent, int) and -exponent <= self.decimals

    @property
    def expected(self) -> str:
        """What its values are, in words."""
        match self.kind:
            case FieldKind.NUMBER:
                words = ["a number"]
                words += [f"in {self.unit}"] if self.unit else []
                words += [f"of at least {self.minimum}"] if self.minimum is not None else []
                words += [f"of at most {self.maximum}"] if self.maximum is not None else []
                if self.decimals is not None:
                    words.append(f"to {self.decimals} decimals")
                return " ".join(words)
            case FieldKind.TEXT:
                return "text" if self.role is not FieldRole.NAME else "a name"
            case FieldKind.CHOICE:
                return "one of " + ", ".join(self.choices)
            case FieldKind.FLAG:
                return "true or false"
