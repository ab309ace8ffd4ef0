"""The part of the app that holds the tags, which are read when they are first asked for."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.screen import ModalScreen

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.tui.app_going import screen_of
from mnemoscope.tui.app_sound import SoundApp
from mnemoscope.tui.bars import HeaderBar
from mnemoscope.tui.screens.base import DeskScreen
from mnemoscope.tui.state_file import StateFile

if TYPE_CHECKING:
    from mnemoscope.core.tags.workspace_tags import WorkspaceTags
    from mnemoscope.core.workspace import Workspace
    from mnemoscope.tui.tagging import Tagging

__all__ = ["TaggingApp"]


class TaggingApp(SoundApp):
    """An app in which answers can be tagged."""

    class TagsRead(Message):
        """The tags have been read, or could not be."""

        def __init__(self, workspace: "Workspace", problem: str = "") -> None:
            super().__init__()
            self.workspace = workspace
            self.problem = problem

    tags_folder: Path | None = None
    """The one folder for tags that the user named."""
    taxonomy_files: Sequence[Path] = ()
    """Taxonomies that the user named."""
    tagging: "Tagging | None" = None
    """The annotator at work; None before anybody has tagged what is open."""
    tagging_memory: StateFile
    """Who tagged last, with which taxonomy."""
    doing = ""
    """What the user waits for, in a word or two; empty when it is nothing."""
    _after_tags: Callable[[], None] | None = None

    def say_doing(self, doing: str) -> None:
        """Say in the header what the user waits for."""
        self.doing = doing
        for screen in self.screen_stack:
            for bar in screen.query(HeaderBar):
                bar.refresh()

    def with_tags(self, workspace: "Workspace") -> "Workspace":
        """The workspace with everybody's tags; it may be called from a thread.

        Raises:
            MnemoscopeError: A taxonomy that the user named cannot be read.
        """
        from mnemoscope.core.tags.reading import with_tags
        from mnemoscope.tui.config import taxonomy_folder

        return with_tags(
            workspace,
            folder=self.tags_folder,
            own=taxonomy_folder(),
            taxonomies=self.taxonomy_files,
        )

    def read_tags(self, then: Callable[[], None]) -> None:
        """Read the tags of what is open, if that has not been done, and go on."""
        if self.opened_desk.workspace.tags is not None:
            then()
        else:
            self._after_tags = then
            self.say_doing("reading tags")
            self._read_tags(self.opened_desk.workspace)

    def read_kept_tags(self, then: Callable[[], None]) -> None:
        """Read the tags of what is open if there may be any, and go on when they are there."""
        from mnemoscope.core.tags.store import TAGS, anything_kept

        workspace = self.opened_desk.workspace
        if workspace.tags is not None or self.reading:
            return
        try:
            delivered = workspace.release.root / TAGS
            runs = (run.run for run in workspace.runs)
            kept = anything_kept(runs, self.tags_folder, delivered)
        except OSError:  # who tags will be told
            return
        if kept:
            self.read_tags(then)

    @work(thread=True, exclusive=True, group="tags", description="read tags")
    def _read_tags(self, workspace: "Workspace") -> None:
        try:
            tagged = self.with_tags(workspace)
        except MnemoscopeError as error:
            self.post_message(self.TagsRead(workspace, str(error)))
            return
        # Like all that is open, set apart from what the collector looks at.
        gc.freeze()
        self.post_message(self.TagsRead(tagged))

    def on_tagging_app_tags_read(self, message: TagsRead) -> None:
        """Take the tags, say what of them cannot be used, and go on."""
        then, self._after_tags = self._after_tags, None
        self.say_doing("")
        if message.problem:
            self.notify(message.problem, severity="error", markup=False)
            return
        self.take_tags(message.workspace)
        if then is not None:
            then()

    def take_tags(self, workspace: "Workspace") -> None:
        """Take the tags that have been read for what is open; for anything else they are let go."""
        desk, tags = self._desk, workspace.tags
        if tags is None or desk is None or desk.workspace.tags is tags:
            return
        if desk.workspace.release is not workspace.release or desk.workspace.tags is not None:
            tags.close()
            return
        # Letters may have been traded since.
        desk.workspace = replace(desk.workspace, tags=tags)
        defects = (*tags.catalogue.defects, *tags.tags.defects)
        for defect in defects[:3]:
            self.notify(defect.line(), severity="warning", markup=False)
        if len(defects) > 3:
            self.notify(f"{len(defects) - 3} more lines of tags cannot be read.")
        if tags.tags.elsewhere:
            text = (
                f"{tags.tags.elsewhere} tagging events are about another version of this release."
            )
            self.notify(text, markup=False)

    def on_unmount(self) -> None:
        """Close the files that tags are written to."""
        if self._desk is not None:
            self._desk.close()

    async def action_quit(self) -> None:
        """Quit, unless something was tagged that would be lost."""
        tags = self._desk.workspace.tags if self._desk is not None else None
        count = tags.unwritten() if tags is not None else 0
        if tags is None or not count:
            await super().action_quit()
        elif not isinstance(self.screen, ModalScreen):
            self._ask_about_unwritten(tags, count)

    def _ask_about_unwritten(self, tags: "WorkspaceTags", count: int) -> None:
        from mnemoscope.tui.screens.chooser import Chooser
        from mnemoscope.tui.screens.prompt import Prompt
        from mnemoscope.viewers.columns import Column

        things = f"{count} thing{'s' * (count > 1)} done"
        rows = [
            ("write to another folder", "all that could not be written, and then quit"),
            ("quit without", f"{things} would be lost"),
        ]

        def chosen(index: int | None) -> None:
            if index == 0:
                self.push_screen(Prompt("Write tags to", "a folder"), named)
            elif index == 1:
                self.exit()

        def named(written: str | None) -> None:
            if written is None:
                return
            try:
                tags.write_to(Path(written).expanduser())
            except MnemoscopeError as error:
                self.notify(str(error), severity="error", markup=False)
            else:
                self.exit()

        columns = (Column("", 26), Column("", 30, flex=1, dim=True))
        self.push_screen(Chooser(f"{things} could not be written yet", columns, rows), chosen)

    def action_tag(self) -> None:
        """Tag what is in focus."""
        if not self.refuse("tag"):
            screen = self.screen
            scope = screen.tagging_scope() if isinstance(screen, DeskScreen) else "tag"
            self.read_tags(lambda: self.go(screen_of(scope)))

    def action_tally(self) -> None:
        """Count tags."""
        self.go_to_screen("tally")

    def hides(self, scope: str) -> str:
        """Why a screen may not be seen now, in a sentence; empty when it may."""
        is_blind = self.tagging is not None and self.tagging.hides
        tags = any(getattr(one, "SCOPE", "") == "tag" for one in self.screen_stack)
        if scope == "ledger" and is_blind and tags:
            return self.sentence("Blind mode hides what is true: {tag.reveal} reveals it first.")
        return super().hides(scope)

    def why_not(self, action: str) -> str:
        """Why an action of the app makes no sense now, in a sentence; empty when it does."""
        if action == "tag":
            said = super().why_not("questions")
            if said and said != "This is it.":
                return said
            if getattr(self.screen, "SCOPE", "") in ("tag", "review"):
                return "This is it."
        if action == "ledger" and self.hides("ledger"):
            return self.hides("ledger")
        if action in ("tag", "tally") and self.reading:
            return f"The runs are still being read: {self.reading}."
        return super().why_not(action)
