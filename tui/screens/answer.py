"""Answering: a dialogue, or what clues name, beside a question that a person answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.events import Key, Resize
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input

from mnemoscope.core.answers.sheet import history_label
from mnemoscope.core.model import Attachment, History, Round, Textualisation
from mnemoscope.core.text import one_line
from mnemoscope.tui.answering import option_keys
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.line_input import LineInput
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.answer_giving import AnswerGiving
from mnemoscope.tui.screens.answer_help import ANSWER_HELP
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.answer_view import CHOICE, asked_blocks, passage_blocks
from mnemoscope.viewers.dialogue import DialogueLook
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Paragraph
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled

__all__ = ["AnswerScreen"]

_NOTHING = History("", "", (), "")
_CAPITALS = ("A", "B", "C", "D", "E")


class AnswerScreen(AnswerGiving):
    """One question after the other; nothing that tells an answer is on it."""

    SCOPE: ClassVar[str] = "answer"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = ANSWER_HELP
    TWIN: ClassVar[str] = "mnemoscope answers show RELEASE"
    PANES: ClassVar[Mapping[str, str]] = {"dialogue": "dialogue", "question": "question"}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("answer")
    CSS = """
    AnswerScreen #main { height: 1fr; }
    AnswerScreen #dialogue { width: 1fr; min-width: 14; }
    AnswerScreen #asked { width: 46%; min-width: 14; height: 1fr; }
    AnswerScreen.-double #asked { width: 53%; }
    AnswerScreen #typed { display: none; }
    AnswerScreen.-typed #typed { display: block; }
    AnswerScreen.-single Splitter { display: none; }
    AnswerScreen.-single #asked { width: 1fr; }
    AnswerScreen.-single.-at-dialogue #asked { display: none; }
    AnswerScreen.-single.-at-question #dialogue { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._round_id = ""
        self._drawn = ""
        self._drawn_history = _NOTHING

    def body(self) -> Iterator[Widget]:
        with Horizontal(id="main"):
            yield Page(loader=self._picture, id="dialogue")
            yield Splitter("asked", "dialogue", id="before-asked")
            with Container(id="asked"):
                yield Page(loader=self._picture, choice=CHOICE, id="question")
                yield LineInput("type the answer", id="typed")
        yield ClipBar()
        yield self.search_line()

    def on_mount(self) -> None:
        super().on_mount()
        self.go_to_pane("question")

    def _picture(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        drawn = self.desk_app.draw(file, columns, rows)
        # The sentence for a picture that cannot be drawn may name its file.
        return "The picture cannot be shown." if isinstance(drawn, str) else drawn

    # What is shown

    @property
    def shown(self) -> History:
        return self._drawn_history

    @property
    def current(self) -> Round | None:
        return self.shown.round_by_id.get(self._round_id)

    @property
    def captions(self) -> Textualisation:
        work = self.work
        return work.textualisation if work is not None and work.view.is_text else Textualisation()

    def _look(self) -> DialogueLook:
        work, wide = self.work, self.has_class("-triple")
        is_text = work is not None and work.view.is_text
        tall = self.size.height >= 40
        return DialogueLook(
            palette=self.palette,
            textualisation=self.captions,
            picture_columns=44 if wide else 30,
            picture_rows=(14 if tall else 10 if wide else 7)
            * self.desk_app.draws_pictures
            * (not is_text),
            captions=is_text,
            files=not is_text,
            words=() if self._pattern is None else (self._pattern,),
        )

    def draw(self) -> None:
        app = self.desk_app
        if app.answering is not None and app.answering.release is not self.release:
            app.stop_answering()
        work = app.answering
        if work is None:
            if self.is_current:
                self.call_after_refresh(app.read_answers, self.start)
            return
        keep = self._drawn == work.question.key
        if not keep:
            self._written = ()
        self._drawn = work.question.key
        self._draw_dialogue(keep=keep)
        self._draw_question(keep=keep)
        self.draw_header()
        self.show_panes()
        self.show_clip()
        if self.is_current:
            work.begin()

    def _draw_dialogue(self, *, keep: bool) -> None:
        work = self.work
        assert work is not None
        if work.view.is_oracle:
            self._drawn_history = _NOTHING
            blocks = list(passage_blocks(self._passages, work.unfolded, self._look()))
            self.dialogue.set_blocks(blocks, keep=keep)
            return
        history = work.maker.history(work.question)
        self._drawn_history = history
        one = self.current or next(iter(history.rounds), None)
        if one is None:
            self.dialogue.set_blocks([Paragraph(Text("There is no dialogue."))])
            return
        self._round_id = one.id
        standing = self.dialogue.standing
        self._show_session(history.session_by_id[one.session_id], one)
        # The dialogue stays where it was read while questions about it come and go.
        if not self.dialogue.stand(*standing):
            self.dialogue.move_to(one.id)

    def _draw_question(self, *, keep: bool) -> None:
        work = self.work
        assert work is not None
        asked = work.maker.asked(work.question)
        look = self._look()
        if not self.has_class("-triple"):
            look = replace(look, picture_rows=min(look.picture_rows, 6))
        blocks = list(asked_blocks(asked, work.answer_here, look))
        hint = Paragraph(styled(self._hint(), style("dim", self.palette)))
        blocks += [Paragraph(Text("")), hint]
        self.query_one("#question", Page).set_blocks(blocks, keep=keep)
        self.set_class(not asked.options, "-typed")
        if not keep:
            self.query_one("#typed", Input).value = work.answer_here

    def _hint(self) -> str:
        """How the question is answered."""
        work = self.work
        assert work is not None
        if work.locked:
            return "Finished: answers stay as they are."
        letters = list(option_keys(work.question))
        if not letters:
            return self.sentence("{answer.type} types the answer.")
        keys = [self.sentence(f"{{answer.choose_{one}}}") for one in letters[:6]]
        return f"{keys[0]} to {keys[-1]}, or a click, chooses."

    def draw_header(self) -> None:
        work = self.work
        if work is None:
            return
        total = len(work.questions)
        left = styled("Answer  ", style("heading", self.palette))
        left.append(f"{work.cursor + 1:,} of {total:,}", style("focus", self.palette))
        left.append(f"   {work.count:,} answered", style("dim", self.palette))
        parts = [self._search_place()] if self._search else []
        if work.journal.pending:
            parts.append(f"{len(work.journal.pending)} NOT WRITTEN")
        if work.finished:
            parts.append("finished")
        parts.append(work.view.label)
        one = self.current
        if one is not None and self._session is not None:
            place = [session.id for session in self.shown.sessions].index(one.session_id) + 1
            parts.append(f"session {place:,} of {len(self.shown.sessions):,}")
        if work.view.is_text:
            parts.append(self.desk.variant_label)
        parts += [history_label(self.release, work.question.history_id), work.participant]
        self.header(left, " · ".join(map(one_line, parts)))

    def pane_title(self, pane: str) -> str:
        work = self.work
        if pane == "dialogue" and work is not None and work.view.is_oracle:
            count = len(self._passages)
            return f"{count} clues" if count != 1 else "1 clue"
        return super().pane_title(pane)

    def _show_round(self, one: Round, *, top: bool = False) -> None:
        if self._stretch is None or one not in self._stretch:
            self._show_session(self.shown.session_by_id[one.session_id], one)
        self._round_id = one.id
        if self.dialogue.target != one.id:
            self.dialogue.move_to(one.id, top=top)
        self.draw_header()
        self.show_clip()

    def _redraw(self) -> None:
        self.draw()

    def attachments(self) -> Sequence[tuple[str, Attachment]]:
        work = self.work
        if work is None or work.view.is_text:
            return ()
        here = [("", item) for one in self._rounds_here() for item in one.attachments]
        if self.focused is self.dialogue:
            return here
        asked = work.maker.asked(work.question)
        options = [("", one.attachment) for one in asked.options if one.attachment]
        # A sound of the dialogue can be heard without leaving the question.
        return [*(("", item) for item in asked.attachments), *options, *here]

    def _rounds_here(self) -> Sequence[Round]:
        work, target = self.work, self.dialogue.target
        assert work is not None
        if isinstance(target, tuple) and target[1] in work.unfolded:
            return self._passages[target[1]].rounds
        return [self.current] if self.current is not None else []

    def copies(self) -> Sequence[tuple[str, str]]:
        request = self.desk_app.request
        if request is not None:
            # Answers are about the release as published.
            request = replace(request, overlays=(), run_format=None, run_map=None)
        found = [("submission", str(one.path)) for one in self._written]
        return [*found, ("command", twin_command("answers list", request, runs=False))]

    # Reacting

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.draw)

    def on_screen_suspend(self) -> None:
        """The question is not seen any more."""
        if self.work is not None:
            self.attempt(self.work.pause)

    def on_page_highlighted(self, message: Page.Highlighted) -> None:
        target = message.target
        is_late = target != message.page.target
        if message.page is self.dialogue and isinstance(target, str) and not is_late:
            self._round_id = target
            self.draw_header()
        self.show_clip()

    def on_page_opened(self, message: Page.Opened) -> None:
        target, work = message.target, self.work
        if work is None:
            return
        if isinstance(target, tuple) and target[0] == CHOICE:
            if target[1]:
                self._answer(str(target[1]))
            else:
                self.action_type()
        elif isinstance(target, tuple):
            work.unfolded ^= {target[1]}
            self._draw_dialogue(keep=True)
            self.show_clip()
        else:
            self.go_to_pane("question")

    def on_key(self, event: Key) -> None:
        """Take a capital for the letter of an option: on the screen they are capitals."""
        if event.character in _CAPITALS and not isinstance(self.focused, Input):
            event.stop()
            event.prevent_default()
            self._choose(event.character.lower())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "typed":
            event.stop()
            event.prevent_default()
            self._answer(event.value.strip())
            self.go_to_pane("question")

    def on_line_input_left(self) -> None:
        """Leave the line without taking what is typed."""
        if self.has_class("-searching"):
            super().on_line_input_left()
        elif self.work is not None:
            self.query_one("#typed", Input).value = self.work.answer_here
            self.go_to_pane("question")

    def _close_search(self) -> None:
        self.remove_class("-searching")
        self.go_to_pane("dialogue")
