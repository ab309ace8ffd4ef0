"""Floor plans: halls with walls and doors, stands to scale along aisles, labels in the bays."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mnemoscope.core.harness.drawing.canvas import Anchor, Canvas, Drawing
from mnemoscope.core.harness.drawing.grids import letter
from mnemoscope.core.harness.drawing.legend import draw_legend
from mnemoscope.core.harness.drawing.look import Look
from mnemoscope.core.harness.drawing.palette import AXIS, CHANGED, FAINT, INK, PAPER, QUIET
from mnemoscope.core.harness.drawing.sheet import (
    MARGIN,
    draw_head,
    draw_notes,
    draw_summaries,
)
from mnemoscope.core.harness.exhibit import Exhibit, Grid, Shown

__all__ = ["draw_plan"]

METRE = 9.0
"""Units of the sheet for each metre."""
AISLE = 34.0
WALL = 5.0
NAME, SIZE, SMALL = 12.5, 11.5, 10.5
"""Sizes of letters: of names, values, and what stands around values."""
LINE = 15.0
TITLE = 32.0
PER_ROW = 6
"""How many bays stand side by side at most, and at least how wide they are."""
LEAST_PER_ROW = 4
NARROW, SHALLOW, DEEP = 30.0, 18.0, 108.0
"""Within which limits a stand is to scale; its numbers say what it is beyond them."""
MARK = 28.0
"""The room that the mark of a change takes."""
FLOOR, PATH, UNTINTED = "#fbfcfd", "#eef1f4", "#ffffff"


def draw_plan(exhibit: Exhibit, look: Look) -> Drawing:
    """Draw the halls one under the other."""
    canvas = Canvas()
    count = len(look.groups)
    halls, summaries = exhibit.grids[:count], exhibit.grids[count:]
    top = draw_head(canvas, exhibit, look.accent)
    draw_legend(canvas, list(look.tints), look.tints, (MARGIN, top - 4), title=look.tint)
    _scale(canvas, (canvas.width - MARGIN, top - 4))
    top += 26
    plan = _Plan(canvas, halls, look, exhibit.revision)
    for hall in halls:
        top = plan.draw_hall(hall, top) + 16
    bottom = draw_summaries(canvas, summaries, top, look.accent)
    return canvas.drawing(draw_notes(canvas, exhibit.notes, bottom + 4))


def _scale(canvas: Canvas, corner: tuple[float, float]) -> None:
    """A bar of ten metres."""
    right, y = corner
    left = right - 10 * METRE
    canvas.box((left, y + 5), (left + 5 * METRE, y + 10), fill=INK)
    canvas.box((left + 5 * METRE, y + 5), (right, y + 10), fill=PAPER, line=INK)
    canvas.text((left - 8, y), "10 m", 12, anchor="right", colour=QUIET)


@dataclass(frozen=True, slots=True)
class _Bay:
    """The place of a stand."""

    left: float
    top: float
    right: float
    bottom: float
    is_upper: bool
    """Whether its aisle is below it."""

    @property
    def room(self) -> float:
        """How wide a label may be."""
        return self.right - self.left - 12


class _Plan:
    """Draws halls in the same way."""

    def __init__(self, canvas: Canvas, halls: Sequence[Grid], look: Look, revision: int) -> None:
        self.canvas, self.halls, self.look, self.revision = canvas, halls, look, revision
        self.headings = list(halls[0].headings)
        self.left, self.right = MARGIN + WALL + 6, canvas.width - MARGIN - WALL - 6
        room = min(self._width(hall) for hall in halls) - 12
        self.lines, self.second = self._packed(room)
        depths = (self._footprint(row)[1] for hall in halls for row in hall.rows)
        self.bay = (len(self.lines) + 1) * LINE + max(depths, default=SHALLOW) + 20

    def _rows(self, hall: Grid) -> int:
        return max(math.ceil(len(hall.rows) / PER_ROW), 1)

    def _each(self, hall: Grid) -> int:
        """How many bays stand in each row of a hall."""
        return math.ceil(len(hall.rows) / self._rows(hall))

    def _width(self, hall: Grid) -> float:
        return (self.right - self.left) / max(self._each(hall), LEAST_PER_ROW)

    def _packed(self, room: float) -> tuple[list[list[int]], float]:
        """Which columns stand on which line of a bay, and where second ones begin.

        Two stand on one line as long as they fit into every bay.
        """
        widths = {one: self._widest(one) for one in range(2, len(self.headings))}
        short = list(widths)
        while True:
            middle = max((widths[one] for one in short[::2]), default=0) + 10
            end = middle + max((widths[one] for one in short[1::2]), default=0)
            if end <= room or not short:
                break
            short.remove(max(short, key=lambda one: widths[one]))
        pairs = [short[at : at + 2] for at in range(0, len(short), 2)]
        # In the order of the columns, so that a longer value elsewhere moves as little as it can.
        return sorted(pairs + [[one] for one in widths if one not in short]), middle

    def _widest(self, column: int) -> float:
        """The width of a field with its widest value."""
        name, unit = self._parts(column)
        around = self.canvas.measure(name, SMALL) + self.canvas.measure(unit, SMALL) + 6
        texts = (row[column].text for hall in self.halls for row in hall.rows)
        return around + max((self.canvas.measure(one, SIZE, bold=True) for one in texts), default=0)

    def _parts(self, column: int) -> tuple[str, str]:
        """The name and the unit of a column."""
        name, _, unit = self.headings[column].partition(" (")
        return name, unit.removesuffix(")")

    def _cell(self, row: Sequence[Shown], heading: str) -> Shown:
        return row[self.headings.index(heading)]

    def _footprint(self, row: Sequence[Shown]) -> tuple[float, float]:
        """How wide and deep a stand is drawn."""
        area, front = (self._cell(row, one).content for one in self.look.footprint)
        if not isinstance(area, int | float) or not isinstance(front, int | float) or front <= 0:
            return NARROW, SHALLOW
        return max(front * METRE, NARROW), min(max(area / front * METRE, SHALLOW), DEEP)

    def draw_hall(self, hall: Grid, top: float) -> float:
        """Draw a hall with its walls, aisles and stands; returns where it ends."""
        canvas, rows, each, width = (
            self.canvas,
            self._rows(hall),
            self._each(hall),
            self._width(hall),
        )
        walls = float(MARGIN), canvas.width - MARGIN
        bottom = top + TITLE + rows * self.bay + math.ceil(rows / 2) * AISLE + WALL
        canvas.box((walls[0], top), (walls[1], bottom), fill=FLOOR, line=INK, width=WALL * 0.7)
        canvas.text((self.left + 6, top + 9), hall.title, 15, bold=True, colour=self.look.accent)
        y = top + TITLE
        for nth in range(rows):
            is_upper = nth % 2 == 0
            for at, row in enumerate(hall.rows[nth * each : (nth + 1) * each]):
                left = self.left + width * at
                self._draw_bay(row, _Bay(left, y, left + width, y + self.bay, is_upper))
            y += self.bay
            if is_upper:
                _draw_aisle(canvas, walls, y)
                y += AISLE
        return bottom

    def _draw_bay(self, row: Sequence[Shown], bay: _Bay) -> None:
        canvas = self.canvas
        wide, deep = self._footprint(row)
        wide = min(wide, bay.room)
        middle = (bay.left + bay.right) / 2
        left, top = middle - wide / 2, bay.bottom - 3 - deep if bay.is_upper else bay.top + 3
        tint = self.look.tints.get(self._cell(row, self.look.tint).text, UNTINTED)
        canvas.box((left, top), (left + wide, top + deep), fill=tint, line=INK)
        canvas.text((middle, top + deep / 2 - 7), row[0].text, 12, anchor="middle", bold=True)
        block = (len(self.lines) + 1) * LINE
        y = bay.top + 3 if bay.is_upper else bay.bottom - block - 6
        changed = any(one.changed for one in row)
        self._draw_label(row, (bay.left + 6, y), bay.room - (MARK if changed else 0))
        if changed:
            self._draw_mark((bay.right - 16, y + 4))
        canvas.line([(bay.right, bay.top + 6), (bay.right, bay.bottom - 6)], FAINT)

    def _draw_label(self, row: Sequence[Shown], at: tuple[float, float], room: float) -> None:
        """The name, and under it the fields with their units."""
        x, y = at
        size = self.canvas.fitting(row[1].text, NAME, room, bold="bold" in row[1].cue)
        letter(self.canvas, row[1], (x, y), size)
        for line in self.lines:
            y += LINE
            for nth, column in enumerate(line):
                self._draw_field(row[column], column, (x + nth * self.second, y))

    def _draw_field(self, one: Shown, column: int, at: tuple[float, float]) -> None:
        """A field as plans letter it: the name small, then the value with its unit."""
        (x, y), (name, unit) = at, self._parts(column)
        x += self.canvas.text((x, y + 1), name, SMALL, colour=QUIET) + 4
        x += letter(self.canvas, one, (x, y), SIZE)
        if one.content is not None:
            self.canvas.text((x + 2, y + 1), unit, SMALL, colour=QUIET)

    def _draw_mark(self, at: tuple[float, float]) -> None:
        """The triangle with the number of the revision that changed something here."""
        x, y = at
        corners = [(x - 10, y + 9), (x + 10, y + 9), (x, y - 8)]
        self.canvas.polygon(corners, fill=PAPER, line=CHANGED)
        number = str(self.revision)
        self.canvas.text((x, y - 2), number, 9, anchor="middle", bold=True, colour=CHANGED)


def _draw_aisle(canvas: Canvas, walls: tuple[float, float], top: float) -> None:
    """An aisle with a door at both ends."""
    left, right = walls
    low, middle = top + AISLE - 4, top + AISLE / 2
    canvas.box((left + WALL, top + 4), (right - WALL, low), fill=PATH)
    canvas.dashes((left + 60, middle), (right - 60, middle), AXIS, 8)
    ends: tuple[tuple[float, Anchor, int], ...] = ((left, "left", 1), (right, "right", -1))
    for x, anchor, inward in ends:
        canvas.box((x - 4, top + 4), (x + 4, low), fill=PAPER)
        near, far = x + 6 * inward, x + 14 * inward
        canvas.polygon([(near, middle - 5), (near, middle + 5), (far, middle)], fill=QUIET)
        canvas.text((x + 18 * inward, middle - 7), "DOOR", SMALL, anchor=anchor, colour=QUIET)
