"""The sound under the cursor: its waveform, what the player does with it, and what it is."""

from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual import work
from textual.app import RenderResult
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from mnemoscope.core.model import Attachment, AttachmentState
from mnemoscope.core.text import one_line
from mnemoscope.viewers.columns import cut
from mnemoscope.viewers.styles import MARKS, Palette, style, styled

if TYPE_CHECKING:
    from mnemoscope.tui.app import MnemoscopeApp
    from mnemoscope.tui.audio import ClipView
    from mnemoscope.tui.screens.base import WorkScreen
    from mnemoscope.viewers.waveform import ClipKeys

__all__ = ["ClipBar"]


class ClipBar(Widget):
    """Three lines about one clip; hidden while there is none."""

    DEFAULT_CSS = """
    ClipBar { height: 3; display: none; background: $surface; padding: 0 1; }
    ClipBar.-there { display: block; }
    """

    class Looked(Message):
        """A sound file has been looked at."""

        def __init__(self, file: str, view: "ClipView") -> None:
            super().__init__()
            self.file = file
            self.view = view

    def __init__(self) -> None:
        super().__init__()
        self.clip: Attachment | None = None
        """The clip that is shown."""
        self._view: ClipView | None = None

    @property
    def _app(self) -> "MnemoscopeApp":
        return cast("MnemoscopeApp", self.app)

    @property
    def seconds(self) -> float | None:
        """The length of the clip, once it is known."""
        return getattr(self._view.clip, "seconds", None) if self._view is not None else None

    def show(self, clip: Attachment | None) -> None:
        """Show another clip; one that was playing stops."""
        if clip == self.clip:
            return
        self._app.stop_sound()
        self.clip = clip
        self._view = None
        self.set_class(clip is not None, "-there")
        if clip is not None and clip.state is AttachmentState.PRESENT:
            self._look(clip.file)
        self.refresh()

    @work(thread=True, exclusive=True, group="clips", description="look")
    def _look(self, file: str) -> None:
        self.post_message(self.Looked(file, self._app.read_clip(file)))

    def on_clip_bar_looked(self, message: Looked) -> None:
        message.stop()
        if self.clip is not None and self.clip.file == message.file:
            self._view = message.view
            self.refresh()

    def render(self) -> RenderResult:
        palette = Palette.from_variables(self.app.theme_variables)
        if self.clip is None:
            return Text()
        if self.clip.state is not AttachmentState.PRESENT:
            line = MARKS["audio"].label(palette, word=one_line(self.clip.id))
            line.append("  ").append_text(
                MARKS["missing"].label(palette, word=self.clip.state.value)
            )
            return line.append(f"\n{one_line(self.clip.note)}", style("dim", palette))
        if self._view is None:
            return styled("… reading the sound", style("dim", palette))
        from mnemoscope.viewers.waveform import clip_lines

        columns = max(8, self.size.width - 2)
        state = self._app.playback
        view = self._view
        lines = clip_lines(view.clip, view.peaks, state, columns, palette, keys=self._keys())
        return Text("\n", no_wrap=True).join(cut(line, columns) for line in lines)

    async def on_click(self, event: Click) -> None:
        """Play or pause; in the waveform of what plays, go to where it was clicked."""
        state = self._app.playback
        offset = event.get_content_offset(self)
        on_wave = offset is not None and offset.y == 0
        is_ours = self.clip is not None and state.file == self.clip.file and state.is_active
        if is_ours and on_wave and offset is not None and state.seconds:
            columns = max(8, self.size.width - 2)
            wanted = state.seconds * min(1.0, offset.x / columns)
            self._app.player.seek(wanted - state.position)
        else:
            await self.screen.run_action("play")

    def _keys(self) -> "ClipKeys":
        """The keys of the clip on this screen, which the user may have chosen."""
        from mnemoscope.viewers.waveform import ClipKeys

        scope = cast("WorkScreen", self.screen).SCOPE
        keys = self._app.effective_keys
        back, on, again, toggle = (
            keys.fill(f"{{{scope}.{name}}}") for name in ("backward", "forward", "restart", "play")
        )
        return ClipKeys(toggle, f"{back} {on}", again)
