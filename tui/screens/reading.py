"""A dialogue that is read session by session, and searched as a whole."""

import re
from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Input

from mnemoscope.core.errors import UsageError
from mnemoscope.core.filters import search_pattern
from mnemoscope.core.model import History, Round, Session, Textualisation
from mnemoscope.core.text import one_line
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.screens.attachments import MediaScreen
from mnemoscope.tui.screens.history_search import Finding, find_in_history
from mnemoscope.tui.screens.session_rows import session_title
from mnemoscope.tui.screens.stretches import Stretch, stretch_around
from mnemoscope.viewers.dialogue import DialogueLook, round_blocks
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import style, styled

__all__ = ["ReadingScreen"]


class ReadingScreen(MediaScreen):
    """A screen with a page of one session, whose cursor stands on a round."""

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self._stretch: Stretch | None = None
        self._search = ""
        self._pattern: re.Pattern[str] | None = None
        self._findings: Sequence[Finding] = ()

    def search_line(self) -> LineInput:
        """The line to type in, for the screen's body."""
        return LineInput("find in this history: text, or /regular expression/", id="search")

    @property
    def dialogue(self) -> Page:
        """The page of the session."""
        return self.query_one("#dialogue", Page)

    @property
    def shown(self) -> History:
        """The history in focus."""
        raise AssertionError("a screen that shows a history says which")

    @property
    def current(self) -> Round | None:
        """The round under the cursor."""
        raise AssertionError("a screen that shows a history says where one is")

    @property
    def captions(self) -> Textualisation:
        """The captions that are searched."""
        return self.desk.textualisation

    def _look(self) -> DialogueLook:
        raise AssertionError("a screen that shows a history says how")

    def _show_round(self, one: Round, *, top: bool = False) -> None:
        raise AssertionError("a screen that shows a history can go to a round")

    def _redraw(self) -> None:
        raise AssertionError("a screen that shows a history can draw it anew")

    def _session_marks(self, session: Session) -> Text:
        """What there is to say about a session beneath its title."""
        return Text()

    def _cited(self, one: Round) -> int:
        """How many questions a round is known to answer."""
        return 0

    def _show_session(self, session: Session, one: Round) -> None:
        """Show a session, or of a long one the stretch that holds a round."""
        self._session = session
        self._stretch = stretch = stretch_around(session, one)
        look = self._look()
        blocks: list[Block] = []
        heading = styled(one_line(session_title(session)), style("heading", self.palette))
        if not stretch.whole:
            heading.append(f" · {stretch.label}", style("dim", self.palette))
        blocks.append(Paragraph(heading))
        marks = self._session_marks(session)
        if marks:
            blocks.append(Paragraph(marks))
        blocks.append(Paragraph(Text("")))
        for shown in stretch.rounds:
            blocks += round_blocks(shown, look, cited_by=self._cited(shown))
        self.dialogue.set_blocks(blocks)

    # Going on

    def on_page_left(self, message: Page.Left) -> None:
        """Go on to the next stretch of a long session where one ends."""
        one = self._stretch.beside(message.step) if self._stretch is not None else None
        if message.page is self.dialogue and one is not None:
            self._show_round(one, top=message.step > 0)
            if message.step < 0:
                # Whoever reads upwards goes on at the end of what comes before.
                self.dialogue.action_cursor_bottom()

    def _step_round(self, step: int) -> None:
        one = self.current
        rounds = self.shown.rounds
        if one is not None and 0 <= one.index + step < len(rounds):
            self._show_round(rounds[one.index + step])
        else:
            self.notify("This is the last round." if step > 0 else "This is the first round.")

    def action_next_round(self) -> None:
        if not self.refuse("next_round"):
            self._step_round(1)

    def action_previous_round(self) -> None:
        if not self.refuse("previous_round"):
            self._step_round(-1)

    def _step_session(self, step: int) -> None:
        sessions = self.shown.sessions
        one = self._session
        place = next((i for i, other in enumerate(sessions) if other is one), 0) + step
        while 0 <= place < len(sessions) and not sessions[place].rounds:
            place += step
        if 0 <= place < len(sessions):
            self._show_round(sessions[place].rounds[0], top=True)
        else:
            self.notify("This is the last session." if step > 0 else "This is the first session.")

    def action_next_session(self) -> None:
        if not self.refuse("next_session"):
            self._step_session(1)

    def action_previous_session(self) -> None:
        if not self.refuse("previous_session"):
            self._step_session(-1)

    # Searching

    @property
    def _clears(self) -> str:
        return self.sentence("{app.back} clears")

    def _search_place(self) -> str:
        """Where one is among the matches, such as ``match 2 of 5 rounds “tea”``."""
        count = len(self._findings)
        rounds = "round" if count == 1 else "rounds"
        one = self.current
        if one is not None and one.id in self._findings:
            place = self._findings.index(one.id) + 1
            return f"match {place} of {count} {rounds} “{one_line(self._search)}” · {self._clears}"
        return f"{count} {rounds} with “{one_line(self._search)}” · {self._clears}"

    def action_find(self) -> None:
        if self.refuse("find"):
            return
        self.add_class("-searching")
        search = self.query_one("#search", Input)
        search.value = self._search
        search.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._set_search(event.value.strip())
        except UsageError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self._close_search()
        self._redraw()
        if self._search and not self._findings:
            text = f"“{one_line(self._search)}” is nowhere in this history, with these captions."
            self.notify(text, markup=False)
        elif self._search:
            self._step_match(0)

    def on_line_input_left(self) -> None:
        """Leave the search line; left empty, it also forgets the search."""
        if not self.query_one("#search", Input).value.strip():
            self._set_search("")
            self._redraw()
        self._close_search()

    def _set_search(self, text: str) -> None:
        self._pattern = search_pattern(text) if text else None
        self._search = text
        self._findings = find_in_history(self.shown, self._pattern, self.captions)

    def give_up(self) -> bool:
        if not self._search:
            return False
        self._set_search("")
        self._redraw()
        return True

    def _close_search(self) -> None:
        self.remove_class("-searching")
        self.dialogue.focus()

    def action_next_match(self) -> None:
        if not self.refuse("next_match"):
            self._step_match(1)

    def action_previous_match(self) -> None:
        if not self.refuse("previous_match"):
            self._step_match(-1)

    def _step_match(self, step: int) -> None:
        one = self.current
        if not self._findings or one is None:
            text = (
                "There is no match." if self._search else f"{{{self.SCOPE}.find}} searches first."
            )
            self.notify(self.sentence(text), markup=False)
            return
        indexes = [self.shown.round_by_id[found].index for found in self._findings]
        if step >= 0:
            later = [i for i in indexes if i >= one.index + step]
            place = later[0] if later else indexes[0]
        else:
            earlier = [i for i in indexes if i < one.index]
            place = earlier[-1] if earlier else indexes[-1]
        self._show_round(self.shown.rounds[place])
        if self._pattern is not None:
            self.dialogue.reveal(self._pattern)
