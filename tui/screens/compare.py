"""Two runs compared: in total, by task, and on every question on which they differ."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget

from mnemoscope.analyses.paired_metric import MetricComparison
from mnemoscope.core.question_columns import QuestionColumn
from mnemoscope.core.raw import RawPart, raw_question
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.desk import Selection
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.compare_detail import CompareDetail
from mnemoscope.tui.screens.compare_figures import FIGURE_SETS, choose_figure, with_figures
from mnemoscope.tui.screens.compare_help import COMPARE_HELP
from mnemoscope.tui.screens.compared import (
    VERDICT_SETS,
    Compared,
    compare_all,
    task_title,
    totals_page,
)
from mnemoscope.tui.screens.list_columns import ListColumns
from mnemoscope.tui.screens.page_search import PageSearch
from mnemoscope.tui.screens.question_rows import QuestionRows
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["CompareScreen"]


class CompareScreen(PageSearch, ListColumns):
    """Diff two systems."""

    SCOPE: ClassVar[str] = "compare"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = COMPARE_HELP
    LIST: ClassVar[str] = "compare"
    QUESTION_CELLS: ClassVar[int] = 16
    TWIN: ClassVar[str] = "mnemoscope compare RELEASE RUN_A RUN_B"
    PANES: ClassVar[Mapping[str, str]] = {
        "totals": "totals",
        "differing": "questions",
        "detail": "A and B",
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("compare")
    CSS = """
    CompareScreen #totals { height: auto; max-height: 40%; border-bottom: solid $panel; }
    CompareScreen #differing { width: 40%; min-width: 14; }
    CompareScreen #detail { width: 1fr; min-width: 14; }
    CompareScreen.-single #differing { width: 1fr; }
    CompareScreen.-single Splitter { display: none; }
    CompareScreen.-single #detail { width: 1fr; display: none; }
    CompareScreen.-single.-at-detail #detail { display: block; }
    CompareScreen.-single.-at-detail #differing { display: none; }
    """

    class Done(Message):
        """Two runs have been compared."""

        def __init__(self, compared: Compared) -> None:
            super().__init__()
            self.compared = compared

    def __init__(self) -> None:
        super().__init__()
        self._compared: Compared | None = None
        self._by = ""
        self._set = "all"
        self._only_task = ""
        self._show_configuration = False
        self._wanted = ""
        self._drawn: tuple[str | None, bool] = (None, False)

    def body(self) -> Iterator[Widget]:
        yield Page(id="totals")
        with Horizontal():
            empty = self.sentence(_EMPTY)
            yield VirtualList(self.question_rows(()), empty_text=empty, id="differing")
            yield Splitter("differing", "detail", id="after-differing")
            yield Page(id="detail")
        yield self.search_line()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#differing").focus()

    # Comparing

    @work(thread=True, exclusive=True, description="compare")
    def _compare(self, workspace: Workspace) -> None:
        self.post_message(self.Done(compare_all(workspace, self._by)))

    def on_compare_screen_done(self, message: Done) -> None:
        self._compared = message.compared
        self.draw()
        self.settle()

    def is_ready(self) -> bool:
        return self._is_compared or len(self.desk.pair) < 2

    @property
    def _is_compared(self) -> bool:
        found = self._compared
        return found is not None and found.workspace is self.desk.workspace and found.by == self._by

    def state(self) -> Mapping[str, str]:
        shown = "shown" if self._show_configuration else ""
        found = {"task": self._only_task, "configuration": shown, "by": self._by}
        found["key"] = self._key or ""
        return {"set": self._set} | {name: value for name, value in found.items() if value}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._set, self._only_task = state.get("set", "all"), state.get("task", "")
        self._show_configuration = "configuration" in state
        self._wanted, self._by = state.get("key", ""), state.get("by", "")

    def draw(self) -> None:
        if len(self.desk.pair) < 2:
            text = "Two runs are needed to compare; open the release with more runs beside it."
            self.query_one("#totals", Page).set_blocks([Paragraph(Text(text))])
            return
        self.draw_header()
        compared = self._compared
        if compared is None or not self._is_compared:
            self.query_one("#totals", Page).set_blocks([Paragraph(Text("… comparing"))])
            self.show_panes()
            self._compare(self.desk.workspace)
            return
        self._draw_totals(compared)
        self._draw_list(compared)

    def draw_header(self) -> None:
        left = Text()
        for run in self.desk.pair:
            left.append(f"{one_line(run.label)}   ", style("heading", self.palette))
        title = self._set_title
        if self._only_task:
            title += f" · {self._only_task.replace('_', ' ')}"
        differing = self.query_one("#differing", VirtualList)
        right = [*self.search_place(), f"{differing.source.row_count:,} {title}"]
        self.header(left, " · ".join(filter(None, [*right, self.unseen_columns(differing)])))

    @property
    def _figures(self) -> MetricComparison | None:
        """The figures that take the place of verdicts, if any do."""
        return self._compared.figures if self._compared is not None else None

    @property
    def _set_title(self) -> str:
        return (FIGURE_SETS if self._figures else VERDICT_SETS)[self._set][0]

    def shown_columns(self) -> Sequence[QuestionColumn]:
        return with_figures(self._figures, super().shown_columns(), self.desk.columns)

    def _draw_totals(self, compared: Compared) -> None:
        # Two cells are the pointer's, one may be the scrollbar's.
        width = max(24, self.app.size.width - 3)
        hint = self.sentence("no pair is judged; {compare.by} chooses what is compared")
        blocks = totals_page(compared, self.palette, hint, width=width)
        self.query_one("#totals", Page).set_blocks(list(blocks), keep=True)

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted and self._compared is not None:
            self.call_after_refresh(self._draw_totals, self._compared)

    def _draw_list(self, compared: Compared) -> None:
        questions = self.desk.workspace.release.questions
        keys = [
            key for key in compared.keys(self._set) if self._only_task in ("", questions[key].task)
        ]
        differing = self.query_one("#differing", VirtualList)
        current, self._wanted = self._wanted or self._key, ""
        place = keys.index(current) if current in keys else None
        differing.set_source(self.question_rows(keys), keep=place)
        differing.empty_text = self._why_empty(compared)
        self._draw_detail()

    def _why_empty(self, compared: Compared) -> str:
        if compared.figures is not None:
            return f"No question here: {FIGURE_SETS[self._set][0]} by {compared.figures.metric}."
        if compared.comparison.counts.n:
            return self.sentence(_EMPTY)
        unjudged = [run.label for run in self.desk.pair if not _is_judged(run)]
        if unjudged:
            who = " and ".join(unjudged)
            return f"{who}: no answer is judged, so there is nothing to compare by verdict."
        return "A and B have no judged question in common."

    # The question under the cursor

    @property
    def _key(self) -> str | None:
        differing = self.query_one("#differing", VirtualList)
        source = differing.source
        if isinstance(source, QuestionRows) and 0 <= differing.cursor < source.row_count:
            return source.keys[differing.cursor]
        return None

    def _draw_detail(self) -> None:
        drawn = (self._key, self._show_configuration)
        keep, self._drawn = self._drawn == drawn, drawn
        self.query_one("#detail", Page).set_blocks(list(self._detail()), keep=keep)
        self.search_drawn(keep=keep)
        self.draw_header()

    def _detail(self) -> Iterator[Block]:
        made = CompareDetail(self.desk, self.palette, self.marked_words)
        key = self._key
        if self._show_configuration:
            yield from made.configuration()
        elif key is not None:
            yield from made.question(self.desk.workspace.release.questions[key])
        else:
            text = "No question is listed. {compare.configuration} shows how A and B were made."
            yield Paragraph(styled(self.sentence(text), style("dim", self.palette)))

    def copies(self) -> Sequence[tuple[str, str]]:
        found = [("question key", self._key)] if self._key else []
        source = self.query_one("#differing", VirtualList).source
        if isinstance(source, QuestionRows):
            found.append(("keys of the list", "\n".join(source.keys)))
        names = [f"--{slot}={run.name}" for slot, run in zip("ab", self.desk.pair, strict=False)]
        if self._figures is not None:
            names.append(f"--by={self._figures.metric}")
        return [
            *found,
            (
                "command",
                twin_command("compare", self.desk_app.request, [*names, *self.desk.deciding_flags]),
            ),
        ]

    def raw(self) -> RawPart | None:
        release = self.desk.workspace.release
        return raw_question(release, release.questions[self._key]) if self._key else None

    # Reacting

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        # A list that is drawn anew reports its row too.
        if self._key != self._drawn[0]:
            self._show_configuration = False
            self._draw_detail()

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        source = message.virtual_list.source
        if isinstance(source, QuestionRows):
            walk = Selection(self._set_title, keys=tuple(source.keys))
            self.desk_app.show_question(source.keys[message.row], walk)

    def on_page_opened(self, message: Page.Opened) -> None:
        key, target = self._key, message.target
        if not isinstance(target, tuple):
            return
        if target[0] == "task":
            self._toggle_task(str(target[1]))
        elif key is not None:
            history_id = self.desk.workspace.release.questions[key].history_id
            history = self.desk.workspace.release.histories[history_id]
            unit = str(target[1])
            session = history.session_by_id.get(unit)
            if unit in history.round_by_id:
                self.desk_app.show_round(history_id, unit)
            elif session is not None and session.rounds:
                self.desk_app.show_round(history_id, session.rounds[0].id)

    def _toggle_task(self, title: str) -> None:
        release = self.desk.workspace.release
        tasks = {q.task for q in release.questions.values()}
        chosen = next((t for t in tasks if task_title(release.task_label(t)) == title), "")
        self._only_task = "" if self._only_task == chosen else chosen
        self.draw()

    def _choose_set(self, name: str) -> None:
        self._set = name
        self.draw()

    def action_all(self) -> None:
        self._only_task = ""
        self._choose_set("all")

    def action_only_a(self) -> None:
        self._choose_set("only_a")

    def action_only_b(self) -> None:
        self._choose_set("only_b")

    def action_neither(self) -> None:
        self._choose_set("neither")

    def action_by(self) -> None:
        if self.refuse("by"):
            return
        now = self._figures.metric if self._figures is not None else ""
        self.app.push_screen(*choose_figure(self.desk.workspace, now, self._compare_by))

    def _compare_by(self, name: str) -> None:
        self._by = name
        # Another order of questions begins at its top.
        self.query_one("#differing", VirtualList).set_source(self.question_rows(()))
        self.draw()

    def why_not(self, action: str) -> str:
        if action != "by":
            return super().why_not(action)
        if len(self.desk.pair) < 2:
            return self.needs_runs(2)
        shared = self._compared.shared if self._compared is not None else ("",)
        return "" if shared else "A and B store no figure for each record that both have."

    def action_configuration(self) -> None:
        self._show_configuration = not self._show_configuration
        self._draw_detail()
        if self._show_configuration and self.has_class("-single"):
            self.go_to_pane("detail")

    def action_choose_a(self) -> None:
        self.app.push_screen(*choose_run(self.desk, 0, self.draw))

    def action_choose_b(self) -> None:
        self.app.push_screen(*choose_run(self.desk, 1, self.draw))

    def action_swap(self) -> None:
        self.desk.make(0, self.desk.workspace.runs[1])
        self.draw()


def _is_judged(run: JoinedRun) -> bool:
    return any(entry.judgement.judged for entry in run.entries)


_EMPTY = (
    "No question here. {compare.all} lists all on which A and B differ, {compare.neither} "
    "those that both got wrong."
)
