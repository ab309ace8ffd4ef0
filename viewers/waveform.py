"""A clip in two lines: its loudness with a playhead, and what the player is doing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.style import Style
from rich.text import Text

from mnemoscope.core.audio import Clip, Phase, Playback, Problem, clock
from mnemoscope.core.text import one_line
from mnemoscope.viewers.styles import Mark, Palette, style, styled

__all__ = ["PHASE_MARKS", "ClipKeys", "clip_line", "clip_lines", "fit_peaks", "waveform_line"]

_LEVELS = "▁▂▃▄▅▆▇█"
_ASCII_LEVELS = "_.-:=+*#"
_PLAYHEAD = "┃"
_ASCII_PLAYHEAD = "|"
# A quiet clip is drawn as high as a loud one, but the noise of a silent one is not.
_QUIETEST_FULL_SCALE = 0.02

PHASE_MARKS: Mapping[Phase, Mark] = {
    Phase.IDLE: Mark("■", ".", "not playing", "dim"),
    Phase.STARTING: Mark("◌", "~", "starting", "unjudged"),
    Phase.PLAYING: Mark("▶", ">", "playing", "focus"),
    Phase.PAUSED: Mark("⏸", "=", "paused", "clue"),
    Phase.ENDED: Mark("■", ".", "ended", "dim"),
    Phase.FAILED: Mark("!", "!", "no sound", "failure"),
}
"""What a player is doing, as glyph, word and colour."""


@dataclass(frozen=True, slots=True)
class ClipKeys:
    """The keys of a clip as a person reads them; an empty one is not mentioned."""

    toggle: str = "space"
    seek: str = "← →"
    restart: str = "backspace"


def waveform_line(
    peaks: Sequence[float],
    columns: int,
    position: float | None,
    palette: Palette,
    *,
    ascii_only: bool = False,
) -> Text:
    """Draw loudness as one line.

    Args:
        peaks: Loudness from 0 to 1 along the clip, in any resolution.
        columns: The cells that the line takes.
        position: How far playing has come, from 0 to 1; None draws no playhead.
        palette: The colours. What was played stands out from what was not, and the playhead is a
            sign of its own, so that nothing hangs on colour.
        ascii_only: Whether only ASCII can be drawn.
    """
    if columns < 1:
        return Text()
    levels = _ASCII_LEVELS if ascii_only else _LEVELS
    fitted = fit_peaks(peaks, columns)
    scale = max([_QUIETEST_FULL_SCALE, *fitted])
    top = len(levels) - 1
    drawn = "".join(levels[round(min(1.0, peak / scale) * top)] for peak in fitted)
    rest = style("dim", palette)
    if position is None:
        return styled(drawn, rest)
    at = min(columns - 1, int(min(1.0, max(0.0, position)) * columns))
    played = Style(color=palette.focus)
    line = styled(drawn[:at], played)
    line.append(_ASCII_PLAYHEAD if ascii_only else _PLAYHEAD, Style(color=palette.focus, bold=True))
    return line.append(drawn[at + 1 :], rest)


def fit_peaks(peaks: Sequence[float], columns: int) -> Sequence[float]:
    """Bring loudness to another number of columns: the loudest of many, or the same again."""
    if not peaks:
        return [0.0] * columns
    count = len(peaks)
    edges = [index * count // columns for index in range(columns + 1)]
    return [max(peaks[start : max(end, start + 1)]) for start, end in pairwise(edges)]


def clip_line(
    state: Playback,
    palette: Palette,
    *,
    keys: ClipKeys = ClipKeys(),
    ascii_only: bool = False,
) -> Text:
    """Say what the player does with a clip: state, time, reason, and the keys that work now.

    Args:
        state: The player's state, or one with the clip's length only when it plays something else.
        palette: The colours.
        keys: The keys to name.
        ascii_only: Whether only ASCII can be drawn.
    """
    line = PHASE_MARKS[state.phase].label(palette, ascii_only=ascii_only)
    line.append(f"  {_time(state)}" if state.seconds is not None or state.position else "")
    separator = "  -  " if ascii_only else "  ·  "
    quiet = style("dim", palette)
    if state.reason:
        look = style("missing" if state.phase is Phase.FAILED else "dim", palette)
        line.append("  ").append(one_line(state.reason), look)
    if state.note and state.phase is not Phase.FAILED:
        line.append("  ").append(one_line(state.note), quiet)
    for hint in _hints(state, keys, ascii_only=ascii_only):
        line.append(separator + hint, quiet)
    return line


def clip_lines(
    clip: Clip | Problem,
    peaks: Sequence[float] | Problem,
    state: Playback,
    columns: int,
    palette: Palette,
    *,
    keys: ClipKeys = ClipKeys(),
    ascii_only: bool = False,
) -> Sequence[Text]:
    """Everything about a clip, line by line: its waveform, what the player does, what it is.

    Args:
        clip: The clip, or why there is none.
        peaks: Its loudness, or why it is not known.
        state: The player's state; one about another clip counts as not playing this one.
        columns: The cells that the waveform takes.
        palette: The colours.
        keys: The keys to name.
        ascii_only: Whether only ASCII can be drawn.
    """
    quiet = style("dim", palette)
    if isinstance(clip, Problem):
        mark = PHASE_MARKS[Phase.FAILED].label(palette, word=clip.state, ascii_only=ascii_only)
        return [mark.append("  ").append(one_line(clip.reason), quiet)]
    if state.file != clip.file:
        state = Playback(seconds=clip.seconds)
    if isinstance(peaks, Problem):
        first = styled(one_line(peaks.reason), quiet)
    else:
        first = waveform_line(peaks, columns, state.fraction, palette, ascii_only=ascii_only)
    label = one_line(clip.label)
    about = styled(label.replace("·", "-") if ascii_only else label, quiet)
    if clip.note not in f"{state.note}\n{first.plain}":
        about.append(f"  {one_line(clip.note)}", quiet)
    return [first, clip_line(state, palette, keys=keys, ascii_only=ascii_only), about]


def _time(state: Playback) -> str:
    if state.seconds is None:
        return clock(state.position)
    if state.phase in (Phase.IDLE, Phase.FAILED):
        return clock(state.seconds)
    return f"{clock(state.position)} / {clock(state.seconds)}"


def _hints(state: Playback, keys: ClipKeys, *, ascii_only: bool) -> Iterator[str]:
    """The keys that do something now, and what the backend cannot do."""
    can = state.capabilities
    toggles = {Phase.PLAYING: "pause" if can.pause else "stop", Phase.STARTING: "stop"}
    if keys.toggle:
        yield f"{keys.toggle} {toggles.get(state.phase, 'play')}"
    if state.phase not in (Phase.PLAYING, Phase.PAUSED, Phase.ENDED):
        return
    if can.seek and state.seconds is not None and keys.seek:
        yield f"{_ascii_keys(keys.seek) if ascii_only else keys.seek} 5 s"
    if keys.restart and (state.phase is not Phase.ENDED or not keys.toggle):
        yield f"{keys.restart} restart"
    missing = [name for name, able in (("pause", can.pause), ("seek", can.seek)) if not able]
    if missing and state.backend and state.phase is Phase.PLAYING:
        yield f"{one_line(state.backend)}: no {' or '.join(missing)}"


def _ascii_keys(keys: str) -> str:
    return keys.replace("←", "left").replace("→", "right")
