"""What the pane with the focus means: columns, signs, figures, keys, and the command for it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Click
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from mnemoscope.core.text import one_line
from mnemoscope.tui.actions import SCREENS, Action, action_by_id, actions_of
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.viewers.mark_help import MARK_HELP
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.page_blocks import Block, Paragraph
from mnemoscope.viewers.styles import MARKS, Palette, style, styled
from mnemoscope.viewers.tables import Row, table
from mnemoscope.viewers.virtual_list import VirtualList

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.screens.base import WorkScreen

__all__ = ["PaneHelpScreen", "help_pane", "pane_name"]


def pane_name(pane: Widget) -> str:
    """What a pane goes by in its screen's ``PANE_HELP``: its id, else its class."""
    return pane.id or type(pane).__name__


def help_pane(screen: "WorkScreen") -> Page | VirtualList | None:
    """The pane that help is about: that with the focus, else the first there is."""
    if isinstance(screen.focused, Page | VirtualList):
        return screen.focused
    return next((one for one in screen.query("*") if isinstance(one, Page | VirtualList)), None)


class PaneHelpScreen(ModalScreen[Action | None]):
    """The help of one pane. Returns the action that was chosen from its keys, None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,f1", "cancel", show=False)]

    def __init__(self, screen: "WorkScreen", pane: Page | VirtualList) -> None:
        super().__init__()
        self._about = screen
        self._pane = pane

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(one_line(self._title()), markup=False)
            yield Page(id="help")

    def on_mount(self) -> None:
        page = self.query_one(Page)
        page.styles.height = max(6, min(28, self.app.size.height - 4))
        page.focus()
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        self.query_one(Page).set_blocks(list(self._blocks()))

    @property
    def _app(self) -> "MnemoscopeApp":
        return cast("MnemoscopeApp", self.app)

    @property
    def _help(self) -> PaneHelp:
        return self._about.PANE_HELP[pane_name(self._pane)]

    def _title(self) -> str:
        title = SCREENS.get(self._about.SCOPE, self._about.SCOPE.capitalize())
        name = pane_name(self._pane)
        parts = [title] if name == self._about.SCOPE else [title, self._about.help_title(name)]
        return " · ".join([*parts, "esc leaves"])

    def _blocks(self) -> Iterator[Block]:
        told, palette = self._help, self._app.palette
        yield Paragraph(Text(self._app.sentence(told.about)))
        columns = self._pane.source.columns if isinstance(self._pane, VirtualList) else ()
        yield from self._section(
            "Columns", [(one_line(one.title) or "·", one.help) for one in columns if one.help]
        )
        yield from self._signs(told.marks, palette)
        yield from self._section("Figures", list(told.figures.items()))
        if told.cannot:
            yield from self._heading("What it cannot show")
            yield Paragraph(Text(self._app.sentence(told.cannot)), indent=1)
        yield from self._keys(palette)
        yield from self._heading("Without a screen")
        yield Paragraph(Text(one_line(self._about.twin())), indent=1)

    def _heading(self, text: str) -> Iterator[Block]:
        yield Paragraph(Text(""))
        yield Paragraph(styled(text, style("heading", self._app.palette)))

    def _section(self, title: str, rows: Sequence[tuple[str, str]]) -> Iterator[Block]:
        if not rows:
            return
        yield from self._heading(title)
        for name, meaning in rows:
            line = styled(f"{one_line(name)}  ", style("focus", self._app.palette))
            yield Paragraph(line.append(one_line(self._app.sentence(meaning))), indent=1)

    def _signs(self, marks: Sequence[str], palette: Palette) -> Iterator[Block]:
        if not marks:
            return
        yield from self._heading("Signs")
        for name in marks:
            line = MARKS[name].label(palette, ascii_only=self._app.ascii_only)
            yield Paragraph(line.append(f"  {MARK_HELP[name]}", style("dim", palette)), indent=1)

    def _keys(self, palette: Palette) -> Iterator[Block]:
        kind = "list" if isinstance(self._pane, VirtualList) else "page"
        about = self._about
        # Moving about is the same everywhere; only opening differs from pane to pane.
        here = [*actions_of(about.SCOPE), *(a for a in actions_of(kind) if a.name == "open")]
        yield from self._heading("Keys here")
        keys = self._app.effective_keys
        rows = [
            Row([keys.label(one), one.help], ("action", one.id))
            for one in here
            if one.scope == kind or not about.why_not(one.name)
        ]
        help_key = keys.label(action_by_id("app.help"), first=True)
        yield from table(["", ""], rows, palette, indent=1, widest=(14, 0))
        yield Paragraph(styled(f"{help_key}  lists all keys", style("dim", palette)), indent=1)

    def on_page_opened(self, message: Page.Opened) -> None:
        """Run the action whose key was chosen."""
        target = message.target
        if isinstance(target, tuple):
            self.dismiss(action_by_id(str(target[1])))

    def on_click(self, event: Click) -> None:
        """Leave by a click beside the dialog."""
        if event.widget is self:
            self.dismiss(None)

    def action_cancel(self) -> None:
        """Leave."""
        self.dismiss(None)
