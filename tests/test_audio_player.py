import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from mnemoscope.core.audio import Capabilities, Phase, Playback
from mnemoscope.tui.audio import Player, backends, simpleaudio_backend
from mnemoscope.tui.audio.backends import SoundError, chosen_setting
from mnemoscope.tui.audio.check import Finding, check_sound
from mnemoscope.tui.audio.process import AudioProcess
from tests.audio_sinks import (
    CLIPS,
    RATE,
    Watched,
    alsa_file,
    fake_miniaudio,
    is_running,
    pulse_capture,
    put_program,
    wait_until,
    without_devices,
    write_wav,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sinks are those of Linux")

needs_miniaudio = pytest.mark.skipif(
    importlib.util.find_spec("miniaudio") is None, reason="miniaudio is not installed"
)
needs_simpleaudio = pytest.mark.skipif(
    sys.version_info >= (3, 12) or importlib.util.find_spec("simpleaudio") is None,
    reason="simpleaudio is not installed, or kills this Python",
)
APLAY = shutil.which("aplay")
PULSE = [shutil.which(name) or name for name in ("pulseaudio", "pacat", "parec")]
needs_alsa = pytest.mark.skipif(
    not Path("/usr/share/alsa/alsa.conf").exists(), reason="ALSA is not installed"
)


@pytest.fixture(autouse=True)
def home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Path]:
    """A machine without sound; after the test, nothing may stand on the app's terminal."""
    home = tmp_path / "home"
    without_devices(monkeypatch, home)
    yield home
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def null_sink(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMOSCOPE_AUDIO_SINK", "null")


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched()
    yield watched
    watched.player.close()


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.wav"
    write_wav(path, 0.4)
    return path


@pytest.fixture
def long_clip(tmp_path: Path) -> Path:
    path = tmp_path / "long.wav"
    write_wav(path, 30, rate=8_000)
    return path


# Control, on a device that takes sound in real time and makes none


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
@pytest.mark.parametrize("suffix", ["wav", "flac", "ogg", "mp3"])
def test_a_clip_plays_to_its_end_in_real_time(suffix: str, watched: Watched, clip: Path) -> None:
    file = clip if suffix == "wav" else CLIPS / f"rise.{suffix}"
    began = time.monotonic()
    watched.player.play(file)
    ended = watched.wait_for(Phase.ENDED)
    assert watched.phases == [Phase.STARTING, Phase.PLAYING, Phase.ENDED]
    assert ended.seconds == pytest.approx(0.4, abs=0.01)
    assert ended.position == pytest.approx(ended.seconds)
    assert time.monotonic() - began >= 0.4
    assert ended.capabilities == Capabilities(pause=True, seek=True)
    assert ended.backend == "miniaudio, Null"
    assert not ended.reason


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_pause_holds_the_position_and_playing_goes_on_from_there(
    watched: Watched, long_clip: Path
) -> None:
    watched.player.play(long_clip)
    watched.wait_past(0.2)
    watched.player.toggle()
    assert watched.player.state.phase is Phase.PAUSED
    time.sleep(0.3)
    paused = watched.player.state
    time.sleep(0.3)
    assert watched.player.state == paused
    watched.player.toggle()
    later = watched.wait_for(Phase.PLAYING)
    assert paused.position <= later.position < paused.position + 5


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_steps_add_up_and_stay_inside_the_clip(watched: Watched, long_clip: Path) -> None:
    player = watched.player
    player.play(long_clip)
    watched.wait_past(0.1)
    player.toggle()
    time.sleep(0.3)
    at = player.state.position
    assert player.seek(5)
    assert player.seek(5)
    time.sleep(0.3)
    assert player.state.phase is Phase.PAUSED
    assert player.state.position == pytest.approx(at + 10)
    assert player.seek(-500)
    assert player.state.position == 0
    assert player.seek(500)
    assert player.state.position == 30
    player.toggle()
    watched.wait_for(Phase.ENDED)


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_keys_pressed_in_quick_succession_all_count(watched: Watched, long_clip: Path) -> None:
    player = watched.player
    player.play(long_clip)
    watched.wait_past(0.1)
    for _ in range(3):
        player.toggle()
    assert watched.phases[-3:] == [Phase.PAUSED, Phase.PLAYING, Phase.PAUSED]
    for _ in range(4):
        player.seek(5)
    player.toggle()
    time.sleep(0.3)
    assert player.state.phase is Phase.PLAYING
    assert player.state.position > 20


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_step_back_from_the_end_plays_the_end_again(watched: Watched, clip: Path) -> None:
    watched.player.play(clip)
    watched.wait_for(Phase.ENDED)
    assert not watched.player.seek(5)
    assert watched.player.seek(-0.2)
    watched.wait_for(Phase.ENDED)
    assert watched.starts == pytest.approx([0.0, 0.2])
    watched.player.toggle()
    watched.wait_for(Phase.PLAYING)
    assert watched.starts == pytest.approx([0.0, 0.2, 0.0])


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_restart_begins_at_the_start(watched: Watched, long_clip: Path) -> None:
    watched.player.play(long_clip, at=20.0)
    watched.wait_past(20.0)
    watched.player.restart()
    watched.wait_for(Phase.PLAYING)
    assert watched.starts == [20.0, 0.0]


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_stopping_forgets_the_clip_and_nothing_is_heard_of_it_again(
    watched: Watched, long_clip: Path
) -> None:
    watched.player.play(long_clip)
    watched.wait_past(0.1)
    watched.player.stop()
    assert watched.player.state == Playback()
    count = len(watched.states)
    time.sleep(0.4)
    assert len(watched.states) == count
    watched.player.toggle()
    watched.player.restart()
    assert watched.player.state == Playback()


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_another_clip_takes_the_place_of_the_first_in_the_same_process(
    watched: Watched, long_clip: Path, clip: Path
) -> None:
    watched.player.play(long_clip)
    watched.wait_past(0.1)
    child = watched.player.child_pid
    watched.player.play(clip)
    assert watched.wait_for(Phase.ENDED).file == str(clip)
    assert watched.player.child_pid == child


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_clip_that_is_cut_short_plays_as_far_as_it_goes_and_says_so(
    watched: Watched, clip: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.wav"
    cut.write_bytes(clip.read_bytes()[:9_644])
    watched.player.play(cut)
    ended = watched.wait_for(Phase.ENDED)
    assert ended.note == "The file is cut short: 0.30 of 0.40 s are there."


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_over_ssh_a_note_says_where_the_sound_comes_out(
    watched: Watched, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    monkeypatch.delenv("PULSE_SERVER")
    watched.player.play(clip)
    assert "other machine" in watched.wait_for(Phase.PLAYING).note


# What goes wrong


def test_without_a_sound_device_it_says_so_and_never_that_it_plays(
    watched: Watched, clip: Path
) -> None:
    watched.player.play(clip)
    failed = watched.wait(lambda state: state.phase is Phase.FAILED)
    assert watched.phases == [Phase.STARTING, Phase.FAILED]
    assert failed.seconds == 0.4
    if importlib.util.find_spec("miniaudio"):
        assert failed.reason.startswith("No sound device was found")
    assert [line.partition(":")[0] for line in failed.details] == list(backends.BACKENDS)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "The file does not exist."),
        (b"", "The file is empty."),
        (
            b"no sound at all, " * 9,
            "The file is no sound of a known kind (wav, flac, ogg, mp3, aiff).",
        ),
        (b"RIFF\0\0\0\0WAVEfmt ", "The file is cut short or damaged: it holds no samples."),
        (b"fLaC" + bytes(400), "The file is damaged or cut short and cannot be decoded."),
    ],
)
@needs_miniaudio
def test_a_file_that_cannot_be_played_gives_a_sentence_and_the_player_lives_on(
    content: bytes | None, reason: str, watched: Watched, tmp_path: Path
) -> None:
    file = tmp_path / "odd.wav"
    if content is not None:
        file.write_bytes(content)
    for _ in range(2):
        watched.player.play(file)
        assert watched.wait(lambda state: state.phase is Phase.FAILED).reason == reason
    pid = watched.player.child_pid
    assert pid is not None
    assert is_running(pid)


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_killed_child_is_reported_and_replaced(watched: Watched, long_clip: Path) -> None:
    watched.player.play(long_clip)
    watched.wait_past(0.1)
    pid = watched.player.child_pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    failed = watched.wait(lambda state: state.phase is Phase.FAILED)
    assert failed.reason == "The process that plays sound ended with SIGKILL."
    wait_until(lambda: not is_running(pid))
    watched.player.toggle()
    watched.wait_for(Phase.PLAYING)
    assert watched.player.child_pid != pid


def test_a_child_that_cannot_start_is_reported(clip: Path) -> None:
    start = partial(AudioProcess, command=["/nonexistent/python"])
    watched = Watched(start_process=start)
    watched.player.play(clip)
    failed = watched.wait(lambda state: state.phase is Phase.FAILED)
    assert failed.reason.startswith("The process that plays sound cannot be started")
    watched.player.close()


def test_a_library_that_crashes_takes_only_the_child_with_it(
    watched: Watched, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in fake_miniaudio(tmp_path / "fake", "os.abort()").items():
        monkeypatch.setenv(name, value)
    watched.player.play(clip)
    failed = watched.wait(lambda state: state.phase is Phase.FAILED)
    assert failed.reason == "The process that plays sound ended with SIGABRT."


def test_a_library_that_hangs_is_given_up(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in fake_miniaudio(tmp_path / "fake", "time.sleep(600)").items():
        monkeypatch.setenv(name, value)
    watched = Watched(start_process=partial(AudioProcess, patience=1.0))
    watched.player.play(clip)
    failed = watched.wait(lambda state: state.phase is Phase.FAILED)
    assert failed.reason == "The sound device did not answer for 1 s."
    watched.player.close()


def test_what_a_library_prints_goes_into_the_log_and_not_on_the_screen(
    watched: Watched, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = (
        'print(\'{"event": "ended", "clip": 1}\', flush=True); '
        'os.write(2, b"ALSA lib \\x1b[2J\\n" * 50_000); raise MiniaudioError'
    )
    for name, value in fake_miniaudio(tmp_path / "fake", device).items():
        monkeypatch.setenv(name, value)
    watched.player.play(clip)
    watched.wait(lambda state: state.phase is Phase.FAILED)
    wait_until(lambda: "ALSA lib" in watched.player.log)
    assert Phase.ENDED not in watched.phases
    assert len(watched.player.log) <= 40


def test_closing_leaves_no_process(watched: Watched, clip: Path) -> None:
    watched.player.play(clip)
    watched.wait(lambda state: state.phase is Phase.FAILED)
    pid = watched.player.child_pid
    assert pid is not None
    watched.player.close()
    assert not Path(f"/proc/{pid}").exists()
    assert watched.player.state == Playback()


def test_the_child_and_its_player_end_when_the_app_is_killed(
    home: Path, tmp_path: Path, long_clip: Path
) -> None:
    note = tmp_path / "pid"
    put_program(home, "aplay", f"echo $$ > {note}; exec /bin/sleep 600")
    script = f"""
        import time
        from mnemoscope.tui.audio import Player
        player = Player(setting="system")
        player.play({str(long_clip)!r})
        while player.state.phase != "playing":
            time.sleep(0.05)
        print(player.child_pid, flush=True)
        time.sleep(600)
    """
    app = subprocess.Popen(
        [sys.executable, "-P", "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    assert app.stdout is not None
    child, sounding = int(app.stdout.readline()), int(note.read_text())
    assert is_running(child)
    assert is_running(sounding)
    app.kill()
    app.wait()
    app.stdout.close()
    wait_until(lambda: not is_running(child))
    wait_until(lambda: not is_running(sounding))


# Settings


@pytest.mark.parametrize(
    ("environ", "setting", "chosen"),
    [
        ({}, "", "auto"),
        ({}, "system", "system"),
        ({"MNEMOSCOPE_AUDIO": "Simpleaudio "}, "system", "simpleaudio"),
        ({"MNEMOSCOPE_AUDIO": ""}, "off", "off"),
    ],
)
def test_the_environment_comes_before_the_setting(
    environ: dict[str, str], setting: str, chosen: str
) -> None:
    assert chosen_setting(setting, environ) == chosen


def test_an_unknown_backend_is_named_and_no_process_is_started(
    watched: Watched, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMOSCOPE_AUDIO", "gramophone")
    watched.player.play(clip)
    state = watched.player.state
    assert state.phase is Phase.FAILED
    assert state.reason == (
        "MNEMOSCOPE_AUDIO is 'gramophone'; it can be auto, miniaudio, simpleaudio, system or off."
    )
    assert watched.player.child_pid is None


def test_sound_that_is_switched_off_says_so(clip: Path) -> None:
    player = Player(setting="off")
    player.play(clip)
    assert player.state.reason == "Sound is switched off (audio setting: off)."
    assert player.child_pid is None


def test_a_check_says_of_each_backend_whether_it_works_and_why_not(home: Path) -> None:
    put_program(home, "aplay", "exit 0")
    found = {finding.backend: finding for finding in check_sound()}
    assert list(found) == list(backends.BACKENDS)
    assert not found["miniaudio"].works
    assert found["system"].works
    assert "aplay" in found["system"].text


@needs_miniaudio
@pytest.mark.usefixtures("null_sink")
def test_a_check_finds_the_device_that_would_be_played_on() -> None:
    (finding,) = check_sound("miniaudio")
    assert finding == Finding("miniaudio", True, "miniaudio, Null")
    (finding,) = check_sound("gramophone")
    assert not finding.works
    assert finding.text.startswith("The audio setting is 'gramophone'")


def test_simpleaudio_is_never_loaded_on_a_python_that_it_kills(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simpleaudio_backend, "_FIRST_FATAL", (3, 0))
    with pytest.raises(SoundError, match=r"crashes on Python 3\.12"):
        simpleaudio_backend.SimpleaudioBackend()
    assert "simpleaudio" not in sys.modules


# Players of the system


@pytest.fixture
def system_player() -> Iterator[Watched]:
    watched = Watched(setting="system")
    yield watched
    watched.player.close()


def test_a_player_of_the_system_plays_and_can_only_be_stopped(
    home: Path, system_player: Watched, long_clip: Path, tmp_path: Path
) -> None:
    note = tmp_path / "asked"
    put_program(home, "aplay", f'echo $$ "$@" > {note}; exec /bin/sleep 600')
    system_player.player.play(long_clip)
    playing = system_player.wait_for(Phase.PLAYING)
    assert playing.backend == "aplay"
    assert playing.capabilities == Capabilities()
    pid, *asked = note.read_text().split()
    assert asked == ["-q", "--", str(long_clip)]
    assert not system_player.player.seek(5)
    system_player.player.toggle()
    state = system_player.player.state
    assert (state.phase, state.file) == (Phase.IDLE, str(long_clip))
    wait_until(lambda: not is_running(int(pid)))


def test_a_player_that_takes_as_long_as_the_clip_has_played_it(
    home: Path, system_player: Watched, clip: Path
) -> None:
    put_program(home, "aplay", "echo underrun >&2; exec /bin/sleep 0.7")
    system_player.player.play(clip)
    system_player.wait_for(Phase.ENDED)
    assert system_player.phases == [Phase.STARTING, Phase.PLAYING, Phase.ENDED]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 0", "it does not say why"),
        ("exit 1", "it does not say why"),
        ('echo audio open failed. >&2; echo cannot play "$9" >&2; exit 0', "audio open failed"),
        ("echo no sound", "no sound"),
        ("kill -FPE $$", "it does not say why"),
        (
            "/bin/head -c 900000 /dev/zero | /usr/bin/tr '\\0' 'x' >&2; echo >&2; echo end >&2",
            "end",
        ),
    ],
)
def test_a_player_that_is_done_too_early_is_not_believed_whatever_its_status(
    script: str, why: str, home: Path, system_player: Watched, long_clip: Path
) -> None:
    put_program(home, "ffplay", script)
    system_player.player.play(long_clip)
    failed = system_player.wait(lambda state: state.phase is Phase.FAILED)
    assert Phase.PLAYING not in system_player.phases
    assert failed.reason.startswith("ffplay stopped after 0.")
    assert failed.reason.endswith(f" s of 30.0 s: {why}.")


def test_when_one_player_fails_the_next_is_tried(
    home: Path, system_player: Watched, long_clip: Path
) -> None:
    put_program(home, "paplay", "echo Connection refused >&2; exit 1")
    put_program(home, "aplay", "exec /bin/sleep 600")
    system_player.player.play(long_clip)
    assert system_player.wait_for(Phase.PLAYING).backend == "aplay"


def test_a_player_gets_no_format_that_it_would_play_as_noise(
    home: Path, system_player: Watched
) -> None:
    put_program(home, "aplay", "exec /bin/sleep 600")
    system_player.player.play(CLIPS / "rise.mp3")
    failed = system_player.wait(lambda state: state.phase is Phase.FAILED)
    assert failed.reason == "aplay cannot play mp3."


# Frames that reach a sound system


def as_device(samples: bytes) -> bytes:
    """Mono samples as a device with two channels gets them."""
    pairs = (samples[index : index + 2] * 2 for index in range(0, len(samples), 2))
    return b"".join(pairs)


@needs_alsa
@pytest.mark.parametrize(
    ("setting", "label"),
    [
        pytest.param("miniaudio", "miniaudio, ALSA", marks=needs_miniaudio),
        pytest.param("simpleaudio", "simpleaudio", marks=needs_simpleaudio),
        pytest.param(
            "system",
            "aplay",
            marks=pytest.mark.skipif(not APLAY, reason="aplay is not installed"),
        ),
    ],
)
def test_every_frame_reaches_an_alsa_device(
    setting: str, label: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if setting == "system":
        (home / "bin" / "aplay").symlink_to(str(APLAY))
    samples = write_wav(tmp_path / "tone.wav", 0.5, rate=RATE, channels=2)
    watched = Watched(setting=setting)
    with alsa_file(monkeypatch, home) as sink:
        watched.player.play(tmp_path / "tone.wav")
        ended = watched.wait_for(Phase.ENDED)
        wait_until(lambda: len(sink.taken) >= len(samples))
        watched.player.close()
    assert watched.phases == [Phase.STARTING, Phase.PLAYING, Phase.ENDED]
    assert ended.backend == label
    assert sink.taken.startswith(samples)
    # Programs fill up their last buffer with silence.
    assert not sink.taken[len(samples) :].strip(b"\0")


@needs_alsa
@needs_simpleaudio
def test_simpleaudio_gets_wide_samples_as_it_can_play_them(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes four bytes for a float, and would play 32-bit integers as noise."""
    samples = write_wav(tmp_path / "narrow.wav", 0.4, rate=RATE, channels=2)
    header = bytearray((tmp_path / "narrow.wav").read_bytes()[:44])
    wide = b"".join(b"\0\0" + samples[index : index + 2] for index in range(0, len(samples), 2))
    header[28:36] = (RATE * 8).to_bytes(4, "little") + b"\x08\0\x20\0"
    header[40:44] = len(wide).to_bytes(4, "little")
    (tmp_path / "wide.wav").write_bytes(header + wide)
    watched = Watched(setting="simpleaudio")
    with alsa_file(monkeypatch, home) as sink:
        watched.player.play(tmp_path / "wide.wav")
        watched.wait_for(Phase.ENDED)
        wait_until(lambda: len(sink.taken) >= len(samples))
        watched.player.close()
    heard = memoryview(sink.taken[: len(samples)]).cast("h")
    assert all(abs(a - b) <= 1 for a, b in zip(heard, memoryview(samples).cast("h"), strict=True))


@needs_alsa
@needs_miniaudio
def test_a_pause_and_a_step_send_the_frames_they_should(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = write_wav(tmp_path / "tone.wav", 8, rate=RATE, channels=2, start=0.3)
    watched = Watched(setting="miniaudio")
    player = watched.player
    with alsa_file(monkeypatch, home) as sink:
        player.play(tmp_path / "tone.wav")
        watched.wait_past(0.2)
        player.toggle()
        time.sleep(0.5)
        at = player.state.position
        wait_until(lambda: len(sink.taken) >= at * RATE * 4)
        time.sleep(0.4)
        first = len(sink.taken)
        time.sleep(0.3)
        assert len(sink.taken) == first
        assert player.seek(5)
        player.toggle()
        watched.wait_past(at + 5.3)
        player.close()
    assert samples.startswith(sink.taken[:first].rstrip(b"\0"))
    begin = int((at + 5) * RATE) * 4
    again = sink.taken[first:].lstrip(b"\0")[: RATE // 5 * 4]
    assert abs(samples.find(again) - begin) <= 4


# On a busy machine a sound server inserts silence where sound comes too late.
@pytest.mark.skipif(
    not os.environ.get("MNEMOSCOPE_TEST_PULSE"), reason="for an idle machine: docs/audio.md"
)
@needs_miniaudio
def test_every_frame_reaches_pulseaudio(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = write_wav(tmp_path / "tone.wav", 0.5, rate=RATE, channels=2)
    watched = Watched(setting="miniaudio")
    with pulse_capture(monkeypatch, home, PULSE) as heard:
        watched.player.play(tmp_path / "tone.wav")
        ended = watched.wait_for(Phase.ENDED)
        # What records a sink misses the first moments of a stream.
        wait_until(lambda: samples[RATE // 20 * 4 :] in heard())
        watched.player.close()
    assert ended.backend == "miniaudio, PulseAudio"
