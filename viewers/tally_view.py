"""Counts of tags as the rows of lists: frequencies with bars, a pivot, and groups of questions."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from mnemoscope.core.text import one_line
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.columns import GAP, Column
from mnemoscope.viewers.styles import Palette, style, styled

__all__ = ["Frequency", "FrequencyRows", "Group", "GroupRows", "PivotRows", "bar", "heat"]

_BAR = 24
_LABEL = 18
_TOTAL = 8
_HEAT = "▁▂▃▄▅▆▇█"


def bar(share: float, cells: int) -> str:
    """A bar over a share of so many cells, exact to half a cell; something for anything above 0."""
    halves = max(round(share * cells * 2), 1 if share else 0)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def heat(count: int, most: int) -> str:
    """One sign that is the higher the larger a count is against the largest; empty for 0."""
    return _HEAT[min(7, 8 * count // (most + 1))] if count else ""


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a tag stands."""

    slug: str
    title: str
    stage: str
    is_kind: bool
    """Whether it is a kind of a tag above it."""
    count: int


class FrequencyRows:
    """Tags with how many targets carry each."""

    def __init__(self, rows: Sequence[Frequency], reviewed: int, palette: Palette) -> None:
        self.rows = rows
        self._reviewed = reviewed
        self._most = max((one.count for one in rows), default=0)
        self._palette = palette
        self.columns: Sequence[Column] = (
            Column("tag", 32, help="its name; a kind of another stands below that, set in"),
            Column("stage", 20, priority=2, dim=True, help="the stage that it belongs to"),
            Column(
                "n",
                7,
                align="right",
                help="targets that carry it; one that several tagged alike counts once",
            ),
            Column(
                "share",
                7,
                align="right",
                help="of the targets reviewed; several tags may stand on one",
            ),
            Column("", _BAR, flex=1, priority=1, help="the share of the most frequent tag"),
        )

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one, palette = self.rows[row], self._palette
        look = style("text" if one.count else "dim", palette)
        share = f"{100 * one.count / self._reviewed:.1f}%" if self._reviewed else "–"
        drawn = bar(one.count / self._most, _BAR) if self._most else ""
        return [
            styled(f"{'  ' * one.is_kind}{one_line(one.title)}", look),
            one_line(one.stage),
            styled(f"{one.count:,}", look),
            styled(share, look),
            styled(drawn, style("focus", palette)),
        ]


class PivotRows:
    """A table of counts, of which as many columns are shown as there is room for.

    After the label stands the total of each row, then the columns; the last row is that of totals.
    """

    def __init__(
        self,
        rows: Sequence[tuple[str, Sequence[int], int]],
        heads: Sequence[str],
        totals: tuple[Sequence[int], int],
        palette: Palette,
        *,
        down: str = "",
        width: int = 80,
        chosen: int = -1,
    ) -> None:
        """Lay the table out.

        Args:
            rows: Label, counts by column, total.
            heads: Titles of the columns.
            totals: Totals of the columns, and of all.
            palette: The colours.
            down: What the labels are.
            width: The cells there are.
            chosen: The column that the cursor stands on; -1 for that of totals.
        """
        self._rows = [*rows, ("all", *totals)] if rows else []
        self._most = max((count for _, counts, _ in rows for count in counts), default=0)
        self._palette = palette
        self.chosen = min(chosen, len(heads) - 1)
        self.at_row = -1
        """The row that the cursor stands on."""
        room = width - 3 - _LABEL - _TOTAL - GAP
        each = min(16, max([8, *(cell_width(one_line(head)) for head in heads)]))
        if len(heads) * (each + GAP) > room:
            each = min(each, 12)
        self.fitting = max(1, room // (each + GAP))
        self.first = max(0, min(self.chosen, len(heads) - self.fitting))
        self.shown = range(self.first, min(len(heads), self.first + self.fitting))
        self.columns: Sequence[Column] = (
            Column(down, _LABEL, flex=1, help="what is counted in the row"),
            Column(
                "all",
                _TOTAL,
                align="right",
                help="targets of the row; one in several columns counts once",
            ),
            *(
                Column(one_line(heads[at]), each, align="right", help="targets of row and column")
                for at in self.shown
            ),
        )

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def column_of(self, shown: int) -> int | None:
        """Which column of the table one that is shown is: -1 for totals, None for labels."""
        return None if shown == 0 else -1 if shown == 1 else self.first + shown - 2

    def cells(self, row: int) -> Sequence[Text | str]:
        label, counts, total = self._rows[row]
        is_total = row == len(self._rows) - 1
        look = style("heading" if is_total else "text", self._palette)
        return [
            styled(one_line(label), look),
            self._cell(total, sign=None, here=row == self.at_row and self.chosen == -1),
            *(
                self._cell(
                    counts[at],
                    sign="" if is_total else heat(counts[at], self._most),
                    here=row == self.at_row and self.chosen == at,
                )
                for at in self.shown
            ),
        ]

    def _cell(self, count: int, *, sign: str | None, here: bool) -> Text:
        """A count with a sign, or with room for one so that counts stand below each other."""
        palette = self._palette
        text = styled(f"{count:,}" if count else "·", style("text" if count else "dim", palette))
        if sign is not None:
            text.append(f" {sign or ' '}", style("focus", palette))
        if not here:
            return text
        return Text().append("▸ ", style("focus", palette)).append_text(text)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of questions, such as those of a saved filter."""

    title: str
    filter: str
    questions: str
    outcomes: Sequence[str]
    """What became of them in A and B."""
    tagged: str
    """How many targets of them are reviewed, and the tag that is most frequent there."""


def _outcomes_width(rows: Sequence[Group], place: int) -> int:
    """Cells that hold what became of any group's questions in a run; figures are not cut."""
    widths = (cell_width(row.outcomes[place]) for row in rows if place < len(row.outcomes))
    return max(14, *widths)


class GroupRows:
    """Groups with how the runs did on each, and how each is tagged."""

    def __init__(self, rows: Sequence[Group], letters: Sequence[str], palette: Palette) -> None:
        self.rows = rows
        self._palette = palette
        runs = (
            Column(
                letter,
                _outcomes_width(rows, place),
                priority=place + 1,
                help="what became of its questions in that run: "
                "what failed is counted apart from what is wrong",
            )
            for place, letter in enumerate(letters)
        )
        self.columns: Sequence[Column] = (
            Column("group", 14, flex=1, help="a saved filter, or what a review came to"),
            Column("filter", 12, flex=1, priority=4, dim=True, help="the filter it stands for"),
            Column("rows", 6, align="right", help="how many questions, or sessions, it has"),
            *runs,
            Column(
                "tagged",
                24,
                flex=1,
                help="targets in it that are reviewed, and what is found most often there",
            ),
        )

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.rows[row]
        return [one.title, one.filter, one.questions, *one.outcomes, one.tagged]
