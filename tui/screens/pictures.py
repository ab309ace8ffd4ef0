"""What every screen with attachments can do with them: zoom a picture, open a file outside."""

from collections.abc import Sequence
from pathlib import Path

from textual import work
from textual.message import Message

from mnemoscope.core.model import Attachment, AttachmentState, Kind
from mnemoscope.tui.outside import open_outside
from mnemoscope.tui.screens.base import PaneScreen

__all__ = ["AttachmentScreen"]


class AttachmentScreen(PaneScreen):
    """A screen on which attachments can be looked at more closely."""

    class OpenedOutside(Message):
        """The desktop has been asked to open a file."""

        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    def attachments(self) -> Sequence[tuple[str, Attachment]]:
        """The attachments that the cursor stands on, each with a label or none."""
        return ()

    def action_zoom(self) -> None:
        """Show the pictures under the cursor as large as the terminal allows."""
        from mnemoscope.tui.screens.zoom import ZoomItem, ZoomScreen

        images = [
            ZoomItem.of(one, label) for label, one in self.attachments() if one.kind is Kind.IMAGE
        ]
        if not images:
            self.notify("There is no picture under the cursor.")
        elif self.desk_app.drawer is not None:
            variant = self.desk.textualisation.image
            self.app.push_screen(ZoomScreen(images, self.desk_app.drawer, variant=variant))

    def action_outside(self) -> None:
        """Hand the first file under the cursor to the desktop."""
        present = [one for _, one in self.attachments() if one.state is AttachmentState.PRESENT]
        if not present:
            self.notify("There is no file under the cursor to open.")
        else:
            self._open_outside(present[0].file)

    @work(thread=True, exclusive=True, group="outside", description="")
    def _open_outside(self, file: str) -> None:
        self.post_message(self.OpenedOutside(open_outside(Path(file))))

    def on_attachment_screen_opened_outside(self, message: OpenedOutside) -> None:
        self.notify(message.said, markup=False, timeout=10)
