"""Choosing which columns a list has, and in what order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.text import one_line
from mnemoscope.tui.actions import SCREENS
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.tui.screens.question_rows import usual_columns
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["ColumnsScreen"]


class _ColumnRows:
    """All columns, with a sign before those shown, and what each says of one question."""

    columns: Sequence[Column] = (
        Column("", 1, help="whether the list shows it"),
        Column("column", 16, flex=1, help="its name, by which it is chosen"),
        Column("what it holds", 22, flex=3, dim=True, help="what it says of a question"),
        Column(
            "here",
            12,
            flex=2,
            priority=1,
            help="what it says of the question under the cursor of the list",
        ),
    )

    def __init__(self, rows: Sequence[tuple[bool, QuestionColumn, str]], palette: Palette) -> None:
        self._rows = rows
        self._palette = palette

    @property
    def row_count(self) -> int:
        return len(self._rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        shown, column, here = self._rows[row]
        sign = styled(MARKS["right"].glyph if shown else "", style("focus", self._palette))
        name = styled(one_line(column.name), style("text" if shown else "dim", self._palette))
        return sign, name, column.help, one_line(here)


class ColumnsScreen(DeskScreen):
    """Choose the columns of a list. Every change holds at once, and is kept."""

    SCOPE: ClassVar[str] = "columns"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "columns": PaneHelp(
            "Every column that the list can have, those shown first. {columns.switch} shows or "
            "hides one, {columns.earlier} and {columns.later} move it. A change holds at once and "
            "is kept.",
            marks=("right",),
            cannot="Columns that no open run has anything to say in are not offered.",
        ),
    }
    IS_PLACE: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("columns")

    def __init__(self, of_list: str, shown: Sequence[str]) -> None:
        super().__init__()
        self._list = of_list
        self._shown = list(shown)
        self._order: list[str] = []

    def body(self) -> Iterator[Widget]:
        yield VirtualList(_ColumnRows((), self.palette), id="columns")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()

    def draw(self) -> None:
        by_name = {column.name: column for column in self.desk.columns}
        # Rows stay where they are while columns are shown and hidden.
        known = self._order or self._shown
        self._order = list(dict.fromkeys([*known, *by_name]))
        questions = self.desk.workspace.release.questions
        question = questions.get(self.desk.selection.key or next(iter(questions), ""))
        rows = [
            (name in self._shown, by_name[name], by_name[name].text(question) if question else "")
            for name in self._order
            if name in by_name
        ]
        self._order = [column.name for _, column, _ in rows]
        listed = self.query_one(VirtualList)
        listed.set_source(_ColumnRows(rows, self.palette), keep=max(0, listed.cursor))
        left = styled(f"Columns of {SCREENS[self._list].lower()}", style("heading", self.palette))
        left.append(f"  {len(self._shown)} of {len(rows)}", style("focus", self.palette))
        self.header(left, "in this order from left to right")

    @property
    def _current(self) -> str:
        """The column under the cursor."""
        return self._order[self.query_one(VirtualList).cursor]

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.action_switch()

    def action_switch(self) -> None:
        """Show or hide the column under the cursor."""
        name = self._current
        if self._shown == [name]:
            self.notify("One column has to stay.")
        else:
            self._keep([one for one in self._order if (one in self._shown) != (one == name)])

    def action_earlier(self) -> None:
        """Move the column under the cursor towards the left of the list."""
        self._move(-1)

    def action_later(self) -> None:
        """Move the column under the cursor towards the right of the list."""
        self._move(1)

    def action_usual(self) -> None:
        """Go back to the usual columns."""
        usual = usual_columns(self.desk, self._list)
        self._shown, self._order = [column.name for column in usual], []
        self._say(self.desk_app.column_store.choose(self._list, ()))
        self.draw()

    def _move(self, step: int) -> None:
        listed = self.query_one(VirtualList)
        place = listed.cursor + step
        if not 0 <= place < len(self._order):
            return
        order = self._order
        order[place], order[listed.cursor] = order[listed.cursor], order[place]
        listed.cursor = place
        self._keep([one for one in order if one in self._shown])

    def _keep(self, shown: Sequence[str]) -> None:
        self._shown = list(shown)
        store = self.desk_app.column_store
        # Columns of runs that are not open now come back when they are.
        absent = [one for one in store.choice(self._list) if one not in self._order]
        self._say(store.choose(self._list, (*shown, *absent)))
        self.draw()

    def _say(self, problem: str) -> None:
        if problem:
            self.notify(problem, severity="warning", markup=False)
