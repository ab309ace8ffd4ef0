"""The part of the app that goes from screen to screen."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.tui.app_opening import OpeningApp
from mnemoscope.tui.screens.base import DeskScreen, WorkScreen
from mnemoscope.tui.trail import View

if TYPE_CHECKING:
    from mnemoscope.tui.desk import Selection

__all__ = ["GoingApp", "screen_of"]


def screen_of(scope: str) -> WorkScreen:
    """A new screen of a scope; screens are imported when one goes there first.

    That of ``history`` is the class ``HistoryScreen`` in ``screens.history``.
    """
    module = import_module(f"mnemoscope.tui.screens.{scope}")
    return cast(WorkScreen, getattr(module, f"{scope.capitalize()}Screen")())


class GoingApp(OpeningApp):
    """An app that knows the ways between its screens, and what makes sense when."""

    def go(self, screen: WorkScreen) -> None:
        """Go to a screen, and take the way up in the trail."""
        with self.trail.move():
            self.show(screen)

    def show(self, screen: WorkScreen) -> None:
        """Show a screen; one that is open already is gone back to."""
        for other in reversed(self.screen_stack):
            if isinstance(other, WorkScreen) and type(other) is type(screen):
                if other is self.screen and other.is_mounted:
                    cast(WorkScreen, other).draw()
                # Not pop_until_active, which does it later: what follows looks at the new screen.
                while other is not self.screen:
                    self.pop_screen()
                return
        self.push_screen(screen)

    def go_with(self, scope: str, state: Mapping[str, str] = MappingProxyType({})) -> None:
        """Go to a screen as a state says, such as the run that its list is about."""
        with self.trail.move():
            self.show(screen_of(scope))
            cast(DeskScreen, self.screen).return_to(View(state=state))

    def go_to_screen(self, scope: str) -> None:
        """Go to the screen of a scope, unless that makes no sense now; the user is told why."""
        if not self.refuse(scope):
            self.go(screen_of(scope))

    def action_overview(self) -> None:
        """Go to the overview."""
        self.go_to_screen("overview")

    def action_history(self) -> None:
        """Go to the history in focus."""
        self.go_to_screen("history")

    def action_ledger(self) -> None:
        """Go to the state of a scenario at the round in focus."""
        if self.refuse("ledger"):
            return
        with self.trail.move():
            scene = self.screen.scene() if isinstance(self.screen, DeskScreen) else None
            if scene is not None:
                self.opened_desk.history_id, self.opened_desk.round_id = scene
            self.go(screen_of("ledger"))

    def show_ledger(self, history_id: str) -> None:
        """Go to the state of a history's scenario at its end."""
        with self.trail.move():
            self.opened_desk.history_id, self.opened_desk.round_id = history_id, ""
            self.go(screen_of("ledger"))

    def action_questions(self) -> None:
        """Go to the list of questions."""
        self.go_to_screen("questions")

    def action_compare(self) -> None:
        """Go to the comparison of A and B."""
        self.go_to_screen("compare")

    def action_matrix(self) -> None:
        """Go to all runs side by side."""
        self.go_to_screen("matrix")

    def action_go_to(self) -> None:
        """Ask for an id and go there."""
        from mnemoscope.core.places import example_ids
        from mnemoscope.tui.screens.prompt import Prompt

        if not self.refuse("go_to"):
            desk = self.opened_desk
            examples = example_ids(desk.workspace.release, desk.history_id)
            title = "Go to a round, session, history or question"
            self.push_screen(Prompt(title, f"such as {', '.join(examples)}"), self._go_to)

    def _go_to(self, text: str | None) -> None:
        from mnemoscope.core.places import find_place

        if text is None:
            return
        desk = self.opened_desk
        try:
            place = find_place(desk.workspace, text, focus=desk.history_id)
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if place.question:
            walk = desk.selection if place.question in desk.selection.keys else None
            self.show_question(place.question, walk or self._all_questions())
            return
        history = desk.workspace.release.histories[place.history_id]
        session = history.session_by_id.get(place.session_id)
        rounds = history.rounds if session is None else session.rounds
        if place.session_id and not rounds:
            self.notify(f"Session {place.session_id} has no rounds.", markup=False)
            return
        first = next((one.id for one in rounds), "")
        self.show_round(history.id, place.round_id or first)

    def _all_questions(self) -> "Selection":
        from mnemoscope.tui.desk import Selection

        keys = tuple(self.opened_desk.workspace.release.questions)
        return Selection("all questions", keys=keys)

    def action_copy_menu(self) -> None:
        """Choose what to copy."""
        from mnemoscope.tui.screens.chooser import Chooser
        from mnemoscope.viewers.columns import Column

        choices = self.screen.copies() if isinstance(self.screen, WorkScreen) else ()
        if not choices:
            self.notify("There is nothing to copy here.")
            return

        def chosen(index: int | None) -> None:
            if index is not None:
                self.copy(choices[index][1])

        columns = (Column("copy", 22), Column("text", 20, flex=1, dim=True))
        self.push_screen(Chooser("Copy what?", columns, choices), chosen)

    def copy(self, text: str) -> None:
        """Copy text, and say what was really done."""
        from mnemoscope.tui.clipboard import copy_text

        driver = self._driver
        write = driver.write if driver is not None else lambda _: None
        self.notify(copy_text(text, write), markup=False)

    def action_raw(self) -> None:
        """Show the source of what the cursor stands on."""
        from mnemoscope.tui.screens.raw import RawScreen

        part = self.screen.raw() if isinstance(self.screen, WorkScreen) else None
        if part is None:
            self.notify("What the cursor stands on has no source of its own.")
        else:
            self.push_screen(RawScreen(part))

    def action_reload(self) -> None:
        """Read the open files again, from the overview on."""
        if not self.refuse("reload") and self.request is not None:
            self.open(self.request)

    def show_round(self, history_id: str, round_id: str) -> None:
        """Go to a round in its history."""
        with self.trail.move():
            self.opened_desk.history_id = history_id
            self.opened_desk.round_id = round_id
            self.go(screen_of("history"))

    def show_question(self, key: str, walk: "Selection | None" = None) -> None:
        """Go to a question.

        Args:
            key: Its key.
            walk: The list that next and previous go through; the questions list when None.
        """
        with self.trail.move():
            self.opened_desk.walk = walk or self.opened_desk.selection
            self.opened_desk.walk.go_to(key)
            self.go(screen_of("question"))

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        if action == "next_theme" and self.no_color:
            return "NO_COLOR is set."
        screens = ("overview", "history", "ledger", "questions", "compare", "matrix", "tally")
        if action not in (*screens, "go_to", "reload"):
            return ""
        if self._desk is None:
            return self.sentence(
                "Nothing is open: {start.open_path} opens a release, {start.demo} the demo."
            )
        if action == getattr(self.screen, "SCOPE", ""):
            return "This is it."
        if action == "history" and not self._desk.workspace.release.histories:
            return "The release has no histories."
        if action == "ledger" and not self._desk.workspace.release.evaluator.truths:
            return "The release has no truth files: what is true at each round is not known."
        if action in ("compare", "matrix") and len(self._desk.workspace.runs) < 2:
            if self.reading:
                return f"The runs are still being read: {self.reading}."
            return "Two runs are needed: open the release with more runs beside it."
        return ""

    def hides(self, scope: str) -> str:
        """Why a screen may not be seen now, in a sentence; empty when it may."""
        return ""

    def refuse(self, action: str) -> bool:
        """Whether an action makes no sense now; the user is told why."""
        reason = self.why_not(action)
        if reason:
            self.notify(reason, markup=False)
        return bool(reason)

    async def action_back(self) -> None:
        """End what the screen says escape ends, else go back, at last to the start screen."""
        if not (isinstance(self.screen, WorkScreen) and self.screen.give_up()):
            self._go_back()

    def _go_back(self) -> None:
        from mnemoscope.tui.screens.opening import OpeningScreen
        from mnemoscope.tui.screens.start import StartScreen

        first = len(self.screen_stack) == 2
        if first and isinstance(self.screen, StartScreen):
            return
        if first or isinstance(self.screen, OpeningScreen):
            self.workers.cancel_group(self, "opening")
            if not self.reading:
                self.keep_position()
            self.reading = ""
        if first:
            self._go_to_start()
        else:
            with self.trail.move(back=True):
                self.leave_screen()

    def leave_screen(self) -> None:
        """Leave the screen for the one that it was gone to from."""
        self.pop_screen()

    async def action_leave(self) -> None:
        """Go back one screen, and quit at the first one."""
        if len(self.screen_stack) == 2:
            await self.action_quit()
        else:
            self._go_back()
