"""The tally: how often each tag stands, against what, and what is behind each figure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget

from mnemoscope.analyses.tag_tally import tagged_rows
from mnemoscope.core.text import counted, one_line
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.saved_filters import SavedFilters
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.tagged import TaggedScreen
from mnemoscope.tui.screens.tally_choices import TallyChoices
from mnemoscope.tui.screens.tally_counts import Asked, Counted, count, labels, title_of
from mnemoscope.tui.screens.tally_help import TALLY_HELP
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.cell_list import CellList
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tally_view import Frequency, FrequencyRows, GroupRows, PivotRows
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["TallyScreen"]

_EMPTY = (
    "Nobody has tagged anything here under this taxonomy. {app.questions} lists the questions, "
    "{app.tag} tags the one in focus, {tally.taxonomy} counts another taxonomy."
)
_NARROWED = "Nothing is tagged so: {tally.only} counts something else, or everything."
_LOW = 30
"""Lines below which only one pane is shown."""


class TallyScreen(TallyChoices):
    """Tags counted."""

    SCOPE: ClassVar[str] = "tally"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = TALLY_HELP
    TWIN: ClassVar[str] = "mnemoscope tags counts RELEASE RUN …"
    PANES: ClassVar[Mapping[str, str]] = {"tags": "tags", "pivot": "pivot", "groups": "groups"}
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {
        "tags": ("triple", "double"),
        "groups": ("triple", "double"),
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("tally")
    CSS = """
    TallyScreen #tags { height: 38%; min-height: 3; }
    TallyScreen #pivot { height: 1fr; min-height: 3; }
    TallyScreen #groups { height: 25%; min-height: 3; }
    TallyScreen #detail { height: auto; max-height: 3; background: $surface; }
    TallyScreen.-low Splitter, TallyScreen.-single Splitter { display: none; }
    TallyScreen.-low CellList, TallyScreen.-low VirtualList,
    TallyScreen.-single CellList, TallyScreen.-single VirtualList { display: none; height: 1fr; }
    TallyScreen.-low.-at-tags #tags, TallyScreen.-low.-at-pivot #pivot,
    TallyScreen.-low.-at-groups #groups, TallyScreen.-single.-at-tags #tags,
    TallyScreen.-single.-at-pivot #pivot, TallyScreen.-single.-at-groups #groups {
        display: block; height: 1fr;
    }
    """

    class Done(Message):
        """Everything has been counted."""

        def __init__(self, found: Counted) -> None:
            super().__init__()
            self.found = found

    def __init__(self) -> None:
        super().__init__()
        self._chosen = -1

    def body(self) -> Iterator[Widget]:
        palette = self.palette
        yield VirtualList(FrequencyRows((), 0, palette), id="tags", empty_text="… counting")
        yield Splitter("tags", "pivot", id="after-tags")
        pivot = PivotRows((), (), ((), 0), palette)
        yield CellList(pivot, id="pivot", empty_text="… counting")
        yield Splitter("groups", "pivot", id="before-groups")
        yield VirtualList(GroupRows((), (), palette), id="groups", empty_text="… counting")
        yield Page(id="detail")

    def on_mount(self) -> None:
        super().on_mount()
        self.go_to_pane("tags")

    def on_screen_resume(self) -> None:
        self.draw()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.height < _LOW, "-low")
        if self.is_mounted:
            self.call_after_refresh(self._draw_pivot)

    # Counting

    def _asked(self) -> Asked | None:
        workspace = self.desk.workspace
        if workspace.tags is None:
            return None
        filters = tuple(SavedFilters().load().items())
        return Asked(
            workspace,
            workspace.tags,
            workspace.tags.changes,
            self.taxonomy_name,
            self.down,
            self.across,
            tuple(self.only.items()),
            self.desk_app.config.adjudicator,
            filters,
        )

    @work(thread=True, exclusive=True, group="tally", description="count tags")
    def _count(self, asked: Asked) -> None:
        before = self.found
        fresh = before is not None and before.asked.changes == asked.changes
        same = fresh and before is not None and before.asked.tags is asked.tags
        frame = before.everything if same and before is not None else None
        self.post_message(self.Done(count(asked, frame)))

    def on_tally_screen_done(self, message: Done) -> None:
        self.found = message.found
        self.taxonomy_name = message.found.tally.taxonomy.name
        self.draw()
        self.settle()

    def is_ready(self) -> bool:
        asked = self._asked()
        return self.found is not None and asked is not None and self.found.asked.is_same(asked)

    def draw(self) -> None:
        asked = self._asked()
        if asked is None:
            if self.is_current:
                self.call_after_refresh(self.desk_app.read_tags, self.draw)
            self._draw_header("… reading tags")
            return
        if self.found is None or not self.found.asked.is_same(asked):
            self._draw_header("… counting")
            self._count(asked)
            return
        self._draw_header("")
        self._draw_tags(self.found)
        self._draw_pivot()
        self._draw_groups(self.found)
        self.show_panes()

    # Drawing

    def _draw_header(self, doing: str) -> None:
        left = styled("Tally  ", style("heading", self.palette))
        if doing or self.found is None:
            self.header(left.append(doing, style("dim", self.palette)))
            return
        found = self.found.tally
        left.append(f"{found.reviewed:,} reviewed", style("focus", self.palette))
        if self.only:
            said = ", ".join(f"{axis} {value or '–'}" for axis, value in self.only.items())
            left.append(f"  only {one_line(said)}", style("focus", self.palette))
        people = len(found.values["annotator"])
        parts = [
            f"{found.since_new:,} since a new tag",
            counted(people, "annotator"),
            found.taxonomy.title,
        ]
        if self.found.asked.adjudicator:
            parts.append(f"{self.found.asked.adjudicator} decides")
        self.header(left, " · ".join(parts))

    def _why_empty(self) -> str:
        return self.sentence(_NARROWED if self.only else _EMPTY)

    def _draw_tags(self, found: Counted) -> None:
        taxonomy, before = found.tally.taxonomy, ""
        rows = []
        for slug, n in found.tally.tags if found.tally.reviewed else ():
            tag = taxonomy.by_slug.get(slug)
            title, kind = title_of(taxonomy, slug), tag is not None and bool(tag.parent)
            stage = next((s.title for s in taxonomy.stages if tag and s.slug == tag.stage), "")
            said = "" if stage == before or title.startswith(stage) else stage
            rows.append(Frequency(slug, title, said, kind, n))
            before = stage
        shown = self.query_one("#tags", VirtualList)
        shown.empty_text = self._why_empty()
        source = FrequencyRows(rows, found.tally.reviewed, self.palette)
        shown.set_source(source, keep=max(0, shown.cursor))

    def _draw_pivot(self) -> None:
        if self.found is None:
            return
        tally, table = self.found.tally, self.found.tally.pivot
        down = labels(tally.taxonomy, table.down, table.rows)
        across = labels(tally.taxonomy, table.across, table.columns)
        rows = [
            (down[name], counts, total)
            for name, counts, total in zip(table.rows, table.counts, table.row_totals, strict=True)
        ]
        source = PivotRows(
            rows,
            [across[name] for name in table.columns],
            (table.column_totals, table.n),
            self.palette,
            down=table.down,
            width=self.size.width,
            chosen=self._chosen,
        )
        self._chosen = source.chosen
        shown = self.query_one("#pivot", CellList)
        shown.empty_text = self._why_empty()
        source.at_row = max(0, shown.cursor)
        shown.set_source(source, keep=max(0, shown.cursor))
        self.show_panes()

    def _draw_groups(self, found: Counted) -> None:
        letters = [run.letter for run in found.asked.workspace.runs[:2]]
        blank = [""] * len(letters)
        rows = [
            one
            if one.outcomes
            else type(one)(one.title, one.filter, one.questions, blank, one.tagged)
            for one, _ in found.groups
        ]
        shown = self.query_one("#groups", VirtualList)
        shown.set_source(GroupRows(rows, letters, self.palette), keep=max(0, shown.cursor))

    def pane_title(self, pane: str) -> str:
        if self.found is None:
            return super().pane_title(pane)
        if pane == "tags":
            return one_line(self.found.tally.taxonomy.title)
        if pane == "groups":
            return "decisions and groups" if self.found.review else "groups"
        source = self.query_one("#pivot", CellList).source
        title = f"{self.down} × {self.across}"
        columns = len(self.found.tally.pivot.columns)
        if isinstance(source, PivotRows) and len(source.shown) < columns:
            title += f"  columns {source.first + 1}–{source.shown.stop} of {columns}"
        return title

    # The row or cell under the cursor

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        source = message.virtual_list.source
        if isinstance(source, PivotRows) and source.at_row != message.row:
            source.at_row = message.row
            message.virtual_list.reload()
        if message.virtual_list is self.focused:
            self._draw_detail()

    def on_descendant_focus(self) -> None:
        super().on_descendant_focus()
        self._draw_detail()

    def _draw_detail(self) -> None:
        page = self.query_one("#detail", Page)
        dim = style("dim", self.palette)
        focused = self.focused.id if self.focused is not None else ""
        said = self._about(focused or "") if self.found is not None else ""
        page.set_blocks([Paragraph(styled(said, dim))])

    def _about(self, pane: str) -> str:
        """What is under the cursor of a pane, in a sentence."""
        assert self.found is not None
        found, row = self.found, self._row(pane)
        if row < 0:
            return ""
        if pane == "tags":
            slug, _ = found.tally.tags[row]
            tag = found.tally.taxonomy.by_slug.get(slug)
            help = tag.help if tag is not None else ""
            return f"{title_of(found.tally.taxonomy, slug)}: {help}".removesuffix(": ")
        if pane == "pivot":
            where = self._cell(row)
            said = " × ".join(
                labels(found.tally.taxonomy, axis, [value])[value] for axis, value in where.items()
            )
            return f"{said or 'everything'}: {counted(self._count_of(row), 'target')}"
        group, _ = found.groups[row]
        review = found.review
        if review is not None and not group.filter and group.outcomes == ():
            kappas = [(one.what, one.fleiss) for one in review.by_dimension]
            kappas.append(("mean", review.mean_kappa))
            said = ", ".join(
                f"{what.replace('_', ' ')} "
                + ("–" if one.value is None else f"{one.value:.2f} (n {one.n:,})")
                for what, one in kappas
            )
            return f"Fleiss' kappa: {said}"
        return group.filter or "every question of the release"

    def _row(self, pane: str) -> int:
        return self.query_one(f"#{pane}", VirtualList).cursor if pane in self.PANES else -1

    def _cell(self, row: int) -> dict[str, str]:
        """The values of the cell under the cursor, by axis; none for the total of all."""
        assert self.found is not None
        table, where = self.found.tally.pivot, {}
        if row < len(table.rows):
            where[table.down] = table.rows[row]
        if 0 <= self._chosen < len(table.columns):
            where[table.across] = table.columns[self._chosen]
        return where

    def _count_of(self, row: int) -> int:
        assert self.found is not None
        table, at = self.found.tally.pivot, self._chosen
        if row < len(table.rows):
            return table.counts[row][at] if at >= 0 else table.row_totals[row]
        return table.column_totals[at] if at >= 0 else table.n

    def action_column_before(self) -> None:
        self._choose_column(self._chosen - 1)

    def action_column_after(self) -> None:
        self._choose_column(self._chosen + 1)

    def _choose_column(self, column: int) -> None:
        if self.found is None:
            return
        self.go_to_pane("pivot")
        self._chosen = min(max(-1, column), len(self.found.tally.pivot.columns) - 1)
        self._draw_pivot()
        self._draw_detail()

    def on_cell_list_cell_clicked(self, message: CellList.CellClicked) -> None:
        source = message.cell_list.source
        column = source.column_of(message.column) if isinstance(source, PivotRows) else None
        if column is not None and column != self._chosen:
            self._choose_column(column)

    def on_virtual_list_header_clicked(self, message: VirtualList.HeaderClicked) -> None:
        source = message.virtual_list.source
        column = source.column_of(message.column) if isinstance(source, PivotRows) else None
        if column is not None:
            self._choose_column(column)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        if self.found is None:
            return
        found, pane, row = self.found, message.virtual_list.id, message.row
        if pane == "tags":
            slug, _ = found.tally.tags[row]
            taxonomy = found.tally.taxonomy
            kinds = [one for one, _ in found.tally.tags if slug in taxonomy.lineage(one)]
            self._show_rows(title_of(taxonomy, slug), slugs=kinds)
        elif pane == "pivot":
            self._show_rows(self._about("pivot").rpartition(":")[0], where=self._cell(row))
        else:
            self._open_group(row)

    def _open_group(self, row: int) -> None:
        assert self.found is not None
        group, rows = self.found.groups[row]
        if rows is not None:
            if rows:
                self.desk_app.go(TaggedScreen(group.title, rows, self.found.tally.taxonomy))
            else:
                self.notify(f"Nothing is {group.title}.")
            return
        self.desk.selection.filter = group.filter
        self.desk_app.action_questions()

    def _show_rows(
        self, title: str, *, where: Mapping[str, str] | None = None, slugs: Sequence[str] = ()
    ) -> None:
        assert self.found is not None
        rows = tagged_rows(self.found.tally, where, slugs)
        if rows:
            self.desk_app.go(TaggedScreen(title, rows, self.found.tally.taxonomy))
        else:
            self.notify("There is nothing in that cell.")

    def copies(self) -> Sequence[tuple[str, str]]:
        arguments = [f"--down={self.down}", f"--across={self.across}"]
        if self.taxonomy_name:
            arguments.append(f"--of={self.taxonomy_name}")
        arguments += [f"--only={axis}={value}" for axis, value in self.only.items()]
        if self.desk_app.config.adjudicator:
            arguments.append(f"--adjudicator={self.desk_app.config.adjudicator}")
        command = twin_command("tags counts", self.desk_app.request, arguments)
        found = [("command", command)]
        if self.found is not None and self.found.review is not None:
            of = [one for one in arguments if one.startswith(("--of", "--adj"))]
            review = twin_command("tags review", self.desk_app.request, of)
            found.append(("command for the review", review))
        return found
