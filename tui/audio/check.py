"""What could play sound here, found out in a child process, which this is the program of too.

For help pages and the ``doctor`` verb. Only miniaudio tells of a device without playing on it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from mnemoscope.tui.audio.backends import SoundError, chosen_setting, is_sink_null, order_of
from mnemoscope.tui.audio.system_backend import PROGRAMS, found_programs

__all__ = ["Finding", "check_sound"]

_PATIENCE = 15.0


class Finding(NamedTuple):
    """What is known about one backend."""

    backend: str
    works: bool
    """Whether it is there and, with miniaudio, has found a device."""
    text: str
    """What it would play with, or why it does not work."""


def check_sound(setting: str = "") -> Sequence[Finding]:
    """Look at each backend that the setting allows, in the order in which they are tried."""
    try:
        order = order_of(chosen_setting(setting))
    except SoundError as error:
        return [Finding("audio", False, error.reason)]
    if not order:
        return [Finding("audio", False, "Sound is switched off.")]
    command = [sys.executable, "-P", "-m", "mnemoscope.tui.audio.check", *order]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        return [Finding(*found) for found in json.loads(done.stdout)]
    except subprocess.TimeoutExpired:
        reason = f"The sound device did not answer for {_PATIENCE:.0f} s."
    except (OSError, ValueError, TypeError):
        reason = "The process that plays sound broke down."
    return [Finding(name, False, reason) for name in order]


def _look_at(name: str) -> Finding:
    from mnemoscope.tui.audio.miniaudio_backend import MiniaudioBackend
    from mnemoscope.tui.audio.simpleaudio_backend import SimpleaudioBackend

    try:
        if name == "miniaudio":
            backend = MiniaudioBackend(null_sink=is_sink_null())
            backend.find_device()
            return Finding(name, True, backend.label)
        if name == "simpleaudio":
            SimpleaudioBackend()
            return Finding(name, True, "wav only, no pause or seek")
    except SoundError as error:
        return Finding(name, False, error.reason)
    programs = ", ".join(found_programs())
    missing = f"None of {', '.join(program.name for program in PROGRAMS)} is installed."
    return Finding(name, bool(programs), f"{programs}; no pause or seek" if programs else missing)


def main() -> None:
    """Write findings about the named backends on stdout."""
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    out.write(json.dumps([_look_at(name) for name in sys.argv[1:]]))
    out.close()


if __name__ == "__main__":
    main()
