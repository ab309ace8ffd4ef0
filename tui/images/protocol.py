"""Which way of drawing pictures a terminal gets, and why."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from mnemoscope.tui.images.query import Reply

__all__ = ["SETTINGS", "Choice", "Protocol", "choose", "must_ask"]

SETTINGS = ("auto", "kitty", "sixel", "half", "off")
"""What a person can ask for."""

_PLACEHOLDERS_SINCE = (0, 28)
"""The first kitty that draws pictures in place of characters."""
_XTERM_LARGEST = (1000, 1000)
_PAGES = "pages show half blocks, the zoom shows pixels"


class Protocol(StrEnum):
    """How pictures are drawn."""

    KITTY = "kitty"
    """Pixels in place of placeholder characters, everywhere."""
    SIXEL = "sixel"
    """Pixels in the zoom, half blocks in pages."""
    HALF = "half"
    """Two pixels to a cell, everywhere."""
    OFF = "off"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A protocol, and why it was chosen."""

    protocol: Protocol
    reason: str
    """A clause that can follow the protocol's name."""
    tmux: bool = False
    """Whether tmux stands between and must be told to pass graphics on."""
    sixel_colours: int = 256
    sixel_size: tuple[int, int] | None = None
    """The largest sixel picture in pixels, where there is a limit."""


def choose(
    setting: str,
    environ: Mapping[str, str],
    query: Callable[[], Reply] | None = None,
    *,
    ascii_only: bool = False,
) -> Choice:
    """Choose how pictures are drawn.

    Args:
        setting: One of ``SETTINGS``.
        environ: The environment.
        query: Asks the terminal; it is called only when the environment leaves a doubt. None when
            the terminal is not to be asked.
        ascii_only: Whether signs are drawn in ASCII, of which no picture is made.
    """
    decided = _decided(setting, environ, ascii_only)
    if decided is not None:
        return decided
    reply = query() if query is not None else None
    if reply is not None and reply.answered:
        return _answered(reply)
    if environ.get("TERM") == "xterm-kitty":
        return Choice(Protocol.KITTY, "TERM is xterm-kitty")
    why = "was not asked what it can draw" if reply is None else "did not say what it can draw"
    return Choice(Protocol.HALF, f"the terminal {why}")


def must_ask(setting: str, environ: Mapping[str, str], *, ascii_only: bool = False) -> bool:
    """Whether the environment leaves a doubt that the terminal could settle."""
    return _decided(setting, environ, ascii_only) is None


def _decided(setting: str, environ: Mapping[str, str], ascii_only: bool) -> Choice | None:
    if setting == "off":
        return Choice(Protocol.OFF, "--images off")
    if environ.get("NO_COLOR"):
        return Choice(Protocol.OFF, "NO_COLOR is set, and pictures are made of colours")
    if setting != "auto":
        protocol = Protocol(setting)
        limit = _XTERM_LARGEST if "XTERM_VERSION" in environ else None
        why = f"--images {setting}" + (f"; {_PAGES}" if protocol is Protocol.SIXEL else "")
        return Choice(protocol, why, tmux=bool(environ.get("TMUX")), sixel_size=limit)
    if ascii_only:
        return Choice(Protocol.OFF, "ascii = true, and pictures are made of other signs")
    between = _between(environ)
    if between:
        return Choice(Protocol.HALF, between)
    return _known_terminal(environ)


def _between(environ: Mapping[str, str]) -> str:
    """Say what stands between the app and the terminal and would swallow graphics."""
    term = environ.get("TERM", "")
    if "web_driver" in environ.get("TEXTUAL_DRIVER", ""):
        return "the app runs in a browser"
    if environ.get("TMUX") or term.startswith("tmux"):
        return "tmux; in kitty or Ghostty with allow-passthrough on, --images kitty works"
    if environ.get("ZELLIJ"):
        return "Zellij"
    if environ.get("STY") or term.startswith("screen"):
        return "screen or tmux"
    return ""


def _known_terminal(environ: Mapping[str, str]) -> Choice | None:
    """Decide by the names that terminals leave in the environment.

    ``TERM`` is set by the innermost terminal. Other names are inherited by a terminal started from
    a terminal, so they decide only where ``TERM`` does not contradict.
    """
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if term == "xterm-ghostty":
        return Choice(Protocol.KITTY, "Ghostty")
    if term in ("linux", "dumb") or term.startswith("alacritty"):
        return Choice(Protocol.HALF, f"TERM is {term}, which has no pictures")
    if program in ("Apple_Terminal", "WarpTerminal"):
        return Choice(Protocol.HALF, f"{program} has no pictures that scroll with text")
    if term.startswith("foot"):
        return Choice(Protocol.SIXEL, f"foot; {_PAGES}")
    if program in ("WezTerm", "iTerm.app") and term.startswith(("xterm-256", "wezterm")):
        return Choice(Protocol.SIXEL, f"{program}; {_PAGES}")
    return None


def _answered(reply: Reply) -> Choice:
    name = reply.name or "the terminal"
    kind = reply.name.lower()
    if reply.kitty and kind.startswith("ghostty"):
        return Choice(Protocol.KITTY, f"{name} says so")
    if reply.kitty and kind.startswith("kitty"):
        if reply.version >= _PLACEHOLDERS_SINCE:
            return Choice(Protocol.KITTY, f"{name} says so")
        return Choice(Protocol.HALF, f"{name} is too old for pictures in text; 0.28 has them")
    if reply.sixel:
        return Choice(
            Protocol.SIXEL,
            f"{name} says so; {_PAGES}",
            sixel_colours=min(max(reply.sixel_colours or 256, 2), 256),
            sixel_size=reply.sixel_size if all(reply.sixel_size) else None,
        )
    return Choice(Protocol.HALF, f"{name} offers nothing better")
