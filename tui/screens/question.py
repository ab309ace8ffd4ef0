"""One question in full: options and gold, clues, what A and B brought back and answered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.widget import Widget

from mnemoscope.core.model import Question
from mnemoscope.core.raw import RawPart, raw_question, raw_record
from mnemoscope.core.text import one_line
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import screen_bindings
from mnemoscope.tui.screens.evidence import QuestionEvidence
from mnemoscope.tui.screens.question_help import QUESTION_HELP
from mnemoscope.tui.screens.run_choice import choose_run
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.answer_diff import diff_blocks
from mnemoscope.viewers.outcomes import outcome_label
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.question_view import run_blocks
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import style, styled

__all__ = ["QuestionScreen"]


class QuestionScreen(QuestionEvidence):
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

    # What is shown

    def state(self) -> Mapping[str, str]:
        return {"other": self._other} if self._other else {}

    def set_state(self, state: Mapping[str, str]) -> None:
        self._other = state.get("other", "")

    def on_mount(self) -> None:
        super().on_mount()
        self.desk_app.read_kept_tags(self._show_verdicts)

    def _show_verdicts(self) -> None:
        """Draw anew with what people say of the answers, if it is still looked at."""
        if self.is_current:
            self.draw()

    def pane_is_there(self, pane: str) -> bool:
        if self.has_class("-other"):
            return pane in ("question", "other")
        runs = len(self.desk.pair)
        return {"run-a": runs > 0, "run-b": runs > 1, "other": False}.get(pane, True)

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

    def scene(self) -> tuple[str, str] | None:
        question = self.question
        if question is None:
            return None
        history = self.desk.workspace.release.histories[question.history_id]
        until = question.visible_until
        session = history.session_by_id.get(until)
        if session is not None and session.rounds:
            until = session.rounds[-1].id
        return history.id, until if until in history.round_by_id else ""

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
        command = twin_command(
            "show", self.desk_app.request, [question.key, *self.desk.deciding_flags]
        )
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

    # Diff

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
        self.recount()

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

    def why_not(self, action: str) -> str:
        if action in ("diff", "choose_a", "choose_b", "swap"):
            return self.needs_runs(2)
        return self.needs_runs(1) if action == "context" else ""
