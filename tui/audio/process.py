"""The app's end of the process that plays sound."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from mnemoscope.core.text import one_line

__all__ = ["AudioProcess"]

_COMMAND = (sys.executable, "-P", "-m", "mnemoscope.tui.audio.child")
_KEPT_LINES = 40
_LONGEST_LINE = 2000
_ENDING_SECONDS = 1.5

OnEvent = Callable[[Mapping[str, Any]], None]
OnDeath = Callable[[str], None]


class AudioProcess:
    """One child process from its start to its end; a new one takes its place after that.

    Nothing blocks the caller but ``close``. Callbacks come from threads of this object.
    """

    def __init__(
        self,
        on_event: OnEvent,
        on_death: OnDeath,
        *,
        command: Sequence[str] = _COMMAND,
        patience: float = 15.0,
    ) -> None:
        """Start a process.

        Args:
            on_event: Takes each event of the child.
            on_death: Takes the reason, once, when the child ends without being asked to.
            command: The program to run.
            patience: Seconds without an event after which a child that owes one is ended.
        """
        self._on_event = on_event
        self._on_death = on_death
        self._command = command
        self._patience = patience
        self._waiting: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._owed: object = None
        self._deadline: float | None = None
        self._is_closing = False
        self._hung = False
        self._process: subprocess.Popen[bytes] | None = None
        self._log: deque[str] = deque(maxlen=_KEPT_LINES)
        self._thread = threading.Thread(target=self._run, name="audio", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether commands still reach the child."""
        return self._thread.is_alive() and not self._is_closing

    @property
    def log(self) -> Sequence[str]:
        """The last lines that libraries wrote on the child's stderr."""
        return tuple(self._log)

    @property
    def pid(self) -> int | None:
        """The child's process id, once it runs."""
        return self._process.pid if self._process else None

    def send(self, command: Mapping[str, Any]) -> None:
        """Send a command; every one but ``stop`` is answered with an event."""
        is_stop = command.get("do") == "stop"
        self._owed = None if is_stop else command.get("clip")
        self._deadline = None if is_stop else time.monotonic() + self._patience
        self._waiting.put(command)

    def close(self) -> None:
        """End the child and wait until it, and whatever it started, is gone."""
        self._is_closing = True
        self._waiting.put(None)
        self._thread.join(2 * _ENDING_SECONDS)

    def _run(self) -> None:
        try:
            process = self._start()
        except (OSError, ValueError) as error:
            self._on_death(f"The process that plays sound cannot be started: {error}.")
            return
        assert process.stdout is not None
        assert process.stderr is not None
        readers = (
            threading.Thread(target=self._read_events, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._read_log, args=(process.stderr,), daemon=True),
        )
        for reader in readers:
            reader.start()
        self._write(process)
        self._end(process)
        for reader in readers:
            reader.join(_ENDING_SECONDS)
        if not self._is_closing:
            self._on_death(self._reason(process.returncode))

    def _start(self) -> "subprocess.Popen[bytes]":
        # A session of its own: no terminal to write on, and one signal reaches all it started.
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        return self._process

    def _write(self, process: "subprocess.Popen[bytes]") -> None:
        """Pass commands on until the child is to end, has ended, or hangs."""
        assert process.stdin is not None
        while process.poll() is None:
            deadline = self._deadline
            if deadline is not None and time.monotonic() > deadline:
                self._hung = True
                return
            try:
                command = self._waiting.get(timeout=0.25)
            except queue.Empty:
                continue
            if command is None:
                return
            try:
                process.stdin.write(json.dumps(command).encode() + b"\n")
                process.stdin.flush()
            except OSError:
                return

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.close()
        if not self._hung:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if process.wait(_ENDING_SECONDS) == 0:
                    return
        # A player that the child started outlives a child that was killed.
        if sys.platform == "win32":
            process.kill()
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def _read_events(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if not isinstance(event, dict):
                    continue
                if event.get("clip") == self._owed:
                    owes_more = event.get("event") in ("started", "position")
                    self._deadline = time.monotonic() + self._patience if owes_more else None
                self._on_event(event)
        self._waiting.put(None)

    def _read_log(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(_LONGEST_LINE):
                self._log.append(one_line(line.decode(errors="replace")).strip())

    def _reason(self, status: int) -> str:
        if self._hung:
            return f"The sound device did not answer for {self._patience:.0f} s."
        said = f": {self._log[-1].rstrip('.')}" if self._log and status > 0 else ""
        how = f"with exit status {status}"
        if status < 0:
            with contextlib.suppress(ValueError):
                how = f"with {signal.Signals(-status).name}"
        return f"The process that plays sound ended {how}{said}."
