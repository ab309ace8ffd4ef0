import importlib.util
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemoscope.core.audio import Clip, Problem, clock, decoder, peaks, probe
from mnemoscope.core.audio.files import MAX_BYTES
from mnemoscope.core.audio.levels import pcm16
from mnemoscope.tui.audio import ClipReader
from tests.audio_sinks import CLIPS, fake_miniaudio, write_wav

SHARED = Path(__file__).parents[2] / "shared" / "data" / "media"
PCM, FLOAT, ALAW, EXTENSIBLE = 1, 3, 6, 0xFFFE

needs_miniaudio = pytest.mark.skipif(
    importlib.util.find_spec("miniaudio") is None, reason="miniaudio is not installed"
)
needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="the shared media are not here")


def wav(
    samples: bytes,
    *,
    tag: int = PCM,
    bits: int = 16,
    channels: int = 1,
    rate: int = 8_000,
    declared: int | None = None,
    before: bytes = b"",
) -> bytes:
    """A WAV file, as odd as is asked for."""
    block = channels * bits // 8
    header = struct.pack("<HHIIHH", tag, channels, rate, rate * block, block, bits)
    if tag == EXTENSIBLE:
        header += struct.pack("<HHIH", 22, bits, 0, PCM) + bytes(14)
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(header)) + header
    body += b"data" + struct.pack("<I", len(samples) if declared is None else declared) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def saved(folder: Path, content: bytes, name: str = "clip.wav") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


# Most tests decode where they are: a process takes its time to start.
def clip_of(path: Path) -> Clip:
    clip = probe(path, decode=decoder.answer)
    assert isinstance(clip, Clip), clip
    return clip


def reason_of(path: Path, max_bytes: int = MAX_BYTES) -> str:
    problem = probe(path, max_bytes=max_bytes, decode=decoder.answer)
    assert isinstance(problem, Problem), problem
    assert peaks(path, max_bytes=max_bytes, decode=decoder.answer) == problem
    assert problem.reason.endswith(".")
    return problem.reason


def peaks_of(path: Path, columns: int) -> list[float]:
    values = peaks(path, columns, decode=decoder.answer)
    assert not isinstance(values, Problem), values
    return list(values)


# What a file is


@pytest.mark.parametrize(
    ("bits", "tag", "codec"),
    [
        (8, PCM, "8-bit PCM"),
        (16, PCM, "16-bit PCM"),
        (24, PCM, "24-bit PCM"),
        (32, PCM, "32-bit PCM"),
        (32, FLOAT, "32-bit float"),
        (64, FLOAT, "64-bit float"),
        (24, EXTENSIBLE, "24-bit PCM"),
        (8, ALAW, "A-law"),
    ],
)
def test_the_header_of_a_wav_file_is_read(bits: int, tag: int, codec: str, tmp_path: Path) -> None:
    samples = bytes(2 * bits // 8 * 4_000)
    clip = clip_of(saved(tmp_path, wav(samples, bits=bits, tag=tag, channels=2)))
    assert (clip.format, clip.codec, clip.note) == ("wav", codec, "")
    assert (clip.seconds, clip.rate, clip.channels) == (0.5, 8_000, 2)
    assert clip.label == f"0:00.5 · wav, {codec} · 8 kHz stereo"


@needs_miniaudio
@pytest.mark.parametrize("suffix", ["flac", "ogg", "mp3"])
def test_compressed_clips_are_measured(suffix: str) -> None:
    clip = clip_of(CLIPS / f"rise.{suffix}")
    assert clip.seconds == pytest.approx(0.4, abs=0.01)
    assert clip.label == f"0:00.4 · {suffix} · 16 kHz mono"
    values = peaks_of(CLIPS / f"rise.{suffix}", 8)
    assert values == sorted(values)
    assert values[-1] == pytest.approx(0.6, abs=0.05)


@needs_miniaudio
def test_the_content_decides_and_not_the_suffix(tmp_path: Path) -> None:
    path = saved(tmp_path, (CLIPS / "rise.mp3").read_bytes(), "noise.wav")
    assert clip_of(path).format == "mp3"


@needs_shared
@pytest.mark.parametrize(
    ("name", "seconds", "note"),
    [
        ("pluck-pcm8.wav", 0.3, ""),
        ("pluck-pcm16.wav", 0.3, ""),
        ("pluck-pcm24.wav", 0.3, ""),
        ("pluck-pcm24-ext.wav", 0.3, ""),
        ("pluck-pcm32.wav", 0.3, ""),
        ("test-44100Hz-2ch-32bit-float-le.wav", 0.01, ""),
        (
            "test-44100Hz-le-1ch-4bytes-early-eof.wav",
            0.005,
            "The file is cut short: 0.01 of 0.10 s are there.",
        ),
    ],
)
def test_the_odd_files_are_read_or_reported(name: str, seconds: float, note: str) -> None:
    path = SHARED / "audio-formats" / name
    clip = clip_of(path)
    assert clip.seconds == pytest.approx(seconds, abs=0.001)
    assert clip.note == note
    assert max(peaks_of(path, 20)) > 0.1


@needs_shared
def test_the_same_sound_in_every_width_has_the_same_shape() -> None:
    names = ["pcm8", "pcm16", "pcm24", "pcm24-ext", "pcm32"]
    shapes = [peaks_of(SHARED / "audio-formats" / f"pluck-{name}.wav", 20) for name in names]
    for shape in shapes[1:]:
        assert shape == pytest.approx(shapes[0], abs=0.02)


@needs_shared
def test_the_clips_of_the_shared_media_have_their_published_lengths() -> None:
    frames = {"ambient_rain": 80_000, "speech_3_lucas_0": 4_932, "ambient_train_stereo44k": 88_200}
    for name, count in frames.items():
        assert clip_of(SHARED / "audio" / f"{name}.wav").frames == count


def test_a_file_that_is_cut_short_is_a_clip_of_what_is_there(tmp_path: Path) -> None:
    path = saved(tmp_path, wav(bytes(8_000), declared=16_000))
    clip = clip_of(path)
    assert clip.seconds == 0.5
    assert clip.note == "The file is cut short: 0.50 of 1.00 s are there."


@needs_miniaudio
def test_a_compressed_file_that_is_cut_short_says_how_much_is_there(tmp_path: Path) -> None:
    whole = (CLIPS / "rise.flac").read_bytes()
    path = saved(tmp_path, whole[: len(whole) * 2 // 3], "cut.flac")
    assert clip_of(path).note.startswith("The file is cut short: 0.")
    assert peaks_of(path, 8)[-1] == 0


@pytest.mark.parametrize("declared", [0, 0xFFFFFFFF])
def test_a_length_that_a_pipe_left_open_is_no_damage(declared: int, tmp_path: Path) -> None:
    clip = clip_of(saved(tmp_path, wav(bytes(16_000), declared=declared)))
    assert (clip.seconds, clip.note) == (1.0, "")


def test_chunks_before_the_samples_are_passed_over(tmp_path: Path) -> None:
    odd = b"LIST" + struct.pack("<I", 5) + b"INFO\0\0"
    assert clip_of(saved(tmp_path, wav(bytes(16_000), before=odd))).seconds == 1.0


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "The file is empty."),
        (
            b"Please listen to this" * 9,
            "The file is no sound of a known kind (wav, flac, ogg, mp3, aiff).",
        ),
        (b"OggS" + bytes(60), "The Ogg file holds neither Vorbis nor Opus sound."),
        (b"RIFF\0\0\0\0WAVE", "The file is cut short or damaged: it holds no samples."),
        (
            b"RIFF\0\0\0\0WAVEfmt \x04\0\0\0\1\0\1\0",
            "The file is cut short or damaged: its format is missing.",
        ),
        (
            b"RIFF\0\0\0\0WAVEdata\x04\0\0\0\1\0\1\0",
            "The file is damaged: its samples come before their format.",
        ),
        (wav(b""), "The file holds no sound."),
        (wav(bytes(80), channels=0), "The file is damaged: its header says 0 channels."),
        (wav(bytes(80), rate=3), "The file is damaged: its header says 3 frames a second."),
        (
            wav(bytes(80), bits=72),
            "The file is damaged: its header says 9 bytes for a frame of 1 channel.",
        ),
        (
            wav(bytes(80), tag=0x161),
            "The WAV file uses codec 0x0161, which nothing here can decode.",
        ),
    ],
)
def test_a_file_that_is_no_sound_gives_one_sentence(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    assert reason_of(saved(tmp_path, content)) == reason


@needs_miniaudio
@pytest.mark.parametrize("start", [b"fLaC", b"ID3\3", b"\xff\xfb\x90\0"])
def test_damage_to_a_compressed_file_gives_one_sentence(start: bytes, tmp_path: Path) -> None:
    path = saved(tmp_path, start + bytes(range(256)) * 4)
    assert reason_of(path) == "The file is damaged or cut short and cannot be decoded."


def test_paths_that_are_no_files_give_one_sentence(tmp_path: Path) -> None:
    assert reason_of(tmp_path / "none.wav") == "The file does not exist."
    not_a_file = "The path leads to something that is not a file."
    assert reason_of(tmp_path) == not_a_file
    os.mkfifo(tmp_path / "pipe.wav")
    assert reason_of(tmp_path / "pipe.wav") == not_a_file
    assert reason_of(tmp_path / "a\0b") == "The path cannot be the path of a file."
    assert reason_of(tmp_path / ("x" * 5000)) == "The path cannot be the path of a file."


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = saved(tmp_path, wav(bytes(2**20)))
    assert reason_of(path, max_bytes=2**19) == "The file has 1.0 MB; up to 0.5 MB are read."
    assert MAX_BYTES >= 2**26


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"OggS" + bytes(24) + b"OpusHead" + bytes(9), "opus"), (b"\0\0\0 ftypM4A " * 3, "m4a")],
)
def test_formats_that_only_players_know_are_clips_without_a_waveform(
    content: bytes, kind: str, tmp_path: Path
) -> None:
    path = saved(tmp_path, content)
    clip = clip_of(path)
    assert (clip.format, clip.seconds) == (kind, None)
    assert peaks(path) == Problem("unsupported", clip.note)


def test_without_miniaudio_compressed_files_are_clips_of_unknown_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decoder, "is_available", lambda: False)
    clip = clip_of(CLIPS / "rise.ogg")
    assert (clip.format, clip.seconds) == ("ogg", None)
    assert "mnemoscope[audio]" in clip.note
    assert isinstance(peaks(CLIPS / "rise.ogg"), Problem)


@needs_miniaudio
def test_another_process_decodes_as_this_one_does(tmp_path: Path) -> None:
    file = str(CLIPS / "rise.ogg")
    assert decoder.ask(file, "ogg", 5) == decoder.answer(file, "ogg", 5)
    file = str(saved(tmp_path, b"OggS" + bytes(24) + b"\1vorbis" + bytes(400)))
    assert isinstance(decoder.ask(file, "ogg", 5), Problem)


def test_a_decoder_that_crashes_takes_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, value in fake_miniaudio(tmp_path / "fake", "pass").items():
        monkeypatch.setenv(name, value)
    problem = decoder.ask(str(CLIPS / "rise.flac"), "flac", 0)
    assert problem == Problem("unreadable", "The decoder broke down on this file.")
    assert capfd.readouterr() == ("", "")


def test_looking_at_wav_files_loads_neither_numpy_nor_a_sound_library() -> None:
    code = (
        "import sys; from mnemoscope.core.audio import probe; probe('none.wav')\n"
        "print([name for name in ('numpy', 'miniaudio', 'rich', 'textual') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


any_bytes = st.binary(max_size=200)


@settings(max_examples=150, deadline=None)
@given(
    content=st.one_of(
        any_bytes,
        any_bytes.map(lambda rest: b"RIFF\0\0\0\0WAVE" + rest),
        st.builds(
            wav,
            any_bytes,
            tag=st.sampled_from([PCM, FLOAT, ALAW, EXTENSIBLE, 2, 17, 99]),
            bits=st.integers(0, 80),
            channels=st.integers(0, 70),
            rate=st.integers(0, 2**20),
            declared=st.one_of(st.none(), st.integers(0, 2**32 - 1)),
        ),
    )
)
def test_no_bytes_crash_the_reader(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    refused = Problem("unreadable", "It is not decoded here.")
    path = saved(tmp_path_factory.getbasetemp(), content, "any.wav")
    clip = probe(path, decode=lambda *_: refused)
    values = peaks(path, 7, decode=lambda *_: refused)
    if isinstance(clip, Problem):
        assert values == clip
    elif not isinstance(values, Problem):
        assert 1 <= len(values) <= 7
        assert all(0 <= value <= 1 for value in values)


# How loud it is


def test_each_column_has_the_loudest_sample_of_its_part(tmp_path: Path) -> None:
    samples = [0, 100, -32768, 5, 16384, 0, 0, 0]
    path = saved(tmp_path, wav(struct.pack("<8h", *samples)))
    assert peaks_of(path, 4) == pytest.approx([100 / 32768, 1, 0.5, 0], abs=1e-4)
    assert peaks_of(path, 3) == pytest.approx([1, 0.5, 0], abs=1e-4)
    assert len(peaks_of(path, 100)) == 8


def test_the_loudest_channel_counts(tmp_path: Path) -> None:
    path = saved(tmp_path, wav(struct.pack("<4h", 100, -16384, 8192, 0), channels=2))
    assert peaks_of(path, 2) == [0.5, 0.25]


def test_floats_beyond_full_scale_or_no_numbers_stay_in_range(tmp_path: Path) -> None:
    values = [float("nan"), float("inf"), -7.0, 0.25]
    path = saved(tmp_path, wav(struct.pack("<4f", *values), tag=FLOAT, bits=32))
    assert peaks_of(path, 4) == [0, 1, 1, 0.25]


@settings(max_examples=60, deadline=None)
@given(
    samples=st.lists(st.integers(-32768, 32767), min_size=1, max_size=300),
    columns=st.integers(1, 80),
    block=st.integers(1, 64),
)
def test_columns_do_not_depend_on_how_a_clip_is_cut_into_blocks(
    samples: list[int], columns: int, block: int
) -> None:
    import numpy as np

    frames = np.array(samples).reshape(-1, 1) / 32768
    measured = decoder.Columns(len(samples), columns)
    for start in range(0, len(samples), block):
        measured.add(frames[start : start + block])
    count = min(columns, len(samples))
    parts: list[list[float]] = [[] for _ in range(count)]
    for index, sample in enumerate(samples):
        parts[index * count // len(samples)].append(abs(sample) / 32768)
    assert measured.values == pytest.approx([max(part) for part in parts], abs=1e-4)


def test_a_clip_of_hours_has_no_waveform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemoscope.core.audio.levels.MAX_SECONDS", 1)
    path = saved(tmp_path, wav(bytes(48_000)))
    assert clip_of(path).seconds == 3.0
    problem = peaks(path)
    assert isinstance(problem, Problem)
    assert problem.reason.startswith("The clip lasts 0:03.0; waveforms are drawn up to ")


@pytest.mark.parametrize(
    ("samples", "more", "expected"),
    [
        (b"\0\x80\xff", {"bits": 8}, (b"\0\x80\xff", 1)),
        (b"\1\2\3\4", {}, (b"\1\2\3\4", 2)),
        (bytes(3) + b"\0\0\x40", {"bits": 24}, (b"\0\0\0\x40", 2)),
        (struct.pack("<2f", -1, 0.5), {"bits": 32, "tag": FLOAT}, (b"\x01\x80\0\x40", 2)),
    ],
)
def test_samples_for_a_player_that_knows_few_widths(
    samples: bytes, more: dict[str, int], expected: tuple[bytes, int], tmp_path: Path
) -> None:
    options: Callable[..., bytes] = wav
    assert pcm16(clip_of(saved(tmp_path, options(samples, **more)))) == expected


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00.0"), (3.2, "0:03.2"), (59.96, "1:00.0"), (61.25, "1:01.3"), (3723.4, "1:02:03.4")],
)
def test_times_are_written_to_the_tenth(seconds: float, text: str) -> None:
    assert clock(seconds) == text


# Kept for the screen


def test_a_clip_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "tone.wav"
    write_wav(path, 0.2)
    reader = ClipReader()
    assert reader.cached(str(path)) is None
    first = reader(str(path))
    assert reader(str(path)) is first
    assert reader.cached(str(path)) is first
    assert isinstance(first.clip, Clip)
    assert first.clip.seconds == 0.2
    write_wav(path, 0.4)
    again = reader(str(path)).clip
    assert isinstance(again, Clip)
    assert again.seconds == 0.4


def test_a_missing_clip_is_a_problem_in_both_respects(tmp_path: Path) -> None:
    view = ClipReader()(str(tmp_path / "none.wav"))
    assert view.clip == view.peaks == Problem("missing", "The file does not exist.")


@needs_miniaudio
def test_a_compressed_clip_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = decoder.ask

    def counted(file: str, kind: str, columns: int) -> decoder.Decoded | Problem:
        asked.append(columns)
        return ask(file, kind, columns)

    monkeypatch.setattr(decoder, "ask", counted)
    view = ClipReader()(str(CLIPS / "rise.ogg"))
    assert isinstance(view.clip, Clip)
    assert not isinstance(view.peaks, Problem)
    assert len(asked) == 1
