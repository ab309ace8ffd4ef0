"""The app: keys, key list, palette, themes and pictures, on top of opening, going and sound."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import SystemCommand
from textual.binding import BindingType
from textual.events import Key, Resize
from textual.screen import ModalScreen, Screen
from textual.strip import Strip

from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import SCREENS, Action, action_by_id, actions_of, bindings_of
from mnemoscope.tui.app_deciding import DecidingApp
from mnemoscope.tui.config import Config, Problem, is_compact
from mnemoscope.tui.images.protocol import Choice, Protocol
from mnemoscope.tui.keymap import EffectiveKeys
from mnemoscope.tui.recent import RecentStore
from mnemoscope.tui.screens.base import WorkScreen
from mnemoscope.tui.state_file import StateFile
from mnemoscope.viewers.themes import THEMES

if TYPE_CHECKING:
    from mnemoscope.tui.column_choice import ColumnStore
    from mnemoscope.tui.images.drawer import ImageDrawer

__all__ = ["MnemoscopeApp"]

_HALF_BLOCKS = Choice(Protocol.HALF, "half blocks work in every terminal with colours")


class MnemoscopeApp(DecidingApp):
    """Browse, diff and tag long-term memory benchmarks."""

    TITLE = "mnemoscope"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings_of("app"))
    ENABLE_COMMAND_PALETTE = True
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it without ClassVar
        (0, "-single"),
        (80, "-double"),
        (120, "-triple"),
    ]
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(
        self,
        request: OpenRequest | None = None,
        *,
        recent: RecentStore | None = None,
        remember: bool = True,
        images: Choice = _HALF_BLOCKS,
        config: Config | None = None,
        problems: Sequence[Problem] = (),
        tags_folder: Path | None = None,
        taxonomies: Sequence[Path] = (),
        answers_folder: Path | None = None,
        verdicts: str = "",
    ) -> None:
        """Make the app.

        Args:
            request: What to open at once; the start screen is shown when None.
            recent: Where recent openings are kept.
            remember: Whether openings are added to the recent ones.
            images: How pictures are drawn.
            config: What the user has chosen.
            problems: What of the configuration could not be used.
            tags_folder: The one folder for tags that the user named.
            taxonomies: Files of taxonomies that the user named.
            answers_folder: The folder for people's answers that the user named.
            verdicts: Who decides what is right, where the user has named somebody.
        """
        # Making the app sets its theme, and a new theme looks for the drawer.
        self.drawer: ImageDrawer | None = None
        """Draws picture files; there is one while the app runs."""
        self._images = images
        self.config = config or Config()
        self.effective_keys = EffectiveKeys(self.config.keys)
        self.sound_setting = self.config.audio
        self._problems = problems
        super().__init__(request, recent=recent, remember=remember)
        folder = self.recent.file.parent
        self.tagging_memory = StateFile("tagging", folder, remember=remember)
        self.answering_memory = StateFile("answering", folder, remember=remember)
        self.tags_folder = tags_folder
        self.answers_folder = answers_folder
        self.asked_verdicts = verdicts
        self.taxonomy_files = taxonomies
        self.ascii_only = self.config.ascii
        if not os.environ.get("TEXTUAL_THEME"):
            self.theme = self.config.theme

    def on_mount(self) -> None:
        """Make the drawer; pictures that the terminal forgot while stopped are sent again."""
        from mnemoscope.tui.images.drawer import drawer_of

        self.set_keymap(self.effective_keys.keymap())
        for problem in self._problems:
            self.notify(str(problem), title="Configuration", severity="warning", markup=False)
        self.drawer = drawer_of(self, self._images, self.palette.background)
        self.app_resume_signal.subscribe(self, lambda _: self._resend_pictures())

    def on_resize(self, event: Resize) -> None:
        """Give lines and blank lines up where there are few lines."""
        self.set_class(is_compact(self.config.compact, event.size.height), "-compact")

    def _resend_pictures(self) -> None:
        if self.drawer is not None:
            self.drawer.resend()

    def exit(self, *args: Any, **kwargs: Any) -> None:
        """Leave; what the terminal keeps for pictures is given back first."""
        # Any: the signature is Textual's, passed on as it is.
        if self.drawer is not None:
            self.drawer.close()
        super().exit(*args, **kwargs)

    @cached_property
    def column_store(self) -> "ColumnStore":
        """Which columns the user has chosen for lists."""
        from mnemoscope.tui.column_choice import ColumnStore

        return ColumnStore()

    @property
    def draws_pictures(self) -> bool:
        """Whether pictures are drawn at all."""
        return self._images.protocol is not Protocol.OFF

    def draw(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        """Draw a picture file on the current background."""
        if self.drawer is None:
            return "The app is not running."
        return self.drawer(file, columns, rows)

    def action_help(self) -> None:
        """List the keys of the screen, and run the one chosen."""
        from mnemoscope.tui.screens.keys import KeysScreen

        keys = KeysScreen(self.screen, self.effective_keys)

        def run(index: int | None) -> None:
            self._run_chosen(None if index is None else keys.action_at(index))

        self.push_screen(keys, run)

    def action_pane_help(self) -> None:
        """Say what the focused pane means."""
        from mnemoscope.tui.screens.pane_help import PaneHelpScreen, help_pane, pane_name

        screen = self.screen
        if isinstance(screen, PaneHelpScreen):
            screen.dismiss(None)
            return
        if isinstance(screen, ModalScreen):
            self._say_dialog_help(screen)
            return
        pane = help_pane(screen) if isinstance(screen, WorkScreen) else None
        if not isinstance(screen, WorkScreen) or pane is None:
            return
        if pane_name(pane) not in screen.PANE_HELP:
            self.notify("There is nothing to say about this pane.")
            return

        self.push_screen(PaneHelpScreen(screen, pane), self._run_chosen)

    def _say_dialog_help(self, dialog: ModalScreen[Any]) -> None:
        """Say what a dialog is for, if it says so."""
        said = self.sentence(getattr(dialog, "HELP", None) or "")
        # A sixel picture would be painted over a notification.
        say = getattr(dialog, "say_help", None)
        if said and say is not None:
            say(said)
        elif said:
            self.notify(said, markup=False)

    def on_key(self, event: Key) -> None:
        """The help key works in dialogs too, where the app's other keys are off."""
        keys = self.effective_keys.of(action_by_id("app.pane_help"))
        if isinstance(self.screen, ModalScreen) and event.key in keys:
            event.prevent_default()
            self.action_pane_help()

    def _run_chosen(self, action: Action | None) -> None:
        """Run an action that was chosen in a dialog, once the screen below has come back."""
        if action is not None:
            self.screen.call_after_refresh(self.run_registered, action)

    async def run_registered(self, action: Action) -> None:
        """Run an action of the registry where it belongs: app, screen or focused pane."""
        if action.scope == "app":
            await self.run_action(f"app.{action.method}")
        elif action.scope in ("list", "page"):
            if self.screen.focused is not None:
                await self.run_action(action.method, self.screen.focused)
        else:
            await self.run_action(action.method, self.screen)

    def action_next_theme(self) -> None:
        """Turn to the other theme."""
        names = [theme.name for theme in THEMES]
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]

    def watch_theme(self, theme: str) -> None:
        """Let the next pictures be drawn on the new background."""
        if self.drawer is not None:
            self.drawer.background = self.palette.background

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action that works now, by group."""
        scope = getattr(screen, "SCOPE", "")
        for action in (*actions_of(scope), *actions_of("app")):
            owner = self if action.scope == "app" else cast(WorkScreen, screen)
            if action.id == "app.command_palette" or owner.why_not(action.name):
                continue
            run = getattr(owner, f"action_{action.method}")
            # The palette sorts by title: capitals put the screen's own actions first.
            group = SCREENS.get(action.scope, action.scope)
            yield SystemCommand(f"{group}: {action.label}", action.help, run)
