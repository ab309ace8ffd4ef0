"""What is behind a figure of the tally: answers, questions or sessions with their tags."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import polars as pl
from polars import DataFrame
from rich.text import Text
from textual.binding import BindingType
from textual.widget import Widget

from mnemoscope.analyses.tag_tally import TaggedRow
from mnemoscope.core.tags.taxonomy import Taxonomy
from mnemoscope.core.text import counted, one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.desk import Selection
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.session_rows import session_title
from mnemoscope.tui.screens.tag_files import TagFiles
from mnemoscope.tui.screens.tally_counts import title_of
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_mark
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import Palette, style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["TaggedScreen"]


class _TaggedRows:
    """Targets with their tags."""

    def __init__(
        self,
        workspace: Workspace,
        rows: Sequence[TaggedRow],
        taxonomy: Taxonomy,
        palette: Palette,
    ) -> None:
        self.rows = rows
        self._workspace = workspace
        self._taxonomy = taxonomy
        self._palette = palette
        self.columns: Sequence[Column] = (
            Column("", 1, help="what became of the answer"),
            Column("question", 20, flex=3, help="what is asked, or the session"),
            Column("tags", 20, flex=2, help="what it is tagged with, by anybody"),
            Column("by", 12, priority=2, dim=True, help="who tagged it"),
            Column("run", 14, priority=1, dim=True, help="whose answer it is"),
            Column("task", 14, priority=3, dim=True, help="the question's task"),
        )

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.rows[row]
        question = self._workspace.release.questions.get(one.key)
        run = _run_of(self._workspace, one)
        mark = Text()
        if run is not None:
            found = outcome_mark(run.entry(one.key))
            mark.append(found.glyph, getattr(self._palette, found.colour))
        tags = ", ".join(title_of(self._taxonomy, slug) for slug in one.tags)
        people = ", ".join(dict.fromkeys(who for said in one.tags.values() for who in said))
        task = question.task.replace("_", " ") if question is not None else ""
        return mark, _about(self._workspace, one), tags, people, one.run, task


def _run_of(workspace: Workspace, row: TaggedRow) -> JoinedRun | None:
    return next((run for run in workspace.runs if run.name == row.run), None)


def _about(workspace: Workspace, row: TaggedRow) -> str:
    question = workspace.release.questions.get(row.key)
    if question is not None:
        return question.stem
    history = workspace.release.histories.get(row.history)
    session = history.session_by_id.get(row.session) if history is not None else None
    title = session_title(session) if session is not None else row.session
    return f"{row.history} {title}"


class TaggedScreen(TagFiles):
    """The rows of a cell: what carries a tag, or stands in a cell of the pivot."""

    SCOPE: ClassVar[str] = "tagged"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "rows": PaneHelp(
            "The answers, questions or sessions behind a figure of the tally, each once. Opening "
            "one shows it; {app.tag} tags it, and goes on through what the list has of the same "
            "run.",
            marks=("right", "wrong", "error", "unparsed"),
            cannot="What has been tagged since the tally was counted.",
        ),
        "detail": PaneHelp("Who set which tag on the row under the cursor, and their notes."),
    }
    IS_PLACE: ClassVar[bool] = False
    TWIN: ClassVar[str] = "mnemoscope tags export RELEASE RUN …"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("tagged")
    CSS = """
    TaggedScreen #detail { height: auto; max-height: 40%; border-top: solid $panel; }
    """

    def __init__(self, title: str, rows: Sequence[TaggedRow], taxonomy: Taxonomy) -> None:
        super().__init__()
        self._title = title
        self._rows = rows
        self._taxonomy = taxonomy

    def body(self) -> Iterator[Widget]:
        source = _TaggedRows(self.desk.workspace, self._rows, self._taxonomy, self.palette)
        yield VirtualList(source, id="rows")
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#rows").focus()

    @property
    def row(self) -> TaggedRow:
        """The row under the cursor."""
        return self._rows[max(0, self.query_one("#rows", VirtualList).cursor)]

    def draw(self) -> None:
        left = styled("Tagged  ", style("heading", self.palette))
        left.append(one_line(self._title), style("focus", self.palette))
        self.header(left, f"{counted(len(self._rows), 'row')} · {self._taxonomy.title}")
        shown = self.query_one("#rows", VirtualList)
        source = _TaggedRows(self.desk.workspace, self._rows, self._taxonomy, self.palette)
        shown.set_source(source, keep=max(0, shown.cursor))

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        self.query_one("#detail", Page).set_blocks(list(self._detail(self._rows[message.row])))

    def _detail(self, row: TaggedRow) -> Iterator[Block]:
        palette = self.palette
        head = styled(f"{one_line(row.key or row.history)}  ", style("dim", palette))
        head.append(one_line(_about(self.desk.workspace, row)))
        yield Paragraph(head)
        for slug, people in row.tags.items():
            line = styled(title_of(self._taxonomy, slug), style("heading", palette))
            yield Paragraph(line.append(f"  {one_line(', '.join(people))}", style("dim", palette)))
        for who, note in row.notes.items():
            line = styled(f"note of {one_line(who)}  ", style("dim", palette))
            yield Paragraph(line.append(one_line(note)))

    def _walk(self, run: str = "") -> Selection:
        """The list as one to go through: all of it, or what is about questions and a run."""
        rows = [row for row in self._rows if not run or row.run in ("", run)]
        keys = tuple(dict.fromkeys(row.key for row in rows if row.key))
        title = self._title if len(rows) == len(self._rows) else f"{self._title}, of {run}"
        return Selection(title, keys=keys)

    def action_export(self) -> None:
        """Write the tags of the list to a file."""
        rows = {(row.key or row.history, row.session, row.run, row.repeat) for row in self._rows}
        name = self._taxonomy.name

        def listed(frame: DataFrame) -> DataFrame:
            targets = frame.select(
                pl.when(pl.col("key") == "").then("history").otherwise("key").alias("about"),
                "session",
                "run",
                pl.col("repeat").fill_null(0),
            )
            is_listed = pl.Series(
                [target in rows for target in targets.iter_rows()], dtype=pl.Boolean
            )
            return frame.filter(is_listed & (frame["taxonomy"] == name))

        self.ask_for_file(counted(len(self._rows), "row"), listed)

    def _take_run(self, row: TaggedRow) -> None:
        """Make the run that a row is about A, so that its answer is what is seen and tagged."""
        run = _run_of(self.desk.workspace, row)
        if run is not None and self.desk.a is not run:
            self.desk.make(0, run)
            self.notify(f"{run.name} is A now: the row is about its answer.", markup=False)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        row = self._rows[message.row]
        if row.key:
            self._take_run(row)
            self.desk_app.show_question(row.key, self._walk())
            return
        history = self.desk.workspace.release.histories.get(row.history)
        session = history.session_by_id.get(row.session) if history is not None else None
        if session is None or not session.rounds:
            self.notify("The release does not have that session.")
        else:
            self.desk_app.show_round(row.history, session.rounds[0].id)

    def tagging_scope(self) -> str:
        row = self.row
        if not row.key:
            return super().tagging_scope()
        self._take_run(row)
        # Tagged are answers of A; those of other runs would stand there unseen.
        self.desk.walk = self._walk(row.run)
        self.desk.walk.go_to(row.key)
        return "tag"

    def copies(self) -> Sequence[tuple[str, str]]:
        keys = "\n".join(row.key or f"{row.history} {row.session}" for row in self._rows)
        return [("keys of the list", keys), ("row", self.row.key)]
