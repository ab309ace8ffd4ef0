"""What can be done with a list of questions: sort, save its filter, export it."""

from pathlib import Path

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.export import export_questions
from mnemoscope.core.filters import parse
from mnemoscope.core.sorting import orders
from mnemoscope.core.text import counted
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.base import DeskScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.viewers.columns import Column

__all__ = ["ListTools"]


class ListTools(DeskScreen):
    """The tools of a screen that shows the desk's selection of questions."""

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
                again = names[index] == selection.order
                selection.descending = again and not selection.descending
                selection.order = names[index]
                self.apply(selection.filter)

        columns = (Column("order", 24, flex=1), Column("", 10, dim=True))
        self.app.push_screen(Chooser("Sort by", columns, rows, current=current), chosen)

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
        """Choose a saved filter; each is shown with how many pass it right and wrong in A."""
        saved = SavedFilters().load()
        if not saved:
            text = "No filter is saved yet: {questions.save_filter} saves the one that is set."
            self.notify(self.sentence(text), markup=False)
            return
        names = list(saved)
        rows = [(name, saved[name], _counts(self.desk.workspace, saved[name])) for name in names]

        def chosen(index: int | None) -> None:
            if index is not None:
                # After the screen has come back and applied the filter it left with.
                self.call_after_refresh(self.apply, saved[names[index]])

        columns = (Column("name", 16, flex=1), Column("filter", 20, flex=2), Column("A", 18))
        self.app.push_screen(Chooser("Saved filters", columns, rows), chosen)

    def action_export(self) -> None:
        self.app.push_screen(
            Prompt("Write the list to a file", "a path ending in .csv or .json", "questions.csv"),
            self._export,
        )

    def _export(self, written: str | None) -> None:
        if written is None:
            return
        path, keys = Path(written).expanduser(), self.desk.selection.keys
        try:
            export_questions(self.desk.workspace, keys, path)
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            text = f"{counted(len(keys), 'question')} written to {path.resolve()}"
            self.notify(text, markup=False)


def _arrow(current: bool, descending: bool) -> str:
    return ("↓" if descending else "↑") if current else ""


def _counts(workspace: Workspace, text: str) -> str:
    """How many questions pass a filter, and of those how many A gets right and wrong."""
    try:
        keys = parse(text).select(workspace)
    except UsageError:
        return "does not fit here"
    if not workspace.runs:
        return counted(len(keys), "question")
    entries = [workspace.runs[0].entry(key) for key in keys]
    judged = [entry.judgement.right for entry in entries if entry and entry.judgement.judged]
    return f"{len(keys):,}: {judged.count(True):,} ✓ {judged.count(False):,} ✗"
