"""Tagging: a question with everything that is known of an answer to it, and the tags beneath."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from mnemoscope.core.model import Value
from mnemoscope.core.tags.events import Target
from mnemoscope.core.text import one_line
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.desk import Selection
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.tag_evidence import TagEvidence
from mnemoscope.tui.screens.tag_files import TagFiles, chosen_rows
from mnemoscope.tui.screens.tag_help import TAG_HELP
from mnemoscope.tui.screens.tag_queue import Queue, queues
from mnemoscope.tui.screens.tagger import Tagger
from mnemoscope.tui.tagging import Item, Tagging, Thing
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tag_view import TagRows
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["TagScreen"]


class TagScreen(Tagger, TagEvidence, TagFiles):
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

    class QueuesFound(Message):
        """Everything that can be worked through has been counted."""

        def __init__(self, queues: Sequence[Queue]) -> None:
            super().__init__()
            self.queues = queues

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

    @property
    def thing(self) -> Item | None:
        return self.item

    def others_blocks(self, item: Thing) -> Iterator[Block]:
        if isinstance(item, Item):
            yield from self.others_of(item)

    def step(self, step: int) -> None:
        self._step_question(step)

    # What is shown

    def draw(self) -> None:
        tagging = self.take_up()
        if tagging is None:
            self.header(styled("Tag", style("heading", self.palette)))
            return
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
        self.suggestions = tagging.suggestions(item)
        self.draw_evidence(item, keep=keep)
        if self._other and item.run is not None and not tagging.hides:
            self._show_context(item.question, item.run)
        else:
            self._close_other()
        self.draw_tags()
        self.search_drawn(keep=keep)
        self.show_panes()
        self.show_clip()

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
        progress = tagging.progress(walk.keys)
        parts = [*self.search_place(), f"{progress.done:,} done"]
        if tagging.pace is not None:
            parts.append(f"{tagging.pace:.0f}/h")
        parts.append(f"{progress.since_new} since a new tag")
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
        found += [(f"evidence of {one.tag}", one.evidence) for one in self.suggestions]
        arguments = ["--filter", f"id:{question.key}"]
        command = twin_command("tags suggest", self.desk_app.request, arguments)
        return [*found, ("command", command)]

    # What is worked through, and how blind

    def go_to_target(self, target: Target) -> None:
        walk = self.desk.walk
        if target.question in walk.keys and target.question != walk.key:
            walk.go_to(target.question)
            self.draw()

    def action_queue(self) -> None:
        """Choose what to work through."""
        if self.tagging is not None:
            self.desk_app.say_doing("counting queues")
            self._find_queues(self.tagging)

    @work(thread=True, exclusive=True, group="queues", description="count queues")
    def _find_queues(self, tagging: Tagging) -> None:
        shown, adjudicator = self.desk.selection, self.desk_app.config.adjudicator
        found = queues(tagging, shown.filter, shown.keys, adjudicator)
        self.post_message(self.QueuesFound(found))

    def on_tag_screen_queues_found(self, message: QueuesFound) -> None:
        """Offer the queues."""
        self.desk_app.say_doing("")
        if not self.is_current:
            return
        found = message.queues
        rows = [(one.title, f"{len(one.keys):,}") for one in found]

        def chosen(index: int | None) -> None:
            if index is not None and found[index].keys:
                self._work_through(found[index])
            elif index is not None:
                self.notify("There is nothing in that queue.")

        columns = (Column("work through", 30, flex=1), Column("", 8, align="right"))
        self.app.push_screen(Chooser("Queue", columns, rows), chosen)

    def _work_through(self, queue: Queue) -> None:
        if queue.run is not None and self.desk.a is not queue.run:
            self.desk.make(0, queue.run)
            self.notify(f"{queue.run.name} is run A now.", markup=False)
        self.desk.walk = Selection(queue.title, keys=queue.keys)
        tagging = self.tagging
        if tagging is not None:
            tagging.revealed = False
            tagging.show_others = (tagging.show_others or queue.in_dispute) and not tagging.blind
        self.draw()

    def action_export(self) -> None:
        """Choose which tags to write to a file."""
        tagging, keys = self.tagging, self.desk.walk.keys
        if tagging is None:
            return
        # What others say stays hidden from whoever is to be blind.
        who = ("your tags",) if tagging.blind else ("your tags", "everybody's tags")
        rows = [
            (f"{whose} {where}",) for where in ("on this queue", "on everything") for whose in who
        ]

        def chosen(index: int | None) -> None:
            if index is not None:
                mine = tagging.annotator if index % len(who) == 0 else ""
                here = keys if index < len(who) else None
                self.ask_for_file(rows[index][0], lambda frame: chosen_rows(frame, mine, here))

        columns = (Column("write", 30, flex=1),)
        self.app.push_screen(Chooser("Write tags to a file", columns, rows), chosen)

    def action_reveal(self) -> None:
        tagging = self.tagging
        if tagging is None or not tagging.blind:
            self.notify(self.sentence("Nothing is hidden: {tag.blind} turns blind mode on."))
        elif not tagging.revealed:
            tagging.revealed = True
            self.draw()

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

    def why_not(self, action: str) -> str:
        return self.needs_runs(1) if action in ("context", "verdict") else ""
