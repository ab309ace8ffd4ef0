"""All runs side by side on every question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from mnemoscope.analyses.matrix import Matrix, MatrixCounts, MatrixRow, matrix
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import JoinedRun, Workspace
from mnemoscope.tui.pane_help import DETAIL, PaneHelp
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_mark
from mnemoscope.viewers.overlay_view import taken_out_note
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["MatrixScreen"]

_SETS: dict[str, tuple[str, Callable[[MatrixRow], bool]]] = {
    "all": ("judged in every run", lambda row: True),
    "all_right": ("right in every run", lambda row: row.right == row.judged),
    "all_wrong": ("wrong in every run", lambda row: row.right == 0),
    "mixed": ("right in some runs", lambda row: 0 < row.right < row.judged),
}


class _MatrixRows:
    """Questions × runs; a row's marks are worked out when it comes into view."""

    def __init__(self, workspace: Workspace, rows: Sequence[MatrixRow], palette: Palette) -> None:
        self._workspace = workspace
        self.rows = rows
        self._palette = palette
        letters = " ".join(f"{run.letter:<2}" for run in workspace.runs).rstrip()
        columns = [
            Column(letters, max(5, len(letters)), help="what became of it in each run"),
            Column(
                "right", 5, align="right", dim=True, help="how many runs are right, of those judged"
            ),
            Column("question", 16, flex=1, help="what is asked"),
            Column("task", 14, priority=2, dim=True, help="its task"),
        ]
        if workspace.release.settings:
            columns.append(Column("setting", 8, priority=3, dim=True, help="its evidence setting"))
        self.columns: Sequence[Column] = columns

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cells(self, row: int) -> Sequence[Text | str]:
        one = self.rows[row]
        marks = Text()
        for run in self._workspace.runs:
            mark = outcome_mark(run.entry(one.key))
            # No space after the last one: the column is as wide as the letters.
            marks.append("  " if marks else "")
            marks.append(mark.glyph, getattr(self._palette, mark.colour))
        question = self._workspace.release.questions[one.key]
        task = one.task.replace("_", " ")
        cells: list[Text | str] = [marks, f"{one.right}/{one.judged}", question.stem, task]
        return [*cells, one.setting or "–"] if self._workspace.release.settings else cells


class MatrixScreen(DeskScreen):
    """Questions × runs: what all get right, what none does, and what only some do."""

    SCOPE: ClassVar[str] = "matrix"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {
        "totals": PaneHelp(
            "All runs over the questions on which every one of them is judged. A run in which "
            "nothing is judged is set aside, and named.",
            marks=("right", "wrong"),
            figures={
                "n": "questions with a judged record in every run",
                "all ✓, all ✗": "questions that every run, and that no run, gets right",
                "any ✓": "questions that at least one run gets right",
                "left out": "questions that some runs are judged on and others not",
                "%": "right / n: accuracy over these questions, not over the whole run",
                "only this one": "questions that no other run gets right",
                "⚑": "the same with the overlays: without records whose published answer is wrong",
            },
            cannot="Repeats: a run is represented by its first.",
        ),
        "rows": PaneHelp(
            "Those questions with what became of each in every run. Opening one shows it with A "
            "and B; next and previous then go through this list.",
            marks=("right", "wrong"),
            cannot="Questions that not every run is judged on.",
        ),
        "detail": DETAIL,
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("matrix")
    CSS = """
    MatrixScreen #totals { height: auto; max-height: 45%; border-bottom: solid $panel; }
    MatrixScreen #detail { height: 3; border-top: solid $panel; }
    """

    class Counted(Message):
        """The runs have been set side by side."""

        def __init__(self, found: Matrix, overlaid: Matrix | None, workspace: Workspace) -> None:
            super().__init__()
            self.found = found
            self.overlaid = overlaid
            self.workspace = workspace

    def __init__(self) -> None:
        super().__init__()
        self._found: Matrix | None = None
        self._overlaid: Matrix | None = None
        self._counted: Workspace | None = None
        self._set = "all"

    def body(self) -> Iterator[Widget]:
        yield Page(id="totals")
        rows = _MatrixRows(self.desk.workspace, (), self.palette)
        yield VirtualList(rows, empty_text=self.sentence(_EMPTY), id="rows")
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#rows").focus()

    @work(thread=True, exclusive=True, description="count")
    def _count(self, workspace: Workspace) -> None:
        of = workspace.overlaid
        overlaid = None if of is None else matrix(of)
        self.post_message(self.Counted(matrix(workspace), overlaid, workspace))

    def on_matrix_screen_counted(self, message: Counted) -> None:
        self._found, self._counted = message.found, message.workspace
        self._overlaid = message.overlaid
        self.draw()
        self.settle()

    def is_ready(self) -> bool:
        return self._counted is self.desk.workspace

    def state(self) -> Mapping[str, str]:
        return {} if self._set == "all" else {"set": self._set}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._set = state.get("set", "all")

    def draw(self) -> None:
        workspace = self.desk.workspace
        if self._found is None or self._counted is not workspace:
            self.query_one("#totals", Page).set_blocks([Paragraph(Text("… counting"))])
            self._count(workspace)
            return
        found = self._found
        title, chosen = _SETS[self._set]
        rows = [row for row in found.rows if chosen(row)]
        left = styled("Matrix  ", style("heading", self.palette))
        left.append(f"{len(rows):,} of {len(found.rows):,}", style("focus", self.palette))
        left.append(f"  {title}", style("dim", self.palette))
        self.header(left, f"{len(workspace.runs)} runs")
        self.query_one("#totals", Page).set_blocks(list(self._totals(found)))
        listed = self.query_one("#rows", VirtualList)
        listed.empty_text = self._why_empty(found)
        keep = listed.cursor if self._listed_rows == rows else None
        listed.set_source(_MatrixRows(workspace, rows, self.palette), keep=keep)

    def _why_empty(self, found: Matrix) -> str:
        if found.rows:
            return self.sentence(_EMPTY)
        if not found.judged_by_any:
            return "No answer of any run is judged, so there is nothing to count."
        return "No question has a judged record in every run; the runs answer different ones."

    def _unjudged(self, found: Matrix) -> list[JoinedRun]:
        """Runs in which nothing is judged."""
        runs = zip(self.desk.workspace.runs, found.judged, strict=True)
        return [run for run, count in runs if not count]

    @property
    def _listed_rows(self) -> Sequence[MatrixRow]:
        source = self.query_one("#rows", VirtualList).source
        return source.rows if isinstance(source, _MatrixRows) else ()

    def _totals(self, found: Matrix) -> Iterator[Block]:
        yield Paragraph(self._line(found))
        overlaid = self._overlaid
        if overlaid is not None:
            line = styled(f"{MARKS['flag'].glyph} overlaid  ", style("dim", self.palette))
            yield Paragraph(line.append_text(self._line(overlaid)))
        yield from self._run_table(found.counts, overlaid.counts if overlaid else None)
        if overlaid is not None:
            note = taken_out_note(self.desk.workspace, self.desk.workspace.runs)
            said = f"{MARKS['flag'].glyph} overlaid: {note}"
            yield Paragraph(styled(said, style("dim", self.palette)))
        for run in self.desk.workspace.runs:
            if run.deciding is not None and run.deciding.one_sided:
                said = f"{run.letter} is decided by {one_line(run.decided_by)}"
                yield Paragraph(styled(said, style("dim", self.palette)))
        yield from self._histogram(found)

    def _line(self, found: Matrix) -> Text:
        """How many questions, and how many of them all, none and any of the runs get right."""
        palette, counts = self.palette, found.counts
        right, wrong = MARKS["right"].glyph, MARKS["wrong"].glyph
        line = styled(f"n {counts.n:,}", style("heading", palette))
        for name, count in (
            (f"all {right}", counts.all_right),
            (f"all {wrong}", counts.all_wrong),
            (f"any {right}", counts.any_right),
        ):
            line.append(f"   {name} ", style("dim", palette)).append(f"{count:,}")
        if found.left_out:
            line.append(f"   left out {found.left_out:,}", style("dim", palette))
        unjudged = " ".join(run.letter for run in self._unjudged(found))
        # What is set aside is the same with overlays, and said once.
        if unjudged and found.rows and found is self._found:
            line.append(f"   set aside {unjudged}: nothing judged", style("dim", palette))
        return line

    def _run_table(self, counts: MatrixCounts, overlaid: MatrixCounts | None) -> Iterator[Block]:
        rows = []
        for place, run in enumerate(self.desk.workspace.runs):
            cells = [run.letter, shorten(run.name, 28)]
            for of in filter(None, (counts, overlaid)):
                share = of.accuracy(place).value
                cells += [f"{of.right[place]:,}", "–" if share is None else f"{100 * share:.1f}"]
                cells.append(f"{of.only[place]:,}")
            rows.append(Row(cells))
        headers = ["", "run", "right", "%", "only this one"]
        if overlaid is not None:
            headers += [f"{MARKS['flag'].glyph} {name}" for name in ("right", "%", "only")]
        width = self.query_one("#totals", Page).content_region.width
        align = "ll".ljust(len(headers), "r")
        yield from table(
            headers, rows, self.palette, align=align, width=width, repeat=2, widest=(2, 28)
        )

    def _histogram(self, found: Matrix) -> Iterator[Block]:
        """Questions by how many runs are right, as bars."""
        yield Paragraph(styled("questions by runs right", style("dim", self.palette)))
        most = max(found.counts.histogram, default=0)
        for right, count in enumerate(found.counts.histogram):
            bar = "█" * round(40 * count / most) if most else ""
            line = styled(f"{right:>2}  ", style("dim", self.palette))
            line.append(bar, style("right", self.palette)).append(f" {count:,}")
            yield Paragraph(line, wrap=False)

    def copies(self) -> Sequence[tuple[str, str]]:
        keys = "\n".join(row.key for row in self._listed_rows)
        command = twin_command(
            "matrix", self.desk_app.request, ["--rows", *self.desk.deciding_flags]
        )
        return [("keys of the list", keys), ("command", command)]

    # Reacting

    def _choose(self, name: str) -> None:
        self._set = name
        self.draw()

    def action_all(self) -> None:
        self._choose("all")

    def action_all_right(self) -> None:
        self._choose("all_right")

    def action_all_wrong(self) -> None:
        self._choose("all_wrong")

    def action_mixed(self) -> None:
        self._choose("mixed")

    def action_configuration(self) -> None:
        self.desk_app.go_with("configuration")

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        question = self.desk.workspace.release.questions[self._listed_rows[message.row].key]
        line = styled(f"{one_line(question.key)}  ", style("dim", self.palette))
        self.query_one("#detail", Page).set_blocks(
            [Paragraph(line.append(one_line(question.stem)))]
        )

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        rows = self._listed_rows
        selection = self.desk.selection
        selection.keys, selection.filter = tuple(row.key for row in rows), ""
        self.desk_app.show_question(rows[message.row].key)


_EMPTY = "No question here. {matrix.all} lists all that every run has a judged record of."
