"""The overview: the release in counts, the runs with their accuracy, joins, defects, histories."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.events import Resize
from textual.message import Message
from textual.widget import Widget

from mnemoscope.core.text import one_line
from mnemoscope.core.workspace import Workspace
from mnemoscope.tui.pane_help import PaneHelp
from mnemoscope.tui.screens.base import DeskScreen, screen_bindings
from mnemoscope.tui.screens.overview_blocks import OverviewBlocks
from mnemoscope.tui.screens.overview_help import OVERVIEW_HELP
from mnemoscope.tui.screens.rows import suspicions_screen
from mnemoscope.tui.twins import twin_command
from mnemoscope.viewers.page import Page
from mnemoscope.viewers.styles import style, styled

if TYPE_CHECKING:
    from mnemoscope.analyses.accuracy import RunScore
    from mnemoscope.analyses.suspicion import Suspicion

__all__ = ["OverviewScreen"]


class OverviewScreen(DeskScreen):
    """What is open, in figures; everything that stands out can be entered."""

    SCOPE: ClassVar[str] = "overview"
    PANE_HELP: ClassVar[Mapping[str, PaneHelp]] = OVERVIEW_HELP
    TWIN: ClassVar[str] = "mnemoscope score RELEASE RUN …"
    BINDINGS: ClassVar[list[BindingType]] = screen_bindings("overview")

    class Scored(Message):
        """Runs have been scored, and looked at for what seems wrong."""

        def __init__(
            self,
            scores: Sequence["RunScore"],
            overlaid: Sequence["RunScore"],
            suspicions: Sequence["Suspicion"],
        ) -> None:
            super().__init__()
            self.scores = scores
            self.overlaid = overlaid
            self.suspicions = suspicions

    def __init__(self) -> None:
        super().__init__()
        self._scores: Sequence[RunScore] | None = None
        self._overlaid: Sequence[RunScore] = ()
        self._suspicions: Sequence[Suspicion] = ()
        self._scored: Workspace | None = None

    def body(self) -> Iterator[Widget]:
        yield Page(id="overview")

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(Page).focus()

    @work(thread=True, exclusive=True, description="score")
    def _score(self) -> None:
        from mnemoscope.analyses.accuracy import score
        from mnemoscope.analyses.suspicion import suspicions

        workspace = self.desk.workspace
        found, overlaid = [
            [score(run, of.release) for run in of.runs] if of is not None else []
            for of in (workspace, workspace.overlaid)
        ]
        self.post_message(self.Scored(found, overlaid, suspicions(workspace)))

    def on_overview_screen_scored(self, message: Scored) -> None:
        self._scores, self._overlaid = message.scores, message.overlaid
        self._suspicions = message.suspicions
        self.draw()
        self.settle()

    def is_ready(self) -> bool:
        return self._scores is not None or not self.desk.workspace.runs

    def on_resize(self, event: Resize) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.draw)

    def draw(self) -> None:
        if self.desk.workspace is not self._scored and self.desk.workspace.runs:
            self._scored, self._scores, self._suspicions = self.desk.workspace, None, ()
            self._score()
        release = self.desk.workspace.release
        title = styled(one_line(release.name), style("heading", self.palette))
        self.header(title, f"{release.format} · {_from_here(release.root)}")
        made = OverviewBlocks(
            self.desk.workspace,
            self._scores,
            self.palette,
            width=max(40, self.app.size.width - 4),
            sentence=self.sentence,
            reading=self.desk_app.reading,
            overlaid=self._overlaid,
            suspicions=self._suspicions,
        )
        self.query_one(Page).set_blocks(list(made.blocks()), keep=True)

    # Reacting

    def on_page_opened(self, message: Page.Opened) -> None:
        target = message.target
        if not isinstance(target, tuple):
            return
        match target:
            case ("failures", letter):
                # The run that is looked at becomes A, so that its answers are on the screens.
                self.desk.make(0, self.desk.workspace.run(str(letter)))
                self._list("sys:A.wrong")
            case ("overlay", error_type):
                self._list(f'overlay:"{error_type}"')
            case ("task", task):
                self._list(f"task:{task}")
            case ("history", history_id):
                self.desk.history_id, self.desk.round_id = str(history_id), ""
                self.desk_app.action_history()
            case ("ledger", history_id):
                self.desk_app.show_ledger(str(history_id))
            case ("defects", severity, code):
                state = {"severity": str(severity), "code": str(code)}
                self.desk_app.go_with("defects", state)
            case ("joins", name):
                self.desk_app.go_with("joins", {"run": str(name)})
            case ("suspicion", code, run):
                seen = [one for one in self._suspicions if (one.code, one.run) == (code, run)]
                self.app.push_screen(suspicions_screen(seen))

    def _list(self, filter_text: str) -> None:
        self.desk.selection.filter = filter_text
        self.desk.selection.cursor = 0
        self.desk_app.action_questions()

    def action_defects(self) -> None:
        self.desk_app.go_with("defects")

    def action_joins(self) -> None:
        if not self.refuse("joins"):
            self.desk_app.go_with("joins")

    def action_configuration(self) -> None:
        if not self.refuse("configuration"):
            self.desk_app.go_with("configuration")

    def copies(self) -> Sequence[tuple[str, str]]:
        request = self.desk_app.request
        return [
            ("command: score", twin_command("score", request, self.desk.deciding_flags)),
            ("command: info", twin_command("info", request, runs=False)),
            ("command: validate", twin_command("validate", request)),
        ]

    def why_not(self, action: str) -> str:
        return self.needs_runs(1) if action in ("joins", "configuration") else ""


def _from_here(path: Path) -> Path:
    """A path as a person would type it: from the working folder where it lies inside."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
