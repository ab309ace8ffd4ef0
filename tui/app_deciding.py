"""The part of the app in which one chooses who decides what is right."""

from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.text import clean
from mnemoscope.tui.app_answering import AnsweringApp

if TYPE_CHECKING:
    from mnemoscope.core.workspace import Workspace

__all__ = ["DecidingApp"]

_RULE, _PERSON = "rule", "person"


class DecidingApp(AnsweringApp):
    """An app in which the run's rule, people, or judges decide what is right."""

    class Decided(Message):
        """Somebody's verdicts have been put in the place of others."""

        def __init__(
            self, before: "Workspace", after: "Workspace", name: str, problem: str = ""
        ) -> None:
            super().__init__()
            self.before = before
            self.after = after
            self.name = name
            self.problem = problem

    asked_verdicts: str = ""
    """Who decides when the app opens something, where the user has named somebody."""
    _chosen_for: tuple[OpenRequest, str] | None = None
    """Who was chosen last, for what: reading the same files again keeps the choice."""

    def action_decide(self) -> None:
        """Choose who decides what is right."""
        from mnemoscope.tui.deciding import decider_rows
        from mnemoscope.tui.screens.chooser import Chooser
        from mnemoscope.viewers.columns import Column

        if self.refuse("decide"):
            return
        desk = self.opened_desk
        rows = decider_rows(desk.workspace)
        cells = [
            (row.name, row.words, "" if row.answers is None else f"{row.answers:,}") for row in rows
        ]
        names = [row.name for row in rows]
        current = names.index(desk.decider) if desk.decider in names else 0
        columns = (
            Column("who decides", 24, flex=2, middle=True),
            Column("how", 26, flex=1, dim=True),
            Column("answers", 8, align="right", dim=True),
        )

        def chosen(index: int | None) -> None:
            if index is not None and names[index] != desk.decider:
                self.decide(names[index])

        title = "Who decides what is right? mnemoscope judge adds judges"
        self.push_screen(Chooser(title, columns, cells, current=current), chosen)

    def decide(self, name: str) -> None:
        """Let somebody decide, by the name that ``--verdicts`` takes."""
        if name == _PERSON:
            self.read_tags(lambda: self._begin(name))
        else:
            self._begin(name)

    def _begin(self, name: str) -> None:
        self._decide(self.opened_desk.workspace, name)

    def decide_anew(self) -> None:
        """Count verdicts that people have given since; nothing where people do not decide."""
        desk = self._desk
        tags = desk.workspace.tags if desk is not None else None
        if desk is None or tags is None or desk.decider != _PERSON:
            return
        if tags.changes != desk.decided_at:
            desk.decided_at = tags.changes
            self._decide(desk.workspace, _PERSON)

    @work(thread=True, exclusive=True, group="decide", description="decide")
    def _decide(self, workspace: "Workspace", name: str) -> None:
        from mnemoscope.core.judges.deciding import decided

        try:
            self.post_message(self.Decided(workspace, decided(workspace, name), name))
        except MnemoscopeError as error:
            self.post_message(self.Decided(workspace, workspace, name, str(error)))

    def on_deciding_app_decided(self, message: Decided) -> None:
        """Take the verdicts, and say how far they decide."""
        desk = self._desk
        if desk is None or desk.workspace.release is not message.before.release:
            return
        if message.problem:
            desk.decider = _RULE
            self.notify(clean(message.problem), severity="warning", markup=False)
            self._draw_all()
            return
        if desk.workspace is not message.before:
            # Letters were traded, or tags read, while it was worked out.
            self._decide(desk.workspace, message.name)
            return
        runs = message.after.runs
        # A name may have been cut short.
        name = next((run.deciding.name for run in runs if run.deciding), message.name)
        fresh = desk.decider != name
        desk.take_decided(message.after, name)
        if self.request is not None:
            self._chosen_for = (self.request, name)
        self.keep_position()
        self._draw_all()
        if fresh:
            self._say_who_decides()

    def _say_who_decides(self) -> None:
        from mnemoscope.tui.deciding import deciding_note

        notes = [deciding_note(run) for run in self.opened_desk.workspace.runs]
        shown = [note for note in notes if note][:3]
        rest = len(notes) - len(shown)
        if shown:
            more = [f"… and {rest} more runs"] if rest > 0 else []
            self.notify(clean("\n".join([*shown, *more])), markup=False)
        else:
            self.notify("Each run's own rule decides.")

    def after_opening(self) -> None:
        """Let those decide again who were chosen for what is open."""
        super().after_opening()
        desk = self._desk
        if desk is None or not desk.workspace.runs:
            return
        wanted = self.asked_verdicts or desk.decider
        if not self.asked_verdicts and self._chosen_for and self._chosen_for[0] == self.request:
            wanted = self._chosen_for[1]
        self.asked_verdicts = ""
        desk.decider = _RULE
        if wanted != _RULE:
            self.decide(wanted)

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        if action == "decide":
            said = super().why_not("questions")
            if said and said != "This is it.":
                return said
            desk = self._desk
            if self.reading:
                return f"The runs are still being read: {self.reading}."
            if desk is None or not desk.workspace.runs:
                return "A run is needed: open the release with runs beside it."
        return super().why_not(action)
