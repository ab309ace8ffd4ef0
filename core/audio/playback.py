"""What a player says about itself: plain values that a player makes and a viewer draws."""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Capabilities", "Phase", "Playback"]


class Phase(StrEnum):
    """What a player is doing."""

    IDLE = "idle"
    """Nothing: no clip was asked for, or it was stopped."""
    STARTING = "starting"
    """A clip was asked for; no sound has been taken by a device yet."""
    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"
    """The clip was played to its end."""
    FAILED = "failed"
    """There is no sound, or no more; the reason says why."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What whatever plays can do beside playing and stopping."""

    pause: bool = False
    seek: bool = False


@dataclass(frozen=True, slots=True)
class Playback:
    """The state of a player at one moment."""

    phase: Phase = Phase.IDLE
    file: str = ""
    """The clip's file; it stays when the clip has ended or failed."""
    position: float = 0.0
    """Seconds from the clip's start."""
    seconds: float | None = None
    """The clip's length, when known."""
    capabilities: Capabilities = Capabilities()
    """What can be done while this clip plays."""
    backend: str = ""
    """What plays, such as ``miniaudio, ALSA`` or ``aplay``."""
    reason: str = ""
    """Why there is no sound, in a sentence; or why a clip ended early."""
    note: str = ""
    """What else a listener should know, such as that the sound comes out of another machine."""
    details: tuple[str, ...] = ()
    """What each backend that was tried said, for a help page or a report."""

    @property
    def is_active(self) -> bool:
        """Whether a clip is under way: it is starting, playing or paused."""
        return self.phase in (Phase.STARTING, Phase.PLAYING, Phase.PAUSED)

    @property
    def fraction(self) -> float | None:
        """How far it has come, from 0 to 1; None when that is unknown or nothing is played."""
        if not self.seconds or self.phase in (Phase.IDLE, Phase.STARTING, Phase.FAILED):
            return None
        return min(1.0, max(0.0, self.position / self.seconds))
