"""The part of the app that holds the player: one for all screens, made when it is first needed."""

from typing import TYPE_CHECKING

from textual.message import Message

from mnemoscope.tui.app_places import PlacesApp

if TYPE_CHECKING:
    from mnemoscope.core.audio import Playback
    from mnemoscope.core.model import Attachment
    from mnemoscope.tui.audio import ClipReader, ClipView, Player

__all__ = ["SoundApp"]


class SoundApp(PlacesApp):
    """An app that plays clips."""

    class SoundChanged(Message):
        """The player is somewhere else, or does something else."""

    sound_setting: str = ""
    """What the user has chosen to play sound with."""
    _player: "Player | None" = None
    _reader: "ClipReader | None" = None

    @property
    def player(self) -> "Player":
        """The player."""
        if self._player is None:
            from mnemoscope.tui.audio import Player

            self._player = Player(lambda _: self._tell_sound(), setting=self.sound_setting)
        return self._player

    def _tell_sound(self) -> None:
        # Called from the player's threads, also while the app is leaving.
        if self.is_running:
            self.post_message(self.SoundChanged())

    def on_sound_app_sound_changed(self) -> None:
        from mnemoscope.tui.clip_bar import ClipBar

        for bar in self.screen.query(ClipBar):
            bar.refresh()

    @property
    def playback(self) -> "Playback":
        """What the player does now."""
        if self._player is None:
            from mnemoscope.core.audio import Playback

            return Playback()
        return self._player.state

    def read_clip(self, file: str) -> "ClipView":
        """Look at a sound file; slow, for workers."""
        if self._reader is None:
            from mnemoscope.tui.audio import ClipReader

            self._reader = ClipReader()
        return self._reader(file)

    def toggle_sound(self, clip: "Attachment", seconds: float | None) -> None:
        """Play a clip, or pause or go on when it is the one that plays."""
        if self.playback.file == clip.file and self.playback.is_active:
            self.player.toggle()
        else:
            self.player.play(clip.file, seconds=seconds)

    def stop_sound(self) -> None:
        """Stop what plays, if anything does."""
        if self._player is not None:
            self._player.stop()

    def on_unmount(self) -> None:
        if self._player is not None:
            self._player.close()
