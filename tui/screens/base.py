"""What every working screen has: header, footer, bindings from the registry, and panes."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from mnemoscope.tui.actions import actions_of, bindings_of
from mnemoscope.tui.bars import FooterBar, HeaderBar
from mnemoscope.viewers.styles import Palette

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.desk import Desk

__all__ = ["DeskScreen", "PaneScreen", "WorkScreen", "screen_bindings"]


def screen_bindings(scope: str) -> list[BindingType]:
    """The bindings of a screen, for its class."""
    return list(bindings_of(scope))


class WorkScreen(Screen[None]):
    """A screen with a header, a body and a footer."""

    SCOPE: ClassVar[str] = ""
    """The screen's scope in the action registry."""
    ESCAPE_TO_MINIMIZE = False

    @property
    def desk_app(self) -> "MnemoscopeApp":
        """The app, by its own type."""
        return cast("MnemoscopeApp", self.app)

    @property
    def palette(self) -> Palette:
        """The colours of the current theme."""
        return self.desk_app.palette

    def compose(self) -> ComposeResult:
        yield HeaderBar()
        yield from self.body()
        yield FooterBar([*actions_of(self.SCOPE), *actions_of("app")])

    def body(self) -> Iterator[Widget]:
        """The widgets between header and footer."""
        yield from ()

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.draw())

    def draw(self) -> None:
        """Show what is to be shown, from the top: data or colours have changed."""

    def header(self, left: Text, right: str = "") -> None:
        """Set the header line."""
        self.query_one(HeaderBar).show(left, right)
        self.query_one(FooterBar).refresh()


class DeskScreen(WorkScreen):
    """A screen about what is on the desk."""

    @property
    def desk(self) -> "Desk":
        """What is open."""
        return self.desk_app.opened_desk

    def on_screen_resume(self) -> None:
        self.draw()


class PaneScreen(DeskScreen):
    """A screen with panes side by side, of which narrow terminals show only some."""

    PANES: ClassVar[Sequence[str]] = ()
    """Ids of the panes that can have the focus, in order."""

    def on_descendant_focus(self) -> None:
        focused = self.focused
        panes = [pane for pane in self.PANES if focused is not None and focused.id == pane]
        if panes:
            self._show_pane(panes[0])

    def action_next_pane(self) -> None:
        self._step(1)

    def action_previous_pane(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        panes = [pane for pane in self.PANES if self.pane_is_there(pane)]
        now = self.focused.id if self.focused is not None else None
        place = panes.index(now) if now in panes else -1 if step > 0 else 0
        pane = panes[(place + step) % len(panes)]
        # A pane that is not displayed cannot take the focus.
        self._show_pane(pane)
        self.query_one(f"#{pane}").focus()

    def pane_is_there(self, pane: str) -> bool:
        """Whether a pane has anything to show now."""
        return True

    def _show_pane(self, pane: str) -> None:
        for other in self.PANES:
            self.set_class(other == pane, f"-at-{other}")
