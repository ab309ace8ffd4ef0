"""Tagging: a question with everything that is known of an answer to it, and the tags beneath."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import Container
from textual.events import Key
from textual.widget import Widget

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.model import Value
from mnemoscope.core.suggestions.rules import Suggestion
from mnemoscope.core.tags.events import Action, TagEvent, Target
from mnemoscope.core.tags.journal import NotWrittenError
from mnemoscope.core.tags.taxonomy import Labels
from mnemoscope.core.text import one_line
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.tag_choices import TagChoices
from mnemoscope.tui.screens.tag_help import TAG_HELP
from mnemoscope.tui.tagging import (
    Item,
    Tagging,
    TagState,
)
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tag_view import TagRows, marks_line
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["TagScreen"]


@dataclass(frozen=True, slots=True)
class _Row:
    """A tag as a row of the list."""

    slug: str
    key: str
    is_set: bool
    title: str
    stage: str
    is_kind: bool
    evidence: str
    others: Sequence[str]
    help: str


class TagScreen(TagChoices):
    """One record after the other, with one key a tag."""

    SCOPE: ClassVar[str] = "tag"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = TAG_HELP
    TWIN: ClassVar[str] = "mnemoscope tags suggest RELEASE RUN …"
    PANES: ClassVar[Mapping[str, str]] = {
        "question": "question and clues",
        "run-a": "A",
        "other": "context",
        "tags": "tags",
    }
    FIRST_PANE: ClassVar[str] = "tags"
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("tag")
    CSS = """
    TagScreen #main { layout: horizontal; height: 1fr; }
    TagScreen #question { width: 1fr; min-width: 14; height: 1fr; }
    TagScreen #runs { width: 50%; min-width: 14; height: 1fr; }
    TagScreen.-no-run #runs, TagScreen.-no-run #before-runs { display: none; }
    TagScreen #other { display: none; }
    TagScreen.-other #other { display: block; }
    TagScreen.-other #run-a { display: none; }
    TagScreen #tagging { height: auto; max-height: 50%; border-top: solid $panel; }
    TagScreen #said { height: auto; max-height: 4; display: none; }
    TagScreen #said.-some { display: block; }
    TagScreen #tags { height: auto; max-height: 17; }
    TagScreen.-single Splitter { display: none; }
    TagScreen.-single #runs { display: none; width: 1fr; }
    TagScreen.-single.-at-run-a #runs, TagScreen.-single.-at-other #runs { display: block; }
    TagScreen.-single.-at-run-a #question, TagScreen.-single.-at-other #question { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._suggestions: Sequence[Suggestion] = ()

    def body(self) -> Iterator[Widget]:
        with Container(id="main"):
            yield Page(loader=self.desk_app.draw, id="question")
            yield Splitter("runs", "question", id="before-runs")
            with Container(id="runs"):
                yield Page(id="run-a")
                yield Page(id="other")
        yield ClipBar()
        with Container(id="tagging"):
            yield Page(id="said")
            yield VirtualList(TagRows([], self.palette), id="tags", empty_text="No tags.")
        yield self.search_line()

    # What is shown

    def draw(self) -> None:
        tagging = self.tagging
        if tagging is not None and tagging.tags is not self.desk.workspace.tags:
            tagging = self.desk_app.tagging = None
        if tagging is None:
            if self.is_current:
                self.call_after_refresh(self.desk_app.read_tags, self.start)
            return
        tagging.workspace = self.desk.workspace
        self.set_class(not self.desk.pair, "-no-run")
        item = self.item
        if item is None:
            text = self.sentence("No question is selected. {app.questions} lists them.")
            self.query_one("#question", Page).set_blocks([Paragraph(Text(text))])
            return
        keep = self._drawn == item.question.key
        if not keep:
            tagging.revealed = False
        self._drawn = item.question.key
        self._suggestions = tagging.suggestions(item)
        self.draw_evidence(item, keep=keep)
        if self._other and item.run is not None and not tagging.hides:
            self._show_context(item.question, item.run)
        else:
            self._close_other()
        self.draw_tags()
        self.search_drawn(keep=keep)
        self.show_panes()
        self.show_clip()

    def draw_tags(self) -> None:
        tagging, item = self.tagging, self.item
        assert tagging is not None
        if item is None:
            return
        rows = list(_rows(tagging, tagging.states(item, self._suggestions)))
        shown = self.query_one("#tags", VirtualList)
        source = TagRows(rows, self.palette, others=tagging.show_others)
        shown.set_source(source, keep=max(0, shown.cursor))
        shown.styles.height = min(len(rows) + 1, 17)
        said = self.query_one("#said", Page)
        blocks = list(self._said_blocks(item))
        said.set_blocks(blocks)
        said.set_class(bool(blocks), "-some")
        said.styles.height = min(max(len(blocks), 1), 4)
        self.draw_header()

    def _said_blocks(self, item: Item) -> Iterator[Block]:
        tagging = self.tagging
        assert tagging is not None
        marks = tagging.marks(item)
        none_fits = tagging.taxonomy.name in marks.none_of
        mine = marks_line(marks, self.palette, none_fits=none_fits)
        if mine:
            yield Paragraph(mine)
        unplaced = [one for one in self._suggestions if one.tag not in tagging.taxonomy.by_slug]
        for one in unplaced[:1]:
            text = f"a rule would say {one.tag}, which this taxonomy has not: {one.evidence}"
            yield Paragraph(styled(text, style("dim", self.palette)), wrap=False)
        if tagging.show_others and not tagging.hides:
            yield from self.others_blocks(item)

    def draw_header(self) -> None:
        tagging, item = self.tagging, self.item
        if tagging is None or item is None:
            return
        walk = self.desk.walk
        left = styled("Tag  ", style("heading", self.palette))
        left.append(f"{walk.cursor + 1:,} of {len(walk.keys):,}", style("focus", self.palette))
        if not tagging.hides and item.run is not None:
            left.append(f"   {item.run.letter} ", style("dim", self.palette))
            left.append_text(outcome_label(item.entry, self.palette, answer=True))
        parts = [*self.search_place(), f"{tagging.reviewed(walk.keys):,} done"]
        if tagging.pace is not None:
            parts.append(f"{tagging.pace:.0f}/h")
        parts.append(f"{tagging.since_new} since a new tag")
        if tagging.blind:
            parts.append("blind, revealed" if tagging.revealed else "blind")
        if tagging.journal.pending:
            parts.append(f"{len(tagging.journal.pending)} NOT WRITTEN")
        parts += [tagging.annotator, tagging.taxonomy.title, walk.title or walk.filter]
        self.header(left, " · ".join(filter(None, parts)))

    def pane_is_there(self, pane: str) -> bool:
        if pane == "tags":
            return True
        if pane == "run-a":
            return bool(self.desk.pair) and not self.has_class("-other")
        return self.has_class("-other") if pane == "other" else pane == "question"

    def pane_title(self, pane: str) -> str:
        tagging = self.tagging
        if pane == "run-a" and self.desk.pair:
            hidden = tagging is not None and tagging.hides
            return "answer" if hidden else self.desk.pair[0].label
        if pane == "tags" and tagging is not None:
            return one_line(tagging.taxonomy.asks or tagging.taxonomy.title)
        return super().pane_title(pane)

    def copies(self) -> Sequence[tuple[str, str]]:
        question, tagging = self.question, self.tagging
        if question is None or tagging is None:
            return ()
        found = [("question key", question.key)]
        item = self.item
        if item is not None and item.entry is not None:
            found.append(("answer", item.entry.record.answer))
        found += [(f"evidence of {one.tag}", one.evidence) for one in self._suggestions]
        arguments = ["--filter", f"id:{question.key}"]
        command = twin_command("tags suggest", self.desk_app.request, arguments)
        return [*found, ("command", command)]

    # One key a tag

    def on_key(self, event: Key) -> None:
        """Set or take away the tag that has the key."""
        tagging = self.tagging
        if tagging is None or event.character is None:
            return
        slug = tagging.keys.get(event.character)
        if slug is not None:
            event.stop()
            event.prevent_default()
            self._toggle(slug)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        source = message.virtual_list.source
        if isinstance(source, TagRows):
            row = source.rows[message.row]
            assert isinstance(row, _Row)
            self._toggle(row.slug)

    def _toggle(self, slug: str) -> None:
        tagging = self.tagging
        assert tagging is not None

        def act(item: Item) -> TagEvent | None:
            return tagging.toggle(item, slug, self._suggestions)

        event = self._say(act)
        one_label = tagging.taxonomy.labels is Labels.ONE
        was_set = event is not None and event.action is Action.ADD
        if was_set and one_label and tagging.auto_advance:
            self._step_question(1)

    def _say(self, act: Callable[[Item], TagEvent | None]) -> TagEvent | None:
        """Say something about the item; what cannot be written is offered another folder."""
        item, event = self.item, None
        if item is None:
            return None
        try:
            event = act(item)
        except LookupError as error:
            self.notify(str(error), markup=False)
        except NotWrittenError as error:
            self._offer_folder(error)
        except UsageError as error:
            self.notify(f"{error}. {error.hint}", severity="error", markup=False)
        self.draw_tags()
        return event

    def _offer_folder(self, error: MnemoscopeError) -> None:
        self.notify(str(error), severity="error", markup=False, timeout=15)
        title = "Tags cannot be written there. Another folder for all tags from now on"
        self.app.push_screen(Prompt(title, "a folder"), self._write_to)

    def _write_to(self, written: str | None) -> None:
        tagging = self.tagging
        if written is None or tagging is None:
            return
        try:
            tagging.journal.write_to(Path(written).expanduser())
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.notify("Everything is written there.", markup=False)
        self.draw_tags()

    def action_none(self) -> None:
        tagging = self.tagging
        if tagging is not None and self._say(tagging.none_fits) and tagging.auto_advance:
            self._step_question(1)

    def action_skip(self) -> None:
        tagging = self.tagging
        if tagging is not None and self._say(tagging.skip):
            self._step_question(1)

    def action_flag(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            self._say(tagging.flag)

    def action_note(self) -> None:
        tagging, item = self.tagging, self.item
        if tagging is None or item is None:
            return

        def written(text: str | None) -> None:
            if text is not None:
                self._say(lambda item: tagging.note(item, text))

        note = tagging.marks(item).note
        self.app.push_screen(Prompt("Note", "what went wrong first; - removes it", note), written)

    def action_verdict(self) -> None:
        """Call the answer right or wrong, over rule and judge."""
        tagging, item = self.tagging, self.item
        if tagging is None or item is None:
            return
        rows = [("right", "the answer is right"), ("wrong", "the answer is wrong")]
        rows.append(("no verdict", "leave it to rule and judge"))
        values = (Value.RIGHT, Value.WRONG, None)

        def chosen(index: int | None) -> None:
            if index is None:
                return
            value = values[index]
            if value is None:
                self._say(lambda item: tagging.verdict(item, None))
            else:
                self.app.push_screen(
                    Prompt(f"Why {value.value}?", "a reason, or nothing"), told(value)
                )

        def told(value: Value) -> Callable[[str | None], None]:
            def say(reason: str | None) -> None:
                self._say(lambda item: tagging.verdict(item, value, reason or ""))

            return say

        columns = (Column("verdict", 12), Column("", 20, flex=1, dim=True))
        self.app.push_screen(Chooser("Your verdict", columns, rows), chosen)

    def action_undo(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            self._walk_back(self._say(lambda _: tagging.undo()), "undone", "undo")

    def action_redo(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            self._walk_back(self._say(lambda _: tagging.redo()), "done again", "do again")

    def _walk_back(self, event: TagEvent | None, done: str, nothing: str) -> None:
        """Say what was undone or redone, and go to the item that it is about."""
        if event is None:
            self.notify(f"There is nothing to {nothing}.")
            return
        what = event.tag.replace("_", " ") or event.action.value
        self.notify(f"{done}: {what} on {event.target}", markup=False)
        self._go_to_target(event.target)

    def _go_to_target(self, target: Target) -> None:
        walk = self.desk.walk
        if target.question in walk.keys and target.question != walk.key:
            walk.go_to(target.question)
            self.draw()

    def why_not(self, action: str) -> str:
        return self.needs_runs(1) if action in ("context", "verdict") else ""


def _rows(tagging: Tagging, states: Sequence[TagState]) -> Iterator[_Row]:
    titles = {stage.slug: stage.title for stage in tagging.taxonomy.stages}
    before = ""
    for state in states:
        tag = state.tag
        stage = titles.get(tag.stage, "") if tag.stage != before else ""
        before = tag.stage
        yield _Row(
            tag.slug,
            state.key,
            state.is_set,
            tag.title,
            stage,
            bool(tag.parent),
            " · ".join(one.evidence for one in state.suggestions),
            state.others,
            tag.help,
        )
