from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from mnemoscope.core.audio import Capabilities, Clip, Phase, Playback, Problem
from mnemoscope.viewers.styles import DARK
from mnemoscope.viewers.waveform import (
    PHASE_MARKS,
    ClipKeys,
    clip_line,
    clip_lines,
    fit_peaks,
    waveform_line,
)

ALL = Capabilities(pause=True, seek=True)
PLAYING = Playback(Phase.PLAYING, "a.wav", 3.2, 5.0, ALL, "miniaudio, ALSA")
RISE = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]


def colours(line: Text) -> set[str]:
    return {str(span.style.color.name) for span in line.spans if not isinstance(span.style, str)}  # type: ignore[union-attr]


def test_louder_parts_are_drawn_higher() -> None:
    assert waveform_line(RISE, 8, None, DARK).plain == "▁▂▃▄▅▆▇█"
    assert waveform_line(RISE, 8, None, DARK, ascii_only=True).plain == "_.-:=+*#"


def test_a_quiet_clip_is_as_high_as_a_loud_one_and_silence_stays_flat() -> None:
    assert waveform_line([0.03, 0.06], 2, None, DARK).plain == "▅█"
    assert waveform_line([0.0, 0.0001], 2, None, DARK).plain == "▁▁"
    assert waveform_line([], 3, None, DARK).plain == "▁▁▁"


@pytest.mark.parametrize(
    ("position", "drawn"),
    [(0.0, "┃███"), (0.5, "██┃█"), (0.99, "███┃"), (1.0, "███┃"), (7.0, "███┃"), (-1.0, "┃███")],
)
def test_the_playhead_stands_where_playing_is(position: float, drawn: str) -> None:
    assert waveform_line([1.0], 4, position, DARK).plain == drawn


def test_the_playhead_is_a_sign_and_the_played_part_a_colour() -> None:
    line = waveform_line([1.0], 4, 0.5, DARK, ascii_only=True)
    assert line.plain == "##|#"
    assert colours(line) == {DARK.focus, DARK.dim}


@given(
    peaks=st.lists(st.floats(0, 1), max_size=60),
    columns=st.integers(0, 90),
    position=st.one_of(st.none(), st.floats(0, 1)),
    ascii_only=st.booleans(),
)
def test_a_waveform_takes_exactly_its_columns(
    peaks: list[float], columns: int, position: float | None, ascii_only: bool
) -> None:
    line = waveform_line(peaks, columns, position, DARK, ascii_only=ascii_only)
    assert line.cell_len == columns
    assert line.plain.isascii() or not ascii_only


@given(peaks=st.lists(st.floats(0, 1), min_size=1, max_size=90), columns=st.integers(1, 90))
def test_fitting_keeps_what_is_loudest(peaks: list[float], columns: int) -> None:
    fitted = fit_peaks(peaks, columns)
    assert len(fitted) == columns
    assert max(fitted) == max(peaks)


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (Playback(seconds=5.0), "■ not playing  0:05.0  ·  space play"),
        (
            Playback(Phase.STARTING, "a.wav", seconds=5.0),
            "◌ starting  0:00.0 / 0:05.0  ·  space stop",
        ),
        (
            PLAYING,
            "▶ playing  0:03.2 / 0:05.0  ·  space pause  ·  ← → 5 s  ·  backspace restart",
        ),
        (
            replace(PLAYING, phase=Phase.PAUSED),
            "⏸ paused  0:03.2 / 0:05.0  ·  space play  ·  ← → 5 s  ·  backspace restart",
        ),
        (
            replace(PLAYING, phase=Phase.ENDED, position=5.0),
            "■ ended  0:05.0 / 0:05.0  ·  space play  ·  ← → 5 s",
        ),
        (
            replace(PLAYING, capabilities=Capabilities(), backend="simpleaudio"),
            "▶ playing  0:03.2 / 0:05.0  ·  space stop  ·  backspace restart  ·  "
            "simpleaudio: no pause or seek",
        ),
        (
            Playback(Phase.FAILED, "a.wav", seconds=5.0, reason="No sound device was found."),
            "! no sound  0:05.0  No sound device was found.  ·  space play",
        ),
        (
            replace(PLAYING, seconds=None, capabilities=Capabilities(), backend="mpv"),
            "▶ playing  0:03.2  ·  space stop  ·  backspace restart  ·  mpv: no pause or seek",
        ),
        (
            replace(PLAYING, phase=Phase.ENDED, position=5.0, note="Cut short."),
            "■ ended  0:05.0 / 0:05.0  Cut short.  ·  space play  ·  ← → 5 s",
        ),
    ],
)
def test_the_line_of_a_clip_says_state_time_and_what_keys_do(state: Playback, said: str) -> None:
    assert clip_line(state, DARK).plain == said


def test_every_phase_has_a_glyph_a_word_and_a_colour() -> None:
    for phase in Phase:
        mark = PHASE_MARKS[phase]
        line = clip_line(Playback(phase, reason="Why."), DARK)
        assert line.plain.startswith(f"{mark.glyph} {mark.word}")
        assert getattr(DARK, mark.colour) in colours(line)
        assert mark.ascii.isascii()
    assert len({mark.word for mark in PHASE_MARKS.values()}) == len(Phase)


def test_ascii_lines_are_ascii() -> None:
    for phase in Phase:
        assert clip_line(replace(PLAYING, phase=phase), DARK, ascii_only=True).plain.isascii()


def test_other_keys_are_named_and_missing_ones_are_not() -> None:
    keys = ClipKeys(toggle="p", seek="", restart="")
    assert clip_line(PLAYING, DARK, keys=keys).plain == "▶ playing  0:03.2 / 0:05.0  ·  p pause"


def test_a_reason_cannot_move_the_cursor() -> None:
    state = Playback(Phase.FAILED, reason="no\x1b[2J\ndevice \u202egnorw")
    assert clip_line(state, DARK).plain == "! no sound  no device gnorw  ·  space play"


CLIP = Clip("/a.wav", "wav", "16-bit PCM", 5.0, 16_000, 1, 80_000)


def lines_of(clip: Clip | Problem, peaks: list[float] | Problem, state: Playback) -> list[str]:
    return [line.plain for line in clip_lines(clip, peaks, state, 8, DARK)]


def test_a_clip_has_a_waveform_its_state_and_what_it_is() -> None:
    assert lines_of(CLIP, RISE, replace(PLAYING, file="/a.wav")) == [
        "▁▂▃▄▅┃▇█",
        "▶ playing  0:03.2 / 0:05.0  ·  space pause  ·  ← → 5 s  ·  backspace restart",
        "0:05.0 · wav, 16-bit PCM · 16 kHz mono",
    ]


def test_a_clip_that_does_not_play_is_not_moved_by_another_that_does() -> None:
    assert lines_of(CLIP, RISE, PLAYING)[:2] == [
        "▁▂▃▄▅▆▇█",
        "■ not playing  0:05.0  ·  space play",
    ]


def test_what_is_odd_about_a_clip_is_said_once() -> None:
    clip = replace(CLIP, note="The file is cut short.")
    unread = Problem("unsupported", "It has no waveform.")
    state = replace(PLAYING, file="/a.wav", note=clip.note)
    assert lines_of(clip, unread, state) == [
        "It has no waveform.",
        "▶ playing  0:03.2 / 0:05.0  The file is cut short.  ·  space pause  ·  ← → 5 s  ·  "
        "backspace restart",
        "0:05.0 · wav, 16-bit PCM · 16 kHz mono",
    ]
    assert lines_of(clip, unread, Playback())[-1] == (
        "0:05.0 · wav, 16-bit PCM · 16 kHz mono  The file is cut short."
    )


def test_a_clip_that_cannot_be_read_says_why_and_offers_no_keys() -> None:
    problem = Problem("missing", "The file does not exist.")
    assert lines_of(problem, problem, Playback()) == ["! missing  The file does not exist."]
