"""A plain list of rows: what looks wrong about runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from mnemoscope.tui.pane_help import DETAIL, PaneHelp
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

if TYPE_CHECKING:
    from mnemoscope.analyses.suspicion import Suspicion

__all__ = ["RowsScreen", "suspicions_screen"]

_LONGEST = 1_000


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
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "rows": PaneHelp(
            "What looks wrong about the runs, with examples. No figure is changed by it.",
            figures={"n of m": "records that look so, of all that were looked at"},
            cannot="Whether it is wrong: it is a suspicion by a rule. Only examples are listed.",
        ),
        "detail": DETAIL,
    }
    IS_PLACE: ClassVar[bool] = False
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
        yield VirtualList(self._rows, empty_text=self._empty_text, id="rows")
        yield Page(id="detail")

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


def suspicions_screen(suspicions: Sequence["Suspicion"]) -> RowsScreen:
    """Every example of what looks wrong about the runs."""
    columns = (
        Column("run", 10, flex=1, help="the run that it is about"),
        Column("what", 22, flex=3, help="how many records look so, of how many"),
        Column("example", 18, flex=3, help="what one of them says"),
        Column("question", 10, flex=1, middle=True, priority=1, help="the key of its question"),
        Column("code", 14, flex=1, priority=4, help="what this kind of suspicion is called"),
        Column("file", 14, flex=1, middle=True, priority=2, help="where it stands"),
        Column("path", 10, flex=1, middle=True, priority=3, help="its place in the file"),
        Column("repair", 8, priority=5, help="the option that reads it otherwise"),
    )
    rows = []
    for one in suspicions:
        what = f"{one.count:,} of {one.of:,} {one.what} {one.says}"
        repair = f"--repair {one.repair}" if one.repair else ""
        for each in one.examples:
            place = (each.file, each.path, repair)
            rows.append((one.run, what, each.said[:_LONGEST], each.key, one.code, *place))
    return RowsScreen("Suspicious", columns, rows, "Nothing looks wrong about the runs.")
