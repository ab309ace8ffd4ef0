"""What screens with attachments do with them: play a sound, zoom a picture, open it outside."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.message import Message

from mnemoscope.core.model import Attachment, AttachmentState, Kind
from mnemoscope.tui.clip_bar import ClipBar
from mnemoscope.tui.outside import open_outside
from mnemoscope.tui.screens.base import PaneScreen

__all__ = ["AttachmentScreen", "MediaScreen", "OutsideScreen", "PictureScreen"]


class PictureScreen(PaneScreen):
    """A screen on which pictures can be looked at more closely."""

    NAMES_FILES: ClassVar[bool] = False
    """Whether files may be handed to the desktop, which shows their names."""

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
            zoom = ZoomScreen(
                images, self.desk_app.drawer, variant=variant, outside=self.NAMES_FILES
            )
            self.app.push_screen(zoom)


class MediaScreen(PictureScreen):
    """A screen on which sounds can be played, too."""

    def clips(self) -> Sequence[Attachment]:
        """The sounds under the cursor."""
        return [one for _, one in self.attachments() if one.kind is Kind.AUDIO]

    def show_clip(self) -> None:
        """Show the sound under the cursor; leaving one stops it."""
        clips = self.clips()
        bar = self.query_one(ClipBar)
        bar.show(bar.clip if bar.clip in clips else clips[0] if clips else None)

    def on_descendant_focus(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.show_clip)

    def on_screen_suspend(self) -> None:
        self.desk_app.stop_sound()

    def action_play(self) -> None:
        """Play or pause the sound under the cursor."""
        bar = self.query_one(ClipBar)
        if bar.clip is None:
            self.notify("There is no sound under the cursor.")
        elif bar.clip.state is not AttachmentState.PRESENT:
            self.notify(f"The sound is {bar.clip.state}: {bar.clip.note}", markup=False)
        else:
            self.desk_app.toggle_sound(bar.clip, bar.seconds)

    def action_forward(self) -> None:
        """Go five seconds on."""
        self._seek(1)

    def action_backward(self) -> None:
        """Go five seconds back."""
        self._seek(-1)

    def _seek(self, direction: int) -> None:
        from mnemoscope.tui.audio.player import STEP

        if self.desk_app.playback.is_active:
            self.desk_app.player.seek(direction * STEP)

    def action_restart(self) -> None:
        """Play the sound from its start."""
        if self.query_one(ClipBar).clip is not None and self.desk_app.playback.file:
            self.desk_app.player.restart()

    def action_next_clip(self) -> None:
        """Turn to the next sound under the cursor."""
        clips, bar = self.clips(), self.query_one(ClipBar)
        if len(clips) < 2:
            self.notify("There is no other sound under the cursor.")
        else:
            place = clips.index(bar.clip) if bar.clip in clips else -1
            bar.show(clips[(place + 1) % len(clips)])


class OutsideScreen(PictureScreen):
    """A screen whose files can also be opened outside."""

    NAMES_FILES = True

    class OpenedOutside(Message):
        """The desktop has been asked to open a file."""

        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    def action_outside(self) -> None:
        """Hand the first file under the cursor to the desktop."""
        present = [one for _, one in self.attachments() if one.state is AttachmentState.PRESENT]
        if not present:
            self.notify("There is no file under the cursor to open.")
        else:
            self._open_outside(present[0].file)

    @work(thread=True, exclusive=True, group="outside", description="open outside")
    def _open_outside(self, file: str) -> None:
        self.post_message(self.OpenedOutside(open_outside(Path(file))))

    def on_outside_screen_opened_outside(self, message: OpenedOutside) -> None:
        self.notify(message.said, markup=False, timeout=10)


class AttachmentScreen(OutsideScreen, MediaScreen):
    """A screen with pictures and sounds, whose files can also be opened outside."""
