"""Asking the terminal what it can draw, before the app takes it over.

A terminal answers on the stream that keys come from. Once Textual reads that stream an answer would
be taken for typing, so questions are asked, and their answers read to the end, before it starts.
Only control sequences that every terminal ignores when it does not know them are sent at first;
what a terminal might print is sent to those that have said who they are.
"""

import os
import re
import select
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from mnemoscope.core.text import one_line

__all__ = ["KITTY_QUERY", "NAME_QUERY", "SIXEL_QUERY", "Question", "Reply", "ask", "parse_reply"]

_DA1 = "\x1b[c"
# Every terminal answers DA1, and answers in order: its reply says that no other will come.
NAME_QUERY = "\x1b[>q" + _DA1
KITTY_QUERY = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + _DA1
SIXEL_QUERY = "\x1b[?1;1;0S\x1b[?2;4;0S" + _DA1

_DA1_REPLY = re.compile(rb"\x1b\[\?([0-9;]*)c")
_NAME_REPLY = re.compile(rb"\x1bP>\|([^\x07\x1b\x9c]*)(?:\x1b\\|\x9c)")
_KITTY_REPLY = re.compile(rb"\x1b_Gi=31(?:,[^;\x1b]*)?;([^\x1b]*)\x1b\\")
_SIXEL_REPLY = re.compile(rb"\x1b\[\?([12]);0;(\d+)(?:;(\d+))?S")
_LONGEST_NAME = 40
_PATIENCE = 0.4
_REMOTE_PATIENCE = 1.0
"""Seconds; across a network a late answer would be typed into the app."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a terminal has said about itself."""

    answered: bool = False
    name: str = ""
    """Name and version as it writes them, such as ``kitty(0.35.2)`` or ``WezTerm 20240203``."""
    kitty: bool = False
    """Whether it takes the kitty graphics protocol."""
    sixel: bool = False
    sixel_colours: int = 0
    """How many colours a sixel picture may have; 0 when it does not say."""
    sixel_size: tuple[int, int] = (0, 0)
    """The largest sixel picture in pixels; zeros when it does not say."""

    @property
    def version(self) -> tuple[int, ...]:
        """The first number with dots in the name; empty when there is none."""
        found = re.search(r"\d+(?:\.\d+)*", self.name)
        return tuple(int(part) for part in found[0].split(".")) if found else ()


def parse_reply(data: bytes) -> Reply:
    """Read what a terminal has answered, whatever else stands around it."""
    attributes = _DA1_REPLY.search(data)
    name = _NAME_REPLY.search(data)
    kitty = _KITTY_REPLY.search(data)
    reply = Reply(
        answered=attributes is not None,
        # The first parameter is the level of the terminal, whose numbers mean other things.
        sixel=attributes is not None and b"4" in attributes[1].split(b";")[1:],
        name=one_line(name[1].decode("utf-8", "replace"))[:_LONGEST_NAME] if name else "",
        kitty=kitty is not None and kitty[1] == b"OK",
    )
    for item, first, second in _SIXEL_REPLY.findall(data):
        if item == b"1":
            reply = replace(reply, sixel_colours=int(first))
        elif second:
            reply = replace(reply, sixel_size=(int(first), int(second)))
    return reply


class Question:
    """A question that has been sent; while it is open the terminal does not echo.

    Between sending and reading there is time to do something else.
    """

    def __init__(self, handle: int, patience: float = _PATIENCE) -> None:
        """Send the first question.

        Args:
            handle: A terminal, open for reading and writing.
            patience: Seconds after which no answer is expected any more.
        """
        import termios

        self._handle = handle
        self._patience = patience
        self._before = termios.tcgetattr(handle)
        quiet = termios.tcgetattr(handle)
        quiet[3] &= ~(termios.ECHO | termios.ICANON)
        termios.tcsetattr(handle, termios.TCSANOW, quiet)
        self._send(NAME_QUERY)

    def answer(self) -> Reply:
        """Read the answer, and ask on about what the terminal says it knows."""
        data = self._receive()
        reply = parse_reply(data)
        if reply.name.lower().startswith(("kitty", "ghostty")):
            self._send(KITTY_QUERY)
        elif reply.sixel:
            self._send(SIXEL_QUERY)
        else:
            return reply
        return parse_reply(data + self._receive())

    def close(self) -> None:
        """Leave the terminal as it was, without what it may have answered since."""
        import termios

        termios.tcsetattr(self._handle, termios.TCSAFLUSH, self._before)

    def _send(self, text: str) -> None:
        os.write(self._handle, text.encode())
        self._end = time.monotonic() + self._patience

    def _receive(self) -> bytes:
        data = b""
        while not _DA1_REPLY.search(data):
            # What has arrived counts, even if nobody has looked for longer than one would wait.
            left = max(0.0, self._end - time.monotonic())
            if not select.select([self._handle], [], [], left)[0]:
                break
            piece = os.read(self._handle, 4096)
            if not piece:
                break
            data += piece
        return data


def ask(environ: Mapping[str, str]) -> Question | None:
    """Send the question to the terminal that one sits at; None when there is none to ask."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    remote = "SSH_CONNECTION" in environ or "SSH_TTY" in environ
    try:
        handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return None
    try:
        return _Owned(handle, _REMOTE_PATIENCE if remote else _PATIENCE)
    except OSError:
        os.close(handle)
        return None


class _Owned(Question):
    def close(self) -> None:
        try:
            super().close()
        finally:
            os.close(self._handle)
