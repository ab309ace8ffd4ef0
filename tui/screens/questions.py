"""The list of questions, narrowed by the filter language."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from mnemoscope.core.errors import UsageError
from mnemoscope.core.raw import RawPart, raw_question
from mnemoscope.core.sorting import sort_questions
from mnemoscope.core.text import clean, one_line
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.list_tools import ListTools
from mnemoscope.tui.screens.question_rows import QuestionRows
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["QuestionsScreen"]


class QuestionsScreen(ListTools):
    """Find the questions worth reading."""

    SCOPE: ClassVar[str] = "questions"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("questions")

    CSS = """
    QuestionsScreen #problem { display: none; color: $failure; padding: 0 1; }
    QuestionsScreen #detail { height: 3; border-top: solid $panel; }
    """

    class Selected(Message):
        """A filter has been applied, or could not be."""

        def __init__(self, filter_text: str, keys: Sequence[str], problem: str) -> None:
            super().__init__()
            self.filter_text = filter_text
            self.keys = keys
            self.problem = problem

    def body(self) -> Iterator[Widget]:
        yield LineInput(_EXAMPLE, id="filter")
        yield Static(id="problem", markup=False)
        yield VirtualList(
            QuestionRows(self.desk, (), self.palette), empty_text=self.sentence(_EMPTY)
        )
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(VirtualList).focus()

    def on_screen_resume(self) -> None:
        text = self.desk.selection.filter
        self.query_one(Input).value = text
        self.apply(text)

    def panes(self) -> Mapping[str, Page | VirtualList]:
        """The cursor of the list is kept with the list, by the question it stands on."""
        return {}

    def draw(self) -> None:
        selection = self.desk.selection
        rows = QuestionRows(self.desk, selection.keys, self.palette)
        self.query_one(VirtualList).set_source(rows, keep=selection.cursor)
        self._draw_header()

    def _draw_header(self) -> None:
        selection = self.desk.selection
        total = len(self.desk.workspace.release.questions)
        left = styled("Questions  ", style("heading", self.palette))
        left.append(f"{len(selection.keys):,} of {total:,}", style("focus", self.palette))
        if selection.order:
            arrow = "↓" if selection.descending else "↑"
            left.append(f"  by {selection.order} {arrow}", style("dim", self.palette))
        right = " · ".join(run.label for run in self.desk.pair) or "no runs open"
        self.header(left, right)

    def copies(self) -> Sequence[tuple[str, str]]:
        selection = self.desk.selection
        found = [("question key", selection.key)] if selection.key else []
        found.append(("keys of the list", "\n".join(selection.keys)))
        arguments = [f"--filter={selection.filter}"] if selection.filter else []
        command = twin_command("score", self.desk_app.request, arguments)
        return [*found, ("filter", selection.filter), ("command", command)]

    def raw(self) -> RawPart | None:
        key = self.desk.selection.key
        release = self.desk.workspace.release
        return raw_question(release, release.questions[key]) if key else None

    # Filtering

    def apply(self, text: str) -> None:
        """Narrow the list by a filter."""
        selection = self.desk.selection
        self._select(text, self.desk.workspace, selection.order, selection.descending)

    @work(thread=True, exclusive=True, description="")
    def _select(self, text: str, workspace: Workspace, order: str, down: bool) -> None:
        from mnemoscope.core.filters import parse

        try:
            keys = sort_questions(workspace, parse(text).select(workspace), order, descending=down)
        except UsageError as error:
            self.post_message(self.Selected(text, (), str(error)))
            return
        self.post_message(self.Selected(text, tuple(keys), ""))

    def on_questions_screen_selected(self, message: Selected) -> None:
        self._say(message.problem)
        if message.problem:
            self.query_one(Input).focus()
            return
        selection = self.desk.selection
        current = selection.key
        selection.filter, selection.keys = message.filter_text, message.keys
        self.query_one(Input).value = message.filter_text
        selection.cursor = 0
        if current is not None:
            selection.go_to(current)
        self.draw()

    def _say(self, problem: str) -> None:
        """Show what is wrong with the filter under it, or nothing."""
        line = self.query_one("#problem", Static)
        line.update(clean(problem))
        line.display = bool(problem)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(VirtualList).focus()
        self.apply(event.value)

    def action_filter(self) -> None:
        self.query_one(Input).focus()

    def on_line_input_left(self) -> None:
        self.query_one(Input).value = self.desk.selection.filter
        self._say("")
        self.query_one(VirtualList).focus()

    def action_fields(self) -> None:
        from mnemoscope.core.filters import help_rows

        rows = help_rows()

        def chosen(index: int | None) -> None:
            if index is not None:
                line = self.query_one(Input)
                line.value = f"{line.value} {rows[index][0]}".strip()
                line.focus()

        columns = (Column("term", 22), Column("selects questions with", 20, flex=1))
        self.app.push_screen(Chooser("What a filter understands", columns, rows), chosen)

    def _preset(self, text: str, action: str = "all") -> None:
        if self.refuse(action):
            return
        self.query_one(Input).value = text
        self.apply(text)

    def action_all(self) -> None:
        self._preset("")

    def action_failures(self) -> None:
        self._preset("sys:A.wrong", "failures")

    def action_only_b(self) -> None:
        self._preset("sys:A.wrong sys:B.right", "only_b")

    def action_only_a(self) -> None:
        self._preset("sys:A.right sys:B.wrong", "only_a")

    def action_neither(self) -> None:
        self._preset("sys:A.wrong sys:B.wrong", "neither")

    def action_errors(self) -> None:
        self._preset("sys:A.unparsed|error", "errors")

    def why_not(self, action: str) -> str:
        needed = {"failures": 1, "errors": 1, "only_a": 2, "only_b": 2, "neither": 2}
        needed |= {"choose_a": 2, "choose_b": 2}
        return self.needs_runs(needed[action]) if action in needed else ""

    # Runs and rows

    def action_choose_a(self) -> None:
        self._choose(0)

    def action_choose_b(self) -> None:
        self._choose(1)

    def _choose(self, place: int) -> None:
        if self.refuse("choose_a"):
            return

        def changed() -> None:
            self.apply(self.desk.selection.filter)

        self.app.push_screen(*choose_run(self.desk, place, changed))

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        selection = self.desk.selection
        selection.cursor = message.row
        question = self.desk.workspace.release.questions[selection.keys[message.row]]
        dim = style("dim", self.palette)
        line = styled(f"{question.key}  ", dim).append(one_line(question.stem))
        self.query_one("#detail", Page).set_blocks([Paragraph(line)])

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.desk.selection.cursor = message.row
        key = self.desk.selection.key
        if key is not None:
            self.desk_app.show_question(key, self.desk.selection)


_EXAMPLE = "filter, such as  task:entity setting:implicit sys:A.wrong /lamp/"
_EMPTY = (
    "No question passes the filter: it is understood, and nothing matches. "
    "{questions.all} shows all questions, {questions.filter} changes the filter, "
    "{questions.fields} lists what it understands."
)
