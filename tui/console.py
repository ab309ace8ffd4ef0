"""The two streams of the command: stdout carries data, stderr carries talk.

No other module of the command line writes to either. What comes from data is cleaned before it
reaches a person; JSON carries it as it is.
"""

import json
import math
import os
import re
import shutil
import sys
import traceback
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum

from mnemoscope.core.errors import MnemoscopeError
from mnemoscope.core.text import REPLACEMENT, clean, one_line

__all__ = [
    "OutputError",
    "close",
    "has_terminal",
    "is_watched",
    "print_json",
    "print_lines",
    "progress",
    "report",
    "show_tracebacks",
    "talk",
    "width",
]

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST = 2_000
_ERASE_LINE = "\r\x1b[K"


class OutputError(MnemoscopeError):
    """What stdout leads to takes no more, such as a file on a full disk."""


class _State:
    """What the streams are like during one command."""

    tracebacks = False
    step_shown = False


def show_tracebacks(wanted: bool) -> None:
    """Whether reports of errors come with a traceback."""
    _State.tracebacks = wanted


def has_terminal() -> bool:
    """Whether a person sits at a terminal that an app can draw on."""
    drawable = os.environ.get("TERM", "") not in ("", "dumb")
    # Textual draws on stderr: with that elsewhere, the app would run unseen. A stream is None when
    # the shell has closed it.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return drawable and all(one is not None and one.isatty() for one in streams)


def width() -> int | None:
    """The cells of a line of the terminal; None when stdout is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


# stdout


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people. Lines hold whatever data holds: each is cleaned here."""
    _write("".join(f"{clean(line, keep_newlines=False).rstrip()}\n" for line in lines))


def print_json(data: Mapping[str, object]) -> None:
    r"""Print one JSON document.

    Texts stand in it as they are, except that half a surrogate pair, which no stream can carry,
    becomes U+FFFD. A stream of a narrow encoding gets ``\u`` escapes.
    """
    narrow = _encoding().lower().replace("-", "") != "utf8"
    try:
        text = _dumps(data, narrow)
    except ValueError:
        text = _dumps(_finite(data), narrow)
    if not narrow:
        text = _SURROGATE.sub(REPLACEMENT, text)
    _write(f"{text}\n")


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _dumps(data: object, narrow: bool) -> str:
    return json.dumps(data, ensure_ascii=narrow, allow_nan=False, indent=1, default=_plain)


def _plain(value: object) -> object:
    match value:
        case Enum():
            return value.value
        case date():
            return value.isoformat()
        case Mapping():
            return dict(value)
        case set() | frozenset():
            return sorted(value)
    return str(value)


def _finite(value: object) -> object:
    """The same with null for numbers that JSON has no sign for."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {key: _finite(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_finite(inner) for inner in value]
    return value


def _write(text: str) -> None:
    _end_progress()
    if sys.stdout is None:  # the shell has closed it
        return
    encoding = _encoding()
    # A terminal of a narrow encoding gets question marks rather than nothing.
    text = text.encode(encoding, "replace").decode(encoding)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has had enough, as ``head`` does. That is no failure, and the exit code
        # stays what the command has to say.
        close()
    except OSError as error:
        close()
        raise OutputError(f"the output cannot be written: {error.strerror or error}") from None


def close() -> None:
    """Let nothing be written any more, since Python would try again at its end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # a stream without a descriptor, as in tests
        pass


# stderr


def talk(text: str) -> None:
    """Say something about the work: one cleaned line, its middle left out if it is very long."""
    _end_progress()
    text = one_line(text)
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
    _say(f"{text}\n")


def report(message: str, hint: str = "", details: Iterable[str] = ()) -> None:
    """Say what went wrong and what can be done; with ``--debug`` also where, and the details."""
    if _State.tracebacks:
        _end_progress()
        _say("".join(clean(line) for line in traceback.format_exc().splitlines(keepends=True)))
        for line in details:
            talk(f"detail: {line}")
    talk(f"error: {message}")
    if hint:
        talk(f"hint: {hint}")


def is_watched() -> bool:
    """Whether a person watches stderr, so that a line of it may be written over."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM", "") != "dumb"


def progress(step: str) -> None:
    """Show a step of the work while it lasts; only to a person who watches."""
    if is_watched():
        _say(f"{_ERASE_LINE}{one_line(step)} …")
        _State.step_shown = True


def _end_progress() -> None:
    if _State.step_shown:
        _State.step_shown = False
        _say(_ERASE_LINE)


def _say(text: str) -> None:
    if sys.stderr is None:  # the shell has closed it
        return
    encoding = sys.stderr.encoding or "utf-8"
    try:
        sys.stderr.write(text.encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()
    except OSError:  # nobody listens
        pass
