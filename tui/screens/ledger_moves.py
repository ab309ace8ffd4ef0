"""Going through the rounds of a scenario: by round, by change, by entity, by session."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from mnemoscope.core.errors import InputError
from mnemoscope.core.model import History
from mnemoscope.core.state.component import Component
from mnemoscope.core.text import one_line
from mnemoscope.core.truth.book import Book
from mnemoscope.tui.screens.attachments import OutsideScreen

__all__ = ["LedgerMoves"]

_UNKNOWN = "The state of this history is not known: there is no truth of it."


class LedgerMoves(OutsideScreen):
    """A screen about a scenario at one of its rounds."""

    @property
    def shown(self) -> History:
        """The history in focus."""
        return self.desk.workspace.release.histories[self.desk.history_id]

    @property
    def book(self) -> Book | None:
        """The truth of the history; None when there is none that can be used."""
        found = self.desk.book(self.desk.history_id)
        return None if isinstance(found, InputError) or not self.shown.rounds else found

    @property
    def index(self) -> int:
        """The position of the round that is shown: the last one where none is in focus."""
        rounds = self.shown.rounds
        one = self.shown.round_by_id.get(self.desk.round_id)
        return one.index if one is not None else len(rounds) - 1

    @property
    def where(self) -> Component | None:
        """The component under the cursor."""
        raise AssertionError("a screen that shows a ledger says what the cursor stands on")

    @property
    def owner(self) -> str:
        """What the component under the cursor belongs to, in words."""
        raise AssertionError("a screen that shows a ledger says what the cursor stands on")

    def show_index(self, index: int) -> None:
        """Show the round at a position."""
        raise AssertionError("a screen that shows a ledger can go to a round")

    def reveal_changed(self) -> None:
        """Bring what the round changed into view; the cursor stays where it is."""
        raise AssertionError("a screen that shows a ledger can bring a row into view")

    def _lacks_truth(self) -> bool:
        if self.book is None:
            self.notify(_UNKNOWN)
        return self.book is None

    def _step_round(self, step: int) -> None:
        if self._lacks_truth():
            return
        at = self.index + step
        if 0 <= at < len(self.shown.rounds):
            self.show_index(at)
        else:
            self.notify("This is the last round." if step > 0 else "This is the first round.")

    def action_next_round(self) -> None:
        self._step_round(1)

    def action_previous_round(self) -> None:
        self._step_round(-1)

    def _step_among(self, places: Sequence[int], step: int, none: str) -> None:
        """Go to the next or previous of some positions, or say that there is none."""
        here = self.index
        at = bisect_right(places, here) if step > 0 else bisect_left(places, here) - 1
        if 0 <= at < len(places):
            self.show_index(places[at])
        else:
            self.notify(none, markup=False)

    def _step_change(self, step: int) -> None:
        if self.book is not None and not self._lacks_truth():
            which = "after" if step > 0 else "before"
            none = f"Nothing changes {which} this round."
            self._step_among(self.book.changing, step, none)
            self.reveal_changed()

    def action_next_change(self) -> None:
        self._step_change(1)

    def action_previous_change(self) -> None:
        self._step_change(-1)

    def _step_entity(self, step: int) -> None:
        book, where = self.book, self.where
        if book is None or where is None:
            self._lacks_truth()
            return
        which = "after" if step > 0 else "before"
        none = f"No round {which} this one says anything of {one_line(self.owner)}."
        self._step_among(book.rounds_about(where), step, none)

    def action_next_of_entity(self) -> None:
        self._step_entity(1)

    def action_previous_of_entity(self) -> None:
        self._step_entity(-1)

    def _step_session(self, step: int) -> None:
        if self._lacks_truth():
            return
        firsts = [one.rounds[0].index for one in self.shown.sessions if one.rounds]
        none = "This is the last session." if step > 0 else "This is the first session."
        if step > 0:
            self._step_among(firsts, 1, none)
            return
        # Inside a session that is left backwards the start of the one before is meant.
        at = bisect_right(firsts, self.index) - 2
        if at >= 0:
            self.show_index(firsts[at])
        else:
            self.notify(none)

    def action_next_session(self) -> None:
        self._step_session(1)

    def action_previous_session(self) -> None:
        self._step_session(-1)
