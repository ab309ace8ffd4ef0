"""The part of the app that goes back and forward through the places where one has been."""

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.text import one_line
from mnemoscope.tui.actions import SCREENS
from mnemoscope.tui.app_going import GoingApp, screen_of
from mnemoscope.tui.screens.base import DeskScreen
from mnemoscope.tui.trail import Visit

if TYPE_CHECKING:
    from mnemoscope.tui.desk import Desk, Selection

__all__ = ["PlacesApp"]


class PlacesApp(GoingApp):
    """An app whose trail can be walked, like a browser's pages."""

    _awaited: Visit | None = None
    """The place to go to once its release has been read."""

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        trail = self.trail
        if action == "earlier" and trail.place < (0 if self._is_away else 1):
            return "There is no place before this one."
        if action == "later" and trail.place >= len(trail.visits) - 1:
            return "There is no place after this one."
        if action == "places" and not trail.visits:
            return self.sentence("You have been nowhere yet: {start.demo} opens the demo.")
        return super().why_not(action)

    @property
    def _is_away(self) -> bool:
        """Whether nothing that is open is shown, as on the start screen."""
        return not any(isinstance(one, DeskScreen) for one in self.screen_stack)

    def action_earlier(self) -> None:
        """Go back to the place before."""
        if not self.refuse("earlier"):
            self._walk(self.trail.place - (not self._is_away), -1)

    def action_later(self) -> None:
        """Go forward to the place after."""
        if not self.refuse("later"):
            self._walk(self.trail.place + 1, 1)

    def action_places(self) -> None:
        """Choose from the places where one has been, the latest first."""
        from mnemoscope.tui.screens.chooser import Chooser
        from mnemoscope.viewers.columns import Column

        if self.refuse("places"):
            return
        self.trail.settle()
        visits = self.trail.visits
        order = range(len(visits) - 1, -1, -1)
        rows = [
            (
                "here" if place == self.trail.place else "",
                SCREENS.get(visits[place].scope, visits[place].scope),
                self._about(visits[place]),
            )
            for place in order
        ]
        columns = (
            Column("", 4, dim=True),
            Column("screen", 13),
            Column("place", 20, flex=1),
        )

        def chosen(index: int | None) -> None:
            if index is not None:
                self._walk(order[index], 0)

        current = len(visits) - 1 - self.trail.place
        self.push_screen(Chooser("Where you have been", columns, rows, current=current), chosen)

    def _about(self, visit: Visit) -> str:
        if self._desk is not None and visit.request == self._opened_request:
            return one_line(visit.about(self._desk.workspace.release))
        return f"{visit.request.release.name}  {visit.question or visit.history_id}"

    def _walk(self, place: int, step: int) -> None:
        """Go to a visit of the trail, on past those that lead nowhere any more.

        Args:
            place: Its index.
            step: Where to look further when it is gone; 0 stays where one is.
        """
        trail, skipped = self.trail, []
        trail.settle()
        while 0 <= place < len(trail.visits):
            visit = trail.visits[place]
            if self._desk is None or visit.request != self._opened_request:
                # Whether it is there shows once its release has been read again.
                self._open_for(visit)
                break
            hidden = self.hides(visit.scope)
            if hidden:
                self.notify(hidden, markup=False)
                break
            gone = visit.missing(self._desk.workspace)
            if not gone:
                trail.place = place
                self._visit(visit)
                break
            trail.drop(place)
            skipped.append(gone)
            if not step:
                break
            place += min(step, 0)
        if skipped:
            what = ", ".join(dict.fromkeys(skipped))
            self.notify(f"Not there any more: {what}.", markup=False)

    def _visit(self, visit: Visit) -> None:
        desk = self.opened_desk
        for slot, name in enumerate(visit.runs):
            run = next((one for one in desk.workspace.runs if one.name == name), None)
            if run is not None and desk.pair[slot : slot + 1] != (run,):
                desk.make(slot, run)
        if visit.scope in ("history", "review", "ledger"):
            desk.history_id, desk.round_id = visit.history_id, visit.round_id
        if visit.walk is not None:
            _take_up(desk, visit, visit.walk)
        self.show(screen_of(visit.scope))
        screen = cast(DeskScreen, self.screen)
        screen.parents = visit.parents
        screen.return_to(visit.view)

    def leave_screen(self) -> None:
        """Leave the screen for the one that it was gone to from, though the trail led here."""
        parents = self.screen.parents if isinstance(self.screen, DeskScreen) else None
        self.pop_screen()
        if not parents or parents[-1] == getattr(self.screen, "SCOPE", ""):
            return
        visits = self.trail.visits[: self.trail.place + 1]
        same = [
            one
            for one in visits
            if one.scope == parents[-1] and one.request == self._opened_request
        ]
        if same and not same[-1].missing(self.opened_desk.workspace):
            self._visit(replace(same[-1], parents=parents[:-1]))

    # Places in a release that is not open any more

    def open(self, request: OpenRequest) -> None:
        """Open a release with runs, showing how far it has come."""
        self._await(None)
        super().open(request)

    def _open_for(self, visit: Visit) -> None:
        self.open(visit.request)
        self._await(visit)

    def _await(self, visit: Visit | None) -> None:
        self._awaited = visit
        self.trail.is_held = visit is not None

    async def action_back(self) -> None:
        """Go back one screen; a place whose release is being read is waited for no longer."""
        self._await(None)
        await super().action_back()

    def after_opening(self) -> None:
        """Go on to the place for whose sake the release was opened."""
        visit = self._awaited
        self._await(None)
        if visit is not None and getattr(self.screen, "SCOPE", "") == "overview":
            self._walk(self.trail.visits.index(visit), 0)


def _take_up(desk: "Desk", visit: Visit, walk: "Selection") -> None:
    """Let the lists of a desk be what they were at a visit, without what is gone since."""
    questions = desk.workspace.release.questions
    keys = tuple(key for key in walk.keys if key in questions)
    if visit.scope == "questions" or keys == tuple(desk.selection.keys):
        chosen = desk.selection
        chosen.filter, chosen.order, chosen.descending = walk.filter, walk.order, walk.descending
        chosen.keys = keys
    else:
        chosen = replace(walk, keys=keys)
    chosen.cursor = 0
    chosen.go_to(visit.question if visit.scope == "question" else walk.key or "")
    if visit.scope == "question":
        desk.walk = chosen
