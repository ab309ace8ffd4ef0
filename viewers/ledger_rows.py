"""A ledger as rows of a list that pages its columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.memory.cells import HeldCell
from mnemoscope.core.state.component import ABSENT, Absent, Component, Maybe
from mnemoscope.core.state.ledger import Effect, LedgerCell
from mnemoscope.core.state.wording import ABSENT_SIGN
from mnemoscope.core.text import one_line
from mnemoscope.core.truth.divergence import Divergence, Kind
from mnemoscope.viewers.cells import cell_width, shorten
from mnemoscope.viewers.columns import GAP, Column
from mnemoscope.viewers.ledger_grid import (
    AUTHORITY_MARKS,
    EFFECT_MARKS,
    Grid,
    Sheet,
    authority_label,
    maybe_text,
)
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["LedgerRows", "SystemCells"]

_SIGNS = 3
"""Cells beside a value: one sign before it and two behind it."""
_MARGINS = 3
"""Cells left of the names and right of the last column."""
_LEAST, _MOST = 6, 19
_NARROWEST_NAME = 9
_HEADINGS = ((70, 12), (50, 11), (0, 9))
"""The most cells that a heading may claim, by the least cells of the table."""


@dataclass(frozen=True, slots=True)
class SystemCells:
    """What a system says of each cell, where a table shows that instead of the truth."""

    letter: str
    agreeing: Mapping[Component, HeldCell]
    parted: Mapping[Component, Divergence]


class LedgerRows:
    """Entities in rows; as many columns as there is room for, those of names always among them."""

    def __init__(
        self,
        grid: Grid,
        palette: Palette,
        *,
        sheet: Sheet = Sheet.ACCEPTED,
        width: int = 80,
        chosen: int = 0,
        at_row: int = -1,
        beside: Grid | None = None,
        differs: Mapping[Component, object] | None = None,
        system: SystemCells | None = None,
    ) -> None:
        """Lay the table out.

        Args:
            grid: What is shown.
            palette: The colours.
            sheet: Which value is shown.
            width: The cells there are.
            chosen: The column that the cursor stands on; -1 for that of names.
            at_row: The row that the cursor stands on.
            beside: Another round in the same columns, which are then wide enough for both.
            differs: Components that are other in the round that stands beside this one.
            system: What a system says, to be shown instead.
        """
        self.grid = grid
        self._palette = palette
        self._sheet = sheet
        self._differs = differs or {}
        self._differing = {one.entity for one in self._differs}
        self._grids = [grid] if beside is None else [grid, beside]
        self._system = system
        self.at_row = at_row
        self.chosen = min(max(-1, chosen), len(grid.columns) - 1)
        self._heading_cells = next(cells for least, cells in _HEADINGS if width >= least)
        self._name_width = self._name_cells(width)
        self._widths: dict[int, int] = {}
        room = width - _MARGINS - self._name_width
        self.shown = self._fitting(room)
        self._spread(room)
        self.columns: Sequence[Column] = [self._name_column(), *map(self._column, self.shown)]

    # Columns

    def _name_cells(self, width: int) -> int:
        most = max(_NARROWEST_NAME, min(26, width // 4))
        return min(max(self._whole_names(), _NARROWEST_NAME), most)

    def _whole_names(self) -> int:
        names = (one_line(of.names.get(one, one)) for of in self._grids for one in of.entities)
        return max(map(cell_width, names), default=0) + 2

    def _width(self, column: int) -> int:
        """The cells of a column; only those that may be shown are measured."""
        if column not in self._widths:
            self._widths[column] = self._measured(column)
        return self._widths[column]

    def _measured(self, column: int) -> int:
        if self._sheet is Sheet.AUTHORITY and self._system is None:
            return 15
        heading = min(cell_width(self._heading(column)), self._heading_cells)
        return min(_MOST, max(_LEAST, self._widest(column), heading + self._indent(column)))

    def _widest(self, column: int) -> int:
        """The cells of the longest value of a column, with its signs."""
        values = (
            cell_width(self._value(one)[0])
            for of in self._grids
            for row in range(len(of.entities))
            if (one := of.at(row, column)) is not None
        )
        return max(values, default=0) + _SIGNS

    def _indent(self, column: int) -> int:
        """The cells before a heading: it begins where values do, and ends where their signs end."""
        return 0 if self._is_number(self.grid.columns[column]) else 1

    def _spread(self, room: int) -> None:
        """Give the cells that are left to what is cut, then to units in headings."""
        spare = room - sum(self._width(one) + GAP for one in self.shown)
        more = max(0, min(spare, self._whole_names() - self._name_width))
        self._name_width += more
        spare -= more
        has_values = self._sheet is not Sheet.AUTHORITY or self._system is not None
        for unit in (False, True):
            for one in self.shown:
                whole = cell_width(self._heading(one, unit=unit)) + self._indent(one)
                whole = max(whole, self._widest(one) if has_values else 0)
                more = max(0, min(spare, whole - self._width(one)))
                self._widths[one] += more
                spare -= more

    def _fitting(self, room: int) -> range:
        """The columns that are shown: the chosen one among them, from the left where all fit."""
        count = len(self.grid.columns)
        first = 0
        if self.chosen >= 0:
            used = self._width(self.chosen) + GAP
            first = self.chosen
            while first > 0 and used + self._width(first - 1) + GAP <= room:
                first -= 1
                used += self._width(first) + GAP
        used, stop = 0, first
        while stop < count and (stop == first or used + self._width(stop) + GAP <= room):
            used += self._width(stop) + GAP
            stop += 1
        return range(first, stop)

    def _name_column(self) -> Column:
        key = self.grid.name_key
        title = self.grid.title(key) if key else "entity"
        return Column(
            shorten(title, self._name_width, middle=True),
            self._name_width,
            help="the entity's accepted name; of one that is not accepted the name that is shown; "
            "the sign before it is of its whole row",
        )

    def _column(self, at: int) -> Column:
        key, width = self.grid.columns[at], self._width(at)
        follows = key not in self.grid.schema.field_by_key
        said = "what follows from others for each entity" if follows else "a field"
        said = f"{self.grid.title(key)}: {said}"
        room, title = width - self._indent(at), self._heading(at, unit=True)
        if cell_width(title) > room:
            title = shorten(self._heading(at), room, middle=True)
        if self._is_number(key):
            return Column(title, width, align="right", help=said)
        return Column(f" {title}", width, help=said)

    def _heading(self, column: int, *, unit: bool = False) -> str:
        """The heading of a column, with its unit where there is room for it."""
        key = self.grid.columns[column]
        sign = "" if key in self.grid.schema.field_by_key else f"{MARKS['follows'].glyph} "
        return f"{sign}{self.grid.title(key, unit=unit)}"

    def _is_number(self, key: str) -> bool:
        return self._sheet is not Sheet.AUTHORITY and any(
            isinstance(one.accepted, int | float) and not isinstance(one.accepted, bool)
            for row in range(min(3, len(self.grid.entities)))
            if (one := self.grid.at(row, self.grid.columns.index(key))) is not None
        )

    @property
    def row_count(self) -> int:
        return len(self.grid.entities)

    def column_of(self, shown: int) -> int:
        """Which column of the grid one that is shown is; -1 for names."""
        return -1 if shown == 0 else self.shown.start + shown - 1

    # Cells

    def cells(self, row: int) -> Sequence[Text | str]:
        return [self._name(row), *(self._cell(row, at) for at in self.shown)]

    def _name(self, row: int) -> Text:
        grid, palette = self.grid, self._palette
        entity = grid.entities[row]
        text = self._row_sign(row)
        one = grid.cells.get(grid.where(row, -1))
        name = shorten(one_line(grid.names.get(entity, entity)), self._name_width - 2, middle=True)
        here = row == self.at_row and self.chosen == -1
        there = one is not None and (one.accepted is not ABSENT or grid.is_elsewhere)
        look = "chosen" if here else "text" if there else "dim"
        text.append(name, style(look, palette))
        if not there:
            return text.append(MARKS["absent"].glyph, style("absent", palette))
        return text.append_text(self._unequal(one) if one is not None else Text())

    def _cell(self, row: int, column: int) -> Text:
        where, one = self.grid.where(row, column), self.grid.at(row, column)
        here = row == self.at_row and column == self.chosen
        if self._system is not None:
            return self._system_cell(where, here=here)
        if one is None:
            return Text()
        if self._sheet is Sheet.AUTHORITY:
            return self._authority(one, here=here)
        text, look = self._value(one)
        text = shorten(text, self._width(column) - _SIGNS, middle=True)
        if one.accepted is ABSENT and not self.grid.is_elsewhere and text == ABSENT_SIGN:
            # That the entity is not accepted stands beside its name.
            return self._effect(one).append(text, style("dim", self._palette)).append("  ")
        found = self._effect(one).append(text, style("chosen" if here else look, self._palette))
        kind = one.authority if self._sheet is Sheet.ACCEPTED else None
        sign = AUTHORITY_MARKS.get(kind) if kind is not None else None
        # An artifact's own word is the usual case: a sign on every cell would say nothing.
        if sign is None or sign == "by_image":
            found.append(" ")
        else:
            found.append(MARKS[sign].glyph, style(sign, self._palette))
        return found.append_text(self._unequal(one))

    def _value(self, one: LedgerCell) -> tuple[str, str]:
        """The value that the sheet shows, and how it is set."""
        sheet = Sheet.SHOWN if self.grid.is_elsewhere else self._sheet
        if sheet is Sheet.AUTHORITY:
            sheet = Sheet.ACCEPTED
        content: Maybe = getattr(one, sheet.value)
        text = self.grid.text(one.component, content, unit=False)
        return text, "dim" if isinstance(content, Absent) or content is None else "text"

    def _authority(self, one: LedgerCell, *, here: bool) -> Text:
        text = self._effect(one)
        label = authority_label(one.authority, self._palette)
        if here:
            label = styled(label.plain or "follows", style("chosen", self._palette))
        text.append_text(label)
        return text.append(f" {one_line(one.source_round)}", style("dim", self._palette))

    def _effect(self, one: LedgerCell) -> Text:
        """The sign before a value: what the round did to it, or that another round has another."""
        return self._sign(one.effect, differs=one.component in self._differs)

    def _row_sign(self, row: int) -> Text:
        """The sign before a name: of all cells of the row, those that are not in view too."""
        entity = self.grid.entities[row]
        return self._sign(self.grid.effects.get(entity), differs=entity in self._differing)

    def _sign(self, effect: Effect | None, *, differs: bool) -> Text:
        if not differs and effect is None:
            return Text(" ")
        mark = "unequal" if differs or effect is None else EFFECT_MARKS[effect]
        return styled(MARKS[mark].glyph, style(mark, self._palette))

    def _unequal(self, one: LedgerCell) -> Text:
        if not self.grid.is_unequal(one):
            return Text(" ")
        mark = "withdrawn" if self.grid.is_withdrawn(one) else "unequal"
        return styled(MARKS[mark].glyph, style(mark, self._palette))

    def _system_cell(self, where: Component, *, here: bool) -> Text:
        assert self._system is not None
        parted, held = self._system.parted.get(where), self._system.agreeing.get(where)
        if parted is None and held is None:
            return styled(" ·", style("chosen" if here else "dim", self._palette))
        if parted is not None and parted.kind is Kind.MISSING:
            mark, text = "missed", ""
        elif parted is not None:
            mark, text = "wrong", _said(parted.said)
        else:
            assert held is not None
            mark, text = "right", _said(next(iter(held.values.values())))
        width = self._width(self.grid.columns.index(where.field)) - _SIGNS
        found = Text(" ").append(
            shorten(text, width, middle=True), style("chosen" if here else "text", self._palette)
        )
        return found.append(f" {MARKS[mark].glyph}", style(mark, self._palette))


def _said(said: object) -> str:
    return one_line(maybe_text(said, {}))  # type: ignore[arg-type]
