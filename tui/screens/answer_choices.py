"""What is settled before and while a person answers: who, in which view, about which history."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mnemoscope.core.answers.book import AnswerBook
from mnemoscope.core.answers.sheet import history_label
from mnemoscope.core.answers.views import View, files_missing, view_named, why_not
from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.tags.journal import NotWrittenError
from mnemoscope.tui.answering import Answering
from mnemoscope.tui.screens.chooser import Chooser
from mnemoscope.tui.screens.prompt import Prompt
from mnemoscope.tui.screens.reading import ReadingScreen
from mnemoscope.viewers.columns import Column

if TYPE_CHECKING:
    from mnemoscope.core.answers.store import Answers
    from mnemoscope.core.model import Release

__all__ = ["AnswerChoices"]

_ALL = ""
"""The questions of all histories, one history after the other."""


class AnswerChoices(ReadingScreen):
    """A screen on which a person answers, once these things are settled."""

    _asking = False
    _name = ""
    _view: View | None = None
    _history: str | None = None

    @property
    def work(self) -> Answering | None:
        """The person at work."""
        return self.desk_app.answering

    @property
    def release(self) -> "Release":
        """What is answered, as published."""
        return self.desk.workspace.release

    @property
    def answers(self) -> "Answers":
        """What everybody has answered."""
        answers = self.desk_app.answers
        assert answers is not None
        return answers

    def start(self) -> None:
        """Go on where one left off, or settle what is to be answered."""
        if self.work is not None or self._asking:
            return
        memory = self.desk_app.answering_memory.load()
        last = memory.get("last", {}).get(self.answers.release) or {}
        self._name = str(memory.get("participant", ""))
        self._view = view_named(str(last.get("view", "")))
        history = last.get("history")
        known = history == _ALL or history in self.release.histories
        self._history = str(history) if history is not None and known else None
        self._settle_next()

    def _settle_next(self) -> None:
        """Ask for what is not settled yet, else begin."""
        ids = self._ids(self._history or _ALL)
        if not self._name:
            self.action_participant()
        elif self._view is None or why_not(self.release, self._view, ids):
            self.action_choose_view()
        elif self._history is None and len(self.release.histories) > 1:
            self.action_choose_history()
        else:
            self._take_up(self._name, self._view, self._history or _ALL)

    def _ids(self, history: str) -> Sequence[str]:
        asked = self.release.questions_by_history
        return [history] if history else [id for id in self.release.histories if asked[id]]

    def _take_up(self, name: str, view: View, history: str) -> None:
        app = self.desk_app
        work = self.work
        if work is not None and work.participant == name:
            self.attempt(work.pause)
            journal = work.journal
        else:
            app.stop_answering()
            journal = self.answers.journal(name)
        ids = self._ids(history)
        app.answering = Answering(self.release, journal, view, ids, self.desk.textualisation)
        memory = app.answering_memory.load()
        last = {
            **memory.get("last", {}),
            self.answers.release: {"view": view.value, "history": history},
        }
        app.answering_memory.save({**memory, "participant": name, "last": last})
        missing, files = files_missing(self.release, ids)
        if missing and not view.is_text:
            text = f"{missing:,} of {files:,} pictures and sounds are missing."
            self.notify(f"{text} Nothing stands in their place.", severity="warning")
        self.draw()

    def _ask(self, settle: Callable[[int], None]) -> Callable[[int | None], None]:
        """What becomes of a choice; without one, and nobody at work, the screen is left."""
        self._asking = True

        def chosen(index: int | None) -> None:
            self._asking = False
            if index is not None:
                settle(index)
            elif self.work is None:
                self.app.pop_screen()

        return chosen

    def action_participant(self) -> None:
        """Say who answers."""
        known = self.work.participant if self.work else ""
        self._asking = True

        def named(name: str | None) -> None:
            self._asking = False
            if name is not None:
                self._name = name
                self._settle_next()
            elif self.work is None:
                self.app.pop_screen()

        title = "Who answers?"
        self.app.push_screen(Prompt(title, "a name; it stands with every answer", known), named)

    def action_choose_view(self) -> None:
        """Choose one of the four views."""
        ids = self._ids(self._history or _ALL)
        reasons = {view: why_not(self.release, view, ids) for view in View}
        rows = [
            (view.label, f"not here: {reasons[view]}" if reasons[view] else view.about)
            for view in View
        ]

        def settle(index: int) -> None:
            view = list(View)[index]
            if reasons[view]:
                self.notify(f"{view.label}: {reasons[view]}.", markup=False)
                if self.work is None:
                    self.action_choose_view()
                return
            self._view = view
            self._settle_next()

        columns = (Column("view", 18), Column("shows", 20, flex=1, dim=True))
        usable = [place for place, view in enumerate(View) if not reasons[view]]
        now = list(View).index(self._view) if self._view in reasons and self._view else -1
        current = now if now in usable else usable[0] if usable else 0
        chooser = Chooser("What is shown?", columns, rows, current=current)
        self.app.push_screen(chooser, self._ask(settle))

    def action_choose_history(self) -> None:
        """Choose whose questions are answered."""
        view, book = self._view, self.answers.books.get(self._name)
        if view is None:
            return
        asked = self.release.questions_by_history
        ids = [id for id in self.release.histories if asked[id]]
        rows = [
            (history_label(self.release, id), *_state(self.release, book, view, [id])) for id in ids
        ]
        rows.append(("all of them", *_state(self.release, book, view, ids)))

        def settle(index: int) -> None:
            self._history = ids[index] if index < len(ids) else _ALL
            self._settle_next()

        columns = (Column("whose questions", 20, flex=1), Column("answered", 14), Column("", 9))
        current = ids.index(self._history) if self._history in ids else 0
        chooser = Chooser("Whose questions?", columns, rows, current=current)
        self.app.push_screen(chooser, self._ask(settle))

    # What may not be written

    def attempt(self, act: Callable[[], object]) -> bool:
        """Do what writes something; whether it counts. What cannot be written is said."""
        try:
            act()
        except NotWrittenError as error:
            self._offer_folder(error)
        except MnemoscopeError as error:
            hint = f". {error.hint}" if error.hint else ""
            self.notify(f"{error}{hint}", severity="error", markup=False)
            return False
        return True

    def _offer_folder(self, error: NotWrittenError) -> None:
        self.notify(str(error), severity="error", markup=False, timeout=15)
        if self.is_current:
            title = "Answers cannot be written there. Another folder from now on"
            self.app.push_screen(Prompt(title, "a folder"), self._write_to)

    def _write_to(self, written: str | None) -> None:
        work = self.work
        if written is None or work is None:
            return
        folder = Path(written).expanduser()
        try:
            work.journal.write_to(folder)
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.notify("Everything is written there.", markup=False)
        self.draw()


def _state(
    release: "Release", book: AnswerBook | None, view: View, ids: Sequence[str]
) -> tuple[str, str]:
    """How many questions of histories are answered, and whether they are finished."""
    questions = [one for id in ids for one in release.questions_by_history[id]]
    answered = book.answered(view, questions) if book else 0
    done = book is not None and all(book.finished(view, id) is not None for id in ids)
    return f"{answered:,} of {len(questions):,}", "finished" if done else ""
