"""The history screen: sessions, the dialogue of one session, and what is known about a round."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Resize
from textual.widget import Widget

from mnemoscope.core.citations import sends_whole_history
from mnemoscope.core.clue_text import round_text
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Attachment, History, Kind, Round, Session
from mnemoscope.core.raw import RawPart, raw_round
from mnemoscope.core.repeats import repeated_rounds
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import JoinedRun
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.desk import Selection
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.attachments import AttachmentScreen
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.history_help import HISTORY_HELP
from mnemoscope.tui.screens.reading import ReadingScreen
from mnemoscope.tui.screens.session_rows import NoSessions, SessionRows, session_place
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.cells import shorten
from mnemoscope.viewers.columns import Column
from mnemoscope.viewers.dialogue import DialogueLook, clue_label
from mnemoscope.viewers.inspector import RoundFacts, inspector_blocks
from mnemoscope.viewers.memory_view import HeldFacts
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled
from mnemoscope.viewers.virtual_list import VirtualList

__all__ = ["HistoryScreen"]

_LONGEST_ID = 20


class HistoryScreen(ReadingScreen, AttachmentScreen):
    """Browse a user's sessions."""

    SCOPE: ClassVar[str] = "history"
    # The dialogue asks for the focus itself: were it first given to the sessions, a narrow terminal
    # would hide the dialogue meanwhile, and what is hidden cannot take it.
    AUTO_FOCUS = ""
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = HISTORY_HELP
    TWIN: ClassVar[str] = "mnemoscope show RELEASE HISTORY [RUN …]"
    PANES: ClassVar[Mapping[str, str]] = {
        "sessions": "sessions",
        "dialogue": "dialogue",
        "inspector": "inspector",
    }
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("history")
    CSS = """
    HistoryScreen #sessions { width: 31; min-width: 14; }
    HistoryScreen #dialogue { width: 1fr; min-width: 14; }
    HistoryScreen #inspector { width: 43; min-width: 14; }
    HistoryScreen.-double #sessions { width: 27; }
    HistoryScreen.-double #inspector { display: none; }
    HistoryScreen.-double #before-inspector { display: none; }
    HistoryScreen.-double.-at-inspector #sessions { display: none; }
    HistoryScreen.-double.-at-inspector #after-sessions { display: none; }
    HistoryScreen.-double.-at-inspector #inspector { display: block; width: 39; }
    HistoryScreen.-double.-at-inspector #before-inspector { display: block; }
    HistoryScreen.-single Splitter { display: none; }
    HistoryScreen.-single #sessions { display: none; }
    HistoryScreen.-single #inspector { display: none; }
    HistoryScreen.-single.-at-sessions #sessions { display: block; width: 1fr; }
    HistoryScreen.-single.-at-sessions #dialogue { display: none; }
    HistoryScreen.-single.-at-inspector #inspector { display: block; width: 1fr; }
    HistoryScreen.-single.-at-inspector #dialogue { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._listed = ""
        self._repeats: Mapping[str, str] = {}
        self._listed_memories: set[str] = set()

    def body(self) -> Iterator[Widget]:
        with Horizontal():
            yield VirtualList(NoSessions(), empty_text="No sessions.", id="sessions")
            yield Splitter("sessions", "dialogue", id="after-sessions")
            yield Page(loader=self.desk_app.draw, id="dialogue")
            yield Splitter("inspector", "dialogue", id="before-inspector")
            yield Page(loader=self.desk_app.draw, id="inspector")
        yield ClipBar()
        yield self.search_line()

    def on_mount(self) -> None:
        super().on_mount()
        self.dialogue.focus()

    # What is shown

    @property
    def inspector(self) -> Page:
        return self.query_one("#inspector", Page)

    @property
    def sessions(self) -> VirtualList:
        return self.query_one("#sessions", VirtualList)

    @property
    def shown(self) -> History:
        """The history in focus."""
        return self.desk.workspace.release.histories[self.desk.history_id]

    @property
    def current(self) -> Round | None:
        """The round under the cursor."""
        return self.shown.round_by_id.get(self.desk.round_id)

    def draw(self) -> None:
        history = self.shown
        if not history.rounds:
            text = self.sentence("This history has no rounds. {history.choose} chooses another.")
            if not any(one.rounds for one in self.desk.workspace.release.histories.values()):
                text = "The files hold questions and no dialogue, so there is nothing to read here."
            self.dialogue.set_blocks([Paragraph(Text(text))])
            self.inspector.set_blocks([Paragraph(Text("There is no round to say anything about."))])
            self._draw_header()
            return
        one = self.current or history.rounds[0]
        self.desk.round_id = one.id
        asked = self.desk.workspace.release.questions_by_history[history.id]
        sessions = frozenset(one for question in asked for one in question.evidence_sessions)
        session = history.session_by_id[one.session_id]
        place = next(i for i, s in enumerate(history.sessions) if s is session)
        self._repeats = repeated_rounds(history)
        self._listed = history.id
        self.sessions.set_source(SessionRows(history, sessions, self.palette), keep=place)
        self._show_session(session, one)
        self._show_round(one)

    def state(self) -> Mapping[str, str]:
        return {"search": self._search} if self._search else {}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._set_search(state.get("search", ""))

    def _look(self) -> DialogueLook:
        compact = not self.has_class("-triple")
        notes = {}
        if self.desk.show_evaluator:
            rounds = self.desk.workspace.release.evaluator.rounds
            notes = {
                round_id: json.dumps(note, ensure_ascii=False)
                for (history_id, round_id), note in rounds.items()
                if history_id == self.shown.id
            }
        return DialogueLook(
            palette=self.palette,
            textualisation=self.desk.textualisation,
            picture_columns=30 if compact else 44,
            picture_rows=(10 if compact else 14) * self.desk_app.draws_pictures,
            words=() if self._pattern is None else (self._pattern,),
            notes=notes,
            repeats=self._repeats,
        )

    def _cited(self, one: Round) -> int:
        return len(self.desk.citations.get((self.shown.id, one.id), ()))

    def _session_marks(self, session: Session) -> Text:
        """That a whole session is a clue, and that it follows questions."""
        marks = Text()
        questions = self.desk.session_citations.get((self.shown.id, session.id), ())
        if questions:
            marks.append_text(clue_label(len(questions), self.palette)).append("  ")
        asked = self.desk.workspace.release.questions_by_history[self.shown.id]
        early = sum(question.before(session) for question in asked)
        if early:
            said = "the question" if len(asked) == 1 else f"{early} of {len(asked)} questions"
            marks.append(f"after {said}", style("focus", self.palette))
        return marks

    def _show_round(self, one: Round, *, top: bool = False) -> None:
        history = self.shown
        if self._stretch is None or one not in self._stretch:
            self._show_session(history.session_by_id[one.session_id], one)
        self.desk.round_id = one.id
        if self.dialogue.target != one.id:
            self.dialogue.move_to(one.id, top=top)
        place = next(i for i, s in enumerate(history.sessions) if s.id == one.session_id)
        if self.sessions.cursor != place:
            self.sessions.cursor = place
        self._draw_inspector(one)
        self._draw_header()
        self.show_clip()

    def _draw_inspector(self, one: Round, *, keep: bool = False) -> None:
        desk = self.desk
        release = desk.workspace.release
        cited = desk.citations.get((self.shown.id, one.id), ())
        whole = desk.session_citations.get((self.shown.id, one.session_id), ())
        facts = RoundFacts(
            round=one,
            questions=[(release.questions[key], desk.entries(key)) for key in cited],
            session_questions=[(release.questions[key], desk.entries(key)) for key in whole],
            retrieved=[(run.label, self._times_retrieved(run, one)) for run in desk.pair],
            memories=[self._memory(run, one) for run in desk.pair],
            opened=self._listed_memories,
            variants={kind: release.variants(kind) for kind in Kind},
            notes={
                "round": release.evaluator.rounds.get((self.shown.id, one.id), {}),
                "session": release.evaluator.sessions.get((self.shown.id, one.session_id), {}),
            },
            show_evaluator=desk.show_evaluator,
        )
        self.inspector.set_blocks(list(inspector_blocks(facts, self._look())), keep=keep)

    def _memory(self, run: JoinedRun, one: Round) -> HeldFacts:
        """What a run's memory held after a round, or why that is unknown."""
        states = self.desk.held(run, self.shown.id)
        if states is None:
            return HeldFacts(run.letter, run.label)
        if isinstance(states, InputError):
            return HeldFacts(run.letter, run.label, note=str(states))
        note = ""
        if one.index > states.last >= 0:
            last = self.shown.rounds[min(states.last, len(self.shown.rounds) - 1)]
            note = f"handed no round after {last.id}"
        if states.defects:
            note = " · ".join(filter(None, (note, f"{len(states.defects)} lines unreadable")))
        return HeldFacts(run.letter, run.label, states.after(one.index), note)

    def _times_retrieved(self, run: JoinedRun, one: Round) -> tuple[int, int] | str | None:
        if sends_whole_history(run):
            return "whole history sent"
        return self.desk.times_retrieved(run, self.shown.id, one.id)

    def _draw_header(self) -> None:
        history, one = self.shown, self.current
        release = self.desk.workspace.release
        # A generated release of one scenario has its name.
        names_release = release.name != history.id
        left = styled(f"{one_line(release.name)} · " * names_release, style("dim", self.palette))
        # A hash for an id would leave no room for where one is.
        name = shorten(history.id, _LONGEST_ID, middle=True)
        if history.name != history.id:
            name += f" {history.name}"
        left.append(one_line(name), style("heading", self.palette))
        if one is not None and self._session is not None:
            within = [r.id for r in self._session.rounds].index(one.id) + 1
            left.append(
                f" · {session_place(history, self._session)} · round {within:,} of "
                f"{len(self._session.rounds):,}",
                style("dim", self.palette),
            )
        right = [self.desk.variant_label]
        if self.desk.show_evaluator:
            right.insert(0, "evaluator-only shown")
        if self._search:
            right.insert(0, self._search_place())
        self.header(left, " · ".join(right))

    def attachments(self) -> Sequence[tuple[str, Attachment]]:
        one = self.current
        return [] if one is None else [("", item) for item in one.attachments]

    def copies(self) -> Sequence[tuple[str, str]]:
        one = self.current
        if one is None:
            return ()
        return [
            ("round", round_text(one, self.desk.textualisation)),
            ("round id", one.id),
            ("history and round", f"{self.shown.id} {one.id}"),
            ("command", self._command(f"{self.shown.id}/{one.session_id}")),
            ("command, this round", self._command(f"{self.shown.id}/{one.id}")),
            ("command, all of it", self._command(self.shown.id, "--history")),
            *self._memory_commands(one),
        ]

    def _command(self, what: str, *options: str) -> str:
        captions = f"--textualisation={self.desk.textualisation}"
        return twin_command("show", self.desk_app.request, [what, captions, *options])

    def _memory_commands(self, one: Round) -> Sequence[tuple[str, str]]:
        """The command that says what memories held, where a run says it."""
        if not any(self.desk.held(run, self.shown.id) for run in self.desk.pair):
            return ()
        words = [self.shown.id, f"--at={one.id}"]
        return [("command: memory", twin_command("memory", self.desk_app.request, words))]

    def raw(self) -> RawPart | None:
        one = self.current
        return None if one is None else raw_round(self.desk.workspace.release, self.shown, one)

    # Reacting

    def on_page_highlighted(self, message: Page.Highlighted) -> None:
        # What comes late, after the cursor has been moved on, must not move it back.
        is_late = message.target != message.page.target
        if message.page is self.dialogue and isinstance(message.target, str) and not is_late:
            one = self.shown.round_by_id.get(message.target)
            if one is not None and one.id != self.desk.round_id:
                self._show_round(one)

    def on_page_opened(self, message: Page.Opened) -> None:
        target = message.target
        if message.page is self.inspector and isinstance(target, tuple) and target[0] == "question":
            targets = [one for one in self.inspector.targets if isinstance(one, tuple)]
            keys = [str(one[1]) for one in targets if one[0] == "question"]
            walk = Selection(f"resting on {self.desk.round_id}", keys=tuple(keys))
            self.desk_app.show_question(str(target[1]), walk)
        elif message.page is self.inspector and isinstance(target, tuple):
            self._listed_memories ^= {str(target[1])}
            if self.current is not None:
                self._draw_inspector(self.current, keep=True)
        elif message.page is self.dialogue:
            self.go_to_pane("inspector")

    def on_virtual_list_highlighted(self, message: VirtualList.Highlighted) -> None:
        if message.virtual_list is not self.sessions:
            return
        session = self.shown.sessions[message.row]
        if self.focused is self.sessions and session.rounds and session is not self._session:
            self._show_round(session.rounds[0], top=True)

    def on_virtual_list_opened(self, message: VirtualList.Opened) -> None:
        if message.virtual_list is self.sessions:
            self.go_to_pane("dialogue")

    def tagging_scope(self) -> str:
        return "review" if self.shown.rounds else super().tagging_scope()

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted and self._session is not None:
            self.call_after_refresh(self._redraw)

    def _redraw(self) -> None:
        session, one = self._session, self.current
        if session is not None and one is not None:
            self._show_session(session, one)
            self.dialogue.move_to(one.id)
            self._draw_inspector(one)
            self._draw_header()

    # Actions

    def action_choose(self) -> None:
        histories = list(self.desk.workspace.release.histories.values())
        counts = self.desk.workspace.release.questions_by_history
        rows = [
            (h.id, h.name, f"{len(h.sessions)} sessions", f"{len(counts[h.id])} questions")
            for h in histories
        ]
        columns = (
            Column("history", 10, flex=1),
            Column("about", 16, flex=2),
            Column("", 13, dim=True),
            Column("", 16, dim=True, priority=1),
        )
        current = [h.id for h in histories].index(self.shown.id)

        def chosen(index: int | None) -> None:
            if index is not None:
                with self.desk_app.trail.move():
                    self.desk.history_id = histories[index].id
                    self.desk.round_id = next((one.id for one in histories[index].rounds), "")
                self._set_search("")
                self.draw()

        self.app.push_screen(Chooser("Choose a history", columns, rows, current=current), chosen)

    def action_variant(self) -> None:
        self.desk.next_variant()
        self._set_search(self._search)
        self._redraw()

    def action_evaluator(self) -> None:
        self.desk.show_evaluator = not self.desk.show_evaluator
        self._redraw()
