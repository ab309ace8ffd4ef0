"""Playing through miniaudio: wav, flac, ogg and mp3, with pause and seek.

miniaudio falls back to a device called Null, which takes sound in real time and makes none. So the
systems below it are tried one by one and Null is never among them, unless a test asks for it.
"""

import contextlib
import importlib
import math
import time
from collections.abc import Generator, Sequence
from typing import Any

from mnemoscope.core.audio import Capabilities, Clip, Phase, clock
from mnemoscope.core.audio.files import cut_short
from mnemoscope.tui.audio.backends import EARLY, Report, SoundError

__all__ = ["MiniaudioBackend"]

_PERIOD_MILLISECONDS = 80
"""Devices hold three of these: enough for a busy machine, and what is still heard after a pause."""
_BUFFERED = 0.3
"""Seconds of sound that a device may still hold when it has been given the last of it."""
_AHEAD = 3.0
"""Seconds of sound that no device takes ahead of time."""
_STALLED = 5.0
"""Seconds after which a device that asks for no more sound has gone away."""
_FRAMES_AT_ONCE = 65_536
_SILENT = ("NULL", "CUSTOM")
_DECODED = ("wav", "flac", "ogg", "mp3", "aiff")
_NAMES = {"PULSEAUDIO": "PulseAudio", "COREAUDIO": "Core Audio", "DSOUND": "DirectSound"}


class MiniaudioBackend:
    """Plays with a device that asks for frames whenever it needs some."""

    capabilities = Capabilities(pause=True, seek=True)

    def __init__(self, *, null_sink: bool = False) -> None:
        try:
            self._library: Any = importlib.import_module("miniaudio")
        except ImportError as error:
            reason = f"miniaudio is not there: {error}."
            raise SoundError(reason, absent=True) from error
        self._null_sink = null_sink
        self._device: Any = None
        self._through = ""
        self._clip: Clip | None = None
        self._stream = _Stream(iter(()), 1, 1, 0.0)
        self._is_paused = False

    @property
    def label(self) -> str:
        return f"miniaudio, {self._through}" if self._through else "miniaudio"

    def find_device(self) -> None:
        """Open a device and let go of it again; after that the label names it."""
        self._open(2, 44_100)
        self.stop()

    def start(self, clip: Clip, at: float) -> None:
        if clip.format not in _DECODED:
            raise SoundError(f"miniaudio cannot decode {clip.format}.", absent=True)
        self.stop()
        self._clip = clip
        self._open(max(1, min(clip.channels, 2)), clip.rate)
        self._begin(at)

    def pause(self) -> None:
        if self._device is None or self._is_paused:
            return
        at = self._stream.position
        self._halt()
        self._is_paused = True
        self._stream.stand_at(at)

    def resume(self) -> None:
        if self._device is not None and self._is_paused:
            self._begin(self._stream.position)

    def seek(self, to: float) -> None:
        if self._device is None:
            return
        if self._is_paused:
            self._stream.stand_at(to)
        else:
            self._halt()
            self._begin(to)

    def _halt(self) -> None:
        # A device that cannot be stopped is found out when it is started again.
        with contextlib.suppress(self._library.MiniaudioError):
            self._device.stop()

    def stop(self) -> None:
        device, self._device = self._device, None
        self._is_paused = False
        if device is not None:
            device.close()

    def poll(self) -> Report:
        stream = self._stream
        if self._is_paused or self._device is None:
            return Report(Phase.PAUSED if self._is_paused else Phase.IDLE, stream.position)
        if stream.has_ended:
            self.stop()
            return Report(Phase.ENDED, stream.delivered, self._shortfall(stream.delivered))
        if stream.broke:
            self.stop()
            raise SoundError(f"The file is damaged at {clock(stream.delivered)}.")
        if stream.is_swallowed:
            self.stop()
            raise SoundError("What takes the sound is no sound device: it takes it too fast.")
        if stream.is_stalled:
            self.stop()
            raise SoundError("The sound device takes no more sound; it may have been removed.")
        return Report(Phase.PLAYING, stream.position)

    def _shortfall(self, played: float) -> str:
        seconds = self._clip.seconds if self._clip else None
        if seconds is None or played >= seconds - EARLY:
            return ""
        return cut_short(played, seconds)

    def _open(self, channels: int, rate: int) -> None:
        tried = []
        for system in self._systems():
            try:
                self._device = self._library.PlaybackDevice(
                    self._library.SampleFormat.SIGNED16,
                    channels,
                    rate,
                    _PERIOD_MILLISECONDS,
                    backends=[system],
                    app_name="mnemoscope",
                )
            except self._library.MiniaudioError:
                tried.append(_NAMES.get(system.name, system.name))
                continue
            self._through = self._device.backend
            return
        raise SoundError(f"No sound device was found (tried {', '.join(tried)}).")

    def _systems(self) -> Sequence[Any]:
        systems = self._library.Backend
        if self._null_sink:
            return [systems.NULL]
        enabled = self._library.get_enabled_backends()
        return [one for one in systems if one in enabled and one.name not in _SILENT]

    def _begin(self, at: float) -> None:
        assert self._clip is not None
        device, rate = self._device, self._device.sample_rate
        try:
            decoded = self._library.stream_file(
                self._clip.file,
                device.format,
                device.nchannels,
                rate,
                _FRAMES_AT_ONCE,
                seek_frame=int(at * rate),
            )
        except self._library.MiniaudioError as error:
            self.stop()
            raise SoundError("The file is damaged and cannot be played from here.") from error
        self._stream = _Stream(decoded, device.nchannels, rate, at)
        self._is_paused = False
        try:
            device.start(self._stream.frames())
        except self._library.MiniaudioError as error:
            self.stop()
            raise SoundError("The sound device could not be started.") from error


class _Stream:
    """The frames that a device asks for, and how many of them it has been given."""

    def __init__(self, decoded: Any, channels: int, rate: int, at: float) -> None:
        self._decoded = decoded
        self._channels = channels
        self._rate = rate
        self._began_at = at
        self._began = self._asked = time.monotonic()
        self._frames = 0
        self._over_at = math.inf
        self._stands_at: float | None = None
        self.broke = False
        """Whether decoding failed on the way."""

    @property
    def delivered(self) -> float:
        """The position up to which the device has been given sound."""
        return self._began_at + self._frames / self._rate

    @property
    def _by_the_clock(self) -> float:
        return self._began_at + time.monotonic() - self._began

    @property
    def position(self) -> float:
        """What is heard now: devices take sound ahead of time."""
        if self._stands_at is not None:
            return self._stands_at
        return min(self.delivered, self._by_the_clock)

    @property
    def has_ended(self) -> bool:
        """Whether everything was given and has been heard."""
        has_run_out = time.monotonic() >= self._over_at + _BUFFERED
        return has_run_out and self._by_the_clock >= self.delivered

    @property
    def is_swallowed(self) -> bool:
        """Whether the sound was taken faster than anybody can hear it."""
        return self._over_at < math.inf and self.delivered - self._by_the_clock > _AHEAD

    @property
    def is_stalled(self) -> bool:
        """Whether the device has long not asked for anything."""
        return self._over_at == math.inf and time.monotonic() - self._asked > _STALLED

    def stand_at(self, position: float) -> None:
        """Stay at a position until playing goes on from there."""
        self._stands_at = position

    def frames(self) -> Generator[Any, int, None]:
        """A started generator that takes how many frames are wanted and gives them."""
        frames = self._give()
        next(frames)
        return frames

    def _give(self) -> Generator[Any, int, None]:
        wanted = yield b""
        while True:
            self._asked = time.monotonic()
            try:
                block = self._decoded.send(wanted)
            except StopIteration:
                break
            except Exception:  # noqa: BLE001 - it would be lost in the library's callback
                self.broke = True
                break
            self._frames += len(block) // self._channels
            wanted = yield block
        self._over_at = math.inf if self.broke else time.monotonic()
        while True:
            yield b""  # an empty answer is silence
