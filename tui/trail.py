"""The trail: places where one has been, in order, to go back and forward through."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemoscope.core.opening import OpenRequest
from mnemoscope.core.text import one_line

if TYPE_CHECKING:
    from mnemoscope.core.model import Release
    from mnemoscope.core.workspace import Workspace
    from mnemoscope.tui.desk import Selection
    from mnemoscope.viewers.page_blocks import Target

__all__ = ["Standing", "Trail", "View", "Visit"]

_KEPT = 60


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the cursor of a pane was, and how far the pane was scrolled."""

    at: "Target | None"
    """The row of a list, or the target of a page."""
    scroll: int


@dataclass(frozen=True, slots=True)
class View:
    """How a screen was left."""

    pane: str = ""
    """The id of the pane that had the focus."""
    panes: Mapping[str, Standing] = field(default_factory=dict)
    state: Mapping[str, str] = field(default_factory=dict)
    """What else the screen was showing, such as which of its lists."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A place, as it was when it was left."""

    request: OpenRequest
    scope: str
    """The screen's scope in the action registry."""
    runs: tuple[str, ...] = ()
    """Names of the runs that were A and B."""
    history_id: str = ""
    round_id: str = ""
    question: str = ""
    walk: "Selection | None" = None
    """The list that next and previous question went through, or that was shown."""
    view: View = View()
    parents: tuple[str, ...] = ()
    """Scopes of the screens that escape leads back to from there, the nearest last."""

    def is_at(self, other: "Visit") -> bool:
        """Whether two visits are to the same place, however it looked."""
        return self._place == other._place

    @property
    def _place(self) -> tuple[object, ...]:
        place: tuple[object, ...] = ()
        if self.scope in ("history", "review", "ledger"):
            place = (self.history_id, self.round_id)
        elif self.scope == "question":
            place = (self.question,)
        return (self.request, self.scope, *place)

    def missing(self, workspace: "Workspace") -> str:
        """What of the place a workspace does not have, in words; empty when it is all there."""
        release = workspace.release
        if self.scope == "question" and self.question not in release.questions:
            return f"question {one_line(self.question)}"
        if self.scope in ("history", "review", "ledger"):
            history = release.histories.get(self.history_id)
            if history is None:
                return f"history {one_line(self.history_id)}"
            if self.round_id and self.round_id not in history.round_by_id:
                return f"round {one_line(self.round_id)} of {one_line(self.history_id)}"
        names = {run.name for run in workspace.runs}
        gone = [name for name in self.runs if name not in names]
        if self.scope == "compare" and gone:
            return f"run {one_line(gone[0])}"
        return ""

    def about(self, release: "Release") -> str:
        """What stands at the place, in one line."""
        if self.scope == "question":
            question = release.questions.get(self.question)
            return f"{self.question}  {question.stem if question is not None else ''}".rstrip()
        if self.scope in ("history", "review", "ledger"):
            history = release.histories.get(self.history_id)
            one = history.round_by_id.get(self.round_id) if history is not None else None
            said = next((m.text for m in one.messages if m.text), "") if one is not None else ""
            return f"{self.history_id} {self.round_id}  {said}".rstrip()
        if self.scope == "questions" and self.walk is not None:
            return self.walk.filter or "all"
        if self.scope == "compare":
            return " · ".join(self.runs)
        # A report on one run at a time.
        return self.view.state.get("run", "")


class Trail:
    """Visits in order, and which of them is the present one.

    Places are taken up when one leaves for another; moving about in one place, such as stepping
    to the next round, only changes how it is left.
    """

    def __init__(self, look: Callable[[], Visit | None]) -> None:
        """Start with no visit.

        Args:
            look: Tells where one is; None where that is no place of the trail.
        """
        self._look = look
        self.visits: list[Visit] = []
        self.place = -1
        """The index of the present visit; -1 before the first."""
        self.is_held = False
        """Whether what happens leads to no place of its own: a release is opened for a visit."""
        self._is_moving = False

    @contextmanager
    def move(self, *, back: bool = False) -> Iterator[None]:
        """Take up that what is done inside leads from one place to another.

        Args:
            back: Whether it undoes a step: coming to the place before is then going back to it.
        """
        if self._is_moving or self.is_held:
            yield
            return
        self.settle()
        self._is_moving = True
        try:
            yield
        finally:
            self._is_moving = False
        visit = self._look()
        if visit is not None:
            self._arrive(visit, back=back)

    def settle(self) -> None:
        """Take up how the present place looks now."""
        visit = self._look()
        if visit is None or self.is_held:
            return
        if self.place < 0:
            self._arrive(visit, back=False)
        elif (visit.request, visit.scope) == self._present:
            self.visits[self.place] = visit

    @property
    def _present(self) -> tuple[OpenRequest, str]:
        return self.visits[self.place].request, self.visits[self.place].scope

    def _arrive(self, visit: Visit, *, back: bool) -> None:
        if self.place >= 0 and visit.is_at(self.visits[self.place]):
            return
        if back and self.place > 0 and visit.is_at(self.visits[self.place - 1]):
            self.place -= 1
            return
        self.visits[self.place + 1 :] = [visit]
        del self.visits[:-_KEPT]
        self.place = len(self.visits) - 1

    def drop(self, place: int) -> None:
        """Forget a visit to a place that is no more."""
        del self.visits[place]
        if place < self.place:
            self.place -= 1
