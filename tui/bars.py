"""The one-line header and footer of every screen."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.style import Style
from rich.text import Text
from textual.app import RenderResult
from textual.events import Click
from textual.widget import Widget

from mnemoscope.core.text import one_line
from mnemoscope.tui.actions import Action
from mnemoscope.viewers.cells import cell_width, shorten
from mnemoscope.viewers.columns import cut
from mnemoscope.viewers.styles import Palette, safe, style

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.screens.base import PaneScreen, WorkScreen

__all__ = ["FooterBar", "HeaderBar", "PaneBar"]


class HeaderBar(Widget):
    """Where one is: on the left what matters most, on the right what may be cut.

    A click on it leads to where one has been.
    """

    DEFAULT_CSS = "HeaderBar { dock: top; height: 1; background: $panel; color: $foreground; }"

    def __init__(self) -> None:
        super().__init__()
        self._left = Text()
        self._right = ""

    def show(self, left: Text, right: str = "") -> None:
        """Show other content."""
        self._left, self._right = left, right
        self.refresh()

    def render(self) -> RenderResult:
        palette = Palette.from_variables(self.app.theme_variables)
        width = max(0, self.size.width - 2)
        left = cut(safe(self._left), width)
        line = Text(" ", no_wrap=True, end="").append_text(left)
        space = width - left.cell_len - 2
        doing = cast("MnemoscopeApp", self.app).doing
        said = " · ".join(filter(None, (f"{doing} …" if doing else "", self._right)))
        if said and space > 7:
            right = shorten(one_line(said), space)
            line.append(" " * (width - left.cell_len - cell_width(right)))
            line.append(right, style("dim", palette))
        return line

    def on_click(self) -> None:
        """Choose from the places where one has been."""
        cast("MnemoscopeApp", self.app).action_places()


class FooterBar(Widget):
    """The most useful keys of a screen, as many as fit; each can be clicked."""

    DEFAULT_CSS = "FooterBar { dock: bottom; height: 1; background: $panel; color: $foreground; }"

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = sorted((a for a in actions if a.footer), key=lambda action: action.footer)
        self._spans: list[tuple[int, int, Action]] = []

    def render(self) -> RenderResult:
        palette = Palette.from_variables(self.app.theme_variables)
        line = Text(" ", no_wrap=True, end="")
        self._spans = []
        for action in self._fitting():
            start = line.cell_len
            line.append(self._key(action), style("focus", palette))
            line.append(f" {action.label}", Style())
            self._spans.append((start, line.cell_len, action))
            line.append("  ")
        return line

    def _key(self, action: Action) -> str:
        """The key to show, which the user may have chosen."""
        return cast("MnemoscopeApp", self.app).effective_keys.label(action, first=True)

    def _width(self, action: Action) -> int:
        return cell_width(f"{self._key(action)} {action.label}  ")

    def _fitting(self) -> list[Action]:
        """The actions that fit, the key list always among them, in their order."""
        space = self.size.width - 2
        enabled = [one for one in self._actions if _works(self, one)]
        always = [one for one in enabled if one.id == "app.help"]
        fitting = []
        space -= sum(self._width(one) for one in always)
        for action in enabled:
            if action in always:
                continue
            if self._width(action) > space:
                break
            fitting.append(action)
            space -= self._width(action)
        return fitting + always

    async def on_click(self, event: Click) -> None:
        """Do what was clicked."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                await cast("MnemoscopeApp", self.app).run_registered(action)


class PaneBar(Widget):
    """The panes of a screen, the one with the focus bright; each can be clicked."""

    DEFAULT_CSS = "PaneBar { height: 1; background: $background; color: $dim; }"

    def __init__(self) -> None:
        super().__init__()
        self._panes: Sequence[tuple[str, str]] = ()
        self._current = ""
        self._spans: list[tuple[int, int, str]] = []

    def show(self, panes: Sequence[tuple[str, str]], current: str) -> None:
        """Show other panes: pairs of widget id and title."""
        self._panes, self._current = panes, current
        self.refresh()

    def render(self) -> RenderResult:
        palette = Palette.from_variables(self.app.theme_variables)
        line = Text("  ", no_wrap=True, end="")
        self._spans = []
        for pane, title in self._panes:
            start = line.cell_len
            look = "focus" if pane == self._current else "dim"
            line.append(one_line(title), style(look, palette))
            self._spans.append((start, line.cell_len, pane))
            line.append("   ")
        return cut(line, max(0, self.size.width - 1))

    def on_click(self, event: Click) -> None:
        """Go to the pane that was clicked."""
        for start, end, pane in self._spans:
            if start <= event.x < end:
                cast("PaneScreen", self.screen).go_to_pane(pane)


def _works(widget: Widget, action: Action) -> bool:
    if action.scope == "app":
        return not cast("MnemoscopeApp", widget.app).why_not(action.name)
    return not cast("WorkScreen", widget.screen).why_not(action.name)
