"""What can be done with a list of questions: sort, save its filter, export it."""

from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.message import Message

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.export import export_questions
from mnemoscope.core.filters import parse
from mnemoscope.core.outcomes import count_outcomes
from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.sorting import orders
from mnemoscope.core.text import counted
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.chooser import Choice, Chooser
from mnemoscope.tui.screens.list_columns import ListColumns
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import counts_text

__all__ = ["ListTools"]


class ListTools(ListColumns):
    """The tools of a screen that shows the desk's selection of questions."""

    class SavedCounted(Message):
        """The saved filters have been counted out."""

        def __init__(self, filters: Sequence[tuple[str, str]], rows: Sequence[Choice]) -> None:
            super().__init__()
            self.filters = filters
            self.rows = rows

    def apply(self, text: str) -> None:
        """Narrow the list by a filter; the screen does it."""
        raise AssertionError("a screen with a list narrows it")

    def action_sort(self) -> None:
        """Choose the order of the list; the same order again turns it round."""
        names = orders(self.desk.workspace)
        selection = self.desk.selection
        rows = [(name, _arrow(name == selection.order, selection.descending)) for name in names]
        current = names.index(selection.order) if selection.order in names else 0

        def chosen(index: int | None) -> None:
            if index is not None:
                self.sort_by(names[index])

        columns = (Column("order", 24, flex=1), Column("", 10, dim=True))
        self.app.push_screen(Chooser("Sort by", columns, rows, current=current), chosen)

    def sort_by(self, order: str) -> None:
        """Sort by an order; the same order again turns it round."""
        selection = self.desk.selection
        again = order == selection.order
        selection.descending = again and not selection.descending
        selection.order = order
        self.apply(selection.filter)

    def action_save_filter(self) -> None:
        """Give the filter a name."""
        text = self.desk.selection.filter
        if not text:
            text = "There is no filter to save: {questions.filter} sets one."
            self.notify(self.sentence(text), markup=False)
            return

        def named(name: str | None) -> None:
            if name is not None:
                self.notify(SavedFilters().try_save(name, text), markup=False)

        self.app.push_screen(Prompt(f"Save “{text}” as", "a name"), named)

    def action_saved(self) -> None:
        """Choose a saved filter; each is shown with how A and B do on what it selects."""
        saved = SavedFilters().load()
        if saved:
            self._count_saved(tuple(saved.items()), self.desk.workspace)
        else:
            text = "No filter is saved yet: {questions.save_filter} saves the one that is set."
            self.notify(self.sentence(text), markup=False)

    @work(thread=True, exclusive=True, group="saved", description="count saved")
    def _count_saved(self, filters: Sequence[tuple[str, str]], workspace: Workspace) -> None:
        rows = [(name, text, *_counts(workspace, text)) for name, text in filters]
        self.post_message(self.SavedCounted(filters, rows))

    def on_list_tools_saved_counted(self, message: SavedCounted) -> None:
        def chosen(index: int | None) -> None:
            if index is not None:
                # After the screen has come back and applied the filter it left with.
                self.call_after_refresh(self.apply, message.filters[index][1])

        def forget(index: int) -> None:
            self.notify(SavedFilters().try_save(message.filters[index][0], ""), markup=False)

        columns = [Column("name", 12, flex=1), Column("filter", 16, flex=2)]
        columns += [Column("questions", 9, align="right")]
        columns += [Column(run.letter, 17) for run in self.desk.pair]
        chooser = Chooser("Saved filters", columns, message.rows, forget=forget)
        self.app.push_screen(chooser, chosen)

    def action_export(self) -> None:
        """Choose what of the list to write, and where to."""
        every, shown = self.desk.columns, self.shown_columns()
        names = ", ".join(column.name for column in shown)
        rows = [
            ("the columns shown", f"the key, then {names}"),
            ("everything", f"the key, then all {len(every)} columns, of every run"),
        ]
        count = counted(len(self.desk.selection.keys), "question")

        def chosen(index: int | None) -> None:
            if index is not None:
                self._ask_for_file(f"{count} with {rows[index][0]}", every if index else shown)

        columns = (Column("what", 18), Column("", 30, flex=1, dim=True))
        self.app.push_screen(Chooser(f"Write {count} to a file", columns, rows), chosen)

    def _ask_for_file(self, what: str, columns: Sequence[QuestionColumn]) -> None:
        def named(written: str | None) -> None:
            if written is not None:
                self._export(Path(written).expanduser(), columns)

        example = "a path ending in .csv or .json"
        self.app.push_screen(Prompt(f"Write {what} to", example, "questions.csv"), named)

    def _export(self, path: Path, columns: Sequence[QuestionColumn]) -> None:
        keys = self.desk.selection.keys
        try:
            export_questions(self.desk.workspace, keys, columns, path)
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            text = f"{counted(len(keys), 'question')} written to {path.resolve()}"
            self.notify(text, markup=False)


def _arrow(current: bool, descending: bool) -> str:
    return ("↓" if descending else "↑") if current else ""


def _counts(workspace: Workspace, text: str) -> Sequence[str]:
    """How many questions a filter selects, and what became of them in A and B."""
    runs = workspace.runs[:2]
    try:
        keys = parse(text).select(workspace)
    except UsageError:
        return ("–", *("does not fit here" for _ in runs))
    return (f"{len(keys):,}", *(counts_text(count_outcomes(run, keys)) for run in runs))
