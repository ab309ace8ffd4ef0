"""What screens about one question share: its evidence, its runs, the context, the way on."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.events import Resize
from textual.message import Message

from mnemoscope.core.clue_text import clue_session, clue_text, round_text
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Attachment, Question, Round
from mnemoscope.core.runs.contexts import sent_context
from mnemoscope.core.scoring.clue_hits import ClueComparison, clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain
from mnemoscope.core.tags.verdicts import personal_verdicts
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.tui.desk import coarse_note_of
from mnemoscope.tui.screens.attachments import AttachmentScreen
from mnemoscope.tui.screens.page_search import PageSearch
from mnemoscope.viewers.dialogue import DialogueLook, highlighted
from mnemoscope.viewers.inspector import evaluator_blocks
from mnemoscope.viewers.overlay_view import correction_blocks
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.question_view import RunView, clue_blocks, question_blocks
from mnemoscope.viewers.styles import style, styled

__all__ = ["QuestionEvidence"]

_LONGEST_CONTEXT = 200_000


class QuestionEvidence(PageSearch, AttachmentScreen):
    """A screen about the question under the cursor of a list."""

    FIRST_PANE: ClassVar[str] = "question"
    """The pane that has the focus at first."""

    class ContextRead(Message):
        """The context that was sent has been read from the run's file."""

        def __init__(self, key: str, label: str, text: str) -> None:
            super().__init__()
            self.key = key
            self.label = label
            self.text = text

    def __init__(self) -> None:
        super().__init__()
        self._other = ""
        self._drawn = ""
        # The context read last: the question's key, the run's label, the text.
        self._sent: tuple[str, str, str] | None = None
        self._drawn_other = ("", "")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(f"#{self.FIRST_PANE}").focus()

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.draw)

    @property
    def question(self) -> Question | None:
        """The question under the cursor of the list."""
        key = self.desk.walk.key
        return self.desk.workspace.release.questions.get(key) if key else None

    def _look(self) -> DialogueLook:
        wide, tall = self.has_class("-triple"), self.size.height >= 40
        return DialogueLook(
            palette=self.palette,
            textualisation=self.desk.textualisation,
            picture_columns=36,
            picture_rows=(9 if wide else 6 if tall else 0) * self.desk_app.draws_pictures,
            words=self.marked_words,
            option_cells=400 if wide else 2 * max(30, self.size.width - 10),
        )

    def _view(self, question: Question, run: JoinedRun, entry: Entry | None) -> RunView:
        if entry is None:
            return RunView(run, None, None)
        coarse = coarse_note_of(self.desk.entries(question.key))
        history = self.desk.workspace.release.histories[question.history_id]
        comparison = clue_hits(
            question,
            entry.record,
            used_depth=run.run.used_depth,
            history=history,
            grain=Grain.SESSION if coarse else None,
        )
        texts = self._item_texts(question, comparison)
        tags = self.desk.workspace.tags
        people = personal_verdicts(tags, run, entry) if tags is not None else ()
        return RunView(run, entry, comparison, texts, coarse, people=people)

    def _item_texts(self, question: Question, comparison: ClueComparison) -> Sequence[str]:
        history = self.desk.workspace.release.histories[question.history_id]
        texts = []
        for hit in comparison.items[:50]:
            rounds = [history.round_by_id.get(unit) for unit in hit.units]
            parts = [round_text(one, self.desk.textualisation) for one in rounds if one is not None]
            texts.append(" / ".join(parts))
        return texts

    def _question(self, question: Question, views: Sequence[RunView]) -> Iterator[Block]:
        release, look = self.desk.workspace.release, self._look()
        title = release.task_label(question.task).title
        yield from question_blocks(question, look, title)
        yield Paragraph(Text(""))
        overlay = self.desk.workspace.overlay
        corrections = overlay.corrections.get(question.key, ()) if overlay else ()
        if corrections:
            yield from correction_blocks(corrections, self.palette)
            yield Paragraph(Text(""))
        if self.desk.show_evaluator:
            note = release.evaluator.questions.get(question.key, {})
            yield from evaluator_blocks("question", note, self.palette)
            yield Paragraph(Text(""))
        yield from self._clues(question, views, "Clues")
        if overlay is not None and question.key in overlay.evidence_changed:
            yield Paragraph(Text(""))
            corrected = overlay.release.questions[question.key]
            entries = self.desk.entries(question.key)
            views = [self._view(corrected, run, entry) for run, entry in entries]
            yield from self._clues(corrected, views, "Clues as the overlay has them")

    def _clues(self, question: Question, views: Sequence[RunView], title: str) -> Iterator[Block]:
        """The evidence of a question, and whether A and B brought it back."""
        shown = self.desk.textualisation
        release = self.desk.workspace.release
        texts = [clue_text(release, question, clue, shown) for clue in question.clues]
        sessions = [clue_session(release, question, clue) for clue in question.clues]
        yield from clue_blocks(question, views, texts, sessions, self._look(), title=title)

    def attachments(self) -> Sequence[tuple[str, Attachment]]:
        question = self.question
        if question is None:
            return []
        one = self._round_under_cursor(question)
        found = [("", item) for item in one.attachments] if one is not None else []
        found += [("", item) for item in question.attachments]
        options = [(one.label, one.attachment) for one in question.options if one.attachment]
        return [*found, *options]

    def _round_under_cursor(self, question: Question) -> Round | None:
        """The round of the clue or the retrieved item that the cursor stands on."""
        target = self.focused.target if isinstance(self.focused, Page) else None
        if not isinstance(target, tuple) or target[0] != "round":
            return None
        history = self.desk.workspace.release.histories[question.history_id]
        return history.round_by_id.get(str(target[1]))

    def on_page_highlighted(self, message: Page.Highlighted) -> None:
        self.show_clip()

    # The context that was sent

    def _open_other(self, what: str, blocks: Sequence[Block]) -> None:
        opens = not self.has_class("-other")
        self._other = what
        self.add_class("-other")
        self.show_panes()
        # What is drawn anew, after a resize, keeps its place and takes the focus from nobody.
        shown = (self._drawn, what)
        self.query_one("#other", Page).set_blocks(blocks, keep=shown == self._drawn_other)
        self._drawn_other = shown
        at_run = self.focused is not None and self.focused.id in ("run-a", "run-b")
        if at_run or (opens and self.has_class("-single")):
            self.go_to_pane("other")

    def _close_other(self) -> None:
        at_other = self.focused is not None and self.focused.id == "other"
        self._other = ""
        self.remove_class("-other")
        self.show_panes()
        if at_other:
            pane = "run-a" if self.desk.pair else "question"
            self.go_to_pane(pane)

    def action_context(self) -> None:
        if self._other.startswith("context"):
            self._close_other()
        elif self.question is not None and not self.refuse("context"):
            at_b = self.focused is not None and self.focused.id == "run-b"
            self._show_context(self.question, self.desk.pair[-1 if at_b else 0])
        self.recount()

    def recount(self) -> None:
        """Count the matches of a search anew: another page is there."""
        self.search_drawn()
        self.draw_header()

    def _show_context(self, question: Question, run: JoinedRun) -> None:
        entry = run.entry(question.key)
        name = f"context of {run.letter}"
        if entry is None or not entry.record.context_place:
            text = f"{run.label} does not store the context that was sent to the backbone."
            self._open_other(name, [Paragraph(styled(text, style("dim", self.palette)))])
        elif self._sent is not None and self._sent[:2] == (question.key, run.label):
            self._open_other(name, list(self._context_blocks(*self._sent[1:])))
        else:
            self._open_other(name, [Paragraph(Text("… reading the run's file"))])
            self._read_context(question.key, run, entry)

    @work(thread=True, exclusive=True, group="context", description="read context")
    def _read_context(self, key: str, run: JoinedRun, entry: Entry) -> None:
        try:
            text = sent_context(run.run, entry.record) or ""
        except (InputError, KeyError) as error:
            text = f"The context cannot be read: {error}"
        self.post_message(self.ContextRead(key, run.label, text))

    def on_question_evidence_context_read(self, message: ContextRead) -> None:
        question = self.question
        if not self._other.startswith("context") or question is None or question.key != message.key:
            return
        self._sent = (message.key, message.label, message.text)
        blocks = list(self._context_blocks(message.label, message.text))
        self.query_one("#other", Page).set_blocks(blocks)
        self.recount()

    def _context_blocks(self, label: str, text: str) -> Iterator[Block]:
        head = styled(f"context as sent · {label}", style("heading", self.palette))
        head.append(f"  {len(text):,} characters", style("dim", self.palette))
        yield Paragraph(head)
        yield Paragraph(highlighted(text[:_LONGEST_CONTEXT], self._look()))

    # Going on

    def _step_question(self, step: int) -> None:
        walk = self.desk.walk
        place = walk.cursor + step
        if 0 <= place < len(walk.keys):
            walk.cursor = place
            self.draw()
        else:
            self.notify("This is the last question." if step > 0 else "This is the first one.")

    def action_next_question(self) -> None:
        self._step_question(1)

    def action_previous_question(self) -> None:
        self._step_question(-1)

    def on_page_opened(self, message: Page.Opened) -> None:
        question, target = self.question, message.target
        if question is None or not isinstance(target, tuple):
            return
        history = self.desk.workspace.release.histories[question.history_id]
        if target[0] == "session":
            session = history.session_by_id.get(str(target[1]))
            if session is not None and session.rounds:
                self.desk_app.show_round(history.id, session.rounds[0].id)
        elif str(target[1]) in history.round_by_id:
            self.desk_app.show_round(history.id, str(target[1]))
        else:
            self.notify(f"The release has no round {target[1]}.", markup=False)
