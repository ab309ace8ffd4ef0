"""Sound for tests: clips to play, places for the sound to go, and players that lie."""

import array
import fcntl
import math
import os
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from mnemoscope.core.audio import Phase, Playback
from mnemoscope.tui.audio import Player

CLIPS = Path(__file__).with_name("audio_clips")
RATE = 44_100
_SET_PIPE_SIZE = 1031
_PIPE = 4096

_ALSA = """\
pcm.!default { type plug slave { pcm "tofile" rate 44100 channels 2 format S16_LE } }
pcm.tofile { type file slave.pcm "null" file "%s" format "raw" }
"""


def write_wav(
    path: Path, seconds: float, *, rate: int = 16_000, channels: int = 1, start: float = 0.05
) -> bytes:
    """Write a tone that grows louder, 16 bits a sample; its samples are returned."""
    frames = round(seconds * rate)
    samples = array.array("h")
    for frame in range(frames):
        loudness = start + (0.6 - start) * frame / frames
        value = round(32767 * loudness * math.sin(frame * 880 * math.pi / rate))
        samples.extend([value] * channels)
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return samples.tobytes()


def without_devices(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Hide every sound device and player of the machine."""
    home.mkdir(exist_ok=True)
    (home / "empty.conf").write_text("")
    (home / "bin").mkdir(exist_ok=True)
    for name, value in {
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "XDG_CONFIG_HOME": str(home),
        "ALSA_CONFIG_PATH": str(home / "empty.conf"),
        "PULSE_SERVER": "unix:/nonexistent",
        "JACK_NO_START_SERVER": "1",
        "PATH": str(home / "bin"),
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("MNEMOSCOPE_AUDIO", "MNEMOSCOPE_AUDIO_SINK", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)


def put_program(home: Path, name: str, script: str) -> None:
    """Put a program on the path of a machine ``without_devices``."""
    program = home / "bin" / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


class AlsaFile:
    """What ALSA plays, kept, at the pace of a real device.

    ALSA writes into a pipe that is read no faster than the sound would be heard. A plain file
    takes five seconds of sound in no time, and programs then behave as with no device.
    """

    def __init__(self, pipe: Path) -> None:
        os.mkfifo(pipe)
        self._handle = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self._handle, _SET_PIPE_SIZE, _PIPE)
        self._taken = bytearray()
        self._goes_on = True
        self._thread = threading.Thread(target=self._take)
        self._thread.start()

    @property
    def taken(self) -> bytes:
        """All the sound so far: 16 bits, stereo, 44.1 kHz."""
        return bytes(self._taken)

    def close(self) -> None:
        self._goes_on = False
        self._thread.join()
        os.close(self._handle)

    def _take(self) -> None:
        due = time.monotonic()
        while self._goes_on:
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                some = os.read(self._handle, 1024)
            except BlockingIOError:
                time.sleep(0.002)
                due = time.monotonic()
                continue
            self._taken += some
            due += len(some) / (RATE * 4)


@contextmanager
def alsa_file(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[AlsaFile]:
    """Make an ``AlsaFile`` the only sound device of a machine ``without_devices``."""
    pipe = home / "sound.raw"
    (home / ".asoundrc").write_text(_ALSA % pipe)
    monkeypatch.delenv("ALSA_CONFIG_PATH")
    sink = AlsaFile(pipe)
    try:
        yield sink
    finally:
        sink.close()


@contextmanager
def pulse_capture(
    monkeypatch: pytest.MonkeyPatch, home: Path, programs: Sequence[str]
) -> Iterator[Callable[[], bytes]]:
    """Make a PulseAudio server of our own the only sound device; what it plays can be asked for."""
    server, player, recorder = programs
    monkeypatch.setenv("PULSE_SERVER", f"unix:{home}/pa.sock")
    protocol = f"module-native-protocol-unix auth-anonymous=1 socket={home}/pa.sock"
    sink = f"module-null-sink sink_name=test rate={RATE} channels=2 format=s16le"
    commands = [
        [*(server, "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no")],
        # The sink wakes up slowly; a silent stream keeps it awake.
        [player, "--raw", "--latency-msec=50", "/dev/zero"],
        [recorder, "-d", "test.monitor", f"--rate={RATE}", "--channels=2", "--format=s16le"],
    ]
    commands[0] += ["-L", protocol, "-L", sink]
    heard = home / "heard.raw"
    running: list[subprocess.Popen[bytes]] = []
    with heard.open("wb") as out:
        try:
            for command in commands:
                running.append(subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL))
                wait_until((home / "pa.sock").exists)
            wait_until(lambda: heard.stat().st_size > 0)
            yield heard.read_bytes
        finally:
            for process in reversed(running):
                process.terminate()
                process.wait()


class Watched:
    """A player whose states are all remembered."""

    def __init__(self, **options: object) -> None:
        self.states: list[Playback] = []
        self._changed = threading.Condition()
        self.player = Player(self._remember, **options)  # type: ignore[arg-type]

    @property
    def phases(self) -> list[Phase]:
        """The phases it went through, each once in a row."""
        phases = [state.phase for state in self.states]
        return [one for index, one in enumerate(phases) if index == 0 or phases[index - 1] != one]

    @property
    def starts(self) -> list[float]:
        """Where each playing began that came after a starting."""
        pairs = pairwise(self.states)
        return [
            after.position
            for before, after in pairs
            if before.phase is Phase.STARTING and after.phase is Phase.PLAYING
        ]

    def _remember(self, state: Playback) -> None:
        with self._changed:
            self.states.append(state)
            self._changed.notify_all()

    def wait(self, wanted: Callable[[Playback], bool], *, limit: float = 20.0) -> Playback:
        """Wait until its present state is as wanted."""
        with self._changed:
            came = self._changed.wait_for(lambda: wanted(self.player.state), limit)
        assert came, self.states[-3:]
        return self.player.state

    def wait_for(self, phase: Phase) -> Playback:
        """Wait until it is in a phase; failing when it was not to is said at once."""
        state = self.wait(lambda state: state.phase in (phase, Phase.FAILED))
        assert state.phase is phase, state
        return state

    def wait_past(self, position: float) -> Playback:
        """Wait until it plays beyond a position."""
        return self.wait(lambda state: state.phase is Phase.PLAYING and state.position > position)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be fetched does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until(condition: Callable[[], bool], *, limit: float = 10.0) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, condition
        time.sleep(0.02)


def fake_miniaudio(folder: Path, device: str) -> Mapping[str, str]:
    """A library by the name of miniaudio whose device does as it is told; the variables to set."""
    folder.mkdir()
    (folder / "miniaudio.py").write_text(
        "import enum, os, sys, time\n"
        "class MiniaudioError(Exception): pass\n"
        "class SampleFormat(enum.Enum): SIGNED16 = 2\n"
        "class Backend(enum.Enum): ALSA = 8\n"
        "def get_enabled_backends(): return set(Backend)\n"
        "def wav_get_file_info(file): os.abort()\n"
        "flac_get_file_info = wav_get_file_info\n"
        f"class PlaybackDevice:\n    def __init__(self, *rest, **more):\n        {device}\n"
    )
    return {"PYTHONPATH": str(folder)}
