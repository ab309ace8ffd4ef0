"""What plays a clip, which of them there are, and in which order they are tried."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from mnemoscope.core.audio import Capabilities, Clip, Phase

__all__ = [
    *("BACKENDS", "SETTINGS", "SETTING_VARIABLE", "SINK_VARIABLE"),
    *("Backend", "Report", "SoundError", "chosen_setting", "is_sink_null"),
    *("make_backend", "order_of"),
]

SETTING_VARIABLE = "MNEMOSCOPE_AUDIO"
SINK_VARIABLE = "MNEMOSCOPE_AUDIO_SINK"
"""``null`` makes miniaudio play into nothing, in real time. For tests: nothing is heard."""
BACKENDS = ("miniaudio", "simpleaudio", "system")
"""In the order in which ``auto`` tries them."""
SETTINGS = ("auto", *BACKENDS, "off")

EARLY = 0.25
"""Seconds before its end at which a clip may be over without anything being wrong: programs count
their start as playing, and some leave out the last buffer."""


class SoundError(Exception):
    """There is no sound; the message says why in a sentence."""

    def __init__(self, reason: str, *, absent: bool = False) -> None:
        """Say why.

        Args:
            reason: The sentence.
            absent: Whether the backend is not there or not made for this clip, rather than that
                playing was tried and failed.
        """
        super().__init__(reason)
        self.reason = reason
        self.absent = absent


class Report(NamedTuple):
    """What a backend says about the clip it plays."""

    phase: Phase
    position: float
    reason: str = ""
    """Why a clip that has ended did so before its time."""


class Backend(Protocol):
    """Plays one clip at a time; everything may raise ``SoundError``."""

    capabilities: Capabilities

    @property
    def label(self) -> str:
        """What plays and through what, once something does."""

    def start(self, clip: Clip, at: float) -> None:
        """Play a clip from a position in seconds; those that cannot seek begin at its start."""

    def pause(self) -> None:
        """Stop for now, if it is capable of that."""

    def resume(self) -> None:
        """Go on after a pause."""

    def seek(self, to: float) -> None:
        """Go to a position in seconds, playing or paused, if it is capable of that."""

    def stop(self) -> None:
        """Be silent and let go of the device."""

    def poll(self) -> Report:
        """Tell how far it has come; this is called several times a second."""


def chosen_setting(setting: str = "", environ: Mapping[str, str] = os.environ) -> str:
    """The setting that holds: the environment's, then the given one, then ``auto``.

    Raises:
        SoundError: There is no such setting.
    """
    source, value = SETTING_VARIABLE, environ.get(SETTING_VARIABLE, "").strip().lower()
    if not value:
        source, value = "The audio setting", setting.strip().lower() or "auto"
    if value not in SETTINGS:
        *most, last = SETTINGS
        choices = f"{', '.join(most)} or {last}"
        raise SoundError(f"{source} is {value[:40]!r}; it can be {choices}.")
    return value


def order_of(setting: str) -> Sequence[str]:
    """The backends that a setting allows, in the order in which they are tried."""
    if setting == "auto":
        return BACKENDS
    return () if setting == "off" else (setting,)


def is_sink_null() -> bool:
    """Whether a test asks for sound that nobody hears."""
    return os.environ.get(SINK_VARIABLE) == "null"


def make_backend(name: str) -> Backend:
    """Load a backend; call this in the child process only.

    Raises:
        SoundError: Its library is missing, or must not be loaded here.
    """
    if name == "miniaudio":
        from mnemoscope.tui.audio.miniaudio_backend import MiniaudioBackend

        return MiniaudioBackend(null_sink=is_sink_null())
    if name == "simpleaudio":
        from mnemoscope.tui.audio.simpleaudio_backend import SimpleaudioBackend

        return SimpleaudioBackend()
    from mnemoscope.tui.audio.system_backend import SystemBackend

    return SystemBackend()
