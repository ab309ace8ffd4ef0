"""What belongs to no entity of a ledger, as rows of a list."""

from collections.abc import Sequence

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.ledger_grid import EFFECT_MARKS, Grid, authority_label
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

__all__ = ["TotalRows"]

_LABEL = (14, 22)
"""The least and the most cells of names; with more, all columns do not fit 80 cells."""


class TotalRows:
    """Totals, rules and orderings: what belongs to no entity."""

    def __init__(self, grid: Grid, palette: Palette) -> None:
        self.grid = grid
        self._palette = palette
        labels = (cell_width(grid.label(one.component)) for one in grid.totals)
        least, most = _LABEL
        width = min(most, max((least, *labels)))
        self.columns: Sequence[Column] = (
            Column("", 1, help="what the round did to it"),
            Column("total or rule", width, flex=1, help="what it is, and of which group"),
            Column("accepted", 10, flex=2, help="what is true now"),
            Column("visual", 8, flex=1, priority=2, help="in the visual state; = as accepted"),
            Column("shown", 8, flex=1, priority=1, help="on the last upload; = as visual"),
            Column("authority", 10, priority=3, help="on what it rests; empty where it follows"),
            Column("since", 6, flex=1, priority=4, dim=True, help="the round that said so"),
        )

    @property
    def row_count(self) -> int:
        return len(self.grid.totals)

    def cells(self, row: int) -> Sequence[Text | str]:
        one, grid = self.grid.totals[row], self.grid
        mark = EFFECT_MARKS[one.effect] if one.effect is not None else ""
        effect = styled(MARKS[mark].glyph, style(mark, self._palette)) if mark else Text(" ")
        values = [grid.text(one.component, each) for each in (one.accepted, one.visual, one.shown)]
        return [
            effect,
            grid.label(one.component),
            values[0],
            "=" if values[1] == values[0] else values[1],
            "=" if values[2] == values[1] else values[2],
            authority_label(one.authority, self._palette),
            one_line(one.source_round),
        ]
