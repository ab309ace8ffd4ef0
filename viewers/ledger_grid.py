"""A ledger laid out: entities in rows, fields in columns, and what belongs to no entity apart."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property

from rich.text import Text

from mnemoscope.core.state.authority import AuthorityKind
from mnemoscope.core.state.component import ABSENT, Component, Maybe, Part, cell, member
from mnemoscope.core.state.ledger import Effect, Ledger, LedgerCell
from mnemoscope.core.state.values import same_scalar
from mnemoscope.core.state.wording import ABSENT_SIGN, content_text, with_unit
from mnemoscope.core.text import one_line
from mnemoscope.core.truth.book import Book
from mnemoscope.core.truth.schema_values import content_json
from mnemoscope.viewers.styles import MARKS, Palette

__all__ = ["AUTHORITY_MARKS", "EFFECT_MARKS", "Grid", "Sheet", "authority_label", "maybe_text"]


class Sheet(StrEnum):
    """Which value of a cell a table shows."""

    ACCEPTED = "accepted"
    VISUAL = "visual"
    SHOWN = "shown"
    AUTHORITY = "authority"
    """On what the accepted value rests, and since which round."""


AUTHORITY_MARKS = {
    AuthorityKind.TEXT_BACKED: "by_text",
    AuthorityKind.VISUAL: "by_image",
    AuthorityKind.VISUAL_DECLARED: "by_both",
}
EFFECT_MARKS = {
    Effect.DIRECT: "direct",
    Effect.DEPENDENT: "follows",
    Effect.AUTHORITY: "on_record",
    Effect.SHOWN: "on_record",
}


def authority_label(kind: AuthorityKind | None, palette: Palette) -> Text:
    """On what a value rests, as a sign and a word; empty for what follows from others."""
    return MARKS[AUTHORITY_MARKS[kind]].label(palette) if kind is not None else Text()


def maybe_text(content: Maybe, names: Mapping[str, str], unit: str = "") -> str:
    """A content in words on one line, with the unit of its field."""
    if content is ABSENT:
        return ABSENT_SIGN
    value = content_json(content)
    return one_line(with_unit(value, content_text(value, names), unit))


class Grid:
    """What a ledger shows, by row and column."""

    def __init__(self, ledger: Ledger, book: Book) -> None:
        schema = book.schema
        self.ledger = ledger
        self.is_elsewhere = ledger.context != book.context
        """Whether it is of another context, where nothing is accepted."""
        self.schema = schema
        self.names = {**book.known_names, **book.names(ledger)}
        """The displayed names of entities by key."""
        self.field_names = {key: one_line(name) for key, name in schema.headings.items()}
        self.cells = {one.component: one for one in ledger.cells}
        found = (one.component for one in ledger.cells if one.component.part is Part.MEMBER)
        self.entities: Sequence[str] = [where.entity for where in found]
        name = schema.name_field.key if schema.name_field else ""
        fields = [one.key for one in schema.fields if one.key != name]
        of_entities = [one.key for one in schema.dependencies if schema.is_of_entities(one.key)]
        self.columns: Sequence[str] = [*fields, *of_entities]
        """Keys of fields, then of what follows from them for each entity."""
        self.name_key = name
        self.totals: Sequence[LedgerCell] = [
            one
            for one in ledger.cells
            if one.component.part in (Part.RULE, Part.ORDER)
            or (one.component.part is Part.DEPENDENT and one.component.field not in of_entities)
        ]

    @cached_property
    def effects(self) -> Mapping[str, Effect]:
        """What the round did to each entity: the first of ``Effect`` of all its components."""
        found: dict[str, Effect] = {}
        for effect in reversed(Effect):
            found |= {
                one.component.entity: effect for one in self.ledger.cells if one.effect is effect
            }
        return found

    def line_up(self, other: "Grid") -> None:
        """Let this and another round have the same rows, in the other's order."""
        own = [one for one in self.entities if one not in other.entities]
        self.entities = other.entities = [*other.entities, *own]

    def where(self, row: int, column: int) -> Component:
        """The component at a place; column -1 is that of names."""
        entity = self.entities[row]
        if column < 0:
            return cell(entity, self.name_key) if self.name_key else member(entity)
        key = self.columns[column]
        part = Part.CELL if key in self.schema.field_by_key else Part.DEPENDENT
        return Component(part, entity, key)

    def place(self, where: Component) -> tuple[int, int] | None:
        """The row and column of a component; None for what belongs to no entity."""
        if where.entity not in self.entities:
            return None
        row = self.entities.index(where.entity)
        if where.field in self.columns:
            return row, self.columns.index(where.field)
        return (row, -1) if where.part in (Part.MEMBER, Part.CELL, Part.CUE) else None

    def at(self, row: int, column: int) -> LedgerCell | None:
        """The cell at a place."""
        return self.cells.get(self.where(row, column))

    def title(self, key: str, *, unit: bool = True) -> str:
        """The heading of a field, with its unit."""
        heading = one_line(self.schema.heading(key))
        found = one_line(self.schema.unit(key)) if unit else ""
        return f"{heading} {found}" if found and found not in heading else heading

    def label(self, where: Component) -> str:
        """What a component is called."""
        heading = self.title(where.field, unit=False)
        match where.part:
            case Part.MEMBER:
                return one_line(self.names.get(where.entity, where.entity))
            case Part.ORDER:
                return f"order of {heading}"
            case Part.RULE:
                return f"rule {heading}"
        owner = one_line(self.names.get(where.entity, where.entity))
        style = " style" if where.part is Part.CUE else ""
        return f"{owner} {heading}{style}".strip()

    def text(self, where: Component, content: Maybe, *, unit: bool = True) -> str:
        """A content of a component in words."""
        if where.part is Part.MEMBER and content is not ABSENT:
            return "in"
        names = self.field_names if where.part is Part.RULE else self.names
        return maybe_text(content, names, self.schema.unit(where.field) if unit else "")

    def is_unequal(self, one: LedgerCell) -> bool:
        """Whether what is visual or shown is not what is accepted."""
        same = same_scalar(one.visual, one.accepted) and same_scalar(one.shown, one.accepted)
        return not self.is_elsewhere and not same

    def is_withdrawn(self, one: LedgerCell) -> bool:
        """Whether what is shown of a cell has been withdrawn with the upload that shows it."""
        return self.ledger.is_withdrawn and not same_scalar(one.shown, one.visual)
