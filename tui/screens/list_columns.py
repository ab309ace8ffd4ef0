"""A list of questions in columns of the user's choice."""

from collections.abc import Sequence
from typing import ClassVar

from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.text import counted
from mnemoscope.tui.screens.base import DeskScreen
from mnemoscope.tui.screens.question_rows import QuestionRows, usual_columns
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["ListColumns"]


class ListColumns(DeskScreen):
    """A screen with a list of questions whose columns can be chosen."""

    LIST: ClassVar[str] = ""
    """What the choice of columns is kept under."""
    QUESTION_CELLS: ClassVar[int] = 24
    """The least that is given to what is asked before other columns are."""

    def shown_columns(self) -> Sequence[QuestionColumn]:
        """The columns of the list: the chosen ones, or the usual ones."""
        return self._chosen_columns() or usual_columns(self.desk, self.LIST)

    def question_rows(self, keys: Sequence[str]) -> QuestionRows:
        """Questions as rows of the list."""
        return QuestionRows(
            self.desk,
            keys,
            self.palette,
            self.shown_columns(),
            chosen=bool(self._chosen_columns()),
            words=self.desk.words,
            question_cells=self.QUESTION_CELLS,
        )

    def unseen_columns(self, of: VirtualList) -> str:
        """How many of the chosen columns need a wider terminal, in words; empty for none."""
        count = of.dropped_columns if self._chosen_columns() else 0
        return f"{counted(count, 'column')} too many for the width" if count else ""

    def action_columns(self) -> None:
        """Choose the columns of the list and their order."""
        from mnemoscope.tui.screens.columns import ColumnsScreen

        self.app.push_screen(ColumnsScreen(self.LIST, [one.name for one in self.shown_columns()]))

    def _chosen_columns(self) -> Sequence[QuestionColumn]:
        store = self.desk_app.column_store
        found = store.shown(self.LIST, self.desk.columns)
        problem = store.take_problem()
        if problem:
            self.notify(problem, title="Columns", severity="warning", markup=False, timeout=15)
        return found
