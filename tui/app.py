"""The app: it opens things in workers, holds the desk, and moves between screens."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.worker import get_current_worker

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.actions import SCREENS, Action, actions_of, bindings_of
from mnemoscope.tui.recent import RecentOpening, RecentStore
from mnemoscope.tui.screens.base import WorkScreen
from mnemoscope.viewers.themes import THEMES, ThemedApp

if TYPE_CHECKING:
    from mnemoscope.core.workspace import Workspace
    from mnemoscope.tui.desk import Desk, Selection
    from mnemoscope.tui.pictures import PictureDrawer
    from mnemoscope.tui.watch import Fingerprint

__all__ = ["MnemoscopeApp"]

_SECONDS_BETWEEN_LOOKS = 3.0
"""How often the open files are looked at for changes."""


class MnemoscopeApp(ThemedApp[None]):
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

    class Progress(Message):
        """Opening has come to a step."""

        def __init__(self, step: str) -> None:
            super().__init__()
            self.step = step

    class Opened(Message):
        """A release has been read: alone while its runs are still being read, then with them."""

        def __init__(self, request: OpenRequest, workspace: "Workspace", whole: bool) -> None:
            super().__init__()
            self.request = request
            self.workspace = workspace
            self.whole = whole

    class FilesSeen(Message):
        """The open files have been looked at."""

        def __init__(self, seen: "Fingerprint", workspace: "Workspace") -> None:
            super().__init__()
            self.seen = seen
            self.workspace = workspace

    class Failed(Message):
        """Opening has ended with a message for the user."""

        def __init__(self, message: str, hint: str) -> None:
            super().__init__()
            self.message = message
            self.hint = hint

    def __init__(
        self,
        request: OpenRequest | None = None,
        *,
        recent: RecentStore | None = None,
        remember: bool = True,
    ) -> None:
        """Make the app.

        Args:
            request: What to open at once; the start screen is shown when None.
            recent: Where recent openings are kept.
            remember: Whether openings are added to the recent ones.
        """
        super().__init__()
        self._request = request
        self.recent = recent or RecentStore()
        self._remember = remember
        self._desk: Desk | None = None
        self._pictures: PictureDrawer | None = None
        self.reading = ""
        """What is being read in the background, in a few words; empty when nothing is."""
        self.changed = False
        """Whether an open file has changed since it was read."""
        self._watched: Fingerprint | None = None
        self._fresh_desk = False

    # Opening

    def on_mount(self) -> None:
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self._watch)
        if self._request is None:
            self._go_to_start()
        else:
            self.open(self._request)

    def _go_to_start(self) -> None:
        from mnemoscope.tui.screens.start import StartScreen

        self._leave_all()
        self.push_screen(StartScreen())

    def _leave_all(self) -> None:
        while len(self.screen_stack) > 1:
            self.pop_screen()

    def open(self, request: OpenRequest) -> None:
        """Open a release with runs, showing how far it has come."""
        from mnemoscope.tui.screens.opening import OpeningScreen

        self._request = request
        self.push_screen(OpeningScreen(request))
        # Reading starts after the first paint, so that the paint does not share the processor.
        self.call_after_refresh(self._read, request)

    @work(thread=True, exclusive=True, group="opening", description="")
    def _read(self, request: OpenRequest) -> None:
        from mnemoscope.core.opening import open_workspace

        worker = get_current_worker()

        def tell(step: str) -> None:
            if worker.is_cancelled:
                raise _LeftError
            self.post_message(self.Progress(step))

        def read(workspace: "Workspace") -> None:
            self.post_message(self.Opened(request, workspace, whole=False))

        try:
            workspace = open_workspace(request, tell, read)
        except _LeftError:
            return
        except MnemoscopeError as error:
            self.post_message(self.Failed(str(error), error.hint))
            return
        self.post_message(self.Opened(request, workspace, whole=True))

    def on_mnemoscope_app_opened(self, message: Opened) -> None:
        from mnemoscope.tui.desk import Desk
        from mnemoscope.tui.screens.opening import OpeningScreen
        from mnemoscope.tui.screens.overview import OverviewScreen

        self.reading = "" if message.whole else "reading runs"
        known = self._desk
        if known is not None and known.workspace.release is message.workspace.release:
            known.extend(message.workspace)
            self._draw_all()
        elif isinstance(self.screen, OpeningScreen):
            self._desk = Desk(message.workspace)
            self._fresh_desk = True
            self.changed = False
            self._leave_all()
            self.push_screen(OverviewScreen())
        if message.whole:
            self._watched = None
            self._watch()
        if message.whole and self._remember and self._desk is not None:
            opening = _recent(message.request, message.workspace, {})
            known_opening = self.recent.find(opening.release, opening.runs)
            if known_opening is not None and self._fresh_desk:
                self._desk.restore(known_opening.position)
            self._fresh_desk = False
            self.keep_position()

    def keep_position(self) -> None:
        """Remember what is open and where the user is in it."""
        if self._remember and self._desk is not None and self._request is not None:
            workspace = self._desk.workspace
            self.recent.add(_recent(self._request, workspace, self._desk.position))

    def on_unmount(self) -> None:
        if not self.reading:
            self.keep_position()

    @work(thread=True, exclusive=True, group="watch", description="")
    def _watch(self) -> None:
        from mnemoscope.tui.watch import fingerprint

        desk = self._desk
        if desk is not None and not self.reading:
            self.post_message(self.FilesSeen(fingerprint(desk.workspace), desk.workspace))

    def on_mnemoscope_app_files_seen(self, message: FilesSeen) -> None:
        if self._desk is None or self._desk.workspace.release is not message.workspace.release:
            return
        if self._watched is None:
            self._watched = message.seen
        elif message.seen != self._watched and not self.changed:
            self.changed = True
            self._draw_all()

    def _draw_all(self) -> None:
        if isinstance(self.screen, WorkScreen):
            self.screen.draw()

    def on_mnemoscope_app_failed(self, message: Failed) -> None:
        from mnemoscope.tui.screens.opening import OpeningScreen

        self.reading = ""
        if isinstance(self.screen, OpeningScreen):
            self.screen.fail(message.message, message.hint)
        else:
            text = f"{message.message} {message.hint}".strip()
            self.notify(text, title="Opening", severity="error", markup=False, timeout=20)
            self._draw_all()

    def on_mnemoscope_app_progress(self, message: Progress) -> None:
        from mnemoscope.tui.screens.opening import OpeningScreen
        from mnemoscope.tui.screens.overview import OverviewScreen

        if isinstance(self.screen, OpeningScreen):
            self.screen.step(message.step)
            return
        self.reading = message.step
        if isinstance(self.screen, OverviewScreen):
            self.screen.draw()

    @property
    def request(self) -> OpenRequest | None:
        """What was asked to be opened last."""
        return self._request

    # The desk

    @property
    def desk(self) -> "Desk | None":
        """What is open, if anything is."""
        return self._desk

    @property
    def opened_desk(self) -> "Desk":
        """What is open; only screens about a desk ask."""
        if self._desk is None:
            raise RuntimeError("nothing is open")
        return self._desk

    # Going from screen to screen

    def go(self, screen: WorkScreen) -> None:
        """Go to a screen; going to one that is open already goes back to it."""
        for other in reversed(self.screen_stack):
            if isinstance(other, WorkScreen) and type(other) is type(screen):
                if other is not self.screen:
                    other.pop_until_active()
                else:
                    cast(WorkScreen, other).draw()
                return
        self.push_screen(screen)

    def action_overview(self) -> None:
        """Go to the overview."""
        from mnemoscope.tui.screens.overview import OverviewScreen

        if not self.refuse("overview"):
            self.go(OverviewScreen())

    def action_history(self) -> None:
        """Go to the history in focus."""
        from mnemoscope.tui.screens.history import HistoryScreen

        if not self.refuse("history"):
            self.go(HistoryScreen())

    def action_questions(self) -> None:
        """Go to the list of questions."""
        from mnemoscope.tui.screens.questions import QuestionsScreen

        if not self.refuse("questions"):
            self.go(QuestionsScreen())

    def action_compare(self) -> None:
        """Go to the comparison of A and B."""
        from mnemoscope.tui.screens.compare import CompareScreen

        if not self.refuse("compare"):
            self.go(CompareScreen())

    def action_matrix(self) -> None:
        """Go to all runs side by side."""
        from mnemoscope.tui.screens.matrix import MatrixScreen

        if not self.refuse("matrix"):
            self.go(MatrixScreen())

    def action_go_to(self) -> None:
        """Ask for an id and go there."""
        from mnemoscope.tui.screens.prompt import Prompt

        if not self.refuse("go_to"):
            example = "p0/pref_img/0-Items-1, D02:03, or p1 D02"
            self.push_screen(Prompt("Go to a question, round or session", example), self._go_to)

    def _go_to(self, text: str | None) -> None:
        from mnemoscope.tui.places import find_place

        if text is None:
            return
        try:
            place = find_place(self.opened_desk, text)
        except MnemoscopeError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if place.question:
            selection = self.opened_desk.selection
            walk = selection if place.question in selection.keys else None
            self.show_question(place.question, walk or self._all_questions())
        else:
            self.show_round(place.history_id, place.round_id)

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
        if not self.refuse("reload") and self._request is not None:
            self.open(self._request)

    def show_round(self, history_id: str, round_id: str) -> None:
        """Go to a round in its history."""
        from mnemoscope.tui.screens.history import HistoryScreen

        self.opened_desk.history_id = history_id
        self.opened_desk.round_id = round_id
        self.go(HistoryScreen())

    def show_question(self, key: str, walk: "Selection | None" = None) -> None:
        """Go to a question.

        Args:
            key: Its key.
            walk: The list that next and previous go through; the questions list when None.
        """
        from mnemoscope.tui.screens.question import QuestionScreen

        self.opened_desk.walk = walk or self.opened_desk.selection
        self.opened_desk.walk.go_to(key)
        self.go(QuestionScreen())

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        screens = ("overview", "history", "questions", "compare", "matrix")
        if action not in (*screens, "go_to", "reload"):
            return ""
        if self._desk is None:
            return "Nothing is open: o opens a release, d the demo."
        if action == getattr(self.screen, "SCOPE", ""):
            return "This is it."
        if action in ("compare", "matrix") and len(self._desk.workspace.runs) < 2:
            if self.reading:
                return f"The runs are still being read: {self.reading}."
            return "Two runs are needed: open the release with more runs beside it."
        return ""

    def refuse(self, action: str) -> bool:
        """Whether an action makes no sense now; the user is told why."""
        reason = self.why_not(action)
        if reason:
            self.notify(reason, markup=False)
        return bool(reason)

    async def action_back(self) -> None:
        """Go back one screen, from the first one to the start screen."""
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
            self.pop_screen()

    async def action_leave(self) -> None:
        """Go back one screen, and quit at the first one."""
        if len(self.screen_stack) == 2:
            self.exit()
        else:
            await self.action_back()

    def draw(self, file: str, columns: int, rows: int) -> Sequence[Strip] | str:
        """Draw a picture file on the current background."""
        if self._pictures is None:
            from mnemoscope.tui.pictures import PictureDrawer

            self._pictures = PictureDrawer(self.palette.background)
        return self._pictures(file, columns, rows)

    def action_help(self) -> None:
        """List the keys of the screen, and run the one chosen."""
        from mnemoscope.tui.screens.keys import KeysScreen

        keys = KeysScreen(self.screen)

        async def run(index: int | None) -> None:
            if index is not None:
                await self.run_registered(keys.action_at(index))

        self.push_screen(keys, run)

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
        self._pictures = None

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


class _LeftError(Exception):
    """Nobody waits for what is being read any more."""


def _recent(
    request: OpenRequest, workspace: "Workspace", position: Mapping[str, str]
) -> RecentOpening:
    release = workspace.release
    counts = release.counts
    summary = (
        f"{release.format} · {counts['histories']} histories · {counts['questions']} questions"
    )
    if workspace.runs:
        summary += f" · {len(workspace.runs)} runs"
    runs = tuple(str(Path(run).resolve()) for run in request.runs)
    return RecentOpening(str(request.release.resolve()), runs, summary, dict(position))
