"""Playing through simpleaudio: WAV files, played to their end or stopped.

From Python 3.12 on simpleaudio kills the process when a sound ends, so it is not loaded there. It
can neither pause nor seek, and does not tell how far it has come.
"""

import importlib
import sys
import time
from typing import Any

from mnemoscope.core.audio import Capabilities, Clip, Phase
from mnemoscope.core.audio.levels import pcm16
from mnemoscope.core.audio.riff import DamagedError
from mnemoscope.tui.audio.backends import EARLY, Report, SoundError

__all__ = ["SimpleaudioBackend"]

_FIRST_FATAL = (3, 12)


class SimpleaudioBackend:
    """Plays a buffer that holds the whole clip."""

    capabilities = Capabilities()
    label = "simpleaudio"

    def __init__(self) -> None:
        if sys.version_info >= _FIRST_FATAL:
            reason = "simpleaudio crashes on Python 3.12 and later, so it is not used."
            raise SoundError(reason, absent=True)
        try:
            self._library: Any = importlib.import_module("simpleaudio")
            native: Any = importlib.import_module("simpleaudio._simpleaudio")
        except ImportError as error:
            raise SoundError(f"simpleaudio is not there: {error}.", absent=True) from error
        # It refuses rates and channel counts that it does not know with ValueError.
        self._errors = (native.SimpleaudioError, ValueError)
        self._playing: Any = None
        self._began = 0.0
        self._seconds = 0.0

    def start(self, clip: Clip, at: float) -> None:
        if clip.format != "wav":
            raise SoundError(f"simpleaudio plays wav only, not {clip.format}.", absent=True)
        self.stop()
        try:
            samples, width = pcm16(clip)
        except (DamagedError, OSError) as error:
            raise SoundError(f"simpleaudio cannot play it: {error}", absent=True) from error
        try:
            self._playing = self._library.play_buffer(samples, clip.channels, width, clip.rate)
        except self._errors as error:
            said = str(error).strip().rstrip(".")
            raise SoundError(f"No sound device, says simpleaudio: {said}.") from error
        self._began = time.monotonic()
        self._seconds = clip.seconds or 0.0

    def pause(self) -> None:
        raise SoundError("simpleaudio cannot pause.")

    def resume(self) -> None:
        raise SoundError("simpleaudio cannot pause.")

    def seek(self, to: float) -> None:
        raise SoundError("simpleaudio cannot seek.")

    def stop(self) -> None:
        playing, self._playing = self._playing, None
        if playing is not None and playing.is_playing():
            playing.stop()

    def poll(self) -> Report:
        if self._playing is None:
            return Report(Phase.IDLE, 0.0)
        elapsed = time.monotonic() - self._began
        if self._playing.is_playing():
            return Report(Phase.PLAYING, min(elapsed, self._seconds))
        self._playing = None
        # It says nothing when a device goes away, but no device plays faster than time passes.
        if elapsed < self._seconds - EARLY:
            raise SoundError(
                f"simpleaudio stopped after {elapsed:.1f} of {self._seconds:.1f} s, as it does "
                "when the sound device goes away."
            )
        return Report(Phase.ENDED, self._seconds)
