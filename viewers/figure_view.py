"""Two runs compared by a stored figure, as blocks of a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.viewers.comparison_view import OVERLAID_ROW
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.tables import Row, table

__all__ = ["FigureTotals", "figure_blocks", "signed_figure"]


@dataclass(frozen=True, slots=True)
class FigureTotals:
    """Means of a figure over pairs, and on how many of them either run is higher."""

    name: str
    n: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    higher_a: int
    higher_b: int
    equal: int


def figure_blocks(
    metric: str,
    total: FigureTotals,
    rows: Sequence[FigureTotals],
    tests: Sequence[tuple[str, str]],
    notes: Sequence[str],
    palette: Palette,
    *,
    width: int = 0,
    overlaid: Sequence[FigureTotals] = (),
) -> Iterator[Block]:
    """The figure's name, tests by name, a row per task, and what makes the comparison unequal.

    Rows of tasks have the target ``("task", name)``. What an overlay makes of a row stands below
    it: of all tasks, and of each whose figures it changes.
    """
    line = styled(f"by {one_line(metric)}, as stored", style("heading", palette))
    line.append(f"  n {total.n:,}")
    for name, value in tests:
        line.append(f"   {name} ", style("dim", palette)).append(value)
    yield Paragraph(line)
    by_name = {row.name: row for row in overlaid}
    cells = []
    for row in [total, *rows]:
        target = None if row is total else ("task", row.name)
        cells.append(Row(_cells(row.name, row), target))
        other = by_name.get(row.name)
        if other is not None and (row is total or other != row):
            cells.append(Row(_cells(OVERLAID_ROW, other)))
    headers = ["", "n", "A", "B", "B−A", "A higher", "B higher", "equal"]
    yield from table(headers, cells, palette, align="lrrrrrrr", widest=(28,), width=width, least=12)
    for note in notes:
        yield Paragraph(styled(one_line(note), style("dim", palette)))


def _cells(name: str, row: FigureTotals) -> list[Text | str]:
    means = (_figure(row.mean_a), _figure(row.mean_b), signed_figure(row.difference))
    counts = (row.higher_a, row.higher_b, row.equal)
    return [name, f"{row.n:,}", *means, *(f"{count:,}" for count in counts)]


def signed_figure(value: float | None) -> str:
    """A difference with its sign, a true minus for a negative one."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
