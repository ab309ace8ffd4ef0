"""A real pseudo terminal with an emulator behind it."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pyte

COMMAND = (sys.executable, "-P", "-c", "from mnemoscope.tui.cli import main; main()")


class Terminal:
    """A command running in a terminal, and what stands on its screen."""

    def __init__(self, pid: int, handle: int, columns: int, lines: int) -> None:
        self.pid = pid
        self.handle = handle
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.exit_code: int | None = None

    @property
    def text(self) -> str:
        """The screen, line by line."""
        # Not pyte's own display, which fails on half of a wide character that was drawn over.
        cells = (self.screen.buffer[y] for y in range(self.screen.lines))
        lines = ("".join(row[x].data for x in range(self.screen.columns)) for row in cells)
        return "\n".join(line.rstrip() for line in lines)

    def pump(self, seconds: float) -> None:
        """Take in what the command writes for a while, or until it ends."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.handle], [], [], min(left, 0.05))[0]:
                continue
            try:
                data = os.read(self.handle, 65536)
            except OSError:
                data = b""
            if not data:
                self._reap()
                return
            self.written += data
            self._stream.feed(data)

    def wait_for(self, text: str, *, limit: float = 30.0) -> None:
        """Take in output until a text stands on the screen."""
        end = time.monotonic() + limit
        while text not in self.text:
            assert time.monotonic() < end, f"{text!r} did not appear:\n{self.text}"
            assert self.exit_code is None, f"ended with {self.exit_code}:\n{self.text}"
            self.pump(0.1)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.handle, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        """Change the window's size."""
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def wait_for_end(self, *, limit: float = 15.0) -> int:
        """Take in output until the command ends; its exit code."""
        end = time.monotonic() + limit
        while self.exit_code is None:
            assert time.monotonic() < end, f"did not end:\n{self.text}"
            self.pump(0.1)
        return self.exit_code

    def _reap(self) -> None:
        if self.exit_code is None:
            _, status = os.waitpid(self.pid, 0)
            self.exit_code = os.waitstatus_to_exitcode(status)


@contextmanager
def running(
    *arguments: str, size: tuple[int, int] = (120, 36), env: Sequence[tuple[str, str]] = ()
) -> Iterator[Terminal]:
    """Run ``mnemoscope`` with arguments in a terminal of its own."""
    columns, lines = size
    pid, handle = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        # The window says how large it is; these would overrule it.
        kept = {name: one for name, one in os.environ.items() if name not in ("COLUMNS", "LINES")}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", **dict(env)}
        # Not execv: readline, which pytest imports, puts those two where os.environ does not look.
        os.execve(COMMAND[0], [*COMMAND, *arguments], kept)
    terminal = Terminal(pid, handle, columns, lines)
    try:
        yield terminal
    finally:
        if terminal.exit_code is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(handle)
