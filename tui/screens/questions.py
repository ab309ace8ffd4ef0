"""The list of questions, narrowed by the filter language."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from mnemoscope.core.errors import UsageError
from mnemoscope.core.model import RetrievalState
from mnemoscope.core.scoring.clue_hits import clue_hits
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.desk import Desk
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["QuestionsScreen"]


class _QuestionRows:
    """Questions as rows; everything about a row is worked out when it comes into view."""

    def __init__(self, desk: Desk, keys: Sequence[str], palette: Palette) -> None:
        self._workspace = desk.workspace
        self._pair = desk.pair
        self._keys = keys
        self._palette = palette
        several = len(desk.workspace.release.histories) > 1
        columns = [Column("history", 8, middle=True, priority=3)] if several else []
        self._several = several
        columns.append(Column("question", 24, flex=1))
        columns.append(Column("task", 15, priority=4, dim=True))
        if desk.workspace.release.settings:
            columns.append(Column("setting", 8, priority=5, dim=True))
        lettered = any(question.options for question in desk.workspace.release.questions.values())
        columns.append(Column("gold", 4 if lettered else 14, priority=2, dim=True))
        columns += [Column(run.label, 12) for run in self._pair]
        # Only runs that store what they retrieved have anything to say about clues.
        self._with_clues = [run for run in self._pair if _stores_retrieval(run)]
        if self._with_clues:
            letters = " ".join(run.letter for run in self._with_clues)
            columns.append(Column(f"clues {letters}", 6 * len(self._with_clues) + 3, priority=6))
        self.columns: Sequence[Column] = columns

    @property
    def row_count(self) -> int:
        return len(self._keys)

    def cells(self, row: int) -> Sequence[Text | str]:
        release = self._workspace.release
        question = release.questions[self._keys[row]]
        cells: list[Text | str] = [question.history_id] if self._several else []
        cells += [question.stem, question.task.replace("_", " ")]
        if release.settings:
            cells.append(question.setting or "unlabelled")
        cells.append(str(question.gold))
        for run in self._pair:
            entry = run.entry(question.key)
            cells.append(outcome_label(entry, self._palette, answer=True))
        if self._with_clues:
            found = "".join(f"{self._clues(run, question.key):<6}" for run in self._with_clues)
            cells.append(styled(found.rstrip(), style("dim", self._palette)))
        return cells

    def _clues(self, run: JoinedRun, key: str) -> str:
        entry = run.entry(key)
        if entry is None:
            return "–"
        history = self._workspace.release.histories[entry.question.history_id]
        found = clue_hits(
            entry.question, entry.record, used_depth=run.run.used_depth, history=history
        )
        return f"{found.counts.found}/{found.counts.gold}" if found.recall is not None else "–"


def _stores_retrieval(run: JoinedRun) -> bool:
    return any(entry.record.retrieval.state is RetrievalState.IDS for entry in run.entries[:50])


class QuestionsScreen(DeskScreen):
    """Find the questions worth reading."""

    SCOPE: ClassVar[str] = "questions"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("questions")

    class Selected(Message):
        """A filter has been applied, or could not be."""

        def __init__(self, filter_text: str, keys: Sequence[str], problem: str) -> None:
            super().__init__()
            self.filter_text = filter_text
            self.keys = keys
            self.problem = problem

    def body(self) -> Iterator[Widget]:
        yield Input(placeholder=_EXAMPLE, id="filter", classes="line")
        yield VirtualList(_QuestionRows(self.desk, (), self.palette), empty_text=_EMPTY)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()

    def on_screen_resume(self) -> None:
        text = self.desk.selection.filter
        self.query_one(Input).value = text
        self.apply(text)

    def draw(self) -> None:
        selection = self.desk.selection
        rows = _QuestionRows(self.desk, selection.keys, self.palette)
        self.query_one(VirtualList).set_source(rows, keep=selection.cursor)
        self._draw_header()

    def _draw_header(self) -> None:
        selection = self.desk.selection
        total = len(self.desk.workspace.release.questions)
        left = styled("Questions  ", style("heading", self.palette))
        left.append(f"{len(selection.keys):,} of {total:,}", style("focus", self.palette))
        right = "   ".join(run.label for run in self.desk.pair) or "no runs open"
        self.header(left, right)

    # Filtering

    def apply(self, text: str) -> None:
        """Narrow the list by a filter."""
        self._select(text, self.desk.workspace)

    @work(thread=True, exclusive=True)
    def _select(self, text: str, workspace: Workspace) -> None:
        from mnemoscope.core.filters import parse

        try:
            keys = parse(text).select(workspace)
        except UsageError as error:
            self.post_message(self.Selected(text, (), str(error)))
            return
        self.post_message(self.Selected(text, tuple(keys), ""))

    def on_questions_screen_selected(self, message: Selected) -> None:
        if message.problem:
            self.notify(message.problem, title="Filter", severity="error", markup=False)
            self.query_one(Input).focus()
            return
        selection = self.desk.selection
        current = selection.key
        selection.filter, selection.keys = message.filter_text, message.keys
        selection.cursor = 0
        if current is not None:
            selection.go_to(current)
        self.draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(VirtualList).focus()
        self.apply(event.value)

    def action_filter(self) -> None:
        self.query_one(Input).focus()

    def _preset(self, text: str) -> None:
        self.query_one(Input).value = text
        self.apply(text)

    def action_all(self) -> None:
        self._preset("")

    def action_failures(self) -> None:
        self._preset("sys:A.wrong")

    def action_only_b(self) -> None:
        self._preset("sys:A.wrong sys:B.right")

    def action_only_a(self) -> None:
        self._preset("sys:A.right sys:B.wrong")

    def action_neither(self) -> None:
        self._preset("sys:A.wrong sys:B.wrong")

    def action_errors(self) -> None:
        self._preset("!status:ok")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        runs = len(self.desk.workspace.runs)
        if action in ("failures", "errors"):
            return runs > 0
        if action in ("only_a", "only_b", "neither"):
            return runs > 1
        if action in ("choose_a", "choose_b"):
            return runs > 1
        return super().check_action(action, parameters)

    # Runs and rows

    def action_choose_a(self) -> None:
        self._choose(0)

    def action_choose_b(self) -> None:
        self._choose(1)

    def _choose(self, place: int) -> None:
        def changed() -> None:
            self.apply(self.desk.selection.filter)

        self.app.push_screen(*choose_run(self.desk, place, changed))

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        self.desk.selection.cursor = message.row

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.desk.selection.cursor = message.row
        key = self.desk.selection.key
        if key is not None:
            self.desk_app.show_question(key)


_EXAMPLE = "filter, such as  task:entity setting:implicit sys:A.wrong /lamp/"
_EMPTY = (
    "No question passes the filter. Press 1 for all of them, or / to change the filter; "
    f"{MARKS['right'].glyph} it is understood, it only matches nothing."
)
