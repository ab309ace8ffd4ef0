"""What every working screen has: header, footer, bindings from the registry, and panes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from mnemoscope.core.text import clean
from mnemoscope.tui.actions import actions_of, bindings_of
from mnemoscope.tui.bars import FooterBar, HeaderBar, PaneBar
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.trail import Standing, View
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.splitter import Splitter
from mnemoscope.viewers.styles import Palette
from mnemoscope.viewers.virtual_list import VirtualList

if TYPE_CHECKING:
    from mnemoscope.core.raw import RawPart
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.desk import Desk

__all__ = ["DeskScreen", "PaneScreen", "WorkScreen", "arrangement", "screen_bindings"]


_TOO_SMALL = "This needs 60 × 15 cells. Without a screen: {twin}"


def arrangement(columns: int) -> str:
    """How panes are arranged in so many columns: ``triple``, ``double`` or ``single``."""
    return "triple" if columns >= 120 else "double" if columns >= 80 else "single"


def screen_bindings(scope: str) -> list[BindingType]:
    """The bindings of a screen, for its class."""
    return list(bindings_of(scope))


class WorkScreen(Screen[None]):
    """A screen with a header, a body and a footer."""

    SCOPE: ClassVar[str] = ""
    """The screen's scope in the action registry."""
    TWIN: ClassVar[str] = "mnemoscope --help"
    """The command that shows the same without a screen, where no copy of it is offered."""
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = {}
    """What each pane means, by its id, or by its class where it has none."""
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
        yield Static(_TOO_SMALL.format(twin=self.TWIN), id="too-small", markup=False)

    def body(self) -> Iterator[Widget]:
        """The widgets between header and footer."""
        yield from ()

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.draw())

    def on_resize(self, event: Resize) -> None:
        tiny = event.size.width < 60 or event.size.height < 15
        if tiny:
            said = _TOO_SMALL.format(twin=clean(self.twin()))
            self.query_one("#too-small", Static).update(said)
        self.set_class(tiny, "-tiny")

    def twin(self) -> str:
        """The command that shows the same without a screen."""
        commands = [text for name, text in self.copies() if name.startswith("command")]
        return commands[0] if commands else self.TWIN

    def help_title(self, pane: str) -> str:
        """What a pane is called in the title of its help."""
        return pane

    def copies(self) -> Sequence[tuple[str, str]]:
        """What can be copied here: pairs of a name and the text."""
        return ()

    def raw(self) -> "RawPart | None":
        """The source of what the cursor stands on, if it has one."""
        return None

    def give_up(self) -> bool:
        """Give up what escape ends before the screen itself; whether there was such a thing."""
        return False

    def why_not(self, action: str) -> str:
        """Why an action of the screen makes no sense now, in a sentence; empty when it does."""
        return ""

    def refuse(self, action: str) -> bool:
        """Whether an action makes no sense now; the user is told why."""
        reason = self.why_not(action)
        if reason:
            self.notify(reason, markup=False)
        return bool(reason)

    def draw(self) -> None:
        """Show what is to be shown, from the top: data or colours have changed."""

    def sentence(self, text: str) -> str:
        """A sentence with the key of each action that it names, such as ``{app.reload}``."""
        return self.desk_app.sentence(text)

    def header(self, left: Text, right: str = "") -> None:
        """Set the header line; the right part is cut at its end first."""
        news = f"{self.desk_app.reading} …" if self.desk_app.reading else ""
        if self.desk_app.changed:
            news = self.sentence("files changed, {app.reload} reads them again")
        desk = self.desk_app.desk
        who = desk.deciding_title if desk is not None else ""
        self.query_one(HeaderBar).show(left, " · ".join(filter(None, (news, who, right))))
        self.query_one(FooterBar).refresh()


class DeskScreen(WorkScreen):
    """A screen about what is on the desk."""

    IS_PLACE: ClassVar[bool] = True
    """Whether it is a place of the trail, which can be gone to by its scope alone."""
    parents: tuple[str, ...] | None = None
    """Scopes of the screens that escape leads back to, the nearest last, for a screen that the
    trail led to; None where they lie beneath."""

    @property
    def desk(self) -> "Desk":
        """What is open."""
        return self.desk_app.opened_desk

    def on_screen_resume(self) -> None:
        # A screen that is left together with others above it is the top one only in passing.
        if self.is_current:
            self.desk_app.decide_anew()
            self.draw()
            self.call_after_refresh(self.settle)

    # Coming back to how the screen was left

    _returning: View | None = None

    def panes(self) -> Mapping[str, Page | VirtualList]:
        """The panes that have a place of their own, by name."""
        found = [one for one in self.query("*") if isinstance(one, Page | VirtualList)]
        return {one.id or type(one).__name__: one for one in found}

    def state(self) -> Mapping[str, str]:
        """What makes the screen look as it does, beside the places of its panes."""
        return {}

    def set_state(self, state: Mapping[str, str]) -> None:
        """Be as in a state, from the next drawing on."""

    def is_ready(self) -> bool:
        """Whether all is there that the screen shows; ``settle`` is to be called once it is."""
        return True

    def view(self) -> View:
        """How the screen is now."""
        if not self.is_mounted:
            return View()
        focused = self.focused.id if self.focused is not None else None
        panes = {name: Standing(*pane.standing) for name, pane in self.panes().items()}
        return View(focused or "", panes, self.state())

    def return_to(self, view: View) -> None:
        """Be again as the screen was left, once all is there that it shows."""
        if not self.is_mounted:
            self.set_state(view.state)
        elif dict(view.state) != dict(self.state()):
            self.set_state(view.state)
            self.draw()
        self._returning = view
        self.call_after_refresh(self.settle)

    def settle(self) -> None:
        """Be again as the screen was left, if it is to be and can be."""
        view = self._returning
        if view is None or not self.is_mounted or not self.is_ready():
            return
        self._returning = None
        for name, pane in self.panes().items():
            standing = view.panes.get(name)
            if isinstance(pane, VirtualList) and standing and isinstance(standing.at, int):
                pane.stand(standing.at, standing.scroll)
        # What a list reports of its row is drawn on a page first.
        self.call_after_refresh(self._settle_pages, view)

    def _settle_pages(self, view: View) -> None:
        for name, pane in self.panes().items():
            standing = view.panes.get(name)
            if isinstance(pane, Page) and standing:
                pane.stand(standing.at, standing.scroll)
        if view.pane and self.query(f"#{view.pane}"):
            self.show_pane(view.pane)

    def show_pane(self, pane: str) -> None:
        """Give a pane the focus."""
        self.query_one(f"#{pane}").focus()

    def scene(self) -> tuple[str, str] | None:
        """The ids of the history and round that the screen is about; None for those in focus.

        An empty round stands for the last one.
        """
        return None

    def tagging_scope(self) -> str:
        """The screen on which what is in focus here is tagged; called when one is about to."""
        return "tag"

    def needs_runs(self, count: int) -> str:
        """Why what needs so many runs cannot be done now; empty when it can."""
        open_runs = len(self.desk.workspace.runs)
        if open_runs >= count:
            return ""
        if self.desk_app.reading:
            return f"The runs are still being read: {self.desk_app.reading}."
        needed = "A run is needed" if count == 1 else "Two runs are needed"
        return f"{needed}: open the release with runs beside it."


class PaneScreen(DeskScreen):
    """A screen with panes side by side, of which narrow terminals show only some."""

    PANES: ClassVar[Mapping[str, str]] = {}
    """Titles of the panes that can have the focus by widget id, in order."""
    STACKED: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Panes that stand above their neighbour instead of beside it, with the arrangements."""

    _arranged = ""

    def compose(self) -> ComposeResult:
        yield HeaderBar()
        yield PaneBar()
        yield from self.body()
        yield FooterBar([*actions_of(self.SCOPE), *actions_of("app")])
        yield Static(_TOO_SMALL.format(twin=self.TWIN), id="too-small", markup=False)

    def on_descendant_focus(self) -> None:
        focused = self.focused
        panes = [pane for pane in self.PANES if focused is not None and focused.id == pane]
        if panes:
            self._show_pane(panes[0])

    def on_descendant_blur(self) -> None:
        # What has no place in a layout is told so later, and then gives up the focus, although it
        # may be shown again by now.
        if self.focused is None:
            self.call_after_refresh(self._keep_focus)

    def _keep_focus(self) -> None:
        pane = next((one for one in self.PANES if self.has_class(f"-at-{one}")), "")
        if self.is_current and self.focused is None and pane and self.pane_is_there(pane):
            self.go_to_pane(pane)

    def action_next_pane(self) -> None:
        self._step(1)

    def action_previous_pane(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        panes = [pane for pane in self.PANES if self.pane_is_there(pane)]
        now = self.focused.id if self.focused is not None else None
        place = panes.index(now) if now in panes else -1 if step > 0 else 0
        pane = panes[(place + step) % len(panes)]
        self.go_to_pane(pane)

    def show_pane(self, pane: str) -> None:
        if self.pane_is_there(pane):
            self.go_to_pane(pane)

    def go_to_pane(self, pane: str) -> None:
        """Show a pane and give it the focus."""
        self._show_pane(pane)
        # Styles follow classes when the app is idle. Until then a pane that was hidden cannot take
        # the focus, and a pane that loses its place would hand it to any other.
        self.app.stylesheet.update(self)
        self.set_focus(self.query_one(f"#{pane}"))

    def pane_is_there(self, pane: str) -> bool:
        """Whether a pane has anything to show now."""
        return True

    def _show_pane(self, pane: str) -> None:
        for other in self.PANES:
            self.set_class(other == pane, f"-at-{other}")
        self.show_panes()

    def show_panes(self) -> None:
        """Show which panes there are, and which has the focus."""
        titles = [(pane, self.pane_title(pane)) for pane in self.PANES if self.pane_is_there(pane)]
        current = next((pane for pane in self.PANES if self.has_class(f"-at-{pane}")), "")
        self.query_one(PaneBar).show(titles, current)

    def help_title(self, pane: str) -> str:
        return self.pane_title(pane) or pane if pane in self.PANES else pane

    def pane_title(self, pane: str) -> str:
        """What a pane is called now."""
        return self.PANES[pane]

    # Sizes

    def on_resize(self, event: Resize) -> None:
        arranged = arrangement(event.size.width)
        if arranged != self._arranged:
            self._arranged = arranged
            self._size_panes()

    def _size_panes(self) -> None:
        """Give panes the sizes that the user has chosen for this arrangement."""
        for splitter in self.query(Splitter):
            splitter.set_class(self._arranged in self.STACKED.get(splitter.sized, ()), "-lying")
            share = self.desk_app.pane_sizes.get(self._border_name(splitter))
            pane = self.query_one(f"#{splitter.sized}")
            size = None if share is None or self._arranged == "single" else f"{100 * share:.4f}%"
            pane.styles.width = None if splitter.lies else size
            pane.styles.height = size if splitter.lies else None

    def _border_name(self, splitter: Splitter) -> str:
        return f"{self.SCOPE}.{self._arranged}.{splitter.sized}"

    def on_splitter_moved(self, message: Splitter.Moved) -> None:
        name = self._border_name(message.splitter)
        self.desk_app.pane_sizes.put(name, message.share, keep=message.done)
        self._size_panes()

    def on_splitter_reset(self, message: Splitter.Reset) -> None:
        self.desk_app.pane_sizes.put(self._border_name(message.splitter), None)
        self._size_panes()

    def action_larger(self) -> None:
        """Give the pane with the focus more room."""
        self._grow(1)

    def action_smaller(self) -> None:
        """Give the pane with the focus less room."""
        self._grow(-1)

    def _grow(self, direction: int) -> None:
        border = next(self._borders(), None)
        if border is None:
            self.notify("Only one pane is shown: there is nothing to share.")
        elif self.focused is not None:
            step = 1 if border.lies else 4
            border.grow(direction * step * border.touches(self.focused))

    def _borders(self) -> Iterator[Splitter]:
        """The borders of the pane with the focus, the innermost and last one first."""
        for border in reversed(list(self.query(Splitter))):
            if self.focused is not None and border.touches(self.focused) and border.is_there:
                yield border

    def action_first_sizes(self) -> None:
        """Let every pane be as large as it was at first."""
        for border in self.query(Splitter):
            self.desk_app.pane_sizes.put(self._border_name(border), None)
        self._size_panes()
