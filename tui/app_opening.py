"""The part of the app that opens things: reading in a worker, the desk, what is remembered."""

import gc
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.opening import OpenRequest
from mnemoscope.tui.app_keys import KeysApp
from mnemoscope.tui.keymap import EffectiveKeys
from mnemoscope.tui.pane_sizes import PaneSizes
from mnemoscope.tui.recent import RecentOpening, RecentStore
from mnemoscope.tui.screens.base import DeskScreen, WorkScreen
from mnemoscope.tui.trail import Trail, Visit

if TYPE_CHECKING:
    from mnemoscope.core.workspace import Workspace
    from mnemoscope.tui.desk import Desk
    from mnemoscope.tui.watch import Fingerprint

__all__ = ["OpeningApp"]

_SECONDS_BETWEEN_LOOKS = 3.0
"""How often the open files are looked at for changes."""
_COLLECTOR_THRESHOLDS = (10_000, 10, 20)
"""Of young, middle and old objects: a drawn question makes some 14,000, nearly all gone with it."""


class OpeningApp(KeysApp):
    """An app with a desk: it reads a release and runs and holds what is open."""

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

    effective_keys = EffectiveKeys()
    """The keys that actions have."""

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
        self.pane_sizes = PaneSizes(self.recent.file.parent, remember=remember)
        self._desk: Desk | None = None
        self.reading = ""
        """What is being read in the background, in a few words; empty when nothing is."""
        self.changed = False
        """Whether an open file has changed since it was read."""
        self._opened_request: OpenRequest | None = None
        self.trail = Trail(self._here)
        """The places where the user has been."""
        self._watched: Fingerprint | None = None
        self._fresh_desk = False

    def sentence(self, text: str) -> str:
        """A sentence with the key of each action that it names, such as ``{app.reload}``."""
        return self.effective_keys.fill(text)

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

    @work(thread=True, exclusive=True, group="opening", description="read")
    def _read(self, request: OpenRequest) -> None:
        from mnemoscope.core.opening import open_workspace

        # What was open before is garbage soon, and can be found only while it is not set apart.
        gc.unfreeze()
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
        # What is open stays. Walking through its million objects would hold up a key press for most
        # of a second now and then: it is set apart from what the collector looks at. The
        # rest is little, and a quarter more of it would soon be a reason to walk through it all.
        gc.freeze()
        gc.set_threshold(*_COLLECTOR_THRESHOLDS)
        self.post_message(self.Opened(request, workspace, whole=True))

    def on_opening_app_opened(self, message: Opened) -> None:
        from mnemoscope.tui.desk import Desk
        from mnemoscope.tui.screens.opening import OpeningScreen
        from mnemoscope.tui.screens.overview import OverviewScreen

        self.reading = "" if message.whole else "reading runs"
        known = self._desk
        if known is not None and known.workspace.release is message.workspace.release:
            known.extend(message.workspace)
            self._draw_all()
        elif isinstance(self.screen, OpeningScreen):
            with self.trail.move():
                if known is not None:
                    known.close()
                self._desk = Desk(message.workspace)
                self._opened_request = message.request
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
        if message.whole:
            from mnemoscope.core.extensions import take_warnings

            for warning in take_warnings():
                self.notify(warning, title="Extensions", severity="warning", markup=False)
            self.after_opening()

    def after_opening(self) -> None:
        """What there is to do once a release and its runs are open."""

    def keep_position(self) -> None:
        """Remember what is open and where the user is in it."""
        if self._remember and self._desk is not None and self.request is not None:
            workspace = self._desk.workspace
            self.recent.add(_recent(self.request, workspace, self._desk.position))

    def on_unmount(self) -> None:
        if not self.reading:
            self.keep_position()

    @work(thread=True, exclusive=True, group="watch", description="watch")
    def _watch(self) -> None:
        from mnemoscope.tui.watch import fingerprint

        desk = self._desk
        if desk is not None and not self.reading:
            self.post_message(self.FilesSeen(fingerprint(desk.workspace), desk.workspace))

    def on_opening_app_files_seen(self, message: FilesSeen) -> None:
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

    def on_opening_app_failed(self, message: Failed) -> None:
        from mnemoscope.tui.screens.opening import OpeningScreen

        self.reading = ""
        if isinstance(self.screen, OpeningScreen):
            self.screen.fail(message.message, message.hint)
        else:
            text = f"{message.message} {message.hint}".strip()
            self.notify(text, title="Opening", severity="error", markup=False, timeout=20)
            self._draw_all()

    def on_opening_app_progress(self, message: Progress) -> None:
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
        """What is open; before anything is, what was asked for."""
        return self._opened_request or self._request

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

    def _here(self) -> Visit | None:
        """Where the user is, below dialogs and raw views; None where nothing open is shown."""
        shown = [o for o in self.screen_stack if isinstance(o, DeskScreen) and o.IS_PLACE]
        if not shown or self._desk is None or self._opened_request is None:
            return None
        desk, scope = self._desk, shown[-1].SCOPE
        walk = {"question": desk.walk, "questions": desk.selection}.get(scope)
        return Visit(
            request=self._opened_request,
            scope=scope,
            runs=tuple(run.name for run in desk.pair),
            history_id=desk.history_id,
            round_id=desk.round_id,
            question=desk.walk.key or "",
            walk=replace(walk) if walk is not None else None,
            view=shown[-1].view(),
            parents=self._parents(shown[-1]),
        )

    def _parents(self, screen: DeskScreen) -> tuple[str, ...]:
        """Scopes of the screens that escape leads back to from a screen."""
        if screen.parents is not None:
            return screen.parents
        beneath = self.screen_stack[: self.screen_stack.index(screen)]
        return tuple(o.SCOPE for o in beneath if isinstance(o, DeskScreen) and o.IS_PLACE)


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
    return RecentOpening.of(request, summary, position)
