"""The part of the app in which a person answers: reading what there is, and hiding the rest."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.tui.actions import actions_of
from mnemoscope.tui.app_tagging import TaggingApp
from mnemoscope.tui.state_file import StateFile

if TYPE_CHECKING:
    from mnemoscope.core.answers.store import Answers
    from mnemoscope.core.model import Release
    from mnemoscope.tui.answering import Answering

__all__ = ["AnsweringApp"]

_SHOWS_NOTHING = frozenset(
    (
        *("help", "pane_help", "command_palette", "back", "leave", "quit", "next_theme"),
        *("answer", "copy_menu", "reload"),
    )
)
"""Actions of the app that lead to nothing that is hidden from whoever answers."""
_OF_THE_APP = frozenset(action.name for action in actions_of("app"))


class AnsweringApp(TaggingApp):
    """An app in which a person can answer the questions of what is open."""

    class AnswersRead(Message):
        """Everybody's answers have been read."""

        def __init__(self, release: "Release", answers: "Answers") -> None:
            super().__init__()
            self.release = release
            self.answers = answers

    answers_folder: Path | None = None
    """The folder for answers that the user named."""
    answers: "Answers | None" = None
    """What everybody has answered about what is open; None before that has been read."""
    answering: "Answering | None" = None
    """The person at work."""
    answering_memory: StateFile
    """Who answered last, in which view, about which history."""
    _after_answers: Callable[[], None] | None = None
    _answers_of: "Release | None" = None

    def read_answers(self, then: Callable[[], None]) -> None:
        """Read everybody's answers about what is open, if that has not been done, and go on."""
        release = self.opened_desk.workspace.release
        if self.answers is not None and self._answers_of is release:
            then()
        else:
            self.stop_answering()
            self._after_answers = then
            self._read_answers(release)

    @work(thread=True, exclusive=True, group="answers", description="read answers")
    def _read_answers(self, release: "Release") -> None:
        from mnemoscope.core.answers.store import load_answers

        self.post_message(self.AnswersRead(release, load_answers(release, self.answers_folder)))

    def on_answering_app_answers_read(self, message: AnswersRead) -> None:
        """Take the answers, say what of them cannot be used, and go on."""
        then, self._after_answers = self._after_answers, None
        if self._desk is None or self._desk.workspace.release is not message.release:
            return
        self.answers, self._answers_of = message.answers, message.release
        for defect in message.answers.defects[:3]:
            self.notify(defect.line(), severity="warning", markup=False)
        if message.answers.elsewhere:
            count = message.answers.elsewhere
            self.notify(f"{count} answers are about another version of this release.")
        if then is not None:
            then()

    def stop_answering(self) -> None:
        """Close the file of whoever answers; nobody does any more."""
        if self.answering is not None:
            with suppress(MnemoscopeError):
                self.answering.pause()
            self.answering.journal.close()
        self.answering = None

    def on_unmount(self) -> None:
        """Close the file that answers are written to."""
        self.stop_answering()

    def action_answer(self) -> None:
        """Let a person answer the questions of what is open."""
        self.go_to_screen("answer")

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        here = getattr(self.screen, "SCOPE", "")
        if action == "answer":
            said = super().why_not("questions")
            if said and said != "This is it.":
                return said
            if here == "answer":
                return "This is it."
            return "" if self.opened_desk.workspace.release.questions else "There are no questions."
        ended = self.answering is not None and self.answering.finished
        shows_more = action in _OF_THE_APP - _SHOWS_NOTHING
        if here == "answer" and shows_more and not ended:
            return self.sentence("Whoever answers must not see that: {app.back} leaves first.")
        return super().why_not(action)
