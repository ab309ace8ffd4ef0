"""The review of sessions: the dialogue, and the tags of the session in view beneath it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Container
from textual.widget import Widget

from mnemoscope.core.model import Round, Session
from mnemoscope.core.tags.events import Target
from mnemoscope.core.tags.taxonomy import TargetKind
from mnemoscope.core.text import one_line
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.history import HistoryScreen
from mnemoscope.tui.screens.review_help import REVIEW_HELP
from mnemoscope.tui.screens.session_queue import every_session, session_queues
from mnemoscope.tui.screens.tagger import Tagger
from mnemoscope.tui.tagging import SessionItem, Thing
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.tag_view import TagRows, statement_blocks
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["ReviewScreen"]


# The first base is the one whose name stylesheets know.
class ReviewScreen(HistoryScreen, Tagger):
    """One session after the other, with one key a choice."""

    SCOPE: ClassVar[str] = "review"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = REVIEW_HELP
    TWIN: ClassVar[str] = "mnemoscope tags review RELEASE"
    TARGETS: ClassVar[Sequence[TargetKind]] = (TargetKind.SESSION,)
    PANES: ClassVar[Mapping[str, str]] = {**HistoryScreen.PANES, "tags": "tags"}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("review")
    CSS = (
        HistoryScreen.CSS
        + """
    ReviewScreen #tagging { height: auto; max-height: 50%; border-top: solid $panel; }
    ReviewScreen #said { height: auto; max-height: 4; display: none; }
    ReviewScreen #said.-some { display: block; }
    ReviewScreen #tags { height: auto; max-height: 17; }
    """
    )

    def body(self) -> Iterator[Widget]:
        yield from super().body()
        with Container(id="tagging"):
            yield Page(id="said")
            yield VirtualList(TagRows([], self.palette), id="tags", empty_text="No tags.")

    # What is shown

    @property
    def thing(self) -> Thing | None:
        return None if self._session is None else SessionItem(self.shown.id, self._session.id)

    def draw(self) -> None:
        super().draw()
        if self.take_up() is not None:
            self.draw_tags()
            self.show_panes()

    def _show_session(self, session: Session, one: Round) -> None:
        is_other = session is not self._session
        super()._show_session(session, one)
        if is_other and self.tagging is not None:
            self.draw_tags()

    def _draw_header(self) -> None:
        tagging = self.tagging
        if tagging is None or self._session is None:
            super()._draw_header()
            return
        queue = self._queue()
        here = (self.shown.id, self._session.id)
        left = styled("Review  ", style("heading", self.palette))
        place = f"{queue.index(here) + 1:,} of {len(queue):,}" if here in queue else "not queued"
        left.append(place, style("focus", self.palette))
        left.append(f"   {one_line(' '.join(here))}", style("heading", self.palette))
        done = sum(tagging.is_done(SessionItem(*one)) for one in queue)
        parts = [self._search_place()] if self._search else []
        parts.append(f"{done:,} done")
        if tagging.pace is not None:
            parts.append(f"{tagging.pace:.0f}/h")
        if tagging.blind:
            parts.append("blind")
        if tagging.journal.pending:
            parts.append(f"{len(tagging.journal.pending)} NOT WRITTEN")
        title = tagging.sessions_title or "all sessions"
        parts += [tagging.annotator, tagging.taxonomy.title, title, self.desk.variant_label]
        self.header(left, " · ".join(parts))

    def draw_header(self) -> None:
        self._draw_header()

    def others_blocks(self, item: Thing) -> Iterator[Block]:
        tagging = self.tagging
        target = tagging.target(item) if tagging is not None else None
        if tagging is None or target is None:
            return
        found = []
        for name, book in tagging.tags.tags.on(target):
            if name != tagging.annotator:
                marks = book.marks(target)
                titles = (tagging.tags.catalogue.title(t.taxonomy, t.slug) for t in marks.tags)
                found.append((name, ", ".join(titles), marks))
        if found:
            yield from statement_blocks(found, self.palette)
        else:
            yield Paragraph(styled("nobody else has said anything", style("dim", self.palette)))

    def pane_title(self, pane: str) -> str:
        tagging = self.tagging
        if pane == "tags" and tagging is not None:
            return one_line(tagging.taxonomy.asks or tagging.taxonomy.title)
        return super().pane_title(pane)

    # The queue

    def _queue(self) -> Sequence[tuple[str, str]]:
        tagging = self.tagging
        chosen = tagging.sessions if tagging is not None else ()
        return chosen or every_session(self.desk.workspace.release)

    def step(self, step: int) -> None:
        queue = self._queue()
        here = (self.shown.id, self._session.id) if self._session is not None else ("", "")
        place = queue.index(here) + step if here in queue else 0
        if 0 <= place < len(queue):
            self._go_to_session(*queue[place])
        else:
            end = "last" if step > 0 else "first"
            self.notify(f"This is the {end} session of the queue.")

    def _go_to_session(self, history_id: str, session_id: str) -> None:
        histories = self.desk.workspace.release.histories
        session = histories[history_id].session_by_id[session_id]
        self.desk.history_id, self.desk.round_id = history_id, session.rounds[0].id
        self._set_search("")
        self.draw()

    def go_to_target(self, target: Target) -> None:
        if (target.history, target.session) in self._queue():
            self._go_to_session(target.history, target.session)

    def action_next_in_queue(self) -> None:
        self.step(1)

    def action_previous_in_queue(self) -> None:
        self.step(-1)

    def action_queue(self) -> None:
        """Choose which sessions to work through."""
        tagging = self.tagging
        if tagging is None:
            return
        found = session_queues(self.desk, tagging, self.desk_app.config.adjudicator)
        rows = [(title, f"{len(keys):,}") for title, keys in found]

        def chosen(index: int | None) -> None:
            if index is None:
                return
            title, keys = found[index]
            if not keys:
                self.notify("There is nothing in that queue.")
                return
            tagging.sessions, tagging.sessions_title = keys, title
            self._go_to_session(*keys[0])

        columns = (Column("work through", 30, flex=1), Column("", 8, align="right"))
        self.app.push_screen(Chooser("Queue", columns, rows), chosen)
