"""The list of questions, narrowed by the filter language."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.filters import searched_texts
from mnemoscope.core.model import Question
from mnemoscope.core.outcomes import count_outcomes
from mnemoscope.core.raw import RawPart, raw_question
from mnemoscope.core.sorting import RELEASE_ORDER, sort_questions
from mnemoscope.core.text import clean, one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.presets import PRESETS, PresetBar, count_presets
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.list_tools import ListTools
from mnemoscope.tui.screens.questions_help import QUESTIONS_HELP
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.matches import Words, excerpt, marked
from mnemoscope.viewers.outcomes import counts_text
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["QuestionsScreen"]


class QuestionsScreen(ListTools):
    """Find the questions worth reading."""

    SCOPE: ClassVar[str] = "questions"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = QUESTIONS_HELP
    LIST: ClassVar[str] = "questions"
    TWIN: ClassVar[str] = "mnemoscope matrix RELEASE RUN … --rows"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("questions")

    CSS = """
    QuestionsScreen #problem { display: none; color: $failure; padding: 0 1; }
    QuestionsScreen #detail { height: 3; border-top: solid $panel; }
    """

    class Selected(Message):
        """A filter has been applied, or could not be."""

        def __init__(
            self, filter_text: str, keys: Sequence[str], counts: Sequence[str], problem: str
        ) -> None:
            super().__init__()
            self.filter_text = filter_text
            self.keys = keys
            self.counts = counts
            self.problem = problem

    class PresetsCounted(Message):
        """It is known how many questions each preset selects."""

        def __init__(self, counts: Mapping[str, int], workspace: Workspace) -> None:
            super().__init__()
            self.counts = counts
            self.workspace = workspace

    def __init__(self) -> None:
        super().__init__()
        self._counts: Sequence[str] = ()
        self._presets: Mapping[str, int] = {}
        self._presets_of: Workspace | None = None

    def body(self) -> Iterator[Widget]:
        yield LineInput(_EXAMPLE, id="filter")
        yield Static(id="problem", markup=False)
        yield PresetBar()
        yield VirtualList(self.question_rows(()), empty_text=self.sentence(_EMPTY), id="questions")
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
        there_are = bool(self.desk.workspace.release.questions)
        empty = self.sentence(_EMPTY) if there_are else "The release has no questions."
        self.query_one(VirtualList).empty_text = empty
        rows = self.question_rows(selection.keys)
        self.query_one(VirtualList).set_source(rows, keep=selection.cursor)
        self.query_one(PresetBar).show(self._presets, selection.filter)
        self._draw_header()

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self._draw_header)

    def _draw_header(self) -> None:
        selection = self.desk.selection
        total = len(self.desk.workspace.release.questions)
        left = styled("Questions  ", style("heading", self.palette))
        left.append(f"{len(selection.keys):,} of {total:,}", style("focus", self.palette))
        if selection.order:
            arrow = "↓" if selection.descending else "↑"
            left.append(f"  by {one_line(selection.order)} {arrow}", style("dim", self.palette))
            if self._sorted_by_hidden():
                left.append(" (hidden)", style("dim", self.palette))
        wide = self.size.width >= _NAMES_FROM
        runs = [
            f"{run.label if wide else run.letter} {counts}"
            for run, counts in zip_longest(self.desk.pair, self._counts, fillvalue="")
            if isinstance(run, JoinedRun)
        ]
        right = [self.unseen_columns(self.query_one(VirtualList)), *(runs or ["no runs open"])]
        self.header(left, " · ".join(filter(None, right)))

    def _sorted_by_hidden(self) -> bool:
        """Whether the list is sorted by a column that it does not show."""
        order = self.desk.selection.order
        return order not in ("", RELEASE_ORDER, *(one.name for one in self.shown_columns()))

    def copies(self) -> Sequence[tuple[str, str]]:
        selection = self.desk.selection
        found = [("question key", selection.key)] if selection.key else []
        found.append(("keys of the list", "\n".join(selection.keys)))
        found.append(("filter", selection.filter))
        if self.desk.workspace.runs:
            command = twin_command("matrix", self.desk_app.request, list(self._twin_arguments()))
            found.append(("command", command))
        return found

    def _twin_arguments(self) -> Iterator[str]:
        """What makes the command show this list."""
        selection = self.desk.selection
        yield from self.desk.deciding_flags
        yield f"--columns={','.join(column.name for column in self.shown_columns())}"
        if selection.filter:
            yield f"--filter={selection.filter}"
        if selection.order not in ("", RELEASE_ORDER):
            yield f"--sort={selection.order}"
        if selection.descending:
            yield "--reverse"

    def raw(self) -> RawPart | None:
        key = self.desk.selection.key
        release = self.desk.workspace.release
        return raw_question(release, release.questions[key]) if key else None

    # Filtering

    def apply(self, text: str) -> None:
        """Narrow the list by a filter."""
        selection = self.desk.selection
        self._select(text, self.desk.workspace, selection.order, selection.descending)

    @work(thread=True, exclusive=True, description="select")
    def _select(self, text: str, workspace: Workspace, order: str, down: bool) -> None:
        from mnemoscope.core.filters import parse

        try:
            chosen = parse(text)
            if chosen.about_tags and workspace.tags is None:
                workspace = self.desk_app.with_tags(workspace)
                self.app.post_message(self.desk_app.TagsRead(workspace))
            keys = sort_questions(workspace, chosen.select(workspace), order, descending=down)
        except MnemoscopeError as error:
            self.post_message(self.Selected(text, (), (), str(error)))
            return
        counts = [counts_text(count_outcomes(run, keys)) for run in workspace.runs[:2]]
        self.post_message(self.Selected(text, tuple(keys), counts, ""))

    @work(thread=True, exclusive=True, group="presets", description="count presets")
    def _count_presets(self, workspace: Workspace) -> None:
        self.post_message(self.PresetsCounted(count_presets(workspace), workspace))

    def on_questions_screen_presets_counted(self, message: PresetsCounted) -> None:
        self._presets, self._presets_of = message.counts, message.workspace
        self.query_one(PresetBar).show(self._presets, self.desk.selection.filter)

    def on_questions_screen_selected(self, message: Selected) -> None:
        if self._presets_of is not self.desk.workspace:
            self._count_presets(self.desk.workspace)
        self._say(message.problem)
        if message.problem:
            self.query_one(Input).focus()
            return
        selection = self.desk.selection
        current = selection.key
        selection.filter, selection.keys = message.filter_text, message.keys
        self._counts = message.counts
        line = self.query_one(Input)
        # What is being typed meanwhile is the user's.
        if not line.has_focus:
            line.value = message.filter_text
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

    def _preset(self, name: str) -> None:
        if self.refuse(name):
            return
        text = _PRESETS[name].filter
        self.query_one(Input).value = text
        self.apply(text)

    def action_all(self) -> None:
        self._preset("all")

    def action_failures(self) -> None:
        self._preset("failures")

    def action_only_b(self) -> None:
        self._preset("only_b")

    def action_only_a(self) -> None:
        self._preset("only_a")

    def action_neither(self) -> None:
        self._preset("neither")

    def action_untagged(self) -> None:
        self._preset("untagged")

    def action_flagged(self) -> None:
        self._preset("flagged")

    def action_errors(self) -> None:
        self._preset("errors")

    def why_not(self, action: str) -> str:
        needed = {name: preset.runs for name, preset in _PRESETS.items()}
        needed |= {"choose_a": 2, "choose_b": 2}
        return self.needs_runs(needed[action]) if action in needed else ""

    def tagging_scope(self) -> str:
        # A queue may have been gone through since.
        self.desk.walk = self.desk.selection
        return "tag"

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
        self.query_one("#detail", Page).set_blocks(list(self._detail(question)))

    def _detail(self, question: Question) -> Iterator[Block]:
        """The question in full, and where else what is searched for stands, if not in it."""
        words, dim = self.desk.words, style("dim", self.palette)
        line = styled(f"{one_line(question.key)}  ", dim)
        start = len(line)
        line.append(one_line(question.stem))
        shown = marked(line, words, self.palette, after=start)
        elsewhere = self._found_elsewhere(question, words) if words and shown is line else None
        if elsewhere is None:
            yield Paragraph(shown)
            return
        yield Paragraph(shown, wrap=False)
        place, text = elsewhere
        label = styled(f"{one_line(place)}  ", dim)
        cells = self.size.width - label.cell_len - 4
        found = label.copy().append(excerpt(one_line(text), cells, words))
        yield Paragraph(marked(found, words, self.palette, after=len(label)), wrap=False)

    def _found_elsewhere(self, question: Question, words: Words) -> tuple[str, str] | None:
        texts = searched_texts(question, self.desk.workspace)
        found = (one for one in texts if any(word.search(one[1]) for word in words))
        return next(found, None)

    def on_virtual_list_header_clicked(self, message: VirtualList.HeaderClicked) -> None:
        self.sort_by(self.shown_columns()[message.column].name)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        self.desk.selection.cursor = message.row
        key = self.desk.selection.key
        if key is not None:
            self.desk_app.show_question(key, self.desk.selection)


_PRESETS = {preset.name: preset for preset in PRESETS}
_NAMES_FROM = 100
"""Columns from which the header has room for the names of A and B beside their counts."""
_EXAMPLE = "filter, such as  task:entity setting:implicit sys:A.wrong /lamp/"
_EMPTY = (
    "No question passes the filter: it is understood, and nothing matches. "
    "{questions.all} shows all questions, {questions.filter} changes the filter, "
    "{questions.fields} lists what it understands."
)
