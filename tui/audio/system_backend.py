"""Playing through programs of the system, which can be stopped and no more.

A program's exit status says little: with no sound device ``ffplay`` exits with 0 after a third of a
second. What counts is what it wrote, and that a clip of five seconds takes five seconds.
"""

import contextlib
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from mnemoscope.core.audio import Capabilities, Clip, Phase
from mnemoscope.core.text import one_line
from mnemoscope.tui.audio.backends import EARLY, Report, SoundError

__all__ = ["PROGRAMS", "Program", "SystemBackend", "found_programs"]

_SETTLED = 0.6
"""Seconds after which a program that is still there is taken to play: one that finds no device
gives up before."""
_LONGEST_REASON = 200
_KEPT_BYTES = 4096
_SNDFILE = frozenset({"wav", "flac", "ogg", "aiff"})
_FFMPEG = frozenset({"wav", "flac", "ogg", "mp3", "aiff", "opus", "m4a"})


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays a file named last on its command line."""

    name: str
    formats: frozenset[str]
    """What it really decodes: some play other files as noise."""
    options: tuple[str, ...] = ()


# The sox player ``play`` is left out: without a device it dies of a floating point exception.
PROGRAMS = (
    Program("afplay", frozenset({"wav", "mp3", "flac", "aiff", "m4a"})),
    Program("pw-play", _SNDFILE),
    Program("paplay", _SNDFILE, ("--client-name=mnemoscope", "--")),
    Program("aplay", frozenset({"wav"}), ("-q", "--")),
    Program(
        "mpv",
        _FFMPEG,
        (
            *("--no-config", "--no-video", "--no-ytdl", "--load-scripts=no"),
            *("--no-input-terminal", "--term-status-msg=", "--msg-level=all=error", "--"),
        ),
    ),
    Program(
        "ffplay",
        _FFMPEG,
        (
            *("-nodisp", "-autoexit", "-hide_banner", "-loglevel", "error"),
            *("-protocol_whitelist", "file", "-i"),
        ),
    ),
)


def found_programs() -> Sequence[str]:
    """The players that are installed, in the order in which they are tried."""
    return [program.name for program in PROGRAMS if shutil.which(program.name)]


class SystemBackend:
    """Plays with the first program that can."""

    capabilities = Capabilities()

    def __init__(self) -> None:
        self._left: list[Program] = []
        self._running: _Running | None = None
        self._clip: Clip | None = None
        self._name = ""
        self._has_settled = False

    @property
    def label(self) -> str:
        return self._name

    def start(self, clip: Clip, at: float) -> None:
        self.stop()
        there = [program for program in PROGRAMS if shutil.which(program.name)]
        if not there:
            names = ", ".join(program.name for program in PROGRAMS)
            raise SoundError(f"None of these players is installed: {names}.", absent=True)
        self._left = [program for program in there if clip.format in program.formats]
        if not self._left:
            names = ", ".join(program.name for program in there)
            raise SoundError(f"{names} cannot play {clip.format}.", absent=True)
        self._clip = clip
        self._try_next()

    def pause(self) -> None:
        raise SoundError(f"{self._name} cannot pause.")

    def resume(self) -> None:
        raise SoundError(f"{self._name} cannot pause.")

    def seek(self, to: float) -> None:
        raise SoundError(f"{self._name} cannot seek.")

    def stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def poll(self) -> Report:
        running, clip = self._running, self._clip
        if running is None or clip is None:
            return Report(Phase.IDLE, 0.0)
        elapsed = running.elapsed
        if not running.is_over:
            self._has_settled = self._has_settled or elapsed >= _SETTLED
            phase = Phase.PLAYING if self._has_settled else Phase.STARTING
            return Report(phase, min(elapsed, clip.seconds or elapsed))
        problem = running.judge(clip.seconds)
        self._running = None
        running.end()
        if not problem:
            return Report(Phase.ENDED, clip.seconds or elapsed)
        if self._has_settled or not self._left:
            raise SoundError(problem)
        self._try_next()
        return Report(Phase.STARTING, 0.0)

    def _try_next(self) -> None:
        assert self._clip is not None
        program = self._left.pop(0)
        self._name, self._has_settled = program.name, False
        try:
            self._running = _Running(program, self._clip.file)
        except OSError as error:
            if not self._left:
                raise SoundError(f"{program.name} cannot run: {error.strerror}.") from error
            self._try_next()


class _Running:
    """A program while it plays."""

    def __init__(self, program: Program, file: str) -> None:
        self._name = program.name
        self._file = file
        self._process = subprocess.Popen(
            [program.name, *program.options, file],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # mpv complains on stdout
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert self._process.stdout is not None
        # A pipe that nobody reads would stop the program.
        self._said = bytearray()
        self._listener = threading.Thread(target=self._listen, args=(self._process.stdout,))
        self._listener.start()
        self._began = time.monotonic()
        self._ended: float | None = None

    @property
    def elapsed(self) -> float:
        """Seconds for which it has run."""
        return (self._ended or time.monotonic()) - self._began

    @property
    def is_over(self) -> bool:
        """Whether it has ended by itself."""
        if self._ended is None and self._process.poll() is not None:
            self._ended = time.monotonic()
        return self._ended is not None

    def judge(self, seconds: float | None) -> str:
        """Say why what it did was not playing the clip; empty when it was."""
        status, said = self._process.returncode, self._complaints()
        # The clock decides. A program that ran long enough to have found a device is believed
        # whatever it said on the way, one that did not only when it had nothing to say.
        if seconds is not None and self.elapsed < seconds - EARLY:
            is_played = False
        elif self.elapsed >= _SETTLED:
            is_played = seconds is not None or not status
        else:
            is_played = not said and not status
        if is_played:
            return ""
        after = f"{self._name} stopped after {self.elapsed:.1f} s"
        if seconds is not None:
            after += f" of {seconds:.1f} s"
        why = said[-1][:_LONGEST_REASON].rstrip(".") if said else "it does not say why"
        return f"{after}: {why}."

    def _complaints(self) -> Sequence[str]:
        """What it wrote; what it says about the file alone only when there is nothing else."""
        self._listener.join(0.5)
        lines = self._said.decode(errors="replace").splitlines()
        said = [one_line(line).strip() for line in lines if line.strip()]
        return [line for line in said if self._file not in line] or said

    def end(self) -> None:
        """Stop it, if it still runs, and let go of it."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(0.5)
            except subprocess.TimeoutExpired:
                self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        self._listener.join(0.5)

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            while some := stream.read1(_KEPT_BYTES):  # type: ignore[attr-defined]
                self._said += some
                del self._said[:-_KEPT_BYTES]
