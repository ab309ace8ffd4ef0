"""One question in full: options and gold, clues, what A and B brought back and answered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget

from mnemoscope.core.clue_text import clue_session, clue_text, round_text
from mnemoscope.core.errors import InputError
from mnemoscope.core.model import Attachment, Question, Round
from mnemoscope.core.raw import RawPart, raw_question, raw_record
from mnemoscope.core.runs.contexts import sent_context
from mnemoscope.core.scoring.clue_hits import ClueComparison, clue_hits
from mnemoscope.core.scoring.retrieval_hits import Grain
from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Entry, JoinedRun
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.desk import coarse_note_of
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.attachments import AttachmentScreen
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.page_search import PageSearch
from mnemoscope.tui.screens.question_help import QUESTION_HELP
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.answer_diff import diff_blocks
from mnemoscope.viewers.dialogue import DialogueLook, highlighted
from mnemoscope.viewers.inspector import evaluator_blocks
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.overlay_view import correction_blocks
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.question_view import RunView, clue_blocks, question_blocks, run_blocks
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled

__all__ = ["QuestionScreen"]

_LONGEST_CONTEXT = 200_000


class QuestionScreen(PageSearch, AttachmentScreen):
    """A question, its evidence, and two systems on it."""

    SCOPE: ClassVar[str] = "question"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = QUESTION_HELP
    TWIN: ClassVar[str] = "mnemoscope show RELEASE QUESTION [RUN …]"
    PANES: ClassVar[Mapping[str, str]] = {
        "question": "question and clues",
        "run-a": "A",
        "run-b": "B",
        "other": "diff",
    }
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {"runs": ("double",)}
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("question")
    CSS = """
    QuestionScreen #main { layout: horizontal; }
    QuestionScreen #question { width: 1fr; min-width: 14; }
    QuestionScreen #runs { width: 60%; height: 1fr; min-width: 28; }
    QuestionScreen #runs > Page { width: 1fr; min-width: 14; }
    QuestionScreen #runs > #run-b { width: 50%; }
    QuestionScreen #other { display: none; }
    QuestionScreen.-other #other { display: block; }
    QuestionScreen.-other #run-a, QuestionScreen.-other #run-b { display: none; }
    QuestionScreen.-other #before-run-b { display: none; }
    QuestionScreen.-one-run #run-b, QuestionScreen.-one-run #before-run-b { display: none; }
    QuestionScreen.-no-run #runs, QuestionScreen.-no-run #before-runs { display: none; }
    QuestionScreen.-double #main { layout: vertical; }
    QuestionScreen.-double #question { height: 1fr; min-height: 3; }
    QuestionScreen.-double #runs { width: 1fr; height: 55%; min-height: 3; }
    QuestionScreen.-single #main { layout: vertical; }
    QuestionScreen.-single #question { width: 1fr; }
    QuestionScreen.-single #runs { display: none; width: 1fr; }
    QuestionScreen.-single Splitter { display: none; }
    QuestionScreen.-single #runs > Page { display: none; }
    QuestionScreen.-single #runs > #run-b { width: 1fr; }
    QuestionScreen.-single.-at-run-a #question { display: none; }
    QuestionScreen.-single.-at-run-b #question { display: none; }
    QuestionScreen.-single.-at-other #question { display: none; }
    QuestionScreen.-single.-at-run-a #runs { display: block; }
    QuestionScreen.-single.-at-run-b #runs { display: block; }
    QuestionScreen.-single.-at-other #runs { display: block; }
    QuestionScreen.-single.-at-run-a #run-a { display: block; }
    QuestionScreen.-single.-at-run-b #run-b { display: block; }
    QuestionScreen.-single.-at-other #other { display: block; }
    """

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

    def body(self) -> Iterator[Widget]:
        with Container(id="main"):
            yield Page(loader=self.desk_app.draw, id="question")
            yield Splitter("runs", "question", id="before-runs")
            with Horizontal(id="runs"):
                yield Page(id="run-a")
                yield Splitter("run-b", "run-a", id="before-run-b")
                yield Page(id="run-b")
                yield Page(id="other")
        yield ClipBar()
        yield self.search_line()

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#question").focus()

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.draw)

    # What is shown

    @property
    def question(self) -> Question | None:
        """The question under the cursor of the list."""
        key = self.desk.walk.key
        return self.desk.workspace.release.questions.get(key) if key else None

    def state(self) -> Mapping[str, str]:
        return {"other": self._other} if self._other else {}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._other = state.get("other", "")

    def pane_is_there(self, pane: str) -> bool:
        if self.has_class("-other"):
            return pane in ("question", "other")
        runs = len(self.desk.pair)
        return {"run-a": runs > 0, "run-b": runs > 1, "other": False}.get(pane, True)

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

    def draw(self) -> None:
        runs = len(self.desk.pair)
        self.set_class(runs == 1, "-one-run")
        self.set_class(runs == 0, "-no-run")
        question = self.question
        if question is None:
            text = self.sentence("No question is selected. {app.questions} lists them.")
            self.query_one("#question", Page).set_blocks([Paragraph(Text(text))])
            return
        views = [self._view(question, run, entry) for run, entry in self.desk.entries(question.key)]
        # Drawing the same question anew, after a resize or with other captions, keeps the place.
        keep = self._drawn == question.key
        self._drawn = question.key
        blocks = list(self._question(question, views))
        self.query_one("#question", Page).set_blocks(blocks, keep=keep)
        for pane, view in zip(("#run-a", "#run-b"), views, strict=False):
            self.query_one(pane, Page).set_blocks(list(run_blocks(view, self._look())), keep=keep)
        if self._other == "diff" and runs == 2:
            self._show_diff(question)
        elif self._other.startswith("context of"):
            letters = {run.letter: run for run in self.desk.pair}
            self._show_context(question, letters.get(self._other[-1], self.desk.pair[0]))
        else:
            self._close_other()
        self.search_drawn(keep=keep)
        self.draw_header()
        self.show_panes()
        self.show_clip()

    def pane_title(self, pane: str) -> str:
        places = {"run-a": 0, "run-b": 1}
        if pane in places:
            return self.desk.pair[places[pane]].label
        return self._other if pane == "other" else super().pane_title(pane)

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
        return RunView(run, entry, comparison, texts, coarse)

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

    def draw_header(self) -> None:
        question, walk = self.question, self.desk.walk
        if question is None:
            return
        left = styled(one_line(question.key), style("heading", self.palette))
        right = list(self.search_place())
        # On a narrow terminal only one of the two fits; the outcomes stand in the panes too.
        entries = [] if right and self.has_class("-single") else self.desk.entries(question.key)
        for run, entry in entries:
            left.append(f"   {run.letter} ", style("dim", self.palette))
            left.append_text(outcome_label(entry, self.palette, answer=True))
        right += [f"{walk.cursor + 1:,} of {len(walk.keys):,} {walk.title or walk.filter}".strip()]
        if self.desk.show_evaluator:
            right.append("evaluator-only shown")
        self.header(left, " · ".join([*right, self.desk.variant_label]))

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

    def copies(self) -> Sequence[tuple[str, str]]:
        question = self.question
        if question is None:
            return ()
        found = [("question key", question.key), ("question", question.text)]
        for run, entry in self.desk.entries(question.key):
            if entry is not None:
                found.append((f"answer of {run.letter}", entry.record.answer))
                if entry.record.reasoning:
                    found.append((f"reasoning of {run.letter}", entry.record.reasoning))
        command = twin_command("show", self.desk_app.request, [question.key])
        return [*found, ("command", command)]

    def raw(self) -> RawPart | None:
        question = self.question
        if question is None:
            return None
        places = {"run-a": 0, "run-b": 1}
        at = places.get(self.focused.id or "") if self.focused is not None else None
        if at is not None:
            run, entry = self.desk.entries(question.key)[at]
            return None if entry is None else raw_record(run.run, entry.record)
        return raw_question(self.desk.workspace.release, question)

    # Diff and context

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
            self._show_pane("other")
            self.query_one("#other").focus()

    def _close_other(self) -> None:
        at_other = self.focused is not None and self.focused.id == "other"
        self._other = ""
        self.remove_class("-other")
        self.show_panes()
        if at_other:
            pane = "run-a" if self.desk.pair else "question"
            self._show_pane(pane)
            self.query_one(f"#{pane}").focus()

    def _show_diff(self, question: Question) -> None:
        self._open_other("diff", list(self._diff(question)))

    def _diff(self, question: Question) -> Iterator[Block]:
        palette = self.palette
        (run_a, a), (run_b, b) = self.desk.entries(question.key)
        if a is None or b is None:
            missing = run_a.label if a is None else run_b.label
            text = f"{missing} has no record of this question; there is nothing to compare."
            yield Paragraph(styled(text, style("dim", palette)))
            return
        labels = tuple(
            styled(f"{run.letter} ", style("focus", palette)).append_text(
                outcome_label(entry, palette)
            )
            for run, entry in ((run_a, a), (run_b, b))
        )
        pair, words = (labels[0], labels[1]), self.marked_words
        gold = styled("gold  ", style("dim", palette)).append(one_line(str(question.gold)))
        yield Paragraph(gold)
        yield Paragraph(Text(""))
        yield from diff_blocks("answer", pair, (a.record.answer, b.record.answer), palette, words)
        if a.record.reasoning or b.record.reasoning:
            yield Paragraph(Text(""))
            texts = (a.record.reasoning, b.record.reasoning)
            yield from diff_blocks("reasoning", pair, texts, palette, words)

    def action_diff(self) -> None:
        question = self.question
        if self._other == "diff":
            self._close_other()
        elif question is not None and not self.refuse("diff"):
            self._show_diff(question)
        self._recount()

    def action_context(self) -> None:
        if self._other.startswith("context"):
            self._close_other()
        elif self.question is not None and not self.refuse("context"):
            at_b = self.focused is not None and self.focused.id == "run-b"
            self._show_context(self.question, self.desk.pair[-1 if at_b else 0])
        self._recount()

    def _recount(self) -> None:
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

    def on_question_screen_context_read(self, message: ContextRead) -> None:
        question = self.question
        if not self._other.startswith("context") or question is None or question.key != message.key:
            return
        self._sent = (message.key, message.label, message.text)
        blocks = list(self._context_blocks(message.label, message.text))
        self.query_one("#other", Page).set_blocks(blocks)
        self._recount()

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

    def action_choose_a(self) -> None:
        if not self.refuse("choose_a"):
            self.app.push_screen(*choose_run(self.desk, 0, self.draw))

    def action_choose_b(self) -> None:
        if not self.refuse("choose_b"):
            self.app.push_screen(*choose_run(self.desk, 1, self.draw))

    def action_swap(self) -> None:
        if not self.refuse("swap"):
            self.desk.make(0, self.desk.workspace.runs[1])
            self.draw()

    def action_variant(self) -> None:
        self.desk.next_variant()
        self.draw()

    def action_evaluator(self) -> None:
        self.desk.show_evaluator = not self.desk.show_evaluator
        self.draw()

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

    def why_not(self, action: str) -> str:
        if action in ("diff", "choose_a", "choose_b", "swap"):
            return self.needs_runs(2)
        return self.needs_runs(1) if action == "context" else ""
