"""A plain list of rows: defects, records that join to nothing, what looks wrong about runs."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from mnemoscope.core.defects import Defect, Severity
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

if TYPE_CHECKING:
    from mnemoscope.analyses.suspicion import Suspicion

__all__ = ["RowsScreen", "defects_screen", "joins_screen", "suspicions_screen"]

_LONGEST = 1_000
_LOOKS = {Severity.ERROR: "error", Severity.WARNING: "wrong", Severity.REPAIRED: "right"}


class _Rows:
    """Rows of plain cells."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Sequence[Text | str]]) -> None:
        self.columns = columns
        self.rows = rows

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        return self.rows[row]


class RowsScreen(DeskScreen):
    """A list with the full text of the row under the cursor below it."""

    SCOPE: ClassVar[str] = "rows"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("rows")
    CSS = """
    RowsScreen > Page { height: auto; max-height: 45%; border-top: solid $panel; }
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Text | str]],
        empty_text: str,
    ) -> None:
        super().__init__()
        self._title = title
        self._rows = _Rows(columns, rows)
        self._empty_text = empty_text

    def body(self) -> Iterator[Widget]:
        yield VirtualList(self._rows, empty_text=self._empty_text)
        yield Page()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()

    def draw(self) -> None:
        self.header(
            styled(self._title, style("heading", self.palette)), f"{len(self._rows.rows):,} rows"
        )

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        dim = style("dim", self.palette)
        row = self._rows.rows[message.row]
        blocks = [
            Paragraph(styled(f"{column.title}  ", dim).append(str(cell)))
            for column, cell in zip(self._rows.columns, row, strict=True)
            if str(cell)
        ]
        self.query_one(Page).set_blocks(blocks)


def defects_screen(defects: Sequence[Defect], palette: Palette) -> RowsScreen:
    """Every defect, worst first."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.REPAIRED: 2}
    columns = (
        Column("severity", 9),
        Column("what", 18, flex=1),
        Column("file", 16, flex=2, middle=True, priority=2),
        Column("path", 20, flex=3, middle=True),
        Column("found", 20, flex=3, priority=1),
        Column("expected", 14, flex=2, priority=3),
        Column("read as", 8, flex=1, priority=4),
    )
    rows = [
        (
            styled(one.severity.value, style(_LOOKS[one.severity], palette)),
            one.code.replace("_", " "),
            one.file,
            one.path,
            one.found,
            one.expected,
            one.repair,
        )
        for one in sorted(defects, key=lambda defect: order[defect.severity])
    ]
    return RowsScreen(
        "Defects", columns, rows, "No defects: everything could be read as it stands."
    )


def joins_screen(workspace: Workspace) -> RowsScreen:
    """Every record that joins to no question, with why."""
    columns = (
        Column("run", 12, flex=1),
        Column("reason", 13),
        Column("what the row says", 24, flex=4),
        Column("file", 16, flex=2, middle=True, priority=1),
        Column("path", 12, flex=1, middle=True, priority=2),
    )
    rows = []
    for run in workspace.runs:
        for one in run.join.unjoined:
            record = run.run.records[one.record]
            reason = one.reason.value.replace("_", " ")
            rows.append((run.label, reason, one.detail, record.file, record.place))
    return RowsScreen(
        "Records without a question", columns, rows, "Every record joins to a question."
    )


def suspicions_screen(suspicions: Sequence["Suspicion"]) -> RowsScreen:
    """Every example of what looks wrong about the runs."""
    columns = (
        Column("run", 10, flex=1),
        Column("what", 22, flex=3),
        Column("example", 18, flex=3),
        Column("question", 10, flex=1, middle=True, priority=1),
        Column("code", 14, flex=1, priority=4),
        Column("file", 14, flex=1, middle=True, priority=2),
        Column("path", 10, flex=1, middle=True, priority=3),
        Column("repair", 8, priority=5),
    )
    rows = []
    for one in suspicions:
        what = f"{one.count:,} of {one.of:,} {one.what} {one.says}"
        repair = f"--repair {one.repair}" if one.repair else ""
        for each in one.examples:
            place = (each.file, each.path, repair)
            rows.append((one.run, what, each.said[:_LONGEST], each.key, one.code, *place))
    return RowsScreen("Suspicious", columns, rows, "Nothing looks wrong about the runs.")
