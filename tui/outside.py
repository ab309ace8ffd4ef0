"""Opening a picture or a sound with the program that the desktop has for it."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile

from mnemoscope.core.text import one_line

__all__ = ["open_outside"]

# An opener starts what it is given, a script or a desktop entry included.
_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
_SOUNDS = frozenset({".wav", ".mp3", ".flac", ".ogg", ".oga", ".opus", ".m4a", ".aac"})
_OPENERS = {"darwin": "open"}
_LONGEST_REASON = 200


def open_outside(
    path: Path,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
    patience: float = 2.0,
) -> str:
    """Hand a picture or sound to the desktop; slow enough for a worker.

    Args:
        path: The file.
        environ: The environment; the process's own when None.
        platform: As ``sys.platform`` has it.
        which: Finds a program.
        patience: Seconds to wait for the opener to say that it failed.

    Returns:
        What was really done, in a sentence or two; the path where nothing was opened.
    """
    environ = os.environ if environ is None else environ
    try:
        file = path.resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return f"There is no such file: {one_line(str(path))}"
    shown = one_line(str(file))
    if not file.is_file() or not {path.suffix.lower(), file.suffix.lower()} <= _PICTURES | _SOUNDS:
        return f"Only pictures and sounds are opened. The path: {shown}"
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return f"Nothing was opened: this is an SSH session. The file on this machine: {shown}"
    if platform == "win32":
        return _start(file)
    name = _OPENERS.get(platform, "xdg-open")
    if name == "xdg-open" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return f"Nothing was opened: there is no display. The file: {shown}"
    opener = which(name)
    if opener is None:
        return f"Nothing was opened: {name} is not installed. The file: {shown}"
    return _run(opener, name, file, patience)


def _run(opener: str, name: str, file: Path, patience: float) -> str:
    shown = one_line(file.name)
    # A file takes the output: a viewer that stays open would die of a pipe that nobody reads.
    with TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [opener, str(file)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        except OSError as error:
            return f"{name} could not be started ({error.strerror}). The file: {file}"
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            # Somebody has to wait for it to end, or it stays behind as a zombie.
            threading.Thread(target=process.wait, daemon=True).start()
            return f"{name} was started with {shown}; it is still running."
        if not code:
            return f"{name} has taken {shown} over."
        output.seek(0)
        said = one_line(output.read(4096).decode("utf-8", "replace"))[:_LONGEST_REASON]
    return f"{name} failed with {code}{': ' if said else ''}{said}. The file: {one_line(str(file))}"


def _start(file: Path) -> str:
    if sys.platform == "win32":
        try:
            os.startfile(file)
        except OSError as error:
            return f"Windows could not open it ({error.strerror}). The file: {file}"
    return f"Windows was asked to open {one_line(file.name)}."
