"""Playing sound, always in a child process.

A sound library may write on the terminal that the app draws on, hang, or crash with the process it
is in. So the app holds a ``Player``; the libraries live in the process that ``child`` is the
program of. Nothing here imports Textual.
"""

from mnemoscope.tui.audio.clips import ClipReader, ClipView
from mnemoscope.tui.audio.player import Player

__all__ = ["ClipReader", "ClipView", "Player"]
