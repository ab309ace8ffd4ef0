"""The app in a real terminal: it paints, works, and leaves the terminal as it was."""

import re

from tests.terminal import Terminal, running

ENTER_SCREEN = b"\x1b[?1049h"
LEAVE_SCREEN = b"\x1b[?1049l"
SHOW_CURSOR = b"\x1b[?25h"


def left_as_it_was(terminal: Terminal) -> None:
    written = terminal.written
    assert written.count(ENTER_SCREEN) == written.count(LEAVE_SCREEN) == 1
    after = written[written.index(LEAVE_SCREEN) :]
    assert SHOW_CURSOR in after
    for mode in (b"1000", b"1003", b"1006", b"2004"):
        if b"\x1b[?" + mode + b"h" in written:
            assert written.rfind(b"\x1b[?" + mode + b"l") > written.rfind(b"\x1b[?" + mode + b"h")


def test_the_demo_paints_works_and_restores_the_terminal() -> None:
    with running("demo") as terminal:
        terminal.wait_for("118 rows")
        terminal.press("H")
        terminal.wait_for("round 1 of 6")
        terminal.press("}")
        terminal.wait_for("D01 of 11")
        terminal.press("C")
        terminal.wait_for("McNemar exact p")
        terminal.resize(80, 24)
        terminal.wait_for("differing questions")
        terminal.press("\x11")
        assert terminal.wait_for_end() == 0
        left_as_it_was(terminal)


def test_quitting_while_a_release_is_read_leaves_at_once() -> None:
    with running("demo") as terminal:
        terminal.wait_for("opening")
        terminal.press("\x11")
        assert terminal.wait_for_end() == 0
        left_as_it_was(terminal)


def test_nothing_but_the_app_writes_on_the_terminal() -> None:
    with running("open", "/nonexistent/release") as terminal:
        terminal.wait_for_end()
        assert ENTER_SCREEN not in terminal.written
        assert b"no such file or folder" in terminal.written
    with running("demo", size=(80, 24)) as terminal:
        terminal.wait_for("2 histories")
        terminal.press("Hv")
        terminal.wait_for("image detailed")
        terminal.press("\x11")
        terminal.wait_for_end()
        before = terminal.written[: terminal.written.index(ENTER_SCREEN)]
        after = terminal.written.rpartition(LEAVE_SCREEN)[2]
        for outside in (before, after):
            assert not re.sub(
                rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>78]|[\r\n]", b"", outside
            )
