"""Running a command in a pseudo terminal and timing what it paints."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence


def time_until(command: Sequence[str], marks: Sequence[str], *, limit: float = 60.0) -> list[float]:
    """Seconds from start until each mark first appears in what a command writes to its terminal.

    Args:
        command: Program and arguments.
        marks: Texts to wait for, in order.
        limit: Seconds after which the command is given up.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", TEXTUAL_ANIMATIONS="none")
        os.execv(command[0], list(command))
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    start = time.perf_counter()
    seen = b""
    times: list[float] = []
    try:
        while len(times) < len(marks):
            if time.perf_counter() - start > limit:
                raise TimeoutError(f"{marks[len(times)]!r} did not appear: {seen[-2000:]!r}")
            if select.select([terminal], [], [], 0.5)[0]:
                seen += os.read(terminal, 65536)
            while len(times) < len(marks) and marks[len(times)].encode() in seen:
                times.append(time.perf_counter() - start)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)
    return times


def python(*arguments: str) -> list[str]:
    """A command for this interpreter."""
    return [sys.executable, "-P", *arguments]
