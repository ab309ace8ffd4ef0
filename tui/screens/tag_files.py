"""Writing tags to a file from a screen that shows some."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.tui.screens.base import DeskScreen
from mnemoscope.tui.screens.prompt import Prompt

if TYPE_CHECKING:
    from polars import DataFrame

__all__ = ["TagFiles", "chosen_rows"]


def chosen_rows(
    frame: "DataFrame", annotator: str = "", keys: Collection[str] | None = None
) -> "DataFrame":
    """The rows of a tag frame by an annotator and about some questions; empty and None are all."""
    import polars as pl

    if annotator:
        frame = frame.filter(pl.col("annotator") == annotator)
    return frame if keys is None else frame.filter(pl.col("key").is_in(list(keys)))


class TagFiles(DeskScreen):
    """A screen from which tags are written to a file."""

    class Written(Message):
        """The file is there, or it could not be written."""

        def __init__(self, said: str, failed: bool = False) -> None:
            super().__init__()
            self.said = said
            self.failed = failed

    def ask_for_file(self, what: str, choose: "Callable[[DataFrame], DataFrame]") -> None:
        """Ask for a file and write tags to it.

        Args:
            what: What is written, in words.
            choose: The rows to write, of a frame of all tags; called where nothing waits for it.
        """

        def named(written: str | None) -> None:
            if written is not None:
                self.desk_app.say_doing("writing tags")
                self._write(Path(written).expanduser(), choose)

        title = f"Write {what} to: .jsonl and .csv a row a tag, .md a summary with examples"
        example = "a path ending in .jsonl, .csv or .md"
        self.app.push_screen(Prompt(title, example, "tags.md"), named)

    @work(thread=True, exclusive=True, group="tag file", description="write tags")
    def _write(self, path: Path, choose: "Callable[[DataFrame], DataFrame]") -> None:
        from mnemoscope.analyses.tag_frame import tag_frame
        from mnemoscope.analyses.tag_report import export_tags

        workspace = self.desk.workspace
        assert workspace.tags is not None
        frame = choose(tag_frame(workspace, workspace.tags))
        if not frame.height:
            self.post_message(self.Written("There is no tag to write."))
            return
        try:
            export_tags(workspace, workspace.tags, frame, path)
        except MnemoscopeError as error:
            self.post_message(self.Written(str(error), failed=True))
        else:
            self.post_message(self.Written(f"{frame.height:,} rows written to {path.resolve()}"))

    def on_tag_files_written(self, message: Written) -> None:
        """Say what became of it."""
        self.desk_app.say_doing("")
        if message.failed:
            self.notify(message.said, severity="error", markup=False)
        else:
            self.notify(message.said, markup=False)
