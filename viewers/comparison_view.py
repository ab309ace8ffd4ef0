"""Two runs compared in total, and how their configurations differ, as blocks of a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table

__all__ = [
    "OVERLAID_ROW",
    "PairTotals",
    "SettingRow",
    "configuration_blocks",
    "signed",
    "totals_blocks",
]


@dataclass(frozen=True, slots=True)
class PairTotals:
    """Who is right on how many questions."""

    name: str
    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def n(self) -> int:
        """All of them."""
        return self.both + self.only_a + self.only_b + self.neither


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting of two runs."""

    name: str
    a: str
    b: str
    equal: bool


def totals_blocks(
    total: PairTotals,
    rows: Sequence[PairTotals],
    p_value: float | None,
    notes: Sequence[str],
    palette: Palette,
    *,
    width: int = 0,
    overlaid: Sequence[PairTotals] = (),
) -> Iterator[Block]:
    """The counts, McNemar's p, a row per task, and what makes the comparison unequal.

    Rows of tasks have the target ``("task", name)``. What an overlay makes of a row stands below
    it: of all tasks, and of each whose counts it changes.

    Args:
        total: The counts of all tasks.
        rows: The counts of each.
        p_value: McNemar's p, if it is known.
        notes: What makes the comparison unequal.
        palette: The colours.
        width: The cells there are; columns that do not fit go into a table below. 0 never splits.
        overlaid: The counts with overlays, by the names of those as published.
    """
    right, wrong = MARKS["right"].glyph, MARKS["wrong"].glyph
    line = styled(f"n {total.n:,}", style("heading", palette))
    if p_value is not None:
        line.append("   McNemar exact p ", style("dim", palette)).append(f"{p_value:.3g}")
    yield Paragraph(line)
    by_name = {row.name: row for row in overlaid}
    cells = []
    for row in [total, *rows]:
        target = None if row is total else ("task", row.name)
        cells.append(Row(_totals_cells(row.name, row), target))
        other = by_name.get(row.name)
        if other is not None and (row is total or other != row):
            cells.append(Row(_totals_cells(OVERLAID_ROW, other)))
    headers = ["", "n", "A %", "B %", "B−A", "only A", "only B", f"both {right}", f"both {wrong}"]
    yield from table(
        headers, cells, palette, align="lrrrrrrrr", widest=(28,), width=width, least=12
    )
    for note in notes:
        yield Paragraph(styled(one_line(note), style("dim", palette)))


OVERLAID_ROW = f"{MARKS['flag'].glyph} overlaid"
"""The name of a row that holds the figures of the row above it as overlays have them."""


def _totals_cells(name: str, row: PairTotals) -> list[Text | str]:
    a = _share(row.both + row.only_a, row.n)
    b = _share(row.both + row.only_b, row.n)
    gap = signed(100 * (row.only_b - row.only_a) / row.n) if row.n else "–"
    counts = (row.only_a, row.only_b, row.both, row.neither)
    return [name, f"{row.n:,}", a, b, gap, *(f"{count:,}" for count in counts)]


def signed(value: float) -> str:
    """A difference with its sign, a true minus for a negative one."""
    return f"{value:+.1f}".replace("-", "−")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "–"


def configuration_blocks(
    labels: tuple[str, str], rows: Sequence[SettingRow], palette: Palette
) -> Iterator[Block]:
    """What differs between two configurations, then what is equal."""
    differing = [row for row in rows if not row.equal]
    equal = [row for row in rows if row.equal]
    title = styled("Configuration", style("heading", palette))
    title.append(f"  {len(differing)} differ, {len(equal)} equal", style("dim", palette))
    yield Paragraph(title)
    if not rows:
        text = "Neither run says anything about its configuration."
        yield Paragraph(styled(text, style("dim", palette)))
    for row in differing:
        yield Paragraph(styled(one_line(row.name), style("focus", palette)))
        for label, value in zip(labels, (row.a, row.b), strict=True):
            line = styled(f"{label}  ", style("dim", palette))
            line.append(one_line(value) or "not stated", "" if value else style("rest", palette))
            yield Paragraph(line, indent=2)
    if equal:
        yield Paragraph(Text(""))
        yield Paragraph(styled("equal", style("dim", palette)))
        for row in equal:
            line = styled(f"{one_line(row.name)}  ", style("dim", palette)).append(one_line(row.a))
            yield Paragraph(line, indent=2)
