"""Copying text: by a helper of this machine, through the terminal, or into a file.

What was really done is said: a terminal that is asked to copy (OSC 52) never answers.
"""

import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["copy_text", "helper"]

_HELPERS = (
    ("wl-copy", ("wl-copy",), "WAYLAND_DISPLAY"),
    ("xclip", ("xclip", "-selection", "clipboard"), "DISPLAY"),
    ("xsel", ("xsel", "--clipboard", "--input"), "DISPLAY"),
    ("pbcopy", ("pbcopy",), ""),
    ("clip.exe", ("clip.exe",), ""),
)
_MOST_OSC52 = 74_000
"""Bytes before encoding; several terminals drop longer requests without a word."""


def helper(environ: Mapping[str, str] = os.environ) -> tuple[str, ...] | None:
    """The command that copies on this machine; None over SSH, where it would copy elsewhere."""
    if "SSH_CONNECTION" in environ or "SSH_TTY" in environ:
        return None
    for name, command, needs in _HELPERS:
        if shutil.which(name) and (not needs or environ.get(needs)):
            return command
    return None


def copy_text(
    text: str, write: Callable[[str], None], environ: Mapping[str, str] = os.environ
) -> str:
    """Copy text.

    Args:
        text: What to copy.
        write: Writes to the terminal.
        environ: The environment that says what there is.

    Returns:
        What was done, in a sentence.
    """
    command = helper(environ)
    if command is not None and _by_helper(command, text):
        return f"Copied with {command[0]}."
    data = text.encode("utf-8", "replace")
    if len(data) <= _MOST_OSC52:
        write(_osc52(data, inside_tmux="TMUX" in environ))
        return "Asked the terminal to copy (OSC 52); it does not say whether it did."
    handle, name = tempfile.mkstemp(prefix="mnemoscope-", suffix=".txt")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return f"Too long for the terminal; written to {Path(name)}."


def _by_helper(command: tuple[str, ...], text: str) -> bool:
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _osc52(data: bytes, *, inside_tmux: bool) -> str:
    request = f"\x1b]52;c;{base64.b64encode(data).decode()}\a"
    if not inside_tmux:
        return request
    doubled = request.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"
