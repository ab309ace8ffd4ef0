"""Giving answers, going from question to question, and ending it."""

from collections.abc import Sequence

from textual.widgets import Input

from mnemoscope.core.answers.sheet import Passage
from mnemoscope.core.answers.submission import Written
from mnemoscope.tui.answering import option_keys
from mnemoscope.tui.screens.answer_choices import AnswerChoices
from mnemoscope.tui.screens.answer_summary import AnswerSummaryScreen
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.session_rows import session_title
from mnemoscope.viewers.columns import Column

__all__ = ["AnswerGiving"]

_IN_DIALOGUE = frozenset(
    (
        *("find", "next_match", "previous_match", "sessions"),
        *("next_session", "previous_session", "next_round", "previous_round"),
    )
)
"""Actions that need a dialogue, which oracle views have not."""


class AnswerGiving(AnswerChoices):
    """What whoever answers can do; what it looks like is drawn elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._written: Sequence[Written] = ()

    @property
    def _passages(self) -> Sequence[Passage]:
        work = self.work
        return work.maker.clues(work.question) if work is not None else ()

    def _draw_dialogue(self, *, keep: bool) -> None:
        raise AssertionError("a screen that shows clues can draw them anew")

    # Answering

    def _answer(self, text: str) -> None:
        work = self.work
        if work is None or not self.attempt(lambda: work.answer(text)):
            return
        self.draw()
        if work.count == len(work.questions) and not work.finished and text:
            ends = "All are answered: {answer.finish} ends it and shows the results."
            self.notify(self.sentence(ends), markup=False)

    def _choose(self, letter: str) -> None:
        work = self.work
        if work is None:
            return
        label = option_keys(work.question).get(letter)
        if label is None:
            self.notify(f"The question has no option {letter.upper()}.")
        else:
            self._answer(label)

    def action_choose_a(self) -> None:
        self._choose("a")

    def action_choose_b(self) -> None:
        self._choose("b")

    def action_choose_c(self) -> None:
        self._choose("c")

    def action_choose_d(self) -> None:
        self._choose("d")

    def action_choose_e(self) -> None:
        self._choose("e")

    def action_choose_f(self) -> None:
        self._choose("f")

    def action_clear(self) -> None:
        work = self.work
        if work is not None and work.answer_here:
            self._answer("")
            self.query_one("#typed", Input).value = work.answer_here

    def action_type(self) -> None:
        if not self.refuse("type"):
            self._show_pane("question")
            self.query_one("#typed", Input).focus()

    # Going on

    def _go_to(self, place: int) -> None:
        work = self.work
        if work is not None:
            self.attempt(lambda: work.go_to(place))
            self.draw()
            # Until another one is asked for, a clue or a sound of the last question is not.
            self.show_clip()

    def _step_question(self, step: int) -> None:
        work = self.work
        if work is None:
            return
        place = work.cursor + step
        if 0 <= place < len(work.questions):
            self._go_to(place)
        else:
            self.notify("This is the last question." if step > 0 else "This is the first one.")

    def action_next_question(self) -> None:
        self._step_question(1)

    def action_previous_question(self) -> None:
        self._step_question(-1)

    def action_next_open(self) -> None:
        place = self.work.next_open() if self.work is not None else None
        if place is None:
            self.notify("Every question has an answer.")
        else:
            self._go_to(place)

    def action_sessions(self) -> None:
        """Choose a session to read."""
        sessions = [one for one in self.shown.sessions if one.rounds]
        if self.refuse("sessions") or not sessions:
            return

        def chosen(index: int | None) -> None:
            if index is not None:
                self._show_round(sessions[index].rounds[0], top=True)
                self.go_to_pane("dialogue")

        one = self.current
        current = next((i for i, s in enumerate(sessions) if one and s.id == one.session_id), 0)
        columns = (Column("session", 30, flex=1),)
        rows = [(session_title(session),) for session in sessions]
        self.app.push_screen(Chooser("Read a session", columns, rows, current=current), chosen)

    def action_unfold(self) -> None:
        work = self.work
        if work is not None and not self.refuse("unfold"):
            every = set(range(len(self._passages)))
            work.unfolded = set() if work.unfolded == every else every
            self._draw_dialogue(keep=True)
            self.show_clip()

    def action_variant(self) -> None:
        work = self.work
        if work is not None and not self.refuse("variant"):
            self.desk.next_variant()
            work.show(self.desk.textualisation)
            self.draw()

    def action_summary(self) -> None:
        work = self.work
        if work is not None:
            self.app.push_screen(AnswerSummaryScreen(work.summary, self.release, self._written))

    def action_finish(self) -> None:
        """End it, once the person has said so again."""
        work = self.work
        if work is None or self.refuse("finish"):
            return
        missing = len(work.questions) - work.count
        said = f"{missing:,} without an answer count as wrong" if missing else "all are answered"
        rows = [
            ("finish", f"{said}; answers stay as they are from then on"),
            ("go on", "nothing is ended"),
        ]

        def chosen(index: int | None) -> None:
            if index == 0:
                self.attempt(self._finish)

        columns = (Column("", 8), Column("", 20, flex=1, dim=True))
        title = f"Finish {work.view.label}?"
        self.app.push_screen(Chooser(title, columns, rows, current=1 if missing else 0), chosen)

    def _finish(self) -> None:
        work = self.work
        assert work is not None
        try:
            self._written = work.finish()
        finally:
            self.draw()
        self.action_summary()

    def why_not(self, action: str) -> str:
        work = self.work
        if work is None:
            return "" if action == "participant" else "Nobody answers yet."
        if action in _IN_DIALOGUE and work.view.is_oracle:
            return "An oracle view has only what the clues name."
        if action == "unfold" and not work.view.is_oracle:
            return "Only oracle views show clues."
        if action == "variant" and not work.view.is_text:
            return "A multimodal view shows no captions."
        if action == "type" and work.question.options:
            return "A letter chooses an option of this question."
        if action == "finish" and work.finished:
            return self.sentence("It is finished: {answer.summary} shows the results.")
        letter = action.removeprefix("choose_")
        if len(letter) == 1 and letter not in option_keys(work.question):
            return f"The question has no option {letter.upper()}."
        return ""
