"""Saying something about what is shown: one key a tag, and what else there is to say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.events import Key

from mnemoscope.core.errors import MnemoscopeError, UsageError
from mnemoscope.core.suggestions.rules import Suggestion
from mnemoscope.core.tags.events import Action, TagEvent, Target
from mnemoscope.core.tags.journal import NotWrittenError
from mnemoscope.core.tags.taxonomy import Purpose
from mnemoscope.core.text import one_line
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.tag_choices import TagChoices
from mnemoscope.tui.tagging import Item, Tagging, TagState, Thing
from mnemoscope.viewers.cells import cell_width
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tag_view import TagRows, marks_line
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["Tagger"]

_MOST_SAID = 4
"""Lines for what has been said and what the tag under the cursor means."""


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


class Tagger(TagChoices):
    """A screen that shows one thing after the other, with the tags beneath."""

    def __init__(self) -> None:
        super().__init__()
        self.suggestions: Sequence[Suggestion] = ()
        """What rules say about what is shown."""
        self._at_tag = 0
        # Whether the whole text of the tag under the cursor is shown.
        self._explains = False

    @property
    def thing(self) -> Thing | None:
        """What is being tagged; the screen says it."""
        raise AssertionError("a screen on which one tags says what")

    def step(self, step: int) -> None:
        """Go on to the next thing of the queue, or back; the screen does it."""
        raise AssertionError("a screen on which one tags goes on")

    def go_to_target(self, target: Target) -> None:
        """Go to what an event is about, if the queue has it; the screen does it."""
        raise AssertionError("a screen on which one tags goes to what it is about")

    def others_blocks(self, item: Thing) -> Iterator[Block]:
        """What others say; the screen knows what that is about."""
        raise AssertionError("a screen on which one tags shows what others say")

    def draw_header(self) -> None:
        """Draw how far one has come; the screen does it."""

    def draw_tags(self) -> None:
        tagging, item = self.tagging, self.thing
        assert tagging is not None
        if item is None:
            return
        rows = list(_rows(tagging, tagging.states(item, self.suggestions)))
        shown = self.query_one("#tags", VirtualList)
        suggests = isinstance(item, Item)
        source = TagRows(rows, self.palette, others=tagging.show_others, suggests=suggests)
        shown.set_source(source, keep=max(0, shown.cursor))
        shown.styles.height = min(len(rows) + 1, 17)
        self._draw_said(item)
        self.draw_header()

    def _draw_said(self, item: Thing) -> None:
        said = self.query_one("#said", Page)
        blocks, lines = list(self._said_blocks(item)), 0
        explained = self._explained()
        if explained:
            lines = -(-cell_width(explained) // max(1, self.size.width - 6)) - 1
            blocks.append(Paragraph(styled(explained, style("dim", self.palette))))
        said.set_blocks(blocks)
        said.set_class(bool(blocks), "-some")
        said.styles.height = min(max(len(blocks) + lines, 1), _MOST_SAID)

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        """Show the whole of a tag's text once one goes to it: in its row it is often cut."""
        if message.virtual_list.id != "tags" or message.row == self._at_tag:
            return
        self._at_tag, self._explains = message.row, True
        if self.thing is not None and self.tagging is not None:
            self._draw_said(self.thing)

    def _explained(self) -> str:
        source = self.query_one("#tags", VirtualList).source
        if not self._explains or not isinstance(source, TagRows):
            return ""
        if not 0 <= self._at_tag < len(source.rows):
            return ""
        row = source.rows[self._at_tag]
        return f"{one_line(row.title)}: {one_line(row.evidence or row.help)}"

    def _said_blocks(self, item: Thing) -> Iterator[Block]:
        tagging = self.tagging
        assert tagging is not None
        marks = tagging.marks(item)
        none_fits = tagging.taxonomy.name in marks.none_of
        mine = marks_line(marks, self.palette, none_fits=none_fits)
        if mine:
            yield Paragraph(mine)
        unplaced = [one for one in self.suggestions if one.tag not in tagging.taxonomy.by_slug]
        # A review is about the data, of which rules about failures say nothing.
        is_failure = tagging.taxonomy.purpose is Purpose.FAILURE
        for one in unplaced[: int(is_failure)]:
            text = f"a rule would say {one.tag}, which this taxonomy has not: {one.evidence}"
            yield Paragraph(styled(text, style("dim", self.palette)), wrap=False)
        if tagging.show_others and not tagging.hides:
            yield from self.others_blocks(item)

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

        def act(item: Thing) -> TagEvent | None:
            return tagging.toggle(item, slug, self.suggestions)

        event = self._say(act)
        was_set = event is not None and event.action is Action.ADD
        item = self.thing
        if was_set and tagging.auto_advance and item is not None and tagging.is_complete(item):
            self.step(1)

    def _say(self, act: Callable[[Thing], TagEvent | None]) -> TagEvent | None:
        """Say something about the item; what cannot be written is offered another folder."""
        item, event = self.thing, None
        if item is None:
            return None
        try:
            event = act(item)
        except LookupError as error:
            self.notify(str(error), markup=False)
        except NotWrittenError as error:
            self._offer_folder(error)
        except UsageError as error:
            # Another window of the same annotator: nothing is wrong with the folder.
            kept = self.sentence(
                "It is kept here and written once that has ended; "
                f"{{{self.SCOPE}.annotator}} tags as somebody else."
            )
            self.notify(f"{error}. {kept}", severity="error", markup=False, timeout=10)
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
            self.step(1)

    def action_skip(self) -> None:
        tagging = self.tagging
        if tagging is not None and self._say(tagging.skip):
            self.step(1)

    def action_flag(self) -> None:
        tagging = self.tagging
        if tagging is not None:
            self._say(tagging.flag)

    def action_note(self) -> None:
        tagging, item = self.tagging, self.thing
        if tagging is None or item is None:
            return

        def written(text: str | None) -> None:
            if text is not None:
                self._say(lambda item: tagging.note(item, text))

        note = tagging.marks(item).note
        self.app.push_screen(Prompt("Note", "what went wrong first; - removes it", note), written)

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
        # Said one above the other they would soon cover the tags.
        self.app.clear_notifications()
        self.notify(f"{done}: {what} on {event.target}", markup=False)
        self.go_to_target(event.target)


def _rows(tagging: Tagging, states: Sequence[TagState]) -> Iterator[_Row]:
    stages = {stage.slug: stage for stage in tagging.taxonomy.stages}
    before = ""
    for state in states:
        tag = state.tag
        stage = stages.get(tag.stage) if tag.stage != before else None
        before = tag.stage
        yield _Row(
            tag.slug,
            state.key,
            state.is_set,
            tag.title,
            stage.title if stage else "",
            bool(tag.parent),
            " · ".join(one.evidence for one in state.suggestions),
            state.others,
            tag.help or (stage.question if stage else ""),
        )
