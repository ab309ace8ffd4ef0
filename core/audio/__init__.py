"""Sound files: what they are and how loud they are over time, without playing them."""

from mnemoscope.core.audio.clip import Clip, Problem, clock
from mnemoscope.core.audio.files import probe
from mnemoscope.core.audio.levels import peaks
from mnemoscope.core.audio.playback import Capabilities, Phase, Playback

__all__ = ["Capabilities", "Clip", "Phase", "Playback", "Problem", "clock", "peaks", "probe"]
